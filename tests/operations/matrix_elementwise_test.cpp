// Element-wise operations on matrices against the references of vectors: position i * columns + j.
#include "src/operations/matrix_elementwise.h"

#include "semirings/table.h"
#include "src/jit/jit.h"
#include "tests/catch.h"
#include "tests/gpu_compile.h"
#include "tests/operations/breadth.h"
#include "tests/operations/cost.h"
#include "tests/operations/launches.h"
#include "tests/operations/matrix_exits.h"

using namespace cugrb;
using namespace cugrb::test;
using operations::MatrixInput;
using operations::MatrixOutput;

namespace {

/// What varies from case to case; the operands have these shapes.
struct Situation {
  uint64_t rows, columns;
  Spread spread;
  double degree;
  bool transpose, by_column, other_by_column, c_by_column, iso, wide;
  MaskKind mask;
  bool accumulate, replace;
};

const std::vector<Situation>& situations() {
  using S = Spread;
  using M = MaskKind;
  static const std::vector<Situation> all = {
      {30, 40, S::uniform, 5, false, false, false, false, false, false, M::none, false, false},
      {40, 30, S::uniform, 6, true, false, true, false, false, true, M::none, true, false},
      {25, 60, S::empty_rows, 8, false, true, false, true, false, false, M::structural, false, true},
      {60, 25, S::power_law, 0, true, true, true, true, false, false, M::valued, true, false},
      {7, 1500, S::one_huge_row, 2, false, false, true, false, false, false, M::valued_complement, false,
       false},
      {33, 20, S::uniform, 20, false, false, false, true, true, false, M::structural_complement, true, true},
      {20, 20, S::nothing, 0, false, false, false, false, false, false, M::structural, false, false},
      {1, 1, S::uniform, 1, false, false, false, false, true, true, M::none, true, false},
      {300, 1, S::uniform, 0.6, true, false, false, false, false, false, M::none, false, false},
      {50, 50, S::no_empty_row, 50, false, true, true, false, true, false, M::valued, false, true}};
  return all;
}

/// Operands of one case, on the host and on the device.
struct Case {
  const Situation& s;
  RefMatrix a, b, mask, c;  ///< a, b: as they are after their transposition
  formats::DeviceMatrix device_a, device_b, device_mask, device_c;
  std::optional<BinaryOp> accumulate;
  RefVector flat_mask;

  Case(const Situation& situation, const std::string& type_a, const std::string& type_b,
       const std::string& type_c, Random& random)
      : s(situation) {
    const auto draw = [&](const std::string& type, double degree, bool iso) {
      return random_matrix(random, type_of(type), s.rows, s.columns, s.spread, degree, iso);
    };
    a = draw(type_a, s.degree, s.iso);
    b = draw(type_b, s.degree / 2, false);
    mask = random_matrix(random, type_of("INT16"), s.rows, s.columns, Spread::uniform, double(s.columns) / 3,
                         false);
    c = random_matrix(random, type_of(type_c), s.rows, s.columns, Spread::uniform, double(s.columns) / 5,
                      false);
    if (s.accumulate) accumulate = catalogue::binary_op("MINUS_FP64").value();
    flat_mask = flattened(mask);
    device_a = to_device(s.transpose ? transposed(a) : a, s.by_column, s.iso, s.wide);
    device_b = to_device(s.transpose ? transposed(b) : b, s.other_by_column, false, s.wide);
    device_mask = to_device(mask, s.other_by_column, false, s.wide);
    device_c = to_device(c, s.c_by_column, false, s.wide);
  }

  RefMask meant_mask() const {
    if (s.mask == MaskKind::none) return {};
    return {&flat_mask, s.mask == MaskKind::structural || s.mask == MaskKind::structural_complement,
            s.mask == MaskKind::structural_complement || s.mask == MaskKind::valued_complement};
  }
  MatrixInput input_a() const { return {device_a, s.transpose}; }
  MatrixInput input_b() const { return {device_b, s.transpose}; }
  MatrixOutput output() {
    const RefMask meant = meant_mask();
    return {device_c,
            {meant.vector == nullptr ? nullptr : &device_mask, meant.structural, meant.complement},
            accumulate,
            s.replace};
  }
  /// Empty when C is what T makes of it.
  std::string check(const RefVector& t) const {
    const RefVector wanted = ref_write_back(flattened(c), meant_mask(), accumulate, s.replace, t);
    return difference(wanted, flattened(read_back(device_c)));
  }
};

/// op(A(i,j), i, j, thunk) by position.
RefVector ref_by_place(const IndexUnaryOp& op, const RefMatrix& a, const Value& thunk) {
  RefVector t{op.z, a.rows * a.columns, {}};
  const Value bound = reference::cast(thunk, op.thunk);
  for (const auto& [place, x] : a.entries) {
    t.entries[place.first * a.columns + place.second] =
        reference::apply(op, reference::cast(x, op.x), place.first, place.second, bound);
  }
  return t;
}

RefVector ref_select_by_place(const IndexUnaryOp& op, const RefMatrix& a, const Value& thunk) {
  const RefVector chosen = ref_by_place(op, a, thunk);
  RefVector t = flattened(a);
  std::erase_if(t.entries, [&](const auto& entry) {
    return reference::cast(chosen.entries.at(entry.first), Type::of(TypeCode::Bool)).bytes[0] == 0;
  });
  return t;
}

Value number(int64_t x) {
  return reference::cast(table::value_of(Type::of(TypeCode::Int64), x), type_of("INT64"));
}

/// Calls body(case) for every situation; body gives T's meaning after it has run the operation. Where one
/// specialisation a structure is drawn (breadth.h) every operation meets a third of the situations, in turns.
template <class Body>
void each(const std::string& name, const std::string& type_a, const std::string& type_b,
          const std::string& type_c, const Body& body) {
  static size_t turn = 0;
  ++turn;
  for (size_t n = 0; n < situations().size(); ++n) {
    if (structures_only() && (n + turn) % 3 != 0) continue;
    INFO(name << ", situation " << n);
    Random random(unsigned(n) + 77);
    Case x(situations()[n], type_a, type_b, type_c, random);
    const RefVector t = body(x);
    CHECK(x.check(t) == "");
  }
}

}  // namespace

TEST_CASE("select takes the entries that the operator picks, by value and by place") {
  const std::pair<const char*, int64_t> picks[] = {{"TRIL", -1}, {"TRIU", 3},   {"OFFDIAG", 0},
                                                   {"ROWLE", 9}, {"COLGT", 12}, {"VALUEGT_INT32", 0}};
  for (const auto& [name, thunk] : picks) {
    const IndexUnaryOp op = catalogue::index_unary_op(name).value();
    each(name, "INT32", "INT32", "FP64", [&](Case& x) {
      operations::select(x.output(), op, x.input_a(), number(thunk));
      return ref_select_by_place(op, x.a, number(thunk));
    });
  }
}

TEST_CASE("apply maps every entry, by value and by place") {
  const UnaryOp negate = catalogue::unary_op("AINV_FP32").value(),
                one = catalogue::unary_op("ONE_INT8").value();
  const BinaryOp minus = catalogue::binary_op("MINUS_FP64").value();
  each("AINV", "FP32", "FP32", "FP64", [&](Case& x) {
    operations::apply(x.output(), negate, x.input_a());
    return ref_apply(negate, flattened(x.a));
  });
  each("ONE", "FP32", "FP32", "INT32", [&](Case& x) {
    operations::apply(x.output(), one, x.input_a());
    return ref_apply(one, flattened(x.a));
  });
  each("3 - A", "INT16", "INT16", "FP64", [&](Case& x) {
    operations::apply_bind_first(x.output(), minus, number(3), x.input_a());
    return ref_bind_first(minus, number(3), flattened(x.a));
  });
  each("A - 3", "INT16", "INT16", "FP64", [&](Case& x) {
    operations::apply_bind_second(x.output(), minus, x.input_a(), number(3));
    return ref_bind_second(minus, flattened(x.a), number(3));
  });
  for (const char* name :
       test::by_turns({"ROWINDEX_INT64", "COLINDEX_INT32", "DIAGINDEX_INT64", "VALUELT_FP32"})) {
    const IndexUnaryOp op = catalogue::index_unary_op(name).value();
    each(name, "FP32", "FP32", "FP64", [&](Case& x) {
      operations::apply_index(x.output(), op, x.input_a(), number(2));
      return ref_by_place(op, x.a, number(2));
    });
  }
}

TEST_CASE("eWiseMult has the entries of both, eWiseAdd of either") {
  for (const char* name : test::by_turns({"MINUS_FP64", "SECOND_FP64", "LT_FP64", "PAIR_FP64"})) {
    const BinaryOp op = catalogue::binary_op(name).value();
    each(name, "INT32", "FP64", "FP64", [&](Case& x) {
      operations::ewise_mult(x.output(), op, x.input_a(), x.input_b());
      return ref_ewise_mult(op, flattened(x.a), flattened(x.b));
    });
    each(std::string(name) + ", the larger second", "INT32", "FP64", "FP64", [&](Case& x) {
      operations::ewise_mult(x.output(), op, x.input_b(), x.input_a());
      return ref_ewise_mult(op, flattened(x.b), flattened(x.a));
    });
  }
  for (const char* name :
       test::by_turns({"MINUS_FP64", "SECOND_INT64", "MAX_INT32", "LT_FP64", "PAIR_INT8"})) {
    const BinaryOp op = catalogue::binary_op(name).value();
    each(name, "INT32", "FP64", "FP64", [&](Case& x) {
      operations::ewise_add(x.output(), op, x.input_a(), x.input_b());
      return ref_ewise_add(op, flattened(x.a), flattened(x.b));
    });
  }
}

TEST_CASE("eWiseUnion applies the operator everywhere, scalars standing in for what is missing") {
  for (const char* name :
       test::by_turns({"MINUS_FP64", "SECOND_FP64", "FIRST_INT32", "LT_FP64", "PAIR_FP64"})) {
    const BinaryOp op = catalogue::binary_op(name).value();
    each(name, "INT32", "FP64", "FP64", [&](Case& x) {
      operations::ewise_union(x.output(), op, x.input_a(), number(3), x.input_b(), number(-2));
      return ref_ewise_union(op, flattened(x.a), number(3), flattened(x.b), number(-2));
    });
  }
}

namespace {

/// T with the operator's place in the place of each of its values that both matrices have (or of all).
RefVector by_place(const BinaryOp& op, RefVector t, const Case& x, bool everywhere) {
  const BinaryOp seen = catalogue::elementwise(op);
  const RefVector a = flattened(x.a), b = flattened(x.b);
  for (auto& [at, value] : t.entries) {
    if (!everywhere && (a.entries.count(at) == 0 || b.entries.count(at) == 0)) continue;
    const uint64_t i = at / x.a.columns, j = at % x.a.columns;
    value = reference::apply_positional(seen, i, i, j);
  }
  return t;
}

}  // namespace

TEST_CASE("positional operators see an entry's row and column") {
  for (const char* name :
       test::by_turns({"FIRSTI_INT64", "SECONDI1_INT32", "FIRSTJ1_INT64", "SECONDJ_INT32"})) {
    const BinaryOp op = catalogue::binary_op(name).value(),
                   minus = catalogue::binary_op("MINUS_INT64").value();
    const BinaryOp same_type = op.z == minus.z ? minus : catalogue::binary_op("MINUS_INT32").value();
    each(name, "INT32", "FP64", "FP64", [&](Case& x) {
      operations::ewise_mult(x.output(), op, x.input_a(), x.input_b());
      return by_place(op, ref_ewise_mult(same_type, flattened(x.a), flattened(x.b)), x, true);
    });
    each(name, "INT32", "FP64", "FP64", [&](Case& x) {
      operations::ewise_add(x.output(), op, x.input_a(), x.input_b());
      return by_place(op, ref_ewise_add(same_type, flattened(x.a), flattened(x.b)), x, false);
    });
    each(name, "INT32", "FP64", "FP64", [&](Case& x) {
      operations::ewise_union(x.output(), op, x.input_a(), number(3), x.input_b(), number(4));
      return by_place(op, ref_ewise_add(same_type, flattened(x.a), flattened(x.b)), x, true);
    });
  }
}

TEST_CASE("a union of iso matrices is iso where an entry alone has the value of two that meet") {
  Random random(12);
  const auto filled = [&](double value, double degree) {
    RefMatrix a = random_matrix(random, type_of("FP64"), 20, 20, Spread::uniform, degree, true);
    for (auto& [place, x] : a.entries) x = make_value(a.type, value);
    return a;
  };
  const RefMatrix a = filled(4, 5), b = filled(4, 8), other = filled(7, 8);
  const auto made = [&](const RefMatrix& with, const char* name, bool is_union) {
    formats::DeviceMatrix c = to_device({type_of("FP64"), 20, 20, {}}, false, false);
    const BinaryOp op = catalogue::binary_op(name).value();
    const formats::DeviceMatrix x = to_device(a, false, true), y = to_device(with, false, true);
    if (is_union) {
      operations::ewise_union({c, {}, std::nullopt, false}, op, {x}, number(4), {y}, number(4));
      CHECK(
          difference(ref_write_back({c.type, 400, {}}, {}, std::nullopt, false,
                                    ref_ewise_union(op, flattened(a), number(4), flattened(with), number(4))),
                     flattened(read_back(c))) == "");
    } else {
      operations::ewise_add({c, {}, std::nullopt, false}, op, {x}, {y});
      CHECK(difference(ref_write_back({c.type, 400, {}}, {}, std::nullopt, false,
                                      ref_ewise_add(op, flattened(a), flattened(with))),
                       flattened(read_back(c))) == "");
    }
    return c.stored.iso;
  };
  CHECK(made(b, "MAX_FP64", false));
  CHECK(!made(b, "LT_FP64", false));
  CHECK(!made(other, "MAX_FP64", false));
  CHECK(made(b, "PLUS_FP64", true));
  CHECK(made(b, "LT_FP64", true));
  CHECK(!made(other, "PLUS_FP64", true));
}

TEST_CASE("a union fails cleanly at every allocation and launch") {
  Random random(13);
  const RefMatrix a = random_matrix(random, type_of("INT32"), 20, 30, Spread::uniform, 5, false),
                  b = random_matrix(random, type_of("FP64"), 20, 30, Spread::uniform, 8, false);
  const formats::DeviceMatrix device_a = to_device(a, false, false), device_b = to_device(b, true, false);
  const BinaryOp less = catalogue::binary_op("LT_FP64").value();
  RefMatrix t{less.z, 20, 30, {}};
  for (const auto& [at, value] :
       ref_ewise_union(less, flattened(a), number(1), flattened(b), number(2)).entries)
    t.entries[{at / 30, at % 30}] = value;
  CHECK(check_failures(random, t, "FP64", [&](const MatrixOutput& c) {
          device_a.drop_caches(), device_b.drop_caches();
          operations::ewise_union(c, less, {device_a}, number(1), {device_b}, number(2));
        }) > 10);
}

TEST_CASE("matrices with all entries are joined as the vectors of their values, in one launch") {
  Random random(9);
  const auto full = [&](const char* type) {
    return matrix_of_lengths(random, type_of(type), std::vector<uint64_t>(12, 40), 40);
  };
  for (const char* name : test::by_turns({"MINUS_FP64", "SECOND_FP64", "PLUS_FP64"})) {
    const BinaryOp op = catalogue::binary_op(name).value();
    for (int n = 0; n < 16; ++n) {
      INFO(name << ", " << n);
      const bool adds = n & 1, accumulates = n & 2, transposed_a = n & 4, by_column = n & 8;
      const RefMatrix a = full("INT32"), b = full("FP64"), c = full("FP64");
      const formats::DeviceMatrix device_a = to_device(transposed_a ? transposed(a) : a, transposed_a, false),
                                  device_b = to_device(b, false, false);
      const formats::DeviceMatrix old = to_device(c, by_column, false);
      formats::DeviceMatrix device_c = old;
      std::optional<BinaryOp> accumulate;
      if (accumulates) accumulate = catalogue::binary_op("MINUS_FP64").value();
      const auto join = [&] {
        device_c = old;
        const MatrixOutput output{device_c, {}, accumulate, false};
        adds ? operations::ewise_add(output, op, {device_a, transposed_a}, {device_b})
             : operations::ewise_mult(output, op, {device_a, transposed_a}, {device_b});
      };
      join();
      if (!accumulates) CHECK(cost_of(join).launches == 1);
      const RefVector t = ref_ewise_mult(op, flattened(a), flattened(b));
      CHECK(difference(ref_write_back(flattened(c), {}, accumulate, false, t),
                       flattened(read_back(device_c))) == "");
    }
  }
}

namespace {

RefMatrix full_matrix(Random& random, const std::string& type, uint64_t rows, uint64_t columns) {
  RefMatrix matrix{type_of(type), rows, columns, {}};
  for (uint64_t i = 0; i < rows; ++i) {
    for (uint64_t j = 0; j < columns; ++j) matrix.entries[{i, j}] = random_value(random, matrix.type);
  }
  return matrix;
}

/// A .* B, of which positional operators see rows and columns.
RefVector ref_product(const std::string& name, const RefMatrix& a, const RefMatrix& b) {
  const BinaryOp op = catalogue::binary_op(name).value();
  RefVector t = ref_ewise_mult(op, flattened(a), flattened(b));
  if (name != "FIRSTJ1_INT64") return t;
  for (auto& [position, value] : t.entries)
    value = table::value_of(Type::of(TypeCode::Int64), int64_t(position % a.columns + 1));
  return t;
}

/// C = MINUS(C, A .* B) for a C with all entries.
void check_accumulated(const std::string& name, const RefMatrix& a, const RefMatrix& b, bool by_column) {
  Random random(5);
  const BinaryOp op = catalogue::binary_op(name).value(), minus = catalogue::binary_op("MINUS_FP64").value();
  const RefMatrix c = full_matrix(random, "FP32", a.rows, a.columns);
  const RefVector wanted = ref_write_back(flattened(c), {}, minus, false, ref_product(name, a, b));
  const formats::DeviceMatrix device_a = to_device(a, by_column, false),
                              device_b = to_device(b, by_column, false);
  formats::DeviceMatrix device_c = to_device(c, by_column, false);
  INFO(name << ", " << a.entries.size() << " and " << b.entries.size() << " entries, by column "
            << by_column);
  const unsigned launched = launches([&] {
    operations::ewise_mult({device_c, {}, minus, false}, op, {device_a, false}, {device_b, false});
  });
  CHECK(launched == 1);
  CHECK(difference(wanted, flattened(read_back(device_c))) == "");
  // Once more, where somebody else has the values: these stay.
  const formats::DeviceMatrix kept = device_c;
  operations::ewise_mult({device_c, {}, minus, false}, op, {device_b, false}, {device_a, false});
  CHECK(difference(wanted, flattened(read_back(kept))) == "");
  CHECK(difference(ref_write_back(wanted, {}, minus, false, ref_product(name, b, a)),
                   flattened(read_back(device_c))) == "");
}

}  // namespace

TEST_CASE("a product is accumulated into a matrix with all entries in its place, in one launch") {
  Random random(4);
  const RefMatrix few = random_matrix(random, type_of("INT32"), 23, 41, Spread::power_law, 0, false),
                  some = random_matrix(random, type_of("FP64"), 23, 41, Spread::uniform, 9, false),
                  all = full_matrix(random, "FP64", 23, 41);
  for (const char* name : {"MINUS_FP64", "SECOND_INT32", "FIRSTJ1_INT64", "PAIR_INT8"}) {
    for (const bool by_column : {false, true}) {
      check_accumulated(name, few, all, by_column);
      check_accumulated(name, all, few, by_column);
      check_accumulated(name, few, some, by_column);
    }
  }
}

TEST_CASE("a matrix with all entries may be an operand of the product that it accumulates") {
  Random random(6);
  const BinaryOp times = catalogue::binary_op("TIMES_FP32").value(),
                 plus = catalogue::binary_op("PLUS_FP32").value();
  const RefMatrix some = random_matrix(random, type_of("FP32"), 30, 20, Spread::uniform, 6, false);
  for (const bool first : {false, true}) {
    const RefMatrix c = full_matrix(random, "FP32", 30, 20);
    formats::DeviceMatrix device_c = to_device(c, false, false);
    const formats::DeviceMatrix device_some = to_device(some, false, false);
    const MatrixInput own{device_c, false}, other{device_some, false};
    operations::ewise_mult({device_c, {}, plus, false}, times, first ? own : other, first ? other : own);
    const RefVector t = ref_ewise_mult(times, flattened(c), flattened(some));
    CHECK(difference(ref_write_back(flattened(c), {}, plus, false, t), flattened(read_back(device_c))) == "");
  }
}

TEST_CASE("assign to all rows and columns, of a matrix and of a scalar") {
  each("matrix", "INT32", "INT32", "FP64", [&](Case& x) {
    operations::assign(x.output(), x.input_a());
    return flattened(x.a);
  });
  each("scalar", "INT32", "INT32", "FP64", [&](Case& x) {
    operations::assign_scalar(x.output(), number(5));
    return ref_scalar(number(5), x.a.rows * x.a.columns);
  });
}

TEST_CASE("the output may be an operand and the mask") {
  Random random(5);
  const Situation plain = {20,    20,    Spread::uniform, 6,     false, false, false, false,
                           false, false, MaskKind::none,  false, false};
  const BinaryOp times = catalogue::binary_op("TIMES_FP64").value(),
                 plus = catalogue::binary_op("PLUS_FP64").value();
  Case x(plain, "FP64", "FP64", "FP64", random);
  formats::DeviceMatrix& c = x.device_c;
  operations::ewise_mult({c, {&c, true, false}, plus, false}, times, {c}, {c});
  const RefVector old = flattened(x.c), square = ref_ewise_mult(times, old, old);
  const RefVector expected = ref_write_back(old, {&old, true, false}, plus, false, square);
  CHECK(difference(expected, flattened(read_back(c))) == "");
  operations::select({c, {}, std::nullopt, false}, catalogue::index_unary_op("TRIL").value(), {c, true},
                     number(0));
  RefMatrix flipped{x.c.type, 20, 20, {}};
  for (const auto& [k, value] : expected.entries) flipped.entries[{k % 20, k / 20}] = value;
  const RefVector lower = ref_select_by_place(catalogue::index_unary_op("TRIL").value(), flipped, number(0));
  CHECK(difference(lower, flattened(read_back(c))) == "");
}

TEST_CASE("what is declined leaves the output as it is") {
  Random random(6);
  Case x(situations()[0], "FP64", "FP64", "FP64", random);
  const auto reason = [&](const auto& action) -> std::string {
    try {
      action();
      return "";
    } catch (const std::exception& error) {
      return error.what();
    }
  };
  formats::DeviceMatrix huge = to_device({type_of("FP64"), 1, 1, {}}, false, false);
  huge.rows = huge.columns = huge.stored.rows = huge.stored.columns = uint64_t(1) << 30;
  CHECK(reason([&] {
          operations::assign_scalar({huge, {}, std::nullopt, false}, number(1));
        }).find("all entries") != std::string::npos);
  CHECK(difference(flattened(x.c), flattened(read_back(x.device_c))) == "");
}

TEST_CASE("the specialisations that ran compile for GPUs without spilling registers") {
  test::check_third_compiles({"matrix_elementwise.h", "matrix_write_back.h", "matrix_extract.h"});
}
