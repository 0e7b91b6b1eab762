// Every operation of the C++ API against the obvious reference, with every combination of mask, complement,
// structure, replace and accumulator.
#include "tests/api/reference.h"
#include "tests/catch.h"
#include "tests/device_took_part.h"

using namespace cugrb;
using reference::Entries;

namespace {

const Context context;

/// Assigns `expression()` to copies of `output` with every combination of options; `t` is the expected result
/// T.
template <class Object, class MakeExpression>
void check_all_options(const Object& output, const Object& m, const Entries& t, uint64_t n,
                       const MakeExpression& expression) {
  const Entries mask_entries = reference::entries(m), before = reference::entries(output);
  for (int k = 0; k < 32; ++k) {
    const bool masked = k & 1, structural = k & 2, complement = k & 4, replaced = k & 8, accumulated = k & 16;
    if (!masked && (structural || complement)) continue;
    INFO("masked " << masked << " structural " << structural << " complement " << complement << " replace "
                   << replaced << " accumulated " << accumulated);
    reference::Options options{masked ? &mask_entries : nullptr, structural, complement, replaced, {}};
    if (accumulated) options.accumulate = [](int64_t a, int64_t b) { return a - b; };
    Object w(output);
    auto chosen = structural ? structure(m) : mask(m);
    if (complement) chosen = !chosen;
    const auto assign = [&](auto&& target) { target = expression(); };
    const Accumulator minus = accumulate(op::minus<int64_t>);
    if (!masked && !replaced && !accumulated) assign(w());
    if (!masked && !replaced && accumulated) assign(w(minus));
    if (!masked && replaced && !accumulated) assign(w(replace));
    if (!masked && replaced && accumulated) assign(w(minus, replace));
    if (masked && !replaced && !accumulated) assign(w(chosen));
    if (masked && !replaced && accumulated) assign(w(minus, chosen));
    if (masked && replaced && !accumulated) assign(w(chosen, replace));
    if (masked && replaced && accumulated) assign(w(replace, chosen, minus));
    CHECK(reference::entries(w) == reference::write_back(before, t, n, options));
  }
}

/// T = A ⊕.⊗ u for (plus, times), by the definition.
Entries product(const Entries& a, const Entries& u, uint64_t rows, uint64_t columns, bool transposed) {
  Entries t;
  for (const auto& [place, value] : a) {
    const uint64_t i = place / columns, j = place % columns;
    const auto x = u.find(transposed ? i : j);
    if (x != u.end()) t[transposed ? j : i] += value * x->second;
  }
  static_cast<void>(rows);
  return t;
}

constexpr uint64_t rows = 13, columns = 9;

}  // namespace

TEST_CASE("mxv and vxm agree with the definition for every mask, replace and accumulator") {
  std::mt19937 random(1);
  const auto a = reference::random_matrix(random, rows, columns, 0.3);
  const auto u = reference::random_vector(random, columns, 0.5),
             v = reference::random_vector(random, rows, 0.5);
  const auto wide = reference::random_vector(random, rows, 0.5),
             narrow = reference::random_vector(random, columns, 0.5);
  const Entries ea = reference::entries(a), eu = reference::entries(u), ev = reference::entries(v);
  const Entries by_rows = product(ea, eu, rows, columns, false),
                by_columns = product(ea, ev, rows, columns, true);
  check_all_options(wide, v, by_rows, rows, [&] { return mxv(a, u, plus_times<int64_t>); });
  check_all_options(wide, v, by_rows, rows, [&] { return vxm(u, transpose(a), plus_times<int64_t>); });
  check_all_options(narrow, u, by_columns, columns, [&] { return vxm(v, a, plus_times<int64_t>); });
  check_all_options(narrow, u, by_columns, columns,
                    [&] { return mxv(transpose(a), v, plus_times<int64_t>); });
  CHECK(test::device_left_out(100) == "");
}

TEST_CASE("mxm agrees with the definition, transposed operands included") {
  std::mt19937 random(2);
  const auto a = reference::random_matrix(random, rows, columns, 0.3),
             b = reference::random_matrix(random, columns, rows, 0.3);
  const auto c = reference::random_matrix(random, rows, rows, 0.3),
             m = reference::random_matrix(random, rows, rows, 0.3);
  Entries t;
  for (const auto& [p, x] : reference::entries(a)) {
    for (const auto& [q, y] : reference::entries(b)) {
      if (p % columns == q / rows) t[p / columns * rows + q % rows] += x * y;
    }
  }
  check_all_options(c, m, t, rows * rows, [&] { return mxm(a, b, plus_times<int64_t>); });
  const Matrix<int64_t> at = transposed(a), bt = transposed(b);
  check_all_options(c, m, t, rows * rows,
                    [&] { return mxm(transpose(at), transpose(bt), plus_times<int64_t>); });
}

TEST_CASE("ewise_add is the union and ewise_mult the intersection") {
  std::mt19937 random(3);
  const auto u = reference::random_vector(random, rows, 0.5), v = reference::random_vector(random, rows, 0.5);
  const auto w = reference::random_vector(random, rows, 0.5), m = reference::random_vector(random, rows, 0.5);
  const Entries eu = reference::entries(u), ev = reference::entries(v);
  Entries both, either = eu;
  for (const auto& [i, y] : ev) {
    const auto x = eu.find(i);
    either[i] = x != eu.end() ? x->second - y : y;
    if (x != eu.end()) both[i] = x->second - y;
  }
  check_all_options(w, m, either, rows, [&] { return ewise_add(u, v, op::minus<int64_t>); });
  check_all_options(w, m, both, rows, [&] { return ewise_mult(u, v, op::minus<int64_t>); });
}

TEST_CASE("apply uses unary, bound and index operators", "[every-option]") {
  std::mt19937 random(4);
  const auto u = reference::random_vector(random, rows, 0.6), w = reference::random_vector(random, rows, 0.5);
  const auto m = reference::random_vector(random, rows, 0.5);
  const auto mapped = [&](const std::function<int64_t(uint64_t, int64_t)>& f) {
    Entries t;
    for (const auto& [i, x] : reference::entries(u)) t[i] = f(i, x);
    return t;
  };
  check_all_options(w, m, mapped([](uint64_t, int64_t x) { return x < 0 ? -x : x; }), rows,
                    [&] { return apply(u, op::abs<int64_t>); });
  check_all_options(w, m, mapped([](uint64_t, int64_t x) { return x - 7; }), rows,
                    [&] { return apply(u, op::minus<int64_t>, 7); });
  check_all_options(w, m, mapped([](uint64_t, int64_t x) { return 7 - x; }), rows,
                    [&] { return apply(7, op::minus<int64_t>, u); });
  check_all_options(w, m, mapped([](uint64_t i, int64_t) { return static_cast<int64_t>(i) + 3; }), rows,
                    [&] { return apply(u, op::row_index<int64_t>, 3); });
}

TEST_CASE("select keeps entries by value and by place", "[every-option]") {
  std::mt19937 random(5);
  const auto u = reference::random_vector(random, rows, 0.6), w = reference::random_vector(random, rows, 0.5);
  const auto m = reference::random_vector(random, rows, 0.5);
  Entries positive;
  for (const auto& [i, x] : reference::entries(u)) {
    if (x > 0) positive[i] = x;
  }
  check_all_options(w, m, positive, rows, [&] { return select(u, op::value_gt<int64_t>, 0); });
  const auto a = reference::random_matrix(random, rows, rows, 0.4);
  Entries lower;
  for (const auto& [p, x] : reference::entries(a)) {
    if (p % rows < p / rows) lower[p] = x;
  }
  CHECK(reference::entries(Matrix<int64_t>(select(a, op::tril, -1))) == lower);
}

TEST_CASE("assignment of scalars and vectors follows masks, parts and accumulators") {
  std::mt19937 random(6);
  const auto u = reference::random_vector(random, rows, 0.6), w = reference::random_vector(random, rows, 0.5);
  const auto m = reference::random_vector(random, rows, 0.5);
  Entries everywhere;
  for (uint64_t i = 0; i < rows; ++i) everywhere[i] = 4;
  check_all_options(w, m, everywhere, rows, [&] { return int64_t{4}; });
  check_all_options(w, m, reference::entries(u), rows, [&]() -> const Vector<int64_t>& { return u; });

  Vector<int64_t> x(6, 1);
  x(at({0, 5})) = 7;
  x(at(range(1, 4))) += int64_t{10};
  CHECK(reference::entries(x) == Entries{{0, 7}, {1, 11}, {2, 11}, {3, 11}, {4, 1}, {5, 7}});
  Vector<int64_t> part(2);
  part.set(1, 3);
  x(at({2, 4})) = part;  // position 0 of the part has no entry: x loses its own at 2
  CHECK(reference::entries(x) == Entries{{0, 7}, {1, 11}, {3, 11}, {4, 3}, {5, 7}});
  x(at(range(0, 0))) = 9;
  CHECK(x.nvals() == 5);
  Matrix<int64_t> c(3, 4);
  c(at({1}, all)) = 5;
  c(at(all, range(0, 4, 2))) = 6;
  CHECK(reference::entries(c) == Entries{{0, 6}, {2, 6}, {4, 6}, {5, 5}, {6, 6}, {7, 5}, {8, 6}, {10, 6}});
}

TEST_CASE("extract gathers by index list, range and column", "[every-option]") {
  std::mt19937 random(7);
  const auto u = reference::random_vector(random, rows, 0.7), w = reference::random_vector(random, 4, 0.5);
  const auto m = reference::random_vector(random, 4, 0.5);
  const std::vector<Index> places{12, 3, 3, 0};
  const Entries eu = reference::entries(u);
  Entries t;
  for (uint64_t k = 0; k < places.size(); ++k) {
    if (eu.count(places[k]) > 0) t[k] = eu.at(places[k]);
  }
  check_all_options(w, m, t, 4, [&] { return extract(u, places); });
  CHECK(Vector<int64_t>(extract(u, range(2, 9, 3))).size() == 3);
  CHECK_THROWS_AS(range(0, 5, 0), Error);
  CHECK(reference::entries(Vector<int64_t>(extract(u, all))) == eu);
  const auto a = reference::random_matrix(random, rows, columns, 0.5);
  const Matrix<int64_t> block = extract(a, {1, 2}, all);
  CHECK(block.nrows() == 2);
  CHECK(block.ncols() == columns);
  const Vector<int64_t> row = extract_column(transpose(a), all, 2);
  for (Index j = 0; j < columns; ++j) {
    CHECK(block.get(1, j) == a.get(2, j));
    CHECK(row.get(j) == a.get(2, j));
  }
}

TEST_CASE("a diagonal scales rows from the left and columns from the right") {
  std::mt19937 random(9);
  const auto a = reference::random_matrix(random, rows, columns, 0.4);
  const auto u = reference::random_vector(random, rows, 0.6),
             v = reference::random_vector(random, columns, 0.6);
  const Matrix<int64_t> d = diagonal(u);
  CHECK(d.nrows() == rows);
  CHECK(d.ncols() == rows);
  CHECK(d.nvals() == u.nvals());
  Entries by_rows, by_columns;
  for (const auto& [p, x] : reference::entries(a)) {
    if (const auto scale = u.get(p / columns)) by_rows[p] = *scale * x;
    if (const auto scale = v.get(p % columns)) by_columns[p] = x * *scale;
  }
  CHECK(reference::entries(Matrix<int64_t>(mxm(d, a, plus_times<int64_t>))) == by_rows);
  CHECK(reference::entries(Matrix<int64_t>(mxm(a, diagonal(v), plus_times<int64_t>))) == by_columns);
  CHECK(diagonal(Vector<int64_t>(3)).nvals() == 0);
}

TEST_CASE("the diagonal of a matrix is a vector of its shorter side") {
  std::mt19937 random(10);
  for (const auto& a : {reference::random_matrix(random, rows, columns, 0.4),
                        reference::random_matrix(random, columns, rows, 0.4)}) {
    const Vector<int64_t> d = diagonal_of(a);
    REQUIRE(d.size() == std::min(a.nrows(), a.ncols()));
    for (Index i = 0; i < d.size(); ++i) CHECK(d.get(i) == a.get(i, i));
  }
}

TEST_CASE("reductions give the monoid over all entries, and its identity over none") {
  std::mt19937 random(8);
  const auto u = reference::random_vector(random, rows, 0.6);
  int64_t sum = 0, least = INT64_MAX;
  for (const auto& [i, x] : reference::entries(u)) {
    sum += x;
    least = std::min(least, x);
  }
  CHECK(reduce(u, monoid::plus<int64_t>) == sum);
  CHECK(reduce(u, monoid::min<int64_t>) == least);
  CHECK(reduce(Vector<int64_t>(3), monoid::min<int64_t>) == INT64_MAX);
  CHECK(reduce(Vector<int64_t>(3), monoid::plus<int64_t>) == 0);
  const auto a = reference::random_matrix(random, rows, columns, 0.4);
  Entries sums_of_rows;
  for (const auto& [p, x] : reference::entries(a)) sums_of_rows[p / columns] += x;
  CHECK(reference::entries(Vector<int64_t>(reduce_rows(a, monoid::plus<int64_t>))) == sums_of_rows);
}

TEST_CASE("shorthand accumulators add, subtract and multiply") {
  Vector<int64_t> u(3, 5), w(3, 2);
  w += apply(u, op::identity<int64_t>);
  CHECK(w.get(0) == 7);
  w -= u;
  CHECK(w.get(1) == 2);
  w *= u;
  CHECK(w.get(2) == 10);
  w += int64_t{1};
  CHECK(w.get(2) == 11);
}
