// Entries in any order, and the way from them to CSR.
#pragma once
#include <cstdint>
#include <vector>

#include "tools/graph_files/csr.h"
#include "tools/graph_files/line_reader.h"

namespace cugrb::graph_files {

/// The largest dimension readers accept: coordinates are kept in 32 bits to save memory.
inline constexpr uint64_t largest_dimension = UINT32_MAX;

/// Entries (rows[k], columns[k]) with a value each as `values` says. Rows and columns count from 0.
struct Coordinates {
  uint64_t nrows = 0, ncols = 0;
  ValueKind values = ValueKind::pattern;
  std::vector<uint32_t> rows, columns;
  std::vector<int64_t> integers;
  std::vector<double> reals;

  void add(uint32_t row, uint32_t column) {
    rows.push_back(row);
    columns.push_back(column);
  }
};

/// Sorts by row and column, and combines entries at the same place by adding their values (as finite-element
/// assembly means it; patterns have nothing to add). Counting sort by column, then by row: O(entries + nrows
/// + ncols), stable. Consumes its argument: memory is given back as early as possible.
Csr to_csr(Coordinates&& coordinates);

/// FileError at the line that says how large the matrix is: it does not fit into memory with so many entries.
[[noreturn]] void fail_for_memory(const LineReader& lines, uint64_t size_line, const Coordinates& coordinates,
                                  uint64_t entries);

/// The same of what a file holds: a lack of memory is a FileError, found before memory is written to that the
/// machine does not have.
Csr to_csr(const LineReader& lines, uint64_t size_line, Coordinates&& coordinates);

}  // namespace cugrb::graph_files
