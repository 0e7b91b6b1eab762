// Which GPU, if any, and why not: everything that asks CUDA about the machine before a context exists.
#include "cuda/runtime/cuda_device.h"
#include "cuda/runtime/cuda_device_class.h"

namespace cugrb::runtime {
namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string no_gpu_reason(cudaError_t error) {
  int driver = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess) driver = 0;
  cudaGetLastError();
  if (error == cudaErrorInsufficientDriver && driver == 0) return "no NVIDIA driver on this machine";
  if (error == cudaErrorInsufficientDriver) {
    return "the NVIDIA driver is too old: it serves CUDA " + version_text(driver) +
           ", cuGrB was built with CUDA " + version_text(CUDART_VERSION);
  }
  if (error == cudaErrorNoDevice || error == cudaSuccess) return "no NVIDIA GPU on this machine";
  return std::string("no usable NVIDIA GPU: ") + cudaGetErrorString(error);
}

std::string gpu_text(int ordinal, const cudaDeviceProp& properties) {
  return "GPU " + std::to_string(ordinal) + " (" + properties.name + ")";
}

/// One GPU: the device, or why not.
Choice try_gpu(int ordinal, unsigned place) {
  cudaDeviceProp properties = {};
  if (const cudaError_t error = cudaGetDeviceProperties(&properties, ordinal)) {
    cudaGetLastError();
    return {nullptr, "GPU " + std::to_string(ordinal) + ": " + cudaGetErrorString(error)};
  }
  const std::string too_old =
      too_old_reason(gpu_text(ordinal, properties), properties.major, properties.minor);
  if (!too_old.empty()) return {nullptr, too_old};
  try {
    return {std::make_unique<CudaDevice>(ordinal, properties, place), ""};
  } catch (const std::exception& error) {
    return {nullptr, gpu_text(ordinal, properties) + ": " + error.what()};
  }
}

/// How many there are; why there are none.
int count_gpus(std::string& reason) {
  int count = 0;  // left untouched where there is no driver
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0) return count;
  reason = no_gpu_reason(error);
  return 0;
}

std::string missing_reason(int ordinal, int count) {
  return "there is no GPU " + std::to_string(ordinal) + ": this machine has " + std::to_string(count) +
         (count == 1 ? " GPU, number 0" : " GPUs, numbered from 0");
}

/// Why these cannot share matrices; empty when they can.
std::string mixed_reason(const std::vector<std::unique_ptr<Device>>& devices) {
  const Properties& first = devices.front()->properties();
  for (const auto& device : devices) {
    const Properties& other = device->properties();
    if (other.architecture != first.architecture)
      return "CUGRB_DEVICES names GPUs of two architectures: " + std::to_string(first.number) + " is " +
             first.architecture + ", " + std::to_string(other.number) + " is " + other.architecture;
  }
  return {};
}

void connect(const std::vector<std::unique_ptr<Device>>& devices) {
  for (const auto& from : devices) {
    for (const auto& to : devices) {
      if (from != to) static_cast<CudaDevice&>(*from).reach(static_cast<CudaDevice&>(*to));
    }
  }
}

}  // namespace

Choice make_cuda_device(int ordinal) noexcept try {
  std::string reasons;
  const int count = count_gpus(reasons);
  if (count == 0) return {nullptr, reasons};
  if (ordinal >= count) return {nullptr, missing_reason(ordinal, count)};
  if (ordinal >= 0) return try_gpu(ordinal, 0);
  for (int i = 0; i < count; ++i) {
    Choice choice = try_gpu(i, 0);
    if (choice.device != nullptr) return choice;
    reasons += (reasons.empty() ? "" : "; ") + choice.reason;
  }
  return {nullptr, reasons};
} catch (const std::exception& error) {
  return {nullptr, error.what()};
}

Choices make_cuda_devices(const std::vector<int>& ordinals) noexcept try {
  Choices made;
  const int count = count_gpus(made.reason);
  std::vector<int> asked = ordinals;
  for (int i = 0; asked.size() < size_t(count) && ordinals.empty(); ++i) asked.push_back(i);
  for (const int ordinal : asked) {
    if (!made.reason.empty() || made.devices.size() == most_devices) break;
    if (ordinal >= count) {
      made.reason = missing_reason(ordinal, count);
      break;
    }
    Choice choice = try_gpu(ordinal, unsigned(made.devices.size()));
    made.reason = choice.reason;
    if (choice.device != nullptr) made.devices.push_back(std::move(choice.device));
  }
  if (made.reason.empty()) made.reason = mixed_reason(made.devices);
  if (!made.reason.empty()) return {{}, made.reason};
  connect(made.devices);
  return made;
} catch (const std::exception& error) {
  return {{}, error.what()};
}

}  // namespace cugrb::runtime
