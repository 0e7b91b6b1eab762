/* A thread that a user's operator ends, by pthread_exit or pthread_cancel, and one that is cancelled around a
 * call. An operator ends its thread on an iso vector, whose value SuiteSparse computes outside of OpenMP:
 * within it, libgomp aborts the process when a thread of its team is gone, also without cuGrB. */
#include <pthread.h>

#include "case.h"

enum { n = 20 };
typedef enum { exits, is_cancelled, will_be_cancelled, before_the_call } Way;
static Way way;
static GrB_Matrix A;
static GrB_Vector iso, x, held, w; /* the content of held is the device's alone */
static GrB_UnaryOp op;
static GrB_Semiring semiring;

static void leaves(void* z, const void* value) {
  *(double*)z = *(const double*)value + 1;
  if (way == exits) pthread_exit((void*)&way);
  if (way == is_cancelled || way == will_be_cancelled) pthread_cancel(pthread_self());
  if (way == is_cancelled) pthread_testcancel();
}

static void* thread_body(void* returned) {
  if (way == before_the_call) {
    pthread_cancel(pthread_self());
    OK(GrB_mxv(w, NULL, NULL, semiring, A, x, NULL)); /* its kernel is not loaded yet */
    OK(GrB_Vector_wait(w, GrB_MATERIALIZE));
  } else {
    OK(GrB_Vector_apply(w, NULL, NULL, op, iso, NULL));
  }
  *(int*)returned = 1; /* no call was a cancellation point */
  pthread_testcancel();
  return NULL;
}

/* What calls find afterwards, in this thread and in another. */
static void* look(void* who) {
  double sum = 0;
  printf("%s\n", (const char*)who);
  print_vector("held", held);
  OK(GrB_Vector_setElement_FP64(x, 100 + way, 0));
  OK(GrB_mxv(held, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, x, NULL));
  OK(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, held, NULL));
  printf("sum %g\n", sum);
  return NULL;
}

static void run_in_thread(void* (*body)(void*), void* argument, void** result) {
  pthread_t thread;
  pthread_create(&thread, NULL, body, argument);
  pthread_join(thread, result);
}

int main(void) {
  OK(GrB_init(GrB_NONBLOCKING));
  OK(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, 1));
  OK(GrB_Matrix_new(&A, GrB_FP64, n, n));
  OK(GrB_Vector_new(&iso, GrB_FP64, n));
  OK(GrB_Vector_new(&x, GrB_FP64, n));
  OK(GrB_Vector_new(&held, GrB_FP64, n));
  OK(GrB_UnaryOp_new(&op, leaves, GrB_FP64, GrB_FP64));
  OK(GrB_Vector_assign_FP64(iso, NULL, NULL, 2, GrB_ALL, n, NULL));
  for (int i = 0; i < n; i++) {
    OK(GrB_Matrix_setElement_FP64(A, i + 1, i, (i * 7 + 1) % n));
    OK(GrB_Vector_setElement_FP64(x, i + 0.5, i));
  }
  for (int turn = 0; turn < 8; turn++) {
    void* result = NULL;
    int returned = 0;
    way = (Way)(turn % 4);
    semiring = turn < 4 ? GrB_MIN_PLUS_SEMIRING_FP64 : GrB_MAX_PLUS_SEMIRING_FP64;
    OK(GrB_Vector_new(&w, GrB_FP64, n)); /* what an ended call was writing is not looked at again */
    OK(GrB_mxv(held, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, x, NULL));
    run_in_thread(thread_body, &returned, &result);
    printf("way %d: %s, the call %s\n", (int)way, result == PTHREAD_CANCELED ? "cancelled" : "exited",
           returned ? "returned" : "did not return");
    if (way == before_the_call) print_vector("w", w);
    look("here");
    run_in_thread(look, "elsewhere", &result);
  }
  OK(GrB_finalize());
  return 0;
}
