#include "tools/graph_files/line_reader.h"

#include <fast_float/fast_float.h>

#include <charconv>
#include <cstring>

#include "tools/graph_files/file_error.h"

namespace cugrb::graph_files {

namespace {
constexpr size_t buffer_bytes = 1 << 20;
constexpr size_t longest_line_bytes = size_t{1} << 26;  // a line beyond 64 MiB is no text
}  // namespace

LineReader::LineReader(const std::string& path, Progress progress)
    : path_(path), source_(open_bytes(path)), progress_(std::move(progress)), all_bytes_(file_size(path)) {
  buffer_.resize(buffer_bytes);
}

void LineReader::fail(const std::string& message) const { throw FileError(path_, line_number_, message); }

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
  if (progress_) progress_(source_->consumed(), all_bytes_);
  return count > 0;
}

bool LineReader::next(std::string_view& line) {
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

std::string quoted(std::string_view field) {
  if (field.empty()) return "the end of the line";
  std::string text = "'";
  for (const char c : field.substr(0, 40)) text += c >= ' ' && c < 127 ? c : '?';
  return text + (field.size() > 40 ? "...'" : "'");
}

void expected(const LineReader& reader, const std::string& what, std::string_view found) {
  reader.fail("expected " + what + ", found " + quoted(found));
}

uint64_t parse_count(const LineReader& reader, std::string_view field, const std::string& what) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error == std::errc::result_out_of_range) reader.fail(what + " is too large: " + quoted(field));
  if (error != std::errc() || end != field.data() + field.size()) expected(reader, what, field);
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
