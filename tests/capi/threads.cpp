// Several user threads share inputs, as GraphBLAS allows after a wait, while each has its own output: the
// results are those of one thread, also when objects are moved out of SuiteSparse after every call
// (CUGRB_STRESS) or computed on the device. Linked to the real library and run under libcugrb.so; prints what
// differs and fails.
#include <cstdio>
#include <thread>
#include <vector>

#include "graphblas_functions.h"
#include "tests/device_took_part.h"

namespace {

constexpr GrB_Index kSize = 128;  // enough for a sparsity control to wait
constexpr int kThreads = 4, kRounds = 25;

struct Shared {
  GrB_Matrix A = nullptr;
  GrB_Vector u = nullptr;
};

Shared make_shared_inputs() {
  Shared shared;
  GrB_Matrix_new(&shared.A, GrB_INT64, kSize, kSize);
  GrB_Vector_new(&shared.u, GrB_INT64, kSize);
  for (GrB_Index i = 0; i < kSize; ++i) {
    GrB_Matrix_setElement_INT64(shared.A, static_cast<int64_t>(i), i, (3 * i + 1) % kSize);
    GrB_Matrix_setElement_INT64(shared.A, 2, i, (7 * i) % kSize);
    if (i % 3 != 0) GrB_Vector_setElement_INT64(shared.u, static_cast<int64_t>(i) - 5, i);
  }
  GrB_Matrix_wait(shared.A, GrB_MATERIALIZE);
  GrB_Vector_wait(shared.u, GrB_MATERIALIZE);
  return shared;
}

/// A new matrix that is to be a bitmap: who needs it first, of several threads, may have to make it one.
GrB_Matrix make_bitmap() {
  GrB_Matrix made = nullptr;
  GrB_Matrix_new(&made, GrB_INT64, kSize, kSize);
  GxB_Matrix_Option_set(made, GxB_SPARSITY_CONTROL, GxB_BITMAP);
  for (GrB_Index i = 0; i < 10; ++i) GrB_Matrix_setElement_INT64(made, static_cast<int64_t>(i), i, 7 * i);
  GrB_Matrix_wait(made, GrB_MATERIALIZE);
  return made;
}

/// What is asked of it and read from it is right in every thread.
bool reads_bitmap(GrB_Matrix bitmap, int which) {
  GrB_Vector w = nullptr;
  GrB_Index nvals = 0, rows = 0;
  int32_t control = 0, status = 0;
  int64_t x = -1;
  bool fine = GrB_Vector_new(&w, GrB_INT64, kSize) == GrB_SUCCESS &&
              GrB_Matrix_nvals(&nvals, bitmap) == GrB_SUCCESS && nvals == 10 &&
              GxB_Matrix_Option_get(bitmap, GxB_SPARSITY_CONTROL, &control) == GrB_SUCCESS &&
              control == GxB_BITMAP;
  if (which % 2 == 0) {
    fine = fine && GrB_Matrix_extractElement_INT64(&x, bitmap, 3, 21) == GrB_SUCCESS && x == 3;
  }
  fine =
      fine &&
      GrB_Matrix_reduce_Monoid(w, nullptr, nullptr, GrB_PLUS_MONOID_INT64, bitmap, nullptr) == GrB_SUCCESS &&
      GrB_Vector_reduce_INT64(&x, nullptr, GrB_PLUS_MONOID_INT64, w, nullptr) == GrB_SUCCESS && x == 45 &&
      GrB_Matrix_nrows(&rows, bitmap) == GrB_SUCCESS && rows == kSize &&
      GxB_Matrix_Option_get(bitmap, GxB_SPARSITY_STATUS, &status) == GrB_SUCCESS && status == GxB_BITMAP;
  GrB_Vector_free(&w);
  return fine;
}

/// The number of threads that read something else from one of many bitmaps.
int check_bitmaps() {
  int wrong = 0;
  for (int round = 0; round < kRounds; ++round) {
    GrB_Matrix bitmap = make_bitmap();
    bool fine[kThreads] = {};
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back([&, i] { fine[i] = reads_bitmap(bitmap, i + round); });
    for (std::thread& thread : threads) thread.join();
    for (const bool one : fine) wrong += !one;
    GrB_Matrix_free(&bitmap);
  }
  if (wrong > 0) std::printf("a shared bitmap was read wrongly %d times\n", wrong);
  return wrong;
}

/// w = A u, w += A w, ... with questions in between; -1 when a call failed.
int64_t compute(const Shared& shared, int which) {
  GrB_Vector w = nullptr;
  int64_t sum = 0;
  GrB_Index nvals = 0, rows = 0;
  bool fine = GrB_Vector_new(&w, GrB_INT64, kSize) == GrB_SUCCESS;
  for (int round = 0; round < kRounds && fine; ++round) {
    const GrB_Vector input = (round + which) % 4 == 0 || round == 0 ? shared.u : w;
    fine = GrB_mxv(w, nullptr, GrB_PLUS_INT64, GxB_MIN_PLUS_INT64, shared.A, input, nullptr) == GrB_SUCCESS &&
           GrB_Vector_apply_BinaryOp2nd_INT64(w, nullptr, nullptr, GrB_MIN_INT64, w, 1000 + which, nullptr) ==
               GrB_SUCCESS &&
           GrB_Matrix_nrows(&rows, shared.A) == GrB_SUCCESS &&
           GrB_Vector_nvals(&nvals, shared.u) == GrB_SUCCESS;
    fine = fine && rows == kSize && nvals == kSize - (kSize + 2) / 3;
  }
  fine = fine && GrB_Vector_reduce_INT64(&sum, nullptr, GrB_PLUS_MONOID_INT64, w, nullptr) == GrB_SUCCESS;
  GrB_Vector_free(&w);
  return fine ? sum : -1;
}

}  // namespace

int main() {
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  Shared shared = make_shared_inputs();
  std::vector<int64_t> expected(kThreads), got(kThreads);
  for (int i = 0; i < kThreads; ++i) expected[i] = compute(shared, i);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back([&, i] { got[i] = compute(shared, i); });
  for (std::thread& thread : threads) thread.join();
  int wrong = 0;
  for (int i = 0; i < kThreads; ++i) {
    if (expected[i] == got[i] && expected[i] != -1) continue;
    std::printf("thread %d: expected %lld, got %lld\n", i, static_cast<long long>(expected[i]),
                static_cast<long long>(got[i]));
    ++wrong;
  }
  wrong += check_bitmaps();
  const std::string left_out = cugrb::test::device_left_out(kThreads * kRounds);
  if (!left_out.empty()) std::printf("%s\n", left_out.c_str()), ++wrong;
  GrB_Matrix_free(&shared.A);
  GrB_Vector_free(&shared.u);
  return GrB_finalize() == GrB_SUCCESS && wrong == 0 ? 0 : 1;
}
