// Aggregates, the levels of multigrid and conjugate gradients, each by properties that a right answer has.
#include "algorithms/algebraic_multigrid.hpp"

#include <set>

#include "tests/algorithms/graphs.h"
#include "tests/catch.h"
#include "tests/device_took_part.h"

using namespace cugrb;
using test_graphs::Example;

namespace {

using Dense = std::vector<std::vector<double>>;

Matrix<double> matrix_of(const graph_files::Csr& csr) {
  std::vector<Index> rows;
  for (Index i = 0; i < csr.nrows; ++i) rows.insert(rows.end(), csr.offsets[i + 1] - csr.offsets[i], i);
  Matrix<double> a(csr.nrows, csr.ncols);
  a.build(rows.data(), csr.columns.data(), csr.reals.data(), rows.size(), op::first<double>);
  return a;
}

/// The values of a matrix, 0 where there is no entry.
template <class T>
Dense dense(const Matrix<T>& a) {
  Dense d(a.nrows(), std::vector<double>(a.ncols()));
  const auto e = a.entries();
  for (size_t k = 0; k < e.values.size(); ++k) d[e.rows[k]][e.columns[k]] = static_cast<double>(e.values[k]);
  return d;
}

Dense product(const Dense& a, const Dense& b) {
  Dense c(a.size(), std::vector<double>(b[0].size()));
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t k = 0; k < b.size(); ++k) {
      if (a[i][k] == 0) continue;
      for (size_t j = 0; j < c[i].size(); ++j) c[i][j] += a[i][k] * b[k][j];
    }
  }
  return c;
}

Dense transposed_dense(const Dense& a) {
  Dense t(a[0].size(), std::vector<double>(a.size()));
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = 0; j < t.size(); ++j) t[j][i] = a[i][j];
  }
  return t;
}

/// The largest difference of two matrices of one shape.
double apart(const Dense& a, const Dense& b) {
  REQUIRE(a.size() == b.size());
  double most = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    REQUIRE(a[i].size() == b[i].size());
    for (size_t j = 0; j < a[i].size(); ++j) most = std::max(most, std::abs(a[i][j] - b[i][j]));
  }
  return most;
}

template <class Real>
Vector<Real> random_vector(Index n, unsigned seed) {
  std::mt19937 random(seed);
  Vector<Real> v(n, Real(0));
  for (Index i = 0; i < n; ++i)
    v.set(i, static_cast<Real>(static_cast<double>(random() % 20001) / 10000.0 - 1.0));
  return v;
}

/// ‖b - A x‖ / ‖b‖ on the host.
double relative_residual(const Matrix<double>& a, const Vector<double>& b, const Vector<double>& x) {
  const auto e = a.entries();
  const auto values = x.entries();
  REQUIRE(values.indices.size() == a.nrows());
  std::vector<double> r(a.nrows());
  double norm_b = 0, norm_r = 0;
  const auto right = b.entries();
  for (size_t k = 0; k < right.indices.size(); ++k) {
    r[right.indices[k]] = right.values[k];
    norm_b += right.values[k] * right.values[k];
  }
  for (size_t k = 0; k < e.values.size(); ++k) r[e.rows[k]] -= e.values[k] * values.values[e.columns[k]];
  for (const double ri : r) norm_r += ri * ri;
  return std::sqrt(norm_r / norm_b);
}

/// With a loop at every vertex.
Matrix<bool> with_loops(const Example& e) {
  Matrix<bool> c = test_graphs::graph_of(e).adjacency();
  for (Index i = 0; i < e.next.size(); ++i) c.set(i, i, true);
  return c;
}

/// The vertices within two edges of v, itself among them.
std::set<uint32_t> within_two(const Example& e, uint32_t v) {
  std::set<uint32_t> near = {v};
  for (int step = 0; step < 2; ++step) {
    for (const uint32_t i : std::set<uint32_t>(near)) near.insert(e.next[i].begin(), e.next[i].end());
  }
  return near;
}

/// Each vertex has one aggregate, whose root is within two edges, and next to it if any root is.
void check_aggregates(const Example& e, const Matrix<bool>& c, const Vector<bool>& roots) {
  const auto list = roots.entries();
  const Matrix<uint64_t> aggregate = aggregates(c, roots);
  CHECK(aggregate.ncols() == list.indices.size());
  const auto found = aggregate.entries();
  REQUIRE(found.values.size() == e.next.size());
  std::set<Index> rows;
  for (size_t k = 0; k < found.values.size(); ++k) {
    CHECK(found.values[k] == found.columns[k]);
    const auto i = static_cast<uint32_t>(found.rows[k]);
    const Index root = list.indices[found.columns[k]];
    rows.insert(i);
    CHECK(within_two(e, i).count(static_cast<uint32_t>(root)) == 1);
    for (const uint32_t j : e.next[i]) {
      if (roots.get(j)) CHECK(j == root);
    }
    if (roots.get(i)) CHECK(i == root);
  }
  CHECK(rows.size() == e.next.size());
}

const std::vector<std::pair<std::string, Matrix<double>>>& grids() {
  using namespace graph_files;
  static const std::vector<std::pair<std::string, Matrix<double>>> all = {
      {"5 points, 64 x 64", matrix_of(generate_poisson2d(64, 64, 5))},
      {"9 points, 64 x 64", matrix_of(generate_poisson2d(64, 64, 9))},
      {"7 points, 16 x 16 x 16", matrix_of(generate_poisson3d(16, 16, 16, 7))},
      {"27 points, 16 x 16 x 16", matrix_of(generate_poisson3d(16, 16, 16, 27))}};
  return all;
}

}  // namespace

TEST_CASE("roots are no two within two edges, and some root is within two edges of every vertex") {
  for (const Example& directed : test_graphs::many_small_graphs()) {
    const Example e = test_graphs::undirected(directed);
    const Matrix<bool> c = with_loops(e);
    for (const uint64_t seed : {uint64_t{0}, uint64_t{7}}) {
      INFO(e.name << ", seed " << seed);
      const Vector<bool> roots = independent_set_of_distance_2(c, seed);
      for (uint32_t i = 0; i < e.next.size(); ++i) {
        size_t near = 0;
        for (const uint32_t j : within_two(e, i)) near += roots.get(j).has_value();
        CHECK(near >= 1);
        if (roots.get(i)) CHECK(near == 1);
      }
      check_aggregates(e, c, roots);
    }
  }
}

TEST_CASE("the inverse of a small matrix is one, and a generalised one of a singular matrix") {
  using namespace graph_files;
  Matrix<double> laplacian = matrix_of(generate_poisson2d(5, 4));
  for (const bool singular : {false, true}) {
    if (singular) {
      // The degrees on the diagonal: constants are in the null space.
      const Matrix<double> others = select(laplacian, op::offdiag, 0);
      Vector<double> degrees = reduce_rows(others, monoid::plus<double>);
      degrees = apply(degrees, op::ainv<double>);
      laplacian = ewise_add(others, diagonal(degrees), op::plus<double>);
    }
    const Dense a = dense(laplacian), x = dense(detail::dense_inverse(laplacian, 4));
    CHECK(apart(x, transposed_dense(x)) < 1e-13);
    CHECK(apart(product(product(a, x), a), a) < 1e-12);
    Dense unit(20, std::vector<double>(20));
    for (size_t i = 0; i < 20; ++i) unit[i][i] = 1;
    CHECK((apart(product(a, x), unit) < 1e-12) == !singular);
  }
}

TEST_CASE("the spectral radius is at most that of the grid, and not far below") {
  const Matrix<double> a = matrix_of(graph_files::generate_poisson2d(30, 20));
  const double exact = 1 + (std::cos(M_PI / 31) + std::cos(M_PI / 21)) / 2;
  const Matrix<double> s = apply(a, op::times<double>, 0.25);
  const double found = detail::spectral_radius(s, Vector<double>(600, 4.0), 0);
  CHECK(found <= exact * (1 + 1e-12));
  CHECK(found >= 0.9 * exact);
}

TEST_CASE("levels are Algorithm 1's: T has orthonormal columns that span B, P smooths it, A' = R A P") {
  const Matrix<double> a = matrix_of(graph_files::generate_poisson2d(13, 9));
  MultigridOptions options;
  options.coarse_rows = 4;
  const Multigrid<double> multigrid(a, options);
  REQUIRE(multigrid.levels().size() >= 2);
  Vector<double> b(a.nrows(), 1.0);
  const auto& fine = multigrid.levels()[0];
  const Matrix<bool> strong = detail::strong_connections(a, 0);
  CHECK(strong.nvals() == a.nvals());
  const Matrix<double> tentative =
      detail::tentative_prolongator(aggregates(strong, independent_set_of_distance_2(strong, 1)), b);
  const Dense t = dense(tentative);
  const Dense gram = product(transposed_dense(t), t);
  for (size_t i = 0; i < gram.size(); ++i) {
    for (size_t j = 0; j < gram.size(); ++j) CHECK(std::abs(gram[i][j] - (i == j)) < 1e-14);
  }
  const auto coarse_b = b.entries();
  for (const auto& row : t) {
    double sum = 0;
    for (size_t j = 0; j < row.size(); ++j) sum += row[j] * coarse_b.values[j];
    CHECK(std::abs(sum - 1) < 1e-14);
  }
  Dense expected = product(dense(fine.a), t);
  const auto weights = fine.weights.entries();
  for (size_t i = 0; i < t.size(); ++i) {
    for (size_t j = 0; j < t[i].size(); ++j) expected[i][j] = t[i][j] - weights.values[i] * expected[i][j];
  }
  CHECK(apart(dense(*fine.prolongator), expected) < 1e-14);
  for (size_t k = 0; k + 1 < multigrid.levels().size(); ++k) {
    const auto& level = multigrid.levels()[k];
    const Dense p = dense(*level.prolongator), r = dense(*level.restrictor);
    CHECK(apart(r, transposed_dense(p)) == 0);
    CHECK(apart(product(r, product(dense(level.a), p)), dense(multigrid.levels()[k + 1].a)) < 1e-13);
  }
}

TEST_CASE("strong connections are those above the threshold, whatever the scale of the matrix") {
  for (const double scale : {1.0, 1e-6}) {
    Matrix<double> a(7, 7);
    for (Index i = 0; i < 7; ++i) a.set(i, i, 2 * scale);
    const auto link = [&](Index i, Index j, double value) {
      a.set(i, j, value * scale);
      a.set(j, i, value * scale);
    };
    link(0, 1, -1), link(1, 2, -1), link(3, 4, -1), link(4, 5, -1);
    link(0, 3, -0.01), link(1, 4, 0.01), link(2, 5, 0);
    CHECK(detail::strong_connections(a, 0).nvals() == 7 + 12);
    const Matrix<bool> strong = detail::strong_connections(a, 0.1);
    CHECK(strong.nvals() == 7 + 8);
    for (Index i = 0; i < 7; ++i) CHECK(strong.get(i, i) == true);
    CHECK(!strong.get(0, 3));
  }
}

TEST_CASE("a V-cycle is a symmetric and positive operator") {
  const auto& a = grids()[0].second;
  for (const int sweeps : {1, 2}) {
    MultigridOptions options;
    options.sweeps = sweeps;
    const Multigrid<double> multigrid(a, options);
    const auto u = random_vector<double>(a.nrows(), 1), v = random_vector<double>(a.nrows(), 2);
    const double uv = detail::dot(u, multigrid(v)), vu = detail::dot(v, multigrid(u));
    const double uu = detail::dot(u, multigrid(u)), vv = detail::dot(v, multigrid(v));
    CHECK((uu > 0 && vv > 0));
    CHECK(std::abs(uv - vu) <= 1e-12 * std::sqrt(uu * vv));
  }
}

TEST_CASE("conjugate gradients with a V-cycle take at most 30 iterations on Poisson problems") {
  for (const auto& [name, a] : grids()) {
    INFO(name);
    const Multigrid<double> multigrid(a);
    CHECK(multigrid.levels().size() >= 2);
    CHECK(multigrid.coarsest_is_solved());
    const auto b = random_vector<double>(a.nrows(), 3);
    const auto result = conjugate_gradients(a, b, multigrid, {1e-8, 100});
    CAPTURE(result.iterations);
    CHECK(result.converged);
    CHECK(result.iterations <= 30);
    CHECK(result.residuals.size() == static_cast<size_t>(result.iterations));
    CHECK(relative_residual(a, b, result.x) <= 1.001e-8);
  }
  CHECK(test::device_left_out(100) == "");
}

TEST_CASE("in single precision the residual comes as far as rounding lets it") {
  const Matrix<float> a = apply(grids()[0].second, op::identity<float>);
  const auto result =
      conjugate_gradients(a, random_vector<float>(a.nrows(), 4), Multigrid<float>(a), {1e-4, 40});
  CHECK(result.converged);
  CHECK(result.iterations <= 15);
}

TEST_CASE("without a preconditioner it solves, with an empty right side there is nothing to do") {
  const Matrix<double> a = matrix_of(graph_files::generate_poisson2d(8, 8));
  Vector<double> b(64);
  b.set(5, 1.0);
  const auto result = conjugate_gradients(a, b, NoPreconditioner{}, {1e-10, 64});
  CHECK(result.converged);
  CHECK(relative_residual(a, b, result.x) <= 1.001e-10);
  const auto nothing = conjugate_gradients(a, Vector<double>(64));
  CHECK(nothing.converged);
  CHECK(nothing.iterations == 0);
  CHECK(nothing.x.nvals() == 64);
}

TEST_CASE("a singular system, parts without connection, and a limit of levels are no obstacle") {
  using namespace graph_files;
  SECTION("a graph's Laplacian") {
    const Matrix<double> grid = matrix_of(generate_poisson2d(20, 20));
    const Matrix<double> others = select(grid, op::offdiag, 0);
    Vector<double> degrees = reduce_rows(others, monoid::plus<double>);
    degrees = apply(degrees, op::ainv<double>);
    const Matrix<double> a = ewise_add(others, diagonal(degrees), op::plus<double>);
    Vector<double> b(400, 0.0);
    b.set(0, 1.0), b.set(399, -1.0);
    for (const Index coarse_rows : {Index{100}, Index{1}}) {
      MultigridOptions options;
      options.coarse_rows = coarse_rows;
      const auto result = conjugate_gradients(a, b, Multigrid<double>(a, options));
      CHECK(result.converged);
      CHECK(relative_residual(a, b, result.x) <= 1.1e-8);
    }
  }
  SECTION("only a diagonal") {
    auto d = random_vector<double>(300, 5);
    d = apply(d, op::plus<double>, 2.0);
    const Matrix<double> a = diagonal(d);
    const Multigrid<double> multigrid(a);
    CHECK(multigrid.levels().size() == 1);
    CHECK(!multigrid.coarsest_is_solved());
    CHECK(conjugate_gradients(a, Vector<double>(300, 1.0), multigrid).converged);
  }
  SECTION("two levels") {
    MultigridOptions options;
    options.level_limit = 2;
    options.strength = 0;
    const auto& a = grids()[0].second;
    const Multigrid<double> multigrid(a, options);
    CHECK(multigrid.levels().size() == 2);
    CHECK(!multigrid.coarsest_is_solved());
    CHECK(conjugate_gradients(a, Vector<double>(a.nrows(), 1.0), multigrid).iterations <= 60);
  }
}

TEST_CASE("what cannot converge says so, and what is no problem for multigrid is refused") {
  Matrix<double> indefinite(2, 2);
  indefinite.set(0, 0, 1.0), indefinite.set(1, 1, 1.0);
  indefinite.set(0, 1, -3.0), indefinite.set(1, 0, -3.0);
  CHECK(!conjugate_gradients(indefinite, Vector<double>(2, 1.0)).converged);
  const auto& grid = grids()[0].second;
  CHECK(!conjugate_gradients(grid, Vector<double>(4096, 1.0), NoPreconditioner{}, {1e-8, 2}).converged);
  CHECK_THROWS_AS(conjugate_gradients(grid, Vector<double>(5, 1.0)), Error);
  CHECK_THROWS_AS(conjugate_gradients(grid, Vector<double>(4096), NoPreconditioner{}, {-1, 2}), Error);

  CHECK_THROWS_AS(Multigrid<double>(Matrix<double>(2, 3)), Error);
  CHECK_THROWS_AS(Multigrid<double>(Matrix<double>(0, 0)), Error);
  CHECK_THROWS_AS(Multigrid<double>(Matrix<double>(2, 2)), Error);
  Matrix<double> lower = diagonal(Vector<double>(3, 2.0));
  lower.set(2, 1, -1.0);
  CHECK_THROWS_AS(Multigrid<double>(lower), Error);
  CHECK_THROWS_AS(Multigrid<double>(diagonal(Vector<double>(3, -1.0))), Error);
  MultigridOptions wrong;
  wrong.relaxation = 2;
  CHECK_THROWS_AS(Multigrid<double>(grid, wrong), Error);
}
