// Edges of blocks: what ranks need of each other's vectors where a matrix is near its diagonal.
#pragma once
#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "cugrb/distributed/exchange.hpp"
#include "cugrb/mask.hpp"

namespace cugrb::detail {

/// The values of u that a rank sends in a product, where these are few. Gathered, they are numbered
/// r * stride + k: the k-th value of rank r.
struct Edges {
  std::vector<Index> own;   ///< numbers of this rank's vertices that others need, ascending
  std::vector<Index> rows;  ///< of this rank that need values of others, ascending
  Index stride = 1;         ///< the most that a rank sends, at least 1

  /// Less than an eighth of the vertices: to pick them costs less than they save.
  static constexpr Index few = 8;
};

/// Of ascending numbers, each once: a range where they follow each other. They must outlive it.
inline Indices indices_of(const std::vector<Index>& numbers) {
  const bool is_range = !numbers.empty() && numbers.back() - numbers.front() == numbers.size() - 1;
  return is_range ? range(numbers.front(), numbers.back() + 1) : Indices(numbers);
}

/// Ascending, each once.
inline std::vector<uint64_t> distinct(std::vector<uint64_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

/// How many numbers of a list that ascends are below x: the place of x, where the list has it.
inline size_t place_in(const std::vector<uint64_t>& list, uint64_t x) {
  return static_cast<size_t>(std::lower_bound(list.begin(), list.end(), x) - list.begin());
}

/// Collective. `others` are the entries of a rank's rows in columns of other ranks, by position; `entries`
/// those of the whole block. Nothing where ranks need much of each other. Else the columns of `others` get
/// the numbers of gathered edges, which ascend as the positions do, and its rows are those of Edges::rows.
/// O(entries of others · log), on the host.
template <class T>
std::optional<Edges> find_edges(Exchange& exchange, Matrix<T>& others, Index entries) {
  Distributed& ranks = exchange.ranks();
  const Deal& deal = exchange.deal();
  const std::plus<uint64_t> sum;
  const uint64_t outside = ranks.all_reduce<uint64_t>(others.nvals(), sum, "entries outside of blocks"),
                 all = ranks.all_reduce<uint64_t>(entries, sum, "entries of blocks");
  if (outside * Edges::few > all) return std::nullopt;
  auto tuples = others.entries();
  const std::vector<uint64_t> needed_here = distinct({tuples.columns.begin(), tuples.columns.end()});
  const std::vector<uint64_t> needed = distinct(exchange.all_gather_list(needed_here));  // by some rank
  // Where the values of each rank begin among these.
  std::vector<size_t> begins;
  Edges edges;
  for (int r = 0; r <= ranks.size(); ++r) {
    begins.push_back(place_in(needed, static_cast<Index>(r) * deal.stride()));
    if (r > 0) edges.stride = std::max<Index>(edges.stride, begins[r] - begins[r - 1]);
  }
  edges.rows = distinct({tuples.rows.begin(), tuples.rows.end()});
  const auto most = [](uint64_t a, uint64_t b) { return std::max(a, b); };
  const uint64_t rows = ranks.all_reduce<uint64_t>(edges.rows.size(), most, "rows at edges");
  if (std::max(edges.stride, rows) * Edges::few > deal.stride()) return std::nullopt;
  const auto rank = static_cast<size_t>(ranks.rank());
  for (size_t k = begins[rank]; k < begins[rank + 1]; ++k)
    edges.own.push_back(needed[k] - rank * deal.stride());
  for (Index& row : tuples.rows) row = place_in(edges.rows, row);
  for (Index& column : tuples.columns) {
    const size_t owner = column / deal.stride();
    column = owner * edges.stride + (place_in(needed, column) - begins[owner]);
  }
  Matrix<T> renumbered(std::max<Index>(edges.rows.size(), 1),
                       edges.stride * static_cast<Index>(ranks.size()));
  renumbered.build(tuples.rows.data(), tuples.columns.data(), tuples.values.data(), tuples.rows.size(),
                   op::any<T>);
  others = std::move(renumbered);
  return edges;
}

}  // namespace cugrb::detail
