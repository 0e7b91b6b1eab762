// Generated graphs and matrices. Everything is a function of the parameters alone: the same on every
// platform, whatever the number of threads (integer arithmetic on a counter-based random number, no library
// distribution).
#pragma once
#include <cstdint>
#include <functional>
#include <optional>

#include "tools/graph_files/csr.h"
#include "tools/graph_files/edges.h"
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
/// directions. Pattern only. Time O(edges · scale / threads); memory 8 bytes a drawn entry and the result.
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

/// A graph's edges by number, each drawn for itself: any part of them can be drawn anywhere. Equal ones and
/// self loops are among them.
struct DrawnEdges {
  uint64_t vertices = 0, count = 0;
  EdgeDirection direction = EdgeDirection::undirected;
  std::function<edges::Edge(uint64_t)> edge;
  bool keeps_loops = false;  ///< self loops are entries; else they are left out
};
/// Those that generate_rmat and generate_uniform make a matrix of.
DrawnEdges drawn_edges(const Rmat& parameters);
DrawnEdges drawn_edges(const Uniform& parameters);

/// How the lengths of rows (or columns) are spread: a power law cut at the longest.
struct DegreeLaw {
  double exponent = 2.1;  ///< P(length = k) falls as k^-exponent below the longest; above 1.05
  double deviation = 0;   ///< when positive, the standard deviation of lengths: the exponent follows from it
  uint64_t longest = 0;   ///< expected length of the longest; 0: 1/64 of what a row could have
};

struct ChungLu {
  uint64_t rows = 1 << 16, columns = 1 << 16;
  uint64_t entries = 1 << 20;  ///< expected; both directions counted
  DegreeLaw row_lengths;
  DegreeLaw column_lengths;  ///< directed and rectangular only: undirected, columns are like rows
  uint64_t seed = 1;
  EdgeDirection direction = EdgeDirection::directed;
};

/// Random graph with given expected degrees: rows and columns get lengths from the two laws, in unrelated
/// orders when directed, and meet independently. Rates are such that lengths are as asked after equal entries
/// were made one. Self loops are dropped (square only); reciprocity, clusters and the locality of real vertex
/// numbers are not modelled. Pattern only. Time O(entries / threads), memory as generate_rmat. Throws
/// std::invalid_argument, bad_alloc. Source: F. Chung, L. Lu, "Connected components in random graphs with
/// given expected degree sequences", Annals of Combinatorics 6 (2002).
Csr generate_chung_lu(const ChungLu& parameters);

/// Statistics of graphs in the papers' tables, with the table's paper.
struct ChungLuPreset {
  const char* name;
  const char* source;  ///< "PVLDB", "AMD" or "DCSR": chung_lu_presets.cpp has the references
  ChungLu parameters;
};
const std::vector<ChungLuPreset>& chung_lu_presets();
/// Null when there is none of that name.
const ChungLuPreset* find_chung_lu_preset(const std::string& name);
/// Rows, columns and entries times `scale`; the spread of lengths stays where the smaller graph can have it
/// (the longest at most an eighth of a row), else longest and deviation shrink.
ChungLu scaled(const ChungLu& parameters, double scale);
/// Every edge in both directions: twice the entries, rows (and columns) spread as rows were. Rectangles stay.
ChungLu made_undirected(const ChungLu& parameters);

/// Laplacian of an nx × ny grid: 5 points (diagonal 4) or 9 points (diagonal 8), neighbours -1. Real,
/// symmetric.
Csr generate_poisson2d(uint64_t nx, uint64_t ny, int points = 5);

/// Laplacian of an nx × ny × nz grid: 7 points (diagonal 6) or 27 points (diagonal 26), neighbours -1. Real,
/// symmetric.
Csr generate_poisson3d(uint64_t nx, uint64_t ny, uint64_t nz, int points = 7);

/// Their patterns. Throw as they do.
DrawnEdges drawn_poisson2d(uint64_t nx, uint64_t ny, int points = 5);
DrawnEdges drawn_poisson3d(uint64_t nx, uint64_t ny, uint64_t nz, int points = 7);

/// n × n with all entries within `half_width` of the diagonal: -1, and 2·half_width on the diagonal. Real,
/// symmetric.
Csr generate_banded(uint64_t n, uint64_t half_width);
/// Its pattern. Throws as it does.
DrawnEdges drawn_banded(uint64_t n, uint64_t half_width);

/// A graph by name, as the command takes it wherever a file may stand:
///   rmat:SCALE[:EDGE_FACTOR[:SEED]]   uniform:VERTICES[:DEGREE[:SEED]]   (either with ":directed" at the
///   end) poisson2d:NX[:NY[:POINTS]]   poisson3d:NX[:NY:NZ[:POINTS]]   banded:N:HALF_WIDTH
///   chung_lu:PRESET[:SCALE[:SEED]][:undirected]
///   chung_lu:VERTICES:ENTRIES[:EXPONENT[:LONGEST[:SEED]]][:undirected]
/// False when the name does not begin with one of these words and a colon.
bool is_generated(const std::string& name);
/// Throws FileError that says what was expected.
Csr generate_by_name(const std::string& name);

/// The same as edges by number; nothing for generators that draw no single edges. Throws FileError.
std::optional<DrawnEdges> drawn_edges_by_name(const std::string& name);

/// A file or a generated graph.
Csr load_graph(const std::string& name_or_path, EdgeDirection direction, Progress progress = {});

}  // namespace cugrb::graph_files
