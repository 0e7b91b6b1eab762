// Integer arrays between the host, where SuiteSparse keeps 64 bits (from 10 on 32, of objects that are not
// large), and the device, where 32 are used when they fit.
#pragma once
#include <cstring>

#include "src/formats/vector.h"
#include "src/graphblas/real.h"
#include "src/support/parallel.h"

namespace cugrb::mirror {

/// Fills `count` integers of the device array: fill(out, begin, end) writes those of [begin, end), with `out`
/// pointing at integer `begin`, on several threads at once.
template <class Integer, class Fill>
void fill_on_device(void* device, uint64_t count, const Fill& fill) {
  runtime::device().fill_on_device(
      device, count, sizeof(Integer),
      [&](char* out, uint64_t begin, uint64_t end) { fill(reinterpret_cast<Integer*>(out), begin, end); });
}

/// The same with the integer type given at run time; fill is generic in its first parameter.
template <class Fill>
void fill_on_device(void* device, uint64_t count, primitives::Width width, const Fill& fill) {
  if (width == primitives::Width::bits32) {
    fill_on_device<uint32_t>(device, count, fill);
  } else {
    fill_on_device<uint64_t>(device, count, fill);
  }
}

/// device[k] = host[k]; values fit the width. Where the host's is the same the array goes up as it is.
inline void copy_integers_to_device(void* device, const real::Integers& host, uint64_t count,
                                    primitives::Width width) {
  if (host.narrow == (width == primitives::Width::bits32)) {
    if (count > 0) runtime::device().copy_to_device(device, host.data, count * formats::bytes_of(width));
    return;
  }
  fill_on_device(device, count, width, [&](auto* out, uint64_t begin, uint64_t end) {
    host.visit([&](const auto* integers) {
      for (uint64_t k = begin; k < end; ++k)
        *out++ = static_cast<std::remove_reference_t<decltype(*out)>>(integers[k]);
    });
  });
}

/// host[k] = device[k]. Needs no other memory: 32-bit integers land in the upper half of `host` and are
/// widened in place from the front, element k into bytes [8k, 8k + 8). On several threads: half of what is
/// left at a time, whose new places all lie before the first integer that is still to be read.
inline void copy_integers_to_host(int64_t* host, const void* device, uint64_t count,
                                  primitives::Width width) {
  if (count == 0) return;
  if (width == primitives::Width::bits64) {
    runtime::device().copy_to_host(host, device, count * sizeof(int64_t));
    return;
  }
  char* const narrow = reinterpret_cast<char*>(host) + count * sizeof(uint32_t);
  runtime::device().copy_to_host(narrow, device, count * sizeof(uint32_t));
  const auto widen = [&](uint64_t begin, uint64_t end) {
    for (uint64_t k = begin; k < end; ++k) {
      uint32_t value;
      std::memcpy(&value, narrow + k * sizeof(uint32_t), sizeof(value));
      host[k] = value;
    }
  };
  constexpr uint64_t grain = uint64_t(1) << 18;
  uint64_t begin = 0;
  for (; count - begin > 2 * grain; begin += (count - begin) / 2) {
    parallel_ranges((count - begin) / 2, grain,
                    [&](uint64_t first, uint64_t last) { widen(begin + first, begin + last); });
  }
  widen(begin, count);
}

}  // namespace cugrb::mirror
