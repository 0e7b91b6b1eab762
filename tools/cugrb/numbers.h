// Numbers on the command line: read as they are written, inside a range that the message names.
#pragma once
#include <CLI/CLI.hpp>

#include <cstdint>

namespace cugrb::command {

/// A decimal number from `least` to `most` (CLI11 alone reads 010 as 8 and -1 as 2^64 - 1): for transform().
CLI::Validator whole(uint64_t least, uint64_t most = UINT64_MAX);

/// A finite number, as `range` says: "from 0 to 100", "above 0". An end that does not belong to it is
/// excluded.
struct Interval {
  double least, most;
  bool with_least = true, with_most = true;
};
CLI::Validator real(const Interval& interval);

}  // namespace cugrb::command
