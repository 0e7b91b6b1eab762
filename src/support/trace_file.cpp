#include "src/support/trace_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "src/support/environment.h"
#include "src/support/write_signals.h"

namespace cugrb::trace {
namespace {

constexpr const char* extension = ".json";
constexpr size_t enough_bytes = size_t(1) << 16;

/// At this place of a file; as it comes where there are no places.
bool write_all(int descriptor, const std::string& text, std::optional<int64_t> place) {
  size_t done = 0;
  while (done < text.size()) {
    const char* const from = text.data() + done;
    const size_t size = text.size() - done;
    const ssize_t written =
        place ? pwrite(descriptor, from, size, *place + int64_t(done)) : ::write(descriptor, from, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    done += static_cast<size_t>(written);
  }
  return true;
}

/// FILE.json with ".part" before its extension.
std::string with_part(const std::string& path, const std::string& part) {
  const size_t dot = std::min(path.rfind(extension), path.size());
  return path.substr(0, dot) + "." + part + path.substr(dot);
}

bool is_regular(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

/// The empty file's descriptor, which keeps other processes from opening it so; -1 (and errno) when there is
/// none. A file system without locks cannot tell that another process has it. Pipes and devices are shared.
int open_alone(const std::string& path, bool& in_use) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
  if (descriptor < 0 || !is_regular(descriptor)) return descriptor;
  const bool locked = flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  in_use = !locked && errno == EWOULDBLOCK;
  if (in_use || ftruncate(descriptor, 0) != 0) {
    const int error = errno;
    ::close(descriptor);
    errno = error;
    return -1;
  }
  return descriptor;
}

constexpr const char* closing = "\n]\n";

}  // namespace

std::string name_for_rank(const std::string& path) {
  if (path.find(extension) == std::string::npos) return path;
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    const char* value = environment_variable(name);
    const std::string rank = value == nullptr ? "" : value;
    if (!rank.empty() && rank.find_first_not_of("0123456789") == std::string::npos)
      return with_part(path, "rank" + rank);
  }
  return path;
}

bool ChromeFile::open(const std::string& path) {
  close();
  std::string name = path;
  bool in_use = false, is_new = access(name.c_str(), F_OK) != 0;
  descriptor_ = open_alone(name, in_use);
  if (in_use) {
    name = with_part(path, std::to_string(getpid()));
    is_new = access(name.c_str(), F_OK) != 0;
    descriptor_ = open_alone(name, in_use);
  }
  if (descriptor_ < 0) return false;
  is_file_ = is_regular(descriptor_);
  end_ = 0;
  first_ = true;
  pending_ = "[";
  if (write()) return true;
  const int error = errno;
  if (is_new && is_file_) unlink(name.c_str());
  close_descriptor();
  errno = error;
  return false;
}

bool ChromeFile::add(const std::string& event) {
  pending_ += first_ ? "\n" : ",\n";
  first_ = false;
  pending_ += event;
  return pending_.size() < enough_bytes || write();
}

bool ChromeFile::write() {
  if (descriptor_ < 0 || pending_.empty()) return true;
  const WithoutWriteSignals without_signals;
  const bool written = is_file_ ? write_file() : write_stream();
  pending_.clear();
  return written;
}

/// A full disk loses these events, and takes none of those that are there.
bool ChromeFile::write_file() {
  if (write_all(descriptor_, pending_ + closing, end_)) {
    end_ += static_cast<int64_t>(pending_.size());
    return true;
  }
  const int error = errno;
  // The bracket was there: room for it is.
  if (end_ > 0 && ftruncate(descriptor_, end_) == 0) write_all(descriptor_, closing, end_);
  first_ = end_ <= 1;
  errno = error;
  return false;
}

/// What came after a gap could not be read: it ends there.
bool ChromeFile::write_stream() {
  if (write_all(descriptor_, pending_, std::nullopt)) return true;
  const int error = errno;
  close_descriptor();
  errno = error;
  return false;
}

bool ChromeFile::end() {
  if (is_file_ || descriptor_ < 0) return write();
  pending_ += closing;
  const bool written = write();
  close_descriptor();
  return written;
}

void ChromeFile::close() {
  if (descriptor_ < 0) return;
  end();
  close_descriptor();
}

void ChromeFile::close_descriptor() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

}  // namespace cugrb::trace
