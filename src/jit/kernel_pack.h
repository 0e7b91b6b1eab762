// A kernel pack: one file of compiled kernels, made ahead of time and installed beside the library, so that a
// program's first calls find their kernels without a compiler.
//
//   header   magic, how many kernels, where the index begins, a digest of the index and of this header
//   images   each as an entry of the disk cache (encode()), compressed by zlib, one after the other
//   index    a record for each kernel, sorted by its key
//
// A kernel's key is a digest of all sources that it includes, of its request, architecture and options: what
// was made from other sources is never found. It says nothing of the compiler's version, so that a pack is of
// use where there is another compiler, or none.
#pragma once
#include <sys/types.h>

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "src/jit/compiler.h"
#include "src/jit/digest.h"

namespace cugrb::jit {

/// An entry as the index has it.
struct PackRecord {
  uint64_t key_low = 0, key_high = 0;
  uint64_t offset = 0;        ///< of the compressed image in the file
  uint32_t packed_bytes = 0;  ///< there
  uint32_t bytes = 0;         ///< of the image as it is encoded
  char architecture[16] = {};
};

class KernelPack {
 public:
  /// Reads the index; which images are good shows when they are asked for. Empty, with a reason, when the
  /// file must not be used or is no pack; empty when there is none. `owner` may own it beside this user and
  /// root.
  explicit KernelPack(std::string path, std::optional<uid_t> owner = std::nullopt);
  /// That of the process: what CUGRB_KERNEL_PACK names ("off": none), else the one beside this library. Read
  /// at the first call.
  static const KernelPack& instance();
  /// The same, read now.
  static KernelPack of_process();
  /// The one that is installed with a library; its owner may own the pack, too.
  static KernelPack beside(const std::string& library);

  /// The kernel of that key, if it is there and undamaged.
  std::optional<Image> load(const std::string& architecture, const Digest& key) const;
  /// The architecture whose kernels a device of `architecture` takes: its own, else the newest earlier one of
  /// the same generation (sm_80 for sm_86); empty when there is none.
  std::string architecture_for(const std::string& architecture) const;

  /// How many kernels there are for each architecture.
  const std::map<std::string, uint64_t>& kernels() const { return kernels_; }
  const std::string& path() const { return path_; }
  /// Why it is not used; empty when it is, or there is none.
  std::string refusal() const;
  /// From now on it is not used: its images are not this device's, as this message says.
  void refused_by_device(const std::string& message) const;

 private:
  /// Throws std::runtime_error with what is wrong.
  void read_index();

  std::string path_;
  mutable std::mutex mutex_;
  mutable std::string refusal_;
  std::optional<uid_t> owner_;
  std::vector<PackRecord> index_;
  std::map<std::string, uint64_t> kernels_;
};

/// Makes a pack.
class KernelPackWriter {
 public:
  /// Throws CompilationFailure when zlib is missing.
  void add(const std::string& architecture, const Digest& key, const Image& image);
  /// The file.
  std::string content() const;
  size_t size() const { return records_.size(); }

 private:
  std::vector<PackRecord> records_;
  std::string images_;
};

}  // namespace cugrb::jit
