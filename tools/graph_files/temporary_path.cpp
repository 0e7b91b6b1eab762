#include "tools/graph_files/temporary_path.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <iterator>

namespace cugrb::graph_files {
namespace {

/// What a signal handler may read: no memory that could be freed under it.
struct Slot {
  std::atomic<bool> taken{false}, filled{false};
  char path[PATH_MAX];
};
Slot slots[64];

int fill_slot(const std::string& path) {
  if (path.size() >= PATH_MAX) return -1;
  for (int k = 0; k < static_cast<int>(std::size(slots)); ++k) {
    if (slots[k].taken.exchange(true)) continue;
    std::memcpy(slots[k].path, path.c_str(), path.size() + 1);
    slots[k].filled = true;
    return k;
  }
  return -1;
}

/// No signal comes between making a file and writing down its name.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

int TemporaryPath::create(const std::string& beginning, const std::string& end, mode_t mode) {
  static std::atomic<unsigned> count{0};
  const SignalsBlocked blocked;
  for (int tries = 0; tries < 1000; ++tries) {
    const std::string path = beginning + std::to_string(getpid()) + "-" + std::to_string(count++) + end;
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file < 0 && errno == EEXIST) continue;  // left behind by a process of the same number
    if (file < 0) return -1;
    path_ = path;
    slot_ = fill_slot(path);
    return file;
  }
  return -1;
}

void TemporaryPath::forget() {
  if (slot_ >= 0) {
    slots[slot_].filled = false;
    slots[slot_].taken = false;
  }
  slot_ = -1;
  path_.clear();
}

void TemporaryPath::remove() {
  if (path_.empty()) return;
  unlink(path_.c_str());
  forget();
}

void remove_temporary_paths() {
  for (const Slot& slot : slots) {
    if (slot.filled) unlink(slot.path);
  }
}

}  // namespace cugrb::graph_files
