// The order of a step's entries, dealt so that few of the sums that a warp reads at once meet in a bank of
// shared memory.
//
// A warp adds 32 terms at a time, to 32 sums anywhere in its band: of 32 random places 3.5 are in one bank in
// the mean, and each costs the memory's time. Here each 32 have at most csb_bank_sums of a bank, as far as
// the next 32 entries can stand in for those that wait. That is as far as they move: their columns, which the
// same warp gathers, stay neighbours.
#pragma once
#include "cuda/kernels/base.h"

namespace cugrb {

constexpr uint32_t csb_bank_sums = 2;

/// Which lanes have entries of which bank.
struct csb_bank_members {
  unsigned with[5];

  CUGRB_DEVICE explicit csb_bank_members(uint32_t bank) {
#pragma unroll
    for (unsigned bit = 0; bit < 5; ++bit) with[bit] = ballot(full_warp, (bank >> bit & 1u) != 0);
  }
  CUGRB_DEVICE unsigned of(uint32_t bank) const {
    unsigned members = full_warp;
#pragma unroll
    for (unsigned bit = 0; bit < 5; ++bit) members &= (bank >> bit & 1u) != 0 ? with[bit] : ~with[bit];
    return members;
  }
};

/// 32 places being filled by one warp.
struct csb_bank_group {
  uint16_t* order;  ///< the next places
  uint32_t room;    ///< how many
  uint32_t held;    ///< lane b: entries of bank b that it has

  /// Takes the lanes' entries, in their order, as far as there is room and their bank has not too many. Which
  /// lanes it took.
  CUGRB_DEVICE unsigned take(bool there, uint32_t entry, uint32_t bank) {
    const unsigned before = (1u << lane_index()) - 1, offered = ballot(full_warp, there);
    const csb_bank_members members(bank);
    const uint32_t earlier =
        shuffle(full_warp, held, int(bank)) + uint32_t(count_bits(members.of(bank) & offered & before));
    const bool may = there && earlier < csb_bank_sums;
    const uint32_t place = uint32_t(count_bits(ballot(full_warp, may) & before));
    const bool fits = may && place < room;
    const unsigned taken = ballot(full_warp, fits);
    if (fits) order[place] = uint16_t(entry);
    held += uint32_t(count_bits(members.of(lane_index()) & taken));
    order += count_bits(taken);
    room -= uint32_t(count_bits(taken));
    return taken;
  }
};

/// Entries that wait for a place, in their order.
struct csb_bank_queue {
  uint16_t* entries;
  uint32_t count;

  CUGRB_DEVICE void append(bool waits, uint32_t entry) {
    const unsigned waiters = ballot(full_warp, waits);
    if (waits) entries[count + uint32_t(count_bits(waiters & ((1u << lane_index()) - 1)))] = uint16_t(entry);
    count += uint32_t(count_bits(waiters));
  }
};

/// order[0..count): the numbers 0 to count - 1, of entries with these slots of 4 >> bank_shift bytes; no more
/// than 32 wait at a time. By one warp. `waiting`: room for 128.
CUGRB_DEVICE void spread_over_banks(const uint16_t* slots, uint32_t count, unsigned bank_shift,
                                    uint16_t* order, uint16_t* waiting) {
  const auto bank_of = [&](uint32_t entry) { return uint32_t(slots[entry] >> bank_shift) % 32; };
  csb_bank_queue late{waiting, 0}, kept{waiting + 64, 0};
  uint32_t next = 0;
  for (uint32_t stored = 0; stored < count; stored += 32) {
    const uint32_t goal = stored + 32 < count ? stored + 32 : count;
    csb_bank_group group{order + stored, goal - stored, 0};
    const auto offer = [&](bool there, uint32_t entry) {
      const unsigned taken = group.take(there, entry, bank_of(entry));
      kept.append(there && (taken >> lane_index() & 1u) == 0, entry);
      sync_warp(full_warp);
    };
    offer(lane_index() < late.count, lane_index() < late.count ? late.entries[lane_index()] : 0u);
    while (group.room > 0) {
      uint32_t fresh = goal + 32 - next < 32 ? goal + 32 - next : 32;  // no more than 32 wait in the end
      if (count - next < fresh) fresh = count - next;
      if (fresh == 0) break;
      offer(lane_index() < fresh, lane_index() < fresh ? next + lane_index() : 0u);
      next += fresh;
    }
    // What banks have left free goes to those that wait longest.
    const uint32_t free = group.room, rest = kept.count - free;
    if (lane_index() < free) group.order[lane_index()] = kept.entries[lane_index()];
    const uint16_t later = lane_index() < rest ? kept.entries[free + lane_index()] : uint16_t(0);
    sync_warp(full_warp);
    if (lane_index() < rest) late.entries[lane_index()] = later;
    late.count = rest;
    kept.count = 0;
    sync_warp(full_warp);
  }
}

}  // namespace cugrb
