#include "src/operations/matrix_elementwise.h"

#include "cuda/views/matrix_elementwise.h"
#include "src/formats/constants.h"
#include "src/formats/element_kernels.h"
#include "src/operations/expression.h"
#include "src/operations/matrix_compact.h"
#include "src/operations/matrix_patterns.h"
#include "src/operations/matrix_run.h"
#include "src/operations/matrix_write_back.h"
#include "src/support/declined.h"

namespace cugrb::operations {

using formats::Csr;
using runtime::Buffer;

namespace {

constexpr char matrix_elementwise_header[] = "matrix_elementwise.h";

uint64_t tiles(const Csr& a) { return formats::entry_tiles(a.entries); }

/// T = f(A) for an f that looks at values only: an operation on the vector of A's values.
template <class Apply>
void apply_to_values(const MatrixOutput& c, const Type& result, const MatrixInput& a, const Apply& apply) {
  check_types(c, result);
  const MatrixRun run(c, {&a});
  if (a.matrix.nvals() == 0) return run.write(run.nothing(result));
  const Csr& rows = run.rows(a);
  DeviceVector values = values_of(rows);
  if (rows.iso) values.length = 1;
  DeviceVector out = DeviceVector::empty(result, values.length);
  apply(VectorOutput{out, {}, std::nullopt, false}, values);
  const DeviceVector full = formats::to_full(out);
  run.write(with_values(rows, result, full.values, rows.iso || full.iso));
}

std::string function_id(const char* kernel, const IndexUnaryOp& op, const Csr& a, bool flipped) {
  return template_id(kernel, {op.source, csr_id(a, op.reads_x), text_of(flipped)});
}

}  // namespace

void assign(const MatrixOutput& c, const MatrixInput& a) {
  check_types(c, a.matrix.type);
  const MatrixRun run(c, {&a});
  run.write(Csr(run.rows(a)));
}

void assign_scalar(const MatrixOutput& c, const Value& scalar) {
  check_types(c, scalar.type);
  const MatrixRun run(c, {});
  if (run.mask.allows_none) return run.write(run.nothing(scalar.type), /*masked=*/true);
  const Buffer value = formats::constant(scalar.bytes.data(), scalar.bytes.size());
  if (c.mask.object == &c.object && c.mask.structural && !c.mask.complement && !c.accumulate) {
    const formats::HeldPattern pattern = c.object.held_pattern();
    c.object = matrix_by(cast(with_values(c.object.stored, scalar.type, value, /*iso=*/true), c.object.type),
                         c.object.by_column);
    return c.object.keep_pattern(pattern);
  }
  const bool listed = run.mask.matrix != nullptr && !run.mask.complement;
  if (listed) return run.write(allowed_pattern(run.mask, run.flipped, scalar.type, value), /*masked=*/true);
  if (run.mask.allows_all && c.mask.object != nullptr && !c.mask.complement)  // a mask with all positions
    return run.write(with_values(c.mask.object->by_rows(run.flipped), scalar.type, value, /*iso=*/true));
  const uint64_t rows = run.flipped ? c.object.columns : c.object.rows;
  const uint64_t columns = run.flipped ? c.object.rows : c.object.columns;
  run.write(full_pattern(rows, columns, scalar.type, value));
}

void select(const MatrixOutput& c, const IndexUnaryOp& op, const MatrixInput& a, const Value& thunk) {
  const Type& type = a.matrix.type;
  check_types(c, type);
  if (op.reads_x) formats::check_cast(type, op.x);
  const MatrixRun run(c, {&a});
  if (a.matrix.nvals() == 0 || run.mask.allows_none) return run.write(run.nothing(type));
  const Csr& rows = run.rows(a);
  if (rows.iso && catalogue::looks_at_value_only(op))
    return run.write(selects_one_value(op, values_of(rows), thunk) ? Csr(rows) : run.nothing(type));
  const Buffer has(rows.entries);
  MatrixElementwiseArguments arguments;
  arguments.a = rows.view();
  arguments.thunk = scalar_view(typecast(thunk, op.thunk));
  arguments.has = has.as<uint8_t>();
  formats::launch_blocks(matrix_elementwise_header, function_id("matrix_select", op, rows, run.flipped),
                         tiles(rows), arguments, catalogue::type_preamble(type) + op.preamble);
  const std::optional<Value> one = selected_value(op, type, thunk);
  const Buffer value = one ? formats::constant(one->bytes.data(), one->bytes.size()) : rows.values;
  run.write(kept_entries(rows, type, value, one || rows.iso, has));
}

void apply(const MatrixOutput& c, const UnaryOp& op, const MatrixInput& a) {
  apply_to_values(c, op.z, a,
                  [&](const VectorOutput& out, const DeviceVector& values) { apply(out, op, values); });
}

void apply_bind_first(const MatrixOutput& c, const BinaryOp& op, const Value& x, const MatrixInput& a) {
  if (op.positional != Positional::None) {
    const catalogue::BoundIndexUnaryOp bound = catalogue::positional_apply(op);
    return apply_index(c, bound.op, a, bound.thunk);
  }
  apply_to_values(c, op.z, a, [&](const VectorOutput& out, const DeviceVector& values) {
    apply_bind_first(out, op, x, values);
  });
}

void apply_bind_second(const MatrixOutput& c, const BinaryOp& op, const MatrixInput& a, const Value& y) {
  if (op.positional != Positional::None) {
    const catalogue::BoundIndexUnaryOp bound = catalogue::positional_apply(op);
    return apply_index(c, bound.op, a, bound.thunk);
  }
  apply_to_values(c, op.z, a, [&](const VectorOutput& out, const DeviceVector& values) {
    apply_bind_second(out, op, values, y);
  });
}

void apply_index(const MatrixOutput& c, const IndexUnaryOp& op, const MatrixInput& a, const Value& thunk) {
  if (catalogue::looks_at_value_only(op)) {
    return apply_to_values(c, op.z, a, [&](const VectorOutput& out, const DeviceVector& values) {
      apply_index(out, op, values, thunk);
    });
  }
  check_types(c, op.z);
  if (op.reads_x) formats::check_cast(a.matrix.type, op.x);
  const MatrixRun run(c, {&a});
  if (a.matrix.nvals() == 0 || run.mask.allows_none) return run.write(run.nothing(op.z));
  const Csr& rows = run.rows(a);
  const Buffer values(rows.entries * op.z.size);
  MatrixElementwiseArguments arguments;
  arguments.a = rows.view();
  arguments.thunk = scalar_view(typecast(thunk, op.thunk));
  arguments.values = values.data();
  formats::launch_blocks(matrix_elementwise_header, function_id("matrix_apply_index", op, rows, run.flipped),
                         tiles(rows), arguments, catalogue::type_preamble(a.matrix.type) + op.preamble);
  run.write(with_values(rows, op.z, values, /*iso=*/false));
}

namespace {

/// Two matrices with all entries meet in every place: an operation on the vectors of their values.
bool join_full(const MatrixRun& run, const BinaryOp& op, const MatrixInput& a, const MatrixInput& b) {
  if (op.positional != Positional::None) return false;
  if (!is_full(a.matrix.stored) || !is_full(b.matrix.stored)) return false;
  const Csr& rows = run.rows(a);
  DeviceVector out = DeviceVector::empty(op.z, rows.entries);
  ewise_mult(VectorOutput{out, {}, std::nullopt, false}, op, values_of(rows), values_of(run.rows(b)));
  const DeviceVector full = formats::to_full(out);
  run.write(with_values(rows, op.z, full.values, full.iso));
  return true;
}

/// Whether T is made by columns, as far as the operator sees it.
std::string flipped_id(const MatrixRun& run, const BinaryOp& op) {
  return text_of(run.flipped && op.positional != Positional::None);
}

/// The intersection of A and B, both with entries.
Csr meet(const MatrixRun& run, const BinaryOp& op, const MatrixInput& a, const MatrixInput& b) {
  const bool swapped = b.matrix.nvals() < a.matrix.nvals();
  const Csr& rows = run.rows(swapped ? b : a);
  const Csr& others = run.rows(swapped ? a : b);
  const Buffer has(rows.entries), values(rows.entries * op.z.size);
  MatrixElementwiseArguments arguments;
  arguments.a = rows.view();
  arguments.b = others.view();
  arguments.has = has.as<uint8_t>();
  arguments.values = values.data();
  const std::string name =
      template_id("matrix_intersect",
                  {op.source, csr_id(rows, swapped ? op.reads_y : op.reads_x),
                   csr_id(others, swapped ? op.reads_x : op.reads_y), text_of(swapped), flipped_id(run, op)});
  formats::launch_blocks(
      matrix_elementwise_header, name, tiles(rows), arguments,
      catalogue::type_preamble(rows.type) + catalogue::type_preamble(others.type) + op.preamble);
  return kept_entries(rows, op.z, values, /*iso=*/false, has);
}

}  // namespace

void ewise_mult(const MatrixOutput& c, const BinaryOp& given, const MatrixInput& a, const MatrixInput& b) {
  const BinaryOp op = catalogue::elementwise(given);
  check_types(c, op.z);
  check_operands(op, a.matrix.type, b.matrix.type);
  const MatrixRun run(c, {&a, &b});
  if (a.matrix.nvals() == 0 || b.matrix.nvals() == 0 || run.mask.allows_none)
    return run.write(run.nothing(op.z));
  if (join_full(run, op, a, b)) return;
  if (op.positional != Positional::None) return run.write(meet(run, op, a, b));
  if (const std::optional<Buffer> value = one_meeting(op, run.rows(a), run.rows(b))) {
    const Csr pattern = meet(run, *catalogue::binary_op("PAIR_BOOL"), a, b);
    return run.write(with_values(pattern, op.z, *value, /*iso=*/true));
  }
  run.write(meet(run, op, a, b));
}

namespace {

/// What stands in for missing entries of A and of B (eWiseUnion).
struct Fill {
  const Value& alpha;
  const Value& beta;
};

/// The values of all entries as a vector that is iso where they are.
DeviceVector entries_of(const Csr& rows) {
  return rows.iso ? DeviceVector::full_of(rows.type, 1, rows.values) : values_of(rows);
}

std::optional<Value> one_join(const BinaryOp& op, const Csr& a, const Csr& b, const Fill* fill) {
  if (a.entries == 0 || b.entries == 0) return std::nullopt;
  const DeviceVector u = entries_of(a), v = entries_of(b);
  return fill != nullptr ? one_union(op, u, fill->alpha, v, fill->beta) : one_sum(op, u, v);
}

/// T on the union of the patterns. One without entries at all is told by its pattern.
Csr join(const MatrixRun& run, const BinaryOp& op, const Csr& a, const Csr& b, const Fill* fill) {
  const Csr both = a.entries == 0 ? b : b.entries == 0 ? a : union_pattern(a, b);
  if (both.entries == 0) return run.nothing(op.z);
  if (const std::optional<Value> one = one_join(op, a, b, fill))
    return with_values(both, op.z, formats::constant(one->bytes.data(), one->bytes.size()), /*iso=*/true);
  const Buffer values(both.entries * op.z.size);
  MatrixElementwiseArguments arguments;
  arguments.a = a.view();
  arguments.b = b.view();
  arguments.both = both.view();
  arguments.values = values.data();
  if (fill != nullptr) arguments.thunk = scalar_view(typecast(fill->alpha, op.x));
  if (fill != nullptr) arguments.other = scalar_view(typecast(fill->beta, op.y));
  const bool passes = fill == nullptr;  // an entry alone is read whatever the operator reads
  formats::launch_blocks(
      matrix_elementwise_header,
      template_id("matrix_join", {op.source, csr_id(both, false), csr_id(a, passes || op.reads_x),
                                  csr_id(b, passes || op.reads_y), text_of(!passes), flipped_id(run, op)}),
      tiles(both), arguments,
      catalogue::type_preamble(a.type) + catalogue::type_preamble(b.type) + op.preamble);
  return with_values(both, op.z, values, /*iso=*/false);
}

}  // namespace

void ewise_add(const MatrixOutput& c, const BinaryOp& given, const MatrixInput& a, const MatrixInput& b) {
  const BinaryOp op = catalogue::elementwise(given);
  check_types(c, op.z);
  formats::check_cast(a.matrix.type, op.z);
  formats::check_cast(b.matrix.type, op.z);
  check_operands(op, a.matrix.type, b.matrix.type);
  const MatrixRun run(c, {&a, &b});
  if (join_full(run, op, a, b)) return;
  // An entry of A that meets none of B is cast to z, one that meets one to x: not the same thing here.
  if (op.x != op.z || op.positional != Positional::None)
    return run.write(join(run, op, run.rows(a), run.rows(b), nullptr));
  // T = A, then T op= B: the write-back joins them.
  DeviceMatrix t = matrix_by(cast(Csr(run.rows(a)), op.z), run.flipped);
  add_up(t, op, Csr(run.rows(b)));
  run.write(std::move(t.stored));
}

void ewise_union(const MatrixOutput& c, const BinaryOp& given, const MatrixInput& a, const Value& alpha,
                 const MatrixInput& b, const Value& beta) {
  const BinaryOp op = catalogue::elementwise(given);
  check_types(c, op.z);
  check_operands(op, a.matrix.type, b.matrix.type);
  const MatrixRun run(c, {&a, &b});
  if (join_full(run, op, a, b)) return;
  const Fill fill{alpha, beta};
  run.write(join(run, op, run.rows(a), run.rows(b), &fill));
}

}  // namespace cugrb::operations
