// A lack of device memory, as a result of work. OutOfMemory is caught here and nowhere else in the library;
// what is done about it is src/memory/policy.h's.
#pragma once
#include <optional>
#include <string>

#include "cuda/runtime/device.h"

namespace cugrb::runtime {

/// Does `work`. What memory it missed, when its own objects are gone and theirs is free again; std::nullopt:
/// it is done.
template <class Work>
std::optional<std::string> shortage(const Work& work) {
  try {
    work();
    return std::nullopt;
  } catch (const OutOfMemory& failure) {
    return failure.what();
  }
}

/// Does `work`, and once more where memory was missing and `relieve`, which says so, may have given some
/// back. Throws OutOfMemory.
template <class Work, class Relieve>
void relieved(const Work& work, const Relieve& relieve) {
  const std::optional<std::string> missing = shortage(work);
  if (!missing) return;
  if (!relieve()) throw OutOfMemory(*missing);
  work();
}

}  // namespace cugrb::runtime
