// Entries: how they are laid out, found, verified and replaced.
#include "src/jit/disk_cache.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "src/jit/private_files.h"
#include "src/support/settings.h"

namespace cugrb::jit {
namespace {

/// The last bytes of an entry. ELF loaders and GCC ignore what follows the image, so a shared object stays
/// loadable and a precompiled header readable.
struct Trailer {
  uint64_t image_bytes = 0, symbol_bytes = 0, log_bytes = 0, name_bytes = 0;
  uint64_t digest_low = 0, digest_high = 0;
  char magic[8] = {'c', 'u', 'g', 'r', 'b', 'J', 'I', '2'};
};

std::string name_of(const std::string& architecture, const std::string& key) {
  return architecture + "/" + key;
}

Digest digest_of(const Image& image, const std::string& name) {
  return Digest().add(image.bytes).add(image.symbol).add(image.log).add(name);
}

}  // namespace

std::string encode(const std::string& architecture, const std::string& key, const Image& image) {
  const std::string name = name_of(architecture, key);
  Trailer trailer;
  trailer.image_bytes = image.bytes.size();
  trailer.symbol_bytes = image.symbol.size();
  trailer.log_bytes = image.log.size();
  trailer.name_bytes = name.size();
  const Digest digest = digest_of(image, name);
  trailer.digest_low = digest.low();
  trailer.digest_high = digest.high();
  std::string text = image.bytes + image.symbol + image.log + name;
  text.append(reinterpret_cast<const char*>(&trailer), sizeof(trailer));
  return text;
}

std::optional<Image> decode(const std::string& architecture, const std::string& key,
                            const std::string& text) {
  const std::string name = name_of(architecture, key);
  Trailer trailer;
  if (text.size() < sizeof(trailer)) return std::nullopt;
  std::memcpy(&trailer, text.data() + text.size() - sizeof(trailer), sizeof(trailer));
  if (std::memcmp(trailer.magic, Trailer().magic, sizeof(trailer.magic)) != 0) return std::nullopt;
  uint64_t room = text.size() - sizeof(trailer);
  for (const uint64_t bytes :
       {trailer.image_bytes, trailer.symbol_bytes, trailer.log_bytes, trailer.name_bytes}) {
    if (bytes > room) return std::nullopt;
    room -= bytes;
  }
  if (room != 0) return std::nullopt;
  size_t at = 0;
  const auto next = [&](uint64_t bytes) {
    at += bytes;
    return text.substr(at - bytes, bytes);
  };
  Image image;
  image.bytes = next(trailer.image_bytes);
  image.symbol = next(trailer.symbol_bytes);
  image.log = next(trailer.log_bytes);
  if (next(trailer.name_bytes) != name) return std::nullopt;
  const Digest digest = digest_of(image, name);
  if (digest.low() != trailer.digest_low || digest.high() != trailer.digest_high) return std::nullopt;
  return image;
}

DiskCache::DiskCache(std::string directory) : directory_(std::move(directory)), size_(directory_) {}

DiskCache& DiskCache::instance() {
  static auto* const cache = new DiskCache(cache_directory());
  return *cache;
}

std::string DiskCache::path(const std::string& architecture, const std::string& key) const {
  const char* const suffix = architecture == "host" ? ".so" : architecture == "headers" ? ".gch" : ".cubin";
  return directory_ + "/" + architecture + "/" + key + suffix;
}

std::optional<Image> DiskCache::load(const std::string& architecture, const std::string& key) const {
  if (!enabled()) return std::nullopt;
  const std::string file = path(architecture, key);
  std::string refusal = distrusted(architecture);
  if (!refusal.empty()) {
    say(refusal);
    return std::nullopt;
  }
  const std::optional<std::string> content = read_private_file(file, refusal);
  if (!refusal.empty()) say("kernel cache entry " + file + " is not used: " + refusal);
  return content ? decode(architecture, key, *content) : std::nullopt;
}

bool DiskCache::store(const std::string& architecture, const std::string& key, const Image& image) {
  if (!enabled()) return false;
  const std::string content = encode(architecture, key, image);
  const uint64_t limit = settings().cache_limit_bytes;
  if (limit > 0 && content.size() > limit) {
    say("kernel cache " + directory_ + " does not take " + std::to_string(content.size()) +
        " bytes: CUGRB_CACHE_LIMIT is " + std::to_string(limit));
    return false;
  }
  const std::string refusal = write(architecture, key, content);
  if (refusal.empty()) {
    size_.stored(content.size(), limit);
  } else {
    say(refusal);
  }
  return refusal.empty();
}

std::string DiskCache::write(const std::string& architecture, const std::string& key,
                             const std::string& content) const {
  static std::atomic<uint64_t> serial{0};
  const std::string target = path(architecture, key);
  const std::string aside =
      target + "." + std::to_string(getpid()) + "." + std::to_string(serial.fetch_add(1)) + ".tmp";
  std::string refusal = distrusted(architecture);
  if (!refusal.empty()) return refusal;
  int error = make_private_folders(directory_ + "/" + architecture);
  refusal = distrusted(architecture);  // again: somebody else may have made them
  if (!refusal.empty()) return refusal;
  if (error == 0) error = write_new_file(aside, content);
  if (error == 0 && rename(aside.c_str(), target.c_str()) != 0) error = errno;
  if (error == 0) return "";
  unlink(aside.c_str());
  return "kernel cache " + directory_ + " cannot be written: " + std::strerror(error);
}

std::string DiskCache::distrusted(const std::string& architecture) const {
  for (const std::string& folder : {directory_, directory_ + "/" + architecture}) {
    const std::string why = distrust_of_folder(folder);
    if (!why.empty()) return "kernel cache " + folder + " is not used: " + why;
  }
  return "";
}

void DiskCache::say(const std::string& reason) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  reason_ = reason;
}

std::string DiskCache::unavailable_reason() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return reason_;
}

}  // namespace cugrb::jit
