#include "src/capi/notice.h"

#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <string_view>

#include "cuda/runtime/device.h"
#include "src/graphblas/real.h"
#include "src/support/environment.h"
#include "src/support/settings.h"
#include "src/support/text.h"

namespace cugrb::capi {
namespace {

constinit std::atomic<bool> asked_by_program{false};
constinit std::atomic<bool> said{false};

bool is_wanted() {
  const char* const value = environment_variable("CUGRB_NOTICE");
  return asked_by_program.load() || (value != nullptr && std::string_view(value) == "1");
}

void say(const std::string& what, const std::string& why) {
  if (!is_wanted() || said.exchange(true)) return;
  std::string line = "cugrb: " + what + ": " + why;
  for (char& c : line) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  std::fprintf(stderr, "%s\n", printable(line).c_str());
}

constexpr const char* every_call = "every call is passed on to SuiteSparse";

/// Whether the answer takes no driver: asking one for its devices would use CUDA.
bool is_device_known_to_be_missing() {
  const std::string& wanted = settings().device;
  if (wanted == "none") return true;
  return wanted != "emulated" && dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL) == nullptr;
}

}  // namespace

void set_notice(bool wanted) { asked_by_program.store(wanted); }

void notice_at_start() noexcept {
  try {
    if (!is_wanted() || settings().offload == Offload::never) return;
    if (real::forward_only()) {
      say(every_call, real::forward_only_reason());
    } else if (is_device_known_to_be_missing()) {
      notice_without_device();
    }
  } catch (...) {
    // The line is lost, the program goes on.
  }
}

void notice_without_device() noexcept {
  try {
    if (is_wanted()) say(every_call, runtime::unavailable_reason());
  } catch (...) {
    // As above.
  }
}

void notice_without_compiler(const std::string& why) noexcept {
  try {
    say(every_call, why);
  } catch (...) {
    // As above.
  }
}

void notice_not_compiled(const std::string& why) noexcept {
  try {
    say("a call was passed on to SuiteSparse", why);
  } catch (...) {
    // As above.
  }
}

}  // namespace cugrb::capi
