// Who sums which steps of compressed sparse blocks.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "cuda/views/csb.h"

namespace cugrb::formats {

/// Steps that take as long as a piece's sums take to be cleared, joined and stored.
constexpr uint64_t steps_of_csb_piece = 5;
/// And as the launch that adds up pieces.
constexpr uint64_t steps_of_csb_launch = 5;

/// Pieces of bands, in the order of their steps, and whose they are.
struct CsbPieces {
  std::vector<CsbPiece> pieces;
  std::vector<uint32_t> first_pieces = {0};  ///< blocks + 1: the pieces of each block
  std::vector<uint32_t> band_pieces = {0};   ///< bands + 1: the pieces of each band; none by whole bands

  /// Of the block that has most.
  uint32_t longest_steps() const;
};

/// Shares the bands' steps out to `blocks` blocks so that the last one ends as early as may be, a piece's
/// sums taking as long as a few steps. Either every block has steps of one band only, or all have equal
/// stretches, some of which cross from one band to the next. `first_steps`: bands + 1. O((bands + blocks) log
/// steps).
CsbPieces share_csb_steps(const std::vector<uint32_t>& first_steps, uint32_t blocks);

/// Gives whole bands to clusters of `cluster` blocks, the longest first and each to the cluster that has
/// least so far, and the steps of each in equal pieces to its blocks; a piece may have none. Nothing where
/// that ends later than if all blocks shared all steps as above, and a second launch added up. O(bands (log
/// bands + log clusters)).
std::optional<CsbPieces> share_csb_bands(const std::vector<uint32_t>& first_steps, uint32_t clusters,
                                         uint32_t cluster);

}  // namespace cugrb::formats
