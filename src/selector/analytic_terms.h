// Terms of the analytic model that more than one format is made of.
#pragma once
#include "src/selector/analytic.h"

namespace cugrb::selector::analytic::terms {

/// N_e = P(X > 0) N.
double rows_with_entries(const LengthDistribution& d);
/// The matrix and the vector up, the result down: Eq. 22 in 24, 30, 37, 43.
double transfer_seconds(double matrix_bytes, const LengthDistribution& d, const Parameters& p);
/// One thread reads `bytes` that lie together: ceil(size / BW) / CR, Eq. 23.
double access_seconds(double bytes, const Parameters& p);
/// One thread reads so many elements here and there: Eq. 23 with RW = the element's size.
double element_seconds(double elements, const Parameters& p);

/// Rows, columns and values of the entries and an element of the vector for each: Eq. 26.
double coo_memory_seconds(double entries, const Parameters& p);
double coo_multiply_seconds(double entries, const Parameters& p);  ///< Eq. 27
/// A warp adds up a row of `mean` products: Eq. 28.
double coo_add_seconds(double rows, double mean, const Parameters& p);

/// A row's K column indices and K values: Eq. 39, 47.
double ell_arrays_seconds(double k, const Parameters& p);
/// Elements of a row that do not come through the block's shared memory: K - BS, Eq. 39, 47.
double beyond_block(double k, const Parameters& p);

}  // namespace cugrb::selector::analytic::terms
