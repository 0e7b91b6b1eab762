// How fast tile-composite's workloads are, by their shape.
#pragma once
#include <array>
#include <cstddef>
#include <string>

#include "cuda/views/tile_composite.h"

namespace cugrb::selector {

/// A workload: `rows` rows in it (h) of `width` entries each (w), by so many steps of 128 entries.
struct WorkloadShape {
  int row_class = 0;  ///< tile_class_lanes[row_class] lanes a row
  uint32_t steps = 1;

  uint32_t lanes() const { return uint32_t(tile_class_lanes[row_class]); }
  uint32_t rows() const { return 32 / lanes(); }
  uint32_t width() const { return 4 * lanes() * steps; }
  std::string name() const { return std::to_string(width()) + "x" + std::to_string(rows()); }
};

/// The look-up table from the shape of a workload to its performance (X. Yang, S. Parthasarathy, P.
/// Sadayappan, VLDB 2011, section 3.3): entries a second, all multiprocessors at work on workloads of that
/// shape, padding counted, operands in shared memory. Measured by `cugrb calibrate`; the defaults are an
/// H200's.
struct WorkloadRates {
  static constexpr size_t kinds = 4, lengths = 5;
  static constexpr std::array<size_t, kinds> value_bytes = {0, 1, 4, 8};
  static constexpr std::array<const char*, kinds> kind_names = {"pattern", "bool", "fp32", "fp64"};
  /// Longer workloads than 16 steps are not made.
  static constexpr std::array<uint32_t, lengths> steps = {1, 2, 4, 8, 16};

  std::array<std::array<std::array<double, lengths>, tile_classes>, kinds> entries_per_second = h200();

  static constexpr WorkloadShape shape_of(int row_class, size_t length) { return {row_class, steps[length]}; }
  /// Seconds of one step of a workload with values of so many bytes: between the measured shapes, times are
  /// interpolated by the bytes of values and by the logarithm of the steps.
  double step_seconds(size_t bytes_of_value, int row_class, double steps_of_workload) const;

  static std::array<std::array<std::array<double, lengths>, tile_classes>, kinds> h200();
};

}  // namespace cugrb::selector
