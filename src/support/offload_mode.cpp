#include "src/support/offload_mode.h"

#include "src/support/every_call.h"

namespace cugrb {
namespace {

std::optional<Offload>& of_this_thread() {
  thread_local std::optional<Offload> asked;
  return asked;
}

}  // namespace

CUGRB_READ_BY_EVERY_CALL constinit std::atomic<bool> detail::any_thread_asked{false};

std::optional<Offload> asked_offload() { return any_thread_asked() ? of_this_thread() : std::nullopt; }

std::optional<Offload> ask_offload(std::optional<Offload> wanted) {
  if (wanted) detail::any_thread_asked.store(true, std::memory_order_relaxed);
  const std::optional<Offload> before = asked_offload();
  of_this_thread() = wanted;
  return before;
}

Offload offload_mode() { return asked_offload().value_or(settings().offload); }

const char* offload_reason(Offload mode) {
  const bool asked = asked_offload().has_value();
  switch (mode) {
    case Offload::always:
      return asked ? "the program asked for offload always" : "CUGRB_OFFLOAD=always";
    case Offload::never:
      return asked ? "the program asked for offload never" : "CUGRB_OFFLOAD=never";
    case Offload::automatic:
      break;
  }
  return asked ? "the program asked for offload auto" : "CUGRB_OFFLOAD=auto";
}

}  // namespace cugrb
