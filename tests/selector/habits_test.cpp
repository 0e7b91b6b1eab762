// Decisions that repeat are not made again at every call.
#include <vector>

#include "src/selector/habits.h"
#include "tests/catch.h"

using cugrb::selector::Habits;

namespace {

/// So many calls of a kind, of which each that is decided gets `for_cpu`. How many were decided.
unsigned decided_of(Habits& habits, uint64_t kind, unsigned calls, bool for_cpu) {
  unsigned decided = 0;
  for (unsigned n = 0; n < calls; ++n) {
    if (habits.settles(kind)) continue;
    habits.decided(for_cpu);
    ++decided;
  }
  return decided;
}

}  // namespace

TEST_CASE("a kind of short call that the CPU always gets is decided ever more rarely") {
  Habits habits;
  CHECK(decided_of(habits, 7, Habits::needed, true) == Habits::needed);
  for (const unsigned rest : {4u, 8u, 16u, 32u, 64u, 64u}) {
    INFO(rest);
    CHECK(decided_of(habits, 7, rest, true) == 0);
    CHECK(decided_of(habits, 7, 1, true) == 1);
  }
}

TEST_CASE("one decision for the device, or a long call, ends the habit") {
  Habits habits;
  decided_of(habits, 7, 3 + 4 + 1 + 8, true);
  CHECK(decided_of(habits, 7, 1, false) == 1);  // the next decision
  CHECK(decided_of(habits, 7, 3, true) == 3);
  CHECK(decided_of(habits, 7, 5, true) == 1);  // rests are short again
}

TEST_CASE("a call that was decided and then took the CPU long ends the habit of its kind") {
  Habits habits;
  decided_of(habits, 7, 3 + 4 + 1 + 8, true);
  decided_of(habits, 8, 3, true);
  CHECK(decided_of(habits, 7, 1, true) == 1);  // the next decision
  habits.was_long();
  CHECK(decided_of(habits, 7, 3, true) == 3);
  CHECK(decided_of(habits, 7, 5, true) == 1);  // rests are short again
  CHECK(decided_of(habits, 8, 4, true) == 0);  // another kind goes on
  habits.forget();
  habits.was_long();  // of a call that nobody was asked about
  CHECK(decided_of(habits, 7, 7, true) == 0);
}

TEST_CASE("what is not short is decided at every call") {
  Habits habits;
  CHECK(decided_of(habits, 7, 100, false) == 100);
}

TEST_CASE("kinds do not disturb each other, but for one at the same place") {
  Habits habits;
  decided_of(habits, 7, 3, true);
  decided_of(habits, 8, 3, false);
  CHECK(decided_of(habits, 7, 4, true) == 0);
  CHECK(decided_of(habits, 8, 4, false) == 4);
  CHECK(decided_of(habits, 7, 1, true) == 1);
  decided_of(habits, 7 + Habits::places, 1, false);
  CHECK(decided_of(habits, 7, 3, true) == 3);
}

TEST_CASE("a decision that no kind was asked for says nothing") {
  Habits habits;
  for (unsigned n = 0; n < 10; ++n) habits.decided(true);
  CHECK_FALSE(habits.settles(7));
  habits.forget();
  for (unsigned n = 0; n < 10; ++n) habits.decided(true);
  CHECK_FALSE(habits.settles(7));
}
