#include "src/jit/disk_cache.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>

namespace cugrb::jit {
namespace {

namespace fs = std::filesystem;

/// The last bytes of an entry. ELF loaders and GCC ignore what follows the image, so a shared object stays
/// loadable and a precompiled header readable.
struct Trailer {
  uint64_t image_bytes = 0, symbol_bytes = 0, log_bytes = 0;
  uint64_t digest_low = 0, digest_high = 0;
  char magic[8] = {'c', 'u', 'g', 'r', 'b', 'J', 'I', '1'};
};

Digest digest_of(const Image& image) { return Digest().add(image.bytes).add(image.symbol).add(image.log); }

std::mutex reason_mutex;

/// Writes all bytes or reports errno.
int write_all(const std::string& path, const std::string& content) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0) return errno;
  size_t done = 0;
  int error = 0;
  while (done < content.size() && error == 0) {
    const ssize_t written = write(file, content.data() + done, content.size() - done);
    if (written >= 0) {
      done += static_cast<size_t>(written);
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  if (close(file) != 0 && error == 0) error = errno;
  return error;
}

}  // namespace

std::string encode(const Image& image) {
  Trailer trailer;
  trailer.image_bytes = image.bytes.size();
  trailer.symbol_bytes = image.symbol.size();
  trailer.log_bytes = image.log.size();
  const Digest digest = digest_of(image);
  trailer.digest_low = digest.low();
  trailer.digest_high = digest.high();
  std::string text = image.bytes + image.symbol + image.log;
  text.append(reinterpret_cast<const char*>(&trailer), sizeof(trailer));
  return text;
}

std::optional<Image> decode(const std::string& text) {
  Trailer trailer;
  if (text.size() < sizeof(trailer)) return std::nullopt;
  std::memcpy(&trailer, text.data() + text.size() - sizeof(trailer), sizeof(trailer));
  if (std::memcmp(trailer.magic, Trailer().magic, sizeof(trailer.magic)) != 0) return std::nullopt;
  const uint64_t room = text.size() - sizeof(trailer);
  if (trailer.image_bytes > room || trailer.symbol_bytes > room - trailer.image_bytes ||
      trailer.log_bytes != room - trailer.image_bytes - trailer.symbol_bytes) {
    return std::nullopt;
  }
  Image image;
  image.bytes = text.substr(0, trailer.image_bytes);
  image.symbol = text.substr(trailer.image_bytes, trailer.symbol_bytes);
  image.log = text.substr(trailer.image_bytes + trailer.symbol_bytes, trailer.log_bytes);
  const Digest digest = digest_of(image);
  if (digest.low() != trailer.digest_low || digest.high() != trailer.digest_high) return std::nullopt;
  return image;
}

DiskCache::DiskCache(std::string directory) : directory_(std::move(directory)) {}

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
  std::ifstream file(path(architecture, key), std::ios::binary);
  if (!file) return std::nullopt;
  return decode(std::string(std::istreambuf_iterator<char>(file), {}));
}

bool DiskCache::store(const std::string& architecture, const std::string& key, const Image& image) {
  if (!enabled()) return false;
  static std::atomic<uint64_t> serial{0};
  const std::string target = path(architecture, key);
  const std::string aside =
      target + "." + std::to_string(getpid()) + "." + std::to_string(serial.fetch_add(1)) + ".tmp";
  std::error_code failure;
  fs::create_directories(fs::path(target).parent_path(), failure);
  int error = write_all(aside, encode(image));
  if (error == 0 && rename(aside.c_str(), target.c_str()) != 0) error = errno;
  if (error == 0) return true;
  unlink(aside.c_str());
  std::lock_guard<std::mutex> lock(reason_mutex);
  reason_ = "kernel cache " + directory_ + " cannot be written: " + std::strerror(error);
  return false;
}

void DiskCache::remove(const std::string& architecture, const std::string& key) const {
  if (enabled()) unlink(path(architecture, key).c_str());
}

std::string DiskCache::unavailable_reason() const {
  std::lock_guard<std::mutex> lock(reason_mutex);
  return reason_;
}

}  // namespace cugrb::jit
