// Assignments to parts of matrices: GrB_Matrix_assign, GxB_Matrix_subassign, GxB_Row_subassign,
// GxB_Col_subassign.
#include "tests/offload/cases.h"

namespace cases {
namespace {

constexpr GrB_Index rows = 19, columns = 23;

/// Lists that GraphBLAS takes, with the number of indices that each names.
struct List {
  const char* name;
  const GrB_Index* list;
  GrB_Index count, length;
};
constexpr GrB_Index some[] = {11, 3, 0, 7, 12}, twice[] = {1, 4, 4, 2, 1}, block[] = {6, 10, 1},
                    strided[] = {2, 18, 4}, backwards[] = {9, 1, 2};
const List lists[] = {{"some", some, 5, 5},
                      {"twice", twice, 5, 5},
                      {"a range", block, GxB_RANGE, 5},
                      {"a stride", strided, GxB_STRIDE, 5},
                      {"backwards", backwards, GxB_BACKWARDS, 5}};

using Assign = GrB_Info (*)(GrB_Matrix, GrB_Matrix, GrB_BinaryOp, GrB_Matrix, const GrB_Index*, GrB_Index,
                            const GrB_Index*, GrB_Index, GrB_Descriptor);
using AssignScalar = GrB_Info (*)(GrB_Matrix, GrB_Matrix, GrB_BinaryOp, GrB_Scalar, const GrB_Index*,
                                  GrB_Index, const GrB_Index*, GrB_Index, GrB_Descriptor);

/// `mask` has the shape that the function's mask has: C's, or 5 by 5.
void assign_parts(const std::string& name, Assign assign, AssignScalar assign_scalar, GrB_Matrix c,
                  GrB_Matrix mask) {
  const Matrix a(GrB_INT32, 5, 5, 203), tall(GrB_FP64, rows, 5, 204);
  Scalar x(GrB_INT16), none(GrB_FP64);
  GrB_Scalar_setElement_INT16(x.handle, -6);
  size_t n = 0;
  for (const List& i : lists) {
    for (const List& j : lists) {
      const bool masked = n % 2 != 0;
      const GrB_BinaryOp accum = n % 3 == 1 ? GrB_MINUS_FP64 : nullptr;
      const GrB_Descriptor descriptors[] = {nullptr, GrB_DESC_R, GrB_DESC_RSC, GrB_DESC_T0, GrB_DESC_C};
      const GrB_Descriptor d = descriptors[n++ % 5];
      const std::string text = name + ", " + i.name + " by " + j.name;
      const GrB_Matrix m = masked ? mask : nullptr;
      print(text, assign(c, m, accum, a.handle, i.list, i.count, j.list, j.count, d), c);
      print(text + ", scalar", assign_scalar(c, m, accum, x.handle, i.list, i.count, j.list, j.count, d), c);
      if (n % 4 != 0) continue;
      print(text + ", empty scalar",
            assign_scalar(c, m, accum, none.handle, i.list, i.count, j.list, j.count, d), c);
    }
  }
  print(name + ", all rows", assign(c, nullptr, nullptr, tall.handle, GrB_ALL, rows, some, 5, nullptr), c);
  print(name + ", wrong shape", assign(c, nullptr, nullptr, tall.handle, some, 5, some, 5, nullptr), c);
  print(name + ", outside", assign(c, nullptr, nullptr, a.handle, some, 5, strided, GxB_RANGE, nullptr), c);
  print(name + ", no rows", assign_scalar(c, nullptr, nullptr, x.handle, some, 0, some, 5, GrB_DESC_R), c);
  print(name + ", no A", assign(c, nullptr, nullptr, nullptr, some, 5, some, 5, nullptr), c);
  print(name + ", no list", assign(c, nullptr, nullptr, a.handle, nullptr, 5, some, 5, nullptr), c);
}

void matrices_in_parts() {
  const Matrix mask(GrB_BOOL, rows, columns, 201), small_mask(GrB_INT8, 5, 5, 202);
  for (const int format : {GxB_BY_ROW, GxB_BY_COL}) {
    Matrix c(GrB_FP64, rows, columns, 205);
    GxB_Matrix_Option_set(c.handle, GxB_FORMAT, format);
    assign_parts("assign", GrB_Matrix_assign, GrB_Matrix_assign_Scalar, c.handle, mask.handle);
    assign_parts("subassign", GxB_Matrix_subassign, GxB_Matrix_subassign_Scalar, c.handle, small_mask.handle);
    print("subassign, wrong mask",
          GxB_Matrix_subassign(c.handle, mask.handle, nullptr, small_mask.handle, some, 5, some, 5, nullptr),
          c.handle);
  }
}

void typed_scalars() {
  const Matrix small_mask(GrB_INT8, 5, 5, 202);
  Matrix c(GrB_FP32, rows, columns, 206);
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code)                                                         \
  print("assign " #SUFFIX " to a part",                                                                 \
        PREFIX##_Matrix_assign_##SUFFIX(c.handle, nullptr, GrB_PLUS_FP32, ctype(1), some, 5, twice, 5,  \
                                        nullptr),                                                       \
        c.handle);                                                                                      \
  print("subassign " #SUFFIX,                                                                           \
        GxB_Matrix_subassign_##SUFFIX(c.handle, small_mask.handle, nullptr, ctype(2), block, GxB_RANGE, \
                                      some, 5, GrB_DESC_C),                                             \
        c.handle);
#include "semirings/types.def"
#undef CUGRB_TYPE
}

void lines_in_parts() {
  const Vector few(GrB_INT32, 5), mask(GrB_BOOL, 5), long_mask(GrB_BOOL, columns), row(GrB_FP64, columns),
      column(GrB_FP64, rows);
  fill(few, 1, 3);
  fill(mask, 2, 4);
  fill(long_mask, 1, 5);
  fill(row, 1, 6);
  fill(column, 2, 7);
  for (const int format : {GxB_BY_ROW, GxB_BY_COL}) {
    Matrix c(GrB_FP64, rows, columns, 207);
    GxB_Matrix_Option_set(c.handle, GxB_FORMAT, format);
    const auto show = [&](const char* name, GrB_Info info) { print(name, info, c.handle); };
    show("row subassign", GxB_Row_subassign(c.handle, nullptr, nullptr, few.handle, 4, some, 5, nullptr));
    show("row subassign, masked",
         GxB_Row_subassign(c.handle, mask.handle, GrB_PLUS_FP64, few.handle, 0, some, 5, GrB_DESC_R));
    show("row subassign, complement",
         GxB_Row_subassign(c.handle, mask.handle, nullptr, few.handle, 18, block, GxB_RANGE, GrB_DESC_RC));
    show("row subassign, all",
         GxB_Row_subassign(c.handle, long_mask.handle, nullptr, row.handle, 3, GrB_ALL, columns, GrB_DESC_S));
    show("column subassign",
         GxB_Col_subassign(c.handle, nullptr, nullptr, few.handle, strided, GxB_STRIDE, 22, nullptr));
    show("column subassign, masked",
         GxB_Col_subassign(c.handle, mask.handle, nullptr, few.handle, some, 5, 9, GrB_DESC_R));
    show("column subassign, all",
         GxB_Col_subassign(c.handle, nullptr, GrB_MINUS_FP64, column.handle, GrB_ALL, rows, 1, nullptr));
    show("row subassign, twice",
         GxB_Row_subassign(c.handle, mask.handle, nullptr, few.handle, 2, twice, 5, nullptr));
    show("row subassign, outside",
         GxB_Row_subassign(c.handle, nullptr, nullptr, few.handle, rows, some, 5, nullptr));
    show("row subassign, wrong mask",
         GxB_Row_subassign(c.handle, long_mask.handle, nullptr, few.handle, 2, some, 5, nullptr));
    show("column subassign, null",
         GxB_Col_subassign(c.handle, nullptr, nullptr, nullptr, some, 5, 2, nullptr));
  }
}

}  // namespace

void parts_of_matrices() {
  matrices_in_parts();
  typed_scalars();
  lines_in_parts();
}

}  // namespace cases
