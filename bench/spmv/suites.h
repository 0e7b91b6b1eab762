// Which matrices: sets of generated ones.
#pragma once
#include <string>
#include <vector>

namespace cugrb::bench {

/// Names for graph_files::load_graph. Sets:
///   quick       six small ones of different kinds
///   rmat        R-MAT 18, 20, 22, 24, edge factor 16, directed and undirected
///   regular     Poisson 2-D and 3-D, banded
///   uniform     2^18 … 2^22 vertices of 16 edges
///   pvldb amd dcsr   Chung-Lu graphs with the statistics of a paper's tables (chung_lu_presets.cpp)
///   more        further sizes of each kind: with the others, more than 60 matrices
///   all         everything but quick
/// Throws std::invalid_argument for another name.
std::vector<std::string> suite(const std::string& name);

}  // namespace cugrb::bench
