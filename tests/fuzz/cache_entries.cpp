// Entries of the kernel cache. The input is a file's content; beside reading it as it is, its trailer is
// mended so that what lies behind the check of the digest is reached, too. What is accepted must encode to
// itself.
#include <optional>
#include <string>

#include "src/jit/disk_cache.h"
#include "tests/fuzz/require.h"

namespace {

using namespace cugrb::jit;
using fuzz::require;

constexpr const char* architecture = "host";
constexpr const char* key = "0123456789abcdef";

void check(const std::string& content) {
  const std::optional<Image> image = decode(architecture, key, content);
  if (image) require(encode(architecture, key, *image) == content, "an entry is what its image encodes to");
}

/// An entry with these bytes in its three parts, and one byte of it changed or cut off.
void check_damage(const std::string& bytes) {
  const size_t third = bytes.size() / 3;
  const Image image{bytes.substr(0, third), bytes.substr(third, third), bytes.substr(2 * third)};
  const std::string content = encode(architecture, key, image);
  const std::optional<Image> read = decode(architecture, key, content);
  require(read && read->bytes == image.bytes && read->symbol == image.symbol && read->log == image.log,
          "an image comes back");
  require(!decode("headers", key, content) && !decode(architecture, "0", content),
          "an entry is not another's");
  const size_t place = bytes.empty() ? 0 : static_cast<unsigned char>(bytes[0]) % content.size();
  std::string changed = content;
  changed[place] = static_cast<char>(changed[place] ^ 1);
  require(!decode(architecture, key, changed), "a changed entry is refused");
  require(!decode(architecture, key, content.substr(0, place)), "a shorter entry is refused");
  require(!decode(architecture, key, content.substr(place + 1)), "an entry without its beginning is refused");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  check(input);
  check_damage(input);
  return 0;
}
