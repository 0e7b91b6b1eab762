#include "src/formats/host_stream.h"

#include <algorithm>

namespace cugrb::formats {

Csr MatrixSource::by_rows(bool transposed, Range rows, Range columns) const {
  Csr result = transposed == by_column_ ? part(rows, columns) : transpose(part(columns, rows));
  result.first_row = rows.first;
  return result;
}

size_t entry_bytes(const MatrixSource& source, bool transposed) {
  // Sorting a part into the other orientation takes keys and payload twice, beside the part itself.
  constexpr size_t turning_bytes = 32;
  const size_t stored = bytes_of(index_width(std::max(source.rows(), source.columns()))) +
                        (source.iso() ? 0 : source.type().size);
  return stored + (transposed == source.by_column() ? 0 : turning_bytes);
}

}  // namespace cugrb::formats
