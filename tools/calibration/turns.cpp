#include "tools/calibration/turns.h"

#include <algorithm>
#include <cmath>

#include "tools/calibration/timing.h"

namespace cugrb::calibration {

double median_of(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[numbers.size() / 2];
}

std::map<std::string, double> seconds_by_shares(const Rounds& rounds) {
  std::map<std::string, double> result;
  if (rounds.empty()) return result;
  std::vector<double> means;
  for (size_t round = 0; round < rounds.begin()->second.size(); ++round) {
    double sum = 0;
    for (const auto& [candidate, seconds] : rounds) sum += std::log(seconds[round]);
    means.push_back(std::exp(sum / double(rounds.size())));
  }
  const double middle_round = median_of(means);
  for (const auto& [candidate, seconds] : rounds) {
    std::vector<double> shares;
    for (size_t round = 0; round < means.size(); ++round) shares.push_back(seconds[round] / means[round]);
    result[candidate] = median_of(shares) * middle_round;
  }
  return result;
}

Compared in_turns(const std::vector<std::string>& candidates, int rounds, double limit_seconds,
                  const Turn& turn) {
  constexpr int fewest = 3;
  const Deadline deadline(limit_seconds);
  Rounds times;
  for (const std::string& candidate : candidates) times[candidate] = {};
  int made = 0;
  for (; made < rounds && !times.empty() && (made < fewest || !deadline.over()); ++made) {
    for (auto next = times.begin(); next != times.end();) {
      const std::optional<double> seconds = turn(next->first);
      if (seconds) next->second.push_back(*seconds);
      next = seconds ? std::next(next) : times.erase(next);
    }
  }
  return {seconds_by_shares(times), made};
}

}  // namespace cugrb::calibration
