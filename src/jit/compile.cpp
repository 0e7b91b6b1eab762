// One request to one image: kernel pack, else disk cache, else the architecture's compiler.
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>

#include "cuda/runtime/injection.h"
#include "src/jit/compile.h"
#include "src/jit/disk_cache.h"
#include "src/jit/kernel_pack.h"
#include "src/jit/process.h"
#include "src/support/environment.h"
#include "src/support/settings.h"

namespace cugrb::jit {
namespace {

/// Shared objects that no disk cache keeps, each in a folder of its own: a loaded object's file must never
/// change under it. They go when they are discarded, and when the process ends (not with a forked child).
class ScratchFolders {
 public:
  static ScratchFolders& instance() {
    static ScratchFolders folders;
    return folders;
  }
  std::string add(const std::string& key, const std::string& content) {
    auto folder = std::make_unique<TemporaryDirectory>();
    const std::string path = folder->path() / (key + ".so");
    write_file(path, content);
    const std::lock_guard<std::mutex> lock(mutex_);
    folders_[path] = std::move(folder);
    return path;
  }
  void discard(const std::string& path) {
    const std::lock_guard<std::mutex> lock(mutex_);
    folders_.erase(path);
  }
  ~ScratchFolders() {
    if (getpid() == owner_) return;
    for (auto& [path, folder] : folders_) static_cast<void>(folder.release());
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<TemporaryDirectory>> folders_;
  pid_t owner_ = getpid();
};

Compiled finish(Image image, const std::string& architecture, const std::string& key, bool in_cache) {
  Compiled result;
  result.symbol = std::move(image.symbol);
  result.log = std::move(image.log);
  result.lies_in_cache = in_cache && architecture == "host";
  if (architecture != "host") {
    result.image = std::move(image.bytes);
  } else if (in_cache) {
    result.image = DiskCache::instance().path(architecture, key);
  } else {
    result.image = ScratchFolders::instance().add(key, image.bytes);
  }
  return result;
}

/// A request with what its image depends on.
class Specialisation {
 public:
  Specialisation(const Request& request, const std::string& architecture)
      : request_(request), architecture_(architecture), sources_(sources_of(request, architecture)) {}

  /// Its name in kernel packs, which says all but the compiler.
  Digest key() const {
    return Digest()
        .add(sources_.digest.low())
        .add(sources_.digest.high())
        .add(request_.header)
        .add(request_.name)
        .add(request_.preamble)
        .add(architecture_);
  }
  /// From the disk cache. Throws CompilationFailure where there is no compiler, as all below.
  std::optional<Image> load() const { return DiskCache::instance().load(architecture_, cache_key()); }
  /// Compiles it, and stores it in the disk cache: whether that took it comes back, too.
  std::pair<Image, bool> compile() const {
    Image image = compiler_for(architecture_).compile(request_, sources_);
    const bool stored = DiskCache::instance().store(architecture_, cache_key(), image);
    return {std::move(image), stored};
  }
  /// Its name in the disk cache.
  std::string cache_key() const {
    return Digest(key()).add(compiler_for(architecture_).fingerprint()).text();
  }

 private:
  static const SourceSet& sources_of(const Request& request, const std::string& architecture) {
    std::vector<std::string> roots = extra_roots(architecture);
    roots.push_back("cuda/kernels/" + request.header);
    return Sources::instance().reachable(roots, request.preamble);
  }

  const Request& request_;
  const std::string& architecture_;
  const SourceSet& sources_;
};

std::optional<Compiled> load_from_pack(const Request& request, const std::string& architecture) {
  const KernelPack& pack = KernelPack::instance();
  const std::string packed = pack.architecture_for(architecture);
  if (packed.empty()) return std::nullopt;
  const Digest key = Specialisation(request, packed).key();
  std::optional<Image> image = pack.load(packed, key);
  if (!image) return std::nullopt;
  Compiled result = finish(std::move(*image), architecture, key.text(), /*in_cache=*/false);
  result.from_pack = true;
  return result;
}

/// Not from the pack where the device has refused an image already.
std::optional<Compiled> load(const Specialisation& kernel, const Request& request,
                             const std::string& architecture, Origin origin) {
  if (origin == Origin::compiler) return std::nullopt;
  if (origin == Origin::cache) {
    if (std::optional<Compiled> found = load_from_pack(request, architecture)) return found;
  }
  std::optional<Image> image = kernel.load();
  if (!image) return std::nullopt;
  Compiled result = finish(std::move(*image), architecture, kernel.cache_key(), origin == Origin::cache);
  result.from_disk = true;
  return result;
}

}  // namespace

void discard(const Compiled& compiled) { ScratchFolders::instance().discard(compiled.image); }

void prepare_to_compile() { ScratchFolders::instance(); }

std::optional<Compiled> load_compiled(const Request& request, const std::string& architecture,
                                      Origin origin) {
  return load(Specialisation(request, architecture), request, architecture, origin);
}

Compiled compile_or_load(const Request& request, const std::string& architecture, Origin origin) {
  if (runtime::injection::fails(runtime::injection::Point::compilation)) throw InjectedFailure();
  const Specialisation kernel(request, architecture);
  if (std::optional<Compiled> found = load(kernel, request, architecture, origin)) return *found;
  const auto start = std::chrono::steady_clock::now();
  auto [image, stored] = kernel.compile();
  Compiled result =
      finish(std::move(image), architecture, kernel.cache_key(), stored && origin == Origin::cache);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

bool add_to_pack(KernelPackWriter& pack, const Request& request, const std::string& architecture) {
  const Specialisation kernel(request, architecture);
  std::optional<Image> image = kernel.load();
  const bool compiled = !image;
  if (compiled) image = kernel.compile().first;
  image->log.clear();
  pack.add(architecture, kernel.key(), *image);
  return compiled;
}

std::string cache_directory() {
  const std::string& chosen = settings().cache;
  if (chosen == "off") return "";
  if (!chosen.empty()) return chosen;
  // The XDG base directory specification: relative paths are invalid and ignored.
  const char* xdg = environment_variable("XDG_CACHE_HOME");
  if (xdg != nullptr && *xdg == '/') return std::string(xdg) + "/cugrb";
  const char* home = environment_variable("HOME");
  if (home != nullptr && *home == '/') return std::string(home) + "/.cache/cugrb";
  return "";
}

}  // namespace cugrb::jit
