// include/cugrb/cugrb.h: the observability of the library as functions.
#include <atomic>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>

#include "cuda/runtime/device.h"
#include "include/cugrb/cugrb.h"
#include "src/capi/copy_text.h"
#include "src/capi/gate.h"
#include "src/capi/notice.h"
#include "src/mirror/mirror.h"
#include "src/support/device_peak.h"
#include "src/support/forwarded_calls.h"
#include "src/support/offload_mode.h"
#include "src/support/trace.h"
#include "src/support/trace_recording.h"
#include "src/support/without_cancellation.h"

namespace cugrb::capi {
namespace {

uint64_t load(const uint64_t& total) {
  return std::atomic_ref<uint64_t>(const_cast<uint64_t&>(total)).load(std::memory_order_relaxed);
}

cugrb_statistics count_now() {
  const trace::Totals& totals = trace::totals();
  cugrb_statistics now{};
  now.calls_gpu = load(totals.calls_gpu);
  now.calls_cpu = trace::forwarded_calls();
  now.bytes_up = load(totals.bytes_up);
  now.bytes_down = load(totals.bytes_down);
  now.uploads = load(totals.uploads);
  now.downloads = load(totals.downloads);
  now.hits = load(totals.hits);
  return now;
}

/// The counts at the last reset. The totals themselves go on: the exit summary speaks of the whole run.
struct Baseline {
  std::mutex mutex;
  cugrb_statistics counts{};
};
Baseline& baseline() {
  static Baseline* const baseline = new Baseline;
  return *baseline;
}

void boot() {
  if (!gate_open.load(std::memory_order_acquire)) open_gate(nullptr);
}

/// Runs `body`; the C API lets no exception out.
template <class Result, class Body>
Result guarded(Result otherwise, const Body& body) noexcept {
  const WithoutCancellation without_cancellation;
  try {
    return body();
  } catch (...) {
    return otherwise;
  }
}

std::optional<Offload> mode_of(cugrb_offload wanted) {
  switch (wanted) {
    case CUGRB_OFFLOAD_AUTO:
      return Offload::automatic;
    case CUGRB_OFFLOAD_ALWAYS:
      return Offload::always;
    case CUGRB_OFFLOAD_NEVER:
      return Offload::never;
    case CUGRB_OFFLOAD_DEFAULT:
      break;
  }
  return std::nullopt;
}

cugrb_offload of_mode(std::optional<Offload> asked) {
  if (!asked) return CUGRB_OFFLOAD_DEFAULT;
  switch (*asked) {
    case Offload::always:
      return CUGRB_OFFLOAD_ALWAYS;
    case Offload::never:
      return CUGRB_OFFLOAD_NEVER;
    case Offload::automatic:
      break;
  }
  return CUGRB_OFFLOAD_AUTO;
}

}  // namespace
}  // namespace cugrb::capi

/// What the C API hands out as an opaque pointer.
struct cugrb_recording {
  cugrb::trace::Recording records;
};

using namespace cugrb;
using namespace cugrb::capi;

extern "C" {
#pragma GCC visibility push(default)

const char* cugrb_version(void) { return CUGRB_VERSION; }

const char* cugrb_graphblas_path(void) {
  return guarded("", [] {
    boot();
    return real::path().c_str();
  });
}

const char* cugrb_graphblas_version(void) {
  return guarded("", [] {
    boot();
    return real::version().c_str();
  });
}

const char* cugrb_forward_only_reason(void) {
  return guarded("", [] {
    boot();
    return real::forward_only_reason().c_str();
  });
}

void cugrb_get_statistics(cugrb_statistics* statistics) {
  if (statistics == nullptr) return;
  guarded(0, [&] {
    const mirror::Statistics residency = mirror::statistics();
    Baseline& since = baseline();
    const std::lock_guard lock(since.mutex);
    *statistics = count_now();
    statistics->calls_gpu -= since.counts.calls_gpu;
    statistics->calls_cpu -= since.counts.calls_cpu;
    statistics->bytes_up -= since.counts.bytes_up;
    statistics->bytes_down -= since.counts.bytes_down;
    statistics->uploads -= since.counts.uploads;
    statistics->downloads -= since.counts.downloads;
    statistics->hits -= since.counts.hits;
    statistics->resident = residency.resident;
    statistics->resident_bytes = residency.resident_bytes;
    statistics->peak_bytes = trace::peak_device_bytes();
    return 0;
  });
}

void cugrb_reset_statistics(void) {
  guarded(0, [] {
    const std::lock_guard lock(baseline().mutex);
    baseline().counts = count_now();
    return 0;
  });
}

size_t cugrb_where(char* text, size_t size) {
  return guarded(size_t{0}, [&] { return copy_text(trace::last_text(), text, size); });
}

void cugrb_keep_records(int keep) {
  guarded(0, [&] {
    trace::keep_records(keep != 0);
    return 0;
  });
}

int cugrb_trace_start(const char* target, int summary) {
  if (target == nullptr) return -1;
  return guarded(-1, [&] { return trace::start(target, summary != 0) ? 0 : -1; });
}

void cugrb_trace_stop(void) {
  guarded(0, [] {
    trace::start("", false);
    return 0;
  });
}

size_t cugrb_summary(char* text, size_t size) {
  return guarded(size_t{0}, [&] { return copy_text(trace::summary_text(), text, size); });
}

cugrb_recording* cugrb_recording_start(void) {
  return guarded(static_cast<cugrb_recording*>(nullptr), [] { return new cugrb_recording; });
}

void cugrb_recording_stop(cugrb_recording* recording) {
  if (recording != nullptr) recording->records.stop();
}

size_t cugrb_recording_text(const cugrb_recording* recording, char* text, size_t size) {
  return guarded(size_t{0}, [&] {
    return copy_text(recording == nullptr ? std::string() : recording->records.json(), text, size);
  });
}

void cugrb_recording_free(cugrb_recording* recording) { delete recording; }

cugrb_offload cugrb_set_offload(cugrb_offload wanted) {
  if (wanted < CUGRB_OFFLOAD_DEFAULT || wanted > CUGRB_OFFLOAD_NEVER) return of_mode(asked_offload());
  return of_mode(ask_offload(mode_of(wanted)));
}

cugrb_device_kind cugrb_device(char* text, size_t size) {
  return guarded(CUGRB_DEVICE_NONE, [&] {
    if (!runtime::available()) {
      copy_text(runtime::unavailable_reason(), text, size);
      return CUGRB_DEVICE_NONE;
    }
    const runtime::Properties& device = runtime::device().properties();
    copy_text(device.name, text, size);
    return device.kind == runtime::Kind::emulated ? CUGRB_DEVICE_EMULATED : CUGRB_DEVICE_GPU;
  });
}

int cugrb_device_count(void) {
  return guarded(0, [] { return runtime::available() ? int(runtime::devices().size()) : 0; });
}

int cugrb_is_started(void) { return gate_open.load(std::memory_order_acquire) ? 1 : 0; }

void cugrb_set_notice(int wanted) { set_notice(wanted != 0); }

#pragma GCC visibility pop
}  // extern "C"
