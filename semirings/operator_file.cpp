#include "semirings/operator_file.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "semirings/definition.h"
#include "src/support/declined.h"

namespace cugrb::catalogue {
namespace {

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

class FileReader {
 public:
  explicit FileReader(const std::string& text) : text_(text) {}

  std::map<std::string, NamedDefinition> all() {
    std::map<std::string, NamedDefinition> found;
    for (skip_space(); at_ < text_.size(); skip_space()) {
      NamedDefinition definition;
      definition.line = line();
      const std::string name = read_one(definition.text);
      const auto [place, is_new] = found.emplace(name, definition);
      if (!is_new) {
        fail(definition.line, "one definition of " + name + "; there is another one in line " +
                                  std::to_string(place->second.line));
      }
    }
    return found;
  }

 private:
  unsigned line() const {
    return unsigned(1 + std::count(text_.begin(), text_.begin() + std::ptrdiff_t(at_), '\n'));
  }
  [[noreturn]] static void fail(unsigned line, const std::string& expected) {
    throw std::runtime_error("line " + std::to_string(line) + ": expected " + expected);
  }
  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  std::string word() {
    skip_space();
    const size_t begin = at_;
    while (at_ < text_.size() && is_of_word(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  /// Its name; `definition` gets the text from `void` on.
  std::string read_one(std::string& definition) {
    const unsigned first_line = line();
    std::string found = word();
    size_t begin = at_ - found.size();
    while (found == "static" || found == "inline") {
      found = word();
      begin = at_ - found.size();
    }
    const std::string name = found == "void" ? word() : "";
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0)
      fail(first_line, "a definition void NAME(...) { ... }");
    skip_to_end_of('(', ')', "the parameters of " + name + ", from ( to )");
    skip_to_end_of('{', '}', "the body of " + name + ", from { to }");
    definition = text_.substr(begin, at_ - begin);
    return name;
  }

  void skip_to_end_of(char open, char close, const std::string& what) {
    skip_space();
    const unsigned first_line = line();
    if (at_ == text_.size() || text_[at_] != open) fail(first_line, what);
    for (int depth = 0; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') skip_literal(c);
      depth += c == open ? 1 : c == close ? -1 : 0;
      if (depth == 0) {
        ++at_;
        return;
      }
    }
    fail(first_line, what);
  }
  /// To the closing mark. read_definition has seen that there is one.
  void skip_literal(char mark) {
    for (++at_; at_ < text_.size() && text_[at_] != mark; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
  }

  const std::string& text_;
  size_t at_ = 0;
};

}  // namespace

std::map<std::string, NamedDefinition> read_operators(const std::string& text) {
  try {
    const std::string read = read_definition(text).text;  // without comments; lines keep their numbers
    return FileReader(read).all();
  } catch (const Declined& declined) {
    throw std::runtime_error(declined.what());
  }
}

std::map<std::string, NamedDefinition> read_operator_file(const std::string& path) {
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file.good() && !file.eof())
    throw std::runtime_error(path + ": expected a file that can be read: " + std::strerror(errno));
  try {
    return read_operators(text);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(path + ": " + error.what());
  }
}

std::string function_name(const std::string& expression) {
  size_t end = expression.find_last_not_of(" \t\n");
  if (end == std::string::npos || !is_of_word(expression[end])) return "";
  size_t begin = end;
  while (begin > 0 && is_of_word(expression[begin - 1])) --begin;
  return expression.substr(begin, end + 1 - begin);
}

}  // namespace cugrb::catalogue
