// A text file line by line, with line numbers for error messages and progress for the user.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/graph_files/byte_source.h"

namespace cugrb::graph_files {

/// Called from time to time while a file is read: bytes done, bytes in all (compressed sizes; all is 0 when
/// unknown).
using Progress = std::function<void(uint64_t done_bytes, uint64_t all_bytes)>;

class LineReader {
 public:
  /// Skips UTF-8's byte order mark. Throws FileError when the file cannot be opened or is no text of one byte
  /// a character: UTF-16, UTF-32, an archive, zero bytes.
  explicit LineReader(const std::string& path, Progress progress = {});
  /// The lines that begin in bytes [begin, end) of a plain file: ranges that cover a file give each of its
  /// lines once. Throws FileError as above, and for a compressed file.
  LineReader(const std::string& path, uint64_t begin, uint64_t end);

  /// The next line without its end ("\n" or "\r\n"); false at the end of the file. The view is valid until
  /// the next call.
  bool next(std::string_view& line);
  /// next() gives the same line again; once after each next() that gave one.
  void unread();
  /// The number of the line that next() returned last, from 1; of a range, counted from its first line.
  uint64_t line_number() const { return line_number_; }
  /// Bytes of the text in front of the line that next() gives next.
  uint64_t offset() const { return read_bytes_ - (end_ - begin_); }
  const std::string& path() const { return path_; }
  uint64_t file_bytes() const { return all_bytes_; }
  [[noreturn]] void fail(const std::string& message) const;
  /// The same at another line.
  [[noreturn]] void fail_at(uint64_t line_number, const std::string& message) const;

 private:
  bool fill();
  void check_beginning();
  uint64_t lines_in_front() const;

  std::string path_;
  std::unique_ptr<ByteSource> source_;
  Progress progress_;
  uint64_t all_bytes_;
  std::vector<char> buffer_;
  size_t begin_ = 0, end_ = 0, last_ = 0;  ///< of what is not read yet; of the last line
  bool at_end_ = false;
  uint64_t line_number_ = 0;
  uint64_t first_byte_ = 0, stop_ = UINT64_MAX;  ///< of the range
  uint64_t read_bytes_ = 0;                      ///< of the text, up to what is in the buffer
};

std::string lower(std::string_view field);
/// The text without the blanks around it.
std::string_view trimmed(std::string_view text);

/// Splits a line at blanks. Ends with an empty field.
class Fields {
 public:
  static constexpr std::string_view blanks = " \t\n\v\f\r";

  explicit Fields(std::string_view line) : rest_(line) {}
  /// The next field; empty when there is none.
  std::string_view next() {
    size_t begin = 0;
    while (begin < rest_.size() && is_blank(rest_[begin])) ++begin;
    size_t end = begin;
    while (end < rest_.size() && !is_blank(rest_[end])) ++end;
    const std::string_view field = rest_.substr(begin, end - begin);
    rest_.remove_prefix(end);
    return field;
  }

 private:
  static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  std::string_view rest_;
};

/// A field in quotes for an error message, shortened and without control characters.
std::string quoted(std::string_view field);

/// "expected <what>, found '<field>'; <hint>" at the reader's line, as a FileError.
[[noreturn]] void expected(const LineReader& reader, const std::string& what, std::string_view found,
                           const std::string& hint = "");

/// Numbers. Each takes the whole field or throws FileError.
uint64_t parse_count(const LineReader& reader, std::string_view field, const std::string& what,
                     const std::string& hint = "");
int64_t parse_integer(const LineReader& reader, std::string_view field);
double parse_real(const LineReader& reader, std::string_view field);

}  // namespace cugrb::graph_files
