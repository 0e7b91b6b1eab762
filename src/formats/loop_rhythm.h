// What a loop does with vectors in parts, round after round.
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "semirings/operators.h"

namespace cugrb::formats {

struct ExchangePlan;  // src/formats/part_exchange.h

/// When a vector in parts was written: the so-manieth since so many exchanges; and what it is, as a number
/// that tells operations apart.
struct WrittenTurn {
  uint64_t exchanges = 0, writes = 0, what = 0;
};

/// Whether they are the same function.
bool is_same(const Monoid& a, const Monoid& b);

/// Experience with vectors of a split. A loop writes some in parts, gathers one of them in each round, for
/// its product, and sums up others. Where these have been the same ones a few times, they are known when they
/// are written. What was known so often stays known when the loop begins anew. Thread-safe.
class LoopRhythm {
 public:
  WrittenTurn note_write(uint64_t what);
  /// A vector of that turn is gathered by that plan: a round ends, and the next one begins.
  void note_exchange(WrittenTurn written, const std::shared_ptr<const ExchangePlan>& plan);
  /// By which plan the vector of that turn will be gathered, which is begun now; null where that is not
  /// known.
  std::shared_ptr<const ExchangePlan> expected(WrittenTurn written);
  /// A vector of that turn, of this round or the one before, is summed up by that monoid: a loop may multiply
  /// before it asks for what it has summed up.
  void note_sum(WrittenTurn written, const Monoid& monoid);
  /// By which monoid the vector of that turn will be summed up, which is begun now; null where that is not
  /// known.
  std::shared_ptr<const Monoid> expected_sum(WrittenTurn written);

 private:
  /// What has been done with the vector of a round's n-th write.
  struct Habit {
    uint64_t writes = 0;       ///< n
    uint64_t what = 0;         ///< that vector is
    uint64_t last = 0;         ///< the round of its kind in which it was done last
    unsigned in_a_row = 0;     ///< in so many rounds before that, one after the other
    unsigned established = 0;  ///< so often in all, less what was begun in vain
    uint64_t begun = 0;        ///< the round in which it was begun, if nobody has asked for it; else 0

    bool is_of(WrittenTurn written) const { return writes == written.writes && what == written.what; }
    bool is_known(uint64_t round) const;
    void note(uint64_t round);
    void begin(uint64_t round);
    void note_in_vain();
  };
  struct Exchange {
    Habit habit;
    std::weak_ptr<const ExchangePlan> plan;
  };
  struct Sum {
    Habit habit;
    std::shared_ptr<const Monoid> monoid;
  };
  /// Rounds that began behind an exchange by one plan: a loop that multiplies by A and A' in turn has two
  /// kinds.
  struct Rounds {
    std::weak_ptr<const ExchangePlan> behind;
    uint64_t count = 0;
    std::vector<Exchange> exchanges;
    std::vector<Sum> sums;
  };
  struct Round {
    size_t kind = 0;
    uint64_t number = 0;  ///< among those of its kind
  };
  /// Of this round.
  bool is_of_now(WrittenTurn written) const {
    return written.writes > 0 && written.exchanges == now_.exchanges;
  }
  /// The round in which it was written: this one, or the one before; null where it is older.
  const Round* round_of(WrittenTurn written) const;
  void begin_round(const std::shared_ptr<const ExchangePlan>& behind);

  mutable std::mutex mutex_;
  WrittenTurn now_;
  std::vector<Rounds> kinds_ = std::vector<Rounds>(1);
  Round round_, before_;
};

}  // namespace cugrb::formats
