// The matrix-vector kernels on ELLPACK storage, whole and in slices of 32 rows.
#pragma once
#include "src/formats/ell.h"
#include "src/operations/multiply/mxv/pull.h"

namespace cugrb::operations {

/// The demand of `positions` of ELLPACK storage that hold `entries` entries; neighbouring rows share gathers.
selector::Demand demand_of_positions(const MxvProblem& p, const Hardware& h, double positions,
                                     double entries);
Cost cost_of_ell(const MxvProblem& p, const Hardware& h);
/// `numbers`: of whose kernel on slices.
Cost cost_of_sell(const MxvProblem& p, const Hardware& h, NumbersId numbers);

/// Widths of the slices of the matrix's rows, or its transpose's; measured at the first call, which waits for
/// the device.
const formats::SlicePlan& slice_plan(const DeviceMatrix& matrix, bool transposed);
/// The same, waited for as DeviceMatrix::derived_later does: null until they are there.
const formats::SlicePlan* find_slice_plan(const DeviceMatrix& matrix, bool transposed, uint64_t patience);
/// Its rows, or its transpose's, in slices; made at the first call.
const formats::Ell& sell_of(const DeviceMatrix& matrix, bool transposed);
/// T from ELLPACK storage of the matrix, or of the first entries of its rows. One launch.
void pull_ell(const MatrixVectorRun& run, const Pull& pull, const formats::Ell& ell);

}  // namespace cugrb::operations
