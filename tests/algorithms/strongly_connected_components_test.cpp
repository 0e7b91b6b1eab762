// Strongly connected components against mutual reachability.
#include "algorithms/strongly_connected_components.hpp"

#include "tests/algorithms/verify.h"
#include "tests/catch.h"
#include "tests/device_took_part.h"

using namespace cugrb;
using test_graphs::Example;

namespace {

/// What is wrong with the names of components; empty when nothing is.
std::string wrong_names(const Example& e, const std::vector<int64_t>& name) {
  std::vector<std::vector<int64_t>> level;
  for (size_t i = 0; i < e.next.size(); ++i) level.push_back(verify::levels(e, i));
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] < 0 || name[i] >= static_cast<int64_t>(name.size())) return "a name is no vertex";
    for (size_t j = 0; j < name.size(); ++j) {
      const bool together = level[i][j] >= 0 && level[j][i] >= 0;
      if (together != (name[i] == name[j]))
        return "vertices " + std::to_string(i) + " and " + std::to_string(j);
    }
    if (name[static_cast<size_t>(name[i])] != name[i]) return "a component's name is not in it";
  }
  return "";
}

int check_strong_components(const Example& e) {
  INFO(e.name);
  auto graph = test_graphs::graph_of(e);
  const auto result = strongly_connected_components(graph);
  const auto entries = result.components.entries();
  const std::vector<int64_t> name(entries.values.begin(), entries.values.end());
  REQUIRE(name.size() == e.next.size());
  CHECK(wrong_names(e, name) == "");
  Index count = 0;
  for (size_t i = 0; i < name.size(); ++i) count += name[i] == static_cast<int64_t>(i);
  CHECK(result.count == count);
  return result.rounds;
}

}  // namespace

TEST_CASE("vertices have the same name when each reaches the other, and only then") {
  for (const Example& e : test_graphs::many_small_graphs()) check_strong_components(e);
  for (const Example& e : test_graphs::small_examples()) {
    if (e.next.size() < 800 && e.next.size() > 200) check_strong_components(e);
  }
  CHECK(test::device_left_out(100) == "");
}

TEST_CASE("a chain of components takes rounds in the order of the logarithm of its length") {
  // Pairs 2k ↔ 2k + 1, each with an edge to the next pair.
  const auto chain = [](uint32_t pairs) {
    return test_graphs::shape("chain of pairs", 2 * pairs, [pairs](uint32_t i) {
      if (i % 2 == 0) return std::vector<uint32_t>{i + 1};
      return i + 1 < 2 * pairs ? std::vector<uint32_t>{i - 1, i + 1} : std::vector<uint32_t>{i - 1};
    });
  };
  CHECK(check_strong_components(chain(8)) <= 9);
  CHECK(check_strong_components(chain(128)) <= 21);
}

TEST_CASE("a graph without vertices has no strong components") {
  Graph<bool> graph(Matrix<bool>(0, 0), Direction::directed);
  CHECK(strongly_connected_components(graph).count == 0);
}
