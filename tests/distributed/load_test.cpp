// Graphs in parts beside the same graphs read whole.
#include <algorithm>
#include <map>

#include "tests/catch.h"
#include "tests/distributed/ranks.h"
#include "tools/graph_files/file_error.h"
#include "tools/graph_files/generate.h"
#include "tools/graph_files/random_weight.h"

using namespace cugrb;
using distributed_tests::ranks;
using distributed_tests::SharedFile;
using tools::load_parts;
using tools::LoadOptions;

namespace {

using Entries = std::map<std::pair<uint64_t, uint64_t>, double>;

/// Entries A(i,j), 1 where there are no values.
Entries entries_of(const graph_files::Csr& csr) {
  Entries entries;
  for (uint64_t i = 0; i < csr.nrows; ++i) {
    for (uint64_t p = csr.offsets[i]; p < csr.offsets[i + 1]; ++p) {
      const double value = csr.values == graph_files::ValueKind::pattern ? 1.0
                           : csr.values == graph_files::ValueKind::integer
                               ? static_cast<double>(csr.integers[p])
                               : csr.reals[p];
      entries[{i, csr.columns[p]}] = value;
    }
  }
  return entries;
}

/// Of all ranks; transposed: a row is where edges arrive.
template <class T>
Entries entries_of(const DistributedMatrix<T>& matrix, bool transposed) {
  struct Entry {
    uint64_t row, column;
    double value;
  };
  const Deal& deal = matrix.exchange().deal();
  std::vector<Entry> own;
  const auto block = matrix.block().entries();
  for (size_t k = 0; k < block.rows.size(); ++k)
    own.push_back({deal.vertex(ranks().rank(), block.rows[k]), deal.vertex_at(block.columns[k]),
                   static_cast<double>(block.values[k])});
  Entries entries;
  size_t count = 0;
  for (const Entry& e :
       ranks().all_to_all(std::vector<std::vector<Entry>>(static_cast<size_t>(ranks().size()), own))) {
    entries[transposed ? std::pair(e.column, e.row) : std::pair(e.row, e.column)] = e.value;
    ++count;
  }
  CHECK(count == entries.size());  // no rank has an entry of another
  return entries;
}

void check_parts(const std::string& name, bool directed, Dealing dealing) {
  INFO(name << (directed ? ", directed" : ""));
  const graph_files::Csr csr = graph_files::load_graph(
      name, directed ? graph_files::EdgeDirection::directed : graph_files::EdgeDirection::undirected);
  LoadOptions options;
  options.directed = directed;
  options.leaving = options.weights = true;
  options.dealing = dealing;
  const tools::LoadedParts loaded = load_parts(ranks(), name, options);
  const DistributedGraph<bool>& graph = *loaded.graph;
  const Entries expected = entries_of(csr);
  CHECK(graph.size() == csr.nrows);
  CHECK(loaded.entries == expected.size());
  CHECK(graph.undirected() == csr.symmetric);
  Entries pattern;
  for (const auto& [place, value] : expected) pattern[place] = 1;
  CHECK(entries_of(graph.arriving(), true) == pattern);
  CHECK(entries_of(graph.leaving(), graph.undirected()) == pattern);
  REQUIRE(loaded.weighted.has_value() == (csr.values != graph_files::ValueKind::pattern));
  if (loaded.weighted) {
    CHECK(entries_of(loaded.weighted->arriving(), true) == expected);
    CHECK(entries_of(loaded.weighted->leaving(), graph.undirected()) == expected);
  }
  std::vector<double> degrees(csr.nrows, -1);
  for (uint64_t i = 0; i < csr.nrows; ++i) {
    if (csr.offsets[i + 1] > csr.offsets[i])
      degrees[i] = static_cast<double>(csr.offsets[i + 1] - csr.offsets[i]);
  }
  CHECK(distributed_tests::whole(graph.out_degree(), graph.exchange().deal()) == degrees);
  options.leaving = options.weights = false;
  const tools::LoadedParts arriving_alone = load_parts(ranks(), name, options);
  const Deal& other_deal = arriving_alone.graph->exchange().deal();  // by other entries
  CHECK(distributed_tests::whole(arriving_alone.graph->out_degree(), other_deal) == degrees);
}

std::string edge_list(const char* separator, bool weights) {
  std::string text = "# an edge list\n";
  for (int k = 0; k < 400; ++k) {
    text += std::to_string(k * k % 57) + separator + std::to_string(k * 31 % 83);
    if (weights) text += separator + std::to_string(k % 9) + ".25";
    text += k % 50 == 49 ? "\n% a comment\n" : "\n";
  }
  return text + "7" + separator + "8" + (weights ? std::string(separator) + "3" : "");
}

std::string matrix_market(const char* kind, int n) {
  std::string lines;
  int count = 0;
  const std::string symmetry = kind;
  const bool is_pattern = symmetry.find("pattern") == 0,
             general = symmetry.find("general") != std::string::npos;
  const bool skew = symmetry.find("skew") != std::string::npos;
  for (int i = 1; i <= n; ++i) {
    for (int j = 1 + i % 5; j <= (general ? n : i); j += 3 + (i * j) % 7) {
      if (skew && i == j) continue;
      lines += std::to_string(i) + " " + std::to_string(j) +
               (is_pattern ? "" : " " + std::to_string(i - 2 * j)) + "\n";
      ++count;
    }
  }
  return std::string("%%MatrixMarket matrix coordinate ") + kind + "\n% of a test\n" + std::to_string(n) +
         " " + std::to_string(n) + " " + std::to_string(count) + "\n" + lines;
}

/// The text of the error that this rank gets.
template <class Work>
std::string error_of(const Work& work) {
  try {
    work();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("generated graphs in parts are those in one") {
  const Dealing dealing = GENERATE(Dealing::bitonic, Dealing::contiguous);
  for (const char* name : {"rmat:9:8:3", "rmat:8:8:4:directed", "uniform:700:3:5:directed", "uniform:90:4",
                           "rmat:0:4", "uniform:1:3", "uniform:3:1"})
    check_parts(name, false, dealing);
}

TEST_CASE("edge lists in parts are those in one") {
  const bool directed = GENERATE(false, true);
  for (const char* separator : {" ", "\t", ", "}) {
    for (const bool weights : {false, true}) {
      const SharedFile file(".el", edge_list(separator, weights));
      check_parts(file.path(), directed, Dealing::bitonic);
    }
  }
}

TEST_CASE("Matrix Market files in parts are those in one") {
  for (const char* kind : {"pattern general", "pattern symmetric", "real general", "integer symmetric",
                           "integer skew-symmetric", "real symmetric"}) {
    const SharedFile file(".mtx", matrix_market(kind, 61));
    check_parts(file.path(), false, Dealing::bitonic);
  }
  const SharedFile small(".mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n");
  check_parts(small.path(), false, Dealing::bitonic);
}

TEST_CASE("random weights depend on an edge's ends alone") {
  LoadOptions options;
  options.weights = options.leaving = true;
  options.random_weights = 1000;
  const auto loaded = load_parts(ranks(), "rmat:7:5:9:directed", options);
  const Entries entries = entries_of(loaded.weighted->arriving(), true);
  CHECK(entries.size() == loaded.entries);
  CHECK(entries_of(loaded.weighted->leaving(), false) == entries);
  for (const auto& [place, value] : entries)
    REQUIRE(value == graph_files::random_weight(place.first, place.second, 1000));
}

TEST_CASE("ranges of a file give each of its lines once, wherever they are cut") {
  const SharedFile file(".el", edge_list(" ", false));
  std::vector<std::string> lines;
  graph_files::LineReader whole(file.path());
  for (std::string_view line; whole.next(line);) lines.emplace_back(line);
  const uint64_t size = graph_files::file_size(file.path());
  for (const uint64_t step : {uint64_t{1}, uint64_t{2}, uint64_t{7}, uint64_t{1000}, size}) {
    std::vector<std::string> found;
    for (uint64_t begin = 0; begin < size; begin += step) {
      graph_files::LineReader part(file.path(), begin, std::min(size, begin + step));
      for (std::string_view line; part.next(line);) found.emplace_back(line);
    }
    REQUIRE(found == lines);
  }
}

TEST_CASE("a fault is found by the rank that reads it, which names its line") {
  std::string text = edge_list(" ", false);
  text += "\n5 six\n";
  const SharedFile file(".el", text);
  const auto lines = static_cast<uint64_t>(std::count(text.begin(), text.end(), '\n'));
  // Read whole, it has the same text.
  const std::string expected =
      error_of([&] { graph_files::load_graph(file.path(), graph_files::EdgeDirection::directed); });
  CHECK(expected.find(":" + std::to_string(lines) + ": ") != std::string::npos);
  const uint64_t size = graph_files::file_size(file.path());
  const auto graph = graph_files::open_partial(file.path(), graph_files::EdgeDirection::directed);
  uint64_t read = 0;
  CHECK(error_of([&] { graph->read(size / 2, size, read); }) == expected);
}

TEST_CASE("files that have no parts are refused, and say why") {
  const auto load = [](const std::string& name) {
    return error_of([&] { graph_files::open_partial(name, graph_files::EdgeDirection::directed); });
  };
  using Catch::Matchers::ContainsSubstring;
  CHECK_THAT(load("chung_lu:100:300"),
             ContainsSubstring("is not generated in parts; all others but chung_lu: are"));
  CHECK_THAT(load(CUGRB_SOURCE_ROOT "/tests/data/debian12.mtx.xz"), ContainsSubstring("is compressed"));
  CHECK_THAT(load("/nowhere.el"), ContainsSubstring("cannot be opened"));
  const SharedFile rectangle(".mtx", "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n2 1\n");
  CHECK_THAT(load(rectangle.path()), ContainsSubstring("this one is 2 x 3"));
  const SharedFile array(".mtx", "%%MatrixMarket matrix array real general\n1 1\n2\n");
  CHECK_THAT(load(array.path()), ContainsSubstring("is not read in parts"));
  const SharedFile few(".mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 4\n2 1\n3 2\n");
  CHECK_THAT(error_of([&] { load_parts(ranks(), few.path(), {}); }),
             ContainsSubstring("promises 4 entries and holds 2"));
}
