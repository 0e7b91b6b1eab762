// What SuiteSparse itself does wrong, or leaves open, so that there is no right answer to compare with.
// Programs are drawn around it. Each kind has a name and its reason in faults.cpp; docs/decisions.md has the
// evidence.
#pragma once
#include <string>
#include <vector>

#include "tests/differential/programs/executor.h"

namespace differential::programs {

/// Takes out of a configuration what no program may have; false where nothing is left of it.
bool avoid_faults(Configuration& configuration);

/// The name of the fault that a step would meet, from the program alone; empty when there is none.
std::string fault_of(const Step& step);

/// The object whose entries are to be in their places before a call, -1 where there is none; and whether the
/// output's are to be afterwards.
int waits_before(const Step& step);
bool waits_after(const Step& step);

/// The name of the fault that a step would meet, from the objects as they are before it in the oracle.
std::string fault_with(const Step& step, const Executor& oracle, const std::vector<Snapshot>& before);

/// The same from what the oracle makes of it.
std::string fault_in(const Outcome& outcome, const Step& step, const Snapshot& after,
                     const std::string& type);

}  // namespace differential::programs
