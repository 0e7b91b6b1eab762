// Generated graphs and matrices. Everything is a function of the parameters alone: the same on every
// platform, whatever the number of threads (integer arithmetic on a counter-based random number, no library
// distribution).
#pragma once
#include <cstdint>

#include "tools/graph_files/csr.h"
#include "tools/graph_files/read.h"

namespace cugrb::graph_files {

struct Rmat {
  unsigned scale = 16;        ///< 2^scale vertices, at most 31
  uint64_t edge_factor = 16;  ///< edges drawn a vertex
  uint64_t seed = 1;
  EdgeDirection direction = EdgeDirection::undirected;
};

/// R-MAT (Kronecker) graph with Graph500's probabilities a = 0.57, b = c = 0.19, d = 0.05 and scrambled
/// vertex numbers. Self loops are dropped, equal edges are one; an undirected edge is an entry in both
/// directions. Pattern only. Time O(edges · scale / threads); memory 4 bytes a drawn entry and the result.
/// Throws std::invalid_argument, bad_alloc. Source: D. Chakrabarti, Y. Zhan, C. Faloutsos, "R-MAT: a
/// recursive model for graph mining", SDM 2004; Graph500.
Csr generate_rmat(const Rmat& parameters);

struct Uniform {
  uint64_t vertices = 1 << 16;
  uint64_t degree = 16;  ///< edges drawn a vertex
  uint64_t seed = 1;
  EdgeDirection direction = EdgeDirection::undirected;
};

/// Every edge's two ends drawn uniformly (Erdős-Rényi); the rest as generate_rmat.
Csr generate_uniform(const Uniform& parameters);

/// Laplacian of an nx × ny grid: 5 points (diagonal 4) or 9 points (diagonal 8), neighbours -1. Real,
/// symmetric.
Csr generate_poisson2d(uint64_t nx, uint64_t ny, int points = 5);

/// Laplacian of an nx × ny × nz grid: 7 points (diagonal 6) or 27 points (diagonal 26), neighbours -1. Real,
/// symmetric.
Csr generate_poisson3d(uint64_t nx, uint64_t ny, uint64_t nz, int points = 7);

/// n × n with all entries within `half_width` of the diagonal: -1, and 2·half_width on the diagonal. Real,
/// symmetric.
Csr generate_banded(uint64_t n, uint64_t half_width);

/// A graph by name, as the command takes it wherever a file may stand:
///   rmat:SCALE[:EDGE_FACTOR[:SEED]]   uniform:VERTICES[:DEGREE[:SEED]]   (either with ":directed" at the
///   end) poisson2d:NX[:NY[:POINTS]]   poisson3d:NX[:NY:NZ[:POINTS]]   banded:N:HALF_WIDTH
/// False when the name does not begin with one of these words and a colon.
bool is_generated(const std::string& name);
/// Throws FileError that says what was expected.
Csr generate_by_name(const std::string& name);

/// A file or a generated graph.
Csr load_graph(const std::string& name_or_path, EdgeDirection direction, Progress progress = {});

}  // namespace cugrb::graph_files
