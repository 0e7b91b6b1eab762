#include "tools/calibration/accuracy.h"

#include <cmath>

#include "src/operations/multiply/choose.h"
#include "src/operations/multiply/registry.h"

namespace cugrb::calibration {

using selector::Hardware;

namespace {

void add_pair(Accuracy& accuracy, double predicted, double measured) {
  ++accuracy.pairs;
  accuracy.within_20_percent += within_20_percent(predicted, measured) ? 1 : 0;
  accuracy.log_error += std::log(predicted / measured);
}

void add_choice(Accuracy& accuracy, double chosen, double best) {
  ++accuracy.choices;
  accuracy.within_5_percent += within_5_percent(chosen, best) ? 1 : 0;
  accuracy.log_loss += std::log(chosen / best);
}

}  // namespace

double Accuracy::mean_error() const { return pairs == 0 ? 1 : std::exp(log_error / double(pairs)); }
double Accuracy::mean_loss() const { return choices == 0 ? 1 : std::exp(log_loss / double(choices)); }

std::map<std::string, Accuracy> accuracy_of(const Hardware& hardware,
                                            const std::vector<MeasuredProduct>& products) {
  std::map<std::string, Accuracy> all;
  for (const MeasuredProduct& product : products) {
    const std::string origin = product.family == "file" ? "files" : "generated";
    double least = 0, chosen = 0, best = 0;
    for (const MeasuredKernel& kernel : product.kernels) {
      const double predicted = operations::predicted_seconds(product.problem, hardware,
                                                             *operations::find_mxv_kernel(kernel.kernel));
      if (predicted == 0) continue;
      for (const std::string& set : {origin, kernel.kernel, product.semiring})
        add_pair(all[set], predicted, kernel.seconds);
      if (least == 0 || predicted < least) {
        least = predicted;
        chosen = kernel.seconds;
      }
      if (best == 0 || kernel.seconds < best) best = kernel.seconds;
    }
    if (best == 0) continue;
    for (const std::string& set : {origin, product.semiring}) add_choice(all[set], chosen, best);
  }
  return all;
}

}  // namespace cugrb::calibration
