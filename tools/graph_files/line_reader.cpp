#include "tools/graph_files/line_reader.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>

#include "tools/graph_files/buffer_sizes.h"
#include "tools/graph_files/file_error.h"
#include "tools/graph_files/plain_file.h"

namespace cugrb::graph_files {

LineReader::LineReader(const std::string& path, Progress progress)
    : path_(path), source_(open_bytes(path)), progress_(std::move(progress)), all_bytes_(file_size(path)) {
  buffer_.resize(line_buffer_bytes);
  check_beginning();
}

LineReader::LineReader(const std::string& path, uint64_t begin, uint64_t end)
    : path_(path), all_bytes_(file_size(path)), first_byte_(begin), stop_(end) {
  auto file = open_plain(path);
  // A line that begins at `begin` has its predecessor's end in front.
  const uint64_t from = begin == 0 ? 0 : begin - 1;
  file->seek(from);
  read_bytes_ = from;
  source_ = std::move(file);
  buffer_.resize(line_buffer_bytes);
  std::string_view line;
  if (begin == 0) {
    check_beginning();
  } else {
    stop_ = UINT64_MAX;
    next(line);
    stop_ = end;
  }
  line_number_ = 0;
}

/// For messages: only then is the front of the file read.
uint64_t LineReader::lines_in_front() const {
  if (first_byte_ == 0) return 0;
  uint64_t lines = 0, left = first_byte_ - 1;
  const auto file = open_plain(path_);
  std::vector<char> block(line_buffer_bytes);
  for (size_t count = 1; left > 0 && count > 0; left -= count) {
    count = file->read(block.data(), std::min<uint64_t>(left, block.size()));
    lines += static_cast<uint64_t>(
        std::count(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(count), '\n'));
  }
  return lines + 1;
}

void LineReader::fail(const std::string& message) const { fail_at(line_number_, message); }
void LineReader::fail_at(uint64_t line_number, const std::string& message) const {
  throw FileError(path_, line_number == 0 ? 0 : line_number + lines_in_front(), message);
}

/// What the first bytes tell: how the text is encoded, or that it is none.
void LineReader::check_beginning() {
  constexpr size_t looked_at = 512;  // a tar archive's first header
  while (end_ < looked_at && !at_end_) at_end_ = !fill();
  const std::string_view first(buffer_.data(), std::min(end_, looked_at));
  const auto begins = [&](std::string_view mark) { return first.substr(0, mark.size()) == mark; };
  const std::string text = "; expected text in ASCII or UTF-8";
  if (begins({"\xff\xfe\0\0", 4}) || begins({"\0\0\xfe\xff", 4})) fail_at(1, "the text is in UTF-32" + text);
  if (begins("\xff\xfe") || begins("\xfe\xff")) fail_at(1, "the text is in UTF-16" + text);
  if (first.size() > 262 && first.substr(257, 5) == "ustar")
    fail_at(0, "is a tar archive; expected the graph file in it, unpacked");
  if (first.find('\0') != std::string_view::npos) fail_at(0, "is a binary file: it holds zero bytes" + text);
  if (begins("\xef\xbb\xbf")) begin_ = 3;
}

/// Moves the unread rest to the front and appends what the source gives; false when it gives nothing.
bool LineReader::fill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) {
    if (buffer_.size() >= longest_line_bytes) {
      ++line_number_;
      fail("the line is longer than 64 MiB: this is not a text file");
    }
    buffer_.resize(2 * buffer_.size());
  }
  const size_t count = source_->read(buffer_.data() + end_, buffer_.size() - end_);
  end_ += count;
  read_bytes_ += count;
  if (progress_) progress_(source_->consumed(), all_bytes_);
  return count > 0;
}

bool LineReader::next(std::string_view& line) {
  if (offset() >= stop_) return false;
  size_t searched = 0;
  for (;;) {
    const char* begin = buffer_.data() + begin_;
    const void* newline = std::memchr(begin + searched, '\n', end_ - begin_ - searched);
    if (newline != nullptr) {
      const size_t length = static_cast<size_t>(static_cast<const char*>(newline) - begin);
      line = std::string_view(begin, length);
      last_ = begin_;
      begin_ += length + 1;
      break;
    }
    searched = end_ - begin_;
    if (!at_end_) at_end_ = !fill();
    if (at_end_ && begin_ == end_) return false;
    if (at_end_) {  // the last line has no newline
      line = std::string_view(buffer_.data() + begin_, end_ - begin_);
      last_ = begin_;
      begin_ = end_;
      break;
    }
  }
  ++line_number_;
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return true;
}

void LineReader::unread() {
  begin_ = last_;
  --line_number_;
}

std::string lower(std::string_view field) {
  std::string text(field);
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(Fields::blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(Fields::blanks) - first + 1);
}

std::string quoted(std::string_view field) {
  if (field.empty()) return "the end of the line";
  std::string text = "'";
  for (const char c : field.substr(0, 40)) text += c >= ' ' && c < 127 ? c : '?';
  return text + (field.size() > 40 ? "...'" : "'");
}

void expected(const LineReader& reader, const std::string& what, std::string_view found,
              const std::string& hint) {
  reader.fail("expected " + what + ", found " + quoted(found) + (hint.empty() ? "" : "; " + hint));
}

uint64_t parse_count(const LineReader& reader, std::string_view field, const std::string& what,
                     const std::string& hint) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error == std::errc::result_out_of_range) reader.fail(what + " is too large: " + quoted(field));
  if (error != std::errc() || end != field.data() + field.size()) expected(reader, what, field, hint);
  return value;
}

int64_t parse_integer(const LineReader& reader, std::string_view field) {
  std::string_view digits = field;
  if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
  int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range)
    reader.fail("the integer value does not fit 64 bits: " + quoted(field));
  if (error != std::errc() || end != digits.data() + digits.size())
    expected(reader, "an integer value", field);
  return value;
}

double parse_real(const LineReader& reader, std::string_view field) {
  std::string_view digits = field;
  if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
  double value = 0;
  const auto [end, error] = fast_float::from_chars(digits.data(), digits.data() + digits.size(), value);
  // A number beyond the range of double is read as infinity or 0, as strtod would, by versions that report it
  // or not.
  const bool out_of_range = error == std::errc::result_out_of_range;
  if ((error != std::errc() && !out_of_range) || end != digits.data() + digits.size()) {
    expected(reader, "a real value", field);
  }
  return value;
}

}  // namespace cugrb::graph_files
