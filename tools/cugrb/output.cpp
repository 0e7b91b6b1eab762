#include "tools/cugrb/output.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include "tools/cugrb/command.h"

namespace cugrb::command {

using nlohmann::json;

namespace {

void make_valid(json& value) {
  if (value.is_string()) {
    value = valid_utf8(value.get_ref<const std::string&>());
  } else if (value.is_array()) {
    for (json& element : value) make_valid(element);
  } else if (value.is_object()) {
    json valid = json::object();
    for (auto& [key, element] : value.items()) {
      make_valid(element);
      valid[valid_utf8(key)] = std::move(element);
    }
    value = std::move(valid);
  }
}

}  // namespace

std::string printable_lines(const std::string& text) {
  std::string lines;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines += (begin > 0 ? "\n" : "") + printable(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::string json_text(const json& value, int indent) {
  json valid = value;
  make_valid(valid);
  return valid.dump(indent);
}

OptionalOutput::OptionalOutput(const std::string& path, mode_t withheld) {
  if (!path.empty()) file_ = std::make_unique<graph_files::OutputFile>(path, withheld);
}

void OptionalOutput::write(const std::string& text) {
  if (file_ == nullptr) return;
  file_->write(text);
  file_->commit();
  file_.reset();
}

void check_outputs(const NamedFiles& outputs, const std::vector<std::string>& inputs) {
  for (size_t k = 0; k < outputs.size(); ++k) {
    const auto& [option, path] = outputs[k];
    if (path.empty()) continue;
    for (const std::string& input : inputs) {
      if (!graph_files::same_file(path, input)) continue;
      throw Failure(
          fmt::format("{}: {} is read by this command; expected another file", option, printable(path)),
          usage);
    }
    for (size_t other = 0; other < k; ++other) {
      const std::string& same = outputs[other].second;
      // Nothing can be lost in a device or a pipe.
      const bool new_file = path == same && access(path.c_str(), F_OK) != 0;
      if (!new_file && !graph_files::same_file(path, same)) continue;
      throw Failure(fmt::format("{} and {}: both are {}; expected two files", outputs[other].first, option,
                                printable(path)),
                    usage);
    }
  }
}

void write_message(const std::string& path, const json& message) {
  const std::vector<uint8_t> bytes = json::to_msgpack(message);
  write_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

json read_message(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return json::from_msgpack(std::istreambuf_iterator<char>(file), {}, true, false);
}

void reserve_standard_descriptors() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(number, F_GETFD) >= 0) continue;
    // The lowest free number is this one. What is opened cannot be used in the direction that is meant.
    open("/dev/null", (number == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
  }
}

void flush_standard_output() {
  errno = 0;
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return;
  throw Failure(fmt::format("standard output cannot be written{}{}", errno != 0 ? ": " : "",
                            errno != 0 ? std::strerror(errno) : ""));
}

}  // namespace cugrb::command
