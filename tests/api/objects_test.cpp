// Objects of the C++ API: ownership, elements, errors, user-defined types and operators, composed semirings.
#include "cugrb/graphblas.hpp"
#include "tests/catch.h"

CUGRB_TYPE(point, double x; double y;)
CUGRB_BINARY_OP(nearer, point, point, point, z = x.x * x.x + x.y * x.y <= y.x * y.x + y.y * y.y ? x : y)
CUGRB_BINARY_OP(scaled, point, float, point, z.x = x * y.x; z.y = x * y.y)
CUGRB_BINARY_OP(plus_modulo, int64_t, int64_t, int64_t, z = (x + y) % 1000003)
CUGRB_UNARY_OP(square, float, float, z = x * x)
CUGRB_INDEX_UNARY_OP(in_band, bool, float, int64_t, z = (i > j ? i - j : j - i) <= (uint64_t)thunk && x != 0)

using namespace cugrb;

namespace {
std::string message_of(const std::function<void()>& call, GrB_Info expected) {
  try {
    call();
  } catch (const Error& error) {
    CHECK(error.info() == expected);
    return error.what();
  }
  FAIL("no error was thrown");
  return "";
}
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
}  // namespace

TEST_CASE("copies are deep, moves keep the handle") {
  Vector<float> u(3);
  u.set(1, 2.5f);
  const GrB_Vector handle = u.handle();
  Vector<float> copy(u), moved(std::move(u));
  CHECK(moved.handle() == handle);
  copy.set(1, 4.0f);
  CHECK(moved.get(1) == 2.5f);
  copy = moved;
  CHECK(copy.get(1) == 2.5f);
  CHECK(copy.handle() != moved.handle());
  GrB_Vector released = copy.release();
  const Vector<float> adopted = Vector<float>::adopt(released);
  CHECK(adopted.get(1) == 2.5f);
  Matrix<int32_t> a(2, 2);
  a.set(0, 1, 3);
  Matrix<int32_t> b(a);
  b.set(0, 1, 5);
  CHECK(a.get(0, 1) == 3);
  a = std::move(b);
  CHECK(a.get(0, 1) == 5);
}

TEST_CASE("elements can be set, read, removed and built") {
  Vector<bool> b(4);
  CHECK_FALSE(b.get(2).has_value());
  b.set(2, false);
  CHECK(b.get(2) == false);
  b.remove(2);
  CHECK(b.nvals() == 0);
  const Index at_3[] = {3, 3, 0};
  const int64_t values[] = {5, 6, 7};
  Vector<int64_t> v(4);
  v.build(at_3, values, 3, op::plus<int64_t>);
  CHECK(v.get(3) == 11);
  CHECK(v.get(0) == 7);
  v.resize(2);
  CHECK(v.nvals() == 1);
  v.clear();
  CHECK(v.nvals() == 0);
  Scalar<float> s;
  CHECK_FALSE(s.get().has_value());
  s.set(3.5f);
  CHECK(Scalar<float>(s).get() == 3.5f);
}

TEST_CASE("CSR arrays become a matrix without a copy") {
  auto* offsets = static_cast<Index*>(std::malloc(4 * sizeof(Index)));
  auto* columns = static_cast<Index*>(std::malloc(3 * sizeof(Index)));
  auto* values = static_cast<double*>(std::malloc(3 * sizeof(double)));
  const Index o[] = {0, 1, 1, 3}, c[] = {2, 0, 1};
  const double x[] = {1.5, 2.5, 3.5};
  std::copy_n(o, 4, offsets);
  std::copy_n(c, 3, columns);
  std::copy_n(x, 3, values);
  const auto a = Matrix<double>::adopt_csr(3, 3, offsets, columns, values, false);
  CHECK(a.nvals() == 3);
  CHECK(a.get(0, 2) == 1.5);
  CHECK(a.get(2, 1) == 3.5);
}

TEST_CASE("errors name the operation, the shapes, the code and the library's text") {
  Matrix<float> a(10, 20);
  Vector<float> u(30), w(10);
  const std::string text = message_of([&] { w = mxv(a, u, plus_times<float>); }, GrB_DIMENSION_MISMATCH);
  CHECK(contains(text, "GrB_mxv (output: 10, A: 10x20, u: 30)"));
  CHECK(contains(text, "GrB_DIMENSION_MISMATCH"));
  CHECK(contains(text, "Dimensions not compatible"));
  CHECK(contains(message_of([&] { w(structure(u)) = 1.0f; }, GrB_DIMENSION_MISMATCH), "mask: 30"));
  message_of([&] { w.set(10, 1.0f); }, GrB_INVALID_INDEX);
  message_of([&] { w(at({2, 10})) = 1.0f; }, GrB_INDEX_OUT_OF_BOUNDS);
  message_of([&] { w.get(10); }, GrB_INVALID_INDEX);
  const Index i[] = {0};
  const float x[] = {1};
  w.set(0, 1);
  message_of([&] { w.build(i, x, 1, op::plus<float>); }, GrB_OUTPUT_NOT_EMPTY);
  message_of([&] { Vector<float> too_long(GrB_INDEX_MAX + 2); }, GrB_INVALID_VALUE);
}

TEST_CASE("an error leaves the output as it was") {
  Matrix<float> a(3, 4);
  Vector<float> u(3), w(3, 1.0f);
  CHECK_THROWS_AS(w = mxv(a, u, plus_times<float>), Error);
  CHECK(w.nvals() == 3);
  w += u;
  CHECK(w.get(2) == 1.0f);
}

TEST_CASE("user-defined operators and types compute on whatever runs them") {
  Vector<float> u(4, 3.0f);
  const Vector<float> squares = apply(u, square);
  CHECK(reduce(squares, monoid::plus<float>) == 36);
  Matrix<float> a(4, 4);
  for (Index i = 0; i < 4; ++i) {
    for (Index j = 0; j < 4; ++j) a.set(i, j, static_cast<float>(1 + i + j));
  }
  CHECK(Matrix<float>(select(a, in_band, 1)).nvals() == 10);
  Vector<point> p(4);
  p.set(0, {3, 4});
  p.set(1, {1, 1});
  p.set(3, {0, 2});
  const auto nearest = make_monoid(nearer, point{1e30, 1e30});
  CHECK(reduce(p, nearest).x == 1);
  const auto nearest_scaled = make_semiring(nearest, scaled);
  const Vector<point> q = mxv(a, p, nearest_scaled);  // row 3: 4*(3,4), 5*(1,1), 7*(0,2): 5*(1,1) is nearest
  CHECK(q.get(3)->x == 5);
  CHECK(q.get(3)->y == 5);
}

TEST_CASE("user-defined operators work in every vector operation") {
  Vector<int64_t> u(5, 1000000), v(5);
  v.set(1, 10);
  v.set(4, 20);
  CHECK(Vector<int64_t>(ewise_add(u, v, plus_modulo)).get(1) == 7);
  CHECK(Vector<int64_t>(ewise_mult(u, v, plus_modulo)).nvals() == 2);
  CHECK(Vector<int64_t>(apply(v, plus_modulo, 5)).get(4) == 25);
  Vector<int64_t> w(5, 1000002);
  w(accumulate(plus_modulo), structure(v)) = u;
  CHECK(w.get(0) == 1000002);
  CHECK(w.get(1) == 999999);
}

TEST_CASE("composed monoids and semirings are made once and freed with their owner") {
  Vector<float> u(3, 2.0f), w(3);
  Matrix<float> a(3, 3);
  a.set(0, 0, 4.0f);
  for (int k = 0; k < 3; ++k) {
    const auto s = make_semiring(monoid::max<float>, op::minus<float>);
    const GrB_Semiring handle = s.handle();
    CHECK(handle == s.handle());
    w = mxv(a, u, s);
    CHECK(w.get(0) == 2.0f);
  }
}

TEST_CASE("positional, comparing and ANY semirings are what their names say") {
  Matrix<float> a(3, 3);
  a.set(0, 1, 5.0f);
  a.set(0, 2, 7.0f);
  a.set(2, 2, 1.0f);
  Vector<float> u(3, 6.0f);
  CHECK(Vector<int32_t>(mxv(a, u, min_secondi<int32_t>)).get(0) == 1);
  CHECK(Vector<int64_t>(mxv(a, u, max_secondi<int64_t>)).get(0) == 2);
  CHECK(Vector<bool>(mxv(a, u, lor_gt<float>)).get(0) == true);
  CHECK(Vector<bool>(mxv(a, u, lor_gt<float>)).get(2) == false);
  CHECK(Vector<bool>(mxv(a, u, any_pair<bool>)).nvals() == 2);
  CHECK(Vector<int64_t>(mxv(a, u, plus_pair<int64_t>)).get(0) == 2);
}
