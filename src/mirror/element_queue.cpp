#include "src/mirror/element_queue.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace cugrb::mirror {

using formats::Width;
using runtime::Buffer;

namespace {

template <class Array>
void make_room(Array& array, size_t size) {
  if (array.capacity() < size) array.reserve(std::max(size, 2 * array.capacity()));
}

Buffer to_device(const std::vector<uint64_t>& integers, Width width) {
  if (width == Width::bits64) return Buffer::from_host(integers.data(), integers.size() * sizeof(uint64_t));
  const std::vector<uint32_t> narrow(integers.begin(), integers.end());
  return Buffer::from_host(narrow.data(), narrow.size() * sizeof(uint32_t));
}

GrB_Info set_element(GrB_Matrix object, const Type& type, const char* bytes, uint64_t row, uint64_t column) {
  const auto& t = real::table();
  switch (type.code) {
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code)                               \
  case TypeCode::Code: {                                                      \
    ctype value;                                                              \
    std::memcpy(&value, bytes, sizeof(value));                                \
    return t.PREFIX##_Matrix_setElement_##SUFFIX(object, value, row, column); \
  }
#include "semirings/types.def"
#undef CUGRB_TYPE
    default:
      return t.GrB_Matrix_setElement_UDT(object, const_cast<char*>(bytes), row, column);
  }
}

}  // namespace

void ElementQueue::add(uint64_t row, uint64_t column, const void* value, size_t bytes) {
  const size_t count = rows_.size() + 1;
  make_room(rows_, count);
  make_room(columns_, count);
  make_room(removes_, count);
  make_room(values_, count * bytes);
  if (!last_.empty()) last_[{row, column}] = count - 1;
  rows_.push_back(row);
  columns_.push_back(column);
  removes_.push_back(value == nullptr ? 1 : 0);
  if (value == nullptr) {
    values_.append(bytes, '\0');
  } else {
    values_.append(static_cast<const char*>(value), bytes);
  }
}

std::optional<const char*> ElementQueue::find(uint64_t row, uint64_t column, size_t bytes) {
  if (last_.empty()) {
    Index index;
    for (size_t n = 0; n < rows_.size(); ++n) index[{rows_[n], columns_[n]}] = n;
    last_ = std::move(index);
  }
  const auto found = last_.find({row, column});
  if (found == last_.end()) return std::nullopt;
  return removes_[found->second] != 0 ? nullptr : values_.data() + found->second * bytes;
}

std::vector<ElementQueue::Change> ElementQueue::last_of_each_place(bool by_column) const {
  std::vector<Change> changes(rows_.size());
  for (size_t n = 0; n < changes.size(); ++n) {
    changes[n] = {by_column ? columns_[n] : rows_[n], by_column ? rows_[n] : columns_[n], n};
  }
  const auto before = [](const Change& a, const Change& b) {
    return std::tie(a.row, a.column, a.number) < std::tie(b.row, b.column, b.number);
  };
  if (!std::is_sorted(changes.begin(), changes.end(), before))
    std::sort(changes.begin(), changes.end(), before);
  size_t kept = 0;
  for (size_t n = 0; n < changes.size(); ++n) {
    const bool last = n + 1 == changes.size() || changes[n].row != changes[n + 1].row ||
                      changes[n].column != changes[n + 1].column;
    if (last) changes[kept++] = changes[n];
  }
  changes.resize(kept);
  return changes;
}

formats::EntryUpdates ElementQueue::updates(const formats::DeviceMatrix& matrix) const {
  const std::vector<Change> changes = last_of_each_place(matrix.by_column);
  const formats::Csr& stored = matrix.stored;
  const size_t bytes = stored.type.size;
  std::vector<uint64_t> rows, columns;
  std::vector<uint8_t> removes;
  std::string values;
  const char* first = nullptr;  // value that is set
  bool one_value = true;
  for (const Change& change : changes) {
    const size_t n = change.number;
    rows.push_back(change.row);
    columns.push_back(change.column);
    removes.push_back(removes_[n]);
    const char* const value = values_.data() + n * bytes;
    values.append(value, bytes);
    if (removes_[n] != 0) continue;
    if (first == nullptr) first = value;
    one_value = one_value && std::memcmp(first, value, bytes) == 0;
  }
  formats::EntryUpdates made{formats::Coo(formats::sparse_shape(stored.type, stored.rows, stored.columns,
                                                                changes.size(), one_value)),
                             {}};
  formats::Coo& entries = made.entries;
  entries.column_width = stored.column_width;
  entries.row_width = formats::index_width(stored.rows);
  entries.row_indices = to_device(rows, entries.row_width);
  entries.column_indices = to_device(columns, entries.column_width);
  if (first != nullptr)
    entries.values =
        one_value ? Buffer::from_host(first, bytes) : Buffer::from_host(values.data(), values.size());
  if (std::find(removes.begin(), removes.end(), 1) != removes.end())
    made.removes = Buffer::from_host(removes.data(), removes.size());
  return made;
}

GrB_Info ElementQueue::replay(GrB_Matrix object, const Type& type) const {
  for (size_t n = 0; n < rows_.size(); ++n) {
    const GrB_Info info =
        removes_[n] != 0 ? real::table().GrB_Matrix_removeElement(object, rows_[n], columns_[n])
                         : set_element(object, type, values_.data() + n * type.size, rows_[n], columns_[n]);
    if (info != GrB_SUCCESS) return info;
  }
  return GrB_SUCCESS;
}

void ElementQueue::clear() { *this = {}; }

}  // namespace cugrb::mirror
