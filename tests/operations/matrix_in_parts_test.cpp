// Matrices in parts: dealt and collected, element-wise calls part by part, sums, products that leave their
// result where it was made.
#include "src/formats/matrix_in_parts.h"

#include "cuda/runtime/injection.h"
#include "semirings/table.h"
#include "src/operations/matrix_extract.h"
#include "src/operations/matrix_in_parts.h"
#include "src/support/trace.h"
#include "tests/catch.h"
#include "tests/operations/agree.h"
#include "tests/operations/breadth.h"
#include "tests/operations/matrix_exits.h"
#include "tests/operations/several_devices.h"

using namespace cugrb;
using formats::DeviceMatrix;
using formats::Split;
using operations::MatrixInput;
using operations::MatrixOutput;
using test::Random;
using test::RefMatrix;
using test::Spread;

namespace {

RefMatrix draw(Random& random, const char* type, uint64_t rows, uint64_t columns, double degree,
               bool iso = false) {
  return test::random_matrix(random, test::type_of(type), rows, columns, Spread::uniform, degree, iso);
}

/// The same matrix in parts of its rows (by_column: columns).
DeviceMatrix dealt(const DeviceMatrix& matrix, bool by_column, const std::shared_ptr<const Split>& split) {
  std::vector<formats::Csr> parts;
  for (const DeviceMatrix& part : formats::matrix_parts_by(matrix, by_column, split))
    parts.push_back(part.stored);
  return formats::matrix_from_parts(matrix.type, by_column ? matrix.rows : matrix.columns, by_column, split,
                                    std::move(parts));
}

/// Splits of a matrix's rows and columns, and now and then other ones.
class Placing {
 public:
  Placing(Random& random, uint64_t rows, uint64_t columns) : random_(random) {
    const size_t parts = 1 + test::below(random, 4);
    for (const bool flipped : {false, true}) {
      split_[flipped] = test::random_split(random, flipped ? columns : rows, parts);
      other_[flipped] = test::random_split(random, flipped ? columns : rows, parts);
    }
  }
  /// `transpose`: the matrix's rows are the columns of what the splits are of.
  DeviceMatrix place(const DeviceMatrix& matrix, bool transpose = false, double probability = 0.7) {
    if (!test::chance(random_, probability)) return matrix;
    const bool by_column = test::chance(random_, 0.15) ? !flipped_ : flipped_;
    const bool own = test::chance(random_, 0.9);
    ++placed;
    return dealt(matrix, by_column != transpose, (own ? split_ : other_)[by_column]);
  }
  unsigned placed = 0;

 private:
  Random& random_;
  const bool flipped_ = test::chance(random_, 0.4);
  std::shared_ptr<const Split> split_[2], other_[2];
};

/// What lies in parts lies where it is said to lie.
void check_places(const DeviceMatrix& matrix) {
  REQUIRE(matrix.parts != nullptr);
  const Split& split = *matrix.parts->split;
  REQUIRE(matrix.parts->of.size() == split.parts.size());
  CHECK(matrix.nvals() == matrix.parts->entries());
  CHECK_FALSE(matrix.stored.iso);
  for (size_t p = 0; p < split.parts.size(); ++p) {
    const DeviceMatrix& part = matrix.parts->of[p];
    CHECK(part.by_column == matrix.by_column);
    CHECK_FALSE(part.stored.iso);
    CHECK(part.stored.rows == split.parts[p].count);
    CHECK(formats::check(part.stored) == "");
    CHECK(&part.stored.offsets.device() == split.parts[p].device);
    if (part.nvals() > 0) CHECK(&part.stored.values.device() == split.parts[p].device);
  }
}

using Call = std::function<void(const MatrixOutput&, const MatrixInput& a, const MatrixInput& b)>;

/// What decides whether a call is done in parts.
enum class Where { as_both, as_first, at_home };

/// `call` on operands, a mask and a C that are in parts or not by chance, for every way out. `a` and `b` are
/// as after their transposition, `t` is T.
void check_call(Random& random, const RefMatrix& a, const RefMatrix& b, const RefMatrix& t, Where where,
                const Call& call) {
  for (const bool transpose : {false, true}) {
    const auto device = [&](const RefMatrix& matrix) {
      return test::to_device(transpose ? test::transposed(matrix) : matrix, test::chance(random, 0.4), false);
    };
    const DeviceMatrix whole_a = device(a), whole_b = device(b);
    test::check_all_exits(random, t, "FP64", [&](const MatrixOutput& c) {
      Placing placing(random, a.rows, a.columns);
      const DeviceMatrix own_a = placing.place(whole_a, transpose), own_b = placing.place(whole_b, transpose);
      const bool own_mask = c.mask.object == &c.object;
      DeviceMatrix mask;
      operations::MatrixMask asked = c.mask;
      if (asked.object != nullptr && !own_mask) {
        mask = placing.place(*asked.object);
        asked.object = &mask;
      }
      c.object = placing.place(c.object);
      const bool some = own_a.parts != nullptr || (where == Where::as_both && own_b.parts != nullptr);
      call({c.object, asked, c.accumulate, c.replace}, {own_a, transpose}, {own_b, transpose});
      if (some && where != Where::at_home) check_places(c.object);
      if (where == Where::at_home) CHECK(c.object.parts == nullptr);
    });
  }
}

/// T by the same operation on one device.
template <class Operation>
RefMatrix made_at_home(const RefMatrix& a, const RefMatrix& b, const Type& type, const Operation& operation) {
  const DeviceMatrix device_a = test::to_device(a, false, false), device_b = test::to_device(b, false, false);
  DeviceMatrix t = formats::matrix_by(formats::empty_csr(type, a.rows, a.columns), false);
  operation(MatrixOutput{t, {}, std::nullopt, false}, MatrixInput{device_a}, MatrixInput{device_b});
  return test::read_back(t);
}

void check_call(Random& random, const Type& type, Where where, const Call& call) {
  const std::pair<uint64_t, uint64_t> shapes[] = {{1, 1}, {30, 40}, {70, 12}};
  for (const auto& [rows, columns] : shapes) {
    INFO(rows << " x " << columns);
    const RefMatrix a = draw(random, "INT32", rows, columns, double(columns) / 4),
                    b = draw(random, "FP64", rows, columns, double(columns) / 3);
    check_call(random, a, b, made_at_home(a, b, type, call), where, call);
  }
}

const Type& fp64() { return Type::of(TypeCode::Fp64); }

Value number(const Type& type, int64_t x) {
  return reference::cast(table::value_of(Type::of(TypeCode::Int64), x), type);
}

}  // namespace

TEST_CASE(
    "a matrix keeps its entries when it is dealt and collected, of every type, orientation and number of "
    "parts") {
  Random random(21);
  for (const char* type : test::by_turns({"BOOL", "INT16", "FP32", "FP64"})) {
    for (const auto& [rows, columns] : {std::pair<uint64_t, uint64_t>{1, 1}, {40, 30}, {600, 9}}) {
      const bool iso = test::chance(random, 0.4), wide = test::chance(random, 0.3);
      const RefMatrix meant = draw(random, type, rows, columns, double(columns) / 3, iso);
      const DeviceMatrix whole = test::to_device(meant, test::chance(random, 0.5), iso, wide);
      for (const bool by_column : {false, true}) {
        const auto split = test::random_split(random, by_column ? columns : rows, 1 + test::below(random, 5));
        DeviceMatrix parts = dealt(whole, by_column, split);
        check_places(parts);
        CHECK(parts.bytes() > 0);
        CHECK_THROWS_AS(parts.by_rows(false), std::logic_error);
        CHECK_FALSE(parts.has_rows(by_column));
        CHECK(test::difference(test::flattened(meant),
                               test::flattened(test::read_back(formats::whole_of(parts)))) == "");
        const formats::HostRows host = formats::rows_on_host(*parts.parts);
        parts.collect();
        CHECK(parts.parts == nullptr);
        CHECK(test::difference(test::flattened(meant), test::flattened(test::read_back(parts))) == "");
        const formats::Csr& csr = parts.stored;
        CHECK(host.offsets == formats::widened(csr.offsets, csr.offset_width, csr.rows + 1));
        CHECK(host.columns == formats::widened(csr.column_indices, csr.column_width, csr.entries));
        CHECK(host.values == csr.values.to_host<char>(csr.entries * csr.type.size));
      }
    }
  }
}

TEST_CASE("union, intersection and union with scalars in parts, under every way out") {
  Random random(22);
  const BinaryOp plus = catalogue::binary_op("PLUS_FP64").value(),
                 minus = catalogue::binary_op("MINUS_FP64").value();
  const Value alpha = number(fp64(), 3), beta = number(fp64(), -2);
  check_call(random, fp64(), Where::as_both,
             [&](const MatrixOutput& c, const MatrixInput& a, const MatrixInput& b) {
               operations::ewise_add(c, minus, a, b);
             });
  check_call(random, fp64(), Where::as_both,
             [&](const MatrixOutput& c, const MatrixInput& a, const MatrixInput& b) {
               operations::ewise_mult(c, plus, a, b);
             });
  check_call(random, fp64(), Where::as_both,
             [&](const MatrixOutput& c, const MatrixInput& a, const MatrixInput& b) {
               operations::ewise_union(c, minus, a, alpha, b, beta);
             });
}

TEST_CASE("apply, select by value, assign and transpose in parts, under every way out") {
  Random random(23);
  const UnaryOp negate = catalogue::unary_op("AINV_INT32").value();
  const BinaryOp minus = catalogue::binary_op("MINUS_FP64").value();
  const IndexUnaryOp positive = catalogue::index_unary_op("VALUEGT_INT32").value();
  const Value five = number(fp64(), 5), zero = number(test::type_of("INT32"), 0);
  const Type& int32 = test::type_of("INT32");
  const auto of_first = [](const auto& operation) {
    return [&operation](const MatrixOutput& c, const MatrixInput& a, const MatrixInput&) { operation(c, a); };
  };
  const auto with_a = [&](const Type& type, const auto& operation) {
    check_call(random, type, Where::as_first, of_first(operation));
  };
  with_a(int32, [&](const MatrixOutput& c, const MatrixInput& a) { operations::apply(c, negate, a); });
  with_a(fp64(), [&](const MatrixOutput& c, const MatrixInput& a) {
    operations::apply_bind_first(c, minus, five, a);
  });
  with_a(fp64(), [&](const MatrixOutput& c, const MatrixInput& a) {
    operations::apply_bind_second(c, minus, a, five);
  });
  with_a(int32,
         [&](const MatrixOutput& c, const MatrixInput& a) { operations::select(c, positive, a, zero); });
  with_a(int32, [&](const MatrixOutput& c, const MatrixInput& a) { operations::assign(c, a); });
}

TEST_CASE("operators that ask for the place see that of the whole: the operands are collected") {
  Random random(24);
  const Value thunk = number(test::type_of("INT64"), 1);
  const IndexUnaryOp lower = catalogue::index_unary_op("TRIL").value(),
                     row = catalogue::index_unary_op("ROWINDEX_INT64").value();
  const BinaryOp first = catalogue::binary_op("FIRSTI_INT64").value();
  check_call(random, test::type_of("INT32"), Where::at_home,
             [&](const MatrixOutput& c, const MatrixInput& a, const MatrixInput&) {
               operations::select(c, lower, a, thunk);
             });
  check_call(random, test::type_of("INT64"), Where::at_home,
             [&](const MatrixOutput& c, const MatrixInput& a, const MatrixInput&) {
               operations::apply_index(c, row, a, thunk);
             });
  check_call(random, test::type_of("INT64"), Where::at_home,
             [&](const MatrixOutput& c, const MatrixInput& a, const MatrixInput& b) {
               operations::ewise_mult(c, first, a, b);
             });
}

TEST_CASE(
    "rows and columns are extracted where they lie, with repetitions, in any order, under every way out") {
  Random random(29);
  const RefMatrix a = draw(random, "INT32", 45, 38, 9);
  const auto list = [&](uint64_t length, bool all) {
    std::vector<uint64_t> indices;
    for (uint64_t k = 0; !all && k < 1 + length / 2; ++k) indices.push_back(test::below(random, length));
    return indices;
  };
  for (unsigned n = 0; n < 6; ++n) {
    const bool all_rows = n % 3 == 0, all_columns = n % 3 == 1, transpose = n >= 3;
    INFO((all_rows ? "all rows, " : "rows, ")
         << (all_columns ? "all columns" : "columns") << (transpose ? ", transposed" : ""));
    const std::vector<uint64_t> rows = list(a.rows, all_rows), columns = list(a.columns, all_columns);
    const operations::Indices I{all_rows, all_rows ? a.rows : rows.size(), all_rows ? nullptr : rows.data()},
        J{all_columns, all_columns ? a.columns : columns.size(), all_columns ? nullptr : columns.data()};
    RefMatrix t{a.type, I.count, J.count, {}};
    for (uint64_t k = 0; k < I.count; ++k) {
      for (uint64_t l = 0; l < J.count; ++l) {
        const auto found = a.entries.find({all_rows ? k : rows[k], all_columns ? l : columns[l]});
        if (found != a.entries.end()) t.entries[{k, l}] = found->second;
      }
    }
    const DeviceMatrix whole =
        test::to_device(transpose ? test::transposed(a) : a, test::chance(random, 0.5), false);
    test::check_all_exits(random, t, "FP64", [&](const MatrixOutput& c) {
      Placing of_a(random, a.rows, a.columns), of_c(random, t.rows, t.columns);
      const DeviceMatrix own = of_a.place(whole, transpose);
      c.object = of_c.place(c.object);
      operations::extract(c, {own, transpose}, I, J);
      if (own.parts != nullptr) check_places(c.object);
      if (own.parts == nullptr) CHECK(c.object.parts == nullptr);
    });
  }
}

TEST_CASE("operands in the same parts send nothing, and a transpose turns them where they lie") {
  Random random(25);
  const auto split = test::random_split(random, 50, 3);
  const BinaryOp plus = catalogue::binary_op("PLUS_FP64").value();
  const DeviceMatrix a = dealt(test::to_device(draw(random, "FP64", 50, 40, 9), false, false), false, split),
                     b = dealt(test::to_device(draw(random, "FP64", 50, 40, 9), false, false), false, split);
  DeviceMatrix c = formats::matrix_by(formats::empty_csr(fp64(), 50, 40), false),
               turned = formats::matrix_by(formats::empty_csr(fp64(), 40, 50), false);
  const uint64_t before = trace::totals().bytes_between;
  operations::ewise_add({c, {}, std::nullopt, false}, plus, {a}, {b});
  operations::assign({turned, {}, std::nullopt, false}, {c, true});
  CHECK(trace::totals().bytes_between == before);
  check_places(turned);
  CHECK(turned.by_column);
  CHECK(test::difference(test::flattened(test::transposed(test::read_back(formats::whole_of(c)))),
                         test::flattened(test::read_back(formats::whole_of(turned)))) == "");
}

TEST_CASE("a matrix at home keeps the parts of one split, and gives them back with its caches") {
  Random random(30);
  const DeviceMatrix whole = test::to_device(draw(random, "FP64", 50, 40, 9), false, false);
  const size_t before = whole.bytes();
  const auto first = test::random_split(random, 50, 3), second = test::random_split(random, 50, 3);
  formats::matrix_parts_by(whole, false, first);
  const size_t dealt_once = whole.bytes();
  CHECK(dealt_once > before);
  formats::matrix_parts_by(whole, false, second);
  CHECK(whole.find_derived(false, formats::MatrixParts::Key{first}) == nullptr);
  CHECK(whole.find_derived(false, formats::MatrixParts::Key{second}) != nullptr);
  CHECK(whole.bytes() < dealt_once + before / 2);
  whole.drop_caches();
  CHECK(whole.bytes() == before);
}

TEST_CASE("the sum of a matrix in parts is that of the whole") {
  Random random(26);
  for (const char* monoid : test::by_turns({"PLUS_INT64", "MAX_INT64", "ANY_INT64"})) {
    for (const double degree : {0.0, 4.0}) {
      const DeviceMatrix whole = test::to_device(draw(random, "INT64", 60, 20, degree), false, false);
      const DeviceMatrix parts = dealt(whole, false, test::random_split(random, 60, 4));
      const Monoid m = catalogue::monoid(monoid).value();
      const auto expected = operations::reduce(m, whole), found = operations::reduce(m, parts);
      REQUIRE(expected.has_value() == found.has_value());
      if (expected && !m.is_any) CHECK(expected->bytes == found->bytes);
    }
  }
}

namespace {

RefMatrix product_at_home(const Semiring& s, const RefMatrix& a, const RefMatrix& b) {
  const DeviceMatrix device_a = test::to_device(a, false, false), device_b = test::to_device(b, false, false);
  DeviceMatrix c = formats::matrix_by(formats::empty_csr(s.add.type(), a.rows, b.columns), false);
  operations::mxm({c, {}, std::nullopt, false}, {s, device_a, device_b});
  return test::read_back(c);
}

}  // namespace

TEST_CASE("a product leaves its result in parts, and products of that go on there") {
  if (runtime::devices().size() < 2) return;
  Random random(27);
  const Semiring s = test::built_in_semiring("PLUS_TIMES_INT64").semiring;
  const RefMatrix a = draw(random, "INT64", 90, 80, 5), b = draw(random, "INT64", 80, 70, 4),
                  d = draw(random, "INT64", 70, 60, 4), e = draw(random, "INT64", 50, 90, 4);
  const RefMatrix ab = product_at_home(s, a, b);
  for (const bool by_column : {false, true}) {
    const DeviceMatrix device_a = test::to_device(a, by_column, false),
                       device_b = test::to_device(b, by_column, false);
    DeviceMatrix t = formats::matrix_by(formats::empty_csr(s.add.type(), 90, 70), by_column);
    {
      const test::Forced forced("mxm_parts");
      operations::mxm({t, {}, std::nullopt, false},
                      {s, device_a, device_b, false, false, runtime::devices(), /*in_parts=*/true});
    }
    check_places(t);
    CHECK(test::difference(test::flattened(ab), test::flattened(test::read_back(formats::whole_of(t)))) ==
          "");
    const auto multiply = [&](const DeviceMatrix& left, const DeviceMatrix& right, uint64_t rows,
                              uint64_t columns) {
      DeviceMatrix c = formats::matrix_by(formats::empty_csr(s.add.type(), rows, columns), false);
      operations::mxm({c, {}, std::nullopt, false}, {s, left, right, false, false, runtime::devices(), true});
      return c;
    };
    const DeviceMatrix behind = multiply(t, test::to_device(d, false, false), 90, 60),
                       before = multiply(test::to_device(e, false, false), t, 50, 70);
    // Rows of T stay rows behind it, columns of T columns before it.
    if (t.by_column) CHECK(before.parts != nullptr);
    if (!t.by_column) CHECK(behind.parts != nullptr);
    CHECK(test::difference(test::flattened(product_at_home(s, ab, d)),
                           test::flattened(test::read_back(formats::whole_of(behind)))) == "");
    CHECK(test::difference(test::flattened(product_at_home(s, e, ab)),
                           test::flattened(test::read_back(formats::whole_of(before)))) == "");
  }
}

TEST_CASE(
    "a product with a right factor in parts that no device has room for: piece by piece, in parts again") {
  if (runtime::devices().size() < 2) return;
  Random random(29);
  const Semiring s = test::built_in_semiring("PLUS_TIMES_INT64").semiring;
  const RefMatrix a = draw(random, "INT64", 30, 300, 20), b = draw(random, "INT64", 300, 40, 25);
  const RefMatrix t = product_at_home(s, a, b);
  const auto split_of_a = test::random_split(random, 30, runtime::devices().size()),
             split_of_b = test::random_split(random, 300, 4);
  for (const bool left_in_parts : {false, true}) {
    const DeviceMatrix left = left_in_parts ? dealt(test::to_device(a, false, false), false, split_of_a)
                                            : test::to_device(a, false, false),
                       right = dealt(test::to_device(b, false, false), false, split_of_b);
    DeviceMatrix c = formats::matrix_by(formats::empty_csr(s.add.type(), 30, 40), false);
    trace::keep_records(true);
    {
      const trace::Scope scope("GrB_mxm");
      const test::Limited limited(20000);
      operations::mxm({c, {}, std::nullopt, false}, {s, left, right, false, false, runtime::devices(), true});
      CHECK(trace::current().reason.find("the right factor came in 4 pieces") != std::string::npos);
      CHECK(trace::current().reason.find("collected") == std::string::npos);
    }
    trace::keep_records(false);
    CHECK(c.parts != nullptr);
    CHECK(test::difference(test::flattened(t), test::flattened(test::read_back(formats::whole_of(c)))) == "");
  }
}

TEST_CASE("a call in parts that fails at its n-th allocation or launch changes nothing") {
  Random random(28);
  const RefMatrix a = draw(random, "FP64", 40, 30, 6), b = draw(random, "FP64", 40, 30, 6);
  const BinaryOp plus = catalogue::binary_op("PLUS_FP64").value();
  const auto split = test::random_split(random, 40, 3);
  const auto call = [&](const MatrixOutput& c, const MatrixInput& x, const MatrixInput& y) {
    operations::ewise_add(c, plus, x, y);
  };
  const RefMatrix t = made_at_home(a, b, fp64(), call);
  const RefMatrix old = draw(random, "FP64", 40, 30, 4);
  unsigned failures = 0;
  for (const char* point : {"allocation:", "launch:"}) {
    bool failed = true;
    for (unsigned n = 1; failed && n < 1000; n += 1 + n / 5) {
      INFO(point << n);
      DeviceMatrix c = test::to_device(old, false, false);
      const DeviceMatrix parts = dealt(test::to_device(a, false, false), false, split),
                         whole = test::to_device(b, false, false);
      runtime::injection::reset(point + std::to_string(n));
      try {
        call({c, {}, std::nullopt, false}, {parts}, {whole});
        failed = false;
      } catch (const std::exception&) {
        ++failures;
      }
      runtime::injection::reset("");
      CHECK(test::difference(test::flattened(failed ? old : t), test::flattened(test::read_back(c))) == "");
    }
    CHECK_FALSE(failed);
  }
  CHECK(failures > 12);
}
