// Text from outside (names of files and vertices) as it may be shown: on a terminal, and in JSON.
#pragma once
#include <string>
#include <string_view>

namespace cugrb {

/// The text with every byte that is no part of UTF-8 written as \xNN, and everything else as it is.
std::string valid_utf8(std::string_view text);

/// The same with control characters escaped, too: those of ASCII and of Unicode (which move the cursor,
/// change colours or reverse the direction) as \n, \t, \r, \e, \xNN or \u{NNNN}.
std::string printable(std::string_view text);

}  // namespace cugrb
