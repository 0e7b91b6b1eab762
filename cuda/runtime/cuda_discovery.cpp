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
Choice try_gpu(int ordinal) {
  cudaDeviceProp properties = {};
  if (const cudaError_t error = cudaGetDeviceProperties(&properties, ordinal)) {
    cudaGetLastError();
    return {nullptr, "GPU " + std::to_string(ordinal) + ": " + cudaGetErrorString(error)};
  }
  const std::string too_old =
      too_old_reason(gpu_text(ordinal, properties), properties.major, properties.minor);
  if (!too_old.empty()) return {nullptr, too_old};
  try {
    return {std::make_unique<CudaDevice>(ordinal, properties), ""};
  } catch (const std::exception& error) {
    return {nullptr, gpu_text(ordinal, properties) + ": " + error.what()};
  }
}

}  // namespace

Choice make_cuda_device(int ordinal) noexcept try {
  int count = 0;  // left untouched where there is no driver
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count == 0) return {nullptr, no_gpu_reason(error)};
  if (ordinal >= count) {
    return {nullptr, "there is no GPU " + std::to_string(ordinal) + ": this machine has " +
                         std::to_string(count) + (count == 1 ? " GPU, number 0" : " GPUs, numbered from 0")};
  }
  if (ordinal >= 0) return try_gpu(ordinal);
  std::string reasons;
  for (int i = 0; i < count; ++i) {
    Choice choice = try_gpu(i);
    if (choice.device != nullptr) return choice;
    reasons += (reasons.empty() ? "" : "; ") + choice.reason;
  }
  return {nullptr, reasons};
} catch (const std::exception& error) {
  return {nullptr, error.what()};
}

}  // namespace cugrb::runtime
