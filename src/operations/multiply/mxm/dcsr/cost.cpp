// Predicted time of the product that writes its rows into dynamic CSR.
#include "src/operations/multiply/mxm/costs.h"

namespace cugrb::operations {

using namespace selector;

Cost cost_of_dcsr(const MxmProblem& p, const Hardware& h) {
  const double entry = double(p.column_bytes + p.result_bytes);
  const double room = p.products * entry;
  if (h.emulated)
    return {.seconds = (p.products + double(p.rows)) * emulated_waiting_thread, .workspace_bytes = room};
  // Rows are written, and moved.
  return {.seconds = 20 * h.launch_seconds + p.products / h.near_gathers_per_second +
                     3 * p.entries.kept * entry / h.copy_bytes_per_second + result_seconds(p, h, 1),
          .workspace_bytes = room + 32 * double(p.rows),
          .note = "by its gathers and moves alone"};
}

}  // namespace cugrb::operations
