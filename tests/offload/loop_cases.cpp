// A loop of products on a graph that is not small: runs of an algorithm, which makes its vectors in each.
#include "tests/offload/cases.h"

namespace cases {
namespace {

/// A ring with chords: `n` rows of `degree` entries each.
void fill_ring(GrB_Matrix a, GrB_Index n, GrB_Index degree) {
  std::vector<GrB_Index> rows, columns;
  std::vector<int32_t> values;
  for (GrB_Index i = 0; i < n; ++i) {
    for (GrB_Index k = 0; k < degree; ++k) {
      rows.push_back(i);
      columns.push_back((i + 1 + k * k * 7) % n);
      values.push_back(int32_t((i + 3 * k) % 5));
    }
  }
  GrB_Matrix_build_INT32(a, rows.data(), columns.data(), values.data(), rows.size(), GrB_PLUS_INT32);
}

/// The sum of what four products by the matrix make of a vector, an operator after each.
int64_t run(GrB_Matrix a, GrB_Index n, GrB_BinaryOp op, int32_t first) {
  const Vector u(GrB_INT32, n), w(GrB_INT32, n);
  GrB_Vector_assign_INT32(u.handle, nullptr, nullptr, first, GrB_ALL, n, nullptr);
  for (int step = 0; step < 4; ++step) {
    GrB_mxv(w.handle, nullptr, nullptr, GrB_MAX_PLUS_SEMIRING_INT32, a, u.handle, nullptr);
    GrB_Vector_apply_BinaryOp2nd_INT32(u.handle, nullptr, nullptr, op, w.handle, step, nullptr);
  }
  int64_t sum = 0;
  GrB_Vector_reduce_INT64(&sum, nullptr, GrB_PLUS_MONOID_INT64, u.handle, nullptr);
  return sum;
}

}  // namespace

void loops(bool have_new_kernels) {
  const GrB_BinaryOp ops[] = {GrB_MINUS_INT32, GrB_PLUS_INT32,  GrB_MIN_INT32,  GrB_MAX_INT32,
                              GrB_FIRST_INT32, GrB_BOR_INT32,   GrB_BAND_INT32, GrB_BXOR_INT32,
                              GrB_TIMES_INT32, GrB_SECOND_INT32};
  constexpr GrB_Index n = 20000, degree = 8;
  GrB_Matrix a = nullptr;
  GrB_Matrix_new(&a, GrB_INT32, n, n);
  fill_ring(a, n, degree);
  for (unsigned k = 0; k < std::size(ops); ++k)
    std::printf("run %u: %" PRId64 "\n", k, run(a, n, ops[have_new_kernels ? k : 0], int32_t(k)));
  GrB_Matrix_free(&a);
}

}  // namespace cases
