// Predicted times of cuSPARSE's matrix-vector products: the same terms as our own kernels', with numbers of
// their own (Hardware::h200_kernels).
#include "src/operations/multiply/mxv/cusparse/cusparse.h"
#include "src/operations/multiply/mxv/ell/ell.h"

namespace cugrb::operations {

using namespace selector;

namespace {

std::string refusal(const MxvProblem& p, bool fixed_order) {
  if (!p.cusparse_refusal.empty()) return p.cusparse_refusal;
  if (p.deterministic && !fixed_order)
    return "CUGRB_DETERMINISTIC: only csr_alg2 is documented to have a fixed order of sums";
  return lengths_known(p) ? "" : "the lengths of its rows are not known yet";
}

/// Its descriptions and its own look at the matrix: 10 to 31 us were measured.
constexpr double preparing_seconds = 30e-6;

Cost prepared(Cost cost, const MxvProblem& p) {
  cost.conversion_seconds += preparing_seconds + (p.cusparse_open ? 0 : cusparse_loading_seconds);
  return cost;
}

}  // namespace

Cost cost_of_cusparse_csr(const MxvProblem& p, const Hardware& h, NumbersId numbers, bool fixed_order) {
  const std::string why = refusal(p, fixed_order);
  if (!why.empty()) return Cost::refused(why);
  if (h.emulated) return {double(p.entries) * emulated_load, 0, {}};
  Demand demand;
  demand.gathers = double(p.entries);
  demand.entries = double(p.rows) + double(p.entries);
  demand.streamed_bytes = double(p.rows) * double(p.offset_bytes + p.result_bytes) +
                          double(p.entries) * double(p.column_bytes + p.matrix_value_bytes);
  return prepared({product_seconds(p, h, numbers, demand), 0, {}}, p);
}

Cost cost_of_cusparse_sell(const MxvProblem& p, const Hardware& h) {
  const std::string why = refusal(p, /*fixed_order=*/false);
  if (!why.empty()) return Cost::refused(why);
  const Cost cost = cost_of_sell(p, h, "cusparse_sell");
  return cost.refusal.empty() && !h.emulated ? prepared(cost, p) : cost;
}

}  // namespace cugrb::operations
