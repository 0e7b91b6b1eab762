/* More results than the device has room for: calls that find no memory run once more when others' has been
 * given back. */
#include <GraphBLAS.h>
#include <stdio.h>

int main(void) {
  enum { n = 1000, results = 40 };
  GrB_Vector u = NULL, w[results];
  double all = 0, expected = 0;
  GrB_init(GrB_NONBLOCKING);
  GrB_Vector_new(&u, GrB_FP32, n);
  for (int i = 0; i < n; ++i) {
    GrB_Vector_setElement_FP32(u, (float)(i % 17), i);
    expected += results * (i % 17);
  }
  for (int k = 0; k < results; ++k) {
    GrB_Vector_new(&w[k], GrB_FP32, n);
    GrB_Vector_apply(w[k], NULL, NULL, k % 2 ? GrB_AINV_FP32 : GrB_ABS_FP32, u, NULL);
  }
  for (int k = 0; k < results; ++k) {
    float sum = 0;
    GrB_Vector_reduce_FP32(&sum, NULL, GrB_PLUS_MONOID_FP32, w[k], NULL);
    all += k % 2 ? -sum : sum;
    GrB_Vector_free(&w[k]);
  }
  GrB_Vector_free(&u);
  printf("the sum is %s\n", all == expected ? "right" : "wrong");
  return GrB_finalize();
}
