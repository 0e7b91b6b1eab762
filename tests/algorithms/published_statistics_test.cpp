// Statistics that the SNAP collection (https://snap.stanford.edu/data) publishes with its graphs.
#include <cmath>
#include <filesystem>

#include "algorithms/connected_components.hpp"
#include "algorithms/k_core.hpp"
#include "algorithms/local_clustering.hpp"
#include "algorithms/strongly_connected_components.hpp"
#include "tests/algorithms/verify.h"
#include "tests/catch.h"
#include "tools/graph_files/read.h"

using namespace cugrb;
using test_graphs::Example;

namespace {

/// The largest parts are given by their numbers of vertices. -1: nothing is published.
struct Published {
  const char* name;
  int64_t largest_weak, largest_strong;
  double clustering;  ///< the average, without directions, to four places
  int64_t degeneracy;
};
constexpr Published published[] = {{"wiki-Vote", 7066, 1300, 0.1409, -1},
                                   {"ca-HepPh", 11204, 11204, 0.6115, -1},
                                   {"ca-AstroPh", 17903, 17903, 0.6306, -1},
                                   {"facebook_combined", 4039, 4039, 0.6055, 115},
                                   {"email-Enron", 33696, 33696, 0.4970, 43}};

/// The most vertices with one name.
int64_t largest_part(const Vector<int64_t>& names) {
  std::vector<int64_t> size(names.size(), 0);
  for (const int64_t name : names.entries().values) ++size[static_cast<size_t>(name)];
  return *std::max_element(size.begin(), size.end());
}

}  // namespace

TEST_CASE("components, clustering and cores of real graphs are as they are published", "[real]") {
  for (const Published& p : published) {
    INFO(p.name);
    const std::string path = std::string(CUGRB_GRAPH_COLLECTION) + "/" + p.name + ".mtx.xz";
    if (!std::filesystem::exists(path)) {
      WARN(path << " is not here: skipped");
      continue;
    }
    const Example e = test_graphs::from_csr(p.name, graph_files::read_matrix_market(path));
    auto graph = test_graphs::graph_of(e), both_ways = test_graphs::graph_of(test_graphs::undirected(e));
    CHECK(largest_part(connected_components(graph).components) == p.largest_weak);
    CHECK(largest_part(strongly_connected_components(graph).components) == p.largest_strong);
    CHECK(std::abs(local_clustering(both_ways).average - p.clustering) <= 5.1e-5);
    if (p.degeneracy >= 0) CHECK(k_core(both_ways).degeneracy == p.degeneracy);
  }
}
