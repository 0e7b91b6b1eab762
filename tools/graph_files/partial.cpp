#include "tools/graph_files/partial.h"

#include <algorithm>

#include "tools/graph_files/format.h"
#include "tools/graph_files/generate.h"
#include "tools/graph_files/parallel.h"
#include "tools/graph_files/plain_file.h"

namespace cugrb::graph_files {
namespace {

/// Of a text: about four million edges.
constexpr uint64_t bytes_at_once = uint64_t{64} << 20;
constexpr uint64_t edges_at_once = uint64_t{1} << 23;

class DrawnGraph : public PartialGraph {
 public:
  explicit DrawnGraph(DrawnEdges edges) {
    vertices = edges.vertices;
    units = edges.count;
    units_at_once = edges_at_once;
    symmetric = edges.direction == EdgeDirection::undirected;
    drawn = std::move(edges);
    entries = units * (symmetric ? 2 : 1);
  }
  Coordinates read(uint64_t begin, uint64_t end, uint64_t&) const override {
    const uint64_t count = end - begin;
    Coordinates c;
    c.nrows = c.ncols = vertices;
    const uint64_t copies = symmetric ? 2 : 1;
    c.rows.resize(count * copies);
    c.columns.resize(count * copies);
    parallel_for(count, 1 << 16, [&](uint64_t first, uint64_t last) {
      for (uint64_t k = first; k < last; ++k) {
        const edges::Edge e = drawn->edge(begin + k);
        c.rows[k] = e.from;
        c.columns[k] = e.to;
        if (!symmetric) continue;
        c.rows[count + k] = e.to;
        c.columns[count + k] = e.from;
      }
    });
    if (!drawn->keeps_loops) drop_loops(c);
    return c;
  }

 private:
  static void drop_loops(Coordinates& c) {
    size_t kept = 0;
    for (size_t k = 0; k < c.rows.size(); ++k) {
      c.rows[kept] = c.rows[k];
      c.columns[kept] = c.columns[k];
      kept += c.rows[k] != c.columns[k];
    }
    c.rows.resize(kept);
    c.columns.resize(kept);
  }
};

class EdgeListFile : public PartialGraph {
 public:
  EdgeListFile(const std::string& path, EdgeDirection direction, LineReader& head)
      : path_(path), direction_(direction) {
    units = file_size(path);
    units_at_once = bytes_at_once;
    symmetric = direction == EdgeDirection::undirected;
    layout_ = read_edge_layout(head);
    values = layout_.values;
    entries = units / 12 * (symmetric ? 2 : 1);
  }
  Coordinates read(uint64_t begin, uint64_t end, uint64_t& lines) const override {
    LineReader part(path_, begin, end);
    Coordinates c = read_edges(part, direction_, layout_);
    lines += part.line_number();
    return c;
  }

 private:
  std::string path_;
  EdgeDirection direction_;
  EdgeLayout layout_;
};

class MatrixMarketPart : public PartialGraph {
 public:
  MatrixMarketPart(const std::string& path, LineReader& head)
      : path_(path), header_(read_matrix_market_header(head)) {
    if (header_.array) head.fail("the format 'array' is not read in parts; expected 'coordinate'");
    if (header_.rows != header_.columns) {
      head.fail("a graph needs a square matrix, this one is " + std::to_string(header_.rows) + " x " +
                std::to_string(header_.columns));
    }
    vertices = header_.rows;
    units = file_size(path) - header_.first_byte;
    units_at_once = bytes_at_once;
    symmetric = header_.symmetry == MatrixMarketHeader::Symmetry::symmetric;
    values = header_.values;
    promised_lines = header_.entries;
    entries = header_.entries * (header_.symmetry == MatrixMarketHeader::Symmetry::general ? 1 : 2);
  }
  Coordinates read(uint64_t begin, uint64_t end, uint64_t& lines) const override {
    LineReader part(path_, header_.first_byte + begin, header_.first_byte + end);
    Coordinates c = read_entries(part, header_);
    lines += c.rows.size();
    if (header_.symmetry != MatrixMarketHeader::Symmetry::general) lines -= mirrored(c);
    return c;
  }

 private:
  /// Entries above the diagonal, which no line holds.
  static uint64_t mirrored(const Coordinates& c) {
    uint64_t count = 0;
    for (size_t k = 0; k < c.rows.size(); ++k) count += c.rows[k] < c.columns[k];
    return count;
  }
  std::string path_;
  MatrixMarketHeader header_;
};

}  // namespace

std::unique_ptr<PartialGraph> open_partial(const std::string& name, EdgeDirection direction) {
  if (is_generated(name)) {
    std::optional<DrawnEdges> drawn = drawn_edges_by_name(name);
    if (!drawn) throw FileError(name, 0, "is not generated in parts; all others but chung_lu: are");
    return std::make_unique<DrawnGraph>(std::move(*drawn));
  }
  open_plain(name);  // says so where parts cannot be read
  LineReader head(name);
  if (find_format(head) == Format::matrix_market) return std::make_unique<MatrixMarketPart>(name, head);
  return std::make_unique<EdgeListFile>(name, direction, head);
}

}  // namespace cugrb::graph_files
