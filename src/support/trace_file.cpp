#include "src/support/trace_file.h"

#include <fcntl.h>
#include <unistd.h>

namespace cugrb::trace {
namespace {

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

}  // namespace

bool ChromeFile::open(const std::string& path) {
  close();
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
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
