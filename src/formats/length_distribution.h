// LengthDistribution: the probability mass function of the row lengths of a matrix, and what follows from it.
//
// Notation as in K. Li, W. Yang, K. Li, "Performance Analysis and Optimization for SpMV on GPU Using
// Probabilistic Modeling", IEEE TPDS 26(1), 2015. X is the length (number of entries) of a row drawn at
// random, N the number of rows, P(X = i) = b_i / N where b_i rows hold i entries. "Eq." below are its
// equations. What stands here for rows holds for columns, too: they are the rows of the transpose.
#pragma once
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "src/formats/csr.h"

namespace cugrb::formats {

/// The few numbers of a distribution that a cost model asks for most.
struct RowLengths {
  uint64_t rows = 0, entries = 0, longest = 0, empty = 0;
  double mean = 0, deviation = 0;
};

/// Immutable. Memory: 32 bytes a distinct length, and there are at most about sqrt(2 * entries) of those.
/// "O(log)" below means O(log(distinct lengths)).
class LengthDistribution {
 public:
  /// One length, how many rows have it, and the sums over it and all smaller lengths.
  struct Bin {
    uint64_t length, rows;
    uint64_t rows_up_to, entries_up_to;  ///< N P(X <= length), NNZ(X <= length)
  };

  /// Of a matrix without rows.
  LengthDistribution() = default;
  /// From (length, rows) pairs in any order; pairs of the same length are added, pairs of 0 rows ignored.
  /// O(pairs log pairs).
  explicit LengthDistribution(std::vector<std::pair<uint64_t, uint64_t>> histogram);
  /// From rows_of[i], the number of rows of length i < count, and the lengths of all other rows, in any
  /// order. O(count + longer log longer).
  LengthDistribution(const uint64_t* rows_of, uint64_t count, std::vector<uint64_t> longer);

  const std::vector<Bin>& bins() const { return bins_; }                         ///< by ascending length
  uint64_t rows() const { return bins_.empty() ? 0 : bins_.back().rows_up_to; }  ///< N
  uint64_t entries() const { return bins_.empty() ? 0 : bins_.back().entries_up_to; }  ///< NNZ, Eq. 12
  uint64_t longest() const { return bins_.empty() ? 0 : bins_.back().length; }
  uint64_t empty_rows() const { return rows_with(0); }
  double mean() const { return mean_; }            ///< E(X), Eq. 6; 0 without rows
  double deviation() const { return deviation_; }  ///< sigma, Eq. 9
  double skewness() const { return skewness_; }    ///< gamma, Eq. 10; 0 when sigma is 0
  RowLengths summary() const;

  uint64_t rows_with(uint64_t length) const;                                ///< b_length; O(log)
  uint64_t rows_up_to(uint64_t k) const;                                    ///< N P(X <= k), Eq. 2; O(log)
  uint64_t rows_above(uint64_t k) const { return rows() - rows_up_to(k); }  ///< N P(X > k), Eq. 3
  uint64_t entries_up_to(uint64_t k) const;                                 ///< NNZ(X <= k), Eq. 13; O(log)
  uint64_t entries_above(uint64_t k) const { return entries() - entries_up_to(k); }  ///< NNZ(X > k), Eq. 14
  /// Entries that are not among the first k of their row: NNZ(X > k) - k P(X > k) N, the COO part of a HYB
  /// matrix of threshold k (Eq. 19). O(log).
  uint64_t entries_beyond(uint64_t k) const { return entries_above(k) - k * rows_above(k); }
  double probability_up_to(uint64_t k) const;  ///< P(X <= k), Eq. 2; 0 without rows
  double mean_up_to(uint64_t k) const;         ///< E(X | X <= k), Eq. 7; 0 when no row is that short
  double mean_above(uint64_t k) const;         ///< E(X | X > k), Eq. 8; 0 when no row is that long

  /// The i-th of the W-fractiles, 1 <= i <= W: the smallest length a with P(X <= a) >= i / W. (Eq. 11 asks
  /// for P(X <= a) = i / W, which a discrete X seldom meets.) The W-th is the longest row. 0 without rows.
  /// O(log).
  uint64_t fractile(uint64_t i, uint64_t w) const;
  /// E(Q), the mean of the W-fractiles (Eq. 32): the length that W threads in lockstep wait for. O(W log).
  double fractile_mean(uint64_t w) const;
  /// The mean of the first w - 1 of them, the break points between w subsets of rows; at most w / (w - 1)
  /// E(X). 0 for w = 1. O(w log).
  double break_point_mean(uint64_t w) const;

  /// What the rows of more than `limit` entries count as.
  enum class LongRows { cut_off, empty };
  /// The mean of the longest of n rows (a power of two) that are drawn at random. O(bins log n).
  double expected_longest(unsigned n, uint64_t limit, LongRows long_rows) const;

 private:
  std::vector<Bin> bins_;
  double mean_ = 0, deviation_ = 0, skewness_ = 0;
  void add(uint64_t length, uint64_t rows);  ///< no shorter than those before
  void find_moments();
  const Bin* last_up_to(uint64_t k) const;
};

/// Of the rows of a matrix on the device. Where the offsets are fewer bytes than counters of all lengths that
/// a row can have, they are read and counted here; else it is one launch and one copy of at most 40 KB (a
/// second one where more than 1000 rows have 4096 entries or more). `meanwhile` is called before the device
/// is waited for. O(rows).
LengthDistribution row_distribution(const Csr& matrix, const std::function<void()>& meanwhile = {});
/// Of its columns, without a transposition: at most 2 launches, 4 bytes a column of workspace (8 from 2^32
/// rows on), as many atomic additions as entries. Waits for the device. O(entries + columns).
LengthDistribution column_distribution(const Csr& matrix);
/// Of `count` lengths in an array of that width, which are `entries` together and each at most `longest`. As
/// above.
LengthDistribution listed_distribution(const runtime::Buffer& lengths, Width width, uint64_t count,
                                       uint64_t entries, uint64_t longest);
/// Entries of each column, as numbers of the given width. An atomic update an entry.
runtime::Buffer column_counts(const Csr& matrix, Width count_width);

}  // namespace cugrb::formats
