// The memory cache: request -> loaded kernel, at most one compilation a request, failures remembered; and who
// compiles: the thread that asks, or one in the background.
#include "src/jit/jit.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

#include "src/jit/background.h"
#include "src/jit/compile.h"
#include "src/jit/compiler.h"
#include "src/jit/disk_cache.h"
#include "src/jit/kernel_pack.h"
#include "src/jit/request_log.h"
#include "src/support/trace.h"

namespace cugrb::jit {
namespace {

uint64_t mix(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

/// For the look-up only: names are a few hundred characters and every GraphBLAS call looks up a few, so 32
/// bytes go in two independent multiplications (Digest's chains, for keys on disk, take four times as long).
uint64_t quick_hash(const std::string& text, uint64_t seed) {
  const char* p = text.data();
  size_t left = text.size();
  uint64_t low = seed ^ left, high = seed * 0x9e3779b97f4a7c15u;
  uint64_t w[4];
  for (; left >= 32; left -= 32, p += 32) {
    std::memcpy(w, p, 32);
    low = mix(low ^ w[0], w[1] ^ 0x8ebc6af09c88c6e3u);
    high = mix(high ^ w[2], w[3] ^ 0x589965cc75374cc3u);
  }
  std::memset(w, 0, 32);
  std::memcpy(w, p, left);
  low = mix(low ^ w[0], w[1] ^ 0x8ebc6af09c88c6e3u);
  high = mix(high ^ w[2], w[3] ^ 0x589965cc75374cc3u);
  return mix(low ^ 0xe7037ed1a0b428dbu, high ^ 0xa0761d6478bd642fu);
}

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

/// What the threads in the background have to do with a kernel.
enum class Stage : uint8_t { none, queued, compiling };

struct Entry {
  Request request;
  std::atomic<const runtime::Kernel*> ready{nullptr};
  /// Held while a thread that asked compiles: a second one with the same request waits, others do not.
  std::mutex mutex;
  std::unique_ptr<runtime::Kernel> kernel;
  std::string failure;  ///< the compiler's message, for good
  Stage stage = Stage::none;
  std::condition_variable arrived;  ///< the stage is none again
  std::optional<Compiled> arrival;  ///< what was compiled in the background, until it is loaded
  bool looked_for = false;          ///< on disk, in vain: a thread that does not wait looks there once
};

struct Cache {
  std::shared_mutex mutex;
  std::unordered_map<Key, std::unique_ptr<Entry>, KeyHash, KeyEqual> entries;
  std::vector<const Entry*> in_order;
  std::vector<std::unique_ptr<Entry>> forgotten;  ///< kernels stay valid until the process ends
  std::atomic<uint64_t> requests{0}, disk_hits{0}, compiled{0}, failures{0}, misses{0}, refused{0},
      pack_hits{0};
  std::atomic<uint64_t> compile_nanoseconds{0};
  std::mutex said_mutex;
  std::set<std::string> said;
  std::atomic<uint64_t> generation{1};  ///< counts forget_kernels()
};

/// Never destroyed: kernels may be asked for until the process ends.
Cache& cache() {
  static auto* const instance = new Cache;
  return *instance;
}

Entry& shared_entry(const Request& request, const Key& key) {
  Cache& c = cache();
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

/// A thread's last finds, in front of the shared map: a program's loop asks for the same few kernels again
/// and again, and its threads should not meet at one lock for that.
struct RecentEntries {
  static constexpr size_t slots = 64;
  struct Slot {
    uint64_t hash = 0, generation = 0;
    Entry* entry = nullptr;
  } slot[slots];
};

Entry& entry_for(const Request& request) {
  static thread_local RecentEntries recent;
  uint64_t hash = quick_hash(request.name, 1);
  if (!request.preamble.empty()) hash = quick_hash(request.preamble, hash);
  const Key key{&request, quick_hash(request.header, hash)};
  const uint64_t generation = cache().generation.load(std::memory_order_acquire);
  RecentEntries::Slot& slot = recent.slot[key.hash % RecentEntries::slots];
  const bool found = slot.entry != nullptr && slot.generation == generation &&
                     KeyEqual()(key, {&slot.entry->request, slot.hash});
  if (!found) slot = {key.hash, generation, &shared_entry(request, key)};
  return *slot.entry;
}

/// Says what the cache could not do in the trace, each reason once a process.
void warn_once(const std::string& reason) {
  Cache& c = cache();
  const std::lock_guard<std::mutex> lock(c.said_mutex);
  if (reason.empty() || !c.said.insert(reason).second) return;
  std::string& all = trace::current().warning;
  all += (all.empty() ? "" : "; ") + reason;
}

void count(const Compiled& compiled) {
  Cache& c = cache();
  if (compiled.from_pack || compiled.from_disk) {
    (compiled.from_pack ? c.pack_hits : c.disk_hits).fetch_add(1, std::memory_order_relaxed);
    return;
  }
  c.compiled.fetch_add(1, std::memory_order_relaxed);
  c.compile_nanoseconds.fetch_add(static_cast<uint64_t>(compiled.seconds * 1e9), std::memory_order_relaxed);
}

/// What compile_or_load() gives, counted, also for the trace.
Compiled compile_here(const Request& request, const std::string& architecture, Origin origin) {
  Compiled compiled = compile_or_load(request, architecture, origin);
  count(compiled);
  if (!compiled.from_pack && !compiled.from_disk) {
    trace::current().compiled += 1;
    warn_once(KernelPack::instance().refusal());
    warn_once(DiskCache::instance().unavailable_reason());
  }
  return compiled;
}

thread_local Missing missing = Missing::wait;
thread_local double patience = 0;

[[noreturn]] void refuse(const Request& request, const char* why) {
  cache().refused.fetch_add(1, std::memory_order_relaxed);
  throw NotCompiled(why + request.name.substr(0, request.name.find('<')));
}

/// A shared object that no cache keeps goes as soon as it is loaded: a process that is killed leaves none.
class Discarding {
 public:
  explicit Discarding(const Compiled& compiled) : compiled_(compiled) {}
  ~Discarding() { discard(compiled_); }
  Discarding(const Discarding&) = delete;
  Discarding& operator=(const Discarding&) = delete;

 private:
  const Compiled& compiled_;
};

/// Loads an image. An intact file that the device does not take from the cache's folder (which may not hold
/// programs, or has lost it meanwhile) is taken from another. One that it does not take from there, either
/// (another driver, another libc), is made anew.
std::unique_ptr<runtime::Kernel> load(const Request& request, runtime::Device& device,
                                      const Compiled& compiled) {
  const Discarding at_the_end(compiled);
  const auto load_from = [&](Origin origin) {
    return load(request, device, compile_here(request, device.properties().architecture, origin));
  };
  std::string failure;
  try {
    return device.load(compiled.image, compiled.symbol);
  } catch (const runtime::DeviceFailure& refused) {
    if (!compiled.lies_in_cache && !compiled.from_disk && !compiled.from_pack) throw;
    failure = refused.what();
  }
  if (compiled.from_pack) {
    // Made for a newer driver, say. The others would be refused, too.
    KernelPack::instance().refused_by_device(failure);
    warn_once(KernelPack::instance().refusal());
    if (missing != Missing::wait) refuse(request, "a kernel is not compiled: ");
    return load_from(Origin::cache);
  }
  if (!compiled.lies_in_cache) return load_from(Origin::compiler);
  std::unique_ptr<runtime::Kernel> kernel = load_from(Origin::aside);
  warn_once("not loaded from the kernel cache's folder but from a temporary one: " + failure);
  return kernel;
}

/// What is known of the kernel already: null, or the compiler's refusal as an exception.
const runtime::Kernel* known(const Entry& entry) {
  const runtime::Kernel* ready = entry.ready.load(std::memory_order_acquire);
  if (ready == nullptr && !entry.failure.empty()) throw CompilationFailure(entry.failure);
  return ready;
}

const runtime::Kernel& keep(Entry& entry, const Compiled& compiled) {
  entry.kernel = load(entry.request, runtime::device(), compiled);
  entry.kernel->name = entry.request.name;
  entry.ready.store(entry.kernel.get(), std::memory_order_release);
  log_request(entry.request);
  return *entry.kernel;
}

/// What the compiler says is remembered, but not an injected failure.
void note_failure(Entry& entry, const CompilationFailure& failure) {
  cache().failures.fetch_add(1, std::memory_order_relaxed);
  if (dynamic_cast<const InjectedFailure*>(&failure) == nullptr) entry.failure = failure.what();
}

/// By a thread of the background. `entry.mutex` is free meanwhile, so that others can ask how it is going.
void compile_in_background(Entry& entry, const std::string& architecture) {
  std::unique_lock<std::mutex> lock(entry.mutex);
  if (entry.stage != Stage::queued) return;  // a thread that waits has done it
  entry.stage = Stage::compiling;
  lock.unlock();
  std::optional<Compiled> made;
  std::optional<CompilationFailure> failure;
  try {
    made = compile_or_load(entry.request, architecture, Origin::cache);
    count(*made);
  } catch (const InjectedFailure&) {
    cache().failures.fetch_add(1, std::memory_order_relaxed);
  } catch (const NotCompiled&) {
    // No process could be had for it: the next one who asks waits.
  } catch (const CompilationFailure& refused) {
    failure.emplace(refused);
  } catch (const std::exception&) {
    // No memory, say: the next one who asks has it compiled again.
  }
  lock.lock();
  entry.stage = Stage::none;
  if (entry.ready.load(std::memory_order_relaxed) == nullptr) {
    entry.arrival = std::move(made);
  } else if (made) {
    discard(*made);  // a thread that waited no longer has compiled it, too
  }
  if (failure) note_failure(entry, *failure);
  entry.arrived.notify_all();
}

/// What a compilation is expected to take: as those before it.
double expected_seconds() {
  constexpr double of_nvrtc = 0.1;  // docs/notebook/2026-11-26-first-calls.md
  const Statistics s = statistics();
  return s.compiled == 0 ? of_nvrtc : s.compile_seconds / double(s.compiled);
}

/// Waits for the background as long as this thread may.
void wait_patiently(Entry& entry, std::unique_lock<std::mutex>& lock) {
  if (patience <= 0 || patience < expected_seconds()) return;
  const auto start = std::chrono::steady_clock::now();
  entry.arrived.wait_for(lock, std::chrono::duration<double>(patience),
                         [&] { return entry.stage == Stage::none; });
  patience -= std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A kernel that somebody has compiled; null when nobody has.
const runtime::Kernel* find_compiled(Entry& entry) {
  if (const runtime::Kernel* kernel = known(entry)) return kernel;
  std::optional<Compiled> found = std::exchange(entry.arrival, std::nullopt);
  if (!found && !entry.looked_for) {
    found = load_compiled(entry.request, runtime::device().properties().architecture, Origin::cache);
    entry.looked_for = !found;
    if (found) {
      count(*found);
    } else {
      warn_once(KernelPack::instance().refusal());
    }
  }
  if (!found) return nullptr;
  cache().misses.fetch_add(1, std::memory_order_relaxed);
  return &keep(entry, *found);
}

const runtime::Kernel& build_once(Entry& entry) {
  std::unique_lock<std::mutex> lock(entry.mutex);
  // A compiler in the background gets little of a core that others want, too: not longer than one needs here.
  if (known(entry) == nullptr && entry.stage == Stage::compiling)
    entry.arrived.wait_for(lock, std::chrono::duration<double>(expected_seconds()),
                           [&] { return entry.stage != Stage::compiling; });
  if (entry.stage == Stage::queued) entry.stage = Stage::none;  // it is done here
  if (const runtime::Kernel* kernel = known(entry)) return *kernel;
  cache().misses.fetch_add(1, std::memory_order_relaxed);
  try {
    std::optional<Compiled> compiled = std::exchange(entry.arrival, std::nullopt);
    if (!compiled)
      compiled = compile_here(entry.request, runtime::device().properties().architecture, Origin::cache);
    return keep(entry, *compiled);
  } catch (const NotCompiled&) {  // the device refuses the kernel pack
    throw;
  } catch (const CompilationFailure& failure) {
    note_failure(entry, failure);
    throw;
  }
}

const runtime::Kernel& build_without_waiting(Entry& entry) {
  const std::string& architecture = runtime::device().properties().architecture;
  std::unique_lock<std::mutex> lock(entry.mutex, std::try_to_lock);
  if (!lock.owns_lock()) refuse(entry.request, "a kernel is being compiled: ");
  if (const runtime::Kernel* kernel = find_compiled(entry)) return *kernel;
  if (missing == Missing::refuse) refuse(entry.request, "a kernel is not compiled: ");
  if (!compiler_for(architecture).can_be_stopped()) {
    lock.unlock();
    return build_once(entry);
  }
  if (entry.stage == Stage::none) {
    prepare_to_compile();
    entry.stage = Stage::queued;
    if (!in_background([&entry, architecture] { compile_in_background(entry, architecture); })) {
      entry.stage = Stage::none;
      lock.unlock();
      return build_once(entry);
    }
  }
  wait_patiently(entry, lock);
  if (entry.stage == Stage::none) {
    if (const runtime::Kernel* kernel = find_compiled(entry)) return *kernel;
  }
  refuse(entry.request, "a kernel is being compiled: ");
}

}  // namespace

WhenMissing::WhenMissing(Missing missing) : missing_before_(jit::missing), patience_before_(patience) {
  jit::missing = missing;
  patience = 0;
}
WhenMissing::~WhenMissing() {
  jit::missing = missing_before_;
  patience = patience_before_;
}
void be_patient(double seconds) { patience = seconds; }

const runtime::Kernel& kernel(const Request& request) {
  cache().requests.fetch_add(1, std::memory_order_relaxed);
  Entry& entry = entry_for(request);
  if (const runtime::Kernel* ready = entry.ready.load(std::memory_order_acquire)) return *ready;
  return missing == Missing::wait ? build_once(entry) : build_without_waiting(entry);
}

Compiled compile(const Request& request, const std::string& architecture) {
  return compile_or_load(request, architecture, Origin::cache);
}

Statistics statistics() {
  Cache& c = cache();
  Statistics result;
  result.requests = c.requests.load();
  result.memory_hits = result.requests - c.misses.load() - result.refused;
  result.disk_hits = c.disk_hits.load();
  result.compiled = c.compiled.load();
  result.failures = c.failures.load();
  result.refused = c.refused.load();
  result.pack_hits = c.pack_hits.load();
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
  c.generation.fetch_add(1, std::memory_order_release);
}

}  // namespace cugrb::jit
