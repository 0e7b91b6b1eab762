#include "src/formats/host_stream.h"

namespace cugrb::formats {

Csr MatrixSource::by_rows(bool transposed, Range rows, Range columns) const {
  Csr result = transposed == by_column_ ? part(rows, columns) : transpose(part(columns, rows));
  result.first_row = rows.first;
  return result;
}

}  // namespace cugrb::formats
