// ChromeFile: an array of events on disk that is valid JSON after every write, so also after a crash. Into a
// pipe or a device it is written as it comes, and ends when the program does.
#pragma once
#include <cstdint>
#include <string>

namespace cugrb::trace {

/// FILE.rankN.json where Open MPI, MPICH or Slurm has given this process a rank; else, and of other names,
/// the same.
std::string name_for_rank(const std::string& path);

class ChromeFile {
 public:
  ChromeFile() = default;
  ~ChromeFile() { close(); }
  ChromeFile(const ChromeFile&) = delete;
  ChromeFile& operator=(const ChromeFile&) = delete;

  /// Creates or truncates the file; false (and errno) when that is not possible. Where another living process
  /// writes to FILE.json it is FILE.PID.json: no two write to one file.
  bool open(const std::string& path);
  bool is_open() const { return descriptor_ >= 0; }
  /// Kept in memory until enough have come together. False (and errno) when those cannot be written: they are
  /// lost, and what is in the file stays valid.
  bool add(const std::string& event);
  /// Writes what is kept and the closing bracket; the next write begins over the bracket. False as above.
  bool write();
  /// What was written can be read to its end: a pipe or a device gets its closing bracket, and no more
  /// events.
  bool end();
  void close();

 private:
  bool write_file();
  bool write_stream();
  void close_descriptor();

  int descriptor_ = -1;
  bool is_file_ = true;  // can be written over and truncated
  int64_t end_ = 0;      // where the closing bracket of a file stands
  bool first_ = true;
  std::string pending_;
};

}  // namespace cugrb::trace
