// The one exit of every operation whose result is a matrix.
#pragma once
#include "src/operations/index_set.h"
#include "src/operations/write_back_plan.h"

namespace cugrb::operations {

using formats::empty_csr;
using formats::matrix_by;

/// The part of C that an assignment names, by C's rows and columns.
struct MatrixRegion {
  const IndexSet& rows;
  const IndexSet& columns;
  bool bounds_mask = false;  ///< mask and replace act on the region alone; else on all of C
  bool filled = false;       ///< T has an entry at each place of it that the mask allows
};

/// C<M, replace> accum= T. `t` is T by rows, or (flipped) by columns; C takes that orientation unless it
/// keeps what it has. Where C may have any form, few entries are a batch of updates (matrix_update.h).
/// `masked` says that T has entries only where the mask allows. With a `region` Z = C outside it, where T's
/// entries count for nothing; the mask has C's shape. C is untouched when it throws.
void write_back(const MatrixOutput& c, const PreparedMatrixMask& mask, formats::Csr&& t, bool flipped,
                bool masked, const MatrixRegion* region = nullptr);

/// sum = sum (+) terms entry by entry, an entry of one alone as it is: what a product in parts adds up to.
/// `terms` as `sum` stores its rows.
void add_up(DeviceMatrix& sum, const BinaryOp& add, formats::Csr&& terms);

/// The same pattern with values typecast; throws Declined for user types.
formats::Csr cast(formats::Csr&& matrix, const Type& to);

}  // namespace cugrb::operations
