// The calls that `cugrb precompile` makes so that the JIT meets what common programs will ask for.
#pragma once

namespace cugrb::command {

/// Runs the algorithms of this project and LAGraph's usual calls, in their usual types, on a small graph.
/// Everything is thrown away but the kernels that were compiled.
void make_common_calls();

}  // namespace cugrb::command
