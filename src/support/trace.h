// Where did this call run, and why? One record a GraphBLAS call, as text lines, a Chrome trace, NVTX ranges,
// a summary.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cugrb::trace {

/// Where a call ran.
enum class Place : uint8_t { gpu, emulated, cpu };
/// "gpu", "emulated" or "cpu".
const char* name_of(Place place);

/// Filled by the interposer (function, place, reason) and by the layers below it (kernel, format,
/// predictions, bytes) through current().
struct Record {
  const char* function = "";  ///< "GrB_mxv"
  Place place = Place::cpu;
  std::string sizes;      ///< "4194304x4194304, 128311436 entries"
  std::string basis;      ///< what predictions rest on: "123 products (counted), T: about 45 entries (...)"
  std::string operation;  ///< semiring or operator
  std::string kernel;     ///< kernel family chosen
  std::string format;     ///< matrix format used
  std::string placed;     ///< why the device was taken, where it was
  std::string reason;     ///< why it fell back; or why there, and why this kernel
  std::string warning;    ///< what it needed and had to do without: a kernel cache that is not used
  bool differs = false;   ///< CUGRB_VERIFY: SuiteSparse's answer was another one, and is kept
  double predicted_seconds = 0;  ///< of the kernel, with its share of making the format; 0: no prediction
  double gpu_predicted_seconds = 0, cpu_predicted_seconds = 0;  ///< of the call, with what it would copy
  double seconds = 0;  ///< measured, host clock (device work included where the call waited)
  uint64_t bytes_up = 0, bytes_down = 0, bytes_between = 0;  ///< the last: between devices
  /// Of bytes_up: what an earlier call had changed on the host, and how much went up for that.
  std::map<std::string, uint64_t> up_because_of;
  unsigned compiled = 0;     ///< kernels compiled during the call
  unsigned launches = 0;     ///< kernels and primitives that were launched during the call
  unsigned put_off = 0;      ///< launches of the call that wait for what comes next (cuda/runtime/put_off.h)
  std::string joined;        ///< the parts of a launch that did what several calls had put off
  double start_seconds = 0;  ///< since process start
};

namespace detail {
extern constinit std::atomic<int> wanted;  ///< bits: who wants records
bool anybody_wants();                      ///< reads the environment first, where nobody has yet
}  // namespace detail

/// True when anybody wants records (CUGRB_TRACE, CUGRB_SUMMARY, an API listener): keep it cheap otherwise.
/// One load.
[[gnu::always_inline]] inline bool enabled() {
  return detail::wanted.load(std::memory_order_relaxed) != 0 && detail::anybody_wants();
}

/// Opens a record for this thread's call; closes and emits it at the end of scope. A user's operator may call
/// GraphBLAS within a call: that call has a record of its own. A scope that a long jump has left has none.
/// Lives on the stack. Counts nothing in totals(): the interposer does, for calls without a scope too. Does
/// nothing while not enabled().
class Scope {
 public:
  explicit Scope(const char* function);
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  bool open_ = false;
};

/// This thread's open record; a scratch record when none is open (so that writers need no test).
Record& current();
/// Charges bytes that this thread's call had to copy up to the earlier call that made it necessary.
void charge_upload(const char* cause, uint64_t bytes);
/// Adds to its reason; an empty one adds nothing.
void add_reason(const std::string& reason);
/// The same while enabled(), and a decision that is recorded later (selector::record) leaves it there.
void add_lasting_reason(const std::string& reason);
/// The record that this thread emitted last, as one line of text; empty when there was none.
std::string last_text();

/// Counted always, also when not enabled(). Counted by count(), read with a plain load.
struct Totals {
  uint64_t calls_gpu = 0;  ///< the CPU's: forwarded_calls.h
  uint64_t bytes_up = 0, bytes_down = 0, bytes_between = 0;
  uint64_t uploads = 0, downloads = 0, hits = 0;
};
namespace detail {
extern constinit Totals totals;
}
inline Totals& totals() { return detail::totals; }
/// Bytes that the device has copied: added to the totals and to this thread's open record. Called by the
/// device itself, so that everything counts: vectors and matrices, index lists, and the scalars that the
/// program waits for.
void copied_up(uint64_t bytes);
void copied_down(uint64_t bytes);
void copied_between(uint64_t bytes);  ///< from one device to another
/// One launch more, of a kernel or of a primitive: in this thread's open record.
void launched();
/// Adds to one of the totals; several threads may.
inline void count(uint64_t& total, uint64_t amount = 1) {
  std::atomic_ref<uint64_t>(total).fetch_add(amount, std::memory_order_relaxed);
}

/// From now on trace to this target, as CUGRB_TRACE would: "1" (text on stderr), "FILE.json" (Chrome trace),
/// "" (off). What was open before is flushed. The environment's CUGRB_TRACE and CUGRB_SUMMARY are in force
/// until the first call. False when the file cannot be written: then nothing is traced, and the text is on
/// stderr only when it was asked for.
bool start(const std::string& target, bool summary);
/// A listener keeps records coming (for last_text()) without any output.
void keep_records(bool keep);

/// Writes the Chrome trace and the exit summary, once. Called at GrB_finalize and at exit.
void flush();

/// One line of text for a record, without the newline.
std::string to_text(const Record& record);

/// What the exit summary says: calls, time and bytes by function and place, reasons with their counts.
/// Thread-safe.
std::string summary_text();

}  // namespace cugrb::trace
