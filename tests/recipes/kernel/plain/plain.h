// The kernel of the recipe.
#pragma once
#include "src/operations/multiply/kernel.h"

namespace cugrb::operations {

/// Of a thread a row, whose longest row the others wait for.
Cost cost_of_plain(const MxvProblem& problem, const Hardware& hardware);

}  // namespace cugrb::operations
