// The algorithms that cugrb-mpi runs.
#include <fmt/core.h>

#include "algorithms/distributed/hits.hpp"
#include "algorithms/distributed/pagerank.hpp"
#include "algorithms/distributed/random_walk_with_restart.hpp"
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

}  // namespace

const std::vector<TaskKind>& task_kinds() {
  static const std::vector<TaskKind> kinds = {
      {"pagerank", "ranks of vertices", false, false, run_pagerank, print_convergence},
      {"hits", "hubs and authorities", true, false, run_hits, print_convergence},
      {"rwr", "random walk with restart from a vertex", false, false, run_walk, print_convergence},
  };
  return kinds;
}

}  // namespace cugrb::tools
