#include "src/support/trace.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "src/support/environment.h"
#include "src/support/every_call.h"
#include "src/support/nvtx.h"
#include "src/support/settings.h"
#include "src/support/text.h"
#include "src/support/trace_file.h"
#include "src/support/trace_recording.h"
#include "src/support/trace_summary.h"
#include "src/support/trace_text.h"
#include "src/support/write_signals.h"

namespace cugrb::trace {

/// The recordings that run. Every use is under the lock of Output.
class Recordings {
 public:
  bool empty() const { return running_.empty(); }
  void start(Recording* recording) { running_.push_back(recording); }
  void stop(Recording* recording) { std::erase(running_, recording); }
  void add(const std::string& event) {
    for (Recording* recording : running_)
      recording->events_ += (recording->events_.empty() ? "" : ",\n") + event;
  }

 private:
  std::vector<Recording*> running_;
};

namespace {

using Clock = std::chrono::steady_clock;

struct Output {
  std::mutex lock;
  Clock::time_point start = Clock::now();
  pid_t process = getpid();
  bool text = false;  // a line a record, on stderr
  bool summary_wanted = false;
  ChromeFile file;
  std::string file_name;
  bool loss_was_said = false;
  Summary summary;  // records since the last flush
  Recordings recordings;
};

// Bits of `wanted`: who wants records. Not yet asked: the environment has not been read.
constexpr int by_target = 1, by_listener = 2, by_profiler = 4, not_asked = 8, by_recording = 16;
using detail::wanted;

Output& output() {
  static auto* const made = new Output;  // never destroyed: calls may come while the process ends
  return *made;
}

double now() { return std::chrono::duration<double>(Clock::now() - output().start).count(); }

struct OpenRecord {
  const Scope* scope;  // its address on the stack
  Record record;
};
struct ThreadRecords {
  std::vector<OpenRecord> open;  // innermost last: a user's operator may call GraphBLAS
  Record scratch;                // for writers outside of all scopes
  Record last;
  bool has_last = false;
};
ThreadRecords& this_thread() {
  thread_local ThreadRecords records;
  return records;
}

unsigned thread_number() {
  static std::atomic<unsigned> count{0};
  thread_local const unsigned number = ++count;
  return number;
}

/// A forked child must not write into its parent's files or repeat its summary. Called with the lock held.
bool is_own_process(const Output& out) { return out.process == getpid(); }

void say(const std::string& text) {
  const WithoutWriteSignals without_signal;
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/// The one who asked for a trace must learn what is not in it; there is no call to answer with an error.
void say_trace(Output& out, const char* what) {
  say(std::string("cugrb: ") + what + " " + printable(out.file_name) + ": " + std::strerror(errno) + "\n");
}

/// `written` is what the file says; the first loss is told.
void check_written(Output& out, bool written) {
  if (written || out.loss_was_said) return;
  say_trace(out, "records are missing in the trace");
  out.loss_was_said = true;
}

void emit(const Record& record) {
  Output& out = output();
  const std::lock_guard<std::mutex> guard(out.lock);
  if (!is_own_process(out)) return;
  if (out.text) {
    say(to_text(record) + "\n");
  }
  if (out.file.is_open() || !out.recordings.empty()) {
    const std::string event = to_chrome_event(record, static_cast<unsigned>(out.process), thread_number());
    if (out.file.is_open()) check_written(out, out.file.add(event));
    out.recordings.add(event);
  }
  if (out.summary_wanted) out.summary.add(record);
}

void set_bit(int bit, bool on) {
  if (on) {
    wanted.fetch_or(bit);
  } else {
    wanted.fetch_and(~bit);
  }
}

/// The program ends; later calls may still come.
void end() {
  flush();
  Output& out = output();
  const std::lock_guard<std::mutex> guard(out.lock);
  if (is_own_process(out)) check_written(out, out.file.end());
}

/// Called with the lock held.
bool open_target(Output& out, const std::string& target, bool summary) {
  check_written(out, out.file.end());
  out.file.close();
  out.text = target == "1";
  out.summary_wanted = summary;
  bool opened = true;
  if (!target.empty() && !out.text) {
    out.file_name = target;
    out.loss_was_said = false;
    opened = out.file.open(target);
    if (!opened) say_trace(out, "cannot write the trace to");
  }
  set_bit(by_target, out.text || out.file.is_open() || summary);
  static const int registered = std::atexit(end);
  static_cast<void>(registered);
  return opened;
}

bool read_environment() {
  static std::once_flag once;
  std::call_once(once, [] {
    Output& out = output();
    const std::lock_guard<std::mutex> guard(out.lock);
    const Settings& s = settings();
    if (!s.trace.empty() || s.summary) open_target(out, name_for_rank(s.trace), s.summary);
    // Set by NVIDIA's profilers for the programs that they start.
    set_bit(by_profiler, environment_variable("NVTX_INJECTION64_PATH") != nullptr);
    set_bit(not_asked, false);
  });
  return wanted.load() != 0;
}

}  // namespace

Recording::Recording() {
  read_environment();
  Output& out = output();
  const std::lock_guard<std::mutex> guard(out.lock);
  out.recordings.start(this);
  set_bit(by_recording, true);
}

Recording::~Recording() { stop(); }

void Recording::stop() {
  Output& out = output();
  const std::lock_guard<std::mutex> guard(out.lock);
  out.recordings.stop(this);
  set_bit(by_recording, !out.recordings.empty());
}

std::string Recording::json() const {
  const std::lock_guard<std::mutex> guard(output().lock);
  return "[" + events_ + "]";
}

CUGRB_READ_BY_EVERY_CALL constinit std::atomic<int> detail::wanted{not_asked};
CUGRB_READ_BY_EVERY_CALL constinit Totals detail::totals;

bool detail::anybody_wants() {
  const int bits = wanted.load(std::memory_order_relaxed);
  return (bits & not_asked) == 0 ? bits != 0 : read_environment();
}

Scope::Scope(const char* function) {
  if (!enabled()) return;
  ThreadRecords& thread = this_thread();
  // The stack grows down: a scope that lies below this one was left by a long jump.
  while (!thread.open.empty() && thread.open.back().scope <= this) {
    thread.open.pop_back();
    nvtx_pop();
  }
  thread.open.push_back({this, Record()});
  thread.open.back().record.function = function;
  thread.open.back().record.start_seconds = now();
  open_ = true;
  nvtx_push(function);
}

Scope::~Scope() {
  if (!open_) return;
  ThreadRecords& thread = this_thread();
  while (!thread.open.empty() && thread.open.back().scope < this) thread.open.pop_back();
  if (thread.open.empty() || thread.open.back().scope != this) return;
  nvtx_pop();
  Record record = std::move(thread.open.back().record);
  thread.open.pop_back();
  record.seconds = now() - record.start_seconds;
  try {
    emit(record);
    thread.last = std::move(record);
    thread.has_last = true;
  } catch (const std::bad_alloc&) {
    // The record is lost; the call it tells of is not.
  }
}

Record& current() {
  ThreadRecords& thread = this_thread();
  return thread.open.empty() ? thread.scratch : thread.open.back().record;
}

void add_reason(const std::string& reason) {
  if (reason.empty()) return;
  std::string& all = current().reason;
  all += (all.empty() ? "" : "; ") + reason;
}

void add_lasting_reason(const std::string& reason) {
  if (reason.empty() || !enabled()) return;
  std::string& placed = current().placed;
  placed += (placed.empty() ? "" : "; ") + reason;
  add_reason(reason);
}

void charge_upload(const char* cause, uint64_t bytes) { current().up_because_of[cause] += bytes; }

std::string last_text() {
  const ThreadRecords& thread = this_thread();
  return thread.has_last ? to_text(thread.last) : std::string();
}

void copied_up(uint64_t bytes) {
  count(totals().bytes_up, bytes);
  current().bytes_up += bytes;
}

void copied_down(uint64_t bytes) {
  count(totals().bytes_down, bytes);
  current().bytes_down += bytes;
}

void copied_between(uint64_t bytes) {
  count(totals().bytes_between, bytes);
  current().bytes_between += bytes;
}

void launched() { ++current().launches; }

bool start(const std::string& target, bool summary) {
  read_environment();
  flush();
  Output& out = output();
  const std::lock_guard<std::mutex> guard(out.lock);
  if (!is_own_process(out)) return false;
  return open_target(out, target, summary);
}

void keep_records(bool keep) {
  read_environment();
  set_bit(by_listener, keep);
}

void flush() {
  Output& out = output();
  const std::lock_guard<std::mutex> guard(out.lock);
  if (!is_own_process(out)) return;
  check_written(out, out.file.write());
  if (!out.summary_wanted || out.summary.empty()) return;
  const std::string text = out.summary.text();
  out.summary.clear();
  say(text);
}

std::string summary_text() {
  Output& out = output();
  const std::lock_guard<std::mutex> guard(out.lock);
  return out.summary.empty() ? std::string() : out.summary.text();
}

}  // namespace cugrb::trace
