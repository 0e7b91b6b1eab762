#include "src/support/trace_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "src/support/environment.h"
#include "src/support/file_size_signal.h"

namespace cugrb::trace {
namespace {

constexpr const char* extension = ".json";
constexpr size_t enough_bytes = size_t(1) << 16;

bool write_all(int descriptor, const std::string& text, int64_t offset) {
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = pwrite(descriptor, text.data() + done, text.size() - done, offset + done);
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

/// The empty file's descriptor, which keeps other processes from opening it so; -1 (and errno) when there is
/// none. A file system without locks cannot tell that another process has it.
int open_alone(const std::string& path, bool& in_use) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return -1;
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
  bool in_use = false;
  descriptor_ = open_alone(path, in_use);
  if (in_use) descriptor_ = open_alone(with_part(path, std::to_string(getpid())), in_use);
  if (descriptor_ < 0) return false;
  end_ = 0;
  first_ = true;
  pending_ = "[";
  write();
  return true;
}

void ChromeFile::add(const std::string& event) {
  pending_ += first_ ? "\n" : ",\n";
  first_ = false;
  pending_ += event;
  if (pending_.size() >= enough_bytes) write();
}

void ChromeFile::write() {
  if (descriptor_ < 0 || pending_.empty()) return;
  const auto length = static_cast<int64_t>(pending_.size());
  pending_ += "\n]\n";
  const WithoutFileSizeSignal without_signal;
  // A full disk loses records, never the program.
  if (write_all(descriptor_, pending_, end_)) end_ += length;
  pending_.clear();
}

void ChromeFile::close() {
  if (descriptor_ < 0) return;
  write();
  ::close(descriptor_);
  descriptor_ = -1;
}

}  // namespace cugrb::trace
