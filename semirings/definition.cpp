#include "semirings/definition.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "src/support/declined.h"

namespace cugrb::catalogue {
namespace {

constexpr std::string_view blanks = " \t\v\f";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_letter(c) || is_digit(c); }

bool begins(std::string_view text, std::string_view part) { return text.substr(0, part.size()) == part; }

/// A line of the preprocessor: several of the file where a backslash or a comment joins them.
struct Line {
  std::string text;
  size_t number = 1;  ///< of its first line in the file
  size_t lines = 1;   ///< of the file
};

[[noreturn]] void refuse(size_t line, const std::string& why) {
  throw Declined("line " + std::to_string(line) + " of the definition " + why);
}

/// Splits a definition into lines and takes comments out. What comes out holds no joined lines and no
/// comments, so that every compiler reads it as it was read here.
class Splitter {
 public:
  explicit Splitter(const std::string& text) : text_(text) {}

  std::vector<Line> split() {
    while (at_ < text_.size()) step();
    if (in_line_) finish_line();
    return std::move(lines_);
  }

 private:
  std::string_view rest() const { return std::string_view(text_).substr(at_); }
  size_t here() const { return line_.number + line_.lines - 1; }

  /// The character at `at_`, behind joined lines; 0 at the end.
  char peek() {
    while (begins(rest(), "\\\n") || begins(rest(), "\\\r\n")) {
      at_ += rest()[1] == '\r' ? 3 : 2;
      ++line_.lines;
      if (at_ == text_.size()) refuse(here(), "ends with a backslash");
    }
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  char second() const { return at_ + 1 < text_.size() ? text_[at_ + 1] : '\n'; }
  char take() {
    const char c = peek();
    if (c == '\0' && at_ < text_.size()) refuse(here(), "holds a zero byte");
    if (c != '\0') ++at_;
    return c;
  }

  void finish_line() {
    if (line_.text.find("?\?=") != std::string::npos || line_.text.find("?\?/") != std::string::npos)
      refuse(here(), "holds a trigraph");
    const size_t last = line_.text.find_last_not_of(blanks);
    if (last != std::string::npos && line_.text[last] == '\\') refuse(here(), "ends with a backslash");
    lines_.push_back(std::move(line_));
    line_ = Line{"", lines_.back().number + lines_.back().lines, 1};
    in_line_ = false;
  }

  void step() {
    const char c = take();
    if (c == '\0') return;
    in_line_ = true;
    if (c == '\n') {
      finish_line();
    } else if (c == '/' && peek() == '/') {
      while (peek() != '\n' && peek() != '\0') take();
    } else if (c == '/' && peek() == '*') {
      skip_comment();
    } else if (c == '"' || c == '\'') {
      copy_literal(c);
    } else if (is_digit(c)) {
      line_.text += c;
      copy_number();
    } else if (is_letter(c)) {
      line_.text += c;
      copy_word();
    } else if (c != '\r') {
      line_.text += c;
    } else if (peek() != '\n' && peek() != '\0') {
      refuse(here(), "holds a carriage return inside");
    }
  }

  void skip_comment() {
    take();
    char before = ' ';
    for (;;) {
      const char c = take();
      if (c == '\0') refuse(here(), "begins a comment that has no end");
      if (c == '\n') ++line_.lines;
      if (before == '*' && c == '/') break;
      before = c;
    }
    line_.text += ' ';
  }

  void copy_literal(char quote) {
    line_.text += quote;
    for (;;) {
      const char c = take();
      if (c == '\n' || c == '\0') refuse(here(), "holds a quote without its other end");
      line_.text += c;
      if (c == quote) return;
      if (c != '\\') continue;
      if (peek() == '\n' || peek() == '\0') refuse(here(), "holds a quote without its other end");
      line_.text += take();
    }
  }

  /// Digits may have ' between them.
  void copy_number() {
    for (;;) {
      const char c = peek();
      const bool separator = c == '\'' && is_word(second());
      if (!is_word(c) && c != '.' && !separator) return;
      line_.text += take();
    }
  }

  void copy_word() {
    const size_t begin = line_.text.size() - 1;
    while (is_word(peek())) line_.text += take();
    const std::string_view word = std::string_view(line_.text).substr(begin);
    if (word == "_Pragma") refuse(here(), "holds _Pragma, which would hold for the kernel, too");
    if (word.back() == 'R' && word.size() <= 3 && peek() == '"') refuse(here(), "holds a raw string");
  }

  const std::string& text_;
  size_t at_ = 0;
  bool in_line_ = false;  ///< whether the current line has begun
  Line line_;
  std::vector<Line> lines_;
};

std::string_view without_blanks(std::string_view text) {
  const size_t first = text.find_first_not_of(blanks);
  return first == text.npos ? std::string_view() : text.substr(first);
}

std::string_view take_word(std::string_view& text) {
  text = without_blanks(text);
  const auto end = std::find_if_not(text.begin(), text.end(), is_word);
  const std::string_view word = text.substr(0, size_t(end - text.begin()));
  text.remove_prefix(word.size());
  return word;
}

/// What stands behind # (or %:, which is the same), when the line is the preprocessor's.
bool is_directive(std::string_view line, std::string_view& rest) {
  line = without_blanks(line);
  const size_t mark = begins(line, "#") ? 1 : begins(line, "%:") ? 2 : 0;
  rest = line.substr(mark);
  return mark > 0;
}

class Reader {
 public:
  Definition read(const std::vector<Line>& lines) {
    for (const Line& line : lines) {
      std::string_view rest;
      const bool directive = is_directive(line.text, rest);
      const bool kept = !directive || look_at(line, rest);
      if (kept) definition_.text += line.text;
      definition_.text.append(line.lines, '\n');
      if (directive && kept) definition_.directives += line.text + "\n";
    }
    if (!open_.empty()) refuse(open_.back().line, "begins a conditional that has no #endif");
    return std::move(definition_);
  }

 private:
  struct Conditional {
    size_t line;
    bool has_else;
  };

  /// False when the line is to be left out.
  bool look_at(const Line& line, std::string_view rest) {
    static constexpr std::array<std::string_view, 3> ignored = {"line", "error", "warning"};
    const std::string_view word = take_word(rest);
    if (begins(word, "include")) return false;
    if (word == "define" || word == "undef") {
      note_macro(line, take_word(rest));
    } else if (word == "if" || word == "ifdef" || word == "ifndef") {
      open_.push_back({line.number, false});
    } else if (word == "elif" || word == "else" || word == "endif") {
      if (open_.empty() || (word != "endif" && open_.back().has_else))
        refuse(line.number, "has #" + std::string(word) + " without #if");
      open_.back().has_else = word == "else";
      if (word == "endif") open_.pop_back();
    } else if (word == "pragma") {
      check_pragma(line, take_word(rest));
    } else if (std::find(ignored.begin(), ignored.end(), word) == ignored.end() &&
               !(word.empty() && without_blanks(rest).empty())) {
      refuse(line.number, "has #" + std::string(word) + ", which a definition may not hold");
    }
    return true;
  }

  void note_macro(const Line& line, std::string_view name) {
    if (name.empty()) refuse(line.number, "defines a macro without a name");
    if (begins(name, "CUGRB_") || begins(name, "__") || name == "defined")
      refuse(line.number, "defines " + std::string(name) + ", which is not the program's");
    std::vector<std::string>& macros = definition_.macros;
    if (std::find(macros.begin(), macros.end(), name) == macros.end()) macros.emplace_back(name);
  }

  static void check_pragma(const Line& line, std::string_view kind) {
    static constexpr std::array<std::string_view, 3> harmless = {"unroll", "omp", "STDC"};
    if (std::find(harmless.begin(), harmless.end(), kind) == harmless.end())
      refuse(line.number, "has #pragma " + std::string(kind) + ", which would hold for the kernel, too");
  }

  Definition definition_;
  std::vector<Conditional> open_;
};

}  // namespace

Definition read_definition(const std::string& text) { return Reader().read(Splitter(text).split()); }

std::string without_macros(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += "#undef " + name + "\n";
  return text;
}

void check_identifier(const std::string& name) {
  if (name.empty() || is_digit(name[0]) || !std::all_of(name.begin(), name.end(), is_word))
    throw Declined("the name '" + name + "' is no C identifier");
}

}  // namespace cugrb::catalogue
