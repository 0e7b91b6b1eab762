#include "src/capi/offload_indices.h"

#include <algorithm>
#include <atomic>
#include <string>

#include "cuda/runtime/device.h"
#include "src/capi/offload_call.h"
#include "src/support/declined.h"
#include "src/support/parallel.h"

namespace cugrb::capi::offload {

const GrB_Index* all_indices() {
  static const GrB_Index* all = static_cast<const GrB_Index*>(real::predefined("GrB_ALL"));
  return all;
}

bool is_all_of_one(const GrB_Index* list, GrB_Index count, uint64_t length) {
  return list == all_indices() && count == 1 && length != 1;
}

void decline_all_of_one(const GrB_Index* list, GrB_Index count, uint64_t length) {
  if (is_all_of_one(list, count, length)) throw Declined("GrB_ALL with a count of 1");
}

IndexList::IndexList(const GrB_Index* I, GrB_Index ni, uint64_t limit) {
  require(I != nullptr);
  view_ = {true, limit, nullptr};
  if (I == all_indices()) return;
  if (ni == GxB_RANGE || ni == GxB_STRIDE || ni == GxB_BACKWARDS) {
    // SuiteSparse takes what lies beyond int64 as its end; so no sum below leaves uint64.
    const auto limited = [](GrB_Index x) { return std::min(x, uint64_t(INT64_MAX)); };
    const uint64_t begin = limited(I[GxB_BEGIN]), end = limited(I[GxB_END]);
    const uint64_t step = ni == GxB_RANGE ? 1 : limited(I[GxB_INC]);
    if (ni != GxB_BACKWARDS && step == 1 && begin == 0 && end + 1 == limit) return;  // all of it
    if (ni != GxB_BACKWARDS && step == 1 && begin <= end) {
      require(end < limit);
      view_ = {false, end - begin + 1, nullptr, begin};
      return;
    }
    write_out(begin, end, step, ni == GxB_BACKWARDS);
    view_ = {false, storage_.size(), storage_.data()};
    return;
  }
  view_ = {false, ni, I};
  constexpr uint64_t grain = uint64_t(1) << 16;
  std::atomic<bool> inside{true};
  parallel_ranges(view_.count, grain, [&](uint64_t first, uint64_t last) {
    const auto outside = [limit](uint64_t index) { return index >= limit; };
    if (std::any_of(view_.list + first, view_.list + last, outside)) inside = false;
  });
  require(inside);
}

void IndexList::write_out(uint64_t begin, uint64_t end, uint64_t step, bool backwards) {
  const uint64_t low = backwards ? end : begin, high = backwards ? begin : end;
  if (step == 0 || low > high) return;
  const uint64_t last = (high - low) / step;
  require((backwards ? begin : begin + last * step) < view_.count);
  // A quarter of the memory is a list too long for a device that has its operands, too.
  if (last >= runtime::device().properties().memory_bytes / 4 / sizeof(uint64_t)) {
    throw Declined("a range of " + std::to_string(last + 1) + " indices, too long to be written out");
  }
  storage_.reserve(last + 1);
  for (uint64_t n = 0; n <= last; ++n) storage_.push_back(backwards ? begin - n * step : begin + n * step);
}

}  // namespace cugrb::capi::offload
