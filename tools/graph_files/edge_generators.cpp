// R-MAT and uniform graphs. Edges are never stored: they are drawn twice from a counter-based generator, once
// to count the entries of each row and once to place them; then every row is sorted, freed of duplicates, and
// copied to its final place.
#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "tools/graph_files/generate.h"
#include "tools/graph_files/parallel.h"

namespace cugrb::graph_files {
namespace {

/// SplitMix64's output function: a bijection of 64-bit words with good mixing (Steele, Lea, Flood, OOPSLA
/// 2014).
uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

struct Edge {
  uint32_t from, to;
};

/// Draws edge number k by descending `scale` levels of quadrants, 32 random bits a level.
class RmatEdges {
 public:
  explicit RmatEdges(const Rmat& p)
      : scale_(p.scale), key_(mixed(p.seed)), mask_((uint64_t{1} << p.scale) - 1) {}
  Edge operator()(uint64_t k) const {
    // 2^32 times a, a + b, a + b + c.
    constexpr uint32_t a = 2448131359u, ab = 3264175145u, abc = 4080218931u;
    const uint64_t base = mixed(key_ ^ mixed(k));
    uint64_t from = 0, to = 0, random = 0;
    for (unsigned level = 0; level < scale_; ++level) {
      random = level % 2 == 0 ? mixed(base + level) : random >> 32;
      const uint32_t r = static_cast<uint32_t>(random);
      from = from << 1 | (r >= ab);
      to = to << 1 | ((r >= a && r < ab) || r >= abc);
    }
    return {scrambled(from), scrambled(to)};
  }

 private:
  /// A bijection of [0, 2^scale) that takes away the order of degrees from the vertex numbers.
  uint32_t scrambled(uint64_t v) const {
    if (scale_ == 0) return 0;
    const unsigned shift = (scale_ + 1) / 2;
    for (int round = 0; round < 3; ++round) {
      v = (v * 0x9e3779b97f4a7c15u + key_) & mask_;
      v ^= v >> shift;
    }
    return static_cast<uint32_t>(v);
  }
  unsigned scale_;
  uint64_t key_, mask_;
};

class UniformEdges {
 public:
  explicit UniformEdges(const Uniform& p) : vertices_(p.vertices), key_(mixed(p.seed)) {}
  Edge operator()(uint64_t k) const {
    const uint64_t base = mixed(key_ ^ mixed(k));
    return {below(mixed(base)), below(mixed(base + 1))};
  }

 private:
  uint32_t below(uint64_t random) const {
    return static_cast<uint32_t>(static_cast<unsigned __int128>(random) * vertices_ >> 64);
  }
  uint64_t vertices_, key_;
};

constexpr uint64_t edge_chunk = 1 << 16, row_chunk = 1 << 10;

/// visit(row, column) for every entry that the edges numbered [begin, end) give.
template <class Edges, class Visit>
void visit_entries(const Edges& edges, bool both, uint64_t begin, uint64_t end, const Visit& visit) {
  for (uint64_t k = begin; k < end; ++k) {
    const Edge e = edges(k);
    if (e.from == e.to) continue;
    visit(e.from, e.to);
    if (both) visit(e.to, e.from);
  }
}

/// Sorts every row of `drawn` and drops duplicates; kept[i] = how many are left.
void sort_rows(uint64_t n, const uint64_t* offsets, uint32_t* drawn, uint64_t* kept) {
  parallel_for(n, row_chunk, [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; ++i) {
      uint32_t* first = drawn + offsets[i];
      uint32_t* last = drawn + offsets[i + 1];
      std::sort(first, last);
      kept[i] = static_cast<uint64_t>(std::unique(first, last) - first);
    }
  });
}

template <class Edges>
Csr build(uint64_t n, uint64_t edge_count, const Edges& edges, EdgeDirection direction) {
  const bool both = direction == EdgeDirection::undirected;
  std::unique_ptr<std::atomic<uint64_t>[]> next(new std::atomic<uint64_t>[n]);
  parallel_for(n, edge_chunk, [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; ++i) next[i].store(0, std::memory_order_relaxed);
  });
  parallel_for(edge_count, edge_chunk, [&](uint64_t begin, uint64_t end) {
    visit_entries(edges, both, begin, end,
                  [&](uint32_t row, uint32_t) { next[row].fetch_add(1, std::memory_order_relaxed); });
  });
  std::vector<uint64_t> offsets(n + 1, 0);
  for (uint64_t i = 0; i < n; ++i) {
    offsets[i + 1] = offsets[i] + next[i].load(std::memory_order_relaxed);
    next[i].store(offsets[i], std::memory_order_relaxed);
  }
  Buffer<uint32_t> drawn(offsets[n]);
  parallel_for(edge_count, edge_chunk, [&](uint64_t begin, uint64_t end) {
    visit_entries(edges, both, begin, end, [&](uint32_t row, uint32_t column) {
      drawn[next[row].fetch_add(1, std::memory_order_relaxed)] = column;
    });
  });
  next.reset();

  Csr csr;
  csr.nrows = csr.ncols = n;
  csr.symmetric = both;
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

}  // namespace

Csr generate_rmat(const Rmat& p) {
  if (p.scale > 31) throw std::invalid_argument("rmat: the scale is at most 31");
  if (p.edge_factor > (uint64_t{1} << 31))
    throw std::invalid_argument("rmat: the edge factor is at most 2^31");
  const uint64_t n = uint64_t{1} << p.scale;
  return build(n, n * p.edge_factor, RmatEdges(p), p.direction);
}

Csr generate_uniform(const Uniform& p) {
  if (p.vertices > UINT32_MAX) throw std::invalid_argument("uniform: at most 2^32 - 1 vertices");
  if (p.degree > (uint64_t{1} << 31)) throw std::invalid_argument("uniform: the degree is at most 2^31");
  return build(p.vertices, p.vertices * p.degree, UniformEdges(p), p.direction);
}

}  // namespace cugrb::graph_files
