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

thread_local int compiling_forbidden = 0;

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

}  // namespace

void discard(const Compiled& compiled) { ScratchFolders::instance().discard(compiled.image); }

WithoutCompiling::WithoutCompiling() { ++compiling_forbidden; }
WithoutCompiling::~WithoutCompiling() { --compiling_forbidden; }

Compiled compile_or_load(const Request& request, const std::string& architecture, Origin origin) {
  if (runtime::injection::fails(runtime::injection::Point::compilation)) throw InjectedFailure();
  const Compiler& compiler = compiler_for(architecture);
  std::vector<std::string> roots = compiler.extra_roots();
  roots.push_back("cuda/kernels/" + request.header);
  const SourceSet sources = Sources::instance().reachable(roots, request.preamble);
  const std::string key = Digest()
                              .add(sources.digest.low())
                              .add(sources.digest.high())
                              .add(request.header)
                              .add(request.name)
                              .add(request.preamble)
                              .add(architecture)
                              .add(compiler.fingerprint())
                              .text();
  DiskCache& cache = DiskCache::instance();
  const bool may_lie_in_cache = origin == Origin::cache;
  if (origin != Origin::compiler) {
    if (std::optional<Image> image = cache.load(architecture, key)) {
      Compiled result = finish(std::move(*image), architecture, key, may_lie_in_cache);
      result.from_disk = true;
      return result;
    }
  }
  if (compiling_forbidden > 0) throw NotCompiled("not compiled yet: " + request.name);
  const auto start = std::chrono::steady_clock::now();
  Image image = compiler.compile(request, sources);
  const bool stored = cache.store(architecture, key, image);
  Compiled result = finish(std::move(image), architecture, key, stored && may_lie_in_cache);
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
