// Predicted time of dot products for a mask's entries.
#include <algorithm>

#include "src/operations/multiply/mxm/costs.h"

namespace cugrb::operations {

using namespace selector;

namespace {

// What a multiprocessor does in a second, with everything in shared memory or cache. Fitted to A*A, C<A> =
// A*A', C<!A> = A*A, the triangles and bench/results/spgemm_scaled.json on the H200
// (docs/notebook/2026-11-21-mxm-entries.md has prediction beside measurement).
constexpr double searches_per_multiprocessor = 3e9;   ///< mxm_dot: steps of binary searches
constexpr double lookups_per_multiprocessor = 1.2e9;  ///< mxm_dot_hash: a load, a probe
constexpr double loads_before_a_dot = 4;              ///< dependent loads until two rows are known

double dot_seconds(const MxmProblem& p, const Hardware& h) {
  const double mask = double(p.mask_entries), at_once = 32 * mask;
  const double searched = p.stops_at_once ? std::min(p.dot_work.searched, at_once) : p.dot_work.searched;
  const double streamed = p.stops_at_once ? std::min(p.dot_work.streamed, at_once) : p.dot_work.streamed;
  const double gathers = mask * loads_before_a_dot / h.gathers_per_second((p.rows + p.columns) * 8);
  const double steps = searched / searches_per_multiprocessor + streamed / lookups_per_multiprocessor;
  const double traffic =
      mask * (double(p.result_bytes) * 3 + 2 * double(p.column_bytes) + 10) / h.copy_bytes_per_second;
  const double work = gathers + steps / h.multiprocessors + traffic;
  return 12 * h.launch_seconds + std::max(work, p.dot_work.longest_chain * h.latency_seconds);
}

}  // namespace

Cost cost_of_dot(const MxmProblem& p, const Hardware& h) {
  const double mask = double(p.mask_entries);
  return {.seconds = h.emulated ? mask * 8 * emulated_waiting_thread : dot_seconds(p, h),
          .workspace_bytes = mask * double(p.result_bytes + 9)};
}

}  // namespace cugrb::operations
