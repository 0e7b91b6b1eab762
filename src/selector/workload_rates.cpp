#include "src/selector/workload_rates.h"

#include <algorithm>
#include <cmath>

namespace cugrb::selector {

double WorkloadRates::step_seconds(size_t bytes_of_value, int row_class, double steps_of_workload) const {
  const double place = std::clamp(std::log2(std::max(1.0, steps_of_workload)), 0.0, double(lengths - 1));
  const size_t shorter = std::min(size_t(place), lengths - 2);
  const double beyond = place - double(shorter);
  const auto seconds = [&](size_t kind) {
    const auto& rates = entries_per_second[kind][size_t(row_class)];
    return tile_step_entries * ((1 - beyond) / rates[shorter] + beyond / rates[shorter + 1]);
  };
  size_t kind = 0;
  while (kind + 2 < kinds && bytes_of_value > value_bytes[kind + 1]) ++kind;
  const double from = double(value_bytes[kind]), to = double(value_bytes[kind + 1]);
  const double share = (double(bytes_of_value) - from) / (to - from);
  return (1 - share) * seconds(kind) + share * seconds(kind + 1);
}

std::array<std::array<std::array<double, WorkloadRates::lengths>, tile_classes>, WorkloadRates::kinds>
WorkloadRates::h200() {
  // By lanes a row (32, 16, 4, 1) and steps (1, 2, 4, 8, 16).
  return {{{{{1077e9, 1374e9, 1606e9, 1805e9, 1843e9},
             {1168e9, 1429e9, 1630e9, 1820e9, 1852e9},
             {1320e9, 1557e9, 1762e9, 1852e9, 1871e9},
             {1081e9, 1375e9, 1661e9, 1817e9, 1853e9}}},
           {{{680e9, 852e9, 951e9, 971e9, 987e9},
             {725e9, 888e9, 967e9, 980e9, 1001e9},
             {836e9, 944e9, 987e9, 998e9, 1003e9},
             {911e9, 994e9, 1013e9, 1008e9, 1001e9}}},
           {{{680e9, 685e9, 687e9, 687e9, 695e9},
             {680e9, 686e9, 690e9, 693e9, 697e9},
             {609e9, 677e9, 692e9, 689e9, 699e9},
             {500e9, 548e9, 616e9, 674e9, 685e9}}},
           {{{409e9, 415e9, 417e9, 418e9, 420e9},
             {408e9, 415e9, 417e9, 418e9, 421e9},
             {346e9, 392e9, 413e9, 415e9, 421e9},
             {315e9, 340e9, 355e9, 394e9, 416e9}}}}};
}

}  // namespace cugrb::selector
