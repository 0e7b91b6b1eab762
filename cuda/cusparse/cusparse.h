// cuSPARSE as one more way to multiply: on the device's stream, with workspace from its allocator.
#pragma once
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "cuda/cusparse/library.h"
#include "cuda/runtime/buffer.h"

namespace cugrb::cusparse {

/// cuSPARSE cannot be used, or refused a call. What it says of memory is runtime::OutOfMemory.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class State : uint8_t { closed, open, unavailable };
/// What is known without opening the library, which takes tens of milliseconds: `closed` until it is first
/// used. Where the emulated device is the process's, it is unavailable unless CUGRB_CUSPARSE names a stand-in
/// that works on host memory.
State state();
/// Why it is unavailable; opens the library to find out. Empty when it can be used.
std::string unavailable_reason();

/// Types of values: cudaDataType's numbers.
enum class Real : int { fp32 = 0, fp64 = 1 };
constexpr size_t bytes_of(Real real) { return real == Real::fp32 ? 4 : 8; }

/// A CSR matrix in device memory: 32-bit offsets and columns.
struct CsrArrays {
  uint64_t rows = 0, columns = 0, entries = 0;
  runtime::Buffer offsets, column_indices, values;
};

/// C = A B by cusparseSpGEMM's ALG1. C has an entry wherever there is a product, columns ascend in every row
/// (its documentation guarantees that), and sums have the same bits in every run (likewise). Fewer than 2^31
/// products, at least one. Workspace: about 2 (8 + value) bytes a product. Throws Failure and
/// runtime::OutOfMemory; nothing is left behind then.
CsrArrays multiply(Real real, const CsrArrays& a, const CsrArrays& b);

/// SELL in device memory: slices of rows as wide as their longest, by columns; 32-bit columns, -1 where there
/// is padding, and offsets of the slices that count positions.
struct SellArrays {
  uint64_t rows = 0, columns = 0, entries = 0, positions = 0, slice_rows = 0;
  runtime::Buffer offsets, column_indices, values;
};

/// Its numbers.
enum class SpmvAlgorithm : int { csr_alg1 = 2, csr_alg2 = 3, sell = 5 };

/// y = A x by cusparseSpMV, of one matrix as often as is wanted: described, its workspace allocated, looked
/// at once. y(i) = 0 for a row without entries. With csr_alg2 sums have the same bits in every run (its
/// documentation guarantees that); with the others they need not. Shares the arrays. Throws Failure and
/// runtime::OutOfMemory.
class Spmv {
 public:
  Spmv(Real real, SpmvAlgorithm algorithm, const CsrArrays& csr);
  Spmv(Real real, const SellArrays& sell);
  /// x: as many values as A has columns, y as rows; what y held does not matter. Does not wait.
  void run(const void* x, void* y) const;
  size_t workspace_bytes() const;

 private:
  class Prepared;
  std::shared_ptr<const Prepared> prepared_;
};

// ---- For the files of this folder.

/// Throws Failure when the library is unavailable.
void require();

/// Calls `work` with the handle, whose stream is the device's, one caller at a time. After require().
void with_handle(const std::function<void(Handle)>& work);
/// Success returns.
void check(int status, const char* doing);

/// 1 and 0 of a type, in host memory.
struct Scalars {
  explicit Scalars(Real real) : is_double(real == Real::fp64) {}
  const void* one() const { return is_double ? static_cast<const void*>(&one_64) : &one_32; }
  const void* zero() const { return is_double ? static_cast<const void*>(&zero_64) : &zero_32; }

 private:
  bool is_double;
  double one_64 = 1, zero_64 = 0;
  float one_32 = 1, zero_32 = 0;
};

/// cuSPARSE's description of a matrix.
class Description {
 public:
  Description() = default;
  explicit Description(SparseMatrix matrix) : matrix_(matrix) {}
  Description(Description&& other) noexcept : matrix_(std::exchange(other.matrix_, nullptr)) {}
  Description& operator=(Description&& other) noexcept {
    std::swap(matrix_, other.matrix_);
    return *this;
  }
  ~Description() {
    if (matrix_ != nullptr) library().destroy_matrix(matrix_);
  }
  SparseMatrix get() const { return matrix_; }

 private:
  SparseMatrix matrix_ = nullptr;
};
Description describe(Real real, const CsrArrays& csr);

}  // namespace cugrb::cusparse
