// A full vector's values as an array in host memory, without a copy where GraphBLAS allows it.
#pragma once
#include <cstdlib>
#include <memory>
#include <new>

#include "cugrb/vector.hpp"

namespace cugrb::detail {

struct FreeArray {
  void operator()(void* p) const { std::free(p); }
};

/// n values from malloc, which GraphBLAS can take over.
template <class T>
std::unique_ptr<T[], FreeArray> host_array(size_t n) {
  void* const memory = std::malloc(std::max<size_t>(n, 1) * sizeof(T));
  if (memory == nullptr) throw std::bad_alloc();
  return std::unique_ptr<T[], FreeArray>(static_cast<T*>(memory));
}

/// A vector with these n values, which it owns afterwards. O(1).
template <class T>
Vector<T> adopt_values(std::unique_ptr<T[], FreeArray> values, Index n) {
  Vector<T> result(n);
  if (n == 0) return result;
  void* array = values.get();
  check(GxB_Vector_pack_Full(result.handle(), &array, n * sizeof(T), false, nullptr), "GxB_Vector_pack_Full",
        result.handle());
  values.release();
  return result;
}

/// Calls use(values, iso) with the values of a vector that has all of its entries; iso: the first one stands
/// for all. The vector is as it was afterwards. Errors: GrB_INVALID_VALUE where an entry is missing.
template <class T, class Use>
void with_values(const Vector<T>& vector, const Use& use) {
  if (vector.size() == 0) return use(static_cast<const T*>(nullptr), false);
  void* values = nullptr;
  Index bytes = 0;
  bool iso = false;
  check(GxB_Vector_unpack_Full(vector.handle(), &values, &bytes, &iso, nullptr), "GxB_Vector_unpack_Full",
        vector.handle());
  use(static_cast<const T*>(values), iso);
  check(GxB_Vector_pack_Full(vector.handle(), &values, bytes, iso, nullptr), "GxB_Vector_pack_Full",
        vector.handle());
}

}  // namespace cugrb::detail
