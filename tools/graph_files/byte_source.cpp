#include "tools/graph_files/byte_source.h"

#include <lzma.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "tools/graph_files/file_error.h"

namespace cugrb::graph_files {
namespace {

constexpr size_t block_bytes = 1 << 18;

/// The file itself, with a buffer in front that lets the first bytes be looked at.
class PlainSource : public ByteSource {
 public:
  explicit PlainSource(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "rb")) {
    if (file_ == nullptr) throw FileError(path, 0, std::string("cannot be opened: ") + std::strerror(errno));
    struct stat status;
    if (fstat(fileno(file_), &status) == 0 && S_ISDIR(status.st_mode)) {
      std::fclose(file_);
      throw FileError(path, 0, "is a directory, not a graph file");
    }
  }
  ~PlainSource() override { std::fclose(file_); }
  PlainSource(const PlainSource&) = delete;
  PlainSource& operator=(const PlainSource&) = delete;

  size_t read(char* to, size_t size) override {
    const size_t count = std::fread(to, 1, size, file_);
    if (count == 0 && std::ferror(file_))
      throw FileError(path_, 0, "read error: " + std::string(std::strerror(errno)));
    consumed_ += count;
    return count;
  }
  uint64_t consumed() const override { return consumed_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::FILE* file_;
  uint64_t consumed_ = 0;
};

/// Common part of the decompressors: a block of compressed input.
class CompressedSource : public ByteSource {
 public:
  CompressedSource(std::unique_ptr<PlainSource> file, std::vector<char> first)
      : file_(std::move(file)), block_(std::move(first)), used_(block_.size()) {}
  uint64_t consumed() const override { return file_->consumed(); }

 protected:
  /// The next block of input; empty at the end of the file.
  std::vector<char>& next_block() {
    if (used_ == 0) {
      block_.resize(block_bytes);
      block_.resize(file_->read(block_.data(), block_bytes));
    }
    used_ = 0;
    return block_;
  }
  [[noreturn]] void fail(const std::string& what) const { throw FileError(file_->path(), 0, what); }

 private:
  std::unique_ptr<PlainSource> file_;
  std::vector<char> block_;
  size_t used_;  // nonzero: block_ holds the first bytes, not handed out yet
};

class GzipSource : public CompressedSource {
 public:
  GzipSource(std::unique_ptr<PlainSource> file, std::vector<char> first)
      : CompressedSource(std::move(file), std::move(first)) {
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) fail("zlib cannot be started");
  }
  ~GzipSource() override { inflateEnd(&stream_); }

  size_t read(char* to, size_t size) override {
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(size);
    while (stream_.avail_out == size) {
      if (stream_.avail_in == 0 && !refill()) return 0;
      if (member_ended_) {  // another gzip member follows
        inflateReset(&stream_);
        member_ended_ = false;
      }
      const int state = inflate(&stream_, Z_NO_FLUSH);
      member_ended_ = state == Z_STREAM_END;
      if (state != Z_OK && state != Z_STREAM_END && state != Z_BUF_ERROR) {
        fail(std::string("the gzip data is damaged: ") +
             (stream_.msg != nullptr ? stream_.msg : "unknown error"));
      }
    }
    return size - stream_.avail_out;
  }

 private:
  bool refill() {
    std::vector<char>& block = next_block();
    if (block.empty()) {
      if (!member_ended_) fail("the gzip data is truncated");
      return false;
    }
    stream_.next_in = reinterpret_cast<Bytef*>(block.data());
    stream_.avail_in = static_cast<uInt>(block.size());
    return true;
  }
  z_stream stream_{};
  bool member_ended_ = false;
};

class XzSource : public CompressedSource {
 public:
  XzSource(std::unique_ptr<PlainSource> file, std::vector<char> first)
      : CompressedSource(std::move(file), std::move(first)) {
    if (lzma_stream_decoder(&stream_, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK)
      fail("liblzma cannot be started");
  }
  ~XzSource() override { lzma_end(&stream_); }

  size_t read(char* to, size_t size) override {
    stream_.next_out = reinterpret_cast<uint8_t*>(to);
    stream_.avail_out = size;
    while (stream_.avail_out == size && !ended_) {
      if (stream_.avail_in == 0 && action_ == LZMA_RUN) refill();
      const lzma_ret state = lzma_code(&stream_, action_);
      if (state == LZMA_STREAM_END) {
        ended_ = true;
      } else if (state == LZMA_BUF_ERROR) {
        fail("the xz data is truncated");
      } else if (state != LZMA_OK) {
        fail("the xz data is damaged");
      }
    }
    return size - stream_.avail_out;
  }

 private:
  void refill() {
    std::vector<char>& block = next_block();
    stream_.next_in = reinterpret_cast<const uint8_t*>(block.data());
    stream_.avail_in = block.size();
    if (block.empty()) action_ = LZMA_FINISH;
  }
  lzma_stream stream_ = LZMA_STREAM_INIT;
  lzma_action action_ = LZMA_RUN;
  bool ended_ = false;
};

/// A plain file whose first bytes have been read already.
class ReplayedSource : public ByteSource {
 public:
  ReplayedSource(std::unique_ptr<PlainSource> file, std::vector<char> first)
      : file_(std::move(file)), first_(std::move(first)) {}
  size_t read(char* to, size_t size) override {
    if (position_ == first_.size()) return file_->read(to, size);
    const size_t count = std::min(size, first_.size() - position_);
    std::memcpy(to, first_.data() + position_, count);
    position_ += count;
    return count;
  }
  uint64_t consumed() const override { return file_->consumed(); }

 private:
  std::unique_ptr<PlainSource> file_;
  std::vector<char> first_;
  size_t position_ = 0;
};

}  // namespace

std::unique_ptr<ByteSource> open_bytes(const std::string& path) {
  auto file = std::make_unique<PlainSource>(path);
  std::vector<char> first(6);
  size_t count = 0;
  while (count < first.size()) {
    const size_t more = file->read(first.data() + count, first.size() - count);
    if (more == 0) break;
    count += more;
  }
  first.resize(count);
  const auto starts_with = [&](const char* magic, size_t n) {
    return count >= n && std::memcmp(first.data(), magic, n) == 0;
  };
  if (starts_with("\x1f\x8b", 2)) return std::make_unique<GzipSource>(std::move(file), std::move(first));
  if (starts_with("\xfd"
                  "7zXZ\0",
                  6))
    return std::make_unique<XzSource>(std::move(file), std::move(first));
  return std::make_unique<ReplayedSource>(std::move(file), std::move(first));
}

uint64_t file_size(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) ? static_cast<uint64_t>(status.st_size)
                                                                     : 0;
}

}  // namespace cugrb::graph_files
