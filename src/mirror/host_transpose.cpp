// HostContent::turn(): the other orientation, on the host.
#include <cstring>
#include <utility>

#include "src/mirror/host_content.h"

namespace cugrb::mirror {
namespace {

/// Room for one of the arrays below; SuiteSparse gets the arrays, so sizes and shapes are those of `from`.
bool reserve_turned(HostContent& to, HostView shape) {
  shape.by_column = !shape.by_column;
  std::swap(shape.vectors, shape.vector_length);
  return to.reserve(shape);
}

void turn_full(const HostView& from, char* values) {
  const size_t size = from.value_bytes;
  const char* const source = static_cast<const char*>(from.values);
  if (from.iso) {
    std::memcpy(values, source, size);
    return;
  }
  for (uint64_t j = 0; j < from.vector_length; ++j) {
    for (uint64_t i = 0; i < from.vectors; ++i, values += size) {
      std::memcpy(values, source + (i * from.vector_length + j) * size, size);
    }
  }
}

/// Counting sort by index (Gustavson, "Two fast algorithms for sparse matrices", 1978): stable, so that the
/// new vectors come out sorted.
void turn_sparse(const HostView& from, HostContent& to) {
  int64_t* const offsets = to.offsets();
  std::memset(offsets, 0, (from.vector_length + 1) * sizeof(int64_t));
  // offsets[j + 1] is first the place of vector j's next entry, and then, when all are placed, its end.
  for (uint64_t k = 0; k < from.entries; ++k) {
    const uint64_t j = from.indices[k];
    if (j + 2 <= from.vector_length) ++offsets[j + 2];
  }
  for (uint64_t j = 2; j <= from.vector_length; ++j) offsets[j] += offsets[j - 1];
  const size_t size = from.value_bytes;
  const char* const source = static_cast<const char*>(from.values);
  char* const values = static_cast<char*>(to.values());
  for (uint64_t i = 0; i < from.vectors; ++i) {
    for (uint64_t k = from.offsets[i]; k < from.offsets[i + 1]; ++k) {
      const int64_t place = offsets[from.indices[k] + 1]++;
      to.indices()[place] = static_cast<int64_t>(i);
      if (!from.iso) std::memcpy(values + static_cast<size_t>(place) * size, source + k * size, size);
    }
  }
  if (from.iso) std::memcpy(values, source, size);
}

}  // namespace

bool HostContent::turn() {
  const HostView from = view();
  const bool sparse = from.form == HostForm::sparse;
  if (!sparse && from.form != HostForm::full) return false;
  HostContent turned;
  if (!reserve_turned(turned, from)) return false;
  turned.form_open_ = form_open_;
  if (sparse) {
    turn_sparse(from, turned);
  } else {
    turn_full(from, static_cast<char*>(turned.values()));
  }
  *this = std::move(turned);
  return true;
}

}  // namespace cugrb::mirror
