// What is compared is timed in turns: the host's speed changes from one millisecond to the next, and small
// products follow it.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cugrb::calibration {

/// Products of fewer entries follow the host's speed.
constexpr uint64_t small_entries = 1'000'000;
/// Rounds, unless less is asked for.
constexpr int turns = 41;

/// The upper one of the two in the middle. At least one number.
double median_of(std::vector<double> numbers);

/// Seconds of each round, by candidate; all have as many.
using Rounds = std::map<std::string, std::vector<double>>;

/// What each candidate takes by rounds in which the host was faster or slower: the middle one of its shares
/// of the rounds (of a round's geometric mean), times the middle round.
std::map<std::string, double> seconds_by_shares(const Rounds& rounds);

struct Compared {
  std::map<std::string, double> seconds;  ///< by shares, of the candidates that came through all rounds
  int rounds = 0;
};

/// A candidate's turn: its seconds, or nothing when it cannot run any more.
using Turn = std::function<std::optional<double>(const std::string& candidate)>;

/// So many rounds, in each of which every candidate has its turn; three at least when `limit_seconds` (0:
/// none) are over. A candidate that cannot run is left out of all rounds.
Compared in_turns(const std::vector<std::string>& candidates, int rounds, double limit_seconds,
                  const Turn& turn);

}  // namespace cugrb::calibration
