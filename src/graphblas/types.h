// The types and constants of the GraphBLAS C API that are the same in SuiteSparse:GraphBLAS 7.4 to 10.5.
// Numbers that differ are in src/graphblas/generation.h. A test that also calls the library by an installed
// GraphBLAS.h defines CUGRB_WITH_GRAPHBLAS_H: the types are then those of that header, which are the same.
#pragma once
#include <complex>
#include <cstddef>
#include <cstdint>

#ifdef CUGRB_WITH_GRAPHBLAS_H

#include "include/cugrb/detail/c_api.hpp"

#else

// Objects (GraphBLAS C API 2.1, section 2.6). A GrB_Vector is a GrB_Matrix of one column to SuiteSparse.
typedef struct GB_Type_opaque* GrB_Type;
typedef struct GB_UnaryOp_opaque* GrB_UnaryOp;
typedef struct GB_BinaryOp_opaque* GrB_BinaryOp;
typedef struct GB_IndexUnaryOp_opaque* GrB_IndexUnaryOp;
typedef struct GB_SelectOp_opaque* GxB_SelectOp;
typedef struct GB_Monoid_opaque* GrB_Monoid;
typedef struct GB_Semiring_opaque* GrB_Semiring;
typedef struct GB_Descriptor_opaque* GrB_Descriptor;
typedef struct GB_Scalar_opaque* GrB_Scalar;
typedef struct GB_Scalar_opaque* GxB_Scalar;
typedef struct GB_Vector_opaque* GrB_Vector;
typedef struct GB_Matrix_opaque* GrB_Matrix;
typedef struct GB_Iterator_opaque* GxB_Iterator;

typedef uint64_t GrB_Index;
typedef std::complex<float> GxB_FC32_t;
typedef std::complex<double> GxB_FC64_t;

typedef void (*GxB_unary_function)(void*, const void*);
typedef void (*GxB_binary_function)(void*, const void*, const void*);
typedef void (*GxB_index_unary_function)(void* z, const void* x, GrB_Index i, GrB_Index j, const void* y);

// Return values (GraphBLAS C API 2.1, section 4.5).
typedef enum {
  GrB_SUCCESS = 0,
  GrB_NO_VALUE = 1,
  GrB_UNINITIALIZED_OBJECT = -1,
  GrB_NULL_POINTER = -2,
  GrB_INVALID_VALUE = -3,
  GrB_INVALID_INDEX = -4,
  GrB_DOMAIN_MISMATCH = -5,
  GrB_DIMENSION_MISMATCH = -6,
  GrB_OUTPUT_NOT_EMPTY = -7,
  GrB_NOT_IMPLEMENTED = -8,
  GrB_PANIC = -101,
  GrB_OUT_OF_MEMORY = -102,
  GrB_INSUFFICIENT_SPACE = -103,
  GrB_INVALID_OBJECT = -104,
  GrB_INDEX_OUT_OF_BOUNDS = -105,
  GrB_EMPTY_OBJECT = -106
} GrB_Info;

typedef enum { GrB_NONBLOCKING = 0, GrB_BLOCKING = 1 } GrB_Mode;
typedef enum { GrB_COMPLETE = 0, GrB_MATERIALIZE = 1 } GrB_WaitMode;
typedef enum { GrB_OUTP = 0, GrB_MASK = 1, GrB_INP0 = 2, GrB_INP1 = 3 } GrB_Desc_Field;
typedef enum {
  GxB_DEFAULT = 0,
  GrB_REPLACE = 1,
  GrB_COMP = 2,
  GrB_TRAN = 3,
  GrB_STRUCTURE = 4
} GrB_Desc_Value;
typedef enum { GxB_BY_ROW = 0, GxB_BY_COL = 1, GxB_NO_FORMAT = -1 } GxB_Format_Value;

// Forms of storage, alone or as the sum of those that are allowed (SuiteSparse's user guide,
// GxB_SPARSITY_CONTROL).
enum { GxB_HYPERSPARSE = 1, GxB_SPARSE = 2, GxB_BITMAP = 4, GxB_FULL = 8, GxB_AUTO_SPARSITY = 15 };

// Index lists that are ranges: the counts that say so, and where begin, end and increment lie (user guide,
// GxB_RANGE).
#define GxB_RANGE (INT64_MAX)
#define GxB_STRIDE (INT64_MAX - 1)
#define GxB_BACKWARDS (INT64_MAX - 2)
enum { GxB_BEGIN = 0, GxB_END = 1, GxB_INC = 2 };

#define GxB_MAX_NAME_LEN 128

#endif  // CUGRB_WITH_GRAPHBLAS_H

// Types of later versions than an installed GraphBLAS.h may have. To repeat a typedef is allowed.
typedef struct GB_Global_opaque* GrB_Global;
typedef struct GB_Context_opaque* GxB_Context;
typedef struct GB_IndexBinaryOp_opaque* GxB_IndexBinaryOp;
typedef struct GxB_Container_struct* GxB_Container;
typedef void (*GxB_index_binary_function)(void*, const void*, GrB_Index, GrB_Index, const void*, GrB_Index,
                                          GrB_Index, const void*);
typedef bool (*GxB_select_function)(GrB_Index i, GrB_Index j, const void* x, const void* thunk);
typedef int64_t (*GxB_print_function)(char* string, size_t string_size, const void* value, int verbose);
