// What is multiplied: cases by name, KIND:GRAPH.
#pragma once
#include <string>
#include <vector>

#include "bench/spgemm/bench.h"

namespace cugrb::bench {

/// Kinds, for the graph's matrix A:
///   square      C = A A; A A' where A is no square
///   gram        C = A A'
///   masked      C<A> = A A', structural
///   complement  C<!A> = A A, structural
///   interpolate C = A P, P the linear interpolation from every second point of A's grid (poisson2d,
///   poisson3d) restrict    C = P' (A P): the second half of a Galerkin product; A P's pattern with numbers
///   of its own rows        C = D A, D diagonal columns     C = A D triangles   sum of C<L> = L U'
///   (bench_triangles)
struct Case {
  std::string name, kind, graph;
};
/// A graph's name alone is a square. Throws std::invalid_argument.
Case parse_case(const std::string& name);

/// Sets: rmat, regular, rectangular, galerkin, masked, scaled, triangles, paper (the sizes that the text of
/// Jo, Kim, Bae, CIKM 2015, gives), all. Throws std::invalid_argument for another name.
std::vector<std::string> suite(const std::string& name);

/// Of any kind but triangles. `pattern` is the graph's. Throws std::invalid_argument.
Problem make_problem(const Case& which, graph_files::Csr&& pattern);

}  // namespace cugrb::bench
