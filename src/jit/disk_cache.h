// The disk cache: compiled images kept between processes. Safe with many processes at once (written aside,
// then renamed), verified on load (a damaged entry is a miss), and optional (a full or read-only directory
// only costs time).
#pragma once
#include <optional>
#include <string>

#include "src/jit/compiler.h"

namespace cugrb::jit {

class DiskCache {
 public:
  /// Empty: no cache.
  explicit DiskCache(std::string directory);
  /// The process's cache, at cache_directory().
  static DiskCache& instance();

  /// The entry `key` of `architecture`, if it is there and undamaged.
  std::optional<Image> load(const std::string& architecture, const std::string& key) const;
  /// Stores an entry; false when it could not (why: unavailable_reason()).
  bool store(const std::string& architecture, const std::string& key, const Image& image);
  void remove(const std::string& architecture, const std::string& key) const;

  /// Where an entry lies. The file of a "host" entry is itself the shared object, that of "headers" (what the
  /// emulated device's kernels include, parsed) the precompiled header: what load() verifies is appended to
  /// it.
  std::string path(const std::string& architecture, const std::string& key) const;
  bool enabled() const { return !directory_.empty(); }
  /// Why the last store failed; empty when none has.
  std::string unavailable_reason() const;

 private:
  std::string directory_;
  std::string reason_;
};

/// image bytes + symbol + log + fixed trailer (sizes, digest, magic), as the file holds them.
std::string encode(const Image& image);
/// std::nullopt when the text is no undamaged encoding.
std::optional<Image> decode(const std::string& text);

}  // namespace cugrb::jit
