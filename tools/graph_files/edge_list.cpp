#include <algorithm>
#include <charconv>
#include <new>
#include <optional>

#include "tools/graph_files/coordinates.h"
#include "tools/graph_files/format.h"
#include "tools/graph_files/partial.h"
#include "tools/graph_files/read.h"

namespace cugrb::graph_files {
namespace {

/// The fields of an edge: separated by blanks, or by commas when the first edge's line has one.
class EdgeFields {
 public:
  EdgeFields(std::string_view line, bool commas) : blanks_(line), rest_(line), commas_(commas) {}
  /// Nothing when there is no further field; between two commas there is an empty one.
  std::optional<std::string_view> next() {
    if (!commas_) {
      const std::string_view field = blanks_.next();
      return field.empty() ? std::nullopt : std::optional(field);
    }
    if (at_end_) return std::nullopt;
    const size_t comma = rest_.find(',');
    const std::string_view field = trimmed(rest_.substr(0, comma));
    at_end_ = comma == std::string_view::npos;
    if (!at_end_) rest_.remove_prefix(comma + 1);
    return field;
  }

 private:
  Fields blanks_;
  std::string_view rest_;
  bool commas_, at_end_ = false;
};

/// Whether the first line reads as the size line of a Matrix Market file that has lost its head, and
/// everything behind it keeps to that: so many lines, rows and columns from 1 to the size. As an edge list it
/// would be another graph.
class LostHead {
 public:
  void first_line(uint64_t number, uint64_t from, uint64_t to, std::string_view third) {
    line_ = number;
    rows_ = from;
    columns_ = to;
    const auto [end, error] = std::from_chars(third.data(), third.data() + third.size(), entries_);
    possible_ = !third.empty() && error == std::errc() && end == third.data() + third.size();
  }
  void entry(uint64_t from, uint64_t to) {
    ++seen_;
    possible_ = possible_ && from >= 1 && from <= rows_ && to >= 1 && to <= columns_;
  }
  void check(const LineReader& reader) const {
    if (!possible_ || seen_ != entries_) return;
    reader.fail_at(
        line_, "expected an edge, found what reads as the size line of a Matrix Market file: " +
                   std::to_string(entries_) + " lines follow, with numbers up to " + std::to_string(rows_) +
                   " and " + std::to_string(columns_) +
                   "; put a line such as '%%MatrixMarket matrix coordinate real general' in front, or "
                   "another edge when this is one");
  }

 private:
  uint64_t line_ = 0, rows_ = 0, columns_ = 0, entries_ = 0, seen_ = 0;
  bool possible_ = false;
};

class EdgeReader {
 public:
  EdgeReader(LineReader& lines, EdgeDirection direction)
      : lines_(lines), undirected_(direction == EdgeDirection::undirected) {}

  Csr read() {
    read_lines();
    lost_head_.check(lines_);
    Csr csr = to_csr(lines_, largest_line_, std::move(c_));
    csr.symmetric = undirected_;
    return csr;
  }
  /// The lines are a part of a list of this layout.
  Coordinates read_part(const EdgeLayout& layout) {
    layout_ = layout;
    c_.values = layout.values;
    read_lines();
    return std::move(c_);
  }
  /// What the first edge's line says of all.
  EdgeLayout read_layout() {
    std::string_view line;
    lines_.next(line);
    read_edge(line);
    return *layout_;
  }

 private:
  void read_lines() {
    try {
      std::string_view line;
      while (lines_.next(line)) {
        if (!is_comment(line)) {
          read_edge(line);
        } else if (is_banner(line)) {
          lines_.fail("expected an edge, found Matrix Market's first line behind edges");
        }
      }
    } catch (const std::bad_alloc&) {
      fail_for_memory(lines_, lines_.line_number(), c_, c_.rows.size());
    }
  }
  void read_edge(std::string_view line) {
    const bool first = !layout_;
    if (first) layout_ = EdgeLayout{line.find(',') != std::string_view::npos, ValueKind::pattern};
    EdgeFields fields(line, layout_->commas);
    const uint32_t from = parse_vertex(fields.next()), to = parse_vertex(fields.next());
    const std::optional<std::string_view> value = fields.next();
    if (first) {
      layout_->values = c_.values = value ? ValueKind::real : ValueKind::pattern;
      lost_head_.first_line(lines_.line_number(), from, to, value.value_or(""));
    } else {
      lost_head_.entry(from, to);
    }
    if (value.has_value() != (c_.values == ValueKind::real)) fail_for_columns(value.value_or(""));
    if (fields.next()) lines_.fail("expected two or three columns, found more");
    add(from, to, value);
  }

  uint32_t parse_vertex(std::optional<std::string_view> given) {
    const std::string_view field = given.value_or("");
    const std::string hint = c_.rows.empty() ? "a line of column names begins with #" : "";
    const uint64_t vertex = parse_count(lines_, field, "a vertex number", hint);
    if (vertex >= largest_dimension) {
      lines_.fail("the vertex number is too large: expected less than " + std::to_string(largest_dimension) +
                  ", found " + quoted(field));
    }
    return static_cast<uint32_t>(vertex);
  }

  [[noreturn]] void fail_for_columns(std::string_view value) {
    if (c_.values == ValueKind::pattern) expected(lines_, "two columns, as in the lines before", value);
    const bool second = c_.rows.size() <= 2;
    expected(lines_, "a value in the third column, as in the lines before", value,
             second ? "a size line in front needs Matrix Market's first line" : "");
  }

  void add(uint32_t from, uint32_t to, std::optional<std::string_view> value) {
    const uint64_t vertices = uint64_t{std::max(from, to)} + 1;
    if (vertices > c_.nrows) {
      c_.nrows = c_.ncols = vertices;
      largest_line_ = lines_.line_number();
    }
    const bool both = undirected_ && from != to;
    c_.add(from, to);
    if (both) c_.add(to, from);
    if (!value) return;
    c_.reals.push_back(parse_real(lines_, *value));
    if (both) c_.reals.push_back(c_.reals.back());
  }

  LineReader& lines_;
  bool undirected_;
  std::optional<EdgeLayout> layout_;  ///< none before the first edge
  Coordinates c_;
  LostHead lost_head_;
  uint64_t largest_line_ = 0;  ///< that of the largest vertex number, which decides the size
};

}  // namespace

Csr read_edge_list(const std::string& path, EdgeDirection direction, Progress progress) {
  LineReader reader(path, std::move(progress));
  return read_edge_list(reader, direction);
}

Csr read_edge_list(LineReader& reader, EdgeDirection direction) {
  require_format(reader, Format::edge_list);
  return EdgeReader(reader, direction).read();
}

EdgeLayout read_edge_layout(LineReader& reader) {
  return EdgeReader(reader, EdgeDirection::directed).read_layout();
}

Coordinates read_edges(LineReader& part, EdgeDirection direction, const EdgeLayout& layout) {
  return EdgeReader(part, direction).read_part(layout);
}

Csr read_graph(const std::string& path, EdgeDirection direction, Progress progress) {
  LineReader reader(path, std::move(progress));  // one for both: a pipe can be read only once
  if (find_format(reader) == Format::matrix_market) return read_matrix_market(reader);
  return read_edge_list(reader, direction);
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
