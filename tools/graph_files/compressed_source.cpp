#include "tools/graph_files/compressed_source.h"

#include <lzma.h>
#include <zlib.h>

namespace cugrb::graph_files {
namespace {

/// Common part of the decompressors: the compressed bytes, and what may follow a member.
class CompressedSource : public ByteSource {
 public:
  explicit CompressedSource(std::unique_ptr<PlainFile> file) : file_(std::move(file)) {}
  uint64_t consumed() const override { return file_->consumed(); }

 protected:
  PlainFile& file() { return *file_; }
  [[noreturn]] void fail(const std::string& what) const { file_->fail(what); }

  /// After a member: whether another one follows, instead of the end of the file or of padding up to it.
  bool another_follows(std::string_view magic, const char* kind, const char* member, uint64_t padding_unit) {
    if (file_->next_is(magic)) return true;
    uint64_t zeros = 0;
    while (file_->next_is({"", 1})) {
      file_->take(1);
      ++zeros;
    }
    const bool at_end = file_->window().empty();
    if (zeros % padding_unit == 0 && (at_end || (padding_unit > 1 && file_->next_is(magic)))) return !at_end;
    const uint64_t count = zeros + file_->skip_rest();
    const std::string padding =
        padding_unit > 1 ? "a multiple of " + std::to_string(padding_unit) + " zeros" : "zeros";
    fail(std::to_string(count) + (count == 1 ? " byte" : " bytes") + " after the end of the " + kind +
         " data that " + (count == 1 ? "is" : "are") + " no " + kind + " " + member + "; expected " +
         padding + " or nothing");
  }

 private:
  std::unique_ptr<PlainFile> file_;
};

class GzipSource : public CompressedSource {
 public:
  explicit GzipSource(std::unique_ptr<PlainFile> file) : CompressedSource(std::move(file)) {
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) fail("zlib cannot be started");
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  size_t read(char* to, size_t size) override {
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(size);
    while (stream_.avail_out == size && !ended_) step();
    return size - stream_.avail_out;
  }

 private:
  void step() {
    const std::string_view input = file().window();
    if (input.empty()) fail("the gzip data is truncated");
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream_.avail_in = static_cast<uInt>(input.size());
    const int state = inflate(&stream_, Z_NO_FLUSH);
    file().take(input.size() - stream_.avail_in);
    if (state == Z_STREAM_END) {
      ended_ = !another_follows(gzip_magic, "gzip", "member", 1);
      inflateReset(&stream_);
    } else if (state != Z_OK && state != Z_BUF_ERROR) {
      fail(std::string("the gzip data is damaged: ") +
           (stream_.msg != nullptr ? stream_.msg : "unknown error"));
    }
  }

  z_stream stream_{};
  bool ended_ = false;
};

class XzSource : public CompressedSource {
 public:
  explicit XzSource(std::unique_ptr<PlainFile> file) : CompressedSource(std::move(file)) { start(); }
  ~XzSource() override { lzma_end(&stream_); }
  XzSource(const XzSource&) = delete;
  XzSource& operator=(const XzSource&) = delete;

  size_t read(char* to, size_t size) override {
    stream_.next_out = reinterpret_cast<uint8_t*>(to);
    stream_.avail_out = size;
    while (stream_.avail_out == size && !ended_) step();
    return size - stream_.avail_out;
  }

 private:
  void start() {
    if (lzma_stream_decoder(&stream_, UINT64_MAX, 0) != LZMA_OK) fail("liblzma cannot be started");
  }

  void step() {
    const std::string_view input = file().window();
    stream_.next_in = reinterpret_cast<const uint8_t*>(input.data());
    stream_.avail_in = input.size();
    const lzma_ret state = lzma_code(&stream_, input.empty() ? LZMA_FINISH : LZMA_RUN);
    file().take(input.size() - stream_.avail_in);
    if (state == LZMA_STREAM_END) {
      ended_ = !another_follows(xz_magic, "xz", "stream", 4);
      if (!ended_) start();
    } else if (state == LZMA_BUF_ERROR) {
      fail("the xz data is truncated");
    } else if (state != LZMA_OK) {
      fail("the xz data is damaged");
    }
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> make_gzip_source(std::unique_ptr<PlainFile> file) {
  return std::make_unique<GzipSource>(std::move(file));
}
std::unique_ptr<ByteSource> make_xz_source(std::unique_ptr<PlainFile> file) {
  return std::make_unique<XzSource>(std::move(file));
}

}  // namespace cugrb::graph_files
