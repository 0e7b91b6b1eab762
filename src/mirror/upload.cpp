#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "src/mirror/integer_copies.h"
#include "src/mirror/transfer.h"
#include "src/support/declined.h"

namespace cugrb::mirror {
namespace {

using formats::Csr;
using formats::DeviceMatrix;
using formats::DeviceVector;
using runtime::Buffer;

constexpr uint64_t rows_limit = uint64_t(1)
                                << 31;  // plain offsets for more rows than this are not worth their memory

Buffer upload_values(const HostView& view) {
  return Buffer::from_host(view.values, view.value_count() * view.value_bytes);
}

Buffer upload_integers(const real::Integers& host, uint64_t count, primitives::Width width) {
  Buffer buffer(count * formats::bytes_of(width));
  copy_integers_to_device(buffer.data(), host, count, width);
  return buffer;
}

/// Offsets of all vectors from those of the listed ones: vector r begins where the first listed vector >= r
/// does.
Buffer upload_hypersparse_offsets(const HostView& view, primitives::Width width) {
  Buffer buffer((view.vectors + 1) * formats::bytes_of(width));
  fill_on_device(buffer.data(), view.vectors + 1, width, [&](auto* out, uint64_t begin, uint64_t end) {
    uint64_t listed = view.names.lower_bound(0, view.listed_vectors, begin);
    for (uint64_t row = begin; row < end; ++row) {
      while (listed < view.listed_vectors && view.names[listed] < row) ++listed;
      *out++ = static_cast<std::remove_reference_t<decltype(*out)>>(view.offsets[listed]);
    }
  });
  return buffer;
}

void upload_compressed(const HostView& view, Csr& csr) {
  csr.offsets = view.form == HostForm::hypersparse || !view.offsets
                    ? upload_hypersparse_offsets(view, csr.offset_width)
                    : upload_integers(view.offsets, view.vectors + 1, csr.offset_width);
  csr.column_indices = upload_integers(view.indices, view.entries, csr.column_width);
  csr.values = upload_values(view);
}

void upload_full(const HostView& view, Csr& csr) {
  formats::fill_full_pattern(csr);
  csr.values = upload_values(view);
}

/// Calls found(p) for every p in [begin, end) with a set byte; eight bytes that are clear cost one load.
template <class Found>
void for_each_present(const int8_t* present, uint64_t begin, uint64_t end, const Found& found) {
  for (uint64_t p = begin; p < end;) {
    uint64_t word = 1;
    if (p + sizeof word <= end) std::memcpy(&word, present + p, sizeof word);
    if (word == 0) {
      p += sizeof word;
      continue;
    }
    const uint64_t stop = std::min<uint64_t>(p + sizeof word, end);
    for (; p < stop; ++p) {
      if (present[p] != 0) found(p);
    }
  }
}

/// Compresses a bitmap on the host, then goes on as for a sparse matrix.
void upload_bitmap(const HostView& view, Csr& csr) {
  const uint64_t length = view.vector_length;
  const uint64_t grain = std::max<uint64_t>(1, (uint64_t(1) << 18) / std::max<uint64_t>(length, 1));
  std::vector<int64_t> offsets(view.vectors + 1, 0);
  parallel_ranges(view.vectors, grain, [&](uint64_t begin, uint64_t end) {
    for (uint64_t row = begin; row < end; ++row) {
      const int8_t* const present = view.present + row * length;
      offsets[row + 1] = std::count_if(present, present + length, [](int8_t bit) { return bit != 0; });
    }
  });
  for (uint64_t row = 0; row < view.vectors; ++row) offsets[row + 1] += offsets[row];
  const size_t size = view.value_bytes;
  const std::unique_ptr<int64_t[]> indices(new int64_t[view.entries]);
  const std::unique_ptr<char[]> values(new char[view.iso ? size : view.entries * size]);
  const char* const source = static_cast<const char*>(view.values);
  parallel_ranges(view.vectors, grain, [&](uint64_t begin, uint64_t end) {
    int64_t k = offsets[begin];
    for_each_present(view.present, begin * length, end * length, [&](uint64_t p) {
      indices[k] = static_cast<int64_t>(p % length);
      if (!view.iso) std::memcpy(values.get() + k * size, source + p * size, size);
      ++k;
    });
  });
  HostView sparse = view;
  sparse.form = HostForm::sparse;
  sparse.offsets = static_cast<const int64_t*>(offsets.data());
  sparse.indices = static_cast<const int64_t*>(indices.get());
  if (!view.iso) sparse.values = values.get();
  upload_compressed(sparse, csr);
}

}  // namespace

DeviceVector upload_vector(const HostView& view, const Type& type) {
  DeviceVector vector;
  vector.type = type;
  vector.length = view.vector_length * view.vectors;
  if (view.entries == 0) return vector;  // sparse, with no entries
  vector.iso = view.iso;
  switch (view.form) {
    case HostForm::hypersparse:
    case HostForm::sparse:
      vector.form = Form::sparse;
      vector.indices = upload_integers(view.indices, view.entries, formats::index_width(vector.length));
      break;
    case HostForm::bitmap:
      vector.form = Form::bitmap;
      vector.present = Buffer::from_host(view.present, vector.length);
      break;
    case HostForm::full:
      vector.form = Form::full;
      break;
  }
  vector.values = upload_values(view);
  vector.set_nvals(view.entries);
  return vector;
}

namespace {

/// Everything but the arrays.
DeviceMatrix matrix_of(const Type& type, uint64_t vectors, uint64_t vector_length, bool by_column,
                       uint64_t entries) {
  if (vectors >= rows_limit) throw Declined("a matrix with 2^31 rows or more");
  DeviceMatrix matrix;
  matrix.type = type;
  matrix.by_column = by_column;
  matrix.rows = by_column ? vector_length : vectors;
  matrix.columns = by_column ? vectors : vector_length;
  Csr& csr = matrix.stored;
  csr.type = type;
  csr.rows = vectors;
  csr.columns = vector_length;
  csr.entries = entries;
  csr.offset_width = Csr::offset_width_for(entries);
  csr.column_width = formats::index_width(vector_length);
  if (entries == 0) csr.offsets = Buffer::zeroed((vectors + 1) * formats::bytes_of(csr.offset_width));
  return matrix;
}

}  // namespace

DeviceMatrix empty_matrix(const Type& type, uint64_t rows, uint64_t columns, bool by_column) {
  return matrix_of(type, by_column ? columns : rows, by_column ? rows : columns, by_column, 0);
}

void require_storable(HostForm form, bool iso, uint64_t vectors, uint64_t vector_length, uint64_t entries) {
  formats::require_entries_for_rows(vectors, entries);
  if (iso && form == HostForm::full) formats::require_room_for_all(vectors, vector_length);
}

DeviceMatrix upload_matrix(const HostView& view, const Type& type) {
  require_storable(view.form, view.iso, view.vectors, view.vector_length, view.entries);
  DeviceMatrix matrix = matrix_of(type, view.vectors, view.vector_length, view.by_column, view.entries);
  if (view.entries == 0) return matrix;
  Csr& csr = matrix.stored;
  csr.iso = view.iso;
  const size_t offset_bytes = (csr.rows + 1) * formats::bytes_of(csr.offset_width);
  if (offset_bytes / 2 > runtime::device().memory().total_bytes) {
    throw runtime::OutOfMemory("row offsets would not fit the device's memory");
  }
  switch (view.form) {
    case HostForm::hypersparse:
    case HostForm::sparse:
      upload_compressed(view, csr);
      break;
    case HostForm::bitmap:
      upload_bitmap(view, csr);
      break;
    case HostForm::full:
      upload_full(view, csr);
      break;
  }
  return matrix;
}

namespace {

uint64_t times(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? ~uint64_t(0) / 4 : product;
}

}  // namespace

uint64_t upload_bytes_of(HostForm form, bool iso, size_t value_bytes, uint64_t vectors,
                         uint64_t vector_length, uint64_t entries, bool is_matrix) {
  const uint64_t index_bytes = formats::bytes_of(formats::index_width(vector_length));
  if (is_matrix) {
    const uint64_t offset_bytes = formats::bytes_of(Csr::offset_width_for(entries));
    return (vectors + 1) * offset_bytes + entries * index_bytes + (iso ? 1 : entries) * value_bytes;
  }
  const uint64_t positions = times(vectors, vector_length);
  switch (form) {
    case HostForm::bitmap:
      return positions + times(iso ? 1 : positions, value_bytes);
    case HostForm::full:
      return times(iso ? 1 : positions, value_bytes);
    default:
      return entries * index_bytes + (iso ? 1 : entries) * value_bytes;
  }
}

}  // namespace cugrb::mirror
