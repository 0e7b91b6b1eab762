// Decisions that repeat: a short call that the CPU has been given several times in a row is given to it
// without being asked about for a while. To decide takes a microsecond or two, which is half of what a level
// of a search in a road network takes.
#pragma once
#include <array>
#include <cstdint>
#include <utility>

namespace cugrb::selector {

/// A call on the CPU is short while deciding about it costs a twentieth of it or more. It takes 1.3 us, and
/// more than twice that on a slow host between a program's own work.
constexpr double short_call_seconds = 60e-6;

/// What became of the last calls of a kind: of one function, on operands of about the same sizes, all of
/// which are on the host. After `needed` decisions in a row for the CPU, all of them for short calls, the
/// next `first_rest` calls are not decided; the decision after those is. While it says the same, the rests
/// double, up to `longest_rest`. Any other decision begins from the start, and so does a call that takes the
/// CPU longer. A kind has one place in a table,
/// where another kind may replace it. Pure bookkeeping: it knows no handles and no times.
class Habits {
 public:
  static constexpr uint8_t needed = 3, first_rest = 4, longest_rest = 64;
  static constexpr unsigned places = 1024;
  /// The calling thread's.
  static Habits& current();

  /// A call of this kind (any hash that is not 0) comes: true when it is the CPU's without a decision.
  bool settles(uint64_t kind) {
    asked_ = 0;
    Habit& habit = of(kind);
    if (habit.kind == kind && habit.left > 0) {
      --habit.left;
      return true;
    }
    asked_ = kind;
    return false;
  }
  /// No kind is asked for: what is decided next says nothing of one.
  void forget() { asked_ = decided_ = 0; }
  /// The call that settles() was asked about last, and did not settle, has been decided.
  void decided(bool short_on_cpu) {
    if (asked_ == 0) return;
    Habit& habit = of(asked_);
    if (habit.kind != asked_) habit = {asked_};
    decided_ = std::exchange(asked_, 0);
    if (!short_on_cpu) {
      end(habit);
    } else if (++habit.decisions >= needed) {
      habit.decisions = needed - 1;  // the next one suffices
      habit.left = habit.rest;
      if (habit.rest < longest_rest) habit.rest = static_cast<uint8_t>(2 * habit.rest);
    }
  }
  /// The call that was decided last has run on the CPU, and was not short there: what was predicted of it is
  /// wrong, and calls of its kind are decided, and measured, until it is right.
  void was_long() {
    if (decided_ == 0) return;
    Habit& habit = of(std::exchange(decided_, 0));
    end(habit);
  }

 private:
  struct Habit {
    uint64_t kind = 0;
    uint8_t decisions = 0;  ///< in a row, for the CPU
    uint8_t rest = first_rest, left = 0;
  };
  static void end(Habit& habit) {
    habit.decisions = habit.left = 0;
    habit.rest = first_rest;
  }
  Habit& of(uint64_t kind) { return table_[kind % places]; }
  std::array<Habit, places> table_{};
  uint64_t asked_ = 0, decided_ = 0;
};

}  // namespace cugrb::selector
