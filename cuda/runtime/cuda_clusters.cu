#include "cuda/runtime/cuda_clusters.h"

namespace cugrb::runtime {
namespace {

constexpr unsigned threads = 1024;
constexpr int shared_bytes = 120 << 10;  // more than half of a multiprocessor's

__global__ __launch_bounds__(threads) void whole_multiprocessor() {}

}  // namespace

int resident_clusters(unsigned blocks) noexcept {
  cudaLaunchAttribute cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {blocks, 1, 1};
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = dim3(blocks);
  configuration.blockDim = dim3(threads);
  configuration.dynamicSmemBytes = shared_bytes;
  configuration.attrs = &cluster;
  configuration.numAttrs = 1;
  const void* kernel = reinterpret_cast<const void*>(whole_multiprocessor);
  int clusters = 0;
  cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
  if (error == cudaSuccess) error = cudaOccupancyMaxActiveClusters(&clusters, kernel, &configuration);
  if (error == cudaSuccess) return clusters;
  cudaGetLastError();
  return 0;
}

}  // namespace cugrb::runtime
