// Calls on matrices that lie in parts, beside the same calls on one device.
#pragma once
#include <nlohmann/json.hpp>

#include "src/formats/csr.h"

namespace cugrb::bench {

/// A product T = A A on one device and on all, left where it is made, and calls on its result: union and
/// intersection with A, apply, select, transpose, the half of the columns, the sum of all entries. A row has
/// the median of `repeat` runs, from the first launch until all devices are done; `same_result`: as many
/// entries as on one device, with the same sum. A's values are small whole numbers, of type FP32.
nlohmann::json measure_matrix_calls(const formats::Csr& a, int repeat);

}  // namespace cugrb::bench
