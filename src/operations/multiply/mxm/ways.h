// The ways to make T = A*B, what is known of each, and the choice among them.
#pragma once
#include "src/operations/multiply/mxm/rows/bounded.h"
#include "src/operations/multiply/mxm/scale/scale.h"
#include "src/selector/mxm_problem.h"

namespace cugrb::operations {

enum class Way : uint8_t { dot, rows, outer };
/// The orientation in which the fewest matrices must be transposed first; C's own where that does not matter.
MatrixMatrixRun oriented(const PreparedMatrixMask& mask, const MatrixMatrix& call, Way way, bool c_by_column);

/// Entries of the matrices that `way` must transpose first.
uint64_t transposed_entries(const MatrixMatrixRun& run, Way way);
/// What its dot products will take: looked at where nothing must be transposed for that, else estimated.
selector::DotWork work_of_dots(const MatrixMatrixRun& run);

/// What the selector is told of T's rows. Their products are counted, and some rows' entries
/// (estimate.h), where that can change the choice or how T is made, or, `always`, where it is possible at
/// all.
enum class RowsCounted : uint8_t { where_it_matters, always };

/// Each way in its best orientation. Refers to `mask` and `call`.
struct Ways {
  const PreparedMatrixMask& mask;
  const MatrixMatrix& call;
  MatrixMatrixRun dot, rows, outer, vectors;
  Scaling scale;
  RowProfile profile;  ///< of `rows`; empty when that would take a transposition first, or is not needed
  std::optional<BoundedRows> bounded;             ///< `rows`, where none has many products
  const selector::MxmProblem* problem = nullptr;  ///< by which a kernel was chosen; null: none has been yet

  Ways(const PreparedMatrixMask& mask, const MatrixMatrix& call, bool c_by_column, RowsCounted counted);
  /// Fills profile, bounded, or both; transposes first where that is needed.
  void look_at_rows(RowsCounted counted);
  /// `profile`, looked at if it has not been.
  RowProfile& counted();
};

MxmOutlook plan_mxm(const Ways& ways, const selector::Hardware& hardware, const selector::Kernel* forced,
                    RowsCounted counted);

}  // namespace cugrb::operations
