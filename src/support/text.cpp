#include "src/support/text.h"

#include <cstdint>

namespace cugrb {
namespace {

struct Character {
  uint32_t code = 0;
  size_t bytes = 0;  ///< 0: the text begins with a byte that is no part of UTF-8
};

/// The first character of a text that is not empty: no overlong form, no surrogate, nothing above U+10FFFF.
Character first_character(std::string_view text) {
  const auto byte = [&](size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
  if (bytes == 0 || lead > 0xf4 || text.size() < bytes) return {};
  uint32_t code = lead & (0x7fu >> bytes);
  for (size_t k = 1; k < bytes; ++k) {
    if ((byte(k) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(k) & 0x3f);
  }
  constexpr uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[bytes] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {code, bytes};
}

std::string hexadecimal(uint32_t number, int digits) {
  std::string text;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) text += "0123456789abcdef"[number >> shift & 15];
  return text;
}

/// Characters that a terminal obeys instead of showing them.
bool is_control(uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x200e || code == 0x200f ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

std::string escaped_control(uint32_t code) {
  switch (code) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    case 0x1b:
      return "\\e";
    default:
      return code < 0x80 ? "\\x" + hexadecimal(code, 2) : "\\u{" + hexadecimal(code, 4) + "}";
  }
}

std::string escaped(std::string_view text, bool controls) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const Character c = first_character(text);
    if (c.bytes == 0) {
      safe += "\\x" + hexadecimal(static_cast<unsigned char>(text[0]), 2);
    } else if (controls && is_control(c.code)) {
      safe += escaped_control(c.code);
    } else {
      safe += text.substr(0, c.bytes);
    }
    text.remove_prefix(c.bytes == 0 ? 1 : c.bytes);
  }
  return safe;
}

}  // namespace

std::string valid_utf8(std::string_view text) { return escaped(text, false); }
std::string printable(std::string_view text) { return escaped(text, true); }

}  // namespace cugrb
