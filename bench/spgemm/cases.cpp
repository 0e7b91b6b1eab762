#include "bench/spgemm/cases.h"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace cugrb::bench {

namespace {

using Names = std::vector<std::string>;

const Names kinds = {"square",   "gram", "masked",  "complement", "interpolate",
                     "restrict", "rows", "columns", "triangles"};

/// Every kind of every graph.
Names each(const Names& of_kinds, const Names& graphs) {
  Names names;
  for (const std::string& graph : graphs) {
    for (const std::string& kind : of_kinds) names.push_back(kind + ":" + graph);
  }
  return names;
}

const std::map<std::string, Names>& suites() {
  static const Names mixed = {"rmat:16:8", "uniform:1048576:8", "poisson3d:64:64:64:27"};
  static const std::map<std::string, Names> all = {
      {"rmat", each({"square"},
                    {"rmat:16:8:directed", "rmat:16:16:directed", "rmat:17:8:directed", "rmat:17:16:directed",
                     "rmat:18:8:directed", "rmat:18:16:directed", "rmat:19:8:directed", "rmat:19:16:directed",
                     "rmat:20:8:directed", "rmat:20:16:directed", "rmat:16:8", "rmat:18:8"})},
      {"regular", each({"square"}, {"uniform:1048576:8:directed", "uniform:1048576:8", "poisson2d:1024:1024",
                                    "poisson2d:1024:1024:9", "poisson3d:64:64:64:7", "poisson3d:64:64:64:27",
                                    "banded:1048576:2"})},
      {"rectangular", each({"gram"}, {"chung_lu:rail4284", "rmat:16:8:directed"})},
      {"galerkin", each({"interpolate", "restrict"}, {"poisson2d:1024:1024", "poisson2d:1024:1024:9",
                                                      "poisson3d:64:64:64:7", "poisson3d:64:64:64:27"})},
      {"masked",
       [] {
         Names names = each({"masked", "complement"}, mixed);
         const Names large = each({"masked"}, {"rmat:18:8", "rmat:20:8"});
         names.insert(names.end(), large.begin(), large.end());
         return names;
       }()},
      {"scaled", each({"rows", "columns"}, mixed)},
      {"triangles", each({"triangles"}, {"rmat:18:16", "rmat:20:16"})},
      {"paper", each({"square"}, {"chung_lu:36000:367000", "chung_lu:82000:948000", "chung_lu:dblp-2010",
                                  "chung_lu:youtube", "chung_lu:livejournal"})}};
  return all;
}

/// NX:NY[:NZ] of a poisson graph's name.
std::vector<uint64_t> grid_of(const std::string& graph) {
  const size_t directions = graph.rfind("poisson2d:", 0) == 0 ? 2 : graph.rfind("poisson3d:", 0) == 0 ? 3 : 0;
  if (directions == 0) throw std::invalid_argument(graph + ": interpolation is for poisson2d and poisson3d");
  std::vector<uint64_t> points;
  for (size_t at = graph.find(':'); at != std::string::npos && points.size() < directions;
       at = graph.find(':', at + 1)) {
    points.push_back(std::stoull(graph.substr(at + 1)));
  }
  points.resize(directions, points.front());
  return points;
}

}  // namespace

Case parse_case(const std::string& name) {
  const std::string word = name.substr(0, name.find(':'));
  if (std::find(kinds.begin(), kinds.end(), word) == kinds.end()) return {"square:" + name, "square", name};
  if (word.size() + 1 >= name.size()) throw std::invalid_argument(name + ": expected KIND:GRAPH");
  return {name, word, name.substr(word.size() + 1)};
}

Names suite(const std::string& name) {
  if (name == "all") {
    Names names;
    for (const auto& [key, part] : suites()) names.insert(names.end(), part.begin(), part.end());
    return names;
  }
  const auto found = suites().find(name);
  if (found != suites().end()) return found->second;
  std::string known = "all";
  for (const auto& [key, names] : suites()) known += ", " + key;
  throw std::invalid_argument("--set " + name + ": expected one of " + known);
}

Problem make_problem(const Case& which, graph_files::Csr&& pattern) {
  const auto shared = [](Factor&& factor) { return std::make_shared<const Factor>(std::move(factor)); };
  const std::string& kind = which.kind;
  const bool is_square = pattern.nrows == pattern.ncols;
  if (!is_square && kind != "gram" && kind != "square")
    throw std::invalid_argument(which.name + ": the matrix is no square");
  Problem problem;
  const auto a = shared(factor_of(std::move(pattern)));
  problem.a = problem.b = a;
  if (kind == "gram" || kind == "masked" || (kind == "square" && !is_square)) {
    problem.what = kind == "masked" ? "A*A'<A>" : "A*A'";
    problem.b = shared(transposed(*a));
    problem.b_is_transposed = true;
    problem.masked = kind == "masked";
  } else if (kind == "square" || kind == "complement") {
    problem.what = kind == "square" ? "A*A" : "A*A<!A>";
    problem.masked = problem.complement = kind == "complement";
  } else if (kind == "rows" || kind == "columns") {
    const auto d = shared(diagonal(a->rows()));
    problem.what = kind == "rows" ? "D*A" : "A*D";
    (kind == "rows" ? problem.a : problem.b) = d;
  } else {
    const auto p = shared(interpolation(grid_of(which.graph)));
    problem.what = kind == "interpolate" ? "A*P" : "P'*(A*P)";
    problem.b = kind == "interpolate" ? p : shared(pattern_of_product(*a, *p));
    if (kind == "restrict") problem.a = shared(transposed(*p));
  }
  problem.products = products_of(*problem.a, *problem.b);
  return problem;
}

}  // namespace cugrb::bench
