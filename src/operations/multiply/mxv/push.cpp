#include "src/operations/multiply/mxv/push.h"

#include <algorithm>

#include "src/support/settings.h"

namespace cugrb::operations {

using runtime::Buffer;

DeviceVector push(const MatrixVectorRun& run, const PushedRows& rows) {
  constexpr int items = 4;
  const DeviceVector vector = to_sparse(run.call.vector);
  const uint64_t entries = vector.nvals();
  DeviceVector t = new_result(run, false);
  const Buffer edge_starts((entries + 1) * formats::bytes_of(rows.offset_width));
  VxmPushArguments arguments = rows.arguments;
  arguments.operands =
      operands_of(run, rows.arguments.operands.matrix, vector, t, entry_bytes(run, rows.entries));
  arguments.edge_starts = edge_starts.data();
  const auto product = [&] {
    return product_id(run, rows.matrix_id, operand_id(vector, run.reads_vector()));
  };
  launch_product(run, rows.header, "vxm_push_begin", formats::blocks_for(std::max(t.length, entries)),
                 arguments, [&](const std::string& stem) { return template_id(stem, {product()}); });
  primitives::exclusive_sum(rows.offset_width, edge_starts.data(), edge_starts.data(), entries);
  launch_product(run, rows.header, "vxm_push",
                 std::min(formats::resident_blocks(), formats::blocks_for(rows.entries, 256 * items)),
                 arguments, [&](const std::string& stem) {
                   return template_id(stem, {product(), run.mask.name(), std::to_string(items)});
                 });
  return t;
}

std::string push_refusal(const Semiring& semiring) {
  const Monoid& add = semiring.add;
  const size_t bytes = add.type().size;
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) {
    return "values of " + std::to_string(bytes) + " bytes have no atomic update";
  }
  const bool order_matters = add.is_any || add.type().is_float() || add.type().is_user();
  if (settings().deterministic && order_matters)
    return "CUGRB_DETERMINISTIC: its sums depend on the order of updates";
  return {};
}

}  // namespace cugrb::operations
