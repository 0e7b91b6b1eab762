// Each thing that a GPU leaves undefined is reported, with the kernel's own line, under every schedule.
#include "tests/catch.h"
#include "tests/emulated/launch.h"

namespace cugrb {

struct Lines {
  int* line;
};
#define HERE(a) relaxed_store((a).line, __LINE__)

CUGRB_KERNEL(64) void one_thread_skips_the_barrier(Lines a) {
  if (thread_index() == 13) return;
  HERE(a), sync_block();
}
CUGRB_KERNEL(64) void two_barriers(Lines a) {
  if (thread_index() < 32) {
    sync_block();
  } else {
    sync_block();
  }
}
CUGRB_KERNEL(64) void a_barrier_and_a_vote(Lines a) {
  if (thread_index() % 2 == 0) {
    sync_block();
  } else {
    sync_block_or(1);
  }
}
CUGRB_KERNEL(64) void one_block_skips_the_barrier_of_its_cluster(Lines a) {
  if (block_index() % 3 == 1) return;
  HERE(a), sync_cluster();
}
CUGRB_KERNEL(32) void a_block_that_the_cluster_has_not(Lines a) {
  CUGRB_DYNAMIC_SHARED(int, own);
  HERE(a), shared_of_block(own, 3);
}
CUGRB_KERNEL(32) void not_in_own_mask(Lines a) {
  if (lane_index() == 7) HERE(a), sync_warp(0xfu);
}
CUGRB_KERNEL(40) void lanes_that_are_not_there(Lines a) {
  if (thread_index() >= 32) HERE(a), sync_warp(full_warp);
}
CUGRB_KERNEL(32) void a_lane_has_finished(Lines a) {
  if (lane_index() == 30) return;
  HERE(a), ballot(full_warp, 1);
}
CUGRB_KERNEL(32) void masks_disagree(Lines a) {
  HERE(a), sync_warp(lane_index() < 16 ? full_warp : 0xffff0001u);
}
CUGRB_KERNEL(32) void different_collectives(Lines a) {
  if (lane_index() % 2 == 0) {
    shuffle(full_warp, 1, 0);
  } else {
    ballot(full_warp, 1);
  }
}
CUGRB_KERNEL(64) void barrier_against_warp(Lines a) {
  if (lane_index() == 0) {
    sync_block();
  } else {
    HERE(a), sync_warp(full_warp);
  }
}
struct Flag {
  int* line;
  unsigned* flag;
};
CUGRB_KERNEL(32) void waits_for_nobody(Flag a) {
  relaxed_store(a.line, __LINE__ + 1);
  while (relaxed_load(a.flag) == 0) {
  }
}
CUGRB_KERNEL(32) void spin_lock_held_over_a_barrier(Flag a) {
  relaxed_store(a.line, __LINE__ + 1);
  while (atomic_compare_and_swap(a.flag, 0u, 1u) != 0) {
  }
  sync_block();
  relaxed_store(a.flag, 0u);
}
CUGRB_KERNEL(32) void no_bit(Lines a) {
  if (thread_index() == 3) HERE(a), lowest_bit(0);
}
CUGRB_KERNEL(32) void odd_width(Lines a) { HERE(a), shuffle(full_warp, 1, 0, 12); }
CUGRB_KERNEL(32) void large_shared(Lines a) {
  relaxed_store(a.line, __LINE__ + 1);
  CUGRB_SHARED(double, big, 6145);  // 48 KiB and 8 bytes
  big[0] = 1;
}
CUGRB_KERNEL(32) void sound_after_all(Lines a) {
  CUGRB_SHARED(int, part, 32);
  part[lane_index()] = 1;
  sync_block();
  if (global_thread() == 0) *a.line = part[31] + int(ballot(1u, 1));
}

CUGRB_EMULATED_ENTRY(run_skip, (one_thread_skips_the_barrier))
CUGRB_EMULATED_ENTRY(run_two_barriers, (two_barriers))
CUGRB_EMULATED_ENTRY(run_barrier_and_vote, (a_barrier_and_a_vote))
CUGRB_EMULATED_ENTRY(run_block_skips, (one_block_skips_the_barrier_of_its_cluster))
CUGRB_EMULATED_ENTRY(run_not_in_cluster, (a_block_that_the_cluster_has_not))
CUGRB_EMULATED_ENTRY(run_not_in_own_mask, (not_in_own_mask))
CUGRB_EMULATED_ENTRY(run_lanes_not_there, (lanes_that_are_not_there))
CUGRB_EMULATED_ENTRY(run_lane_finished, (a_lane_has_finished))
CUGRB_EMULATED_ENTRY(run_masks_disagree, (masks_disagree))
CUGRB_EMULATED_ENTRY(run_different_collectives, (different_collectives))
CUGRB_EMULATED_ENTRY(run_barrier_against_warp, (barrier_against_warp))
CUGRB_EMULATED_ENTRY(run_waits_for_nobody, (waits_for_nobody))
CUGRB_EMULATED_ENTRY(run_spin_lock, (spin_lock_held_over_a_barrier))
CUGRB_EMULATED_ENTRY(run_no_bit, (no_bit))
CUGRB_EMULATED_ENTRY(run_odd_width, (odd_width))
CUGRB_EMULATED_ENTRY(run_large_shared, (large_shared))
CUGRB_EMULATED_ENTRY(run_sound, (sound_after_all))

}  // namespace cugrb

using namespace cugrb;

namespace {

struct Report {
  std::string text, file;
  int line = 0;
};

template <class Arguments>
Report report_of(simt::Entry entry, const Arguments& arguments, unsigned block, const std::string& schedule) {
  simt::Options options = simt::parse_schedule(schedule);
  options.livelock_yields = 5000;
  try {
    simt::run(entry, &arguments, {3, block, 0, 3}, options);
  } catch (const simt::Violation& violation) {
    return {violation.what(), violation.file, violation.line};
  }
  return {};
}

/// The kernel breaks the rule under every schedule; the report has the kernel's line where the kernel noted
/// one; and the emulator works afterwards.
void expect(simt::Entry entry, unsigned block, const std::string& rule, bool noted = true) {
  for (const std::string& schedule : tests::schedules()) {
    CAPTURE(schedule);
    int line = 0;
    unsigned flag = 0;
    const Report report = report_of(entry, Flag{&line, &flag}, block, schedule);
    CAPTURE(report.text);
    REQUIRE(report.text.find(rule) != std::string::npos);
    REQUIRE(report.file.find("violations_test.cpp") != std::string::npos);
    REQUIRE(report.text.find("violations_test.cpp:" + std::to_string(report.line)) != std::string::npos);
    if (noted) REQUIRE(report.line == line);
    int answer = 0;
    REQUIRE(report_of(run_sound, Lines{&answer}, 32, schedule).text.empty());
    REQUIRE(answer == 2);
  }
}

}  // namespace

TEST_CASE("a barrier that a thread never reaches") {
  expect(run_skip, 64, "not all threads of the block reach the barrier: thread 0 waits at sync_block");
  expect(run_skip, 64, "thread 13 has finished");
}
TEST_CASE("threads of one block at different barriers") {
  expect(run_two_barriers, 64, "threads of one block wait at different barriers", false);
  expect(run_barrier_and_vote, 64, "threads of one block wait at different barriers", false);
}
TEST_CASE("a cluster's barrier that a block never reaches, a block that a cluster has not") {
  expect(run_block_skips, 64, "not all threads of the cluster reach the barrier");
  expect(run_not_in_cluster, 32, "the cluster has no block of that rank");
}
TEST_CASE("a lane that is not in its own mask") {
  expect(run_not_in_own_mask, 32, "a lane is not in the mask that it names");
  expect(run_not_in_own_mask, 32, "thread 7");
}
TEST_CASE("a mask with lanes beyond the end of the block") {
  expect(run_lanes_not_there, 40, "a mask names lanes beyond the end of the block");
}
TEST_CASE("a mask with a lane that has finished") {
  expect(run_lane_finished, 32,
         "a mask names a lane that has finished: thread 0 waits at ballot(0xffffffff)");
}
TEST_CASE("lanes that disagree about the mask") {
  expect(run_masks_disagree, 32, "lanes disagree about the mask");
}
TEST_CASE("lanes of one mask at different collectives") {
  expect(run_different_collectives, 32, "lanes of one mask wait at different places", false);
}
TEST_CASE("a deadlock between a barrier and a warp collective") {
  expect(run_barrier_against_warp, 64, "lanes of one mask wait at different places");
  expect(run_barrier_against_warp, 64, "waits at sync_block,");
}
TEST_CASE("a livelock: a flag that nobody sets, and a lock whose holder waits") {
  expect(run_waits_for_nobody, 32, "livelock");
  expect(run_spin_lock, 32, "livelock");
}
TEST_CASE("arguments out of range of bit functions and shuffles") {
  expect(run_no_bit, 32, "lowest_bit: no bit is set");
  expect(run_odd_width, 32, "the width is no power of two");
}
TEST_CASE("more static shared memory than a block can have") {
  expect(run_large_shared, 32, "static shared memory does not fit");
}
TEST_CASE("launches outside a GPU's limits are refused") {
  int line = 0;
  const Lines a{&line};
  REQUIRE_THROWS_AS(simt::run(run_sound, &a, {1, 1025}), std::invalid_argument);
  REQUIRE_THROWS_AS(simt::run(run_sound, &a, {1, 0}), std::invalid_argument);
  REQUIRE_THROWS_AS(simt::run(run_sound, &a, {uint64_t(1) << 31, 32}), std::invalid_argument);
  REQUIRE_THROWS_AS(simt::run(run_sound, &a, {9, 32, 0, 9}), std::invalid_argument);
  REQUIRE_THROWS_AS(simt::run(run_sound, &a, {5, 32, 0, 2}), std::invalid_argument);
  REQUIRE_THROWS_AS(simt::run(run_sound, &a, {1, 32, 228 * 1024}), std::invalid_argument);
}
