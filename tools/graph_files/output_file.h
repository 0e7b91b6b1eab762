// A file that a program writes: there as a whole, or not at all.
#pragma once
#include <sys/stat.h>

#include <string>
#include <string_view>

#include "tools/graph_files/temporary_path.h"

namespace cugrb::graph_files {

/// Regular files are written beside their place and renamed when they are complete, with the mode and owner
/// of the file that they replace. A symbolic link stays, and its target is written. What is no regular file
/// (a device, a pipe) is opened and written as it is; of this process's own descriptors (/dev/stdout,
/// /dev/fd/N) a copy is. Everything that fails is a FileError, a full disk and a closed pipe included (while
/// SIGPIPE is ignored).
class OutputFile {
 public:
  /// Fails at once when the file could not be written. A regular file gets none of the bits of its mode that
  /// are `withheld`.
  explicit OutputFile(const std::string& path, mode_t withheld = 0);
  /// Without commit() nothing is left of a regular file.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  void open_target();
  void open_neighbour(const struct stat* replaced);
  void flush();
  [[noreturn]] void fail(const std::string& why) const;
  [[noreturn]] void fail_with_errno() const;

  std::string path_;    ///< as the user wrote it
  std::string target_;  ///< what it means, links followed
  mode_t withheld_;
  std::string buffer_;
  TemporaryPath neighbour_;  ///< empty: written as it is
  int file_ = -1;
};

/// The whole of a small file.
void write_file(const std::string& path, std::string_view bytes);

/// Whether two paths mean the same regular file, which is there.
bool same_file(const std::string& a, const std::string& b);

/// Whether what is written to the path goes where standard output goes.
bool is_standard_output(const std::string& path);

}  // namespace cugrb::graph_files
