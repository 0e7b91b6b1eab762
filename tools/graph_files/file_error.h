// What is wrong with a graph file: file, line and expectation in one message.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>

#include "src/support/text.h"

namespace cugrb::graph_files {

class FileError : public std::runtime_error {
 public:
  /// "graph.mtx:12: expected a row between 1 and 5, found '7'"; line 0: the file as a whole.
  FileError(const std::string& file, uint64_t line, const std::string& message)
      : std::runtime_error(text(file, line, message)) {}

 private:
  static std::string text(const std::string& file, uint64_t line, const std::string& message) {
    std::string all = printable(file);
    if (line > 0) all.append(":").append(std::to_string(line));
    return all.append(": ").append(message);
  }
};

}  // namespace cugrb::graph_files
