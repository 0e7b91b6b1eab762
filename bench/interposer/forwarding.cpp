// What the interposer costs a call that is only passed on: nanoseconds a call through libcugrb.so, less the
// same call of the real library, the median of all rounds and the fastest round of each. Bars: 20 ns a call,
// 30 ns more a handle that is looked up.
//
//   LD_PRELOAD=libcugrb.so CUGRB_OFFLOAD=never bench_forwarding [repetitions]      prints JSON
//
// Linked to the real library. Run without LD_PRELOAD it measures the real library against itself: the noise.
// tests/versions/run.py puts another version of SuiteSparse in its place, which CUGRB_GRAPHBLAS then names.
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "graphblas_functions.h"
#include "tests/past_interposers.h"

namespace {

using cugrb::real::Functions;

/// The functions of the real library itself, past every interposer.
Functions real_functions() {
  Functions functions;
  const char* const named = std::getenv("CUGRB_GRAPHBLAS");
  const char* const path = named != nullptr ? named : CUGRB_CONFIGURED_GRAPHBLAS;
  void* const library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) std::exit((std::fprintf(stderr, "%s is not loaded\n", path), 1));
  void** slots = reinterpret_cast<void**>(&functions);
  for (size_t i = 0; i < cugrb::real::function_count; ++i)
    slots[i] = cugrb::test::symbol_past_interposers(library, cugrb::real::function_names[i]);
  return functions;
}

/// CPU time of this thread in nanoseconds: other programs on the machine do not count.
double now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

/// One round: nanoseconds a call.
template <class Call>
double measure(long repetitions, const Call& call) {
  const double start = now();
  for (long i = 0; i < repetitions; ++i) call();
  return (now() - start) / static_cast<double>(repetitions);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<long>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

bool first = true;

template <class Through, class Direct>
void report(const char* name, int handles, long repetitions, const Through& through, const Direct& direct) {
  std::vector<double> interposed, plain, cost;  // of 101 short rounds, the two in turn
  for (int round = 0; round < 101; ++round) {
    interposed.push_back(measure(repetitions, through));
    plain.push_back(measure(repetitions, direct));
    cost.push_back(interposed.back() - plain.back());
  }
  // On a busy machine the fastest rounds are those that nobody disturbed.
  const double least =
      *std::min_element(interposed.begin(), interposed.end()) - *std::min_element(plain.begin(), plain.end());
  std::printf(
      "%s\n  {\"call\": \"%s\", \"handles\": %d, \"interposed_ns\": %.1f, \"real_ns\": %.1f, \"cost_ns\": "
      "%.1f, \"least_cost_ns\": %.1f}",
      first ? "" : ",", name, handles, median(interposed), median(plain), median(cost), least);
  first = false;
}

}  // namespace

int main(int argc, char** argv) {
  const long repetitions = argc > 1 ? std::atol(argv[1]) : 4000;
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  const Functions real = real_functions();
  GrB_Matrix A = nullptr, B = nullptr;
  GrB_Vector u = nullptr, w = nullptr;
  GrB_Scalar s = nullptr;
  GrB_Matrix_new(&A, GrB_FP64, 1, 1);
  GrB_Matrix_new(&B, GrB_FP64, 1, 1);
  GrB_Vector_new(&u, GrB_FP64, 1);
  GrB_Vector_new(&w, GrB_FP64, 1);
  GrB_Scalar_new(&s, GrB_FP64);
  GrB_Matrix_setElement_FP64(A, 1, 0, 0);
  GrB_Vector_setElement_FP64(u, 1, 0);
  GrB_Matrix_wait(A, GrB_MATERIALIZE);
  GrB_Vector_wait(u, GrB_MATERIALIZE);

  unsigned version = 0, subversion = 0;
  GrB_Index n = 0;
  const GrB_Semiring semiring = GrB_PLUS_TIMES_SEMIRING_FP64;
  std::printf("[");
  report(
      "GrB_getVersion", 0, repetitions, [&] { GrB_getVersion(&version, &subversion); },
      [&] { real.GrB_getVersion(&version, &subversion); });
  report(
      "GrB_Scalar_nvals", 0, repetitions, [&] { GrB_Scalar_nvals(&n, s); },
      [&] { real.GrB_Scalar_nvals(&n, s); });
  report(
      "GrB_Matrix_nrows", 1, repetitions, [&] { GrB_Matrix_nrows(&n, A); },
      [&] { real.GrB_Matrix_nrows(&n, A); });
  report(
      "GrB_Matrix_nvals", 1, repetitions, [&] { GrB_Matrix_nvals(&n, A); },
      [&] { real.GrB_Matrix_nvals(&n, A); });
  report(
      "GrB_Vector_setElement_FP64", 1, repetitions, [&] { GrB_Vector_setElement_FP64(u, 2, 0); },
      [&] { real.GrB_Vector_setElement_FP64(u, 2, 0); });
  report(
      "GrB_mxv", 3, repetitions / 20, [&] { GrB_mxv(w, nullptr, nullptr, semiring, A, u, nullptr); },
      [&] { real.GrB_mxv(w, nullptr, nullptr, semiring, A, u, nullptr); });
  // SuiteSparse refuses this one at once: what remains beside it is what cuGrB asks of the operands.
  report(
      "GrB_mxv without a semiring", 3, repetitions,
      [&] { GrB_mxv(w, nullptr, nullptr, nullptr, A, u, nullptr); },
      [&] { real.GrB_mxv(w, nullptr, nullptr, nullptr, A, u, nullptr); });
  // With CUGRB_OFFLOAD=always mxv has left its operands in the side table: B is looked up there, and not
  // found.
  report(
      "GrB_Matrix_wait", 1, repetitions, [&] { GrB_Matrix_wait(B, GrB_MATERIALIZE); },
      [&] { real.GrB_Matrix_wait(B, GrB_MATERIALIZE); });
  GrB_Vector made = nullptr;
  report(
      "GrB_Vector_new and free", 1, repetitions / 5,
      [&] {
        GrB_Vector_new(&made, GrB_FP64, 10);
        GrB_Vector_free(&made);
      },
      [&] {
        real.GrB_Vector_new(&made, GrB_FP64, 10);
        real.GrB_Vector_free(&made);
      });
  std::printf("\n]\n");
  GrB_Scalar_free(&s);
  GrB_Vector_free(&w);
  GrB_Vector_free(&u);
  GrB_Matrix_free(&B);
  GrB_Matrix_free(&A);
  return GrB_finalize() == GrB_SUCCESS ? 0 : 1;
}
