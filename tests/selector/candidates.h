// Finding a candidate in a decision.
#pragma once
#include <string>

#include "src/selector/decision.h"
#include "tests/catch.h"

namespace cugrb::test {

/// The candidate of this name; fails the test when there is none.
inline const selector::Candidate& named(const selector::Decision& decision, const std::string& kernel) {
  for (const selector::Candidate& c : decision.candidates) {
    if (c.kernel == kernel) return c;
  }
  FAIL("no candidate " << kernel);
  return decision.chosen;
}

}  // namespace cugrb::test
