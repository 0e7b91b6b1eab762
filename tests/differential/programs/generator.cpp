#include "tests/differential/programs/generator.h"

#include "tests/differential/programs/drawing.h"
#include "tests/differential/programs/faults.h"

namespace differential::programs {
namespace {

using Names = std::vector<std::string>;

/// Those that compute are drawn into palettes; those that look at an object or change it as a whole need no
/// kernel of their own and come into every one.
const std::vector<Operation>& computing() {
  static const std::vector<Operation> all = [] {
    std::vector<Operation> list = {Operation::mxm, Operation::mxm, Operation::mxv, Operation::vxm};
    for (int k = 0; k < int(Operation::split); ++k) {
      if (Operation(k) != Operation::elements) list.push_back(Operation(k));
    }
    return list;
  }();
  return all;
}

/// What the bodies of loops are made of.
const std::vector<Operation>& looping() {
  using enum Operation;
  static const std::vector<Operation> all = {mxv,         mxv,           mxv,
                                             mxv,         vxm,           ewise_add,
                                             ewise_mult,  ewise_union,   ewise_mult_semiring,
                                             apply,       apply_second,  apply_first,
                                             apply_index, select,        assign,
                                             assign,      assign_scalar, assign_scalar,
                                             reduce,      reduce,        extract,
                                             vector_build};
  return all;
}

/// A call on the user-defined type: all of its operands have it, but where its operator leads to another one.
Configuration draw_user_call(Random& random) {
  Configuration c;
  static const Names types = {"BOOL", "INT32"};
  const std::vector<Operation>& from = computing();
  while (true) {
    c = draw_configuration(random, true, from, types);
    c.type_w = c.type_u = c.type_v = c.type_matrix = "triple";
    c.accumulate = c.accumulate.empty() ? "" : "triple_plus";
    switch (c.operation) {
      case Operation::mxv:
      case Operation::vxm:
      case Operation::mxm:
      case Operation::ewise_mult_semiring:
        c.op = "triple_plus_times";
        c.add.clear();
        return c;
      case Operation::ewise_add_monoid:
      case Operation::reduce:
      case Operation::matrix_reduce:
      case Operation::matrix_reduce_rows:
        c.op = "triple_plus_monoid";
        return c;
      case Operation::apply:
      case Operation::matrix_apply: {
        const Names which = {"triple_turn", "triple_sum", "triple_of"};
        c.op = random.pick(which);
        if (c.op == "triple_sum") c.type_w = "UINT32";
        if (c.op == "triple_of") c.type_u = "UINT32";
        if (c.op == "triple_sum") c.accumulate.clear();
        return c;
      }
      case Operation::select:
      case Operation::matrix_select:
        c.op = "triple_keep";
        return c;
      case Operation::apply_index:
      case Operation::matrix_apply_index:
        c.op = "ROWINDEX_INT64";
        c.type_w = "INT64";
        c.accumulate.clear();
        return c;
      case Operation::vector_sort:
      case Operation::matrix_sort:
        c.op = "triple_less";
        if (!c.typed_scalar) c.type_w = "INT64";
        return c;
      case Operation::vector_build:
      case Operation::matrix_build:
        c.op = "triple_plus";
        return c;
      default:
        if (!c.op.empty()) c.op = random.chance(50) ? "triple_plus" : "triple_times";
        return c;
    }
  }
}

/// Calls that take a batch of entries into their output, where that has many beside it.
Configuration draw_update(Random& random, const Names& type) {
  static const std::vector<Operation> from = {Operation::matrix_ewise_add,
                                              Operation::matrix_ewise_add,
                                              Operation::matrix_assign,
                                              Operation::matrix_assign_part,
                                              Operation::matrix_assign_part_scalar,
                                              Operation::matrix_subassign,
                                              Operation::matrix_subassign_scalar,
                                              Operation::transpose};
  Configuration c = draw_configuration(random, true, from, type);
  c.mask = MaskKind::none;
  c.complement = c.replace = false;
  c.accumulate.clear();
  const bool adds = c.operation == Operation::matrix_ewise_add;
  const std::string plus = (type[0] == "BOOL" ? "LOR_" : "PLUS_") + type[0];
  if (adds) c.op = plus;
  if (!adds && random.chance(80)) c.accumulate = plus;
  return c;
}

/// Whole objects: `copies` of each call on single elements of a matrix, one of each other.
void add_whole_objects(Palette& palette, int copies) {
  for (int k = int(Operation::split); k <= int(Operation::vector_wait); ++k) {
    Configuration c;
    c.operation = Operation(k);
    const bool changes =
        c.operation == Operation::matrix_set_element || c.operation == Operation::matrix_remove_element;
    palette.calls.insert(palette.calls.end(), size_t(changes ? copies : 1), c);
  }
}

}  // namespace

Palette draw_updates(uint64_t seed, size_t size) {
  Random random(seed * 7368787 + 13);
  static const Names from = {"BOOL", "INT32", "UINT8", "INT64", "FP32"};
  static const std::vector<Operation> reads = {Operation::mxv,           Operation::mxv,
                                               Operation::mxv,           Operation::mxv,
                                               Operation::vxm,           Operation::mxm,
                                               Operation::vxm,           Operation::mxm,
                                               Operation::matrix_reduce, Operation::matrix_reduce_rows,
                                               Operation::matrix_select, Operation::matrix_extract,
                                               Operation::column_extract};
  const Names type = {random.pick(from)};
  Palette palette;
  palette.one_size = true;
  while (palette.calls.size() < size) {
    Configuration c =
        random.chance(50) ? draw_update(random, type) : draw_configuration(random, true, reads, type);
    if (avoid_faults(c)) palette.calls.push_back(c);
  }
  add_whole_objects(palette, int(size) / 8);
  return palette;
}

Palette draw_palette(uint64_t seed, size_t size, bool catalogue, bool loops) {
  Random random(seed * 7368787 + 11);
  static const Names from = {"BOOL", "INT32", "UINT8",  "INT64", "FP32",
                             "FP64", "INT16", "UINT64", "FC32",  "FC64"};
  // Few types, so that outputs are operands of other calls.
  Names types = {random.pick(from), random.pick(from)};
  if (loops) types.pop_back();
  Palette palette;
  palette.loops = loops;
  while (palette.calls.size() < size) {
    Configuration c = !loops && random.chance(12)
                          ? draw_user_call(random)
                          : draw_configuration(random, !catalogue, loops ? looping() : computing(), types);
    if (loops && random.chance(50)) c.mask = MaskKind::none, c.complement = false;
    if (avoid_faults(c)) palette.calls.push_back(c);
  }
  add_whole_objects(palette, 1);
  return palette;
}

Program draw_program(const Palette& palette, uint64_t seed, size_t most) {
  return Generator(palette, seed * 2654435761u + 97).draw(most);
}

}  // namespace differential::programs
