// How well a profile predicts measured products, and how good its choices among kernels are.
#pragma once
#include <map>
#include <string>

#include "src/selector/hardware.h"
#include "tools/calibration/products.h"

namespace cugrb::calibration {

/// What counts as predicted: 0.8 to 1.2 times the measured time.
inline bool within_20_percent(double predicted, double measured) {
  return predicted >= 0.8 * measured && predicted <= 1.2 * measured;
}
/// What counts as well chosen: at most 1.05 times the best kernel's time.
inline bool within_5_percent(double chosen, double best) { return chosen <= 1.05 * best; }

/// Of a set of products and kernels.
struct Accuracy {
  uint64_t pairs = 0, within_20_percent = 0;
  double log_error = 0;  ///< sum of the logarithms of predicted over measured
  uint64_t choices = 0, within_5_percent = 0;
  double log_loss = 0;  ///< sum of the logarithms of the chosen kernel's time over the best one's

  double share_of_pairs() const { return pairs == 0 ? 0 : double(within_20_percent) / double(pairs); }
  double share_of_choices() const { return choices == 0 ? 0 : double(within_5_percent) / double(choices); }
  double mean_error() const;  ///< geometric
  double mean_loss() const;   ///< geometric
};

/// By kernel, by semiring ("PLUS_TIMES_FP32"), and of all ("generated": what may be fitted to; "files": what
/// tests).
std::map<std::string, Accuracy> accuracy_of(const selector::Hardware& hardware,
                                            const std::vector<MeasuredProduct>& products);

}  // namespace cugrb::calibration
