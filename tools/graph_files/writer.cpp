#include <zlib.h>

#include <charconv>

#include "tools/graph_files/output_file.h"
#include "tools/graph_files/read.h"

namespace cugrb::graph_files {
namespace {

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

uint64_t count_written(const Csr& a) {
  if (!a.symmetric) return a.entries();
  uint64_t count = 0;
  for (uint64_t i = 0; i < a.nrows; ++i) {
    for (uint64_t p = a.offsets[i]; p < a.offsets[i + 1]; ++p) count += a.columns[p] <= i;
  }
  return count;
}

}  // namespace

/// Text into a file, compressed on demand.
class TextOutput {
 public:
  explicit TextOutput(const std::string& path)
      : file_(path), path_(path), compressed_(ends_with(path, ".gz")) {
    if (compressed_ && deflateInit2(&stream_, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
      throw FileError(path, 0, "cannot be written: zlib cannot be started");
  }
  ~TextOutput() {
    if (compressed_) deflateEnd(&stream_);
  }
  TextOutput(const TextOutput&) = delete;
  TextOutput& operator=(const TextOutput&) = delete;

  void text(std::string_view s) {
    buffer_.append(s);
    if (buffer_.size() >= (1 << 16)) flush(Z_NO_FLUSH);
  }
  template <class Number>
  void number(Number x) {
    char digits[32];
    buffer_.append(digits, std::to_chars(digits, digits + sizeof digits, x).ptr);
  }
  void commit() {
    flush(Z_FINISH);
    file_.commit();
  }

 private:
  void flush(int how) {
    if (compressed_) {
      compress(how);
    } else {
      file_.write(buffer_);
    }
    buffer_.clear();
  }
  void compress(int how) {
    char block[1 << 16];
    stream_.next_in = reinterpret_cast<Bytef*>(buffer_.data());
    stream_.avail_in = static_cast<uInt>(buffer_.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(block);
      stream_.avail_out = sizeof block;
      if (deflate(&stream_, how) == Z_STREAM_ERROR)
        throw FileError(path_, 0, "cannot be written: zlib fails to compress");
      file_.write({block, sizeof block - stream_.avail_out});
    } while (stream_.avail_out == 0);
  }

  OutputFile file_;
  std::string path_, buffer_;
  bool compressed_;
  z_stream stream_{};
};

MatrixMarketFile::MatrixMarketFile(const std::string& path) {
  if (ends_with(path, ".xz"))
    throw FileError(path, 0, "writing .xz is not supported; expected .mtx or .mtx.gz");
  out_ = std::make_unique<TextOutput>(path);
}

MatrixMarketFile::~MatrixMarketFile() = default;

void MatrixMarketFile::write(const Csr& a, const std::string& comment) {
  TextOutput& out = *out_;
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

void write_matrix_market(const std::string& path, const Csr& matrix, const std::string& comment) {
  MatrixMarketFile(path).write(matrix, comment);
}

}  // namespace cugrb::graph_files
