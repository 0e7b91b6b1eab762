#include <algorithm>
#include <new>

#include "tools/graph_files/coordinates.h"
#include "tools/graph_files/format.h"
#include "tools/graph_files/partial.h"
#include "tools/graph_files/read.h"

namespace cugrb::graph_files {
namespace {

using Header = MatrixMarketHeader;
using Symmetry = Header::Symmetry;

Header read_header(LineReader& reader) {
  std::string_view line;
  reader.next(line);
  line = trimmed(line);
  Fields fields(line.substr(line.find_first_not_of('%')));
  const std::string_view banner = fields.next();
  if (lower(banner) != "matrixmarket") expected(reader, "%%MatrixMarket at the beginning", banner);
  const std::string_view object = fields.next();
  if (lower(object) != "matrix") expected(reader, "'matrix' after %%MatrixMarket", object);
  Header header;
  const std::string_view format = fields.next();
  if (lower(format) == "array") {
    header.array = true;
  } else if (lower(format) != "coordinate") {
    expected(reader, "the format 'coordinate' or 'array'", format);
  }
  const std::string_view field = fields.next();
  const std::string type = lower(field);
  if (type == "complex") reader.fail("complex values are not supported; expected real, integer or pattern");
  if (type != "real" && type != "double" && type != "integer" && type != "pattern") {
    expected(reader, "the type 'real', 'integer' or 'pattern'", field);
  }
  header.values = type == "pattern"   ? ValueKind::pattern
                  : type == "integer" ? ValueKind::integer
                                      : ValueKind::real;
  const std::string_view symmetry = fields.next();
  const std::string kind = lower(symmetry);
  if (kind != "general" && kind != "symmetric" && kind != "skew-symmetric") {
    expected(reader, "'general', 'symmetric' or 'skew-symmetric'", symmetry);
  }
  header.symmetry = kind == "general"     ? Symmetry::general
                    : kind == "symmetric" ? Symmetry::symmetric
                                          : Symmetry::skew;
  if (header.values == ValueKind::pattern && (header.array || header.symmetry == Symmetry::skew)) {
    reader.fail("a pattern matrix is in coordinate format, general or symmetric");
  }
  return header;
}

/// The next line that is neither blank nor a comment; false at the end of the file.
bool next_data(LineReader& reader, std::string_view& line) {
  while (reader.next(line)) {
    const size_t first = line.find_first_not_of(" \t\r");
    if (first != std::string_view::npos && line[first] != '%') return true;
  }
  return false;
}

void expect_end(const LineReader& reader, Fields& fields) {
  const std::string_view extra = fields.next();
  if (!extra.empty()) expected(reader, "the end of the line", extra);
}

class Reader {
 public:
  explicit Reader(LineReader& lines) : lines_(lines), header_(read_header(lines_)) { read_size(); }
  /// The lines are a part of a file with this header.
  Reader(LineReader& part, const Header& header) : lines_(part), header_(header) {
    c_.nrows = header.rows;
    c_.ncols = header.columns;
    c_.values = header.values;
  }

  Header header() const {
    Header header = header_;
    header.rows = c_.nrows;
    header.columns = c_.ncols;
    header.entries = count_;
    header.first_byte = lines_.offset();
    return header;
  }
  Coordinates read_part() {
    std::string_view line;
    while (next_data(lines_, line)) read_coordinate(line);
    return std::move(c_);
  }

  Csr read() {
    c_.values = header_.values;
    try {
      return read_entries();
    } catch (const std::bad_alloc&) {
      const uint64_t entries = c_.rows.size();
      fail_for_memory(lines_, size_line_, c_, std::max(count_, entries));
    }
  }

 private:
  Csr read_entries() {
    reserve();
    if (header_.array) {
      read_array();
    } else {
      read_coordinates();
    }
    std::string_view line;
    if (next_data(lines_, line)) {
      lines_.fail("expected the end of the file after the " + promise() + ", found " + quoted(line));
    }
    Csr csr = to_csr(lines_, size_line_, std::move(c_));
    csr.symmetric = header_.symmetry == Symmetry::symmetric;
    return csr;
  }

  std::string promise() const {
    return std::to_string(count_) + " entries that line " + std::to_string(size_line_) + " promises";
  }

  void read_size() {
    std::string_view line;
    const std::string what =
        header_.array ? "the size line: rows, columns" : "the size line: rows, columns, entries";
    if (!next_data(lines_, line)) lines_.fail("the file ends before its size; expected " + what);
    size_line_ = lines_.line_number();
    Fields fields(line);
    const std::string hint = "this line is " + what;
    c_.nrows = parse_count(lines_, fields.next(), "the number of rows", hint);
    c_.ncols = parse_count(lines_, fields.next(), "the number of columns", hint);
    if (c_.nrows > largest_dimension || c_.ncols > largest_dimension) {
      lines_.fail("the matrix is too large: at most " + std::to_string(largest_dimension) +
                  " rows and columns");
    }
    if (header_.symmetry != Symmetry::general && c_.nrows != c_.ncols) {
      lines_.fail("a symmetric matrix is square, not " + std::to_string(c_.nrows) + " x " +
                  std::to_string(c_.ncols));
    }
    const uint64_t places = c_.nrows * c_.ncols;
    if (!header_.array) {
      count_ = parse_count(lines_, fields.next(), "the number of entries", hint);
      if (places == 0 && count_ > 0) lines_.fail("a matrix without rows or columns has no entries");
    } else if (header_.symmetry == Symmetry::general) {
      count_ = places;
    } else {
      const uint64_t n = c_.nrows;
      count_ = header_.symmetry == Symmetry::symmetric ? (n % 2 == 0 ? n / 2 * (n + 1) : (n + 1) / 2 * n)
                                                       : (n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n);
      if (n == 0) count_ = 0;
    }
    expect_end(lines_, fields);
  }

  /// Reserves what the size line promises, but not more than the file could hold: an entry takes at least 2
  /// bytes, which compress to no less than a thousandth.
  void reserve() {
    const uint64_t limit = lines_.file_bytes() > 0 ? lines_.file_bytes() * 500 + 16 : count_;
    const uint64_t entries =
        std::min({count_, limit, uint64_t{1} << 33}) * (header_.symmetry == Symmetry::general ? 1 : 2);
    c_.rows.reserve(entries);
    c_.columns.reserve(entries);
    if (c_.values == ValueKind::integer) c_.integers.reserve(entries);
    if (c_.values == ValueKind::real) c_.reals.reserve(entries);
  }

  void read_coordinates() {
    std::string_view line;
    for (uint64_t k = 0; k < count_; ++k) {
      if (!next_data(lines_, line))
        lines_.fail("the file ends after " + std::to_string(k) + " of the " + promise());
      read_coordinate(line);
    }
  }

  void read_coordinate(std::string_view line) {
    Fields fields(line);
    const uint32_t row = parse_index(fields.next(), "a row", c_.nrows);
    const uint32_t column = parse_index(fields.next(), "a column", c_.ncols);
    add(row, column, fields);
  }

  void read_array() {
    std::string_view line;
    uint64_t k = 0;
    for (uint64_t column = 0; column < c_.ncols; ++column) {
      const uint64_t first =
          header_.symmetry == Symmetry::general ? 0 : column + (header_.symmetry == Symmetry::skew);
      for (uint64_t row = first; row < c_.nrows; ++row, ++k) {
        if (!next_data(lines_, line))
          lines_.fail("the file ends after " + std::to_string(k) + " of the " + promise());
        Fields fields(line);
        add(static_cast<uint32_t>(row), static_cast<uint32_t>(column), fields);
      }
    }
  }

  uint32_t parse_index(std::string_view field, const char* what, uint64_t range) {
    const std::string text = std::string(what) + " between 1 and " + std::to_string(range);
    const uint64_t index = parse_count(lines_, field, text);
    if (index < 1 || index > range) expected(lines_, text, field);
    return static_cast<uint32_t>(index - 1);
  }

  /// Adds an entry, and its mirror image in a symmetric matrix.
  void add(uint32_t row, uint32_t column, Fields& fields) {
    const bool mirrored = header_.symmetry != Symmetry::general && row != column;
    if (header_.symmetry != Symmetry::general && row < column) {
      lines_.fail("the entry is above the diagonal; a symmetric file holds the lower triangle only");
    }
    if (header_.symmetry == Symmetry::skew && row == column) {
      lines_.fail("the entry is on the diagonal, which a skew-symmetric matrix does not have");
    }
    c_.add(row, column);
    if (mirrored) c_.add(column, row);
    if (c_.values == ValueKind::integer) {
      const int64_t value = parse_integer(lines_, fields.next());
      if (header_.symmetry == Symmetry::skew && value == INT64_MIN)
        lines_.fail("the value has no negative in 64 bits");
      c_.integers.push_back(value);
      if (mirrored) c_.integers.push_back(header_.symmetry == Symmetry::skew ? -value : value);
    } else if (c_.values == ValueKind::real) {
      const double value = parse_real(lines_, fields.next());
      c_.reals.push_back(value);
      if (mirrored) c_.reals.push_back(header_.symmetry == Symmetry::skew ? -value : value);
    }
    expect_end(lines_, fields);
  }

  LineReader& lines_;
  Header header_;
  Coordinates c_;
  uint64_t count_ = 0, size_line_ = 0;
};

}  // namespace

Csr read_matrix_market(const std::string& path, Progress progress) {
  LineReader lines(path, std::move(progress));
  return read_matrix_market(lines);
}
Csr read_matrix_market(LineReader& lines) {
  require_format(lines, Format::matrix_market);
  return Reader(lines).read();
}

MatrixMarketHeader read_matrix_market_header(LineReader& reader) { return Reader(reader).header(); }

Coordinates read_entries(LineReader& part, const MatrixMarketHeader& header) {
  return Reader(part, header).read_part();
}

}  // namespace cugrb::graph_files
