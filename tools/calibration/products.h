// Measured products, and what the selector knew of them, as JSON: predictions can be repeated without a
// device.
#pragma once
#include <deque>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "src/selector/mxv_problem.h"

namespace cugrb::calibration {

/// What a measured kernel's record says of the state in which it was measured: the host's pace, and what its
/// format turned out to be.
nlohmann::json describe_state(const selector::MxvProblem& problem);
/// The numbers of a problem; what its pointers name is not in it (describe_matrix has that).
nlohmann::json describe_problem(const selector::MxvProblem& problem);
/// What all problems of a matrix share: its rows' lengths, and its columns' popularity when it was counted.
nlohmann::json describe_matrix(const selector::MxvProblem& problem);

/// A kernel's time on one product.
struct MeasuredKernel {
  std::string kernel;
  double seconds = 0;
};

/// A product, ready to be predicted: the problem's pointers name what Measurements keeps.
struct MeasuredProduct {
  std::string matrix, family, semiring;
  selector::MxvProblem problem;
  std::vector<MeasuredKernel> kernels;
};

/// What bench_spmv wrote.
class Measurements {
 public:
  /// Adds a file's products; those without a profile are left out, and times of kernels that the file lists
  /// as "outdated": their code has changed since. Throws std::invalid_argument when it is not such a file.
  void add(const nlohmann::json& results);
  std::vector<MeasuredProduct> products;

 private:
  std::deque<formats::LengthDistribution> rows_;
  std::deque<formats::ColumnPopularity> columns_;
  std::deque<selector::TileForecast> tiles_;
};

}  // namespace cugrb::calibration
