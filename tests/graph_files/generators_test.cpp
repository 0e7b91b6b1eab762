// Generators: the same graph everywhere, with the properties their documentation promises.
#include <thread>

#include "tests/catch.h"
#include "tests/graph_files/helpers.h"
#include "tools/graph_files/parallel.h"

using namespace cugrb::graph_files;
using Catch::Matchers::Contains;
using helpers::message_of;

namespace {

/// FNV-1a over shape, offsets and columns.
uint64_t digest(const Csr& a) {
  uint64_t hash = 14695981039346656037u;
  const auto add = [&hash](uint64_t word) {
    for (int byte = 0; byte < 8; ++byte) hash = (hash ^ (word >> (8 * byte) & 255)) * 1099511628211u;
  };
  add(a.nrows);
  for (uint64_t i = 0; i <= a.nrows; ++i) add(a.offsets[i]);
  for (uint64_t p = 0; p < a.entries(); ++p) add(a.columns[p]);
  return hash;
}

/// Rows ascending without duplicates, columns in range; with `graph` also no loops, and symmetric when it
/// says so.
void check_form(const Csr& a, bool graph) {
  bool ascending = true, in_range = true, loops = false, symmetric = true;
  for (uint64_t i = 0; i < a.nrows; ++i) {
    for (uint64_t p = a.offsets[i]; p < a.offsets[i + 1]; ++p) {
      const uint64_t j = a.columns[p];
      ascending = ascending && (p == a.offsets[i] || a.columns[p - 1] < j);
      in_range = in_range && j < a.ncols;
      loops = loops || i == j;
      symmetric = symmetric &&
                  std::binary_search(a.columns.data() + a.offsets[j], a.columns.data() + a.offsets[j + 1], i);
    }
  }
  CHECK(ascending);
  CHECK(in_range);
  if (graph) CHECK_FALSE(loops);
  if (a.symmetric) CHECK(symmetric);
}

}  // namespace

TEST_CASE("a seed gives the same graph on every platform") {
  // Recorded once; a change of these numbers is a change of every benchmark that names a generated graph.
  CHECK(digest(generate_by_name("rmat:10:8")) == 17933294586806541826u);
  CHECK(digest(generate_by_name("rmat:10:8:7:directed")) == 5202583660649215531u);
  CHECK(digest(generate_by_name("uniform:1000:6")) == 5836686740584716230u);
  CHECK(digest(generate_by_name("rmat:10:8:2")) != digest(generate_by_name("rmat:10:8:1")));
}

TEST_CASE("the number of threads does not matter") {
  std::vector<uint64_t> digests(3);
  std::vector<std::thread> threads;
  for (uint64_t& d : digests)
    threads.emplace_back([&d] { d = digest(generate_rmat({12, 8, 5, EdgeDirection::undirected})); });
  for (std::thread& thread : threads) thread.join();
  CHECK(digests[0] == digests[1]);
  CHECK(digests[1] == digests[2]);
}

TEST_CASE("generated graphs have sorted rows, no loops, no duplicates, and are symmetric when undirected") {
  for (const char* name : {"rmat:0:4", "rmat:1:4", "rmat:11:16", "rmat:11:16:3:directed", "uniform:777:5",
                           "uniform:1:3", "uniform:0:3", "uniform:777:5:2:directed"}) {
    INFO(name);
    check_form(generate_by_name(name), true);
  }
}

TEST_CASE("R-MAT follows Graph500's probabilities") {
  const Csr a = generate_rmat({13, 16, 1, EdgeDirection::directed});
  // The expected share of the heaviest vertex among drawn edges is (a + b)^scale = 0.76^13 = 2.8 %; uniform
  // would be 0.01 %.
  uint64_t largest = 0, empty = 0;
  for (uint64_t i = 0; i < a.nrows; ++i) {
    largest = std::max(largest, a.offsets[i + 1] - a.offsets[i]);
    empty += a.offsets[i + 1] == a.offsets[i];
  }
  CHECK(largest > 1000);
  CHECK(largest < 4000);
  CHECK(empty > a.nrows / 5);
  CHECK(a.entries() > 100000);
  CHECK(a.entries() <= 16 * a.nrows);
}

TEST_CASE("Laplacians and bands have the right stencils") {
  const Csr five = generate_poisson2d(4, 3);
  check_form(five, false);
  CHECK(five.entries() == 12 + 2 * (3 * 3 + 4 * 2));
  const Csr nine = generate_poisson2d(4, 3, 9);
  CHECK(nine.entries() == (3 * 4 - 2) * (3 * 3 - 2));
  const Csr seven = generate_poisson3d(3, 4, 5);
  check_form(seven, false);
  CHECK(seven.entries() == 60 + 2 * (2 * 20 + 3 * 15 + 4 * 12));
  const Csr all = generate_poisson3d(3, 4, 5, 27);
  CHECK(all.entries() == (3 * 3 - 2) * (3 * 4 - 2) * (3 * 5 - 2));
  const Csr band = generate_banded(6, 2);
  CHECK(band.entries() == 6 + 2 * (5 + 4));
  check_form(band, false);
  double inner_row = 0;  // the row of an inner point adds up to 0
  const Csr grid = generate_poisson2d(5, 5);
  for (uint64_t p = grid.offsets[12]; p < grid.offsets[13]; ++p) inner_row += grid.reals[p];
  CHECK(inner_row == 0);
  CHECK(generate_banded(3, 100).entries() == 9);
}

TEST_CASE("names of generated graphs are checked") {
  CHECK(is_generated("rmat:4"));
  CHECK_FALSE(is_generated("rmat"));
  CHECK_FALSE(is_generated("./rmat:4"));
  CHECK_THAT(message_of([] { generate_by_name("rmat:x"); }), Contains("expected rmat:SCALE"));
  CHECK_THAT(message_of([] { generate_by_name("rmat:"); }), Contains("expected rmat:SCALE"));
  CHECK_THAT(message_of([] { generate_by_name("rmat:4:4:4:4"); }), Contains("expected rmat:SCALE"));
  CHECK_THAT(message_of([] { generate_by_name("rmat:32"); }), Contains("at most 31"));
  CHECK_THAT(message_of([] { generate_by_name("banded:4"); }), Contains("expected banded:N:HALF_WIDTH"));
  CHECK_THAT(message_of([] { generate_by_name("poisson2d:4:4:7"); }), Contains("5 or 9 points"));
  CHECK_THAT(message_of([] { generate_by_name("poisson3d:99999:99999:99999"); }), Contains("at most"));
  CHECK_THAT(message_of([] { generate_by_name("banded:4:directed"); }), Contains("expected banded"));
  CHECK_THAT(message_of([] { generate_by_name("grid:4"); }), Contains("expected a generated graph"));
}

TEST_CASE("an exception in a parallel loop reaches the caller") {
  CHECK_THROWS_AS(parallel_for(
                      1000, 10,
                      [](uint64_t begin, uint64_t) {
                        if (begin == 500) throw std::runtime_error("stop");
                      },
                      4),
                  std::runtime_error);
}
