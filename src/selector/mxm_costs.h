// What one matrix-matrix kernel would cost for one product: a function each, joined in mxm_model.cpp.
#pragma once
#include "src/selector/mxm_model.h"

namespace cugrb::selector {

/// mxm_dense and mxm_dense_push. Reckoned from bytes and gathers, times `unconfirmed_margin`: in LAGraph's
/// betweenness of RMAT 20 whole calls took 1.7 to 2.5 times the reckoned time of the kernels alone (H200).
double dense_seconds(const MxmProblem& p, const Hardware& h, bool push);
constexpr double unconfirmed_margin = 1.5;

/// mxm_rows.
double rows_seconds(const MxmProblem& p, const Hardware& h);
/// Asking the mask for every entry, `passes` times, and writing those that it allows.
double result_seconds(const MxmProblem& p, const Hardware& h, int passes);

/// mxm_cusparse: the library loaded.
double cusparse_seconds(const MxmProblem& p, const Hardware& h);
double cusparse_workspace_bytes(const MxmProblem& p);
/// Loading it, shared out over the products that it would have made.
double cusparse_share_of_loading(const MxmProblem& p);

}  // namespace cugrb::selector
