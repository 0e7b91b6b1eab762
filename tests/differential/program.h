// What the two differential programs share: options, the loop over cases, the summary.
#pragma once
#include "tests/differential/draw.h"

namespace differential {

/// Runs one case through both libraries; empty when they agree.
using RunCase = std::string (*)(const Configuration& configuration, uint64_t seed);

/// Cases in which SuiteSparse crashed or erred: they count as agreeing.
extern uint64_t oracle_crashes;

/// The program, drawing from these operations. Gives the exit code.
int run_program(int argc, char** argv, const std::vector<Operation>& from, RunCase run_case);

}  // namespace differential
