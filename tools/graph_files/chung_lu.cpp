// Chung-Lu graphs: a row and a column meet with a chance that grows with the product of their rates. Drawing
// an end means: its bucket by the buckets' shares, then a vertex of the bucket; both tables fit in the L1
// cache.
#include <cmath>
#include <stdexcept>

#include "tools/graph_files/degrees.h"
#include "tools/graph_files/edges.h"

namespace cugrb::graph_files {
namespace {

using edges::mixed;

unsigned bits_for(uint64_t n) {
  unsigned bits = 0;
  while (bits < 63 && (uint64_t{1} << bits) < n) ++bits;
  return bits;
}

/// Draws one end of an edge.
class End {
 public:
  End(const Degrees& degrees, uint64_t n, uint64_t key)
      : first_(degrees.first), scramble_(bits_for(n), key), n_(n) {
    const double total = degrees.total_rate();
    double below = 0;
    for (size_t b = 0; b < degrees.buckets(); ++b) {
      below += degrees.count(b) * degrees.rates[b];
      thresholds_.push_back(static_cast<uint64_t>(std::ldexp(below / total, share_bits)));
    }
    thresholds_.back() = uint64_t{1} << share_bits;
    size_t b = 0;
    for (uint64_t g = 0; g < uint64_t{1} << guide_bits; ++g) {
      while (thresholds_[b] <= g << (share_bits - guide_bits)) ++b;
      guide_.push_back(static_cast<uint32_t>(b));
    }
  }
  uint32_t operator()(uint64_t random) const {
    const uint64_t share = mixed(random) >> (64 - share_bits);
    size_t b = guide_[share >> (share_bits - guide_bits)];
    while (share >= thresholds_[b]) ++b;
    uint64_t v = first_[b] + edges::below(mixed(random + 1), first_[b + 1] - first_[b]);
    do v = scramble_(v);
    while (v >= n_);
    return static_cast<uint32_t>(v);
  }

 private:
  static constexpr int share_bits = 52, guide_bits = 12;
  std::vector<uint64_t> first_, thresholds_;
  std::vector<uint32_t> guide_;
  edges::Scrambler scramble_;
  uint64_t n_;
};

void check(const ChungLu& p) {
  if (p.rows == 0 || p.columns == 0 || p.rows > UINT32_MAX || p.columns > UINT32_MAX) {
    throw std::invalid_argument("chung_lu: from 1 to 2^32 - 1 rows and columns");
  }
  if (p.direction == EdgeDirection::undirected && p.rows != p.columns) {
    throw std::invalid_argument("chung_lu: an undirected graph is square");
  }
  if (static_cast<double>(p.entries) > 0.25 * static_cast<double>(p.rows) * static_cast<double>(p.columns)) {
    throw std::invalid_argument("chung_lu: at most a quarter of all places hold an entry");
  }
}

/// The law with its default written out; `across`: how many entries a row could have.
DegreeLaw complete(DegreeLaw law, double mean, uint64_t across) {
  if (law.longest == 0) {
    law.longest = std::max<uint64_t>(across / 64, static_cast<uint64_t>(std::ceil(2 * mean)));
    law.longest = std::min(law.longest, std::max<uint64_t>(across / 2, static_cast<uint64_t>(mean) + 1));
  }
  if (law.longest > across)
    throw std::invalid_argument("chung_lu: a row has at most as many entries as columns");
  return law;
}

}  // namespace

Csr generate_chung_lu(const ChungLu& p) {
  check(p);
  const bool both = p.direction == EdgeDirection::undirected;
  const edges::Shape shape{p.rows, p.columns, both, p.rows != p.columns};
  if (p.entries == 0) return edges::to_csr(shape, 0, [](uint64_t) { return edges::Edge{0, 0}; });
  const double total = static_cast<double>(p.entries);
  const double mean_row = total / static_cast<double>(p.rows),
               mean_column = total / static_cast<double>(p.columns);
  Degrees rows = power_law(p.rows, total, complete(p.row_lengths, mean_row, p.columns));
  const uint64_t key = mixed(p.seed);
  if (both) {
    calibrate(rows, rows);
    const End end(rows, p.rows, key);
    const uint64_t count = static_cast<uint64_t>(0.5 * rows.total_rate() * rows.total_rate() + 0.5);
    return edges::to_csr(shape, count, [&](uint64_t k) {
      const uint64_t base = mixed(key ^ mixed(k));
      return edges::Edge{end(base), end(base + 2)};
    });
  }
  Degrees columns = power_law(p.columns, total, complete(p.column_lengths, mean_column, p.rows));
  calibrate(rows, columns);
  const End from(rows, p.rows, key), to(columns, p.columns, mixed(key));
  const uint64_t count = static_cast<uint64_t>(rows.total_rate() * columns.total_rate() + 0.5);
  return edges::to_csr(shape, count, [&](uint64_t k) {
    const uint64_t base = mixed(key ^ mixed(k));
    return edges::Edge{from(base), to(base + 2)};
  });
}

}  // namespace cugrb::graph_files
