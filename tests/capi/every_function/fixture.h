// Objects for the per-function differential test: small matrices and vectors of one type, the operators that
// fit it, and digests that print everything a program can see of an object.
#pragma once
#include <cstdio>
#include <cstring>
#include <string>

#include "graphblas_functions.h"  // with GraphBLAS.h; every name means its function

namespace every_function {

constexpr GrB_Index N = 6;

/// The user-defined type of the _UDT functions.
struct Pair {
  int32_t a, b;
};

/// What a case works with. Made anew for each case.
struct Fixture {
  explicit Fixture(bool user_defined);
  ~Fixture();

  /// Makes every object an operand of a call that can be on the device: they have device copies then. With
  /// `only_on_device` also the result of one: SuiteSparse's objects are hollow then.
  void use_on_device();
  static inline bool only_on_device = false;

  bool user_defined;
  GrB_Type type = nullptr;
  GrB_BinaryOp accum = nullptr, binary = nullptr, less = nullptr;
  GrB_UnaryOp unary = nullptr;
  GrB_IndexUnaryOp index_unary = nullptr;
  GrB_Monoid monoid = nullptr;
  GrB_Semiring semiring = nullptr;

  GrB_Matrix A = nullptr, B = nullptr, C = nullptr,
             D = nullptr;  ///< sparse patterns, N x N; D is held by column
  GrB_Matrix F = nullptr;  ///< all entries present
  GrB_Matrix K = nullptr;  ///< N^2 x N^2: output and mask of Kronecker products
  GrB_Matrix M = nullptr;  ///< mask, bool
  GrB_Vector u = nullptr, v = nullptr, w = nullptr, f = nullptr, m = nullptr;
  GrB_Scalar s = nullptr, t = nullptr;  ///< input and output scalar
  GrB_Vector reversed = nullptr;        ///< the indices N - 1, ..., 0
};

/// Every function of any version that this process finds by name; the others are null.
const cugrb::real::Functions& later();
/// A GxB_index_binary_function of FP64: z = x + 10 iy + theta jx.
void weigh_by_place(void* z, const void* x, GrB_Index ix, GrB_Index jx, const void* y, GrB_Index iy,
                    GrB_Index jy, const void* theta);
/// Makes the scalar the result of a call that can be on the device; its value stays.
void multiply_by_one(GrB_Scalar scalar);

/// Prints type, dimensions, settings, form and entries. Null and freed handles print as "null".
void digest(const char* name, GrB_Matrix matrix);
void digest(const char* name, GrB_Vector vector);
void digest(const char* name, GrB_Scalar scalar);
/// Prints bytes in hexadecimal.
void digest_bytes(const char* name, const void* bytes, size_t count);
void print_info(GrB_Info info);

struct Case {
  const char* function;
  bool user_defined;
  void (*run)(Fixture&);
};
extern const Case cases[];
extern const size_t case_count;

}  // namespace every_function
