#include "src/operations/matrix_run.h"

#include "src/operations/operations.h"

namespace cugrb::operations {

using formats::Csr;

MatrixRun::MatrixRun(const MatrixOutput& output, std::initializer_list<const MatrixInput*> inputs)
    : c(output), mask(prepare_mask(output.mask)), flipped(false) {
  const auto missing = [&](bool flip) {
    int count = mask.matrix != nullptr && !mask.matrix->has_rows(flip);
    for (const MatrixInput* input : inputs) count += !input->matrix.has_rows(input->transpose != flip);
    return count;
  };
  const int by_rows = missing(false), by_columns = missing(true);
  flipped = by_rows == by_columns ? c.object.by_column : by_columns < by_rows;
  for (const MatrixInput* input : inputs) patterns.push_back(input->matrix.held_pattern());
}

Csr MatrixRun::nothing(const Type& type) const {
  return flipped ? empty_csr(type, c.object.columns, c.object.rows)
                 : empty_csr(type, c.object.rows, c.object.columns);
}

void MatrixRun::write(Csr&& t, bool masked) const {
  write_back(c, mask, std::move(t), flipped, masked);
  for (const formats::HeldPattern& pattern : patterns) c.object.keep_pattern(pattern);
}

std::optional<runtime::Buffer> one_meeting(const BinaryOp& op, const Csr& a, const Csr& b) {
  const DeviceVector u = DeviceVector::full_of(a.type, 1, a.values);
  const DeviceVector v = DeviceVector::full_of(b.type, 1, b.values);
  const bool any = op.stem == "any_value" && (a.iso || b.iso);
  if (!any && ((op.reads_x && !a.iso) || (op.reads_y && !b.iso))) return std::nullopt;
  const bool takes_a = any && !b.iso;
  DeviceVector both = DeviceVector::empty(op.z, 1);
  ewise_mult(VectorOutput{both, {}, std::nullopt, false}, takes_a ? catalogue::first(op.z) : op, u, v);
  return both.values;
}

}  // namespace cugrb::operations
