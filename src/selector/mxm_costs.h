// What one matrix-matrix kernel would cost for one product: a function each, joined in mxm_model.cpp.
#pragma once
#include "src/selector/mxm_model.h"

namespace cugrb::selector {

/// mxm_dense and mxm_dense_push. Reckoned from bytes and gathers; neither has been timed on a GPU yet, so
/// both are times `unconfirmed_margin`.
double dense_seconds(const MxmProblem& p, const Hardware& h, bool push);
constexpr double unconfirmed_margin = 1.5;

}  // namespace cugrb::selector
