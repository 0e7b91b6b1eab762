// The numbers of a profile, fitted to measured products.
#pragma once
#include <set>
#include <string>

#include "src/selector/profile.h"
#include "tools/calibration/products.h"

namespace cugrb::calibration {

/// Changes the numbers of `hardware` that `wanted` names (all of them when it is empty) until the products
/// are predicted best: the least sum of e^2 / (e^2 + 0.15^2) over products and kernels, e being the logarithm
/// of predicted over measured time, so that a few products of another nature do not bend the others. Kernels
/// that take less than 1.3 times the best one's time weigh three times as much: they decide.
///
/// Added to the sum is 6 d^2 / (d^2 + 0.2^2) for each number of a family, d being the logarithm of its
/// change. So a number that the products say little of stays about where it was: some 20 matrices determine
/// few of the 150 numbers, and those that went anywhere were wrong for other matrices. Rates are not held: on
/// a device that has no profile they start from a guess (Hardware::from_properties).
///
/// One number after the other is stepped up and down, by less each time nothing helps (pattern search, Hooke
/// and Jeeves 1961). A number that is 0 stays so. O(steps * products * kernels) predictions.
void fit(selector::Hardware& hardware, const std::vector<MeasuredProduct>& products,
         const std::set<std::string>& wanted = {});

}  // namespace cugrb::calibration
