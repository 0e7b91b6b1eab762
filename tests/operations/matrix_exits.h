// An operation on matrices under every way out: masks, accumulators, replace, orientations; and with each of
// its allocations and launches failing.
#pragma once
#include <functional>

#include "src/operations/matrix_operations.h"
#include "tests/operations/mxm_cases.h"

namespace cugrb::test {

/// C<M, replace> accum= T on the device.
using MatrixOperation = std::function<void(const operations::MatrixOutput&)>;

/// Runs `operation` into a random C of `type_c`, once for each way out, and compares C with what `t` makes of
/// it. `t` is T as the definition gives it.
void check_all_exits(Random& random, const RefMatrix& t, const std::string& type_c,
                     const MatrixOperation& operation);

/// Runs `operation` into C with its n-th allocation failing, then its n-th launch, for every n: C is as it
/// was whenever it throws, and right where it does not. Returns how often it threw.
unsigned check_failures(Random& random, const RefMatrix& t, const std::string& type_c,
                        const MatrixOperation& operation);

/// The same of any operation: `run` makes the operands, calls it, and says by `untouched` and `right` what
/// came of it.
struct FailingRun {
  std::function<void()> prepare;           ///< operands as they were before
  std::function<void()> call;              ///< what may throw
  std::function<std::string()> untouched;  ///< empty when the output is as `prepare` left it
  std::function<std::string()> right;      ///< empty when the output is what the call gives
};
unsigned check_failures(const FailingRun& run);

}  // namespace cugrb::test
