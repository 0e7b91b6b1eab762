// A user's operator that does not return to SuiteSparse: it jumps or throws; or calls GraphBLAS itself. The
// calls after it see every value. (ended_threads.c: operators that end their thread.)
#include <csetjmp>

extern "C" {
#include "case.h"
}

namespace {

enum Way { jumps, throws, calls };
Way way;
int applied;
jmp_buf back;
GrB_Vector held;  // its content is the device's alone

void leaves(void* z, const void* x) {
  *static_cast<double*>(z) = *static_cast<const double*>(x) + 1;
  if (++applied != 3) return;
  double sum = 0;
  switch (way) {
    case jumps:
      longjmp(back, 1);
    case throws:
      throw 42;
    case calls:
      OK(GrB_Vector_reduce_FP64(&sum, nullptr, GrB_PLUS_MONOID_FP64, held, nullptr));
      *static_cast<double*>(z) = sum;
      return;
  }
}

void apply(GrB_Vector w, GrB_UnaryOp op, GrB_Vector x) {
  applied = 0;
  OK(GrB_Vector_apply(w, nullptr, nullptr, op, x, nullptr));
}

struct Operands {
  GrB_Vector w, x;
  GrB_UnaryOp op;
};

/// Calls that are deeper on the stack than the one that was left.
__attribute__((noinline)) void use_deeper(GrB_Matrix A, GrB_Vector x, int levels) {
  volatile char room[512] = {};
  static_cast<void>(room);
  if (levels > 0) return use_deeper(A, x, levels - 1);
  print_vector("held", held);
  OK(GrB_Vector_setElement_FP64(x, 100 + way, 0));
  OK(GrB_mxv(held, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, A, x, nullptr));
  double element = 0;
  OK(GrB_Vector_extractElement_FP64(&element, held, 1));
  std::printf("element %g\n", element);
}

void leave(const Operands& operands) {
  volatile int result = 0;
  if (way == jumps) {
    if (setjmp(back) == 0) {
      apply(operands.w, operands.op, operands.x);
    } else {
      result = 2;
    }
  } else if (way == throws) {
    try {
      apply(operands.w, operands.op, operands.x);
    } catch (int thrown) {
      result = thrown;
    }
  } else {
    apply(operands.w, operands.op, operands.x);
    print_vector("called", operands.w);
  }
  std::printf("way %d: left by %d\n", way, result);
}

}  // namespace

int main() {
  constexpr int n = 20;
  OK(GrB_init(GrB_NONBLOCKING));
  OK(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, 1));
  GrB_Matrix A;
  Operands o{};
  OK(GrB_Matrix_new(&A, GrB_FP64, n, n));
  OK(GrB_Vector_new(&o.x, GrB_FP64, n));
  OK(GrB_Vector_new(&held, GrB_FP64, n));
  OK(GrB_UnaryOp_new(&o.op, leaves, GrB_FP64, GrB_FP64));
  for (int i = 0; i < n; i++) {
    OK(GrB_Matrix_setElement_FP64(A, i + 1, i, (i * 7 + 1) % n));
    OK(GrB_Vector_setElement_FP64(o.x, i + 0.5, i));
  }
  for (const Way next : {jumps, throws, calls, jumps}) {
    way = next;
    OK(GrB_Vector_new(&o.w, GrB_FP64, n));  // what the left call was writing is not looked at again
    OK(GrB_mxv(held, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, A, o.x, nullptr));
    leave(o);
    use_deeper(A, o.x, 0);
    use_deeper(A, o.x, 5);
  }
  OK(GrB_Vector_free(&held));
  OK(GrB_Vector_free(&o.x));
  OK(GrB_Matrix_free(&A));
  OK(GrB_UnaryOp_free(&o.op));
  OK(GrB_finalize());
}
