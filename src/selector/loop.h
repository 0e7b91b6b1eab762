// One loop of a program: laps whose calls are placed one by one beside laps that the CPU has alone, and where
// the next one runs.
#pragma once
#include <array>
#include <cstdint>
#include <string>

namespace cugrb::selector {

/// What a lap came to.
struct Lap {
  double seconds = 0;
  uint64_t calls = 0;            ///< that the device could have been asked for
  uint64_t functions = 0;        ///< a bit for each function that was called; several may share one
  uint64_t device_calls = 0;     ///< that the device has had
  double predicted_seconds = 0;  ///< of these on the CPU
  bool is_given_up = false;      ///< the CPU had it first, and then no longer
  bool is_unsettled = false;     ///< a kernel that a call asked for was not loaded yet
  double seconds_a_call() const { return seconds / double(calls == 0 ? 1 : calls); }
};

/// What is known of a loop. Pure bookkeeping without a clock.
///
/// The loop begins with laps whose calls are placed one by one. After the first one in which the device took
/// part the CPU gets a trial. Where the calls that the device had are predicted to take the CPU more than
/// `implausible` times as long as the whole lap, there are ten laps for each such lap before. A trial of the
/// CPU is two laps, since the first one pays for what has to move, and the shorter one counts; one of laps
/// that are placed one by one is four laps, of which the second shortest counts. It is over before where laps
/// take `hopeless` times what the loop's laps take. The loop changes sides where a trial takes less than
/// `better` of that; less is enough for the CPU where the calls that the device had are predicted to take it
/// less than `hardly_any` of the lap. It is tried again after 32 laps for each that the trial has lost, and
/// at least a few; from one time to the next that doubles. So what is close is soon tried again, which costs
/// little. Where the loop has just changed sides, laps of the side that it left may have brought up matrices
/// or made formats: the next trial comes after as many laps as it is going to cost. Laps that take more than
/// twice, or less than half, of what they took at the last trial, three in a row, are taken for those of
/// another graph: the question is open again.
///
/// What laps take is compared by the call. A lap counts only where it calls the functions that the lap before
/// called, and about as often. After three that do not, everything is forgotten. A lap that loads or compiles
/// kernels, or does without some, tells nothing of those that follow: of eight such laps in a row the last
/// counts.
class Loop {
 public:
  static constexpr double implausible = 6, hopeless = 2, better = 0.95, hardly_any = 0.05, most_surprise = 2;
  static constexpr double laps_a_lap_of_doubtful_trial = 10, rest_a_lost_lap = 32;
  static constexpr unsigned laps_of_trial = 2, laps_of_trial_call_by_call = 4, needed_surprises = 3;
  /// At least, after a trial: where calls are placed one by one, and where the CPU has the loop.
  static constexpr uint32_t least_rest = 2, least_rest_on_host = 8;
  static constexpr uint32_t longest_rest = 1'000'000;
  static constexpr uint8_t unsettled_in_a_row = 8;

  /// A lap has ended that began on the CPU, or with calls that are placed one by one.
  void ended(bool on_host, const Lap& lap);
  /// The CPU had a lap that was no trial, and has lost patience. Once is no more than a program that goes on
  /// to something else; two of them without a lap in between are another graph, and everything is forgotten.
  void overran();
  /// A lap was unlike those before it; it has ended, or not.
  void was_unlike();
  /// It encloses a loop that the CPU has, and of its own laps nothing is known: they are the CPU's, too,
  /// until the first trial.
  void encloses_loop_of_host();
  /// Where the next lap is to run.
  bool next_on_host() const { return settled_on_host_ != is_trying_; }
  bool is_trying() const { return is_trying_; }
  bool is_settled_on_host() const { return settled_on_host_; }
  /// Those that its laps call: Lap::functions.
  uint64_t functions() const { return usual_.functions; }
  /// After how many seconds a lap on the CPU is a failed trial, or no lap of this loop.
  double patience() const;
  /// Why its laps run where they do, and what they take on either side.
  const char* reason() const;
  std::string text() const;

 private:
  static constexpr unsigned kept = 5;
  /// The last laps of one side, seconds a call.
  struct Side {
    std::array<double, kept> seconds{};
    unsigned count = 0;
    void add(double of_a_call) { seconds[count++ % kept] = of_a_call; }
    /// The lower one of two middle ones; 0 where there is none.
    double median() const;
  };
  Side& side(bool on_host) { return sides_[on_host ? 1 : 0]; }
  const Side& side(bool on_host) const { return sides_[on_host ? 1 : 0]; }
  double settled_seconds() const { return side(settled_on_host_).median(); }
  bool is_alike(const Lap& lap) const;
  bool may_try() const;
  void trial_lap_ended(const Lap& lap);
  bool is_surprising(double took) const;
  void settled_lap_ended(const Lap& lap);
  void conclude();
  void reopen();

  std::array<Side, 2> sides_;  ///< of laps placed call by call, and of the CPU's
  Lap usual_;                  ///< what laps are compared with: the last one that was like those before it
  /// Predicted for the calls that the device had, over the time of the whole lap; 0: it had none.
  double predicted_ratio_ = 0;
  double reference_ = 0;  ///< what laps took at the last trial
  uint32_t rest_ = 0, laps_since_trial_ = 0;
  double growth_ = 1;  ///< of rests
  uint8_t strangers_ = 0, surprises_ = 0, overruns_ = 0, alike_since_stranger_ = 1, unsettled_ = 0;
  bool settled_on_host_ = false, is_trying_ = false;
};

}  // namespace cugrb::selector
