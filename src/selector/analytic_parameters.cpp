// The analytic model's parameters of a device.
#include <cstdlib>

#include "src/selector/analytic.h"

namespace cugrb::selector::analytic {

namespace {

struct Cores {
  double singles = 128;           ///< FP32 units a multiprocessor: the model's stream processors
  double integer_share = 0.5;     ///< of INT32 additions and multiplications to FP32 ones: F_i / F_s
  double double_share = 1.0 / 2;  ///< F_d / F_s
};

/// CUDA C++ Programming Guide, table "Throughput of Native Arithmetic Instructions" (results a clock and
/// multiprocessor) by compute capability: 32-bit and 64-bit floating-point add and multiply, 32-bit integer
/// add and multiply. 9.0: 128, 64 and 64.
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

/// F of values of this type, over F_s.
double share_of(const Type& values, const Cores& cores) {
  if (values.code == TypeCode::Fp32) return 1;
  if (values.code == TypeCode::Fp64) return cores.double_share;
  return values.size > 4 ? cores.integer_share / 2 : cores.integer_share;
}

}  // namespace

Parameters Parameters::of(const runtime::Properties& properties, const Type& values, double transfer_rate) {
  const Cores cores = cores_of(properties.architecture);
  const bool known = properties.kind == runtime::Kind::cuda;
  const double clock = known && properties.clock_hertz > 0 ? properties.clock_hertz : h200_clock;
  Parameters p;
  p.value_bytes = values.size;
  p.transfer_rate = transfer_rate;
  p.value_rate = clock * share_of(values, cores);
  p.integer_rate = clock * cores.integer_share;
  p.bus_bytes = known && properties.memory_bus_bytes > 0 ? properties.memory_bus_bytes : h200_bus_bytes;
  p.memory_clock =
      known && properties.memory_clock_hertz > 0 ? properties.memory_clock_hertz : h200_memory_clock;
  p.processors = cores.singles * (known ? double(properties.multiprocessors) : h200_multiprocessors);
  return p;
}

}  // namespace cugrb::selector::analytic
