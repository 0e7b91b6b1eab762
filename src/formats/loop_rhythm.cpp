#include "src/formats/loop_rhythm.h"

#include <algorithm>

namespace cugrb::formats {

namespace {

constexpr unsigned rounds_needed = 2;  ///< behind the first one
/// A loop that begins anew differs from itself once: its last round lacks what the next one would have asked
/// for. So something begun in vain costs a part of what is known, which a loop of ten rounds makes up for.
constexpr unsigned established_at = 16, most_established = 40, in_vain = 4;
constexpr size_t most_habits = 8, most_kinds = 4;  ///< a loop has a few

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
  if (begun < round) note_in_vain();
  begun = 0;
  if (last == round) return;
  in_a_row = last + 1 == round ? in_a_row + 1 : 0;
  established = std::min(established + 1, most_established);
  last = round;
}

void LoopRhythm::Habit::note_in_vain() {
  if (begun > 0) established -= std::min(established, in_vain);
}

void LoopRhythm::Habit::begin(uint64_t round) {
  note_in_vain();
  begun = round;
}

const LoopRhythm::Round* LoopRhythm::round_of(WrittenTurn written) const {
  if (is_of_now(written)) return &round_;
  const bool is_before = written.writes > 0 && written.exchanges + 1 == now_.exchanges;
  return is_before && before_.kind < kinds_.size() ? &before_ : nullptr;
}

WrittenTurn LoopRhythm::note_write(uint64_t what) {
  const std::lock_guard lock(mutex_);
  ++now_.writes;
  return {now_.exchanges, now_.writes, what};
}

void LoopRhythm::note_exchange(WrittenTurn written, const std::shared_ptr<const ExchangePlan>& plan) {
  const std::lock_guard lock(mutex_);
  if (is_of_now(written)) {
    Rounds& rounds = kinds_[round_.kind];
    const auto is_it = [&](const Exchange& known) {
      return known.habit.is_of(written) && known.plan.lock() == plan;
    };
    note_among(rounds.exchanges, rounds.count, is_it, [&] {
      return Exchange{{written.writes, written.what, rounds.count}, plan};
    });
  }
  begin_round(plan);
}

void LoopRhythm::begin_round(const std::shared_ptr<const ExchangePlan>& behind) {
  now_ = {now_.exchanges + 1, 0, 0};
  before_ = round_;
  const auto known = std::find_if(kinds_.begin(), kinds_.end(),
                                  [&](const Rounds& rounds) { return rounds.behind.lock() == behind; });
  if (known != kinds_.end()) {
    round_.kind = size_t(known - kinds_.begin());
  } else {  // until more is known it is like the round that ends
    Rounds fresh = kinds_[round_.kind];
    fresh.behind = behind;
    if (kinds_.size() == most_kinds) {
      kinds_.erase(kinds_.begin());
      --before_.kind;  // of the first one there is none
    }
    kinds_.push_back(std::move(fresh));
    round_.kind = kinds_.size() - 1;
  }
  round_.number = ++kinds_[round_.kind].count;
}

std::shared_ptr<const ExchangePlan> LoopRhythm::expected(WrittenTurn written) {
  const std::lock_guard lock(mutex_);
  if (!is_of_now(written)) return nullptr;
  for (Exchange& exchange : kinds_[round_.kind].exchanges) {
    if (!exchange.habit.is_of(written) || !exchange.habit.is_known(round_.number)) continue;
    auto plan = exchange.plan.lock();
    if (plan == nullptr) continue;
    exchange.habit.begin(round_.number);
    return plan;
  }
  return nullptr;
}

void LoopRhythm::note_sum(WrittenTurn written, const Monoid& monoid) {
  const std::lock_guard lock(mutex_);
  const Round* const round = round_of(written);
  if (round == nullptr) return;
  const auto is_it = [&](const Sum& known) {
    return known.habit.is_of(written) && is_same(*known.monoid, monoid);
  };
  note_among(kinds_[round->kind].sums, round->number, is_it, [&] {
    return Sum{{written.writes, written.what, round->number}, std::make_shared<const Monoid>(monoid)};
  });
}

std::shared_ptr<const Monoid> LoopRhythm::expected_sum(WrittenTurn written) {
  const std::lock_guard lock(mutex_);
  if (!is_of_now(written)) return nullptr;
  for (Sum& sum : kinds_[round_.kind].sums) {
    if (!sum.habit.is_of(written) || !sum.habit.is_known(round_.number)) continue;
    sum.habit.begin(round_.number);
    return sum.monoid;
  }
  return nullptr;
}

}  // namespace cugrb::formats
