// A configuration of a product over all shapes of its operands.
#pragma once
#include "tests/catch.h"
#include "tests/operations/breadth.h"
#include "tests/operations/mxv_cases.h"

namespace cugrb::test {

/// run(configuration, semiring, shape, random) for every shape, with random operands: empty, or what differs
/// from the reference. The first difference fails. Leaves out what breadth.h leaves out.
template <class Configuration, class Shapes, class Run>
void agree_on_all(const Configuration& configuration, const Shapes& shapes, const Run& run) {
  if (!shows_a_new_structure(configuration.structures())) return;
  const MeantSemiring semiring = built_in_semiring(configuration.semiring);
  for (const size_t n : shapes_for(configuration.kernel, shapes.size())) {
    Random random(7919 * n + 17);
    const std::string found = run(configuration, semiring, shapes[n], random);
    if (found.empty()) continue;
    FAIL_CHECK(configuration.text() << ", shape " << n << ": " << found);
    return;
  }
  SUCCEED();
}

}  // namespace cugrb::test
