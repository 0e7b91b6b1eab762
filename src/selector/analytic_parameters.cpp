// The analytic model's parameters of a device.
#include <cstdlib>

#include "src/selector/analytic.h"

namespace cugrb::selector::analytic {

namespace {

struct Cores {
  double singles = 128;        ///< FP32 units a multiprocessor: the model's stream processors
  double integer_share = 0.5;  ///< of INT32 operations to FP32 ones
  double double_share = 1.0 / 2;
};

/// CUDA C++ programming guide, throughput of native arithmetic instructions, by compute capability.
Cores cores_of(const std::string& architecture) {
  if (architecture.rfind("sm_", 0) != 0) return {};  // the emulated device stands for the H200
  switch (std::atoi(architecture.c_str() + 3)) {
    case 75:
      return {64, 1, 1.0 / 32};
    case 80:
      return {64, 1, 1.0 / 2};
    case 86:
    case 87:
    case 89:
      return {128, 0.5, 1.0 / 64};
    case 120:
    case 121:
      return {128, 1, 1.0 / 64};
    default:
      return {};
  }
}

/// An NVIDIA H200's, where a device does not tell.
constexpr double h200_multiprocessors = 132;
constexpr double h200_clock = 1.98e9, h200_memory_clock = 3.201e9;
constexpr uint64_t h200_bus_bytes = 6144 / 8;
/// Through the staging buffers, as src/selector/placement.cpp has it.
constexpr double staged_bytes_per_second = 20e9;

}  // namespace

Parameters Parameters::of(const runtime::Properties& properties, uint64_t value_bytes) {
  const Cores cores = cores_of(properties.architecture);
  const bool known = properties.kind == runtime::Kind::cuda;
  const double clock = known && properties.clock_hertz > 0 ? properties.clock_hertz : h200_clock;
  Parameters p;
  p.value_bytes = value_bytes;
  p.transfer_rate = staged_bytes_per_second;
  p.value_rate = value_bytes > 4 ? clock * cores.double_share : clock;
  p.integer_rate = clock * cores.integer_share;
  p.bus_bytes = known && properties.memory_bus_bytes > 0 ? properties.memory_bus_bytes : h200_bus_bytes;
  p.memory_clock =
      known && properties.memory_clock_hertz > 0 ? properties.memory_clock_hertz : h200_memory_clock;
  p.processors = cores.singles * (known ? double(properties.multiprocessors) : h200_multiprocessors);
  return p;
}

}  // namespace cugrb::selector::analytic
