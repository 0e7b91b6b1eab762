// The right factor of a product in parts, as its devices come by it: whole, once for all products, or a piece
// of its rows at a time, where a device has no room for all of them.
#pragma once
#include <span>
#include <vector>

#include "src/formats/host_stream.h"
#include "src/operations/multiply/mxm/run.h"

namespace cugrb::operations {

/// A matrix on several devices, as it is stored.
struct Replicas {
  /// One for each device; the first has the matrix itself, and none here.
  std::vector<DeviceMatrix> of_device;
  size_t bytes() const;
};

/// The copies on these devices, the first of which has the matrix: made at the first call, kept with it.
const Replicas& replicas_of(const DeviceMatrix& matrix, std::span<runtime::Device* const> devices);
bool has_replicas(const DeviceMatrix& matrix);
void forget_replicas(const DeviceMatrix& matrix);

/// In how many pieces `bytes` of a right factor go to the devices, so that a piece takes a quarter at most of
/// what is free on each: one, where half of that suffices for all of it, and 64 at most. `holder` has it, and
/// needs no copy; null: nobody has.
uint64_t pieces_for(size_t bytes, std::span<runtime::Device* const> devices, const runtime::Device* holder);

/// The rows of the right factor, which the sums of T go over, in pieces.
class RightPieces {
 public:
  /// Of the run's right factor, whole or in parts by these rows. It must outlive this.
  explicit RightPieces(const MatrixMatrixRun& run);
  /// Whether a factor in parts can be cut: its parts are rows of it.
  static bool can_cut(const MatrixMatrixRun& run);

  /// So many at most, which follow each other and have about as many entries each; those of a factor in parts
  /// are parts. Reads O(count log(rows)) offsets back.
  std::vector<formats::Range> cut(uint64_t count) const;
  /// A matrix with all rows of the factor, of which those outside the piece are empty, on the factor's device
  /// or the one at home. O(rows + entries of the piece). Throws runtime::OutOfMemory.
  DeviceMatrix piece(const formats::Range& rows) const;

 private:
  uint64_t offset_at(uint64_t row) const;
  uint64_t row_of_entry(uint64_t entry) const;

  const DeviceMatrix& matrix_;
  const bool transposed_;
};

}  // namespace cugrb::operations
