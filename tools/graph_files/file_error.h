// What is wrong with a graph file: file, line and expectation in one message.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>

namespace cugrb::graph_files {

class FileError : public std::runtime_error {
 public:
  explicit FileError(const std::string& message) : std::runtime_error(message) {}
  /// "graph.mtx:12: expected a row between 1 and 5, found '7'"; line 0: the file as a whole.
  FileError(const std::string& file, uint64_t line, const std::string& message)
      : std::runtime_error(file + (line > 0 ? ":" + std::to_string(line) : "") + ": " + message) {}
};

}  // namespace cugrb::graph_files
