// cuSPARSE for this test program: on the emulated device the stand-in, on a GPU the library itself.
#pragma once
#include <functional>
#include <string>

#include "src/support/trace.h"
#include "tests/operations/mxv_cases.h"

namespace fixture {

/// Whether the library is the stand-in, whose calls can be made to fail: it is on the emulated device. Says
/// so where it is not.
bool have_stand_in();
/// Whether there is a library to test; says why not where there is none.
bool have_cusparse();
/// Of the stand-in: the n-th call that can fail does, with this status; 0: none does.
void fail(int n, int status);
/// Of the stand-in: what has been created and not destroyed.
int descriptions();
/// What the trace says of the call.
cugrb::trace::Record traced(const std::function<void()>& run);
/// A random matrix, the same for a seed in every run.
cugrb::test::RefMatrix drawn(unsigned seed, const std::string& type, uint64_t rows, uint64_t columns,
                             cugrb::test::Spread spread, double degree);

}  // namespace fixture
