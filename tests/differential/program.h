// What the two differential programs share: options, the loop over cases, the summary.
#pragma once
#include "tests/differential/draw.h"

namespace differential {

/// Runs one case through both libraries; empty when they agree.
using RunCase = std::string (*)(const Configuration& configuration, uint64_t seed);

/// Cases in which SuiteSparse crashed or erred: they count as agreeing.
extern uint64_t oracle_crashes;

/// Whether a result of one case is iso in both libraries, in one, or in none. One of no entries, or of one,
/// is left out: nobody can tell what that means.
void note_iso(const Configuration& configuration, bool ours, bool oracle, size_t entries);

/// The program, drawing from these operations. Gives the exit code.
int run_program(int argc, char** argv, const std::vector<Operation>& from, RunCase run_case);

}  // namespace differential
