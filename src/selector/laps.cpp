#include "src/selector/laps.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "src/selector/placement.h"
#include "src/support/settings.h"

namespace cugrb::selector {

namespace {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// A call on the CPU takes a millisecond, which is more than is predicted of any in a test.
double counted_seconds(double of_device_call) {
  const uint64_t on_device = Laps::current().device_calls();
  return 1e-3 * (double(counters_of_thread().lap.calls - on_device) + of_device_call * double(on_device));
}

Laps::Clock clock_of(LoopPolicy policy) {
  if (policy == LoopPolicy::slow_device) return [] { return counted_seconds(4); };
  if (policy == LoopPolicy::fast_device) return [] { return counted_seconds(0.25); };
  return steady_seconds;
}

struct OfThread {
  Laps laps;
  ~OfThread() { counters_of_thread().lap = {}; }  // a later thread may have them
};

}  // namespace

Laps& Laps::current() {
  thread_local OfThread of_this_thread{Laps(counters_of_thread().lap, clock_of(settings().loops))};
  return of_this_thread.laps;
}

/// The leader has come by twice since then, and since it leads.
bool Laps::encloses_leader(const Place& before) const {
  return visits_of_leader_ - std::max(before.visits_of_leader, visits_at_lead_) >= 2;
}

bool Laps::is_stale() const { return counters_->calls - calls_at_begin_ > stale_after * calls_of_last_; }

Laps::KnownLoop& Laps::loop_of(uint64_t place) {
  KnownLoop* oldest = loops_.data();
  for (KnownLoop& known : loops_) {
    if (known.place == place) return known;
    if (known.used < oldest->used) oldest = &known;
  }
  *oldest = {};
  oldest->place = place;
  return *oldest;
}

bool Laps::was_in_last_lap(const Place& before) const {
  return before.visit >= last_began_at_ && before.visit < began_at_;
}

/// The place has come twice in this lap of the leader's, and not at all in the lap before.
bool Laps::is_foreign(const Place& now, const Place& before) const {
  return before.visit >= began_at_ && !now.is_of_loop;
}

void Laps::made(uint64_t place) {
  if (InStep::holds()) return leave();
  ++visit_;
  Place& known = places_[place % places];
  if (leader_ != nullptr && leader_->place == place) {
    const double now = clock_();
    end_lap(now);
    begin_lap(now);
    known = {place, visit_, counters_->calls, visits_of_leader_, true};
    return;
  }
  const Place before = known;
  const bool recurs = before.place == place;
  const bool is_of_loop =
      recurs && (was_in_last_lap(before) || (before.visit >= began_at_ && before.is_of_loop));
  known = {place, visit_, counters_->calls, visits_of_leader_, is_of_loop};
  if (!recurs || all_device_calls_ == 0) return;
  if (leader_ == nullptr || is_stale() || encloses_leader(before) || is_foreign(known, before)) lead(before);
  known.visits_of_leader = visits_of_leader_;
}

void Laps::lead(const Place& before) {
  const bool encloses = leader_ != nullptr && encloses_leader(before);
  const bool host_has_leader = encloses && leader_->loop.is_settled_on_host();
  leave();
  leader_ = &loop_of(before.place);
  if (host_has_leader) leader_->loop.encloses_loop_of_host();
  calls_of_last_ = counters_->calls - before.calls;
  began_at_ = before.visit;
  begin_lap(clock_());
  visits_at_lead_ = visits_of_leader_;
}

void Laps::leave() {
  leader_ = nullptr;
  places_calls_one_by_one();
}

void Laps::places_calls_one_by_one() {
  counters_->on_host = counters_->foresees = false;
  counters_->look_at = ~uint64_t(0);
  counters_->others = 0;
}

void Laps::begin_lap(double now) {
  leader_->used = ++visits_of_leader_;
  began_ = now;
  calls_at_begin_ = counters_->calls;
  last_began_at_ = std::exchange(began_at_, visit_);
  device_calls_ = 0;
  predicted_seconds_ = seconds_if_not_given_up_ = 0;
  is_given_up_ = is_unsettled_ = false;
  counters_->functions = 0;
  places_calls_one_by_one();
  if (!leader_->loop.next_on_host()) return;
  counters_->on_host = true;
  counters_->foresees = leader_->loop.is_trying();
  counters_->look_at = counters_->calls + (counters_->foresees ? 1 : calls_between_looks);
  const uint64_t functions = leader_->loop.functions();
  counters_->others = functions == 0 ? 0 : ~functions;
}

void Laps::end_lap(double now) {
  const bool on_host = counters_->on_host || is_given_up_;
  calls_of_last_ = counters_->calls - calls_at_begin_;
  leader_->loop.ended(on_host,
                      {std::max(now - began_, seconds_if_not_given_up_), calls_of_last_, counters_->functions,
                       device_calls_, predicted_seconds_, is_given_up_, is_unsettled_});
}

void Laps::ran_on_device(double predicted_seconds) {
  ++all_device_calls_;
  ++device_calls_;
  predicted_seconds_ += predicted_seconds;
}

bool Laps::is_too_long(double predicted_seconds) {
  if (leader_ == nullptr || predicted_seconds <= leader_->loop.patience()) return false;
  give_up(clock_() - began_ + predicted_seconds);
  return true;
}

void Laps::give_up(double seconds) {
  is_given_up_ = true;
  seconds_if_not_given_up_ = seconds;
  places_calls_one_by_one();
}

/// After half of the calls that a trial has time for, if they take as long as those before: a call may take
/// longer than a whole lap on the device. The call that is about to begin has taken nothing yet.
void Laps::look_again(double took) {
  double calls = calls_between_looks;
  if (leader_->loop.is_trying()) {
    const uint64_t done = counters_->calls - calls_at_begin_ - 1;
    const double more = done == 0 ? 1 : (leader_->loop.patience() - took) * double(done) / took / 2;
    calls = std::clamp(more, 1.0, calls);  // a lap that has taken no time yet has time for all
  }
  counters_->look_at = counters_->calls + uint64_t(calls);
}

void Laps::look() {
  if (leader_ == nullptr) return leave();
  if ((counters_->functions & counters_->others) != 0) {
    leader_->loop.was_unlike();
    return leave();
  }
  const double took = clock_() - began_;
  if (took <= leader_->loop.patience()) return look_again(took);
  if (!leader_->loop.is_trying()) {
    leader_->loop.overran();
    return leave();
  }
  give_up(took);
}

}  // namespace cugrb::selector
