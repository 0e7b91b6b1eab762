#include "src/support/number_text.h"

#include <charconv>

namespace cugrb {
namespace {

std::string text_of(double value, std::chars_format format, int digits) {
  char text[400];  // the largest double has 309 digits before the point
  const auto [end, error] = std::to_chars(text, text + sizeof(text), value, format, digits);
  return error == std::errc() ? std::string(text, end) : "?";
}

}  // namespace

std::string fixed_text(double value, int digits) { return text_of(value, std::chars_format::fixed, digits); }
std::string general_text(double value, int digits) {
  return text_of(value, std::chars_format::general, digits);
}

}  // namespace cugrb
