#include "src/formats/loop_rhythm.h"

#include <algorithm>

namespace cugrb::formats {

namespace {

constexpr unsigned rounds_needed = 2;  ///< behind the first one
/// A loop that begins anew differs from itself once: its last round lacks what the next one would have asked
/// for. So something begun in vain costs a part of what is known, which a loop of ten rounds makes up for.
constexpr unsigned established_at = 16, most_established = 40, in_vain = 4;
constexpr size_t most_habits = 8;  ///< a loop has a few

/// Notes it of the one that `is_it` finds; else keeps what `make` gives, in place of the oldest one where
/// there are many.
template <class Kept, class Find, class Make>
void note_among(std::vector<Kept>& all, uint64_t round, const Find& is_it, const Make& make) {
  const auto known = std::find_if(all.begin(), all.end(), is_it);
  if (known != all.end()) return known->habit.note(round);
  if (all.size() == most_habits) all.erase(all.begin());
  all.push_back(make());
}

}  // namespace

bool is_same(const Monoid& a, const Monoid& b) {
  return a.source == b.source && a.preamble == b.preamble && a.type() == b.type();
}

bool LoopRhythm::Habit::is_known(uint64_t round) const {
  return established >= established_at || (in_a_row >= rounds_needed && last + 1 == round);
}

void LoopRhythm::Habit::note(uint64_t round) {
  is_begun = false;
  if (last == round) return;
  in_a_row = last + 1 == round ? in_a_row + 1 : 0;
  established = std::min(established + 1, most_established);
  last = round;
}

void LoopRhythm::Habit::end_round() {
  if (is_begun) established -= std::min(established, in_vain);
  is_begun = false;
}

WrittenTurn LoopRhythm::note_write() {
  const std::lock_guard lock(mutex_);
  ++now_.writes;
  return now_;
}

void LoopRhythm::note_exchange(WrittenTurn written, const std::shared_ptr<const ExchangePlan>& plan) {
  const std::lock_guard lock(mutex_);
  if (is_of_now(written)) {
    const auto is_it = [&](const Exchange& known) {
      return known.habit.writes == written.writes && known.plan.lock() == plan;
    };
    note_among(exchanges_, now_.exchanges, is_it, [&] {
      return Exchange{{written.writes, now_.exchanges}, plan};
    });
  }
  for (Exchange& exchange : exchanges_) exchange.habit.end_round();
  for (Sum& sum : sums_) sum.habit.end_round();
  now_ = {now_.exchanges + 1, 0};
}

std::shared_ptr<const ExchangePlan> LoopRhythm::expected(WrittenTurn written) {
  const std::lock_guard lock(mutex_);
  if (!is_of_now(written)) return nullptr;
  for (Exchange& exchange : exchanges_) {
    if (exchange.habit.writes != written.writes || !exchange.habit.is_known(now_.exchanges)) continue;
    auto plan = exchange.plan.lock();
    exchange.habit.is_begun = plan != nullptr;
    if (plan != nullptr) return plan;
  }
  return nullptr;
}

void LoopRhythm::note_sum(WrittenTurn written, const Monoid& monoid) {
  const std::lock_guard lock(mutex_);
  if (!is_of_now(written)) return;
  const auto is_it = [&](const Sum& known) {
    return known.habit.writes == written.writes && is_same(*known.monoid, monoid);
  };
  note_among(sums_, now_.exchanges, is_it, [&] {
    return Sum{{written.writes, now_.exchanges}, std::make_shared<const Monoid>(monoid)};
  });
}

std::shared_ptr<const Monoid> LoopRhythm::expected_sum(WrittenTurn written) {
  const std::lock_guard lock(mutex_);
  if (!is_of_now(written)) return nullptr;
  for (Sum& sum : sums_) {
    if (sum.habit.writes != written.writes || !sum.habit.is_known(now_.exchanges)) continue;
    sum.habit.is_begun = true;
    return sum.monoid;
  }
  return nullptr;
}

}  // namespace cugrb::formats
