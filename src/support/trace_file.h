// ChromeFile: an array of events on disk that is valid JSON after every write, so also after a crash.
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
  /// Kept in memory until enough have come together.
  void add(const std::string& event);
  /// Writes what is kept and the closing bracket; the next write begins over the bracket.
  void write();
  void close();

 private:
  int descriptor_ = -1;
  int64_t end_ = 0;  // where the closing bracket stands
  bool first_ = true;
  std::string pending_;
};

}  // namespace cugrb::trace
