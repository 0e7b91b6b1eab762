// Random changes of entries, on the device and against a map: for merging into CSR and for dynamic CSR.
#pragma once
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "src/formats/csr_update.h"
#include "tests/operations/mxv_matrix.h"

namespace cugrb::test {

using Place = std::pair<uint64_t, uint64_t>;
/// A place without a value loses its entry.
using RefUpdates = std::map<Place, std::optional<Value>>;

/// Half of the places have an entry, if the matrix has any.
inline RefUpdates random_updates(Random& random, const RefMatrix& matrix, size_t count, double removed,
                                 const Value* one_value = nullptr) {
  RefUpdates updates;
  if (matrix.rows == 0 || matrix.columns == 0) return updates;
  std::vector<Place> there;
  for (const auto& [place, value] : matrix.entries) there.push_back(place);
  for (size_t n = 0; n < count; ++n) {
    Place place{below(random, matrix.rows), below(random, matrix.columns)};
    if (!there.empty() && n % 2 == 0) place = there[below(random, there.size())];
    std::optional<Value> value;
    if (!chance(random, removed)) {
      value = one_value != nullptr ? *one_value : Value{matrix.type, std::string(matrix.type.size, '\0')};
      if (one_value == nullptr) {
        if (matrix.type.is_user()) {
          for (char& byte : value->bytes) byte = char(random());
        } else {
          value = random_value(random, matrix.type);
        }
      }
    }
    updates[place] = value;
  }
  return updates;
}

/// With the index widths of `matrix`.
inline formats::EntryUpdates to_device(const RefUpdates& updates, const formats::Csr& matrix, bool iso) {
  formats::EntryUpdates made{
      formats::Coo(formats::sparse_shape(matrix.type, matrix.rows, matrix.columns, updates.size(), iso)), {}};
  std::vector<uint32_t> rows, columns;
  std::vector<uint64_t> wide_columns;
  std::vector<uint8_t> removes;
  std::string values;
  bool sets = false, removed = false;
  for (const auto& [place, value] : updates) {
    rows.push_back(uint32_t(place.first));
    columns.push_back(uint32_t(place.second));
    wide_columns.push_back(place.second);
    removes.push_back(value ? 0 : 1);
    if (!iso || (value && values.empty())) {
      values += value ? value->bytes : std::string(matrix.type.size, '\xa5');
    }
    (value ? sets : removed) = true;
  }
  formats::Coo& coo = made.entries;
  coo.column_width = matrix.column_width;
  coo.row_indices = runtime::Buffer::from_host(rows.data(), rows.size() * 4);
  coo.column_indices = matrix.column_width == formats::Width::bits64
                           ? runtime::Buffer::from_host(wide_columns.data(), wide_columns.size() * 8)
                           : runtime::Buffer::from_host(columns.data(), columns.size() * 4);
  if (sets) coo.values = runtime::Buffer::from_host(values.data(), values.size());
  if (removed) made.removes = runtime::Buffer::from_host(removes.data(), removes.size());
  return made;
}

/// The slow, obvious update. `combine` works on values of the matrix's type.
inline void apply(RefMatrix& matrix, const RefUpdates& updates, const std::optional<BinaryOp>& combine) {
  for (const auto& [place, value] : updates) {
    const auto found = matrix.entries.find(place);
    if (!value) {
      matrix.entries.erase(place);
    } else if (combine && found != matrix.entries.end()) {
      const Value x = reference::cast(found->second, combine->x), y = reference::cast(*value, combine->y);
      found->second = reference::cast(reference::apply(*combine, x, y), matrix.type);
    } else {
      matrix.entries[place] = *value;
    }
  }
}

}  // namespace cugrb::test
