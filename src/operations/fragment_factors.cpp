#include "src/operations/fragment_factors.h"

#include "src/formats/dcsr.h"
#include "src/operations/matrix_update.h"
#include "src/support/trace.h"

namespace cugrb::operations {

namespace {

/// Whether the summed index numbers the rows that the factor is stored by.
bool is_met_by_rows(const DeviceMatrix& factor, bool is_second, bool transpose) {
  return is_second == (factor.by_column == transpose);
}

/// Until then few rows are copied in place of all.
constexpr uint64_t rows_for_one_entry = 8;

/// Whether of the factor only rows are needed that entries of the other one name, and those are few.
bool meets_few_rows(const DeviceMatrix& factor, const DeviceMatrix& other, bool is_second, bool transpose) {
  return other.fragments == nullptr && other.nvals() <= factor.stored.rows / rows_for_one_entry &&
         is_met_by_rows(factor, is_second, transpose);
}

void settle_factor(DeviceMatrix& factor, const DeviceMatrix& other, bool is_second, bool transpose) {
  if (factor.fragments == nullptr) return;
  const bool few = meets_few_rows(factor, other, is_second, transpose);
  const bool stays = few || settle_copy(factor);
  if (!trace::enabled()) return;
  std::string text = is_second ? "second factor " : "first factor ";
  if (few) {
    text += "read as fragments: at most " + std::to_string(other.nvals()) + " of its rows are met";
  } else {
    text += stays ? "copied from its fragments" : "defragmented";
  }
  trace::add_lasting_reason(text);
}

}  // namespace

void settle_factors(DeviceMatrix& a, DeviceMatrix& b, bool transpose_a, bool transpose_b) {
  if (a.parts != nullptr || b.parts != nullptr) {
    for (DeviceMatrix* const factor : {&a, &b}) {
      if (factor->parts == nullptr) factor->read_rows();
    }
    return;
  }
  settle_factor(a, b, /*is_second=*/false, transpose_a);
  if (&a != &b) settle_factor(b, a, /*is_second=*/true, transpose_b);
}

MatrixMatrix FactorRows::product(const MatrixMatrix& call) {
  const DeviceMatrix& a = call.a;
  const DeviceMatrix& b = call.b;
  const bool is_one = a.fragments == b.fragments && a.by_column == b.by_column;
  if (a.fragments != nullptr) {
    const bool few = meets_few_rows(a, b, /*is_second=*/false, call.transpose_a);
    // B's columns, or those of its transpose, are the summed index.
    made_[0] = formats::matrix_by(
        few ? named_rows(*a.fragments, b.by_rows(!call.transpose_b)) : to_csr(*a.fragments), a.by_column);
  }
  if (b.fragments != nullptr && !is_one) {
    const bool few = meets_few_rows(b, a, /*is_second=*/true, call.transpose_b);
    made_[1] = formats::matrix_by(
        few ? named_rows(*b.fragments, a.by_rows(call.transpose_a)) : to_csr(*b.fragments), b.by_column);
  }
  return {call.semiring,
          a.fragments != nullptr ? made_[0] : a,
          b.fragments != nullptr ? made_[is_one ? 0 : 1] : b,
          call.transpose_a,
          call.transpose_b,
          call.devices};
}

}  // namespace cugrb::operations
