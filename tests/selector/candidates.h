// Finding a candidate in a decision.
#pragma once
#include <string>

#include "src/operations/multiply/choose.h"
#include "src/operations/multiply/registry.h"
#include "tests/catch.h"

namespace cugrb::test {

/// The candidate of this name; fails the test when there is none.
inline const selector::Candidate& named(const selector::Decision& decision, const std::string& kernel) {
  for (const selector::Candidate& c : decision.candidates) {
    if (c.kernel->name == kernel) return c;
  }
  FAIL("no candidate " << kernel);
  return decision.chosen;
}

/// The choice, forced by a kernel's name or free, with what references would cost.
inline selector::Decision choose_mxv(const selector::MxvProblem& problem, const selector::Hardware& hardware,
                                     const std::string& forced = "") {
  return operations::choose_mxv(problem, hardware, operations::find_kernel(forced),
                                operations::References::listed);
}
inline selector::Decision choose_mxm(const selector::MxmProblem& problem, const selector::Hardware& hardware,
                                     const std::string& forced = "") {
  return operations::choose_mxm(problem, hardware, operations::find_kernel(forced),
                                operations::References::listed);
}

}  // namespace cugrb::test
