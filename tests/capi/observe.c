/* include/cugrb/cugrb.h from C: linked with libcugrb before libgraphblas, on the emulated device. */
#include <GraphBLAS.h>
#include <stdio.h>
#include <string.h>

#include "include/cugrb/cugrb.h"

#define CHECK(condition)                                           \
  do {                                                             \
    if (!(condition)) {                                            \
      printf("line %d: %s does not hold\n", __LINE__, #condition); \
      return 1;                                                    \
    }                                                              \
  } while (0)

static int product(GrB_Vector w, GrB_Matrix A, GrB_Vector u) {
  return GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, u, NULL) == GrB_SUCCESS;
}

static int check_counts(GrB_Vector w, GrB_Matrix A, GrB_Vector u) {
  cugrb_statistics before, after;
  double sum = 0;
  cugrb_get_statistics(&before);
  CHECK(product(w, A, u));
  cugrb_get_statistics(&after);
  CHECK(after.calls_gpu == before.calls_gpu + 1 && after.calls_cpu == before.calls_cpu);
  CHECK(after.uploads >= before.uploads + 2 && after.bytes_up > before.bytes_up);
  CHECK(after.resident >= 3 && after.resident_bytes > 0);
  CHECK(after.peak_bytes >= before.peak_bytes && after.peak_bytes > 0);
  CHECK(GxB_Matrix_fprint(A, "A", GxB_SILENT, NULL) == GrB_SUCCESS); /* not on the device */
  cugrb_get_statistics(&before);
  CHECK(before.calls_gpu == after.calls_gpu && before.calls_cpu == after.calls_cpu + 1);
  CHECK(GxB_Vector_fprint(w, "w", GxB_SILENT, NULL) == GrB_SUCCESS); /* brings w back */
  cugrb_get_statistics(&after);
  CHECK(after.downloads == before.downloads + 1 && after.bytes_down > before.bytes_down);
  CHECK(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, w, NULL) == GrB_SUCCESS && sum == 12);
  cugrb_reset_statistics();
  cugrb_get_statistics(&after);
  CHECK(after.calls_gpu == 0 && after.calls_cpu == 0 && after.bytes_up == 0 && after.resident >= 1);
  return 0;
}

/* What the program waits for is counted too: a sum, an element, a number of entries. */
static int check_scalars(GrB_Vector w, GrB_Matrix A, GrB_Vector u) {
  cugrb_statistics before, after;
  GrB_Index entries = 0;
  double x = 0;
  CHECK(product(w, A, u) && GrB_Vector_nvals(&entries, w) == GrB_SUCCESS && entries == 3);
  cugrb_get_statistics(&before);
  CHECK(GrB_Vector_nvals(&entries, w) == GrB_SUCCESS && entries == 3); /* remembered */
  cugrb_get_statistics(&after);
  CHECK(after.bytes_down == before.bytes_down);
  CHECK(GrB_Vector_reduce_FP64(&x, NULL, GrB_PLUS_MONOID_FP64, w, NULL) == GrB_SUCCESS && x == 12);
  cugrb_get_statistics(&before);
  CHECK(before.bytes_down >= after.bytes_down + 9 && before.bytes_down <= after.bytes_down + 32);
  CHECK(GrB_Vector_extractElement_FP64(&x, w, 0) == GrB_SUCCESS && x == 4);
  cugrb_get_statistics(&after);
  CHECK(after.bytes_down >= before.bytes_down + 8 && after.bytes_down <= before.bytes_down + 9);
  CHECK(GrB_Vector_setElement_FP64(w, 5, 0) == GrB_SUCCESS);
  cugrb_get_statistics(&before);
  CHECK(before.bytes_up >= after.bytes_up + 8 && before.downloads == after.downloads);
  CHECK(GrB_Vector_removeElement(w, 0) == GrB_SUCCESS);
  cugrb_get_statistics(&before);
  CHECK(GrB_Vector_nvals(&entries, w) == GrB_SUCCESS && entries == 2); /* counted on the device */
  cugrb_get_statistics(&after);
  CHECK(after.bytes_down >= before.bytes_down + 8 && after.bytes_down <= before.bytes_down + 32);
  return 0;
}

static int check_records(GrB_Vector w, GrB_Matrix A, GrB_Vector u) {
  char text[1000] = "", cut[5] = "";
  cugrb_keep_records(1);
  CHECK(product(w, A, u));
  CHECK(cugrb_where(text, sizeof text) == strlen(text) && strlen(text) > 20);
  CHECK(strstr(text, "GrB_mxv") != NULL && strstr(text, " on emulated ") != NULL);
  CHECK(cugrb_where(cut, sizeof cut) == strlen(text) && strlen(cut) == 4 && strncmp(cut, text, 4) == 0);
  CHECK(cugrb_where(NULL, 0) == strlen(text));
  CHECK(GxB_Matrix_fprint(A, "A", GxB_SILENT, NULL) == GrB_SUCCESS);
  cugrb_where(text, sizeof text);
  CHECK(strstr(text, "GxB_Matrix_fprint") != NULL && strstr(text, "cpu") != NULL);
  cugrb_keep_records(0);
  return 0;
}

static int check_trace(GrB_Vector w, GrB_Matrix A, GrB_Vector u, const char* file) {
  char text[10000] = "";
  FILE* trace = NULL;
  CHECK(cugrb_trace_start(NULL, 0) == -1);
  CHECK(cugrb_trace_start("/nonexistent/folder/trace.json", 0) == -1);
  CHECK(cugrb_trace_start(file, 1) == 0);
  CHECK(product(w, A, u));
  cugrb_summary(text, sizeof text);
  CHECK(strstr(text, "GrB_mxv") != NULL);
  cugrb_trace_stop();
  trace = fopen(file, "r");
  CHECK(trace != NULL);
  text[fread(text, 1, sizeof text - 1, trace)] = '\0';
  fclose(trace);
  remove(file);
  CHECK(strstr(text, "\"GrB_mxv\"") != NULL);
  return 0;
}

static const char* count(const char* text, const char* word, int times) {
  while (times-- > 0 && text != NULL) text = strstr(text, word) == NULL ? NULL : strstr(text, word) + 1;
  return text;
}

/* Two recordings at once, the records of each, and nothing after its stop. */
static int check_recordings(GrB_Vector w, GrB_Matrix A, GrB_Vector u) {
  char text[10000] = "", cut[3] = "";
  cugrb_recording *outer = cugrb_recording_start(), *inner = NULL;
  CHECK(outer != NULL && cugrb_recording_text(outer, text, sizeof text) == 2 && strcmp(text, "[]") == 0);
  CHECK(product(w, A, u));
  inner = cugrb_recording_start();
  CHECK(inner != NULL && product(w, A, u));
  cugrb_recording_stop(inner);
  CHECK(product(w, A, u));
  cugrb_recording_stop(outer);
  CHECK(product(w, A, u));
  CHECK(cugrb_recording_text(inner, text, sizeof text) == strlen(text));
  CHECK(count(text, "\"GrB_mxv\"", 1) != NULL && count(text, "\"GrB_mxv\"", 2) == NULL);
  CHECK(strstr(text, "\"place\":\"emulated\"") != NULL && text[strlen(text) - 1] == ']');
  CHECK(cugrb_recording_text(outer, text, sizeof text) == strlen(text));
  CHECK(count(text, "\"GrB_mxv\"", 3) != NULL && count(text, "\"GrB_mxv\"", 4) == NULL);
  CHECK(cugrb_recording_text(outer, cut, sizeof cut) == strlen(text) && strlen(cut) == 2 && cut[0] == '[');
  cugrb_recording_stop(inner);
  cugrb_recording_free(inner);
  cugrb_recording_free(outer);
  outer = cugrb_recording_start();
  cugrb_recording_free(outer); /* it still ran */
  CHECK(product(w, A, u));
  cugrb_recording_stop(NULL);
  cugrb_recording_free(NULL);
  CHECK(cugrb_recording_text(NULL, text, sizeof text) == 0 && text[0] == '\0');
  return 0;
}

static int ran_on(const char* place) {
  char text[1000] = "";
  cugrb_where(text, sizeof text);
  return strstr(text, place) != NULL;
}

/* The environment says always. */
static int check_offload(GrB_Vector w, GrB_Matrix A, GrB_Vector u) {
  double sum = 0;
  cugrb_keep_records(1);
  CHECK(cugrb_set_offload(CUGRB_OFFLOAD_NEVER) == CUGRB_OFFLOAD_DEFAULT);
  CHECK(product(w, A, u) && ran_on(" on cpu ") && ran_on("the program asked for offload never"));
  CHECK(cugrb_set_offload(CUGRB_OFFLOAD_ALWAYS) == CUGRB_OFFLOAD_NEVER);
  CHECK(product(w, A, u) && ran_on(" on emulated ") && ran_on("the program asked for offload always"));
  CHECK(cugrb_set_offload((cugrb_offload)17) == CUGRB_OFFLOAD_ALWAYS); /* changes nothing */
  CHECK(cugrb_set_offload(CUGRB_OFFLOAD_AUTO) == CUGRB_OFFLOAD_ALWAYS);
  CHECK(product(w, A, u) && ran_on(" on cpu ") && ran_on("the emulated device is for tests"));
  CHECK(cugrb_set_offload(CUGRB_OFFLOAD_DEFAULT) == CUGRB_OFFLOAD_AUTO);
  CHECK(product(w, A, u) && ran_on(" on emulated ") && ran_on("CUGRB_OFFLOAD=always"));
  CHECK(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, w, NULL) == GrB_SUCCESS && sum == 12);
  cugrb_keep_records(0);
  return 0;
}

/* A bitmap of many positions waits, also where nobody watches and the matrix is empty. Where calls are
   decided by time, those that would have it made go to the device. */
static int check_controls(int decided) {
  const GrB_Index columns[] = {4, 1 << 20};
  cugrb_set_offload(CUGRB_OFFLOAD_AUTO);
  for (int large = 0; large < 2; large++) {
    cugrb_statistics before, after;
    GrB_Matrix M = NULL;
    int32_t control = 0;
    double sum = 0;
    CHECK(GrB_Matrix_new(&M, GrB_FP64, 4, columns[large]) == GrB_SUCCESS);
    cugrb_get_statistics(&before);
    CHECK(GxB_Matrix_Option_set(M, GxB_SPARSITY_CONTROL, GxB_BITMAP) == GrB_SUCCESS);
    cugrb_get_statistics(&after);
    CHECK(after.calls_gpu == before.calls_gpu + (uint64_t)large);
    CHECK(GxB_Matrix_Option_get(M, GxB_SPARSITY_CONTROL, &control) == GrB_SUCCESS && control == GxB_BITMAP);
    for (GrB_Index i = 0; i < 4; i++) CHECK(GrB_Matrix_setElement_FP64(M, (double)i, i, i) == GrB_SUCCESS);
    cugrb_get_statistics(&before);
    CHECK(GrB_Matrix_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, M, NULL) == GrB_SUCCESS && sum == 6);
    cugrb_get_statistics(&after);
    CHECK(after.calls_gpu == before.calls_gpu + (uint64_t)(large && decided));
    GrB_Matrix_free(&M);
  }
  cugrb_set_offload(CUGRB_OFFLOAD_DEFAULT);
  return 0;
}

static int check_device(void) {
  char text[100] = "", cut[2] = "";
  CHECK(cugrb_device(text, sizeof text) == CUGRB_DEVICE_EMULATED && strlen(text) > 2);
  CHECK(cugrb_device(cut, sizeof cut) == CUGRB_DEVICE_EMULATED && cut[0] == text[0] && cut[1] == '\0');
  CHECK(cugrb_device(NULL, 0) == CUGRB_DEVICE_EMULATED);
  CHECK(cugrb_device_count() == 1);
  return 0;
}

int main(int argc, char** argv) {
  GrB_Matrix A = NULL;
  GrB_Vector u = NULL, w = NULL;
  int failed = 0;
  CHECK(argc == 2);
  CHECK(cugrb_is_started() == 0);
  CHECK(strlen(cugrb_version()) >= 5 && strcmp(cugrb_forward_only_reason(), "") == 0);
  CHECK(strcmp(cugrb_graphblas_version(), "") == 0 && cugrb_is_started() == 1);
  CHECK(GrB_init(GrB_NONBLOCKING) == GrB_SUCCESS);
  CHECK(strchr(cugrb_graphblas_version(), '.') != NULL &&
        strstr(cugrb_graphblas_path(), "graphblas") != NULL);
  CHECK(GrB_Matrix_new(&A, GrB_FP64, 3, 3) == GrB_SUCCESS);
  CHECK(GrB_Vector_new(&u, GrB_FP64, 3) == GrB_SUCCESS && GrB_Vector_new(&w, GrB_FP64, 3) == GrB_SUCCESS);
  for (GrB_Index i = 0; i < 3; i++) {
    CHECK(GrB_Matrix_setElement_FP64(A, 2, i, (i + 1) % 3) == GrB_SUCCESS);
    CHECK(GrB_Vector_setElement_FP64(u, (double)(i + 1), i) == GrB_SUCCESS);
  }
  failed = strcmp(argv[1], "decided") == 0
               ? check_controls(1)
               : check_counts(w, A, u) || check_scalars(w, A, u) || check_records(w, A, u) ||
                     check_trace(w, A, u, argv[1]) || check_recordings(w, A, u) || check_offload(w, A, u) ||
                     check_controls(0) || check_device();
  GrB_Matrix_free(&A);
  GrB_Vector_free(&u);
  GrB_Vector_free(&w);
  CHECK(GrB_finalize() == GrB_SUCCESS);
  return failed;
}
