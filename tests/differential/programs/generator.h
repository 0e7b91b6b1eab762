// Draws programs.
#pragma once
#include "tests/differential/programs/program.h"

namespace differential::programs {

/// Calls that programs are made of: what selects kernels. So many programs run on few kernels, whose
/// compilation is most of what a call of its own would take.
struct Palette {
  std::vector<Configuration> calls;
  bool one_size = false;  ///< every object has as many rows as columns, and all have as many
  /// As in loops of iterative methods: products of square matrices with vectors of one length, which are full
  /// mostly, and calls that look at each position.
  bool loops = false;
};
Palette draw_palette(uint64_t seed, size_t size, bool catalogue, bool loops = false);
/// The same of calls that change few entries of a matrix, and of calls that read matrices in between, on one
/// type: what keeps a matrix in its dynamic form (docs/dynamic.md).
Palette draw_updates(uint64_t seed, size_t size);

/// A program of up to `most` calls, 1 at least.
Program draw_program(const Palette& palette, uint64_t seed, size_t most);

}  // namespace differential::programs
