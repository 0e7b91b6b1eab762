// Loops as a whole: where a loop of the program takes less time, whatever is predicted of its calls. A lap is
// what lies between two visits of one place of the program, and what it takes decides where later ones run
// (loop.h).
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "src/selector/loop.h"
#include "src/support/counters_of_thread.h"

namespace cugrb::selector {

/// The laps of one thread. A place of the program is one at which it makes objects of one size: an algorithm
/// makes its vectors once in a run, and a place inside of its loops is visited more often. Of two places that
/// recur the one that encloses visits of the other leads the laps. A leader that does not come back is left:
/// when a place recurs that its lap before has not seen, or after four times the calls of its last lap. No
/// clock is looked at before a call of the thread has run on the device.
class Laps {
 public:
  using Clock = double (*)();  ///< seconds
  /// The calling thread's.
  static Laps& current();
  /// The CPU has the thread's present lap.
  static bool on_host() { return counters_of_thread().lap.on_host; }
  /// The CPU has the lap for a trial, which ends before a product of matrices that is_too_long() for it.
  static bool foresees() { return counters_of_thread().lap.foresees; }
  /// A call comes that the device may be asked for, of the calling thread. True: it is the CPU's, since the
  /// lap is.
  [[gnu::always_inline]] static bool step(unsigned function,
                                          LapCounters& counters = counters_of_thread().lap) {
    const uint64_t called = uint64_t(1) << (function % 64);
    counters.functions |= called;
    if (++counters.calls >= counters.look_at || (counters.others & called) != 0) [[unlikely]]
      current().look();
    return counters.on_host;
  }

  Laps(LapCounters& counters, Clock clock) : counters_(&counters), clock_(clock) {}
  /// The program makes an object at a place: any hash, but 0, of the place and the object's size.
  void made(uint64_t place);
  /// The device has run a call, which would have taken the CPU so long by prediction.
  void ran_on_device(double predicted_seconds);
  /// A kernel that a call asked for is not loaded: the call loads or compiles it, or does without.
  void asked_for_missing_kernel() { is_unsettled_ = true; }
  /// In a trial of the CPU: whether the next call alone is predicted to take it longer than a trial may. Then
  /// the trial has failed, and calls are placed one by one.
  bool is_too_long(double predicted_seconds);
  /// Looks whether a lap that the CPU has takes too long to be a lap of its loop, or calls what its loop does
  /// not call: then it is left, and calls are placed one by one.
  void look();
  /// Of the thread, that the device has run.
  uint64_t device_calls() const { return all_device_calls_; }
  /// The loop whose lap it is; null where none is known.
  const Loop* loop() const { return leader_ == nullptr ? nullptr : &leader_->loop; }

  /// At most; in a trial fewer where calls take long.
  static constexpr unsigned calls_between_looks = 8;
  /// Laps are counted in calls, so that places need no clock.
  static constexpr uint64_t stale_after = 4;

 private:
  static constexpr unsigned places = 512, loops = 16;
  struct Place {
    uint64_t place = 0, visit = 0, calls = 0;
    uint64_t visits_of_leader = 0;  ///< which lap it has been visited in last
    bool is_of_loop = false;        ///< visited in the lap before that one, too
  };
  struct KnownLoop {
    uint64_t place = 0, used = 0;
    Loop loop;
  };
  bool encloses_leader(const Place& before) const;
  bool was_in_last_lap(const Place& before) const;
  bool is_foreign(const Place& now, const Place& before) const;
  bool is_stale() const;
  KnownLoop& loop_of(uint64_t place);
  /// The place comes, and came before.
  void lead(const Place& before);
  void begin_lap(double now);
  void end_lap(double now);
  void leave();
  void give_up(double seconds);
  void look_again(double took);
  void places_calls_one_by_one();

  LapCounters* counters_;
  Clock clock_;
  std::array<Place, places> places_{};
  std::array<KnownLoop, loops> loops_{};
  KnownLoop* leader_ = nullptr;
  uint64_t visits_of_leader_ = 0;              ///< of all that have led
  uint64_t visits_at_lead_ = 0;                ///< when the present one took the lead
  uint64_t visit_ = 0;                         ///< the number of the last visit of any place
  uint64_t last_began_at_ = 0, began_at_ = 0;  ///< with which visit the lap before began, and this one
  uint64_t calls_at_begin_ = 0, calls_of_last_ = 0;
  double began_ = 0;
  uint64_t all_device_calls_ = 0, device_calls_ = 0;
  double predicted_seconds_ = 0;
  double seconds_if_not_given_up_ = 0;  ///< at least
  bool is_given_up_ = false, is_unsettled_ = false;
};

}  // namespace cugrb::selector
