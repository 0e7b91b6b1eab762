// A stand-in for libcusparse on host memory: plain loops behind the functions that cuda/cusparse uses, with
// its rules about workspaces, and failures on request.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace stand_in {

struct Matrix {
  int64_t rows = 0, columns = 0, entries = 0;
  int32_t* offsets = nullptr;
  int32_t* column_indices = nullptr;
  void* values = nullptr;
  int type = 0;            ///< 0: float, 1: double
  int64_t slice_rows = 0;  ///< of SELL, whose offsets count positions; 0: CSR
};

/// Counts a call of a function that can fail: its status, 0 when it succeeds.
int status_of_call();
/// The workspace is written to its end: less than was asked for is found by the address sanitizer.
void use(void* work, size_t bytes);

}  // namespace stand_in
