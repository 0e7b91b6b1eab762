// A file's bytes, decompressed on the way: plain, gzip or xz, told apart by their first bytes.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

namespace cugrb::graph_files {

class PlainFile;

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Up to `size` decompressed bytes; 0 at the end. Throws FileError on a read error or damaged compressed
  /// data.
  virtual size_t read(char* to, size_t size) = 0;
  /// Compressed bytes used so far, for progress.
  virtual uint64_t consumed() const = 0;
};

/// Opens a file. Throws FileError when it cannot be read.
std::unique_ptr<ByteSource> open_bytes(const std::string& path);

/// The same of a file that is not compressed, which can be read from its middle on. Throws FileError for one
/// that is.
std::unique_ptr<PlainFile> open_plain(const std::string& path);

/// The file's size in bytes; 0 when unknown (a pipe).
uint64_t file_size(const std::string& path);

}  // namespace cugrb::graph_files
