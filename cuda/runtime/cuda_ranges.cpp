#include "cuda/runtime/cuda_ranges.h"

namespace cugrb::runtime {

CUmemAllocationProp CudaRanges::properties() const {
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = ordinals_.front();
  return properties;
}

CudaRanges::CudaRanges(int ordinal) : ordinals_{ordinal} {
  cudaDeviceProp found = {};
  const CUmemAllocationProp asked = properties();
  const bool has_all =
      driver_.all() && cudaGetDeviceProperties(&found, ordinal) == cudaSuccess &&
      driver_.granularity(&piece_bytes_, &asked, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED) == CUDA_SUCCESS;
  if (has_all && piece_bytes_ > 0) most_bytes_ = mapped_bytes(found.totalGlobalMem);
}

CudaRanges::Range CudaRanges::reserve() {
  Range range;
  CUdeviceptr address = 0;
  if (most_bytes_ > 0 && driver_.reserve(&address, most_bytes_, 0, 0, 0) == CUDA_SUCCESS)
    range.begin = reinterpret_cast<char*>(address);
  return range;
}

cudaError_t CudaRanges::extend(Range& range, size_t more) {
  if (range.bytes + more > most_bytes_) return cudaErrorMemoryAllocation;
  range.pieces.reserve(range.pieces.size() + 1);
  const CUmemAllocationProp asked = properties();
  CUmemGenericAllocationHandle piece = 0;
  CUresult error = driver_.create(&piece, more, &asked, 0);
  if (error != CUDA_SUCCESS) return error_of(error);
  const CUdeviceptr end = reinterpret_cast<CUdeviceptr>(range.begin + range.bytes);
  error = driver_.map(end, more, 0, piece, 0);
  if (error != CUDA_SUCCESS) {
    driver_.release(piece);
    return error_of(error);
  }
  std::vector<CUmemAccessDesc> readers(ordinals_.size());
  for (size_t n = 0; n < readers.size(); ++n) {
    readers[n].location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    readers[n].location.id = ordinals_[n];
    readers[n].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  }
  error = driver_.set_access(end, more, readers.data(), readers.size());
  if (error != CUDA_SUCCESS) {
    driver_.unmap(end, more);
    driver_.release(piece);
    return error_of(error);
  }
  range.pieces.emplace_back(piece, more);
  range.bytes += more;
  return cudaSuccess;
}

void CudaRanges::free(Range& range) noexcept {
  if (range.begin == nullptr) return;
  CUdeviceptr place = reinterpret_cast<CUdeviceptr>(range.begin);
  for (const auto& [piece, bytes] : range.pieces) {
    driver_.unmap(place, bytes);
    driver_.release(piece);
    place += bytes;
  }
  driver_.free(reinterpret_cast<CUdeviceptr>(range.begin), most_bytes_);
  range = {};
}

void CudaRanges::open_to(int ordinal) {
  if (most_bytes_ > 0) ordinals_.push_back(ordinal);
}

}  // namespace cugrb::runtime
