// Drawn edges as CSR, and what draws them: counter-based random numbers.
//
// Threads draw edges into bins, one for each block of rows; then each block is counted, placed, sorted and
// freed of duplicates by one thread, in its cache. No atomics, and the result does not depend on who drew
// what.
#pragma once
#include <algorithm>
#include <memory>
#include <mutex>
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

/// What becomes of drawn edges: `both`: an edge is an entry in both directions; `loops`: entries (i,i) stay.
struct Shape {
  uint64_t rows = 0, columns = 0;
  bool both = false, loops = false;
};

/// Drawn entries by blocks of rows: bucket b holds rows [b << shift, (b + 1) << shift).
class Bins {
 public:
  explicit Bins(size_t buckets) : buckets_(buckets) {}
  void add(uint64_t bucket, uint32_t row, uint32_t column) {
    Bucket& b = buckets_[bucket];
    if (b.used == block_size) {
      b.blocks.emplace_back(new Edge[block_size]);
      b.used = 0;
    }
    b.blocks.back()[b.used++] = {row, column};
  }
  /// visit(entry) for each of a bucket.
  template <class Visit>
  void each(uint64_t bucket, const Visit& visit) const {
    const Bucket& b = buckets_[bucket];
    for (size_t k = 0; k < b.blocks.size(); ++k) {
      const size_t count = k + 1 == b.blocks.size() ? b.used : block_size;
      for (size_t e = 0; e < count; ++e) visit(b.blocks[k][e]);
    }
  }
  void clear(uint64_t bucket) { buckets_[bucket] = {}; }

 private:
  static constexpr size_t block_size = 1024;
  struct Bucket {
    std::vector<std::unique_ptr<Edge[]>> blocks;
    size_t used = block_size;
  };
  std::vector<Bucket> buckets_;
};

/// The bins of all threads: each takes one for as long as it draws.
class AllBins {
 public:
  explicit AllBins(size_t buckets) : buckets_(buckets) {}
  std::unique_ptr<Bins> take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (bins_.empty()) return std::make_unique<Bins>(buckets_);
    std::unique_ptr<Bins> taken = std::move(bins_.back());
    bins_.pop_back();
    return taken;
  }
  void give(std::unique_ptr<Bins> bins) {
    const std::lock_guard<std::mutex> lock(mutex_);
    bins_.push_back(std::move(bins));
  }
  const std::vector<std::unique_ptr<Bins>>& bins() const { return bins_; }

 private:
  size_t buckets_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Bins>> bins_;
};

/// The columns of one bucket's rows, sorted and without duplicates; lengths[i] of its i-th row.
template <class Length>
std::vector<uint32_t> sorted_rows(const AllBins& all, uint64_t bucket, uint64_t rows, uint64_t first_row,
                                  const Length& length) {
  std::vector<uint64_t> next(rows + 1, 0);
  for (const auto& bins : all.bins()) {
    bins->each(bucket, [&](Edge e) { ++next[e.from - first_row + 1]; });
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<uint32_t> columns(next[rows]);
  for (const auto& bins : all.bins()) {
    bins->each(bucket, [&](Edge e) { columns[next[e.from - first_row]++] = e.to; });
    bins->clear(bucket);
  }
  // Now next[i] is where row i ends.
  uint64_t kept = 0;
  for (uint64_t i = 0; i < rows; ++i) {
    const auto first = columns.begin() + static_cast<std::ptrdiff_t>(i == 0 ? 0 : next[i - 1]);
    const auto last = columns.begin() + static_cast<std::ptrdiff_t>(next[i]);
    std::sort(first, last);
    const auto count = std::unique(first, last) - first;
    const auto to = columns.begin() + static_cast<std::ptrdiff_t>(kept);
    if (to != first) std::copy_n(first, count, to);
    length(i) = static_cast<uint64_t>(count);
    kept += static_cast<uint64_t>(count);
  }
  columns.resize(kept);
  return columns;
}

/// Into how many blocks of rows, of 2^shift each, so many entries are binned. Some 100,000 entries stay in a
/// core's cache.
struct Binning {
  Binning(uint64_t rows, uint64_t entries) {
    while ((rows >> shift) > 2048 || (rows >> shift) > entries / 100000 + 1) ++shift;
    buckets = rows == 0 ? 0 : ((rows - 1) >> shift) + 1;
  }
  unsigned shift = 0;
  uint64_t buckets = 0;
};

/// The matrix of binned entries; the pattern only. The bins are empty afterwards.
inline Csr from_bins(const Shape& shape, const Binning& binning, AllBins& all) {
  const uint64_t n = shape.rows, buckets = binning.buckets;
  const unsigned shift = binning.shift;
  Csr csr;
  csr.nrows = n;
  csr.ncols = shape.columns;
  csr.symmetric = shape.both;
  csr.offsets = Buffer<uint64_t>(n + 1);
  csr.offsets[0] = 0;
  std::vector<std::vector<uint32_t>> columns(buckets);
  parallel_for(buckets, 1, [&](uint64_t b, uint64_t) {
    const uint64_t first = b << shift, rows = std::min(n, (b + 1) << shift) - first;
    columns[b] =
        sorted_rows(all, b, rows, first, [&](uint64_t i) -> uint64_t& { return csr.offsets[first + i + 1]; });
  });
  std::partial_sum(csr.offsets.data(), csr.offsets.data() + n + 1, csr.offsets.data());
  csr.columns = Buffer<uint64_t>(csr.offsets[n]);
  parallel_for(buckets, 1, [&](uint64_t b, uint64_t) {
    std::copy(columns[b].begin(), columns[b].end(), csr.columns.data() + csr.offsets[b << shift]);
    columns[b] = {};
  });
  return csr;
}

/// The entries of edges(0) … edges(edge_count - 1), an Edge each; the pattern only. Time O(edge_count /
/// threads); memory 8 bytes a drawn entry and the result.
template <class Edges>
Csr to_csr(const Shape& shape, uint64_t edge_count, const Edges& edges) {
  const Binning binning(shape.rows, edge_count * (shape.both ? 2 : 1));
  const unsigned shift = binning.shift;
  AllBins all(binning.buckets);
  parallel_for(edge_count, 1 << 18, [&](uint64_t begin, uint64_t end) {
    std::unique_ptr<Bins> bins = all.take();
    for (uint64_t k = begin; k < end; ++k) {
      const Edge e = edges(k);
      if (e.from == e.to && !shape.loops) continue;
      bins->add(e.from >> shift, e.from, e.to);
      if (shape.both) bins->add(e.to >> shift, e.to, e.from);
    }
    all.give(std::move(bins));
  });
  return from_bins(shape, binning, all);
}

}  // namespace cugrb::graph_files::edges
