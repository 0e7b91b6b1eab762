// Recording: the records of calls, kept in memory while a program looks at a part of its run.
#pragma once
#include <string>

namespace cugrb::trace {

/// From its construction until stop() it keeps the records of all threads of this process. Several may run at
/// once, beside a trace to a file. Keeps nothing in a forked child. Thread-safe.
class Recording {
 public:
  Recording();
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// Nothing is added from now on.
  void stop();
  /// The records so far, in the order in which their calls ended: a JSON array of Chrome trace events.
  std::string json() const;

 private:
  friend class Recordings;
  std::string events_;  // guarded by the trace's lock, as everything that records are written to
};

}  // namespace cugrb::trace
