#include "src/support/trace_text.h"

#include <cstdio>

#include "src/support/number_text.h"
#include "src/support/text.h"

namespace cugrb::trace {
namespace {

std::string json_string(const std::string& text) {
  std::string out = "\"";
  // Compilers' messages and names may be in any encoding; JSON must be UTF-8.
  for (const char c : valid_utf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof(escaped), "\\u%04x", byte);
      out += escaped;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string json_number(double value) { return fixed_text(value, 3); }

}  // namespace

const char* name_of(Place place) {
  switch (place) {
    case Place::gpu:
      return "gpu";
    case Place::emulated:
      return "emulated";
    case Place::cpu:
      break;
  }
  return "cpu";
}

std::string seconds_text(double seconds) {
  if (seconds >= 1) return fixed_text(seconds, 3) + " s";
  if (seconds >= 1e-3) return fixed_text(seconds * 1e3, 3) + " ms";
  return fixed_text(seconds * 1e6, 2) + " us";
}

std::string bytes_text(uint64_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (value >= 1e9) return fixed_text(value * 1e-9, 2) + " GB";
  if (value >= 1e6) return fixed_text(value * 1e-6, 2) + " MB";
  if (value >= 1e3) return fixed_text(value * 1e-3, 2) + " kB";
  return std::to_string(bytes) + " B";
}

namespace {

/// "GrB_Matrix_setElement_INT64 (1.20 MB)", the calls by name.
std::string causes_text(const Record& r) {
  std::string text;
  for (const auto& [function, bytes] : r.up_because_of)
    text += (text.empty() ? "" : ", ") + function + " (" + bytes_text(bytes) + ")";
  return text;
}

}  // namespace

std::string to_text(const Record& r) {
  std::string text = std::string("cugrb: ") + r.function + " on " + name_of(r.place);
  const auto add = [&text](const char* label, const std::string& value) {
    if (!value.empty()) text += std::string(" | ") + label + value;
  };
  add("", r.sizes);
  add("", r.basis);
  add("", r.operation);
  add("kernel ", r.kernel);
  add("format ", r.format);
  add("", seconds_text(r.seconds));
  if (r.predicted_seconds > 0) add("predicted ", seconds_text(r.predicted_seconds));
  if (r.gpu_predicted_seconds > 0) add("gpu predicted ", seconds_text(r.gpu_predicted_seconds));
  if (r.cpu_predicted_seconds > 0) add("cpu predicted ", seconds_text(r.cpu_predicted_seconds));
  if (r.bytes_up > 0) add("up ", bytes_text(r.bytes_up));
  add("up because of ", causes_text(r));
  if (r.bytes_down > 0) add("down ", bytes_text(r.bytes_down));
  if (r.bytes_between > 0) add("between devices ", bytes_text(r.bytes_between));
  if (r.compiled > 0) add("compiled ", std::to_string(r.compiled));
  if (r.launches > 0) add("launches ", std::to_string(r.launches));
  if (r.put_off > 0) add("put off ", std::to_string(r.put_off));
  add("joined ", r.joined);
  add("", r.reason);
  add("", r.warning);
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';  // a record is one line, whatever a compiler said
  }
  return printable(text);
}

std::string to_chrome_event(const Record& r, unsigned process, unsigned thread) {
  std::string event = "{\"name\":" + json_string(r.function) + ",\"cat\":\"" + name_of(r.place) +
                      "\",\"ph\":\"X\",\"ts\":" + json_number(r.start_seconds * 1e6) +
                      ",\"dur\":" + json_number(r.seconds * 1e6) + ",\"pid\":" + std::to_string(process) +
                      ",\"tid\":" + std::to_string(thread) + ",\"args\":{\"place\":\"" + name_of(r.place) +
                      "\"";
  const auto text = [&event](const char* name, const std::string& value) {
    if (!value.empty()) event += std::string(",\"") + name + "\":" + json_string(value);
  };
  const auto number = [&event](const char* name, const std::string& value) {
    event += std::string(",\"") + name + "\":" + value;
  };
  text("sizes", r.sizes);
  text("basis", r.basis);
  text("operation", r.operation);
  text("kernel", r.kernel);
  text("format", r.format);
  text("reason", r.reason);
  text("warning", r.warning);
  if (r.predicted_seconds > 0) number("predicted_us", json_number(r.predicted_seconds * 1e6));
  if (r.gpu_predicted_seconds > 0) number("gpu_predicted_us", json_number(r.gpu_predicted_seconds * 1e6));
  if (r.cpu_predicted_seconds > 0) number("cpu_predicted_us", json_number(r.cpu_predicted_seconds * 1e6));
  number("bytes_up", std::to_string(r.bytes_up));
  number("bytes_down", std::to_string(r.bytes_down));
  if (r.bytes_between > 0) number("bytes_between", std::to_string(r.bytes_between));
  text("up_because_of", causes_text(r));
  if (r.compiled > 0) number("compiled", std::to_string(r.compiled));
  if (r.launches > 0) number("launches", std::to_string(r.launches));
  if (r.put_off > 0) number("put_off", std::to_string(r.put_off));
  text("joined", r.joined);
  return event + "}}";
}

}  // namespace cugrb::trace
