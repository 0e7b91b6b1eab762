// Names of files that must not outlive the process.
#pragma once
#include <sys/types.h>

#include <string>

namespace cugrb::graph_files {

/// A new file under a name of its own, which is removed at the end of scope, and by remove_temporary_paths()
/// when a signal ends the process.
class TemporaryPath {
 public:
  TemporaryPath() = default;
  ~TemporaryPath() { remove(); }
  TemporaryPath(const TemporaryPath&) = delete;
  TemporaryPath& operator=(const TemporaryPath&) = delete;

  /// Makes an empty file, `beginning` and `end` around what makes the name new, open for writing; the caller
  /// closes the descriptor. -1 when it cannot be made (errno).
  int create(const std::string& beginning, const std::string& end, mode_t mode);
  const std::string& path() const { return path_; }
  /// The file has another name now: nothing is left to remove.
  void forget();
  void remove();

 private:
  std::string path_;
  int slot_ = -1;
};

/// Removes the files of every TemporaryPath. Safe in a signal handler.
void remove_temporary_paths();

}  // namespace cugrb::graph_files
