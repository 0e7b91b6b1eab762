#include "src/operations/kronecker.h"

#include "cuda/views/kronecker.h"
#include "src/formats/element_kernels.h"
#include "src/operations/matrix_compact.h"
#include "src/operations/matrix_run.h"
#include "src/support/declined.h"

namespace cugrb::operations {

using formats::Csr;
using runtime::Buffer;

namespace {

constexpr char kronecker_header[] = "kronecker.h";

/// The operator's k (semirings/positional_operators.def) is its second operand's row.
bool k_is_of_second(const BinaryOp& op) {
  return op.positional == Positional::SecondI || op.positional == Positional::SecondI1;
}

formats::SparseShape shape_of_product(const Type& type, const Csr& a, const Csr& b) {
  const uint64_t rows = a.rows * b.rows;
  uint64_t entries = 0;
  if (__builtin_mul_overflow(a.entries, b.entries, &entries) || entries >> 63 != 0)
    throw Declined("a Kronecker product of 2^63 entries or more");
  formats::require_entries_for_rows(rows, entries);
  return formats::sparse_shape(type, rows, a.columns * b.columns, entries);
}

/// The product of two matrices with entries; (iso) with one value for all of its.
Csr product_of(const BinaryOp& op, const Csr& a, const Csr& b, bool flipped,
               const std::optional<Buffer>& one_value) {
  Csr t(shape_of_product(op.z, a, b));
  t.iso = one_value.has_value();
  t.offsets = Buffer((t.rows + 1) * formats::bytes_of(t.offset_width));
  t.column_indices = Buffer(t.entries * formats::bytes_of(t.column_width));
  t.values = t.iso ? *one_value : Buffer(t.entries * t.type.size);
  KroneckerArguments arguments;
  arguments.a = a.view();
  arguments.b = b.view();
  arguments.entries = t.entries;
  arguments.offsets = t.offsets.data();
  arguments.columns = t.column_indices.data();
  arguments.values = t.values.data();
  const std::string offset = formats::index_type(t.offset_width);
  formats::launch_per_element(kronecker_header,
                              template_id("kronecker_offsets", {csr_id(a, false), csr_id(b, false), offset}),
                              t.rows + 1, arguments);
  const std::string a_id = csr_id(a, op.reads_x && !t.iso), b_id = csr_id(b, op.reads_y && !t.iso);
  formats::launch_blocks(
      kronecker_header,
      template_id("kronecker_entries", {op.source, a_id, b_id, offset, formats::index_type(t.column_width),
                                        text_of(flipped), text_of(k_is_of_second(op)), text_of(t.iso)}),
      formats::move_blocks(t.entries), arguments,
      catalogue::type_preamble(a.type) + catalogue::type_preamble(b.type) + op.preamble);
  return t;
}

}  // namespace

void kronecker(const MatrixOutput& c, const BinaryOp& op, const MatrixInput& a, const MatrixInput& b) {
  if (op.positional == Positional::Indices) throw Declined("an index-binary operator in a Kronecker product");
  check_types(c, op.z);
  check_operands(op, a.matrix.type, b.matrix.type);
  const MatrixRun run(c, {&a, &b});
  if (a.matrix.nvals() == 0 || b.matrix.nvals() == 0 || run.mask.allows_none)
    return run.write(run.nothing(op.z));
  const Csr &left = run.rows(a), &right = run.rows(b);
  const bool by_place = op.positional != Positional::None;
  run.write(product_of(op, left, right, run.flipped, by_place ? std::nullopt : one_meeting(op, left, right)));
}

}  // namespace cugrb::operations
