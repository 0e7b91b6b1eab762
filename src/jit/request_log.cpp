#include "src/jit/request_log.h"

#include <cstdio>
#include <cstdlib>

#include "src/support/environment.h"
#include "src/support/file_size_signal.h"

namespace cugrb::jit {
namespace {

void append_quoted(std::string& line, const std::string& text) {
  line += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      line += '\\';
      line += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof(escaped), "\\u%04x", static_cast<unsigned>(c));
      line += escaped;
    } else {
      line += c;
    }
  }
  line += '"';
}

}  // namespace

std::string to_json(const Request& request) {
  std::string line = "{\"header\": ";
  append_quoted(line, request.header);
  line += ", \"name\": ";
  append_quoted(line, request.name);
  line += ", \"preamble\": ";
  append_quoted(line, request.preamble);
  return line + "}";
}

void log_request(const Request& request) {
  static std::FILE* const file = [] {
    const char* path = environment_variable("CUGRB_REQUESTS");
    return path == nullptr || *path == '\0' ? nullptr : std::fopen(path, "ae");
  }();
  if (file == nullptr) return;
  const std::string line = to_json(request) + "\n";  // one write: lines of several threads do not mix
  const WithoutFileSizeSignal without_signal;
  std::fwrite(line.data(), 1, line.size(), file);
  std::fflush(file);
}

}  // namespace cugrb::jit
