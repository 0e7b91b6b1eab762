// Algebraic multigrid: the matrix as a system of linear equations.
#include <fmt/core.h>

#include "algorithms/algebraic_multigrid.hpp"
#include "tools/cugrb/algorithms/algorithm.h"
#include "tools/cugrb/algorithms/measurement.h"
#include "tools/cugrb/algorithms/options.h"
#include "tools/cugrb/algorithms/print.h"
#include "tools/cugrb/command.h"

namespace cugrb::command {

namespace {

using nlohmann::json;

void add_multigrid(CLI::App& sub, Workload& w) {
  w.tolerance = 1e-8;
  sub.add_option("--strength", w.strength,
                 "an entry connects when it is above this times the largest ones of its row and column")
      ->check(real({0, 1, true, false}))
      ->capture_default_str();
  sub.add_option("--tolerance", w.tolerance, "stop when the residual is at most this times the right side")
      ->check(real(not_negative))
      ->capture_default_str();
  sub.add_option("--iterations", w.iterations, "stop after so many")
      ->transform(whole(1, INT32_MAX))
      ->capture_default_str();
}

json levels_of(const Multigrid<double>& multigrid) {
  json list = json::array();
  for (const auto& level : multigrid.levels())
    list.push_back({{"rows", level.a.nrows()}, {"entries", level.a.nvals()}});
  return list;
}

/// Solves A x = 1. Compared is the solution.
void measure_multigrid(Measurement& m) {
  if (!m.loaded.weighted) throw Failure("amg needs a matrix with values, this one is a pattern");
  const Workload& w = m.workload;
  const Matrix<double>& a = m.loaded.weighted->adjacency();
  const Vector<double> ones(a.nrows(), 1.0);
  MultigridOptions options;
  options.strength = w.strength;
  std::optional<Multigrid<double>> multigrid;
  ConjugateGradients<double> result{Vector<double>(1), 0, false, {}};
  json setup = json::array();
  m.time([&] {
    setup.push_back(seconds_of([&] { multigrid.emplace(a, options); }));
    result = conjugate_gradients(a, ones, *multigrid, {w.tolerance, w.iterations});
  });
  m.compare(dense(result.x, 0));
  const json levels = levels_of(*multigrid);
  m.report["setup_seconds"] = setup;
  m.report["result"] = {{"levels", levels},
                        {"iterations", result.iterations},
                        {"converged", result.converged},
                        {"residual", result.residuals.empty() ? 0.0 : result.residuals.back()},
                        {"residuals", result.residuals}};
}

void print_multigrid(const json& report) {
  const json& result = report["result"];
  print_convergence("Conjugate gradients with a V-cycle", result);
  const auto& levels = result["levels"];
  double entries = 0;
  fmt::print("\n  level         rows      entries\n");
  for (size_t k = 0; k < levels.size(); ++k) {
    entries += levels[k]["entries"].get<double>();
    fmt::print("  {:>5}   {:>10}   {:>10}\n", k, levels[k]["rows"].get<uint64_t>(),
               levels[k]["entries"].get<uint64_t>());
  }
  fmt::print("  all levels together have {:.2f} times the entries of the first\n",
             entries / levels[0]["entries"].get<double>());
}

}  // namespace

std::vector<Algorithm> system_algorithms() {
  return {{"amg", "Solve A x = 1 by conjugate gradients with algebraic multigrid", add_multigrid,
           measure_multigrid, print_multigrid, 1e-6, true}};
}

}  // namespace cugrb::command
