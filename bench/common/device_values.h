// Small whole numbers as values on the device.
#pragma once
#include "semirings/operators.h"
#include "src/formats/vector.h"
#include "tools/graph_files/buffer.h"
#include "tools/graph_files/parallel.h"

namespace cugrb::bench {

/// Values of the benchmarks' matrices: entry p of a matrix (by rows) is 1, 2, 3 or 4; element i of a vector 0
/// … 3. Small whole numbers, so that sums are exact in every type and order and all candidates must agree bit
/// by bit (FP32: sums stay below 2^24 for rows of fewer than 1.4 million entries).
inline uint8_t entry_value(uint64_t p) { return uint8_t(1 + (p * 0x9e3779b97f4a7c15u >> 62)); }
inline uint8_t element_value(uint64_t i) { return uint8_t(i * 0xbf58476d1ce4e5b9u >> 62); }

/// Whether the values of a matrix on the semiring's left (right) are looked at: not, when it does not read
/// them, nor when all are true.
bool reads_left(const Semiring& semiring);
bool reads_right(const Semiring& semiring);

/// Full, in `type`: one byte an element on the way up, cast on the device.
formats::DeviceVector bytes_on_device(const Type& type, const uint8_t* bytes, uint64_t count);

/// The same of value(i) for i in [0, count).
template <class ValueOf>
formats::DeviceVector values_on_device(const Type& type, uint64_t count, const ValueOf& value) {
  graph_files::Buffer<uint8_t> bytes(count);
  graph_files::parallel_for(count, 1 << 20, [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; ++i) bytes[i] = value(i);
  });
  return bytes_on_device(type, bytes.data(), count);
}

}  // namespace cugrb::bench
