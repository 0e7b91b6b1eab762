// Deal: which rank has which vertices, and how they are numbered there.
#pragma once
#include <algorithm>
#include <numeric>
#include <vector>

#include "cugrb/types.hpp"

namespace cugrb {

/// How blocks of vertices are dealt to ranks.
enum class Dealing {
  bitonic,    ///< equally many rows and nearly equally many entries
  contiguous  ///< ranges of vertices
};

/// Vertices 0 … n-1 in blocks of consecutive ones, and each block with one of P ranks. A rank numbers its
/// vertices from 0, block after block. A vertex's position is r·stride + its number on rank r: positions of a
/// rank are contiguous, and `stride` is the largest number of vertices of a rank, so some positions may have
/// no vertex. Every rank has the same Deal.
///
/// A block is one vertex where there are at most 65536, so that rows are dealt one by one; larger graphs have
/// 65536 blocks at most. Locality of vertex numbers is kept within a block. Memory: 16 bytes a block.
///
/// Source of the bitonic scheme: X. Yang, S. Parthasarathy, P. Sadayappan, "Fast sparse matrix-vector
/// multiplication on GPUs: implications for graph mining", PVLDB 4 (2011), section 3.2, there for rows.
class Deal {
 public:
  static constexpr Index most_blocks = 65536;
  /// Vertices a block of a graph of n.
  static Index rows_of_block(Index n) { return std::max<Index>(1, (n + most_blocks - 1) / most_blocks); }
  static Index blocks_of(Index n) { return (n + rows_of_block(n) - 1) / rows_of_block(n); }

  /// entries[b] is the weight of block b, blocks_of(n) of them. Bitonic: blocks are sorted by weight, and
  /// each round deals one to each rank; who got the heaviest of a round gets the lightest of the next.
  Deal(Index n, int ranks, const std::vector<uint64_t>& entries, Dealing dealing = Dealing::bitonic)
      : n_(n), rows_(rows_of_block(n)), blocks_of_rank_(static_cast<size_t>(ranks)), places_(blocks_of(n)) {
    while ((Index{1} << shift_) < rows_) ++shift_;
    has_shift_ = Index{1} << shift_ == rows_;
    const size_t parts = static_cast<size_t>(ranks), blocks = places_.size();
    std::vector<Index> order(blocks);
    std::iota(order.begin(), order.end(), Index{0});
    if (dealing == Dealing::bitonic) {
      std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return entries[a] > entries[b]; });
    }
    for (size_t k = 0; k < blocks; ++k) {
      const size_t round = k / parts, turn = k % parts;
      const size_t rank = dealing == Dealing::contiguous ? k * parts / blocks
                          : round % 2 == 0               ? turn
                                                         : parts - 1 - turn;
      places_[order[k]].rank = static_cast<uint32_t>(rank);
    }
    for (size_t b = 0; b < blocks; ++b) {
      std::vector<Index>& of_rank = blocks_of_rank_[places_[b].rank];
      places_[b].first = of_rank.size() * rows_;
      of_rank.push_back(b);
    }
    for (int r = 0; r < ranks; ++r) stride_ = std::max(stride_, size_of(r));
  }

  Index size() const { return n_; }
  int ranks() const { return static_cast<int>(blocks_of_rank_.size()); }
  Index stride() const { return stride_; }
  /// Of all ranks: the length of a vector that has been gathered.
  Index positions() const { return stride_ * static_cast<Index>(ranks()); }
  Index rows_of_block() const { return rows_; }
  /// Vertices of a rank.
  Index size_of(int rank) const {
    const std::vector<Index>& blocks = blocks_of_rank_[static_cast<size_t>(rank)];
    if (blocks.empty()) return 0;
    const Index last = std::min(n_, (blocks.back() + 1) * rows_) - blocks.back() * rows_;
    return (blocks.size() - 1) * rows_ + last;
  }
  int owner(Index vertex) const { return static_cast<int>(places_[block_of(vertex)].rank); }
  /// The vertex's number on its rank.
  Index number(Index vertex) const {
    const Index block = block_of(vertex);
    return places_[block].first + (vertex - block * rows_);
  }
  Index position(Index vertex) const {
    const Index block = block_of(vertex);
    const Place& place = places_[block];
    return place.rank * stride_ + place.first + (vertex - block * rows_);
  }
  /// The vertex of that number on that rank.
  Index vertex(int rank, Index number) const {
    return blocks_of_rank_[static_cast<size_t>(rank)][number / rows_] * rows_ + number % rows_;
  }
  Index vertex_at(Index position) const {
    return vertex(static_cast<int>(position / stride_), position % stride_);
  }
  /// vertices[k] = vertex(rank, k), for all of the rank's numbers.
  void write_vertices(int rank, uint64_t* vertices) const {
    for (const Index block : blocks_of_rank_[static_cast<size_t>(rank)]) {
      const Index begin = block * rows_, end = std::min(n_, begin + rows_);
      std::iota(vertices, vertices + (end - begin), uint64_t{begin});
      vertices += end - begin;
    }
  }

 private:
  struct Place {
    uint32_t rank = 0;
    Index first = 0;
  };
  /// A graph is dealt by several of these an edge: a shift takes a tenth of the time of a division.
  Index block_of(Index vertex) const { return has_shift_ ? vertex >> shift_ : vertex / rows_; }
  Index n_, rows_, stride_ = 0;
  unsigned shift_ = 0;  ///< rows_ is 2^shift_, where it has_shift_
  bool has_shift_ = false;
  std::vector<std::vector<Index>> blocks_of_rank_;  ///< ascending
  std::vector<Place> places_;
};

}  // namespace cugrb
