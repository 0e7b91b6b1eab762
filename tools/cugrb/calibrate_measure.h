// What `cugrb calibrate` measures on the device.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "src/selector/hardware.h"
#include "tools/calibration/timing.h"

namespace cugrb::command {

/// Copy bandwidth, that of the bus, the time of a launch among others, the rate of a sort: of the process's
/// device, into `hardware`. Under a second.
void measure_rates(selector::Hardware& hardware);

/// Copies from the process's first device to the others and back, and the time of a small one, into
/// `hardware`: of the slowest pair. Needs at least two devices.
void measure_links(selector::Hardware& hardware);

/// Generated matrices of each kind, of sizes below and beyond the caches.
std::vector<std::string> calibration_graphs();
/// Every kernel on these matrices, over sums of FP32 and FP64, patterns and Booleans, until the deadline:
/// {"matrices": […]} as bench_spmv writes them.
nlohmann::json measure_products(const std::vector<std::string>& graphs, const selector::Hardware& hardware,
                                const calibration::Deadline& deadline);

}  // namespace cugrb::command
