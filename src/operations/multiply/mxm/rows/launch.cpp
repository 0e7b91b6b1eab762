#include "src/operations/multiply/mxm/rows/rows.h"

#include "src/operations/multiply/mxm/costs.h"
#include "src/operations/multiply/mxm/rows/plan.h"
#include "src/operations/multiply/mxm/ways.h"
#include "src/operations/multiply/registry.h"
#include "src/support/settings.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Width;
using runtime::Buffer;

std::string rows_refusal(const MatrixMatrixRun& run) {
  const Monoid& add = run.call.semiring.add;
  const size_t bytes = add.type().size;
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) {
    return "values of " + std::to_string(bytes) + " bytes have no atomic update";
  }
  if (settings().deterministic && (add.is_any || add.type().is_float() || add.type().is_user())) {
    return "CUGRB_DETERMINISTIC: its sums depend on the order of updates";
  }
  return {};
}

Csr room_for_rows(const MatrixMatrixRun& run, uint64_t entries, Width offset_width) {
  Csr t;
  t.type = run.type();
  t.rows = run.left().rows;
  t.columns = run.right().columns;
  t.entries = entries;
  t.offset_width = offset_width;
  t.column_width = formats::index_width(t.columns);
  t.offsets = Buffer((t.rows + 1) * formats::bytes_of(t.offset_width));
  t.column_indices = Buffer(entries * formats::bytes_of(t.column_width));
  t.values = Buffer(entries * t.type.size);
  return t;
}

void give_back_room(Csr& t) {
  t.column_indices = t.column_indices.first_bytes(t.entries * formats::bytes_of(t.column_width));
  t.values = t.values.first_bytes(t.entries * t.type.size);
}

Csr multiply_rows(const MatrixMatrixRun& run, RowProfile& profile, bool all_by_sort) {
  const RowsPlan plan = plan_rows(run, profile, all_by_sort);
  const CountedProduct counted = count_rows(run, profile, plan);
  return fill_rows(run, plan, counted);
}

namespace {

Csr make_rows(Ways& ways) {
  if (!ways.bounded && !ways.profile.products) ways.look_at_rows(RowsCounted::where_it_matters);
  return ways.bounded ? multiply_bounded(ways.rows, *ways.bounded)
                      : multiply_rows(ways.rows, ways.profile, /*all_by_sort=*/false);
}

void describe_rows(const Ways& ways, const Hardware&, MxmProblem& p) {
  p.rows_by_hash = {rows_refusal(ways.rows), transposed_entries(ways.rows, Way::rows)};
  if (ways.bounded) {
    p.bounded = ways.bounded->merged ? selector::BoundedUse::merged : selector::BoundedUse::sorted;
    p.bounded_products = ways.bounded->most_products();
    p.bounded_room = double(ways.bounded->room);
  }
  p.has_windows = bool(ways.profile.windows);
  p.made_at_once =
      ways.profile.products ? double(made_at_once(ways.rows, ways.profile).products) : p.weights.of_short;
}

}  // namespace

const MxmKernel mxm_rows = {{"mxm_rows"},
                            {.cost = cost_of_rows,
                             .run = [](Ways& ways, bool) -> OrientedCsr {
                               return {make_rows(ways), ways.rows.flipped};
                             },
                             .known = &MxmProblem::rows_by_hash,
                             .describe = describe_rows}};

}  // namespace cugrb::operations
