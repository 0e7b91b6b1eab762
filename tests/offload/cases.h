// RAII handles, filling and printing for tests/offload/cases.cpp.
#pragma once
#include <cinttypes>
#include <complex>
#include <cstdio>
#include <string>
#include <vector>

extern "C" {
#include <GraphBLAS.h>
}

namespace cases {

constexpr GrB_Index size = 40;

struct Vector {
  GrB_Vector handle = nullptr;
  Vector(GrB_Type type, GrB_Index n) { GrB_Vector_new(&handle, type, n); }
  ~Vector() { GrB_Vector_free(&handle); }
  Vector(const Vector&) = delete;
  Vector& operator=(const Vector&) = delete;
};
struct Scalar {
  GrB_Scalar handle = nullptr;
  explicit Scalar(GrB_Type type) { GrB_Scalar_new(&handle, type); }
  ~Scalar() { GrB_Scalar_free(&handle); }
  Scalar(const Scalar&) = delete;
  Scalar& operator=(const Scalar&) = delete;
};
struct Matrix {
  GrB_Matrix handle = nullptr;
  Matrix(GrB_Type type, GrB_Index rows, GrB_Index columns, unsigned seed);
  explicit Matrix(GrB_Matrix its_own) : handle(its_own) {}
  ~Matrix() { GrB_Matrix_free(&handle); }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;
};

/// Small integers from -4 to 4 (zeros among them) at few places (0), about half of them (1), everywhere (2),
/// nowhere (3).
void fill(const Vector& vector, int filling, unsigned seed);

/// The result code, and the entries if there is a vector.
void print(const std::string& name, GrB_Info info, GrB_Vector vector);
void print(const std::string& name, GrB_Info info, GrB_Matrix matrix);
void print_number(const std::string& name, GrB_Info info, double value);
void print_number(const std::string& name, GrB_Info info, std::complex<double> value);
inline void print_number(const std::string& name, GrB_Info info, std::complex<float> value) {
  print_number(name, info, std::complex<double>(value));
}
/// The value is behind a pointer, so that it is read after the call among the arguments has been made.
template <class T>
void print_value(const std::string& name, GrB_Info info, const T* value) {
  if constexpr (std::is_convertible_v<T, double>)
    print_number(name, info, value == nullptr ? 0 : static_cast<double>(*value));
  else
    print_number(name, info, *value);
}

/// Runs of a loop on a graph that is not small (loop_cases.cpp).
void loops(bool have_new_kernels);
/// Calls whose output or operand is a matrix (matrix_cases.cpp).
void matrices();
/// Element-wise operations on matrices (matrix_elementwise_cases.cpp).
void matrix_elementwise();
/// Single elements of matrices (element_cases.cpp).
void matrix_elements();
/// Programs first to first + count that change matrices by elements and by batches (update_cases.cpp).
void updates(unsigned first, unsigned count);
/// Matrices and vectors made of others (assembly_cases.cpp).
void assembly();
/// Assignments to parts of matrices (part_cases.cpp).
void parts_of_matrices();
/// Complex numbers: operators, products, sums, objects made of them (complex_cases.cpp).
void complex();
/// Sorted and reshaped objects, scalars that vectors give (order_cases.cpp).
void order();
/// Products for which some entries of a row suffice (first_entry_cases.cpp).
void first_entries();
/// Products of a matrix by itself and of frontiers, with a hub and without one (first_entry_cases.cpp).
void hub();
/// Products of a matrix that is unpacked and packed in between (unpack_cases.cpp).
void unpacked();
/// Sparsity controls that wait (sparsity_cases.cpp); with the forms that objects have, which the device does
/// not promise for its own results.
void sparsity(bool with_forms);
/// Results whose entries all have one value (iso_cases.cpp).
void iso();
/// Iso objects of up to 2^60 positions (huge_iso_cases.cpp).
void huge_iso();
/// Operators and types with a definition string (user_cases.cpp).
void user_defined();
/// An operator whose definition string does not say what its function does.
void lying_definition();
/// Values, thunks, ranges and places at the ends of their types (end_cases.cpp).
void ends();
/// Operators on places at the ends of int64, compared with exact arithmetic (place_cases.cpp).
void places();
/// What the specification says where SuiteSparse errs (decided_cases.cpp).
void decided();

}  // namespace cases
