// Objects from tuples, with the contract of operations.h: C, which has no entries, gets those of T.
#pragma once
#include "src/formats/coo.h"
#include "src/operations/output.h"

namespace cugrb::operations {

/// (rows[p], columns[p], values[p]) for p below `count`, in any order, in device memory. All are in range.
struct Tuples {
  uint64_t count = 0;
  formats::Width row_width = formats::Width::bits32, column_width = formats::Width::bits32;
  runtime::Buffer rows;  ///< none: a vector's, whose positions are `columns`
  runtime::Buffer columns;
  DeviceVector values;  ///< full, of length `count`; iso: one value for all
};

/// T(i,j) = the values of the tuples at (i,j), in their order, combined by `duplicates`, whose three types
/// are one; then typecast to C's. Without it no two may be at one place: Declined. One launch for few tuples
/// (BuildFew), three for more (BuildTiles), and one number read back. Else a radix sort of the places where
/// they do not ascend already, a launch or two over the tuples and over the entries, two numbers read back.
/// A place takes 64 bits: Declined when rows and columns of C ask for more.
void build(DeviceMatrix& c, const Tuples& tuples, const std::optional<BinaryOp>& duplicates);
void build(DeviceVector& w, const Tuples& tuples, const std::optional<BinaryOp>& duplicates);
/// The entries of T, of `rows` by `columns`, by row, then column: a batch that src/formats/csr_update.h
/// takes.
formats::Coo built(const Tuples& tuples, uint64_t rows, uint64_t columns,
                   const std::optional<BinaryOp>& duplicates);

/// Whether indices in device memory ascend, each once. One launch; waits for the device.
bool ascend(const runtime::Buffer& indices, formats::Width width, uint64_t count);

}  // namespace cugrb::operations
