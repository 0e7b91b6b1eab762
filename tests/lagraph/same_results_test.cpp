// The algorithms in C++ beside LAGraph's: the same results on many small graphs without loops, each edge in
// both directions; strong components on the directed ones.
#include <cmath>
#include <map>

#include "algorithms/betweenness.hpp"
#include "algorithms/bfs.hpp"
#include "algorithms/connected_components.hpp"
#include "algorithms/k_core.hpp"
#include "algorithms/k_truss.hpp"
#include "algorithms/label_propagation.hpp"
#include "algorithms/local_clustering.hpp"
#include "algorithms/minimum_spanning_forest.hpp"
#include "algorithms/shortest_paths.hpp"
#include "algorithms/strongly_connected_components.hpp"
#include "algorithms/triangle_count.hpp"
#include "tests/algorithms/graphs.h"
#include "tests/catch.h"
#include "tests/device_took_part.h"

extern "C" {
#include <LAGraph.h>
#include <LAGraphX.h>
}

using namespace cugrb;
using test_graphs::Example;

namespace {

char message[LAGRAPH_MSG_LEN];

const struct Lagraph {
  Lagraph() { LAGraph_Init(message); }
  ~Lagraph() { LAGraph_Finalize(message); }
} lagraph;

void check(int info) {
  INFO(message);
  REQUIRE(info >= 0);
}

Example without_loops(Example e) {
  for (uint32_t i = 0; i < e.next.size(); ++i) std::erase(e.next[i], i);
  return e;
}

/// SuiteSparse holds a matrix of one column by columns, which LAGraph refuses.
std::vector<Example> directed_graphs() {
  std::vector<Example> all;
  for (const Example& e : test_graphs::many_small_graphs()) {
    if (e.next.size() > 1) all.push_back(without_loops(e));
  }
  return all;
}

std::vector<Example> undirected_graphs() {
  std::vector<Example> all;
  for (const Example& e : directed_graphs()) all.push_back(test_graphs::undirected(e));
  return all;
}

/// Edges of 1 to 255, the same in both directions.
template <class T>
Matrix<T> weighted(const Example& e) {
  std::vector<Index> rows, columns;
  std::vector<T> values;
  for (uint32_t i = 0; i < e.next.size(); ++i) {
    for (const uint32_t j : e.next[i]) {
      rows.push_back(i);
      columns.push_back(j);
      values.push_back(T(1 + (std::min(i, j) * 7919u + std::max(i, j) * 104729u) % 255));
    }
  }
  Matrix<T> a(e.next.size(), e.next.size());
  a.build(rows.data(), columns.data(), values.data(), rows.size(), op::first<T>);
  return a;
}

/// LAGraph's graph of a matrix that stays its owner's.
class Borrowed {
 public:
  Borrowed(GrB_Matrix a, LAGraph_Kind kind) : copy_(a) {
    check(LAGraph_New(&graph_, &copy_, kind, message));
    graph_->nself_edges = 0;
    graph_->is_symmetric_structure = kind == LAGraph_ADJACENCY_UNDIRECTED ? LAGraph_TRUE : LAGraph_FALSE;
    check(LAGraph_Cached_OutDegree(graph_, message));
  }
  ~Borrowed() {
    graph_->A = nullptr;
    LAGraph_Delete(&graph_, message);
  }
  operator LAGraph_Graph() const { return graph_; }

 private:
  GrB_Matrix copy_;
  LAGraph_Graph graph_ = nullptr;
};

Borrowed undirected_of(const Graph<bool>& graph) {
  return {graph.adjacency().handle(), LAGraph_ADJACENCY_UNDIRECTED};
}

/// A vector's entries, one for each position; frees it.
std::vector<double> taken(GrB_Vector& v, double where_none = -1) {
  GrB_Index n = 0, entries = 0;
  GrB_Vector_size(&n, v);
  GrB_Vector_nvals(&entries, v);
  std::vector<GrB_Index> indices(entries);
  std::vector<double> values(entries), all(n, where_none);
  REQUIRE(GrB_Vector_extractTuples_FP64(indices.data(), values.data(), &entries, v) == GrB_SUCCESS);
  for (size_t k = 0; k < entries; ++k) all[indices[k]] = values[k];
  GrB_Vector_free(&v);
  return all;
}

template <class T>
std::vector<double> values_of(const Vector<T>& v, double where_none = -1) {
  std::vector<double> all(v.size(), where_none);
  const auto entries = v.entries();
  for (size_t k = 0; k < entries.indices.size(); ++k) all[entries.indices[k]] = double(entries.values[k]);
  return all;
}

/// Sums may be added up in another order.
double distance(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double most = 0;
  for (size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

/// Components by the first vertex of each.
std::vector<double> by_first_vertex(std::vector<double> names) {
  std::map<double, double> first;
  for (size_t i = 0; i < names.size(); ++i) first.emplace(names[i], double(i));
  for (double& name : names) name = first[name];
  return names;
}

}  // namespace

TEST_CASE("levels and connected components are LAGraph's") {
  for (const Example& e : undirected_graphs()) {
    INFO(e.name);
    auto graph = test_graphs::graph_of(e);
    const Borrowed theirs = undirected_of(graph);
    GrB_Vector level = nullptr, component = nullptr;
    check(LAGr_BreadthFirstSearch(&level, nullptr, theirs, 0, message));
    CHECK(values_of(bfs<int64_t>(graph, 0, BfsOutput::levels).levels) == taken(level));
    check(LAGr_ConnectedComponents(&component, theirs, message));
    CHECK(values_of(connected_components(graph).components) == by_first_vertex(taken(component)));
  }
}

TEST_CASE("shortest paths are LAGraph's") {
  for (const Example& e : undirected_graphs()) {
    INFO(e.name);
    Graph<int32_t> graph(weighted<int32_t>(e), Direction::undirected);
    const Borrowed theirs(graph.adjacency().handle(), LAGraph_ADJACENCY_UNDIRECTED);
    check(LAGraph_Cached_EMin(theirs, message));
    const Scalar<int32_t> delta(int32_t{40});
    GrB_Vector lengths = nullptr;
    check(LAGr_SingleSourceShortestPath(&lengths, theirs, 0, delta.handle(), message));
    constexpr double not_reached = std::numeric_limits<int32_t>::max();
    CHECK(values_of(shortest_paths<double>(graph, 0).distances, not_reached) == taken(lengths));
  }
}

TEST_CASE("betweenness and clustering are LAGraph's") {
  for (const Example& e : undirected_graphs()) {
    INFO(e.name);
    auto graph = test_graphs::graph_of(e);
    const Borrowed theirs = undirected_of(graph);
    const std::vector<Index> sources = {0, e.next.size() / 2};
    GrB_Vector centrality = nullptr, clustering = nullptr;
    check(LAGr_Betweenness(&centrality, theirs, sources.data(), int32_t(sources.size()), message));
    CHECK(distance(values_of(betweenness<double>(graph, sources).centralities), taken(centrality)) < 1e-9);
    check(LAGraph_lcc(&clustering, theirs, message));
    CHECK(distance(values_of(local_clustering<double>(graph).coefficients), taken(clustering, 0)) < 1e-9);
  }
}

TEST_CASE("cores, trusses and triangles are LAGraph's") {
  for (const Example& e : undirected_graphs()) {
    INFO(e.name);
    auto graph = test_graphs::graph_of(e);
    const Borrowed theirs = undirected_of(graph);
    GrB_Vector core = nullptr;
    uint64_t most = 0, triangles = 0;
    check(LAGraph_KCore_All(&core, &most, theirs, message));
    const KCore own = k_core(graph);
    CHECK(values_of(own.cores) == taken(core, 0));
    CHECK(own.degeneracy == int64_t(most));
    LAGr_TriangleCount_Method method = LAGr_TriangleCount_AutoMethod;
    LAGr_TriangleCount_Presort presort = LAGr_TriangleCount_AutoSort;
    check(LAGr_TriangleCount(&triangles, theirs, &method, &presort, message));
    CHECK(triangle_count(graph).triangles == triangles);
    GrB_Matrix truss = nullptr;
    check(LAGraph_KTruss(&truss, theirs, 4, message));
    GrB_Index edges = 0;
    int64_t support = 0;
    GrB_Matrix_nvals(&edges, truss);
    GrB_Matrix_reduce_INT64(&support, nullptr, GrB_PLUS_MONOID_INT64, truss, nullptr);
    GrB_Matrix_free(&truss);
    const KTruss ours = k_truss(graph, 4);
    CHECK(ours.edges.nvals() == edges);
    CHECK(reduce(ours.edges, monoid::plus<int64_t>) == support);
  }
}

TEST_CASE("labels of communities are LAGraph's") {
  for (const Example& e : undirected_graphs()) {
    INFO(e.name);
    auto graph = test_graphs::graph_of(e);
    const Borrowed theirs = undirected_of(graph);
    GrB_Vector labels = nullptr;
    check(LAGraph_cdlp(&labels, theirs, 10, message));
    CHECK(values_of(label_propagation(graph).labels) == taken(labels));
  }
}

TEST_CASE("strong components and the weights of spanning forests are LAGraph's") {
  for (const Example& e : directed_graphs()) {
    INFO(e.name);
    auto directed = test_graphs::graph_of(e);
    GrB_Vector component = nullptr;
    check(LAGraph_scc(&component, directed.adjacency().handle(), message));
    const auto own = strongly_connected_components(directed);
    CHECK(by_first_vertex(values_of(own.components)) == by_first_vertex(taken(component)));
    Graph<uint64_t> graph(weighted<uint64_t>(test_graphs::undirected(e)), Direction::undirected);
    GrB_Matrix forest = nullptr;
    check(LAGraph_msf(&forest, graph.adjacency().handle(), false, message));
    uint64_t weight = 0;
    GrB_Matrix_reduce_UINT64(&weight, nullptr, GrB_PLUS_MONOID_UINT64, forest, nullptr);
    GrB_Matrix_free(&forest);
    CHECK(minimum_spanning_forest(graph).weight == double(weight));
  }
  CHECK(test::device_left_out(1000) == "");
}
