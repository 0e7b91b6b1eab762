// Which results are iso, and that their values are right: products, element-wise operations, assignments.
#include "src/formats/constants.h"
#include "src/operations/matrix_elementwise.h"
#include "src/operations/operations.h"
#include "tests/catch.h"
#include "tests/operations/cost.h"
#include "tests/operations/mxm_cases.h"

using namespace cugrb;
using namespace cugrb::test;
using formats::DeviceMatrix;
using formats::DeviceVector;
using operations::MatrixOutput;
using operations::VectorOutput;

namespace {

constexpr uint64_t length = 300;
const Type& fp64 = Type::of(TypeCode::Fp64);

Value fp64_value(double x) { return make_value(fp64, x); }

RefVector pattern_vector(unsigned seed, double density) {
  Random random(seed);
  return random_vector(random, fp64, length, density, false);
}

/// Every entry of `vector` is `value`.
bool holds_only(const DeviceVector& vector, double value) {
  for (const auto& [i, x] : from_device(vector).entries) {
    if (!same_value(x, fp64_value(value))) return false;
  }
  return true;
}

RefMatrix drawn_matrix(unsigned seed) {
  Random random(seed);
  return random_matrix(random, fp64, 40, 40, Spread::uniform, 5, false);
}

RefMatrix with_only(RefMatrix matrix, double value) {
  for (auto& [place, x] : matrix.entries) x = fp64_value(value);
  return matrix;
}

bool holds_only(const DeviceMatrix& matrix, double value) {
  for (const auto& [place, x] : from_device(matrix.by_rows(false)).entries) {
    if (!same_value(x, fp64_value(value))) return false;
  }
  return true;
}

struct FormAndMask {
  Form form, mask;
};
std::vector<FormAndMask> forms() {
  std::vector<FormAndMask> all;
  for (const Form form : {Form::sparse, Form::bitmap}) {
    for (const Form mask : {Form::sparse, Form::bitmap}) all.push_back({form, mask});
  }
  return all;
}

}  // namespace

TEST_CASE("a scalar through a mask is iso where nothing else stays, or the same value does") {
  const RefVector some = pattern_vector(1, 0.3), others = pattern_vector(2, 0.1);
  for (const FormAndMask& f : forms()) {
    const DeviceVector mask = to_device(some, f.mask, false), second = to_device(others, f.form, false);
    for (const bool structural : {true, false}) {
      for (const bool complement : {false, true}) {
        DeviceVector w = to_device(others, f.form, false);
        operations::assign_scalar({w, {&mask, structural, complement}, std::nullopt, true}, fp64_value(4),
                                  {});
        CHECK(w.iso);
        CHECK(holds_only(w, 4));
        operations::assign_scalar({w, {&second, structural, complement}, std::nullopt, false}, fp64_value(4),
                                  {});
        CHECK(w.iso);
        CHECK(holds_only(w, 4));
        operations::assign_scalar({w, {&second, true, false}, std::nullopt, false}, fp64_value(5), {});
        CHECK_FALSE(w.iso);
        CHECK_FALSE(holds_only(w, 4));
      }
    }
  }
}

TEST_CASE("a scalar by w's own structure replaces the value of each entry, without a launch") {
  const runtime::Buffer known = formats::constant(fp64_value(2).bytes.data(), sizeof(double));
  for (const Form form : {Form::sparse, Form::bitmap}) {
    DeviceVector w = to_device(pattern_vector(1, 0.3), form, false);
    const uint64_t entries = w.nvals();
    const auto assign = [&] {
      operations::assign_scalar({w, {&w, true, false}, std::nullopt, false}, fp64_value(2), {});
    };
    CHECK(cost_of(assign) == Cost{0, 0});
    CHECK(w.iso);
    CHECK(w.nvals() == entries);
    CHECK(holds_only(w, 2));
  }
}

TEST_CASE("an accumulator keeps an iso vector that it does not change") {
  const DeviceVector twos = DeviceVector::full_of(fp64, length, fp64_value(2).bytes.data());
  const RefVector some = pattern_vector(3, 0.4);
  const BinaryOp larger = *catalogue::binary_op("MAX_FP64"), plus = *catalogue::binary_op("PLUS_FP64");
  for (const Form form : {Form::sparse, Form::bitmap}) {
    const DeviceVector mask = to_device(some, form, false);
    DeviceVector w = DeviceVector::empty(fp64, length);
    operations::assign_scalar({w, {&mask, true, false}, std::nullopt, true}, fp64_value(2), {});
    operations::assign({w, {}, larger, false}, twos, {});
    CHECK(w.iso);
    CHECK(w.nvals() == length);
    CHECK(holds_only(w, 2));
    operations::assign({w, {&mask, true, false}, plus, false}, twos, {});
    CHECK_FALSE(w.iso);
    CHECK(same_value(*operations::extract_element(w, some.entries.begin()->first), fp64_value(4)));
  }
}

TEST_CASE("an iso vector moves through lists as one value") {
  const RefVector some = pattern_vector(4, 0.3);
  std::vector<uint64_t> list;
  for (uint64_t i = 0; i < length; ++i) list.push_back((7 * i + 3) % length);
  for (const Form form : {Form::sparse, Form::bitmap}) {
    const DeviceVector pattern = to_device(some, form, false);
    DeviceVector u = DeviceVector::empty(fp64, length), w = u, v = u;
    operations::assign_scalar({u, {&pattern, true, false}, std::nullopt, true}, fp64_value(6), {});
    operations::extract({w, {}, std::nullopt, false}, u, {false, length, list.data()});
    CHECK(w.iso);
    CHECK(w.nvals() == u.nvals());
    CHECK(holds_only(w, 6));
    operations::assign({v, {}, std::nullopt, false}, u, {false, length, list.data()});
    CHECK(v.iso);
    CHECK(holds_only(v, 6));
    operations::extract({w, {}, *catalogue::binary_op("PLUS_FP64"), false}, u, {false, length, list.data()});
    CHECK_FALSE(w.iso);
    CHECK(holds_only(w, 12));
  }
}

TEST_CASE("where all entries meet, an operator that looks at none gives one value in every form") {
  const RefVector all = pattern_vector(7, 1), most = pattern_vector(8, 0.9);
  const BinaryOp pair = *catalogue::binary_op("PAIR_FP64");
  for (const FormAndMask& f : forms()) {
    const DeviceVector u = to_device(all, f.form, false), v = to_device(all, f.mask, false);
    DeviceVector w = DeviceVector::empty(fp64, length);
    operations::ewise_add({w, {}, std::nullopt, false}, pair, u, v);
    CHECK(w.iso);
    CHECK(w.nvals() == length);
    CHECK(holds_only(w, 1));
    operations::ewise_add({w, {}, std::nullopt, false}, pair, u, to_device(most, f.mask, false));
    CHECK_FALSE(w.iso);
    CHECK(w.nvals() == length);
    CHECK_FALSE(holds_only(w, 1));
  }
}

TEST_CASE("operators that look at one operand, or none, give that one's value") {
  const RefVector a = pattern_vector(5, 0.5), b = pattern_vector(6, 0.2);
  const auto op = [](const char* name) { return *catalogue::binary_op(name); };
  for (const FormAndMask& f : forms()) {
    const DeviceVector u = to_device(a, f.form, false), v = to_device(b, f.mask, false);
    DeviceVector threes = DeviceVector::empty(fp64, length), w = threes;
    operations::assign_scalar({threes, {&v, true, false}, std::nullopt, true}, fp64_value(3), {});
    const VectorOutput out{w, {}, std::nullopt, false};
    const auto check = [&](bool iso, double value) {
      CHECK(w.iso == iso);
      CHECK(holds_only(w, value) == iso);
    };
    operations::ewise_mult(out, op("PAIR_FP64"), u, v);
    check(true, 1);
    operations::ewise_mult(out, op("SECOND_FP64"), u, threes);
    check(true, 3);
    operations::ewise_mult(out, op("FIRST_FP64"), threes, u);
    check(true, 3);
    operations::ewise_mult(out, op("ANY_FP64"), threes, u);
    check(true, 3);
    operations::ewise_mult(out, op("FIRST_FP64"), u, threes);
    check(false, 3);
    operations::ewise_mult(out, op("PLUS_FP64"), threes, threes);
    check(true, 6);
    operations::ewise_add(out, op("MAX_FP64"), threes, threes);
    check(true, 3);
    operations::ewise_union(out, op("SECOND_FP64"), u, fp64_value(9), threes, fp64_value(3));
    check(true, 3);
    operations::ewise_union(out, op("SECOND_FP64"), u, fp64_value(9), threes, fp64_value(4));
    check(false, 3);
    operations::ewise_union(out, op("PAIR_FP64"), u, fp64_value(9), v, fp64_value(8));
    check(true, 1);
    operations::apply(out, *catalogue::unary_op("ONE_FP64"), u);
    check(true, 1);
    operations::apply_bind_second(out, op("SECOND_FP64"), u, fp64_value(8));
    check(true, 8);
    operations::apply_bind_first(out, op("ANY_FP64"), fp64_value(7), u);
    check(true, 7);
    operations::select(out, *catalogue::index_unary_op("VALUEEQ_FP64"), u, fp64_value(1));
    check(true, 1);
    operations::select(out, *catalogue::index_unary_op("ROWLE"), threes,
                       make_value(Type::of(TypeCode::Int64), 99));
    check(true, 3);
  }
}

TEST_CASE("single elements leave an iso vector iso when they have its value") {
  for (const Form form : {Form::sparse, Form::bitmap}) {
    const DeviceVector pattern = to_device(pattern_vector(7, 0.3), form, false);
    DeviceVector w = DeviceVector::empty(fp64, length);
    operations::assign_scalar({w, {&pattern, true, false}, std::nullopt, true}, fp64_value(3), {});
    operations::set_element(w, 11, fp64_value(3));
    operations::set_element(w, 12, fp64_value(3));
    CHECK(w.iso);
    operations::remove_element(w, 11);
    CHECK(w.iso);
    CHECK(holds_only(w, 3));
    CHECK_FALSE(operations::extract_element(w, 11).has_value());
    operations::set_element(w, 13, fp64_value(4));
    CHECK_FALSE(w.iso);
    CHECK(same_value(*operations::extract_element(w, 13), fp64_value(4)));
    CHECK(same_value(*operations::extract_element(w, 12), fp64_value(3)));
  }
}

TEST_CASE("products are iso where copies of a term add nothing, or all factors are full and iso") {
  const RefMatrix drawn = drawn_matrix(1);
  const DeviceMatrix a = to_device(drawn, false, false), threes = to_device(with_only(drawn, 3), false, true);
  Random random(8);
  const DeviceVector u = to_device(random_vector(random, fp64, 40, 0.4, false), Form::sparse, false);
  const DeviceVector twos = DeviceVector::full_of(fp64, 40, fp64_value(2).bytes.data());
  struct Expected {
    const char* semiring;
    const DeviceMatrix* matrix;
    const DeviceVector* vector;
    bool iso;
    double value;
  };
  for (const Expected& e : {Expected{"ANY_PAIR_FP64", &a, &u, true, 1},
                            {"MIN_FIRST_FP64", &threes, &u, true, 3},
                            {"MIN_SECOND_FP64", &a, &twos, true, 2},
                            {"MAX_PLUS_FP64", &threes, &twos, true, 5},
                            {"TIMES_PAIR_FP64", &a, &u, true, 1},
                            {"PLUS_TIMES_FP64", &threes, &twos, false, 6},
                            {"MIN_SECOND_FP64", &threes, &u, false, 3},
                            {"MIN_FIRSTI_INT64", &threes, &twos, false, 3}}) {
    INFO(e.semiring);
    const Semiring semiring = *catalogue::semiring(e.semiring);
    DeviceVector w = DeviceVector::empty(fp64, 40);
    operations::mxv({w, {}, std::nullopt, false}, {semiring, *e.matrix, *e.vector, false, false});
    CHECK(w.iso == e.iso);
    if (e.iso) CHECK(holds_only(w, e.value));
  }
  DeviceVector w = DeviceVector::empty(fp64, 40);
  const DeviceMatrix full = to_device(
      [] {
        RefMatrix all{fp64, 40, 40, {}};
        for (uint64_t i = 0; i < 40; ++i) {
          for (uint64_t j = 0; j < 40; ++j) all.entries[{i, j}] = fp64_value(3);
        }
        return all;
      }(),
      false, true);
  operations::mxv({w, {}, std::nullopt, false},
                  {*catalogue::semiring("PLUS_TIMES_FP64"), full, twos, false, false});
  CHECK(w.iso);
  CHECK(w.nvals() == 40);
  CHECK(holds_only(w, 240));
  DeviceMatrix c = matrix_by(formats::empty_csr(fp64, 40, 40), false);
  const MatrixOutput out{c, {}, std::nullopt, false};
  operations::mxm(out, {*catalogue::semiring("ANY_PAIR_FP64"), a, a});
  CHECK(c.stored.iso);
  CHECK(holds_only(c, 1));
  const uint64_t entries = c.nvals();
  operations::mxm(out, {*catalogue::semiring("MAX_PLUS_FP64"), threes, threes});
  CHECK(c.stored.iso);
  CHECK(c.nvals() == entries);
  CHECK(holds_only(c, 6));
  operations::mxm({c, {&a, true, false}, *catalogue::binary_op("MAX_FP64"), false},
                  {*catalogue::semiring("MAX_PLUS_FP64"), threes, threes});
  CHECK(c.stored.iso);
  operations::mxm(out, {*catalogue::semiring("PLUS_TIMES_FP64"), threes, threes});
  CHECK_FALSE(c.stored.iso);
}

TEST_CASE("matrices: by structure, element-wise and joined with what is there") {
  const DeviceMatrix a = to_device(drawn_matrix(1), false, false),
                     b = to_device(drawn_matrix(2), true, false);
  for (const bool by_column : {false, true}) {
    DeviceMatrix c = to_device(drawn_matrix(3), by_column, false);
    const uint64_t entries = c.nvals();
    operations::assign_scalar({c, {&c, true, false}, std::nullopt, false}, fp64_value(4));
    CHECK(c.stored.iso);
    CHECK(c.nvals() == entries);
    CHECK(holds_only(c, 4));
    operations::assign_scalar({c, {&a, true, false}, std::nullopt, false}, fp64_value(4));
    CHECK(c.stored.iso);
    CHECK(c.nvals() > entries);
    CHECK(holds_only(c, 4));
    operations::assign_scalar({c, {&a, false, true}, *catalogue::binary_op("MIN_FP64"), false},
                              fp64_value(4));
    CHECK(c.stored.iso);
    CHECK(holds_only(c, 4));
    operations::assign_scalar({c, {&b, true, false}, std::nullopt, false}, fp64_value(5));
    CHECK_FALSE(c.stored.iso);
    const MatrixOutput out{c, {}, std::nullopt, false};
    operations::ewise_mult(out, *catalogue::binary_op("PAIR_FP64"), {a}, {b});
    CHECK(c.stored.iso);
    CHECK(c.nvals() > 0);
    CHECK(holds_only(c, 1));
    operations::ewise_add(out, *catalogue::binary_op("MAX_FP64"), {c}, {c});
    CHECK(c.stored.iso);
    CHECK(holds_only(c, 1));
    operations::apply(out, *catalogue::unary_op("ONE_FP64"), {a, true});
    CHECK(c.stored.iso);
    operations::select(out, *catalogue::index_unary_op("VALUEEQ_FP64"), {a}, fp64_value(1));
    CHECK(c.stored.iso);
    CHECK(holds_only(c, 1));
  }
}
