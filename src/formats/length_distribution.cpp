#include "src/formats/length_distribution.h"

#include <algorithm>
#include <cmath>

namespace cugrb::formats {

LengthDistribution::LengthDistribution(std::vector<std::pair<uint64_t, uint64_t>> histogram) {
  if (!std::is_sorted(histogram.begin(), histogram.end())) std::sort(histogram.begin(), histogram.end());
  for (const auto& [length, rows] : histogram) add(length, rows);
  find_moments();
}

LengthDistribution::LengthDistribution(const uint64_t* rows_of, uint64_t count,
                                       std::vector<uint64_t> longer) {
  // A matrix's first product waits for this: memory is asked for once.
  bins_.reserve(size_t(std::count_if(rows_of, rows_of + count, [](uint64_t rows) { return rows > 0; })) +
                longer.size());
  std::sort(longer.begin(), longer.end());
  for (uint64_t length = 0; length < count; ++length) add(length, rows_of[length]);
  for (const uint64_t length : longer) add(length, 1);
  find_moments();
}

void LengthDistribution::add(uint64_t length, uint64_t rows) {
  if (rows == 0) return;
  if (bins_.empty() || bins_.back().length != length) bins_.push_back({length, 0, this->rows(), entries()});
  Bin& bin = bins_.back();
  bin.rows += rows;
  bin.rows_up_to += rows;
  bin.entries_up_to += length * rows;
}

void LengthDistribution::find_moments() {
  if (bins_.empty()) return;
  mean_ = double(entries()) / double(rows());
  double squares = 0, cubes = 0;
  for (const Bin& bin : bins_) {
    const double distance = double(bin.length) - mean_;
    squares += double(bin.rows) * distance * distance;
    cubes += double(bin.rows) * distance * distance * distance;
  }
  deviation_ = std::sqrt(squares / double(rows()));
  // A single length may differ from its rounded mean in the last bit: that is no spread.
  if (bins_.size() > 1) skewness_ = cubes / double(rows()) / (deviation_ * deviation_ * deviation_);
}

RowLengths LengthDistribution::summary() const {
  return {rows(), entries(), longest(), empty_rows(), mean_, deviation_};
}

/// The bin of the largest length that is at most k; null when all are longer.
const LengthDistribution::Bin* LengthDistribution::last_up_to(uint64_t k) const {
  const auto after = std::upper_bound(bins_.begin(), bins_.end(), k,
                                      [](uint64_t length, const Bin& bin) { return length < bin.length; });
  return after == bins_.begin() ? nullptr : &*(after - 1);
}

uint64_t LengthDistribution::rows_with(uint64_t length) const {
  const Bin* bin = last_up_to(length);
  return bin != nullptr && bin->length == length ? bin->rows : 0;
}

uint64_t LengthDistribution::rows_up_to(uint64_t k) const {
  const Bin* bin = last_up_to(k);
  return bin == nullptr ? 0 : bin->rows_up_to;
}

uint64_t LengthDistribution::entries_up_to(uint64_t k) const {
  const Bin* bin = last_up_to(k);
  return bin == nullptr ? 0 : bin->entries_up_to;
}

double LengthDistribution::probability_up_to(uint64_t k) const {
  return bins_.empty() ? 0 : double(rows_up_to(k)) / double(rows());
}

double LengthDistribution::mean_up_to(uint64_t k) const {
  const Bin* bin = last_up_to(k);
  return bin == nullptr ? 0 : double(bin->entries_up_to) / double(bin->rows_up_to);
}

double LengthDistribution::mean_above(uint64_t k) const {
  const uint64_t above = rows_above(k);
  return above == 0 ? 0 : double(entries_above(k)) / double(above);
}

uint64_t LengthDistribution::fractile(uint64_t i, uint64_t w) const {
  if (bins_.empty()) return 0;
  // The smallest number of rows n with n / N >= i / w is ceil(i N / w), here without overflow.
  const uint64_t n = rows();
  const uint64_t needed = i * (n / w) + (i * (n % w) + w - 1) / w;
  const auto bin = std::lower_bound(bins_.begin(), bins_.end(), needed,
                                    [](const Bin& b, uint64_t count) { return b.rows_up_to < count; });
  return bin == bins_.end() ? longest() : bin->length;
}

double LengthDistribution::fractile_mean(uint64_t w) const {
  double sum = 0;
  for (uint64_t i = 1; i <= w; ++i) sum += double(fractile(i, w));
  return sum / double(w);
}

double LengthDistribution::break_point_mean(uint64_t w) const {
  return w < 2 ? 0 : (fractile_mean(w) * double(w) - double(longest())) / double(w - 1);
}

double LengthDistribution::expected_longest(unsigned n, uint64_t limit, LongRows long_rows) const {
  const bool are_empty = long_rows == LongRows::empty;
  const uint64_t emptied = are_empty ? rows_above(limit) : 0;
  double mean = 0, before = 0;
  for (const Bin& bin : bins_) {
    if (are_empty && bin.length > limit) break;
    double none_longer = double(bin.rows_up_to + emptied) / double(rows());
    for (unsigned power = 1; power < n; power *= 2) none_longer *= none_longer;
    mean += double(std::min(bin.length, limit)) * (none_longer - before);
    before = none_longer;
  }
  return mean;
}

}  // namespace cugrb::formats
