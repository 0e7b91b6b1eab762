// Graphs in parts: any range of a generator's edges, or of a file's lines, read alone.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "tools/graph_files/coordinates.h"
#include "tools/graph_files/generate.h"
#include "tools/graph_files/read.h"

namespace cugrb::graph_files {

/// What the first edge of an edge list says of all of them.
struct EdgeLayout {
  bool commas = false;
  ValueKind values = ValueKind::pattern;
};
/// The reader stands before the first edge (find_format).
EdgeLayout read_edge_layout(LineReader& reader);
/// The edges of a part's lines as read_edge_list makes entries of them, duplicates too. Throws FileError.
Coordinates read_edges(LineReader& part, EdgeDirection direction, const EdgeLayout& layout);

/// What stands in front of a Matrix Market file's entries.
struct MatrixMarketHeader {
  enum class Symmetry { general, symmetric, skew };
  bool array = false;
  ValueKind values = ValueKind::real;
  Symmetry symmetry = Symmetry::general;
  uint64_t rows = 0, columns = 0, entries = 0;
  uint64_t first_byte = 0;  ///< where the entries begin
};
/// The reader stands before the banner. Throws FileError.
MatrixMarketHeader read_matrix_market_header(LineReader& reader);
/// The entries of a part's lines, both of a symmetric pair. Throws FileError.
Coordinates read_entries(LineReader& part, const MatrixMarketHeader& header);

/// A square matrix A whose entries come in any order, in parts that are read alone: an edge from i to j is an
/// entry A(i,j). Equal entries may come several times, and the same entry is always of the same part.
class PartialGraph {
 public:
  virtual ~PartialGraph() = default;
  /// 0: only the parts say, each by Coordinates::nrows.
  uint64_t vertices = 0;
  /// What parts are ranges of: numbers of edges, or bytes.
  uint64_t units = 0;
  uint64_t units_at_once = 1;  ///< of a part of some 100 MB
  /// A graph that is drawn edge by edge: units are edges. They are alike, so that some of them say how the
  /// others are spread.
  std::optional<DrawnEdges> drawn;
  bool symmetric = false;  ///< A is symmetric, and parts have both entries of a pair
  ValueKind values = ValueKind::pattern;
  uint64_t entries = 0;  ///< in all, about
  /// What a file says that it holds, in lines; 0: it does not say.
  uint64_t promised_lines = 0;
  /// The entries of units [begin, end). `lines` counts those of a file. Throws FileError.
  virtual Coordinates read(uint64_t begin, uint64_t end, uint64_t& lines) const = 0;
};

/// A file or a generated graph by name, as load_graph takes it. Files are plain text. Generated are the
/// graphs that are drawn edge by edge (generate.h). Throws FileError.
std::unique_ptr<PartialGraph> open_partial(const std::string& name_or_path, EdgeDirection direction);

}  // namespace cugrb::graph_files
