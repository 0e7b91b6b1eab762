// Independent sets: no member has a neighbour that is one, every other vertex has.
#include "algorithms/maximal_independent_set.hpp"

#include "tests/algorithms/graphs.h"
#include "tests/catch.h"
#include "tests/device_took_part.h"

using namespace cugrb;
using test_graphs::Example;

namespace {

std::vector<bool> members_of(const MaximalIndependentSet& set) {
  std::vector<bool> members(set.members.size(), false);
  for (const Index i : set.members.entries().indices) members[i] = true;
  return members;
}

std::string wrong_set(const Example& e, const std::vector<bool>& members) {
  for (size_t i = 0; i < members.size(); ++i) {
    size_t around = 0;
    for (const uint32_t j : e.next[i]) around += j != i && members[j];
    if (members[i] && around > 0) return "members " + std::to_string(i) + " has a member as a neighbour";
    if (!members[i] && around == 0) return "vertex " + std::to_string(i) + " could be a member";
  }
  return "";
}

}  // namespace

TEST_CASE("sets are independent and maximal, for every seed") {
  std::vector<Example> graphs = test_graphs::many_small_graphs();
  for (const Example& e : test_graphs::small_examples()) graphs.push_back(e);
  for (const Example& one_way : graphs) {
    const Example e = test_graphs::undirected(one_way);
    INFO(e.name);
    auto graph = test_graphs::graph_of(e);
    const auto first = maximal_independent_set(graph), second = maximal_independent_set(graph, 12345);
    CHECK(wrong_set(e, members_of(first)) == "");
    CHECK(wrong_set(e, members_of(second)) == "");
    CHECK(members_of(maximal_independent_set(graph, 12345)) == members_of(second));
    CHECK(first.rounds <= 12);
  }
  CHECK(test::device_left_out(100) == "");
}

TEST_CASE("another seed gives another set") {
  auto path = test_graphs::graph_of(test_graphs::undirected(test_graphs::shape("path", 50, [](uint32_t i) {
    return i < 49 ? std::vector<uint32_t>{i + 1} : std::vector<uint32_t>{};
  })));
  CHECK(members_of(maximal_independent_set(path, 1)) != members_of(maximal_independent_set(path, 2)));
}

TEST_CASE("independent sets are of undirected graphs, with or without vertices") {
  auto graph = test_graphs::graph_of({"one way", Direction::directed, {{1}, {}}});
  CHECK_THROWS_AS(maximal_independent_set(graph), Error);
  Graph<bool> nothing(Matrix<bool>(0, 0), Direction::undirected);
  CHECK(maximal_independent_set(nothing).members.size() == 0);
}
