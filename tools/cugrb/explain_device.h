// A matrix and a vector on the device for `cugrb explain`: the pattern from the file, the values made up.
#pragma once
#include "src/formats/matrix.h"
#include "tools/graph_files/csr.h"

namespace cugrb::command {

/// Values small whole numbers of `type`; `iso`: one value for all entries. Kernels take the same time for
/// any values, but for monoids that stop early.
formats::DeviceMatrix to_device(const graph_files::Csr& csr, const Type& type, bool iso);
/// A full vector of small whole numbers.
formats::DeviceVector small_numbers(const Type& type, uint64_t length);

}  // namespace cugrb::command
