// One request to one image: disk cache, else the architecture's compiler.
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>

#include "cuda/runtime/injection.h"
#include "src/jit/compile.h"
#include "src/jit/disk_cache.h"
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

/// A request with what its image depends on, and its name in the caches, which says all of that.
struct Specialisation {
  const Compiler& compiler;
  const SourceSet sources;
  const std::string key;

  Specialisation(const Request& request, const std::string& architecture)
      : compiler(compiler_for(architecture)),
        sources(sources_of(request, compiler)),
        key(key_of(request, architecture)) {}

 private:
  static SourceSet sources_of(const Request& request, const Compiler& compiler) {
    std::vector<std::string> roots = compiler.extra_roots();
    roots.push_back("cuda/kernels/" + request.header);
    return Sources::instance().reachable(roots, request.preamble);
  }
  std::string key_of(const Request& request, const std::string& architecture) const {
    return Digest()
        .add(sources.digest.low())
        .add(sources.digest.high())
        .add(request.header)
        .add(request.name)
        .add(request.preamble)
        .add(architecture)
        .add(compiler.fingerprint())
        .text();
  }
};

std::optional<Compiled> load_from_disk(const Specialisation& kernel, const std::string& architecture,
                                       Origin origin) {
  if (origin == Origin::compiler) return std::nullopt;
  std::optional<Image> image = DiskCache::instance().load(architecture, kernel.key);
  if (!image) return std::nullopt;
  Compiled result = finish(std::move(*image), architecture, kernel.key, origin == Origin::cache);
  result.from_disk = true;
  return result;
}

}  // namespace

void discard(const Compiled& compiled) { ScratchFolders::instance().discard(compiled.image); }

void prepare_to_compile() { ScratchFolders::instance(); }

std::optional<Compiled> load_compiled(const Request& request, const std::string& architecture,
                                      Origin origin) {
  return load_from_disk(Specialisation(request, architecture), architecture, origin);
}

Compiled compile_or_load(const Request& request, const std::string& architecture, Origin origin) {
  if (runtime::injection::fails(runtime::injection::Point::compilation)) throw InjectedFailure();
  const Specialisation kernel(request, architecture);
  if (std::optional<Compiled> found = load_from_disk(kernel, architecture, origin)) return *found;
  const auto start = std::chrono::steady_clock::now();
  Image image = kernel.compiler.compile(request, kernel.sources);
  const bool stored = DiskCache::instance().store(architecture, kernel.key, image);
  Compiled result = finish(std::move(image), architecture, kernel.key, stored && origin == Origin::cache);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
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
