#include "src/selector/scale.h"

#include <algorithm>

namespace cugrb::selector {

using formats::LengthDistribution;

namespace {

/// u is read and goes to where the product gathers it. By rows, from the time of one device, R-MAT 22, 24 and
/// 25 are predicted at 0.86 to 0.99 of what they take on two and four H200 (devices_products.json and
/// devices_products_4.json).
constexpr double both_ways = 2;

/// Deals one row after the other, in rounds that go forth and back.
class Dealer {
 public:
  explicit Dealer(unsigned parts) : shares_(parts) {}

  void deal(uint64_t length, uint64_t rows) {
    const uint64_t parts = shares_.size();
    for (; rows > 0 && next_ % (2 * parts) != 0; --rows) give(length, 1);
    // Two rounds, forth and back, give each device two rows.
    const uint64_t whole = rows / (2 * parts);
    for (PartSize& share : shares_) {
      share.rows += 2 * whole;
      share.entries += 2 * whole * length;
    }
    for (rows -= whole * 2 * parts; rows > 0; --rows) give(length, 1);
  }

  std::vector<PartSize> take() { return std::move(shares_); }

 private:
  void give(uint64_t length, uint64_t rows) {
    const uint64_t parts = shares_.size(), place = next_ % (2 * parts);
    PartSize& share = shares_[place < parts ? place : 2 * parts - 1 - place];
    share.rows += rows;
    share.entries += rows * length;
    ++next_;
  }

  std::vector<PartSize> shares_;
  uint64_t next_ = 0;  ///< of all rows, modulo two rounds: whole pairs of rounds leave it as it is
};

}  // namespace

std::vector<PartSize> bitonic_shares(const LengthDistribution& lengths, unsigned parts) {
  Dealer dealer(parts);
  const auto& bins = lengths.bins();
  for (auto bin = bins.rbegin(); bin != bins.rend(); ++bin) dealer.deal(bin->length, bin->rows);
  return dealer.take();
}

double imbalance_of(const std::vector<PartSize>& shares) {
  uint64_t sum = 0, most = 0;
  for (const PartSize& share : shares) {
    sum += share.entries;
    most = std::max(most, share.entries);
  }
  return sum == 0 ? 1 : double(most) * double(shares.size()) / double(sum);
}

double ScaleForecast::efficiency(double alone_seconds) const {
  const double together = double(grid.processes()) * seconds();
  return together > 0 ? alone_seconds / together : 1;
}

ScaleForecast forecast_scale(const SharedProduct& product, const ProcessGrid& grid, double imbalance,
                             const Hardware& hardware) {
  const double processes = grid.processes();
  const double piece_of_u = double(product.columns) * product.vector_bytes / processes,
               piece_of_y = double(product.rows) * product.result_bytes / processes;
  const double gathers = grid.rows - 1, reductions = grid.columns - 1;
  ScaleForecast forecast;
  forecast.grid = grid;
  // Every row group loads u of its columns as one device does, which is part of alone_seconds once.
  const double loads = double(product.columns) * product.vector_bytes / grid.columns * (1 - 1.0 / grid.rows) /
                       hardware.copy_bytes_per_second;
  forecast.product_seconds = std::max(product.alone_seconds / processes * imbalance + both_ways * loads,
                                      product.launch_bound_seconds);
  forecast.gather_seconds = gathers * (hardware.peer_seconds + piece_of_u / hardware.peer_bytes_per_second);
  // A piece that arrives is added to what is there: two reads and a write.
  forecast.reduce_seconds =
      reductions * (hardware.peer_seconds + piece_of_y / hardware.peer_bytes_per_second +
                    3 * piece_of_y / hardware.copy_bytes_per_second);
  forecast.sent_bytes = gathers * piece_of_u + reductions * piece_of_y;
  return forecast;
}

ScaleForecast best_grid(const SharedProduct& product, unsigned processes, double imbalance,
                        const Hardware& hardware) {
  ScaleForecast best = forecast_scale(product, {processes, 1}, imbalance, hardware);
  for (unsigned columns = 2; columns <= processes; ++columns) {
    if (processes % columns != 0) continue;
    const ScaleForecast other = forecast_scale(product, {processes / columns, columns}, imbalance, hardware);
    if (other.seconds() < best.seconds()) best = other;
  }
  return best;
}

}  // namespace cugrb::selector
