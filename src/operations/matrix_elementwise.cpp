#include "src/operations/matrix_elementwise.h"

#include <algorithm>

#include "cuda/views/matrix_elementwise.h"
#include "src/formats/constants.h"
#include "src/formats/element_kernels.h"
#include "src/operations/expression.h"
#include "src/operations/fragment_select.h"
#include "src/operations/matrix_compact.h"
#include "src/operations/matrix_in_parts.h"
#include "src/operations/matrix_merge.h"
#include "src/operations/matrix_patterns.h"
#include "src/operations/matrix_run.h"
#include "src/operations/matrix_write_back.h"
#include "src/support/declined.h"

namespace cugrb::operations {

using formats::Csr;
using runtime::Buffer;

namespace {

constexpr char matrix_elementwise_header[] = "matrix_elementwise.h";

uint64_t blocks(const Csr& a) { return formats::move_blocks(a.entries); }

/// T = f(A) for an f that looks at values only: an operation on the vector of A's values.
template <class Apply>
void apply_to_values(const MatrixOutput& c, const Type& result, const MatrixInput& a, const Apply& apply) {
  check_types(c, result);
  if (done_in_parts(
          c, {a}, [&](const MatrixOutput& part, auto own) { apply_to_values(part, result, own[0], apply); }))
    return;
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
  if (done_in_parts(c, {a}, [](const MatrixOutput& part, auto own) { assign(part, own[0]); })) return;
  const MatrixRun run(c, {&a});
  run.write(Csr(run.rows(a)));
}

void assign_scalar(const MatrixOutput& c, const Value& given) {
  check_types(c, given.type);
  // C(i,j) becomes the scalar in C's type, which the host has sooner than a launch; an accumulator takes it
  // as it is.
  const Value scalar = c.accumulate ? given : typecast(given, c.object.type);
  const MatrixRun run(c, {});
  if (run.mask.allows_none) return run.write(run.nothing(scalar.type), /*masked=*/true);
  const Buffer value = formats::constant(scalar.bytes.data(), scalar.bytes.size());
  if (c.mask.object == &c.object && c.mask.structural && !c.mask.complement && !c.accumulate) {
    return c.object.replace_rows(with_values(c.object.stored, scalar.type, value, /*iso=*/true),
                                 c.object.by_column);
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
  if (a.matrix.fragments != nullptr) return select_of_fragments(c, op, a, thunk);
  const auto of_part = [&](const MatrixOutput& part, auto own) { select(part, op, own[0], thunk); };
  if (catalogue::looks_at_value_only(op) ? done_in_parts(c, {a}, of_part) : done_collected(c, {a}, of_part))
    return;
  const MatrixRun run(c, {&a});
  if (a.matrix.nvals() == 0 || run.mask.allows_none) return run.write(run.nothing(type));
  const Csr& rows = run.rows(a);
  if (rows.iso && catalogue::looks_at_value_only(op))
    return run.write(selects_one_value(op, values_of(rows), thunk) ? Csr(rows) : run.nothing(type));
  const std::optional<Value> one = selected_value(op, type, thunk);
  const bool iso = one || rows.iso;
  Merge merge;
  merge.header = matrix_elementwise_header;
  merge.type = template_id("matrix_selection", {op.source, csr_id(rows, op.reads_x), text_of(run.flipped),
                                                formats::element_of_bytes(iso ? 1 : type.size),
                                                text_of(catalogue::looks_at_value_only(op))});
  merge.preamble = catalogue::type_preamble(type) + op.preamble;
  merge.values = type;
  merge.has_values = !iso;
  merge.wide = rows.column_width == formats::Width::bits64;
  merge.most = rows.entries;
  merge.arguments.first = rows.view();
  merge.arguments.thunk = scalar_view(typecast(thunk, op.thunk));
  Csr t = merged(std::move(merge), {&rows});
  t.iso = iso && t.entries > 0;
  if (t.iso) t.values = one ? formats::constant(one->bytes.data(), one->bytes.size()) : rows.values;
  run.write(std::move(t));
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
  if (done_collected(c, {a}, [&](const MatrixOutput& whole, auto at_home) {
        apply_index(whole, op, at_home[0], thunk);
      }))
    return;
  const MatrixRun run(c, {&a});
  if (a.matrix.nvals() == 0 || run.mask.allows_none) return run.write(run.nothing(op.z));
  const Csr& rows = run.rows(a);
  const Buffer values(rows.entries * op.z.size);
  MatrixElementwiseArguments arguments;
  arguments.a = rows.view();
  arguments.thunk = scalar_view(typecast(thunk, op.thunk));
  arguments.values = values.data();
  formats::launch_blocks(matrix_elementwise_header, function_id("matrix_apply_index", op, rows, run.flipped),
                         blocks(rows), arguments, catalogue::type_preamble(a.matrix.type) + op.preamble);
  run.write(with_values(rows, op.z, values, /*iso=*/false));
}

namespace {

/// Two matrices that meet in every entry: an operation on the vectors of their values.
bool join_values(const MatrixRun& run, const BinaryOp& op, const MatrixInput& a, const MatrixInput& b) {
  if (op.positional != Positional::None) return false;
  const Csr &rows = run.rows(a), &others = run.rows(b);
  if (!have_same_pattern(rows, others)) return false;
  DeviceVector out = DeviceVector::empty(op.z, rows.entries);
  ewise_mult(VectorOutput{out, {}, std::nullopt, false}, op, values_of(rows), values_of(others));
  const DeviceVector full = formats::to_full(out);
  run.write(with_values(rows, op.z, full.values, full.iso));
  return true;
}

/// Whether T is made by columns, as far as the operator sees it.
std::string flipped_id(const MatrixRun& run, const BinaryOp& op) {
  return text_of(run.flipped && op.positional != Positional::None);
}

/// How many times as many entries a matrix has that is searched instead of being merged with.
constexpr uint64_t searched_share = 8;

/// Two operands, where one's entries are searched for in the other's.
struct SearchedOperands {
  const Csr& few;
  const Csr& many;
  bool swapped;  ///< the operator's second operand has fewer entries
  std::string few_id, many_id;
};
SearchedOperands searched(const Csr& a, const std::string& a_id, const Csr& b, const std::string& b_id) {
  if (a.entries > b.entries) return {b, a, true, b_id, a_id};
  return {a, b, false, a_id, b_id};
}

bool has_preamble(const BinaryOp& op) { return !op.preamble.empty() || op.x.is_user() || op.z.is_user(); }

/// C accum= A .* B, where C has all entries and there is no mask: those at which A and B meet change in their
/// place, and nothing else is touched. False where that is not so, or where a search for each entry of the
/// one in the other would take longer than a merge.
bool accumulate_meetings(const MatrixRun& run, const BinaryOp& op, const MatrixInput& a,
                         const MatrixInput& b) {
  // So many are searched for at once; beside the whole of C it is few.
  constexpr uint64_t searched_anyway = uint64_t(1) << 18;
  DeviceMatrix& c = run.c.object;
  if (!run.c.accumulate || !run.mask.allows_all || c.fragments != nullptr || c.by_column != run.flipped)
    return false;
  const Csr &old = c.stored, &rows = run.rows(a), &others = run.rows(b);
  if (!is_full(old) || old.iso || has_preamble(op) || has_preamble(*run.c.accumulate)) return false;
  const auto [few, many, swapped, few_id, many_id] =
      searched(rows, csr_id(rows, op.reads_x), others, csr_id(others, op.reads_y));
  if (!is_full(many) && few.entries > std::max(searched_anyway, many.entries / searched_share)) return false;
  // Who else has C's values, keeps them; A and B themselves may be C.
  const Buffer values = old.values.unique() ? old.values : old.values.clone();
  MatrixMeetingsArguments arguments;
  arguments.few = few.view();
  arguments.many = many.view();
  arguments.values = values.data();
  formats::launch_blocks(
      matrix_elementwise_header,
      template_id("matrix_accumulate_meetings",
                  {op.source, few_id, many_id, text_of(swapped), flipped_id(run, op),
                   template_id("matrix_accumulate", {run.c.accumulate->source}), old.type.name}),
      blocks(few), arguments);
  c.replace_rows(with_values(old, c.type, values, /*iso=*/false), run.flipped);
  return true;
}

/// The mask's entries are so few beside A's and B's that these are searched for.
bool mask_leads(const MatrixRun& run, const MatrixInput& a, const MatrixInput& b) {
  if (run.mask.matrix == nullptr || run.mask.complement) return false;
  return run.mask.matrix->nvals() <= std::min(a.matrix.nvals(), b.matrix.nvals()) / searched_share;
}

/// The intersection of A and B, both with entries, where the mask allows entries. `values`: op's; else a
/// pattern.
Csr meet(const MatrixRun& run, const BinaryOp& op, const MatrixInput& a, const MatrixInput& b,
         bool has_values = true) {
  const Csr &rows = run.rows(a), &others = run.rows(b);
  const std::string a_id = csr_id(rows, has_values && op.reads_x),
                    b_id = csr_id(others, has_values && op.reads_y);
  const auto [few, many, swapped, few_id, many_id] = searched(rows, a_id, others, b_id);
  const bool by_mask = mask_leads(run, a, b), searches = few.entries <= many.entries / searched_share;
  const std::string flipped = flipped_id(run, op), mask = run.mask.mask_id(run.flipped);
  Merge merge;
  merge.header = matrix_elementwise_header;
  merge.preamble = catalogue::type_preamble(rows.type) + catalogue::type_preamble(others.type) + op.preamble;
  merge.values = op.z;
  merge.has_values = has_values;
  merge.arguments.mask = run.mask.mask_view(run.flipped);
  if (by_mask) {
    const Csr& led = run.mask.rows(run.flipped);
    merge.type = template_id("matrix_search_both", {op.source, run.mask.select_id(led), a_id, b_id, flipped});
    merge.wide = led.column_width == formats::Width::bits64;
    merge.most = led.entries;
    merge.arguments.first = led.view();
    merge.arguments.found = rows.view();
    merge.arguments.second = others.view();
    return merged(std::move(merge), {&led});
  }
  merge.wide = few.column_width == formats::Width::bits64 ||
               (!searches && many.column_width == formats::Width::bits64);
  merge.most = few.entries;
  if (searches) {
    merge.type = template_id("matrix_search", {op.source, few_id, many_id, text_of(swapped), flipped, mask});
    merge.arguments.first = few.view();
    merge.arguments.found = many.view();
  } else {
    merge.type = template_id("matrix_intersection", {op.source, a_id, b_id, flipped, mask});
    merge.has_second = merge.counts_first = true;
    merge.arguments.first = rows.view();
    merge.arguments.second = others.view();
  }
  return merged(std::move(merge), {&few, &many});
}

}  // namespace

namespace {

/// An operator that asks for the position needs those of the whole.
bool done_by_entries(const MatrixOutput& c, const BinaryOp& op, const MatrixInput& a, const MatrixInput& b,
                     const MatrixOperation& operation) {
  return op.positional == Positional::None ? done_in_parts(c, {a, b}, operation)
                                           : done_collected(c, {a, b}, operation);
}

}  // namespace

void ewise_mult(const MatrixOutput& c, const BinaryOp& given, const MatrixInput& a, const MatrixInput& b) {
  const BinaryOp op = catalogue::elementwise(given);
  check_types(c, op.z);
  check_operands(op, a.matrix.type, b.matrix.type);
  if (done_by_entries(c, op, a, b,
                      [&](const MatrixOutput& part, auto own) { ewise_mult(part, given, own[0], own[1]); }))
    return;
  const MatrixRun run(c, {&a, &b});
  if (a.matrix.nvals() == 0 || b.matrix.nvals() == 0 || run.mask.allows_none)
    return run.write(run.nothing(op.z));
  if (join_values(run, op, a, b) || accumulate_meetings(run, op, a, b)) return;
  std::optional<Buffer> value;
  if (op.positional == Positional::None) value = one_meeting(op, run.rows(a), run.rows(b));
  if (!value) return run.write(meet(run, op, a, b), /*masked=*/true);
  const Csr pattern = meet(run, *catalogue::binary_op("PAIR_BOOL"), a, b, /*has_values=*/false);
  run.write(with_values(pattern, op.z, *value, /*iso=*/true), /*masked=*/true);
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

/// T on the union of the patterns.
Csr join(const MatrixRun& run, const BinaryOp& op, const Csr& a, const Csr& b, const Fill* fill) {
  if (a.entries == 0 && b.entries == 0) return run.nothing(op.z);
  const std::optional<Value> one = one_join(op, a, b, fill);
  const bool passes = fill == nullptr;  // an entry alone is read whatever the operator reads
  Merge merge;
  merge.header = matrix_elementwise_header;
  merge.type = template_id(
      "matrix_union", {op.source, csr_id(a, !one && (passes || op.reads_x)),
                       csr_id(b, !one && (passes || op.reads_y)), text_of(!passes), flipped_id(run, op)});
  merge.preamble = catalogue::type_preamble(a.type) + catalogue::type_preamble(b.type) + op.preamble;
  merge.values = op.z;
  merge.has_values = !one;
  merge.has_second = true;
  merge.wide = a.column_width == formats::Width::bits64 || b.column_width == formats::Width::bits64;
  merge.most = a.entries + b.entries;
  merge.arguments.first = a.view();
  merge.arguments.second = b.view();
  if (fill != nullptr) merge.arguments.thunk = scalar_view(typecast(fill->alpha, op.x));
  if (fill != nullptr) merge.arguments.other = scalar_view(typecast(fill->beta, op.y));
  Csr t = merged(std::move(merge), {&a, &b});
  t.iso = one.has_value();
  if (one) t.values = formats::constant(one->bytes.data(), one->bytes.size());
  return t;
}

}  // namespace

void ewise_add(const MatrixOutput& c, const BinaryOp& given, const MatrixInput& a, const MatrixInput& b) {
  const BinaryOp op = catalogue::elementwise(given);
  check_types(c, op.z);
  formats::check_cast(a.matrix.type, op.z);
  formats::check_cast(b.matrix.type, op.z);
  check_operands(op, a.matrix.type, b.matrix.type);
  if (done_by_entries(c, op, a, b,
                      [&](const MatrixOutput& part, auto own) { ewise_add(part, given, own[0], own[1]); }))
    return;
  const MatrixRun run(c, {&a, &b});
  if (join_values(run, op, a, b)) return;
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
  if (done_by_entries(c, op, a, b, [&](const MatrixOutput& part, auto own) {
        ewise_union(part, given, own[0], alpha, own[1], beta);
      }))
    return;
  const MatrixRun run(c, {&a, &b});
  if (join_values(run, op, a, b)) return;
  const Fill fill{alpha, beta};
  run.write(join(run, op, run.rows(a), run.rows(b), &fill));
}

}  // namespace cugrb::operations
