#include "src/selector/loop.h"

#include <algorithm>
#include <limits>

#include "src/support/trace_text.h"

namespace cugrb::selector {

namespace {

/// A trial of 20 us is not given up for what a switch of threads takes.
constexpr double least_patience = 200e-6;
/// A lap that is no trial may take so many times what the loop's laps take.
constexpr double patience_with_lap = 8;
/// Between a lap that was unlike the others and a trial there are so many that are like them.
constexpr uint8_t needed_alike = 2;

}  // namespace

double Loop::Side::median() const {
  const unsigned held = std::min(count, kept);
  if (held == 0) return 0;
  std::array<double, kept> sorted = seconds;
  std::sort(sorted.begin(), sorted.begin() + held);
  return sorted[(held - 1) / 2];
}

bool Loop::is_alike(const Lap& lap) const {
  return usual_.calls == 0 || (lap.functions == usual_.functions && lap.calls <= 2 * usual_.calls &&
                               usual_.calls <= 2 * lap.calls);
}

void Loop::was_unlike() {
  if (++strangers_ == needed_surprises) {
    *this = Loop();  // the program does something else there
    return;
  }
  alike_since_stranger_ = 0;
  if (!is_trying_) return;
  is_trying_ = false;
  rest_ = least_rest;
}

double Loop::patience() const {
  if (usual_.calls == 0) return std::numeric_limits<double>::infinity();
  const double usual = settled_seconds() * double(usual_.calls);
  return std::max(least_patience, (is_trying_ ? hopeless : patience_with_lap) * usual);
}

bool Loop::may_try() const {
  if (alike_since_stranger_ < needed_alike) return false;
  if (settled_on_host_ || predicted_ratio_ == 0) return settled_on_host_;
  return predicted_ratio_ <= implausible ||
         laps_since_trial_ >= laps_a_lap_of_doubtful_trial * predicted_ratio_;
}

void Loop::trial_lap_ended(const Lap& lap) {
  const double settled = settled_seconds();
  Side& tried = side(!settled_on_host_);
  const double took =
      lap.is_given_up ? std::max(lap.seconds_a_call(), hopeless * settled) : lap.seconds_a_call();
  tried.add(took);
  // The first lap that is placed call by call again brings up what the CPU has changed.
  const unsigned most = settled_on_host_ ? laps_of_trial_call_by_call : laps_of_trial;
  const bool may_be_hopeless =
      !settled_on_host_ || tried.count >= laps_of_trial || took >= patience_with_lap * settled;
  if (tried.count >= most || (may_be_hopeless && tried.median() >= hopeless * settled)) conclude();
}

void Loop::conclude() {
  const double before = settled_seconds(), tried = side(!settled_on_host_).median();
  // Of such laps the CPU has nearly all calls on either side: what deciding takes is gained.
  const bool is_of_host = !settled_on_host_ && predicted_ratio_ < hardly_any;
  const bool changes = tried < (is_of_host ? 1 : better) * before;
  if (changes) settled_on_host_ = !settled_on_host_;
  is_trying_ = false;
  reference_ = settled_seconds();
  const double lost = side(!settled_on_host_).median() / reference_ - 1;
  const double least = settled_on_host_ ? least_rest_on_host : least_rest;
  const double rest = growth_ * std::max(least, (changes ? 1 : rest_a_lost_lap) * lost);
  rest_ = static_cast<uint32_t>(std::min(rest, double(longest_rest)));
  growth_ = std::min(2 * growth_, double(longest_rest));
  laps_since_trial_ = 0;
}

void Loop::reopen() {
  rest_ = 0;
  growth_ = 1;
  surprises_ = 0;
  reference_ = 0;
}

/// Laps of a larger graph take longer on either side, so that one which still takes less than the other side
/// took is no reason to ask again; those of a smaller graph are no reason to leave the CPU.
bool Loop::is_surprising(double took) const {
  if (reference_ == 0) return false;
  if (took * most_surprise < reference_) return !settled_on_host_;
  return took > most_surprise * reference_ && took > side(!settled_on_host_).median();
}

void Loop::settled_lap_ended(const Lap& lap) {
  const double took = lap.seconds_a_call();
  side(settled_on_host_).add(took);
  ++laps_since_trial_;
  surprises_ = is_surprising(took) ? static_cast<uint8_t>(surprises_ + 1) : uint8_t(0);
  if (surprises_ >= needed_surprises) reopen();
  if (rest_ > 0) {
    --rest_;
  } else if (may_try()) {
    is_trying_ = true;
    side(!settled_on_host_) = {};
  }
}

void Loop::encloses_loop_of_host() {
  if (usual_.calls != 0 || settled_on_host_) return;
  settled_on_host_ = true;
  rest_ = least_rest_on_host;
}

void Loop::overran() {
  if (++overruns_ >= 2) *this = Loop();
}

void Loop::ended(bool on_host, const Lap& lap) {
  overruns_ = 0;
  unsettled_ = lap.is_unsettled && !lap.is_given_up ? static_cast<uint8_t>(unsettled_ + 1) : uint8_t(0);
  if (unsettled_ % unsettled_in_a_row != 0) return;
  if (!lap.is_given_up) {
    if (!is_alike(lap)) return was_unlike();
    usual_ = lap;
  }
  strangers_ = 0;
  if (alike_since_stranger_ < needed_alike) ++alike_since_stranger_;
  if (on_host != next_on_host()) return;
  if (!on_host && lap.seconds > 0)
    predicted_ratio_ = lap.device_calls == 0 ? 0 : std::max(lap.predicted_seconds / lap.seconds, 1e-9);
  is_trying_ ? trial_lap_ended(lap) : settled_lap_ended(lap);
}

const char* Loop::reason() const {
  if (is_trying_) return next_on_host() ? "its loop is tried on the CPU" : "its loop is tried call by call";
  return settled_on_host_ ? "its loop takes less time on the CPU" : "its loop takes less time call by call";
}

std::string Loop::text() const {
  const auto of = [this](bool on_host) {
    const double of_a_call = side(on_host).median();
    return of_a_call == 0 ? std::string("an unknown time")
                          : trace::seconds_text(of_a_call * double(std::max<uint64_t>(1, usual_.calls)));
  };
  return "a lap takes " + of(true) + " on the CPU, " + of(false) + " where each call is placed by itself";
}

}  // namespace cugrb::selector
