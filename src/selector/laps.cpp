#include "src/selector/laps.h"

#include <algorithm>
#include <chrono>

namespace cugrb::selector {

namespace detail {
constinit thread_local LapCounters lap_counters;
}

namespace {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Laps& Laps::current() {
  thread_local Laps of_this_thread(detail::lap_counters, steady_seconds);
  return of_this_thread;
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

void Laps::made(uint64_t place) {
  if (leader_ != nullptr && leader_->place == place) {
    const double now = clock_();
    end_lap(now);
    begin_lap(now);
    return;
  }
  Place& known = places_[place % places];
  const Place before = known;
  known = {place, counters_->calls, visits_of_leader_};
  if (before.place != place || !is_device_used_) return;
  if (leader_ == nullptr || is_stale() || encloses_leader(before)) lead(place, known.calls - before.calls);
  known.visits_of_leader = visits_of_leader_;
}

void Laps::lead(uint64_t place, uint64_t calls_before) {
  leave();
  leader_ = &loop_of(place);
  calls_of_last_ = calls_before;
  begin_lap(clock_());
  visits_at_lead_ = visits_of_leader_;
}

void Laps::leave() {
  leader_ = nullptr;
  counters_->on_host = false;
  counters_->look_at = ~uint64_t(0);
}

void Laps::begin_lap(double now) {
  leader_->used = ++visits_of_leader_;
  began_ = now;
  calls_at_begin_ = counters_->calls;
  device_calls_ = 0;
  predicted_seconds_ = 0;
  is_given_up_ = false;
  counters_->functions = 0;
  counters_->on_host = leader_->loop.next_on_host();
  counters_->look_at = counters_->on_host ? counters_->calls + calls_between_looks : ~uint64_t(0);
}

void Laps::end_lap(double now) {
  const bool on_host = counters_->on_host || is_given_up_;
  calls_of_last_ = counters_->calls - calls_at_begin_;
  leader_->loop.ended(on_host, {now - began_, calls_of_last_, counters_->functions, device_calls_,
                                predicted_seconds_, is_given_up_});
}

void Laps::ran_on_device(double predicted_seconds) {
  is_device_used_ = true;
  ++device_calls_;
  predicted_seconds_ += predicted_seconds;
}

void Laps::look() {
  if (leader_ == nullptr) return leave();
  if (clock_() - began_ <= leader_->loop.patience()) {
    counters_->look_at = counters_->calls + calls_between_looks;
    return;
  }
  if (!leader_->loop.is_trying()) {
    leader_->loop.overran();
    return leave();
  }
  is_given_up_ = true;
  counters_->on_host = false;
  counters_->look_at = ~uint64_t(0);
}

}  // namespace cugrb::selector
