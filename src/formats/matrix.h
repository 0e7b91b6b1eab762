// DeviceMatrix: a matrix on the device with every format it currently has, made lazily and dropped under pressure.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "src/formats/csr.h"

namespace cugrb::formats {

/// What the selector knows of the lengths of a matrix's rows; computed on the device once, cached with the matrix.
struct RowLengths {
  uint64_t rows = 0, entries = 0, longest = 0, empty = 0;
  double mean = 0, deviation = 0;
};

/// A GraphBLAS matrix: stored by row or by column (`by_column`: `stored` is the CSR of its transpose).
class DeviceMatrix {
 public:
  Type type;
  uint64_t rows = 0, columns = 0;
  bool by_column = false;
  Csr stored;  ///< CSR of the matrix, or of its transpose when by_column

  uint64_t nvals() const { return stored.entries; }
  /// CSR of the matrix (transposed = false) or of its transpose; the one that is not stored is made at the first call
  /// and kept. The uses of each are counted.
  const Csr& by_rows(bool transposed) const;
  bool has_rows(bool transposed) const;  ///< by_rows(transposed) would cost nothing
  const RowLengths& row_lengths(bool transposed) const;
  uint64_t uses(bool transposed) const;

  size_t bytes() const;        ///< everything it holds on the device
  size_t drop_caches() const;  ///< frees what can be remade; bytes freed

 private:
  struct Caches;
  std::shared_ptr<Caches> caches_ = nullptr;
  Caches& caches() const;
};

}  // namespace cugrb::formats
