// A program through both libraries.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "tests/differential/programs/executor.h"

namespace differential::programs {

/// What the oracle makes of a program.
struct Expected {
  std::vector<Outcome> outcomes;
  std::vector<Snapshot> objects;
};

/// Counts by the name of a fault (faults.h): calls that were left out.
using LeftOut = std::map<std::string, uint64_t>;

/// Runs a program through SuiteSparse alone, on objects of its own. Calls to which it has no right answer are
/// taken out of the program, and counted.
Expected ask_oracle(Program& program, LeftOut& left_out);

/// Runs the program through the exported functions. Empty when all agrees, else the first difference in
/// words.
std::string compare(const Program& program, const Expected& expected);

/// The program as C, which prints its objects at the end: run with and without libcugrb.so, it prints the
/// same.
std::string c_text(const Program& program);

/// A program with fewer calls, options and entries, and smaller objects, on which the libraries still differ.
Program reduced(const Program& program);

}  // namespace differential::programs
