// Kernels with one planted fault each, and sound twins. usage: test_emulated_planted NAME
// Prints "sound: ok" when the run ended with the expected result, "violation: ..." when the emulator refused;
// a sanitizer stops the program or prints its report.
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>

#include "tests/emulated/launch.h"

namespace cugrb {

struct Memory {
  unsigned* words;
  unsigned count;
};

/// words[t] becomes 2 * the neighbour's t, through shared memory.
template <bool barrier>
CUGRB_KERNEL(64)
void block_exchange(Memory a) {
  CUGRB_SHARED(unsigned, part, 64);
  part[thread_index()] = thread_index() * 2;
  if constexpr (barrier) sync_block();
  a.words[thread_index()] = part[(thread_index() + 33) % 64];
}
/// The same within a warp; a ballot is no barrier for memory.
template <bool barrier, bool vote>
CUGRB_KERNEL(32)
void warp_exchange(Memory a) {
  CUGRB_SHARED(unsigned, part, 32);
  part[lane_index()] = lane_index() * 2;
  if constexpr (vote) ballot(full_warp, 1);
  if constexpr (barrier) sync_warp(full_warp);
  a.words[lane_index()] = part[31 - lane_index()];
}
/// Thread 0 of every block writes; sound when each has its own word.
template <bool own>
CUGRB_KERNEL(32)
void first_of_each_block(Memory a) {
  if (thread_index() == 0) a.words[own ? block_index() : 0] = block_index();
}
template <bool atomic>
CUGRB_KERNEL(32)
void count_all(Memory a) {
  if constexpr (atomic) {
    atomic_add(a.words, 1u);
  } else {
    *a.words = *a.words + 1;
  }
}
/// The last block to arrive adds up what the others left.
template <bool fences>
CUGRB_KERNEL(32)
void last_block_sums(Memory a) {
  CUGRB_SHARED(unsigned, ticket, 1);
  if (thread_index() == 0) {
    a.words[2 + block_index()] = block_index() + 1;
    if constexpr (fences) memory_fence();
    ticket[0] = atomic_add(a.words, 1u);
    if constexpr (fences) memory_fence();
  }
  sync_block();
  if (ticket[0] != grid_blocks() - 1 || thread_index() != 0) return;
  unsigned sum = 0;
  for (unsigned b = 0; b < grid_blocks(); ++b) sum += a.words[2 + b];
  a.words[1] = sum;
}
/// A value is read in one round and overwritten in the next: two barriers a round are needed.
template <bool second>
CUGRB_KERNEL(64)
void rounds(Memory a) {
  CUGRB_SHARED(unsigned, current, 1);
  unsigned sum = 0;
  for (unsigned round = 0; round < 8; ++round) {
    if (thread_index() == round) current[0] = round;
    sync_block();
    sum += current[0];
    if constexpr (second) sync_block();
  }
  a.words[global_thread()] = sum;
}
/// Touches much of the stack at different depths, with waits in between.
CUGRB_KERNEL(64) void deep_stack(Memory a) {
  unsigned local[2000];
  for (unsigned i = 0; i < 2000; ++i) local[i] = i + global_thread();
  sync_block();
  unsigned* volatile escaped = local;
  a.words[global_thread()] = escaped[1999] + shuffle(full_warp, escaped[0], 0);
}
template <unsigned places>
CUGRB_KERNEL(32)
void overrun_shared(Memory a) {
  CUGRB_SHARED(unsigned, part, 32);
  volatile unsigned place = thread_index() + places;
  unsigned* begin = part;
  begin[place] = 1;
  a.words[0] = 0;
}
CUGRB_KERNEL(32) void overrun_dynamic(Memory a) {
  CUGRB_DYNAMIC_SHARED(unsigned, part);
  part[thread_index() + 1] = a.count;
}
CUGRB_KERNEL(32) void overrun_global(Memory a) { a.words[thread_index() + a.count - 31] = 1; }
CUGRB_KERNEL(32) void overrun_local(Memory a) {
  unsigned local[8] = {};
  unsigned* begin = local;
  volatile unsigned place = 8;
  begin[place] = a.count;
  sync_block();
  a.words[thread_index()] = begin[0];
}

CUGRB_EMULATED_ENTRY(block_race, (block_exchange<false>))
CUGRB_EMULATED_ENTRY(block_sound, (block_exchange<true>))
CUGRB_EMULATED_ENTRY(warp_race, (warp_exchange<false, false>))
CUGRB_EMULATED_ENTRY(shuffle_is_no_barrier, (warp_exchange<false, true>))
CUGRB_EMULATED_ENTRY(warp_sound, (warp_exchange<true, true>))
CUGRB_EMULATED_ENTRY(same_lane_of_blocks_race, (first_of_each_block<false>))
CUGRB_EMULATED_ENTRY(blocks_sound, (first_of_each_block<true>))
CUGRB_EMULATED_ENTRY(plain_update_race, (count_all<false>))
CUGRB_EMULATED_ENTRY(atomic_sound, (count_all<true>))
CUGRB_EMULATED_ENTRY(unfenced_flag_race, (last_block_sums<false>))
CUGRB_EMULATED_ENTRY(fenced_flag_sound, (last_block_sums<true>))
CUGRB_EMULATED_ENTRY(between_barriers_race, (rounds<false>))
CUGRB_EMULATED_ENTRY(reused_shared_sound, (rounds<true>))
CUGRB_EMULATED_ENTRY(deep_stack_sound, (deep_stack))
CUGRB_EMULATED_ENTRY(shared_overflow, (overrun_shared<1>))
CUGRB_EMULATED_ENTRY(dynamic_overflow, (overrun_dynamic))
CUGRB_EMULATED_ENTRY(global_overflow, (overrun_global))
CUGRB_EMULATED_ENTRY(stack_overflow_of_local, (overrun_local))

}  // namespace cugrb

using namespace cugrb;

namespace {

struct Plan {
  simt::Entry entry;
  unsigned grid, block;
  size_t shared_bytes;
  std::function<bool(const unsigned*)> expected;
};
#define PLANNED(name, ...)       \
  {                              \
#name, { name, __VA_ARGS__ } \
  }

bool anything(const unsigned*) { return true; }
bool sums_blocks(const unsigned* w) { return w[0] == 40 && w[1] == 40 * 41 / 2; }

const std::map<std::string, Plan>& plans() {
  static const std::map<std::string, Plan> all = {
      PLANNED(block_race, 3, 64, 0, anything),
      PLANNED(block_sound, 1, 64, 0, [](const unsigned* w) { return w[0] == 66 && w[63] == 64; }),
      PLANNED(warp_race, 1, 32, 0, anything),
      PLANNED(shuffle_is_no_barrier, 1, 32, 0, anything),
      PLANNED(warp_sound, 1, 32, 0, [](const unsigned* w) { return w[0] == 62 && w[31] == 0; }),
      PLANNED(same_lane_of_blocks_race, 40, 32, 0, anything),
      PLANNED(blocks_sound, 40, 32, 0, [](const unsigned* w) { return w[0] == 0 && w[39] == 39; }),
      PLANNED(plain_update_race, 40, 32, 0, anything),
      PLANNED(atomic_sound, 40, 32, 0, [](const unsigned* w) { return w[0] == 40 * 32; }),
      PLANNED(unfenced_flag_race, 40, 32, 0, anything),
      PLANNED(fenced_flag_sound, 40, 32, 0, sums_blocks),
      PLANNED(between_barriers_race, 2, 64, 0, anything),
      PLANNED(reused_shared_sound, 20, 64, 0, [](const unsigned* w) { return w[0] == 28 && w[1279] == 28; }),
      PLANNED(deep_stack_sound, 20, 64, 0,
              [](const unsigned* w) { return w[1] == 2000 && w[33] == 1999 + 33 + 32; }),
      PLANNED(shared_overflow, 1, 32, 0, anything),
      PLANNED(dynamic_overflow, 1, 32, 128, anything),
      PLANNED(global_overflow, 1, 32, 0, anything),
      PLANNED(stack_overflow_of_local, 1, 32, 0, anything),
  };
  return all;
}

}  // namespace

int main(int count, char** arguments) {
  const auto found = count == 2 ? plans().find(arguments[1]) : plans().end();
  if (found == plans().end()) {
    std::fprintf(stderr, "usage: %s NAME\n", arguments[0]);
    return 2;
  }
  const Plan& plan = found->second;
  for (const std::string& schedule : tests::schedules()) {
    std::vector<unsigned> words(4096, 0);
    try {
      tests::launch(plan.entry, Memory{words.data(), unsigned(words.size())}, plan.grid, plan.block, schedule,
                    plan.shared_bytes);
    } catch (const simt::Violation& violation) {
      std::printf("violation: %s\n", violation.what());
      return 1;
    }
    if (!plan.expected(words.data())) {
      std::printf("wrong result, schedule %s\n", schedule.c_str());
      return 1;
    }
  }
  std::printf("sound: ok\n");
  return 0;
}
