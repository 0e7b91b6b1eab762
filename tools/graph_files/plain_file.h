// A file's bytes as they are, with a window that lets the next ones be looked at before they are taken.
#pragma once
#include <cstdio>
#include <string>
#include <vector>

#include "tools/graph_files/byte_source.h"

namespace cugrb::graph_files {

class PlainFile : public ByteSource {
 public:
  /// Throws FileError when the file cannot be opened or is a directory.
  explicit PlainFile(const std::string& path);
  ~PlainFile() override;
  PlainFile(const PlainFile&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;

  size_t read(char* to, size_t size) override;
  uint64_t consumed() const override { return consumed_; }

  /// Looks at the next `count` bytes, fewer only at the end of the file; a small number.
  std::string_view peek(size_t count);
  /// The bytes that are in memory, at least one; empty at the end of the file.
  std::string_view window();
  /// Takes bytes that peek() or window() showed.
  void take(size_t count) { begin_ += count; }
  /// Whether the next bytes are these; at the end of the file they are not.
  bool next_is(std::string_view bytes) { return peek(bytes.size()) == bytes; }
  /// Takes all bytes up to the end and returns their number.
  uint64_t skip_rest();
  /// Goes on at that byte. Throws FileError for a pipe.
  void seek(uint64_t byte);
  /// FileError about the file as a whole.
  [[noreturn]] void fail(const std::string& message) const;

 private:
  bool fill();

  std::string path_;
  std::FILE* file_;
  std::vector<char> block_;
  size_t begin_ = 0, end_ = 0;  ///< of what is in block_ and not taken yet
  uint64_t consumed_ = 0;
};

}  // namespace cugrb::graph_files
