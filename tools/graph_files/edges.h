// Drawn edges as CSR, and what draws them: counter-based random numbers.
//
// Edges are never stored: they are drawn twice, once to count the entries of each row and once to place them;
// then every row is sorted, freed of duplicates, and copied to its final place.
#pragma once
#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <vector>

#include "tools/graph_files/csr.h"
#include "tools/graph_files/parallel.h"

namespace cugrb::graph_files::edges {

/// SplitMix64's output function: a bijection of 64-bit words with good mixing (Steele, Lea, Flood, OOPSLA
/// 2014).
inline uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// A bijection of [0, 2^bits) that takes away the order of the numbers.
class Scrambler {
 public:
  Scrambler(unsigned bits, uint64_t key) : bits_(bits), key_(key), mask_((uint64_t{1} << bits) - 1) {}
  uint64_t operator()(uint64_t v) const {
    if (bits_ == 0) return 0;
    const unsigned shift = (bits_ + 1) / 2;
    for (int round = 0; round < 3; ++round) {
      v = (v * 0x9e3779b97f4a7c15u + key_) & mask_;
      v ^= v >> shift;
    }
    return v;
  }

 private:
  unsigned bits_;
  uint64_t key_, mask_;
};

/// A number in [0, range) from 64 random bits.
inline uint64_t below(uint64_t random, uint64_t range) {
  return static_cast<uint64_t>(static_cast<unsigned __int128>(random) * range >> 64);
}

struct Edge {
  uint32_t from, to;
};

inline constexpr uint64_t edge_chunk = 1 << 16, row_chunk = 1 << 10;

/// What becomes of drawn edges: `both`: an edge is an entry in both directions; `loops`: entries (i,i) stay.
struct Shape {
  uint64_t rows = 0, columns = 0;
  bool both = false, loops = false;
};

/// visit(row, column) for every entry that the edges numbered [begin, end) give.
template <class Edges, class Visit>
void visit_entries(const Edges& edges, const Shape& shape, uint64_t begin, uint64_t end, const Visit& visit) {
  const bool both = shape.both;
  for (uint64_t k = begin; k < end; ++k) {
    const Edge e = edges(k);
    if (e.from == e.to && !shape.loops) continue;
    visit(e.from, e.to);
    if (both) visit(e.to, e.from);
  }
}

/// Sorts every row of `drawn` and drops duplicates; kept[i] = how many are left.
inline void sort_rows(uint64_t n, const uint64_t* offsets, uint32_t* drawn, uint64_t* kept) {
  parallel_for(n, row_chunk, [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; ++i) {
      uint32_t* first = drawn + offsets[i];
      uint32_t* last = drawn + offsets[i + 1];
      std::sort(first, last);
      kept[i] = static_cast<uint64_t>(std::unique(first, last) - first);
    }
  });
}

/// The entries of edges(0) … edges(edge_count - 1), an Edge each; the pattern only. Time O(edge_count /
/// threads); memory 4 bytes a drawn entry and the result.
template <class Edges>
Csr to_csr(const Shape& shape, uint64_t edge_count, const Edges& edges) {
  const uint64_t n = shape.rows;
  std::unique_ptr<std::atomic<uint64_t>[]> next(new std::atomic<uint64_t>[n]);
  parallel_for(n, edge_chunk, [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; ++i) next[i].store(0, std::memory_order_relaxed);
  });
  parallel_for(edge_count, edge_chunk, [&](uint64_t begin, uint64_t end) {
    visit_entries(edges, shape, begin, end,
                  [&](uint32_t row, uint32_t) { next[row].fetch_add(1, std::memory_order_relaxed); });
  });
  std::vector<uint64_t> offsets(n + 1, 0);
  for (uint64_t i = 0; i < n; ++i) {
    offsets[i + 1] = offsets[i] + next[i].load(std::memory_order_relaxed);
    next[i].store(offsets[i], std::memory_order_relaxed);
  }
  Buffer<uint32_t> drawn(offsets[n]);
  parallel_for(edge_count, edge_chunk, [&](uint64_t begin, uint64_t end) {
    visit_entries(edges, shape, begin, end, [&](uint32_t row, uint32_t column) {
      drawn[next[row].fetch_add(1, std::memory_order_relaxed)] = column;
    });
  });
  next.reset();

  Csr csr;
  csr.nrows = n;
  csr.ncols = shape.columns;
  csr.symmetric = shape.both;
  csr.offsets = Buffer<uint64_t>(n + 1);
  csr.offsets[0] = 0;
  sort_rows(n, offsets.data(), drawn.data(), csr.offsets.data() + 1);
  std::partial_sum(csr.offsets.data(), csr.offsets.data() + n + 1, csr.offsets.data());
  csr.columns = Buffer<uint64_t>(csr.offsets[n]);
  parallel_for(n, row_chunk, [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; ++i) {
      std::copy_n(drawn.data() + offsets[i], csr.offsets[i + 1] - csr.offsets[i],
                  csr.columns.data() + csr.offsets[i]);
    }
  });
  return csr;
}

}  // namespace cugrb::graph_files::edges
