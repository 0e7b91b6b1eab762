#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "tools/graph_files/read.h"

namespace cugrb::graph_files {
namespace {

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Text into a file under a temporary name, compressed on demand; commit() gives it its own name.
class Output {
 public:
  explicit Output(const std::string& path)
      : path_(path), temporary_(path + ".part" + std::to_string(getpid())) {
    // "T" writes without compression.
    file_ = gzopen(temporary_.c_str(), ends_with(path, ".gz") ? "wb6" : "wbT");
    if (file_ == nullptr) fail(std::strerror(errno));
    gzbuffer(file_, 1 << 18);
  }
  ~Output() {
    if (file_ != nullptr) gzclose(file_);
    if (!committed_) std::remove(temporary_.c_str());
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void text(std::string_view s) {
    buffer_.append(s);
    flush_if_long();
  }
  template <class Number>
  void number(Number x) {
    char digits[32];
    buffer_.append(digits, std::to_chars(digits, digits + sizeof digits, x).ptr);
  }
  void flush_if_long() {
    if (buffer_.size() >= (1 << 16)) flush();
  }
  void commit() {
    flush();
    const int state = gzclose(file_);
    file_ = nullptr;
    if (state != Z_OK) fail(std::strerror(errno));
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail(std::strerror(errno));
    committed_ = true;
  }

 private:
  void flush() {
    if (!buffer_.empty() && gzwrite(file_, buffer_.data(), static_cast<unsigned>(buffer_.size())) <= 0) {
      fail(std::strerror(errno));
    }
    buffer_.clear();
  }
  [[noreturn]] void fail(const std::string& why) const {
    throw FileError(path_, 0, "cannot be written: " + why);
  }

  std::string path_, temporary_, buffer_;
  gzFile file_ = nullptr;
  bool committed_ = false;
};

uint64_t count_written(const Csr& a) {
  if (!a.symmetric) return a.entries();
  uint64_t count = 0;
  for (uint64_t i = 0; i < a.nrows; ++i) {
    for (uint64_t p = a.offsets[i]; p < a.offsets[i + 1]; ++p) count += a.columns[p] <= i;
  }
  return count;
}

}  // namespace

void write_matrix_market(const std::string& path, const Csr& a, const std::string& comment) {
  if (ends_with(path, ".xz"))
    throw FileError(path, 0, "writing .xz is not supported; expected .mtx or .mtx.gz");
  Output out(path);
  const char* kinds[] = {"pattern", "integer", "real"};
  out.text(std::string("%%MatrixMarket matrix coordinate ") + kinds[static_cast<int>(a.values)] +
           (a.symmetric ? " symmetric\n" : " general\n"));
  if (!comment.empty()) out.text("% " + comment + "\n");
  out.text(std::to_string(a.nrows) + " " + std::to_string(a.ncols) + " " + std::to_string(count_written(a)) +
           "\n");
  for (uint64_t i = 0; i < a.nrows; ++i) {
    for (uint64_t p = a.offsets[i]; p < a.offsets[i + 1]; ++p) {
      if (a.symmetric && a.columns[p] > i) continue;
      out.number(i + 1);
      out.text(" ");
      out.number(a.columns[p] + 1);
      if (a.values != ValueKind::pattern) out.text(" ");
      if (a.values == ValueKind::integer) out.number(a.integers[p]);
      if (a.values == ValueKind::real)
        out.number(a.reals[p]);  // shortest digits that give the same double again
      out.text("\n");
    }
  }
  out.commit();
}

}  // namespace cugrb::graph_files
