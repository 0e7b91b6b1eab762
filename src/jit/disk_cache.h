// The disk cache: compiled images kept between processes. Safe with many processes at once (written aside,
// then renamed), verified on load (a damaged entry, or another's under its name, is a miss), and optional (a
// full or read-only directory only costs time). It is code: what others can write to is not used.
#pragma once
#include <mutex>
#include <optional>
#include <string>

#include "src/jit/cache_size.h"
#include "src/jit/compiler.h"

namespace cugrb::jit {

class DiskCache {
 public:
  /// Empty: no cache.
  explicit DiskCache(std::string directory);
  /// The process's cache, at cache_directory().
  static DiskCache& instance();

  /// The entry `key` of `architecture`, if it is there, undamaged and to be trusted. It counts as used.
  std::optional<Image> load(const std::string& architecture, const std::string& key) const;
  /// Stores an entry; false when it could not (why: unavailable_reason()). Entries go where the cache has
  /// grown beyond CUGRB_CACHE_LIMIT.
  bool store(const std::string& architecture, const std::string& key, const Image& image);

  /// Where an entry lies. The file of a "host" entry is itself the shared object, that of "headers" (what the
  /// emulated device's kernels include, parsed) the precompiled header: what load() verifies is appended to
  /// it.
  std::string path(const std::string& architecture, const std::string& key) const;
  bool enabled() const { return !directory_.empty(); }
  /// Why the last entry was not stored, or not used; empty when none was refused.
  std::string unavailable_reason() const;

 private:
  /// Why nothing below the folder of `architecture` may be used; empty when it may.
  std::string distrusted(const std::string& architecture) const;
  /// Puts the file into its place. Returns why it could not; empty when it did.
  std::string write(const std::string& architecture, const std::string& key,
                    const std::string& content) const;
  void say(const std::string& reason) const;

  std::string directory_;
  CacheSize size_;
  mutable std::mutex mutex_;
  mutable std::string reason_;
};

/// image bytes + symbol + log + name (architecture/key) + fixed trailer (sizes, digest of all, magic), as the
/// file holds them.
std::string encode(const std::string& architecture, const std::string& key, const Image& image);
/// std::nullopt when the text is no undamaged encoding of this entry.
std::optional<Image> decode(const std::string& architecture, const std::string& key, const std::string& text);

}  // namespace cugrb::jit
