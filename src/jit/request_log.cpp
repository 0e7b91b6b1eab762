#include "src/jit/request_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string_view>

#include "src/support/environment.h"
#include "src/support/text.h"
#include "src/support/write_signals.h"

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

/// False (and errno) when not all of it could be written.
bool append(int file, std::string_view text) {
  const WithoutWriteSignals without_signals;
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
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
  static const char* const path = environment_variable("CUGRB_REQUESTS");
  if (path == nullptr || *path == '\0') return;
  static const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
  static const int not_opened = file < 0 ? errno : 0;
  static std::once_flag told;
  // One write: lines of several threads do not mix.
  if (file >= 0 && append(file, to_json(request) + "\n")) return;
  std::call_once(told, [error = file < 0 ? not_opened : errno] {
    std::fprintf(stderr, "cugrb: kernel requests are missing in %s: %s\n", printable(path).c_str(),
                 std::strerror(error));
  });
}

}  // namespace cugrb::jit
