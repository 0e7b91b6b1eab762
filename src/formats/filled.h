// Device memory of equal bytes.
#pragma once
#include "cuda/runtime/buffer.h"

namespace cugrb::formats {

inline runtime::Buffer filled(size_t bytes, unsigned char byte) {
  runtime::Buffer buffer(bytes);
  if (bytes > 0) runtime::device().fill_bytes(buffer.data(), byte, bytes);
  return buffer;
}

}  // namespace cugrb::formats
