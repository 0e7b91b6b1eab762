// The dimensions that cuGrB reads in an object are those that SuiteSparse says, of every kind of object and
// after changes of them; and they are read, not asked for.
#include <GraphBLAS.h>

#include <cstdio>
#include <cstdlib>

#include "src/graphblas/dimensions.h"
#include "src/graphblas/real.h"

namespace {

void need(bool holds, const char* what) {
  if (holds) return;
  std::printf("%s\n", what);
  std::exit(1);
}

void check(GrB_Matrix object, const char* what) {
  const auto& real = cugrb::real::table();
  GrB_Index rows = 0, columns = 0;
  need(real.GrB_Matrix_nrows(&rows, object) == GrB_SUCCESS, what);
  need(real.GrB_Matrix_ncols(&columns, object) == GrB_SUCCESS, what);
  const cugrb::real::Dimensions found = cugrb::real::dimensions(object);
  const bool same =
      (found.along == rows && found.across == columns) || (found.along == columns && found.across == rows);
  need(same, what);
}

void check_matrix(GrB_Index rows, GrB_Index columns, int format) {
  const auto& real = cugrb::real::table();
  GrB_Matrix a = nullptr;
  need(real.GrB_Matrix_new(&a, GrB_FP64, rows, columns) == GrB_SUCCESS, "GrB_Matrix_new");
  need(real.GxB_Matrix_Option_set_INT32(a, cugrb::real::options().format, format) == GrB_SUCCESS,
       "the format");
  check(a, "a new matrix");
  for (GrB_Index k = 0; k < 5; ++k)
    need(real.GrB_Matrix_setElement_FP64(a, 1, k % rows, (3 * k) % columns) == GrB_SUCCESS, "setElement");
  check(a, "a matrix with pending entries");
  need(real.GrB_Matrix_wait(a, GrB_MATERIALIZE) == GrB_SUCCESS, "wait");
  check(a, "a matrix with entries");
  need(real.GrB_Matrix_resize(a, rows + 7, columns + 2) == GrB_SUCCESS, "resize");
  check(a, "a matrix of another size");
  real.GrB_Matrix_free(&a);
}

void check_vector(GrB_Index size) {
  const auto& real = cugrb::real::table();
  GrB_Vector v = nullptr;
  need(real.GrB_Vector_new(&v, GrB_INT8, size) == GrB_SUCCESS, "GrB_Vector_new");
  const cugrb::real::Dimensions found = cugrb::real::dimensions(v);
  need(found.along == size && found.across == 1, "a vector");
  real.GrB_Vector_free(&v);
}

}  // namespace

int main() {
  const auto& real = cugrb::real::table();
  need(real.GrB_init(GrB_NONBLOCKING) == GrB_SUCCESS, "GrB_init");
  check_vector(17);  // asked for, as long as the places are not known
  need(!cugrb::real::dimension_places_are_known(), "places that nobody has looked for");
  cugrb::real::find_dimension_places();
  need(cugrb::real::dimension_places_are_known(), "the places of dimensions are not found");
  for (const int format : {GxB_BY_ROW, GxB_BY_COL}) {
    for (const GrB_Index rows : {1, 3, 1000, 70000}) {
      for (const GrB_Index columns : {1, 4, 1000, 90000}) check_matrix(rows, columns, format);
    }
  }
  for (const GrB_Index size : {1, 2, 1000, 5000000}) check_vector(size);
  GrB_Scalar s = nullptr;
  need(real.GrB_Scalar_new(&s, GrB_BOOL) == GrB_SUCCESS, "GrB_Scalar_new");
  check(reinterpret_cast<GrB_Matrix>(s), "a scalar");
  real.GrB_Scalar_free(&s);
  return real.GrB_finalize() == GrB_SUCCESS ? 0 : 1;
}
