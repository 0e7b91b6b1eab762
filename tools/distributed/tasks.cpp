// The algorithms that cugrb-mpi runs.
#include <fmt/core.h>

#include "algorithms/distributed/bfs.hpp"
#include "algorithms/distributed/connected_components.hpp"
#include "algorithms/distributed/hits.hpp"
#include "algorithms/distributed/pagerank.hpp"
#include "algorithms/distributed/random_walk_with_restart.hpp"
#include "algorithms/distributed/shortest_paths.hpp"
#include "algorithms/distributed/triangle_count.hpp"
#include "tools/cugrb/command.h"
#include "tools/distributed/task.h"

namespace cugrb::tools {
namespace {

using nlohmann::json;

template <class Result>
void tell_convergence(Task& task, const Result& result, uint64_t passes) {
  task.report["result"] = {
      {"iterations", result.iterations}, {"converged", result.converged}, {"residual", result.residual}};
  task.report["edges"] = passes * task.loaded.entries * static_cast<uint64_t>(result.iterations);
}

void print_convergence(const json& report) {
  const json& result = report["result"];
  fmt::print("{}: {} after {} iterations, residual {:.2e}\n", report["algorithm"].get<std::string>(),
             result["converged"].get<bool>() ? "converged" : "not converged", result["iterations"].get<int>(),
             result["residual"].get<double>());
}

template <class Real>
void pagerank_of(Task& task) {
  const TaskOptions& o = task.options;
  PageRank<Real> result{Vector<Real>(1)};
  task.time([&] { result = pagerank<Real>(*task.loaded.graph, {o.damping, o.tolerance, o.iterations}); });
  tell_convergence(task, result, 1);
  task.tell_values(result.ranks);
}
void run_pagerank(Task& task) {
  task.options.double_precision ? pagerank_of<double>(task) : pagerank_of<float>(task);
}

template <class Real>
void hits_of(Task& task) {
  Hits<Real> result{Vector<Real>(1), Vector<Real>(1)};
  task.time([&] {
    result = hits<Real>(*task.loaded.graph, {task.options.tolerance, task.options.iterations});
  });
  tell_convergence(task, result, 2);
  task.tell_values(result.authorities);
}
void run_hits(Task& task) { task.options.double_precision ? hits_of<double>(task) : hits_of<float>(task); }

template <class Real>
void walk_of(Task& task) {
  const TaskOptions& o = task.options;
  const Index query = task.source();
  RandomWalk<Real> result{Vector<Real>(1)};
  task.time([&] {
    result =
        random_walk_with_restart<Real>(*task.loaded.graph, query, {o.damping, o.tolerance, o.iterations});
  });
  tell_convergence(task, result, 1);
  task.report["result"]["source"] = query;
  task.tell_values(result.relevances);
}
void run_walk(Task& task) { task.options.double_precision ? walk_of<double>(task) : walk_of<float>(task); }

void run_bfs(Task& task) {
  const Index source = task.source();
  Bfs<int64_t> result{Vector<int64_t>(1), Vector<int64_t>(1)};
  task.time([&] { result = bfs<int64_t>(*task.loaded.graph, source, BfsOutput::levels); });
  task.report["result"] = {{"source", source}, {"visited", result.visited}, {"depth", result.depth}};
  task.report["edges"] = task.loaded.entries;
  task.tell_values(result.levels);
}
void print_bfs(const json& report) {
  const json& result = report["result"];
  fmt::print("bfs from vertex {}: {} vertices reached, the farthest in level {}\n",
             result["source"].get<uint64_t>(), result["visited"].get<uint64_t>(),
             result["depth"].get<int64_t>());
}

void run_components(Task& task) {
  ConnectedComponents result{Vector<int64_t>(1)};
  task.time([&] { result = connected_components(*task.loaded.graph); });
  task.report["result"] = {{"components", result.count}, {"iterations", result.iterations}};
  task.report["edges"] = task.loaded.entries * static_cast<uint64_t>(result.iterations);
  task.tell_values(result.components);
}
void print_components(const json& report) {
  const json& result = report["result"];
  fmt::print("components: {} after {} iterations\n", result["components"].get<uint64_t>(),
             result["iterations"].get<int>());
}

template <class Real>
void paths_of(Task& task) {
  if (!task.loaded.weighted)
    throw command::Failure(task.options.graph + ": the graph has no weights; --random-weights draws some");
  const Index source = task.source();
  ShortestPathsOptions options;
  options.delta = task.options.delta;
  ShortestPaths<Real> result{Vector<Real>(1), Vector<int64_t>(1)};
  task.time([&] { result = shortest_paths<Real>(*task.loaded.weighted, source, options); });
  const Index reached = task.ranks.all_reduce(result.distances.nvals(), std::plus<>(), "the number reached");
  task.report["result"] = {{"source", source},
                           {"reached", reached},
                           {"delta", result.delta},
                           {"buckets", result.buckets},
                           {"steps", result.steps}};
  task.report["edges"] = task.loaded.entries;
  task.tell_values(result.distances);
}
void run_paths(Task& task) { task.options.double_precision ? paths_of<double>(task) : paths_of<float>(task); }
void print_paths(const json& report) {
  const json& result = report["result"];
  fmt::print("sssp from vertex {}: {} vertices reached in {} buckets of width {:.4g}, {} steps\n",
             result["source"].get<uint64_t>(), result["reached"].get<uint64_t>(),
             result["buckets"].get<int>(), result["delta"].get<double>(), result["steps"].get<int>());
}

void run_triangles(Task& task) {
  TriangleCount result;
  task.time([&] { result = triangle_count(*task.loaded.graph); });
  task.report["result"] = {{"triangles", result.triangles}};
  task.report["edges"] = task.loaded.entries;
}
void print_triangles(const json& report) {
  fmt::print("{} triangles\n", report["result"]["triangles"].get<uint64_t>());
}

}  // namespace

const std::vector<TaskKind>& task_kinds() {
  static const std::vector<TaskKind> kinds = {
      {"pagerank", "ranks of vertices", {}, run_pagerank, print_convergence},
      {"hits", "hubs and authorities", {true, false, true}, run_hits, print_convergence},
      {"rwr", "random walk with restart from a vertex", {}, run_walk, print_convergence},
      {"bfs", "breadth-first search: levels", {false, false, false}, run_bfs, print_bfs},
      {"components", "connected components", {true, false, false}, run_components, print_components},
      {"sssp", "shortest paths by delta-stepping", {false, true, false}, run_paths, print_paths},
      {"triangles", "triangle count", {false, false, false}, run_triangles, print_triangles},
  };
  return kinds;
}

}  // namespace cugrb::tools
