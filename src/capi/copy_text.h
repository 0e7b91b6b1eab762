// Texts that the C functions of include/cugrb/cugrb.h give to a caller's buffer.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

namespace cugrb::capi {

/// As much of the text as fits `size` bytes, its end included; nothing where `text` is null or `size` 0. How
/// long the whole is.
inline size_t copy_text(const std::string& from, char* text, size_t size) {
  if (text != nullptr && size > 0) {
    const size_t length = std::min(from.size(), size - 1);
    std::memcpy(text, from.data(), length);
    text[length] = '\0';
  }
  return from.size();
}

}  // namespace cugrb::capi
