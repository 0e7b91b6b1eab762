// Timing a kernel on the product that was asked for: what src/selector/trials.h says is next.
#pragma once
#include <functional>
#include <string>

#include "src/operations/multiply/mxv/run.h"

namespace cugrb::operations {

/// Times the memo's next trial on `run`, by what `plan` makes of the kernel, and keeps
/// what it took with the matrix. The results are dropped; the device is waited for. Kernels are compiled only
/// where the memo says that it is paid for. One that cannot run (no memory for its format, cuSPARSE refuses)
/// is not chosen again; but the choice stays the choice, and is the last trial then. Returns a text for the
/// trace: "tried mxv_ell: 4.3 us".
std::string make_trial(const MatrixVectorRun& run, const MxvMemo& memo,
                       const std::function<MxvPlan(const Kernel* kernel)>& plan);

}  // namespace cugrb::operations
