// The decision of a write-back against the specification's rule, on four positions: every mask, every pattern
// of C and of T, with and without accumulator and replace.
#include "src/operations/write_back_plan.h"
#include "tests/catch.h"

using namespace cugrb;
using operations::MaskRule;
using operations::WriteBackPlan;

namespace {

constexpr unsigned positions = 4, subsets = 1u << positions;
constexpr int no_entry = 0, old_value = 1, t_value = 2, accumulated = 3;

struct Call {
  unsigned allowed, old, t;  ///< sets of positions, a bit each
  bool accumulate, replace;
};

/// C<M, replace> accum= T at one position (C API specification 2.1, section 2.3).
int written(const Call& call, unsigned position) {
  const auto has = [position](unsigned set) { return (set >> position & 1) != 0; };
  const int old = has(call.old) ? old_value : no_entry;
  if (!has(call.allowed)) return call.replace ? no_entry : old;
  if (has(call.t)) return call.accumulate && has(call.old) ? accumulated : t_value;
  return call.accumulate ? old : no_entry;
}

/// What comes out of the plan.
int planned(const WriteBackPlan& plan, const Call& call, unsigned allowed, unsigned position) {
  switch (plan.kind) {
    case WriteBackPlan::Kind::keep:
      return (call.old >> position & 1) != 0 ? old_value : no_entry;
    case WriteBackPlan::Kind::clear:
      return no_entry;
    case WriteBackPlan::Kind::take:
      return (call.t >> position & 1) != 0 ? t_value : no_entry;
    case WriteBackPlan::Kind::join:
      return written({plan.mask ? allowed : subsets - 1, plan.reads_old() ? call.old : 0, call.t,
                      plan.accumulate, plan.replace},
                     position);
  }
  return -1;
}

void check(const Call& call, bool counted, bool masked) {
  // Where nobody has counted, a full mask and empty patterns are not known to be so.
  const bool old_empty = counted && call.old == 0;
  const bool spent = masked && operations::mask_is_spent(call.accumulate, call.replace, old_empty);
  const unsigned allowed = spent ? subsets - 1 : call.allowed;
  const MaskRule mask{true, false, spent || (counted && allowed == subsets - 1), counted && allowed == 0};
  const WriteBackPlan plan =
      operations::plan_write_back({mask, call.accumulate, call.replace, old_empty, counted && call.t == 0});
  for (unsigned position = 0; position < positions; ++position) {
    INFO("mask " << call.allowed << ", C " << call.old << ", T " << call.t << ", accumulate "
                 << call.accumulate << ", replace " << call.replace << ", counted " << counted << ", masked "
                 << masked << ", position " << position);
    REQUIRE(planned(plan, call, allowed, position) == written(call, position));
  }
}

}  // namespace

namespace {

/// A region of two positions, and a T that has entries there alone.
constexpr unsigned region = 3;

/// Z = C outside the region; then the mask, of the region or of all of C.
int written_to_region(const Call& call, bool bounds_mask, unsigned position) {
  const auto has = [position](unsigned set) { return (set >> position & 1) != 0; };
  if (has(region)) return written(call, position);
  const int old = has(call.old) ? old_value : no_entry;
  return bounds_mask || has(call.allowed) || !call.replace ? old : no_entry;
}

void check_region(const Call& call, bool counted, bool bounds_mask) {
  const MaskRule mask{true, false, counted && call.allowed == subsets - 1, counted && call.allowed == 0};
  const WriteBackPlan plan =
      operations::plan_write_back({mask, call.accumulate, call.replace, counted && call.old == 0,
                                   counted && call.t == 0, /*of_region=*/true, bounds_mask});
  REQUIRE(plan.kind != WriteBackPlan::Kind::take);
  // Where the mask is known to allow nothing, what the region has goes.
  const Call joined = mask.allows_none ? Call{subsets - 1, call.old, 0, false, false}
                                       : Call{call.allowed, call.old, call.t, call.accumulate, plan.replace};
  for (unsigned position = 0; position < positions; ++position) {
    INFO("mask " << call.allowed << ", C " << call.old << ", T " << call.t << ", accumulate "
                 << call.accumulate << ", replace " << call.replace << ", counted " << counted
                 << ", bounds the mask " << bounds_mask << ", position " << position);
    const int found = plan.kind == WriteBackPlan::Kind::join
                          ? written_to_region(joined, mask.allows_none || bounds_mask, position)
                          : planned(plan, call, call.allowed, position);
    REQUIRE(found == written_to_region(call, bounds_mask, position));
  }
}

}  // namespace

TEST_CASE("the plan of a write-back to a region leaves the rest of C as the specification has it") {
  for (unsigned allowed = 0; allowed < subsets; ++allowed) {
    for (unsigned old = 0; old < subsets; ++old) {
      for (unsigned t = 0; t <= region; ++t) {
        for (unsigned flags = 0; flags < 16; ++flags) {
          const Call call{allowed, old, t, (flags & 1) != 0, (flags & 2) != 0};
          check_region(call, (flags & 4) != 0, (flags & 8) != 0);
        }
      }
    }
  }
}

TEST_CASE("a write-back's plan gives what the specification's rule gives") {
  for (unsigned allowed = 0; allowed < subsets; ++allowed) {
    for (unsigned old = 0; old < subsets; ++old) {
      for (unsigned t = 0; t < subsets; ++t) {
        for (unsigned flags = 0; flags < 8; ++flags) {
          const Call call{allowed, old, t, (flags & 1) != 0, (flags & 2) != 0};
          check(call, (flags & 4) != 0, /*masked=*/false);
          if ((t & ~allowed) == 0) check(call, (flags & 4) != 0, /*masked=*/true);
        }
      }
    }
  }
}
