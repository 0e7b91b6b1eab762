// The GPU's primitives: CUB where an algorithm is worth it (scan, select, radix sort), plain kernels
// elsewhere. Compiled ahead by nvcc for two index widths only; element types are bytes.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include "cuda/primitives/cuda_kernels.cuh"
#include "cuda/primitives/cuda_workspace.h"
#include "cuda/primitives/implementations.h"

namespace cugrb::primitives::on_gpu {
namespace {

/// in[i] for i < n, 0 at n: the scan of n + 1 elements ends with the total.
template <class T>
struct PaddedInput {
  const T* in;
  uint64_t n;
  __host__ __device__ T operator()(uint64_t i) const { return i < n ? in[i] : T(0); }
};

/// Runs a CUB call twice, as CUB wants it: for the size of its workspace, then for the work.
template <class Call>
void with_workspace(const char* doing, const Call& call) {
  Stream stream;
  size_t bytes = 0;
  stream.check(call(nullptr, bytes, stream.get()), doing);
  const Workspace workspace(bytes == 0 ? 1 : bytes);
  stream.check(call(workspace.data(), bytes, stream.get()), doing);
}

template <class T>
void exclusive_sum_of(const T* in, T* out, uint64_t n) {
  const auto padded =
      thrust::make_transform_iterator(thrust::counting_iterator<uint64_t>(0), PaddedInput<T>{in, n});
  with_workspace("prefix sum", [&](void* memory, size_t& bytes, cudaStream_t stream) {
    return cub::DeviceScan::ExclusiveSum(memory, bytes, padded, out, n + 1, stream);
  });
}

template <class T>
void positions_in(const uint8_t* flags, uint64_t n, T* positions, uint64_t* count) {
  with_workspace("selecting flagged positions", [&](void* memory, size_t& bytes, cudaStream_t stream) {
    return cub::DeviceSelect::Flagged(memory, bytes, thrust::counting_iterator<T>(0), flags, positions, count,
                                      n, stream);
  });
}

template <class Key, class Payload>
void sort_pairs_of(const Key* keys_in, Key* keys_out, const Payload* payload_in, Payload* payload_out,
                   uint64_t n, unsigned key_bits, unsigned first_bit) {
  constexpr unsigned all_bits = 8 * sizeof(Key);
  const int end_bit = static_cast<int>(key_bits == 0 || key_bits > all_bits ? all_bits : key_bits);
  with_workspace("sorting", [&](void* memory, size_t& bytes, cudaStream_t stream) {
    return cub::DeviceRadixSort::SortPairs(memory, bytes, keys_in, keys_out, payload_in, payload_out, n,
                                           static_cast<int>(first_bit), end_bit, stream);
  });
}

void set_zero(uint64_t* count) {
  Stream stream;
  stream.check(cudaMemsetAsync(count, 0, sizeof(*count), stream.get()), "clearing a count");
}

}  // namespace

void exclusive_sum(Width width, const void* in, void* out, uint64_t n) {
  if (width == Width::bits32) {
    exclusive_sum_of(static_cast<const uint32_t*>(in), static_cast<uint32_t*>(out), n);
  } else {
    exclusive_sum_of(static_cast<const uint64_t*>(in), static_cast<uint64_t*>(out), n);
  }
}

void positions_of_flags(Width width, const uint8_t* flags, uint64_t n, void* positions, uint64_t* count) {
  if (n == 0) return set_zero(count);
  if (width == Width::bits32) {
    positions_in(flags, n, static_cast<uint32_t*>(positions), count);
  } else {
    positions_in(flags, n, static_cast<uint64_t*>(positions), count);
  }
}

void select_flagged(size_t element_bytes, const void* in, const uint8_t* flags, uint64_t n, void* out,
                    uint64_t* count) {
  if (n == 0) return set_zero(count);
  const Width width = n <= UINT32_MAX ? Width::bits32 : Width::bits64;
  const Workspace positions(n * (width == Width::bits32 ? 4 : 8));
  on_gpu::positions_of_flags(width, flags, n, positions.data(), count);  // not the public one: counted once
  Stream stream;
  gather_elements(width, element_bytes, in, positions.data(), count, n, out, stream.get());
  stream.check(cudaPeekAtLastError(), "gathering flagged elements");
}

void count_flags(const uint8_t* flags, uint64_t n, uint64_t* count) {
  set_zero(count);
  if (n == 0) return;
  Stream stream;
  count_nonzero_bytes(flags, n, count, stream.get());
  stream.check(cudaPeekAtLastError(), "counting flags");
}

void sort_pairs(Width key_width, const void* keys_in, void* keys_out, Width payload_width,
                const void* payload_in, void* payload_out, uint64_t n, unsigned key_bits,
                unsigned first_bit) {
  if (n == 0) return;
  sort_by_widths(key_width, keys_in, keys_out, payload_width, payload_in, payload_out,
                 [&](auto... arrays) { sort_pairs_of(arrays..., n, key_bits, first_bit); });
}

void offsets_of_sorted(Width key_width, const void* keys, uint64_t m, Width offset_width, void* offsets,
                       uint64_t n, unsigned shift) {
  Stream stream;
  lower_bounds(key_width, keys, m, offset_width, offsets, {n, shift}, stream.get());
  stream.check(cudaPeekAtLastError(), "offsets of sorted keys");
}

void fingerprints(Width width, const FingerprintKey* key, const void* array, uint64_t bytes,
                  Fingerprint* results) {
  if (bytes == 0) return;
  Stream stream;
  fingerprint_chunks_of(width, key, array, bytes, results, stream.get());
  stream.check(cudaPeekAtLastError(), "taking fingerprints");
}

}  // namespace cugrb::primitives::on_gpu
