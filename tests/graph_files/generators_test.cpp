// Generators: the same graph everywhere, with the properties their documentation promises.
#include <cmath>
#include <set>
#include <thread>

#include "tests/catch.h"
#include "tests/graph_files/helpers.h"
#include "tools/graph_files/parallel.h"

using namespace cugrb::graph_files;
using Catch::Matchers::ContainsSubstring;
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
  CHECK(digest(generate_by_name("chung_lu:webbase:0.01")) == 15168295608777588141u);
  CHECK(digest(generate_by_name("chung_lu:2000:30000:2.2:200:undirected")) == 3220347519687286455u);
  CHECK(digest(generate_by_name("chung_lu:2000:30000:2.2:200:2")) !=
        digest(generate_by_name("chung_lu:2000:30000:2.2:200:1")));
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
  for (const char* name :
       {"rmat:0:4", "rmat:1:4", "rmat:11:16", "rmat:11:16:3:directed", "uniform:777:5", "uniform:1:3",
        "uniform:0:3", "uniform:777:5:2:directed", "chung_lu:youtube:0.005", "chung_lu:dblp-2010:0.01",
        "chung_lu:youtube:0.005:1:undirected", "chung_lu:2000:9000", "chung_lu:2000:9000:3:undirected",
        "chung_lu:1:0", "chung_lu:100:0:undirected"}) {
    INFO(name);
    check_form(generate_by_name(name), true);
  }
}

TEST_CASE("grids and bands by number are the same patterns") {
  for (const char* name : {"banded:1:3", "banded:60:0", "banded:60:7", "banded:5:9", "poisson2d:7:4",
                           "poisson2d:6:5:9", "poisson3d:4:3:5", "poisson3d:4:3:2:27", "poisson3d:1:1:1"}) {
    INFO(name);
    const Csr a = generate_by_name(name);
    const DrawnEdges drawn = drawn_edges_by_name(name).value();
    CHECK(drawn.vertices == a.nrows);
    CHECK(drawn.keeps_loops);
    std::set<std::pair<uint64_t, uint64_t>> expected, found;
    for (uint64_t i = 0; i < a.nrows; ++i) {
      for (uint64_t p = a.offsets[i]; p < a.offsets[i + 1]; ++p) expected.insert({i, a.columns[p]});
    }
    for (uint64_t k = 0; k < drawn.count; ++k) {
      const edges::Edge e = drawn.edge(k);
      found.insert({e.from, e.to});
      found.insert({e.to, e.from});
    }
    CHECK(found == expected);
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

namespace {

struct Statistics {
  double mean = 0, deviation = 0, below_2 = 0, below_64 = 0;
  uint64_t longest = 0;
};

Statistics statistics(const std::vector<uint64_t>& lengths) {
  Statistics s;
  double squares = 0;
  const double n = static_cast<double>(lengths.size());
  for (const uint64_t length : lengths) {
    const double x = static_cast<double>(length);
    s.mean += x / n;
    squares += x * x / n;
    s.below_2 += length < 2 ? 1 / n : 0;
    s.below_64 += length < 64 ? 1 / n : 0;
    s.longest = std::max(s.longest, length);
  }
  s.deviation = std::sqrt(squares - s.mean * s.mean);
  return s;
}
Statistics of_rows(const Csr& a) {
  std::vector<uint64_t> lengths(a.nrows);
  for (uint64_t i = 0; i < a.nrows; ++i) lengths[i] = a.offsets[i + 1] - a.offsets[i];
  return statistics(lengths);
}
Statistics of_columns(const Csr& a) {
  std::vector<uint64_t> lengths(a.ncols, 0);
  for (uint64_t p = 0; p < a.entries(); ++p) ++lengths[a.columns[p]];
  return statistics(lengths);
}

/// Within `share`, and five standard deviations of a Poisson number.
void check_near(double found, double asked, double share) {
  CHECK(std::abs(found - asked) <= share * asked + 5 * std::sqrt(asked));
}

}  // namespace

TEST_CASE("Chung-Lu graphs have the degree statistics of the papers' tables") {
  for (const ChungLuPreset& preset : chung_lu_presets()) {
    INFO(preset.name);
    // Small enough to be quick, large enough that the table's longest row still fits where it can.
    const double scale = std::min(1.0, 400000.0 / static_cast<double>(preset.parameters.entries));
    ChungLu p = scaled(preset.parameters, scale);
    if (p.rows < 1000) p = scaled(preset.parameters, 0.05);
    const Csr a = generate_chung_lu(p);
    check_form(a, p.rows == p.columns);
    CHECK(a.nrows == p.rows);
    CHECK(a.ncols == p.columns);
    check_near(static_cast<double>(a.entries()), static_cast<double>(p.entries), 0.005);
    const Statistics rows = of_rows(a);
    // Lengths are Poisson numbers: the deviation is at least the mean's root, the longest may be another one.
    const DegreeLaw law = p.row_lengths;
    if (law.deviation > std::sqrt(rows.mean) * 1.2) {
      CHECK(std::abs(rows.deviation - law.deviation) <= 0.1 * law.deviation);
    }
    if (law.longest > 30) {
      CHECK(static_cast<double>(rows.longest) >= 0.75 * static_cast<double>(law.longest));
      CHECK(static_cast<double>(rows.longest) <= 1.25 * static_cast<double>(law.longest) + 20);
    }
  }
}

TEST_CASE("Chung-Lu graphs: web links as the paper on AMD GPUs describes them") {
  const Csr a = generate_by_name("chung_lu:su:0.3");
  const Statistics rows = of_rows(a);
  CHECK(rows.below_2 > 0.5);
  CHECK(rows.below_64 > 0.95);
}

TEST_CASE("Chung-Lu graphs: exponent and longest of rows and columns") {
  for (const double exponent : {2.0, 2.5, 3.0}) {
    ChungLu p;
    p.rows = p.columns = 20000;
    p.entries = 200000;
    p.row_lengths = {exponent, 0, 2000};
    p.column_lengths = {exponent, 0, 500};
    const Csr a = generate_chung_lu(p);
    const Statistics rows = of_rows(a), columns = of_columns(a);
    check_near(static_cast<double>(a.entries()), 200000, 0.005);
    check_near(static_cast<double>(rows.longest), 2000, 0.1);
    check_near(static_cast<double>(columns.longest), 500, 0.1);
    // The tail: P(length >= k) falls as k^(1 - exponent), so from 100 to 400 by 4^(exponent - 1). (The shift
    // of ranks bends it above; four of ten standard deviations of the counts are allowed.)
    const auto at_least = [&](uint64_t k) {
      double count = 0;
      for (uint64_t i = 0; i < a.nrows; ++i) count += a.offsets[i + 1] - a.offsets[i] >= k;
      return count;
    };
    INFO("exponent " << exponent << ": " << at_least(100) << " rows of 100, " << at_least(400) << " of 400");
    const double slope = std::log2(at_least(100) / at_least(400)) / 2;
    CHECK(std::abs(slope - (exponent - 1)) < 0.35);
  }
  ChungLu flat;
  flat.rows = flat.columns = 5000;
  flat.entries = 50000;
  flat.row_lengths.longest = flat.column_lengths.longest = 10;  // the mean: uniform
  CHECK(of_rows(generate_chung_lu(flat)).longest < 35);
}

TEST_CASE("Chung-Lu graphs of the papers made undirected have every edge twice") {
  for (const char* name : {"flickr", "livejournal", "wikipedia", "youtube"}) {
    INFO(name);
    const std::string base = std::string("chung_lu:") + name + ":0.01";
    const Csr directed = generate_by_name(base), both = generate_by_name(base + ":undirected");
    CHECK_FALSE(directed.symmetric);
    CHECK(both.symmetric);
    CHECK(both.nrows == directed.nrows);
    check_near(static_cast<double>(both.entries()), 2 * static_cast<double>(directed.entries()), 0.01);
  }
}

TEST_CASE("Chung-Lu graphs: rectangles, and what cannot be had") {
  ChungLu p;
  p.rows = 300;
  p.columns = 5000;
  p.entries = 30000;
  p.row_lengths.longest = 900;
  p.column_lengths.longest = 60;
  const Csr a = generate_chung_lu(p);
  check_form(a, false);
  CHECK(a.ncols == 5000);
  check_near(static_cast<double>(a.entries()), 30000, 0.01);
  check_near(static_cast<double>(of_rows(a).longest), 900, 0.1);
  p.direction = EdgeDirection::undirected;
  CHECK_THROWS_AS(generate_chung_lu(p), std::invalid_argument);
  p = ChungLu{};
  p.rows = p.columns = 100;
  p.entries = 9000;
  CHECK_THROWS_AS(generate_chung_lu(p), std::invalid_argument);
  p.entries = 500;
  p.row_lengths.longest = 101;
  CHECK_THROWS_AS(generate_chung_lu(p), std::invalid_argument);
  p.row_lengths.longest = 3;
  CHECK_THROWS_AS(generate_chung_lu(p), std::invalid_argument);
  p.row_lengths = {1.0, 0, 50};
  CHECK_THROWS_AS(generate_chung_lu(p), std::invalid_argument);
  p.rows = p.columns = 0;
  CHECK_THROWS_AS(generate_chung_lu(p), std::invalid_argument);
  // Fifty rows of 1900 entries need far more columns than those fifty that hold nearly everything.
  p = ChungLu{};
  p.rows = p.columns = 2000;
  p.entries = 100000;
  p.row_lengths = p.column_lengths = {0, 280, 1900};
  CHECK_THROWS_AS(generate_chung_lu(p), std::invalid_argument);
  p.row_lengths = p.column_lengths = {0, 20, 1900};  // one row of 1900 alone deviates by 42
  CHECK_THROWS_AS(generate_chung_lu(p), std::invalid_argument);
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
  CHECK_THAT(message_of([] { generate_by_name("rmat:x"); }), ContainsSubstring("expected rmat:SCALE"));
  CHECK_THAT(message_of([] { generate_by_name("rmat:"); }), ContainsSubstring("expected rmat:SCALE"));
  CHECK_THAT(message_of([] { generate_by_name("rmat:4:4:4:4"); }), ContainsSubstring("expected rmat:SCALE"));
  CHECK_THAT(message_of([] { generate_by_name("rmat:32"); }), ContainsSubstring("at most 31"));
  CHECK_THAT(message_of([] { generate_by_name("banded:4"); }),
             ContainsSubstring("expected banded:N:HALF_WIDTH"));
  CHECK_THAT(message_of([] { generate_by_name("poisson2d:4:4:7"); }), ContainsSubstring("5 or 9 points"));
  CHECK_THAT(message_of([] { generate_by_name("poisson3d:99999:99999:99999"); }),
             ContainsSubstring("at most"));
  CHECK_THAT(message_of([] { generate_by_name("banded:4:directed"); }), ContainsSubstring("expected banded"));
  CHECK_THAT(message_of([] { generate_by_name("chung_lu:fliker"); }),
             ContainsSubstring("flickr, livejournal"));
  CHECK_THAT(message_of([] { generate_by_name("chung_lu:flickr:big"); }),
             ContainsSubstring("expected chung_lu:PRESET"));
  CHECK_THAT(message_of([] { generate_by_name("chung_lu:flickr:0"); }),
             ContainsSubstring("expected chung_lu:PRESET"));
  CHECK_THAT(message_of([] { generate_by_name("chung_lu:100"); }),
             ContainsSubstring("expected chung_lu:PRESET"));
  CHECK_THAT(message_of([] { generate_by_name("chung_lu:undirected"); }),
             ContainsSubstring("expected chung_lu:PRESET"));
  CHECK_THAT(message_of([] { generate_by_name("chung_lu:"); }),
             ContainsSubstring("expected a number of vertices"));
  CHECK_THAT(message_of([] { generate_by_name("chung_lu:10:99"); }), ContainsSubstring("at most a quarter"));
  CHECK_THAT(message_of([] { generate_by_name("grid:4"); }), ContainsSubstring("expected a generated graph"));
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
