#include <algorithm>

#include "tools/graph_files/coordinates.h"
#include "tools/graph_files/read.h"

namespace cugrb::graph_files {
namespace {

bool is_comment(std::string_view line) {
  const size_t first = line.find_first_not_of(" \t\r");
  return first == std::string_view::npos || line[first] == '#' || line[first] == '%';
}

uint32_t parse_vertex(const LineReader& reader, std::string_view field) {
  const uint64_t vertex = parse_count(reader, field, "a vertex number");
  if (vertex >= largest_dimension) {
    reader.fail("the vertex number is too large: expected less than " + std::to_string(largest_dimension) +
                ", found " + quoted(field));
  }
  return static_cast<uint32_t>(vertex);
}

}  // namespace

Csr read_edge_list(const std::string& path, EdgeDirection direction, Progress progress) {
  LineReader reader(path, std::move(progress));
  return read_edge_list(reader, direction);
}

Csr read_edge_list(LineReader& reader, EdgeDirection direction) {
  Coordinates c;
  std::string_view line;
  uint64_t vertices = 0;
  bool first = true, has_values = false;
  while (reader.next(line)) {
    if (is_comment(line)) continue;
    Fields fields(line);
    const uint32_t from = parse_vertex(reader, fields.next());
    const uint32_t to = parse_vertex(reader, fields.next());
    const std::string_view value = fields.next();
    if (first) has_values = !value.empty();
    if (has_values != !value.empty()) {
      expected(reader,
               has_values ? "a value in the third column, as in the lines before"
                          : "two columns, as in the lines before",
               value);
    }
    if (!fields.next().empty()) reader.fail("expected two or three columns, found more");
    first = false;
    vertices = std::max<uint64_t>({vertices, uint64_t{from} + 1, uint64_t{to} + 1});
    const bool both = direction == EdgeDirection::undirected && from != to;
    c.add(from, to);
    if (both) c.add(to, from);
    if (has_values) {
      c.reals.push_back(parse_real(reader, value));
      if (both) c.reals.push_back(c.reals.back());
    }
  }
  if (first) reader.fail("the file holds no edges; expected two vertex numbers a line");
  c.nrows = c.ncols = vertices;
  c.values = has_values ? ValueKind::real : ValueKind::pattern;
  Csr csr = to_csr(reader, std::move(c));
  csr.symmetric = direction == EdgeDirection::undirected;
  return csr;
}

Csr read_graph(const std::string& path, EdgeDirection direction, Progress progress) {
  std::string_view line;
  LineReader reader(path, std::move(progress));  // one for both: a pipe can be read only once
  if (!reader.next(line)) reader.fail("the file is empty");
  const bool is_matrix_market = line.substr(0, 2) == "%%";
  reader.unread();
  return is_matrix_market ? read_matrix_market(reader) : read_edge_list(reader, direction);
}

std::vector<std::string> read_names(const std::string& path, uint64_t count) {
  LineReader reader(path);
  std::vector<std::string> names;
  names.reserve(count);
  std::string_view line;
  while (reader.next(line)) {
    if (names.size() == count)
      reader.fail("more names than the graph's " + std::to_string(count) + " vertices");
    names.emplace_back(line);
  }
  if (names.size() < count) {
    reader.fail("the file ends after " + std::to_string(names.size()) + " names; the graph has " +
                std::to_string(count) + " vertices");
  }
  return names;
}

}  // namespace cugrb::graph_files
