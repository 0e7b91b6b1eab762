#include "tools/graph_files/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdio>
#include <cstring>
#include <utility>

#include "tools/graph_files/file_error.h"

namespace cugrb::graph_files {
namespace {

constexpr size_t buffer_bytes = 1 << 16;

std::string folder_of(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

/// The number of this process's descriptor that the path names; -1 when it names none.
int own_descriptor(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  const std::string folders[] = {"/dev/fd/", "/proc/self/fd/", "/proc/" + std::to_string(getpid()) + "/fd/"};
  for (const std::string& folder : folders) {
    if (path.compare(0, folder.size(), folder) != 0) continue;
    int number = -1;
    const char* end = path.data() + path.size();
    const auto [rest, error] = std::from_chars(path.data() + folder.size(), end, number);
    return error == std::errc() && rest == end ? number : -1;
  }
  return -1;
}

/// Where a chain of symbolic links ends: a name that is no link, or there is nothing of that name, or it is
/// one of this process's descriptors. Empty, with errno: the chain is too long or cannot be read.
std::string followed(std::string path) {
  for (int links = 0; links < 40; ++links) {
    if (own_descriptor(path) >= 0) return path;
    struct stat status;
    if (lstat(path.c_str(), &status) != 0) return errno == ENOENT ? path : "";
    if (!S_ISLNK(status.st_mode) || path.compare(0, 6, "/proc/") == 0) return path;
    char link[PATH_MAX];
    const ssize_t length = readlink(path.c_str(), link, sizeof link);
    if (length < 0) return "";
    const std::string to(link, static_cast<size_t>(length));
    path = to.front() == '/' ? to : folder_of(path) + to;
  }
  errno = ELOOP;
  return "";
}

}  // namespace

OutputFile::OutputFile(const std::string& path, mode_t withheld)
    : path_(path), target_(followed(path)), withheld_(withheld) {
  if (path.empty()) fail("it has no name");
  if (target_.empty()) fail_with_errno();
  const int own = own_descriptor(target_);
  struct stat status;
  if (own >= 0) {
    std::fflush(stdout);
    file_ = fcntl(own, F_DUPFD_CLOEXEC, 0);
    if (file_ < 0) fail_with_errno();
  } else if (stat(target_.c_str(), &status) != 0) {
    if (errno != ENOENT) fail_with_errno();
    open_neighbour(nullptr);
  } else if (S_ISDIR(status.st_mode)) {
    fail("it is a directory");
  } else if (S_ISREG(status.st_mode) && target_.compare(0, 6, "/proc/") != 0) {
    open_neighbour(&status);
  } else {
    open_target();
  }
}

void OutputFile::open_target() {
  file_ = open(target_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (file_ < 0) fail_with_errno();
}

void OutputFile::open_neighbour(const struct stat* replaced) {
  if (replaced != nullptr && access(target_.c_str(), W_OK) != 0) fail_with_errno();
  if (target_.back() == '/') fail("it is a directory that does not exist");
  const std::string folder = folder_of(target_);
  file_ = neighbour_.create(folder + ".cugrb-", ".part", 0666 & ~withheld_);
  if (file_ < 0) {
    const std::string why = std::strerror(errno);
    fail("no file can be made in " + printable(folder.empty() ? "the current folder" : folder) + ": " + why);
  }
  if (replaced == nullptr) return;
  // Only a privileged user may give a file away; without that the new file is the writer's.
  const bool given = fchown(file_, replaced->st_uid, replaced->st_gid) == 0;
  if (fchmod(file_, replaced->st_mode & (given ? 07777u : 0777u) & ~withheld_) != 0) fail_with_errno();
}

OutputFile::~OutputFile() {
  if (file_ >= 0) close(file_);
}

void OutputFile::write(std::string_view bytes) {
  buffer_.append(bytes);
  if (buffer_.size() >= buffer_bytes) flush();
}

void OutputFile::flush() {
  for (size_t done = 0; done < buffer_.size();) {
    const ssize_t count = ::write(file_, buffer_.data() + done, buffer_.size() - done);
    if (count < 0 && errno != EINTR) fail_with_errno();
    if (count > 0) done += static_cast<size_t>(count);
  }
  buffer_.clear();
}

void OutputFile::commit() {
  flush();
  const int file = std::exchange(file_, -1);
  if (close(file) != 0) fail_with_errno();
  if (neighbour_.path().empty()) return;
  if (std::rename(neighbour_.path().c_str(), target_.c_str()) != 0) fail_with_errno();
  neighbour_.forget();
}

void OutputFile::fail(const std::string& why) const {
  throw FileError(path_, 0, "cannot be written: " + why);
}
void OutputFile::fail_with_errno() const { fail(std::strerror(errno)); }

void write_file(const std::string& path, std::string_view bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.commit();
}

bool same_file(const std::string& a, const std::string& b) {
  struct stat of_a, of_b;
  return stat(a.c_str(), &of_a) == 0 && stat(b.c_str(), &of_b) == 0 && S_ISREG(of_a.st_mode) &&
         of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

bool is_standard_output(const std::string& path) { return own_descriptor(followed(path)) == STDOUT_FILENO; }

}  // namespace cugrb::graph_files
