// The algorithm of the recipe, by looking at every edge.
#include "algorithms/reciprocity.hpp"

#include <algorithm>

#include "tests/algorithms/graphs.h"
#include "tests/catch.h"
#include "tests/device_took_part.h"

using namespace cugrb;

namespace {

void check_reciprocity(const test_graphs::Example& e) {
  INFO(e.name);
  uint64_t edges = 0, mutual = 0;
  for (uint32_t i = 0; i < e.next.size(); ++i) {
    for (const uint32_t j : e.next[i]) {
      if (i == j) continue;
      ++edges;
      mutual += std::count(e.next[j].begin(), e.next[j].end(), i);
    }
  }
  auto graph = test_graphs::graph_of(e);
  const Reciprocity found = reciprocity(graph);
  CHECK(found.edges == edges);
  CHECK(found.mutual == mutual);
  CHECK(found.share == (edges == 0 ? 0 : double(mutual) / double(edges)));
}

}  // namespace

TEST_CASE("reciprocity counts the edges whose reverse is there") {
  for (const test_graphs::Example& e : test_graphs::many_small_graphs()) {
    check_reciprocity(e);
    check_reciprocity(test_graphs::undirected(e));
  }
  CHECK(test::device_left_out(100) == "");
}
