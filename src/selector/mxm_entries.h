// How many entries does a product have? From the distribution of its rows' products, and from some rows that
// were counted.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "cuda/views/mxm.h"

namespace cugrb::selector {

using ProductOctaves = std::array<ProductOctave, product_octaves>;

/// Entries of T = left * right, and of those that the call's mask lets through.
struct ResultEntries {
  enum class Source : uint8_t { means, drawn, sampled, scaled_factor };
  Source source = Source::means;
  double all = 0, kept = 0;
  double deviation = 0;  ///< of `all`, as far as the counted rows tell: standard deviation over mean
  uint64_t counted_rows = 0;
  double uncounted_share = 0;  ///< of the products: in rows too heavy to be counted
};
/// "about 163017778 entries (273 rows counted, +-1.2 %)"
std::string to_text(const ResultEntries& entries);

/// Balls into bins: the places of `columns` that so many products, independent of each other, reach. An upper
/// estimate for a row: rows of real matrices have columns that are popular, and neighbours that have
/// neighbours in common (docs/notebook/2026-11-21-mxm-entries.md has how far off it is).
double reached_columns(double products, double columns);

/// How many rows of each octave should be counted: some of each, more where more of the products are (in
/// proportion to the octave's products over the square root of a row's: least variance for the cost), none of
/// rows so heavy that one would take longer than a hundredth of the product's time, and in all at most a 64th
/// of the products (or 65536).
std::array<double, product_octaves> rows_to_count(const ProductOctaves& octaves);

/// Which part of the mask's positions counts.
enum class MaskUse : uint8_t { none, selects, excludes };
/// From rows drawn at random from each octave, `samples`: entries per product in each octave; octaves of
/// which no row was counted have the same share of what independent products would give as the one below.
/// O(samples).
ResultEntries counted_entries(const ProductOctaves& octaves, const std::vector<SampledRow>& samples,
                              uint64_t columns, MaskUse mask);

}  // namespace cugrb::selector
