#include "src/operations/multiply/mxm/parts/right_factor.h"

#include <algorithm>
#include <typeindex>

#include "src/formats/matrix_in_parts.h"
#include "src/formats/row_parts.h"
#include "src/operations/multiply/mxm/rows/rows.h"

namespace cugrb::operations {

using formats::bytes_of;
using formats::Csr;
using formats::Only;
using formats::Range;
using runtime::Buffer;
using runtime::Device;

size_t Replicas::bytes() const {
  size_t sum = 0;
  for (const DeviceMatrix& matrix : of_device) sum += matrix.bytes();
  return sum;
}

const Replicas& replicas_of(const DeviceMatrix& matrix, std::span<Device* const> devices) {
  return matrix.derived(false, Only<Replicas>(), [&] {
    Replicas replicas{std::vector<DeviceMatrix>(1)};
    for (Device* const device : devices.subspan(1))
      replicas.of_device.push_back(matrix_by(formats::moved(matrix.stored, *device), matrix.by_column));
    return replicas;
  });
}

bool has_replicas(const DeviceMatrix& matrix) {
  return matrix.find_derived(false, Only<Replicas>()) != nullptr;
}

void forget_replicas(const DeviceMatrix& matrix) {
  const std::type_index key = typeid(Only<Replicas>);
  matrix.retire(false, {&key, 1});
}

namespace {

/// A device that has no room for one of so many has none for its rows of T.
constexpr uint64_t most_pieces = 64;

}  // namespace

uint64_t pieces_for(size_t bytes, std::span<Device* const> devices, const Device* holder) {
  uint64_t pieces = 1;
  for (Device* const device : devices) {
    if (device == holder) continue;
    const runtime::OnDevice there(*device);
    const size_t usable = std::max<size_t>(usable_bytes(), 4);
    if (bytes > usable / 2) pieces = std::max<uint64_t>(pieces, (bytes - 1) / (usable / 4) + 1);
  }
  return std::min(pieces, most_pieces);
}

RightPieces::RightPieces(const MatrixMatrixRun& run)
    : matrix_(run.right_matrix()), transposed_(run.right_transposed()) {}

bool RightPieces::can_cut(const MatrixMatrixRun& run) {
  return run.right_matrix().parts == nullptr || run.right_matrix().by_column == run.right_transposed();
}

uint64_t RightPieces::offset_at(uint64_t row) const {
  const Csr& rows = matrix_.by_rows(transposed_);
  const size_t width = bytes_of(rows.offset_width);
  uint64_t offset = 0;  // of a little-endian host
  rows.offsets.read_bytes(row * width, &offset, width);
  return offset;
}

uint64_t RightPieces::row_of_entry(uint64_t entry) const {
  uint64_t first = 0, last = matrix_.by_rows(transposed_).rows;
  while (first < last) {
    const uint64_t middle = first + (last - first) / 2;
    if (offset_at(middle) < entry) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}

std::vector<Range> RightPieces::cut(uint64_t count) const {
  std::vector<Range> pieces;
  uint64_t begin = 0;
  const uint64_t all =
      matrix_.parts != nullptr ? matrix_.parts->of.size() : matrix_.by_rows(transposed_).rows;
  const auto add = [&](uint64_t end) {
    if (end > begin) pieces.push_back({begin, end});
    begin = std::max(begin, end);
  };
  for (uint64_t k = 1; k < count; ++k) {
    const double share = double(k) / double(count);
    add(matrix_.parts != nullptr ? uint64_t(share * double(all))
                                 : row_of_entry(uint64_t(share * double(matrix_.nvals()))));
  }
  add(all);
  return pieces;
}

namespace {

Buffer taken(const Buffer& from, uint64_t begin, uint64_t count, size_t size) {
  Buffer part(count * size);
  part.copy_bytes(0, from, begin * size, count * size);
  return part;
}

/// Offsets of rows [first, last), 0 in front of them and `entries` behind.
Buffer offsets_between(const Csr& rows, const Range& range, uint64_t begin, uint64_t entries) {
  const formats::Width width = rows.offset_width;
  const size_t size = bytes_of(width);
  Buffer offsets = Buffer::zeroed((rows.rows + 1) * size);
  const Buffer own = formats::shifted(taken(rows.offsets, range.first, range.length(), size), width, width,
                                      range.length(), -begin);
  offsets.copy_bytes(range.first * size, own, 0, own.bytes());
  const uint64_t behind = rows.rows + 1 - range.last;
  const Buffer end = formats::shifted(Buffer::zeroed(behind * size), width, width, behind, entries);
  offsets.copy_bytes(range.last * size, end, 0, end.bytes());
  return offsets;
}

}  // namespace

DeviceMatrix RightPieces::piece(const Range& rows) const {
  if (matrix_.parts != nullptr) return matrix_by(formats::collected(*matrix_.parts, rows), matrix_.by_column);
  const Csr& all = matrix_.by_rows(transposed_);
  const uint64_t begin = offset_at(rows.first), entries = offset_at(rows.last) - begin;
  Csr piece({all.type, all.rows, all.columns, entries, all.column_width, all.iso}, all.offset_width);
  piece.offsets = offsets_between(all, rows, begin, entries);
  piece.column_indices = taken(all.column_indices, begin, entries, bytes_of(all.column_width));
  piece.values = all.iso ? all.values : taken(all.values, begin, entries, all.type.size);
  return matrix_by(std::move(piece), transposed_);
}

}  // namespace cugrb::operations
