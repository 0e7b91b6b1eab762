#include "tools/graph_files/plain_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "tools/graph_files/buffer_sizes.h"
#include "tools/graph_files/file_error.h"

namespace cugrb::graph_files {
PlainFile::PlainFile(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "rb")) {
  if (file_ == nullptr) fail(std::string("cannot be opened: ") + std::strerror(errno));
  struct stat status;
  if (fstat(fileno(file_), &status) == 0 && S_ISDIR(status.st_mode)) {
    std::fclose(file_);
    fail("is a directory, not a graph file");
  }
  block_.resize(block_bytes);
}

PlainFile::~PlainFile() { std::fclose(file_); }

void PlainFile::fail(const std::string& message) const { throw FileError(path_, 0, message); }

/// Moves what is left to the front and appends what the file gives; false at its end.
bool PlainFile::fill() {
  std::memmove(block_.data(), block_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  const size_t count = std::fread(block_.data() + end_, 1, block_.size() - end_, file_);
  if (count == 0 && std::ferror(file_)) fail("read error: " + std::string(std::strerror(errno)));
  consumed_ += count;
  end_ += count;
  return count > 0;
}

std::string_view PlainFile::peek(size_t count) {
  while (end_ - begin_ < count && fill()) {
  }
  return {block_.data() + begin_, std::min(count, end_ - begin_)};
}

std::string_view PlainFile::window() {
  if (begin_ == end_) fill();
  return {block_.data() + begin_, end_ - begin_};
}

size_t PlainFile::read(char* to, size_t size) {
  const std::string_view bytes = window().substr(0, size);
  std::memcpy(to, bytes.data(), bytes.size());
  take(bytes.size());
  return bytes.size();
}

void PlainFile::seek(uint64_t byte) {
  if (fseeko(file_, static_cast<off_t>(byte), SEEK_SET) != 0)
    fail("cannot be read from its middle on: " + std::string(std::strerror(errno)));
  begin_ = end_ = 0;
}

uint64_t PlainFile::skip_rest() {
  uint64_t count = 0;
  for (size_t more; (more = window().size()) > 0; take(more)) count += more;
  return count;
}

}  // namespace cugrb::graph_files
