// A lack of memory, said with the matrix that is too large.
#pragma once
#include <fmt/core.h>

#include <cstdint>
#include <new>
#include <string>

#include "cuda/runtime/device.h"
#include "cugrb/error.hpp"
#include "src/support/text.h"
#include "tools/cugrb/command.h"

namespace cugrb::command {

struct MatrixSize {
  std::string name;
  uint64_t rows = 0, columns = 0, entries = 0;
};

/// Works on a matrix that is in memory; when the work finds no more of it, on the host or on the device,
/// throws Failure with the matrix's name, size and bytes.
template <class Work>
auto with_memory_for(const MatrixSize& m, const Work& work) {
  const auto fail = [&](const std::string& why) {
    return Failure(
        fmt::format("{}: no memory to work with {} rows, {} columns and {} entries, which take {} "
                    "bytes without values{}{}",
                    printable(m.name), m.rows, m.columns, m.entries, 8 * (m.rows + 1 + m.entries),
                    why.empty() ? "" : ": ", why));
  };
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw fail("");
  } catch (const runtime::OutOfMemory& error) {
    throw fail(error.what());
  } catch (const Error& error) {
    if (error.info() != GrB_OUT_OF_MEMORY) throw;
    throw fail("");
  }
}

}  // namespace cugrb::command
