#include "src/mirror/host_result.h"

#include <algorithm>
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
  if (!content_.reserve(shape)) throw std::bad_alloc();
  content_.leave_form_open();
  content_.offsets()[0] = 0;
  // Memory that nobody touches costs nothing. What is announced may be more than the host lets anybody have.
  constexpr uint64_t more_than_any_host = uint64_t(1) << 40;
  capacity_ = std::min(whole.entries, more_than_any_host);
  while (capacity_ > 0 && !content_.resize(capacity_)) capacity_ -= (capacity_ + 3) / 4;
}

/// A quarter more than there was. Seldom: large pages that move are split (16 s for 6 GB in all, in steps of
/// twice what there was, on a virtual machine; 2.4 s where there was room from the beginning).
void HostResult::make_room(uint64_t entries) {
  if (entries <= capacity_) return;
  const uint64_t wanted = std::max(entries, capacity_ + capacity_ / 4);
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
  iso_ = iso_ && rows.iso && std::memcmp(content_.values(), values, size) == 0;
  if (rows.iso) {
    parallel_ranges(rows.entries - 1, grain, [&](uint64_t first, uint64_t last) {
      for (uint64_t p = first + 1; p <= last; ++p) std::memcpy(values + p * size, values, size);
    });
  }
  entries_ += rows.entries;
}

HostContent HostResult::take() {
  // When there is no memory to move to, what is too much stays.
  if (capacity_ > 0) content_.resize(std::max<uint64_t>(entries_, 1));
  content_.set_entries(entries_);
  if (iso_ && entries_ > 0) content_.make_iso();
  return std::move(content_);
}

}  // namespace cugrb::mirror
