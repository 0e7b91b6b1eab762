// What ptxas reports of a kernel: registers and spills, known without a GPU.
#pragma once
#include <optional>
#include <string>

namespace cugrb::jit {

struct Resources {
  int registers = 0;
  int stack_bytes = 0, spill_store_bytes = 0, spill_load_bytes = 0;
};

/// Reads the report of the entry function out of Compiled::log; std::nullopt when there is none (the host
/// compiler makes none).
std::optional<Resources> resources_of(const std::string& log);

}  // namespace cugrb::jit
