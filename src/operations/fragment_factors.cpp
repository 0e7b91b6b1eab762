#include "src/operations/fragment_factors.h"

#include "src/formats/dcsr.h"
#include "src/support/trace.h"

namespace cugrb::operations {

namespace {

/// Whether the summed index numbers the rows that the factor is stored by.
bool is_met_by_rows(const DeviceMatrix& factor, bool is_second, bool transpose) {
  return is_second == (factor.by_column == transpose);
}

/// Until then few rows are copied in place of all.
constexpr uint64_t rows_for_one_entry = 8;

void settle_factor(DeviceMatrix& factor, const DeviceMatrix& other, bool is_second, bool transpose) {
  if (factor.fragments == nullptr) return;
  const bool few = other.nvals() <= factor.stored.rows / rows_for_one_entry;
  const bool stays = few && other.fragments == nullptr && is_met_by_rows(factor, is_second, transpose);
  if (!stays) factor.read_rows();
  if (!trace::enabled()) return;
  const std::string which = is_second ? "second factor " : "first factor ";
  trace::add_lasting_reason(
      which + (stays ? "read as fragments: at most " + std::to_string(other.nvals()) + " of its rows are met"
                     : "defragmented"));
}

}  // namespace

void settle_factors(DeviceMatrix& a, DeviceMatrix& b, bool transpose_a, bool transpose_b) {
  if (a.parts != nullptr || b.parts != nullptr) {
    for (DeviceMatrix* const factor : {&a, &b}) {
      if (factor->parts == nullptr) factor->read_rows();
    }
    return;
  }
  // Only one of the two can stay: the larger one.
  if (a.fragments != nullptr && b.fragments != nullptr) (a.nvals() < b.nvals() ? a : b).read_rows();
  settle_factor(a, b, /*is_second=*/false, transpose_a);
  settle_factor(b, a, /*is_second=*/true, transpose_b);
}

MatrixMatrix without_fragments(const MatrixMatrix& call, DeviceMatrix& made) {
  const bool is_second = call.b.fragments != nullptr;
  const DeviceMatrix& factor = is_second ? call.b : call.a;
  // Its columns are the summed index.
  const formats::Csr& by = is_second ? call.a.by_rows(call.transpose_a) : call.b.by_rows(!call.transpose_b);
  made = formats::matrix_by(formats::named_rows(*factor.fragments, by), factor.by_column);
  return {call.semiring,    is_second ? call.a : made, is_second ? made : call.b,
          call.transpose_a, call.transpose_b,          call.devices};
}

}  // namespace cugrb::operations
