// A program that unpacks its graph and packs it again between products, as LAGraph's connected components do.
#include <algorithm>
#include <cstdint>

#include "tests/offload/cases.h"

namespace cases {
namespace {

struct Unpacked {
  GrB_Index *offsets = nullptr, *indices = nullptr, bytes[3] = {0, 0, 0};
  void* values = nullptr;
  bool iso = false, jumbled = false;
};

Unpacked unpack(GrB_Matrix a) {
  Unpacked x;
  GxB_Matrix_unpack_CSR(a, &x.offsets, &x.indices, &x.values, &x.bytes[0], &x.bytes[1], &x.bytes[2], &x.iso,
                        &x.jumbled, nullptr);
  return x;
}

void pack(GrB_Matrix a, Unpacked x) {
  GxB_Matrix_pack_CSR(a, &x.offsets, &x.indices, &x.values, x.bytes[0], x.bytes[1], x.bytes[2], x.iso,
                      x.jumbled, nullptr);
}

/// Sums of A's rows and columns: places and values of all entries count.
void print_sums(const std::string& name, GrB_Matrix a, GrB_Index n) {
  const Vector weights(GrB_INT64, n), rows(GrB_INT64, n);
  GrB_Vector_assign_INT64(weights.handle, nullptr, nullptr, 1, GrB_ALL, n, nullptr);
  GrB_Vector_apply_IndexOp_INT64(weights.handle, nullptr, nullptr, GrB_ROWINDEX_INT64, weights.handle, 1,
                                 nullptr);
  GrB_mxv(rows.handle, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_INT64, a, weights.handle, nullptr);
  int64_t sum = 0;
  GrB_Vector_eWiseMult_BinaryOp(rows.handle, nullptr, nullptr, GrB_TIMES_INT64, rows.handle, weights.handle,
                                nullptr);
  const GrB_Info info = GrB_Vector_reduce_INT64(&sum, nullptr, GrB_PLUS_MONOID_INT64, rows.handle, nullptr);
  print_value(name, info, &sum);
}

}  // namespace

void unpacked() {
  constexpr GrB_Index n = 600, entries_of_row = 400;
  const Matrix a(GrB_INT64, n, n, 0);
  GrB_Matrix_clear(a.handle);
  for (GrB_Index i = 0; i < n; ++i) {
    for (GrB_Index k = 0; k < entries_of_row; ++k)
      GrB_Matrix_setElement_INT64(a.handle, int64_t(i + k) % 7, i, (i * 37 + k) % n);
  }
  print_sums("before", a.handle, n);
  pack(a.handle, unpack(a.handle));
  print_sums("unchanged", a.handle, n);
  Unpacked x = unpack(a.handle);
  static_cast<int64_t*>(x.values)[x.offsets[n] / 2] += 1000;
  pack(a.handle, x);
  print_sums("a value", a.handle, n);
  x = unpack(a.handle);
  for (GrB_Index i = 0; i < n; ++i) {  // the entries of each row in the other order
    std::reverse(x.indices + x.offsets[i], x.indices + x.offsets[i + 1]);
    auto* const values = static_cast<int64_t*>(x.values);
    std::reverse(values + x.offsets[i], values + x.offsets[i + 1]);
  }
  x.jumbled = true;
  pack(a.handle, x);
  print_sums("jumbled", a.handle, n);
  x = unpack(a.handle);
  const Matrix other(GrB_INT64, n, n, 0);
  pack(other.handle, x);
  print_sums("in another matrix", other.handle, n);
  GrB_Matrix_setElement_INT64(a.handle, 5, 3, 4);
  print_sums("an element in place of all", a.handle, n);
}

}  // namespace cases
