#include "src/jit/private_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "src/support/write_signals.h"

namespace cugrb::jit {
namespace {

namespace fs = std::filesystem;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return number_; }
  /// An errno, or 0.
  int close() {
    const int number = number_;
    number_ = -1;
    return ::close(number) == 0 ? 0 : errno;
  }

 private:
  int number_;
};

std::optional<std::string> read_all(int file, size_t expected) {
  std::string content(expected, '\0');
  size_t done = 0;
  while (done < content.size()) {
    const ssize_t got = read(file, content.data() + done, content.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    done += static_cast<size_t>(got);
  }
  return content;
}

}  // namespace

std::string distrust(const struct stat& status) {
  if (status.st_uid != geteuid() && status.st_uid != 0)
    return "it belongs to another user (" + std::to_string(status.st_uid) + ")";
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) return "its group or others can write to it";
  return "";
}

std::string distrust_of_folder(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 ? distrust(status) : "";
}

int make_private_folders(const std::string& path) {
  fs::path made;
  for (const fs::path& part : fs::path(path)) {
    made /= part;
    if (access(made.c_str(), F_OK) == 0) continue;
    if (mkdir(made.c_str(), 0700) != 0 && errno != EEXIST) return errno;
  }
  return 0;
}

std::optional<std::string> read_private_file(const std::string& path, std::string& refusal) {
  refusal.clear();
  const Descriptor file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file < 0) {
    if (errno == ELOOP) refusal = "it is a symbolic link";
    return std::nullopt;
  }
  struct stat status;
  if (fstat(file, &status) != 0) return std::nullopt;
  refusal = S_ISREG(status.st_mode) ? distrust(status) : "it is no regular file";
  if (!refusal.empty()) return std::nullopt;
  // Another user's root-owned cache keeps its times: that use is then not known.
  static_cast<void>(futimens(file, nullptr));
  return read_all(file, static_cast<size_t>(status.st_size));
}

int write_new_file(const std::string& path, const std::string& content) {
  Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (file < 0) return errno;
  const WithoutWriteSignals without_signal;
  size_t done = 0;
  while (done < content.size()) {
    const ssize_t written = write(file, content.data() + done, content.size() - done);
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) done += static_cast<size_t>(written);
  }
  return file.close();
}

}  // namespace cugrb::jit
