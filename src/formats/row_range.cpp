#include "src/formats/row_range.h"

#include <vector>

namespace cugrb::formats {

using runtime::Buffer;

namespace {

/// Offsets [first, last], from 0 on.
template <class Offset>
Buffer offsets_of_range(const Csr& matrix, uint64_t first, uint64_t last, uint64_t& begin, uint64_t& end) {
  std::vector<Offset> offsets(last - first + 1);
  runtime::device().copy_to_host(offsets.data(), matrix.offsets.as<Offset>() + first,
                                 offsets.size() * sizeof(Offset));
  begin = offsets.front();
  end = offsets.back();
  for (Offset& offset : offsets) offset -= Offset(begin);
  return Buffer::from_host(offsets.data(), offsets.size() * sizeof(Offset));
}

}  // namespace

Buffer elements_of(const Buffer& whole, uint64_t first, uint64_t last, size_t size) {
  Buffer part((last - first) * size);
  if (last > first)
    runtime::device().copy_on_device(part.data(), whole.as<char>() + first * size, part.bytes());
  return part;
}

Csr rows_of(const Csr& matrix, uint64_t first, uint64_t last) {
  Csr part(matrix, matrix.offset_width);  // of the whole's width: the same specialisations run on all ranges
  uint64_t begin = 0, end = 0;
  part.offsets = matrix.offset_width == Width::bits64
                     ? offsets_of_range<uint64_t>(matrix, first, last, begin, end)
                     : offsets_of_range<uint32_t>(matrix, first, last, begin, end);
  part.rows = last - first;
  part.entries = end - begin;
  part.first_row = matrix.first_row + first;
  part.column_indices = elements_of(matrix.column_indices, begin, end, bytes_of(matrix.column_width));
  part.values = matrix.iso ? matrix.values : elements_of(matrix.values, begin, end, matrix.type.size);
  return part;
}

}  // namespace cugrb::formats
