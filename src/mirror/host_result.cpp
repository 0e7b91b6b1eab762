#include "src/mirror/host_result.h"

#include <cstring>
#include <new>
#include <utility>

#include "src/mirror/integer_copies.h"
#include "src/support/parallel.h"

namespace cugrb::mirror {

void HostResult::begin(const formats::SparseShape& whole, bool by_column) {
  HostView shape;
  shape.by_column = by_column;
  shape.value_bytes = whole.type.size;
  shape.vectors = whole.rows;
  shape.vector_length = whole.columns;
  announced_ = whole.entries;
  if (!content_.reserve(shape)) throw std::bad_alloc();
  content_.leave_form_open();
  content_.offsets()[0] = 0;
}

/// Twice what there was, up to what was announced, and a quarter more beyond that: entries are moved a few
/// times at most.
void HostResult::make_room(uint64_t entries) {
  if (entries <= capacity_) return;
  const uint64_t more =
      capacity_ < announced_ ? std::min(2 * capacity_, announced_) : capacity_ + capacity_ / 4;
  const uint64_t wanted = std::max(entries, more);
  if (!content_.resize(wanted)) throw std::bad_alloc();
  capacity_ = wanted;
}

void HostResult::append(const formats::Csr& rows) {
  constexpr uint64_t grain = uint64_t(1) << 18;
  int64_t* const offsets = content_.offsets() + rows_;
  copy_integers_to_host(offsets, rows.offsets.data(), rows.rows + 1, rows.offset_width);
  for (uint64_t r = 0; r <= rows.rows; ++r) offsets[r] += static_cast<int64_t>(entries_);
  rows_ += rows.rows;
  if (rows.entries == 0) return;
  make_room(entries_ + rows.entries);
  copy_integers_to_host(content_.indices() + entries_, rows.column_indices.data(), rows.entries,
                        rows.column_width);
  const size_t size = rows.type.size;
  char* const values = static_cast<char*>(content_.values()) + entries_ * size;
  runtime::device().copy_to_host(values, rows.values.data(), (rows.iso ? 1 : rows.entries) * size);
  if (rows.iso) {
    parallel_ranges(rows.entries - 1, grain, [&](uint64_t first, uint64_t last) {
      for (uint64_t p = first + 1; p <= last; ++p) std::memcpy(values + p * size, values, size);
    });
  }
  entries_ += rows.entries;
}

HostContent HostResult::take() {
  content_.resize(entries_);  // when there is no memory to move to, what is too much stays
  content_.set_entries(entries_);
  return std::move(content_);
}

}  // namespace cugrb::mirror
