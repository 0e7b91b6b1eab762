// The matrix-vector kernels on CSR: a group of lanes a row, merge path, push.
#pragma once
#include <functional>
#include <string>

#include "cuda/views/mxv.h"
#include "src/formats/merge_plan.h"
#include "src/operations/multiply/kernel.h"

namespace cugrb::operations {

/// `lanes` lanes a row; 256: a block a row.
Cost cost_of_rows(const MxvProblem& p, const Hardware& h, int lanes);
Cost cost_of_merge(const MxvProblem& p, const Hardware& h);
Cost cost_of_push(const MxvProblem& p, const Hardware& h);

struct MatrixVector;
struct MatrixVectorRun;
struct Pull;
/// Why a product does not go along the merge path; empty when it can.
std::string merge_refusal(const MatrixVector& call);
/// The two launches of a product along the merge path: the `arguments` have the operands. `flagged`: not
/// every entry of a row has a term; `product`: the product's template-id.
void launch_merge(const MatrixVectorRun& run, const Pull& pull, const formats::MergePlan& plan, bool flagged,
                  MxvMergeArguments arguments, const std::function<std::string()>& product);

/// With one lane or two, threads wait for their own loads.
inline NumbersId numbers_of_rows(int lanes) {
  return lanes <= 2 ? NumbersId("few_lanes") : NumbersId("rows");
}

}  // namespace cugrb::operations
