#include "src/jit/kernel_pack.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <tuple>

#include "src/jit/disk_cache.h"
#include "src/jit/private_files.h"
#include "src/jit/sources.h"
#include "src/support/environment.h"

namespace cugrb::jit {
namespace {

namespace fs = std::filesystem;

struct PackHeader {
  char magic[8] = {'c', 'u', 'g', 'r', 'b', 'P', 'K', '1'};
  uint64_t kernels = 0, index_offset = 0;
  uint64_t sources_low = 0, sources_high = 0;  ///< Sources::digest() of the library that made it
  uint64_t digest_low = 0, digest_high = 0;    ///< of the fields above and the index

  Digest digest(const std::string& index) const {
    return Digest().add(kernels).add(index_offset).add(sources_low).add(sources_high).add(index);
  }
};

/// Larger than any pack's index: a damaged header asks for no more memory than this.
constexpr uint64_t most_kernels = uint64_t(1) << 20;
constexpr uint32_t most_bytes = uint32_t(1) << 28;  ///< of one image

/// zlib, opened where there is a pack: programs that have none load no library more for it.
struct Zlib {
  int (*compress)(uint8_t* to, unsigned long* to_bytes, const uint8_t* from, unsigned long bytes,
                  int level) = nullptr;
  unsigned long (*bound)(unsigned long bytes) = nullptr;
  int (*uncompress)(uint8_t* to, unsigned long* to_bytes, const uint8_t* from, unsigned long bytes) = nullptr;

  /// Throws CompilationFailure where it is missing.
  static const Zlib& instance() {
    static const Zlib zlib = [] {
      Zlib found;
      void* const library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
      if (library == nullptr) return found;
      found.compress = reinterpret_cast<decltype(found.compress)>(dlsym(library, "compress2"));
      found.bound = reinterpret_cast<decltype(found.bound)>(dlsym(library, "compressBound"));
      found.uncompress = reinterpret_cast<decltype(found.uncompress)>(dlsym(library, "uncompress"));
      return found;
    }();
    if (zlib.compress == nullptr || zlib.bound == nullptr || zlib.uncompress == nullptr)
      throw CompilationFailure("zlib (libz.so.1) is missing");
    return zlib;
  }
};

const uint8_t* bytes_of(const std::string& text) { return reinterpret_cast<const uint8_t*>(text.data()); }
uint8_t* bytes_of(std::string& text) { return reinterpret_cast<uint8_t*>(text.data()); }

std::string compressed(const std::string& text) {
  const Zlib& zlib = Zlib::instance();
  unsigned long size = zlib.bound(text.size());
  std::string result(size, '\0');
  constexpr int smallest = 9;
  if (zlib.compress(bytes_of(result), &size, bytes_of(text), text.size(), smallest) != 0)
    throw CompilationFailure("zlib compresses nothing");
  result.resize(size);
  return result;
}

/// std::nullopt when it is not what compressed() has made of so many bytes.
std::optional<std::string> uncompressed(const std::string& packed, uint32_t bytes) {
  std::string result(bytes, '\0');
  unsigned long size = bytes;
  const int failed = Zlib::instance().uncompress(bytes_of(result), &size, bytes_of(packed), packed.size());
  if (failed != 0 || size != bytes) return std::nullopt;
  return result;
}

/// The file, opened for this one look: a program may close any descriptor that it does not know.
class PackFile {
 public:
  explicit PackFile(const std::string& path)
      : file_(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)) {
    if (file_ < 0 || fstat(file_, &status_) != 0) status_ = {};
  }
  ~PackFile() {
    if (file_ >= 0) close(file_);
  }
  PackFile(const PackFile&) = delete;
  PackFile& operator=(const PackFile&) = delete;

  const struct stat& status() const { return status_; }
  /// std::nullopt when the file is shorter.
  std::optional<std::string> read(uint64_t offset, uint64_t bytes) const {
    const auto size = static_cast<uint64_t>(status_.st_size);
    if (offset > size || bytes > size - offset) return std::nullopt;
    std::string content(bytes, '\0');
    for (size_t done = 0; done < bytes;) {
      const ssize_t got =
          pread(file_, content.data() + done, bytes - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return std::nullopt;
      done += static_cast<size_t>(got);
    }
    return content;
  }

 private:
  int file_;
  struct stat status_ = {};
};

std::tuple<uint64_t, uint64_t, std::string> order(const PackRecord& record) {
  return {record.key_low, record.key_high, std::string(record.architecture)};
}
bool comes_first(const PackRecord& a, const PackRecord& b) { return order(a) < order(b); }

/// "sm_86": 86, and 0 for anything that is no such name.
int number_of(const std::string& architecture) {
  const bool is_gpu = architecture.rfind("sm_", 0) == 0 && architecture.size() > 3 &&
                      architecture.find_first_not_of("0123456789", 3) == std::string::npos;
  return is_gpu && architecture.size() < 8 ? std::atoi(architecture.c_str() + 3) : 0;
}

std::string own_library() {
  Dl_info info = {};
  if (dladdr(reinterpret_cast<const void*>(&own_library), &info) == 0 || info.dli_fname == nullptr) return "";
  std::error_code error;
  fs::path here = fs::canonical(info.dli_fname, error);
  if (error) here = fs::canonical("/proc/self/exe", error);  // of a program dladdr knows how it was called
  return here;
}

}  // namespace

KernelPack::KernelPack(std::string path, std::optional<uid_t> owner) : path_(std::move(path)), owner_(owner) {
  if (path_.empty()) return;
  try {
    read_index();
  } catch (const std::exception& failure) {
    index_.clear();
    refusal_ = "kernel pack " + path_ + " is not used: " + failure.what();
  }
}

KernelPack KernelPack::beside(const std::string& library) {
  struct stat own = {};
  if (library.empty() || stat(library.c_str(), &own) != 0) return KernelPack("");
  const fs::path folder = fs::path(library).parent_path();
  for (const char* way : {"cugrb", ".", "../cugrb", "../lib/cugrb"}) {
    const fs::path path = (folder / way / "kernels.pack").lexically_normal();
    if (access(path.c_str(), F_OK) == 0) return KernelPack(path, own.st_uid);
  }
  return KernelPack("");
}

KernelPack KernelPack::of_process() {
  const char* const named = environment_variable("CUGRB_KERNEL_PACK");
  if (named == nullptr || *named == '\0') return beside(own_library());
  if (std::string(named) == "off") return KernelPack("");
  std::error_code unknown;
  return KernelPack(fs::absolute(named, unknown));  // wherever the program goes later
}

const KernelPack& KernelPack::instance() {
  // Never destroyed: kernels may be asked for until the process ends.
  static const auto* const pack = new KernelPack(of_process());
  return *pack;
}

void KernelPack::read_index() {
  const PackFile file(path_);
  const struct stat& status = file.status();
  if (!S_ISREG(status.st_mode)) throw std::runtime_error("there is no such file, or it is no regular one");
  std::string distrusted = owner_ == status.st_uid ? "" : distrust(status);
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) distrusted = "its group or others can write to it";
  if (!distrusted.empty()) throw std::runtime_error(distrusted);
  const std::runtime_error damaged("it is damaged, or no kernel pack of this version");
  PackHeader header;
  const std::optional<std::string> first = file.read(0, sizeof(header));
  if (!first) throw damaged;
  std::memcpy(&header, first->data(), sizeof(header));
  if (std::memcmp(header.magic, PackHeader().magic, sizeof(header.magic)) != 0) throw damaged;
  if (header.kernels > most_kernels) throw damaged;
  const std::optional<std::string> index =
      file.read(header.index_offset, header.kernels * sizeof(PackRecord));
  if (!index) throw damaged;
  const Digest digest = header.digest(*index);
  if (digest.low() != header.digest_low || digest.high() != header.digest_high) throw damaged;
  const Digest sources = Sources::instance().digest();
  if (sources.low() != header.sources_low || sources.high() != header.sources_high)
    throw std::runtime_error("it was made from other kernel sources than this library's");
  index_.resize(header.kernels);
  std::memcpy(index_.data(), index->data(), index->size());
  for (PackRecord& record : index_) record.architecture[sizeof(record.architecture) - 1] = '\0';
  if (!std::is_sorted(index_.begin(), index_.end(), comes_first)) throw damaged;
  Zlib::instance();
  for (const PackRecord& record : index_) ++kernels_[record.architecture];
}

std::string KernelPack::refusal() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return refusal_;
}

void KernelPack::refused_by_device(const std::string& message) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  refusal_ = "kernel pack " + path_ + " is not used: the device refuses its kernels: " + message;
}

std::optional<Image> KernelPack::load(const std::string& architecture, const Digest& key) const {
  if (!refusal().empty()) return std::nullopt;
  PackRecord wanted;
  wanted.key_low = key.low();
  wanted.key_high = key.high();
  architecture.copy(wanted.architecture, sizeof(wanted.architecture) - 1);
  const auto found = std::lower_bound(index_.begin(), index_.end(), wanted, comes_first);
  if (found == index_.end() || comes_first(wanted, *found) || found->bytes > most_bytes) return std::nullopt;
  const std::optional<std::string> packed = PackFile(path_).read(found->offset, found->packed_bytes);
  if (!packed) return std::nullopt;
  const std::optional<std::string> text = uncompressed(*packed, found->bytes);
  return text ? decode(architecture, key.text(), *text) : std::nullopt;
}

std::string KernelPack::architecture_for(const std::string& architecture) const {
  std::string best;
  const int wanted = number_of(architecture);
  for (const auto& [name, kernels] : kernels()) {
    if (name == architecture) return name;
    const int number = number_of(name);
    if (number == 0 || number / 10 != wanted / 10 || number > wanted) continue;
    if (best.empty() || number > number_of(best)) best = name;
  }
  return best;
}

void KernelPackWriter::add(const std::string& architecture, const Digest& key, const Image& image) {
  const std::string text = encode(architecture, key.text(), image), packed = compressed(text);
  PackRecord record;
  record.key_low = key.low();
  record.key_high = key.high();
  record.offset = sizeof(PackHeader) + images_.size();
  record.packed_bytes = static_cast<uint32_t>(packed.size());
  record.bytes = static_cast<uint32_t>(text.size());
  architecture.copy(record.architecture, sizeof(record.architecture) - 1);
  records_.push_back(record);
  images_ += packed;
}

std::string KernelPackWriter::content() const {
  std::vector<PackRecord> sorted = records_;
  std::sort(sorted.begin(), sorted.end(), comes_first);
  const std::string index(reinterpret_cast<const char*>(sorted.data()), sorted.size() * sizeof(PackRecord));
  PackHeader header;
  header.kernels = sorted.size();
  header.index_offset = sizeof(header) + images_.size();
  const Digest sources = Sources::instance().digest();
  header.sources_low = sources.low();
  header.sources_high = sources.high();
  const Digest digest = header.digest(index);
  header.digest_low = digest.low();
  header.digest_high = digest.high();
  return std::string(reinterpret_cast<const char*>(&header), sizeof(header)) + images_ + index;
}

}  // namespace cugrb::jit
