// SuiteSparse:GraphBLAS as rival, through its C API: no header of cuGrB's C++ API here.
#pragma once
#include <complex>  // GraphBLAS.h includes it for C++, which must not happen inside extern "C"

extern "C" {
#include <GraphBLAS.h>
}

#include <cstdint>
#include <string>

#include "tools/graph_files/csr.h"
#include "tools/graph_files/parallel.h"

namespace cugrb::bench::suitesparse {

/// Throws std::runtime_error unless `info` is GrB_SUCCESS or GrB_NO_VALUE.
void check(GrB_Info info, const char* function);

/// A semiring that both libraries know; the types of its operands there, BOOL where they are not read.
struct Known {
  const char* name;
  GrB_Semiring semiring;
  GrB_Type left, right, result;
  bool left_iso, right_iso;
};
/// Starts the library at the first call. Null when it is none of the benchmarks' semirings.
const Known* find_semiring(const std::string& name);

int threads();

/// `count` values of `type` from malloc: value(p), small whole numbers.
template <class ValueOf>
void* filled(GrB_Type type, uint64_t count, const ValueOf& value);

/// A pattern in host memory, copied once, for matrices of several types one after the other.
class Pattern {
 public:
  explicit Pattern(const graph_files::Csr& host);
  ~Pattern();
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;

  /// The matrix that holds the pattern's arrays now; `values` from malloc: an entry each, or one when iso.
  /// Take it back before the next one.
  GrB_Matrix lend(GrB_Type type, bool iso, void* values);
  void take_back(GrB_Matrix matrix);

 private:
  GrB_Index rows_, columns_, entries_;
  GrB_Index *offsets_ = nullptr, *indices_ = nullptr;
  GrB_Index offsets_bytes_ = 0, indices_bytes_ = 0;
};

/// What is lent, for as long as this lives.
class Matrix {
 public:
  template <class ValueOf>
  Matrix(Pattern& pattern, uint64_t entries, GrB_Type type, bool iso, const ValueOf& value)
      : pattern_(pattern), matrix_(pattern.lend(type, iso, filled(type, iso ? 1 : entries, value))) {}
  ~Matrix() { pattern_.take_back(matrix_); }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;
  operator GrB_Matrix() const { return matrix_; }

 private:
  Pattern& pattern_;
  GrB_Matrix matrix_;
};

namespace detail {
template <class T, class ValueOf>
void* filled_with(uint64_t count, const ValueOf& value) {
  graph_files::Buffer<T> values(count);
  graph_files::parallel_for(count, 1 << 20, [&](uint64_t begin, uint64_t end) {
    for (uint64_t p = begin; p < end; ++p) values[p] = T(value(p));
  });
  return values.release();
}
}  // namespace detail

template <class ValueOf>
void* filled(GrB_Type type, uint64_t count, const ValueOf& value) {
  if (type == GrB_FP32) return detail::filled_with<float>(count, value);
  if (type == GrB_FP64) return detail::filled_with<double>(count, value);
  if (type == GrB_INT32) return detail::filled_with<int32_t>(count, value);
  return detail::filled_with<bool>(count, [&](uint64_t p) { return value(p) != 0; });
}

}  // namespace cugrb::bench::suitesparse
