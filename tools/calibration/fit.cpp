#include "tools/calibration/fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "src/operations/multiply/choose.h"
#include "src/operations/multiply/registry.h"

namespace cugrb::calibration {

using operations::MxvKernel;
using selector::Hardware;
using selector::NumbersId;
using selector::ProfileNumber;

namespace {

struct Pair {
  const MeasuredProduct* product;
  const MeasuredKernel* kernel;
  const MxvKernel* description;
  double weight;  ///< what decides weighs more
};
using Pairs = std::vector<Pair>;

/// Kernels that take less than so many times the best one's time weigh so much.
constexpr double near_best = 1.3, best_weight = 3;

struct FreeNumber {
  const ProfileNumber* number;
  double start;  ///< before the fit
};
using FreeNumbers = std::vector<FreeNumber>;

/// The square of an error, as long as that is far below `width`; at most 1.
double bounded_square(double error, double width) { return error * error / (error * error + width * width); }

/// A family's number that is far from its start counts as so many products that are predicted wrong; half of
/// that where its logarithm has changed by the second number.
constexpr double most_held = 6, held_width = 0.2;

/// Rates are free: on other devices they start from a guess.
double held(Hardware& hardware, const FreeNumbers& numbers) {
  double sum = 0;
  for (const auto& [number, start] : numbers) {
    if (number->kernel != nullptr)
      sum += most_held * bounded_square(std::log(number->in(hardware) / start), held_width);
  }
  return sum;
}

double loss(const Pairs& pairs, const Hardware& hardware, double width) {
  double sum = 0;
  for (const Pair& pair : pairs) {
    const double predicted =
        operations::predicted_seconds(pair.product->problem, hardware, *pair.description);
    const double e = predicted > 0 ? std::log(predicted / pair.kernel->seconds) : 1;
    sum += pair.weight * bounded_square(e, width);
  }
  return sum;
}

/// Beyond these a number would not be what its name says: nothing streams faster than a copy, or hides less
/// than nothing.
double largest(const ProfileNumber& number) {
  using selector::KernelNumbers;
  if (number.kernel == &KernelNumbers::stream_share || number.kernel == &KernelNumbers::overlap) return 1;
  if (number.kernel == &KernelNumbers::gather_share) return 1.25;
  return std::numeric_limits<double>::infinity();
}

/// One sweep over the numbers; whether it helped.
bool step(Hardware& hardware, const FreeNumbers& numbers, const Pairs& pairs, double factor, double width,
          double& best) {
  bool helped = false;
  for (const auto& [number, start] : numbers) {
    const double before = number->in(hardware);
    for (const double tried : {before * factor, before / factor}) {
      if (tried > largest(*number)) continue;
      number->in(hardware) = tried;
      const double now = loss(pairs, hardware, width) + held(hardware, numbers);
      if (now < best) {
        best = now;
        helped = true;
        break;
      }
      number->in(hardware) = before;
    }
  }
  return helped;
}

void search(Hardware& hardware, const FreeNumbers& numbers, const Pairs& pairs, double width) {
  constexpr int most_sweeps = 40;
  double best = loss(pairs, hardware, width) + held(hardware, numbers);
  for (const double factor : {1.5, 1.2, 1.08, 1.03, 1.01}) {
    for (int n = 0; n < most_sweeps && step(hardware, numbers, pairs, factor, width, best); ++n) {
    }
  }
}

}  // namespace

void fit(Hardware& hardware, const std::vector<MeasuredProduct>& products,
         const std::set<std::string>& wanted) {
  Pairs all;
  std::map<NumbersId, Pairs> of_family;
  for (const MeasuredProduct& product : products) {
    double best = std::numeric_limits<double>::infinity();
    for (const MeasuredKernel& kernel : product.kernels) best = std::min(best, kernel.seconds);
    for (const MeasuredKernel& kernel : product.kernels) {
      const double weight = kernel.seconds < near_best * best ? best_weight : 1;
      all.push_back({&product, &kernel, operations::find_mxv_kernel(kernel.kernel), weight});
      if (const auto& numbers = all.back().description->numbers) of_family[*numbers].push_back(all.back());
    }
  }
  FreeNumbers rates;
  std::map<NumbersId, FreeNumbers> of_kernels;
  for (const ProfileNumber& number : selector::profile_numbers()) {
    if ((!wanted.empty() && wanted.count(number.name) == 0) || number.in(hardware) == 0) continue;
    if (number.in_table()) continue;  // measured by itself
    FreeNumbers& numbers = number.rate != nullptr ? rates : of_kernels[number.kernels];
    numbers.push_back({&number, number.in(hardware)});
  }
  // A family's numbers touch its own predictions alone; the rates touch all.
  for (const double width : {0.6, 0.3, 0.15}) {
    for (const auto& [family, numbers] : of_kernels) search(hardware, numbers, of_family[family], width);
    if (!rates.empty()) search(hardware, rates, all, width);
  }
}

}  // namespace cugrb::calibration
