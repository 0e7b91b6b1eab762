// The memory cache: request -> loaded kernel, at most one compilation a request, failures remembered.
#include "src/jit/jit.h"

#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "src/jit/compile.h"
#include "src/jit/disk_cache.h"
#include "src/support/trace.h"

namespace cugrb::jit {
namespace {

/// A request's hash, made once a look-up: names are a few hundred characters, so it costs some tens of nanoseconds.
struct Key {
  const Request* request;
  uint64_t hash;
};
struct KeyHash {
  size_t operator()(const Key& key) const { return key.hash; }
};
struct KeyEqual {
  bool operator()(const Key& a, const Key& b) const {
    return a.hash == b.hash && a.request->name == b.request->name && a.request->header == b.request->header &&
           a.request->preamble == b.request->preamble;
  }
};

struct Entry {
  Request request;
  std::atomic<const runtime::Kernel*> ready{nullptr};
  std::mutex mutex;  ///< held while compiling: a second thread with the same request waits, others do not
  std::unique_ptr<runtime::Kernel> kernel;
  std::string failure;  ///< the compiler's message, for good
};

struct Cache {
  std::shared_mutex mutex;
  std::unordered_map<Key, std::unique_ptr<Entry>, KeyHash, KeyEqual> entries;
  std::vector<const Entry*> in_order;
  std::vector<std::unique_ptr<Entry>> forgotten;  ///< kernels stay valid until the process ends
  std::atomic<uint64_t> requests{0}, disk_hits{0}, compiled{0}, failures{0}, misses{0};
  std::atomic<uint64_t> compile_nanoseconds{0};
  std::atomic<bool> said_uncached{false};
};

/// Never destroyed: kernels may be asked for until the process ends.
Cache& cache() {
  static auto* const instance = new Cache;
  return *instance;
}

Entry& entry_for(const Request& request) {
  Cache& c = cache();
  const Key key{&request, Digest().add(request.name).add(request.header).add(request.preamble).low()};
  {
    std::shared_lock<std::shared_mutex> lock(c.mutex);
    const auto found = c.entries.find(key);
    if (found != c.entries.end()) return *found->second;
  }
  auto fresh = std::make_unique<Entry>();
  fresh->request = request;
  std::unique_lock<std::shared_mutex> lock(c.mutex);
  const Key own{&fresh->request, key.hash};
  const auto [place, inserted] = c.entries.try_emplace(own, std::move(fresh));
  if (inserted) c.in_order.push_back(place->second.get());
  return *place->second;
}

void count(const Compiled& compiled) {
  Cache& c = cache();
  if (compiled.from_disk) {
    c.disk_hits.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  c.compiled.fetch_add(1, std::memory_order_relaxed);
  c.compile_nanoseconds.fetch_add(static_cast<uint64_t>(compiled.seconds * 1e9), std::memory_order_relaxed);
  trace::current().compiled += 1;
  const std::string unavailable = DiskCache::instance().unavailable_reason();
  if (!unavailable.empty() && !c.said_uncached.exchange(true)) {
    std::string& reason = trace::current().reason;
    reason += (reason.empty() ? "" : "; ") + unavailable;
  }
}

std::unique_ptr<runtime::Kernel> build(const Request& request) {
  runtime::Device& device = runtime::device();
  const std::string& architecture = device.properties().architecture;
  Compiled compiled = compile_or_load(request, architecture, true);
  count(compiled);
  std::unique_ptr<runtime::Kernel> kernel;
  try {
    kernel = device.load(compiled.image, compiled.symbol);
  } catch (const runtime::DeviceFailure&) {
    // An intact file that the device does not take (another driver, another libc): make a new one in its place, once.
    if (!compiled.from_disk) throw;
    compiled = compile_or_load(request, architecture, false);
    count(compiled);
    kernel = device.load(compiled.image, compiled.symbol);
  }
  kernel->name = request.name;
  return kernel;
}

const runtime::Kernel& build_once(Entry& entry) {
  Cache& c = cache();
  std::lock_guard<std::mutex> lock(entry.mutex);
  if (const runtime::Kernel* ready = entry.ready.load(std::memory_order_acquire)) return *ready;
  if (!entry.failure.empty()) throw CompilationFailure(entry.failure);
  c.misses.fetch_add(1, std::memory_order_relaxed);
  try {
    entry.kernel = build(entry.request);
  } catch (const InjectedFailure&) {
    c.failures.fetch_add(1, std::memory_order_relaxed);
    throw;
  } catch (const CompilationFailure& failure) {
    c.failures.fetch_add(1, std::memory_order_relaxed);
    entry.failure = failure.what();
    throw;
  }
  entry.ready.store(entry.kernel.get(), std::memory_order_release);
  return *entry.kernel;
}

}  // namespace

const runtime::Kernel& kernel(const Request& request) {
  cache().requests.fetch_add(1, std::memory_order_relaxed);
  Entry& entry = entry_for(request);
  if (const runtime::Kernel* ready = entry.ready.load(std::memory_order_acquire)) return *ready;
  return build_once(entry);
}

Compiled compile(const Request& request, const std::string& architecture) {
  return compile_or_load(request, architecture, true);
}

Statistics statistics() {
  Cache& c = cache();
  Statistics result;
  result.requests = c.requests.load();
  result.memory_hits = result.requests - c.misses.load();
  result.disk_hits = c.disk_hits.load();
  result.compiled = c.compiled.load();
  result.failures = c.failures.load();
  result.compile_seconds = static_cast<double>(c.compile_nanoseconds.load()) * 1e-9;
  return result;
}

std::vector<Request> requests_so_far() {
  Cache& c = cache();
  std::shared_lock<std::shared_mutex> lock(c.mutex);
  std::vector<Request> result;
  for (const Entry* entry : c.in_order) result.push_back(entry->request);
  return result;
}

void forget_kernels() {
  Cache& c = cache();
  std::unique_lock<std::shared_mutex> lock(c.mutex);
  for (auto& [key, entry] : c.entries) c.forgotten.push_back(std::move(entry));
  c.entries.clear();
  c.in_order.clear();
}

}  // namespace cugrb::jit
