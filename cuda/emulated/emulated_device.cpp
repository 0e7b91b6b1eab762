#include "cuda/emulated/emulated_device.h"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <sstream>
#include <utility>
#include <vector>

#include "cuda/emulated/device_memory.h"
#include "cuda/emulated/emulator.h"
#include "cuda/emulated/late_stream.h"
#include "cuda/runtime/injection.h"
#include "cuda/runtime/put_off.h"
#include "src/support/environment.h"
#include "src/support/parallel.h"
#include "src/support/settings.h"
#include "src/support/trace.h"

namespace cugrb::emulated {
namespace {

using runtime::DeviceFailure;

constexpr size_t default_memory_bytes = size_t(4) << 30;
constexpr size_t reported_l2_bytes = size_t(32) << 20;

/// What devices may differ in.
struct Size {
  int multiprocessors = 4;
  size_t memory_bytes = 0;
};

/// Of the device at that place, by a list like "4:1000000,2:50000" whose items are taken in turn.
Size size_at(const std::string& list, unsigned place) try {
  std::vector<Size> sizes;
  std::istringstream items(list);
  for (std::string item; std::getline(items, item, ',');) {
    const size_t colon = item.find(':');
    if (colon == std::string::npos) throw std::invalid_argument(item);
    sizes.push_back({std::stoi(item.substr(0, colon)), std::stoull(item.substr(colon + 1))});
    if (sizes.back().multiprocessors < 1 || sizes.back().memory_bytes == 0) throw std::invalid_argument(item);
  }
  return sizes.at(place % std::max<size_t>(sizes.size(), 1));
} catch (const std::logic_error&) {  // what std::stoi and at() throw, too
  throw std::invalid_argument("CUGRB_EMULATED_DEVICES=" + list +
                              ": expected MULTIPROCESSORS:BYTES, a list of these");
}

class EmulatedKernel : public runtime::Kernel {
 public:
  simt::Entry entry = nullptr;
};

std::atomic<uint64_t> launches_so_far{0}, launches_of_delay{0};

class EmulatedReading : public runtime::Reading {
 public:
  EmulatedReading(const void* device, size_t bytes)
      : bytes_(static_cast<const char*>(device), static_cast<const char*>(device) + bytes),
        arrives_(launches_so_far + launches_of_delay) {}
  bool arrived() override { return waited_for_ || launches_so_far >= arrives_; }
  const void* bytes() override {
    waited_for_ = true;
    return bytes_.data();
  }

 private:
  const std::vector<char> bytes_;
  const uint64_t arrives_;
  bool waited_for_ = false;
};

class EmulatedPosting : public runtime::Posting {
 public:
  explicit EmulatedPosting(std::atomic<size_t>& expected) : expected_(expected) {}
  EmulatedPosting(const EmulatedPosting&) = delete;
  EmulatedPosting& operator=(const EmulatedPosting&) = delete;
  ~EmulatedPosting() override { --expected_; }

  PostView view() const override { return {place_->bytes, &place_->arrived, number}; }
  bool arrived() override { return __atomic_load_n(&place_->arrived, __ATOMIC_ACQUIRE) == number; }
  const void* bytes() override {
    if (!arrived()) throw DeviceFailure("a kernel has not sent what is waited for");
    return place_->bytes;
  }

 private:
  static constexpr uint64_t number = 1;
  struct Place {
    alignas(16) char bytes[most_post_bytes];
    uint64_t arrived = 0;
  };
  std::atomic<size_t>& expected_;
  const std::unique_ptr<Place> place_ = std::make_unique<Place>();
};

/// The memories of all devices that there are, for launches to tell them apart.
class Memories {
 public:
  static Memories& all() {
    static auto* const instance = new Memories;
    return *instance;
  }
  void add(const DeviceMemory& memory) {
    const std::lock_guard<std::mutex> lock(mutex_);
    memories_.push_back(&memory);
  }
  void remove(const DeviceMemory& memory) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::erase(memories_, &memory);
  }
  /// The first word of a kernel's arguments that is an address in another device's memory, in words; empty
  /// when there is none.
  std::string foreign_address(const DeviceMemory& own, const void* arguments, size_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (memories_.size() < 2) return {};
    for (size_t at = 0; at + sizeof(void*) <= bytes; at += sizeof(void*)) {
      const void* word = nullptr;
      std::memcpy(&word, static_cast<const char*>(arguments) + at, sizeof(word));
      if (word == nullptr || own.holds(word)) continue;
      for (const DeviceMemory* memory : memories_) {
        if (memory != &own && memory->holds(word))
          return "byte " + std::to_string(at) +
                 " of the arguments begins an address of another device's memory";
      }
    }
    return {};
  }

 private:
  std::mutex mutex_;
  std::vector<const DeviceMemory*> memories_;
};

class EmulatedDevice : public runtime::Device {
 public:
  EmulatedDevice(const Size& size, const simt::Options& options, unsigned place, int number)
      : put_off_(runtime::PutOff::of(place)), memory_(size.memory_bytes), options_(options) {
    properties_.place = place;
    properties_.number = number;
    properties_.kind = runtime::Kind::emulated;
    properties_.name = "emulated";
    properties_.architecture = "host";
    properties_.multiprocessors = size.multiprocessors;
    properties_.resident_clusters.fill(1);
    properties_.memory_bytes = size.memory_bytes;
    properties_.l2_bytes = reported_l2_bytes;
    properties_.shared_bytes_per_block = options.shared_limit_bytes;
    Memories::all().add(memory_);
  }
  ~EmulatedDevice() override { Memories::all().remove(memory_); }

  const runtime::Properties& properties() const override { return properties_; }

  void* allocate(size_t bytes) override {
    if (bytes > 0) fail_if_asked();
    return put_off_.allocated([&] { return memory_.allocate(bytes); });
  }
  void* allocate_growable(size_t bytes) override {
    if (bytes > 0) fail_if_asked();
    return put_off_.allocated([&] { return memory_.allocate_growable(bytes); });
  }
  bool grow(void* pointer, size_t bytes) override {
    fail_if_asked();
    return put_off_.allocated([&] { return memory_.grow(pointer, bytes) ? pointer : nullptr; }) != nullptr;
  }
  void release(void* pointer) noexcept override {
    if (!put_off_.release_later(*this, pointer)) memory_.release(pointer);
  }
  void trim() noexcept override {}
  runtime::MemoryInfo memory() override {
    return {memory_.limit_bytes() - memory_.used_bytes(), memory_.limit_bytes()};
  }
  size_t take_peak_bytes() noexcept override { return memory_.take_peak_bytes(); }

  void copy_to_device(void* device, const void* host, size_t bytes) override {
    put_off_.settle();
    memory_.require_inside(device, bytes, "the target of a copy to the device");
    if (bytes > 0) std::memcpy(device, host, bytes);
    trace::copied_up(bytes);
  }
  void fill_on_device(void* device, uint64_t count, size_t element_bytes, const Fill& fill) override {
    put_off_.settle();
    memory_.require_inside(device, count * element_bytes, "the target of a copy to the device");
    constexpr uint64_t grain = 1000;  // several threads for a test's arrays, too
    parallel_ranges(count, grain, [&](uint64_t begin, uint64_t end) {
      if (begin < end) fill(static_cast<char*>(device) + begin * element_bytes, begin, end);
    });
    trace::copied_up(count * element_bytes);
  }
  void copy_to_host(void* host, const void* device, size_t bytes) override {
    put_off_.settle_for(device, bytes);
    memory_.require_inside(device, bytes, "the source of a copy to the host");
    if (bytes > 0) std::memcpy(host, device, bytes);
    trace::copied_down(bytes);
  }
  std::unique_ptr<runtime::Reading> start_reading(const void* device, size_t bytes) override {
    put_off_.settle_for(device, bytes);
    memory_.require_inside(device, bytes, "the source of a reading");
    if (bytes > runtime::most_reading_bytes)
      throw DeviceFailure("a reading of " + std::to_string(bytes) + " bytes is too large");
    trace::copied_down(bytes);
    return std::make_unique<EmulatedReading>(device, bytes);
  }
  std::unique_ptr<runtime::Posting> expect_post() override {
    if (++postings_expected_ <= runtime::most_postings)
      return std::make_unique<EmulatedPosting>(postings_expected_);
    --postings_expected_;
    return nullptr;
  }
  void copy_on_device(void* to, const void* from, size_t bytes) override {
    put_off_.settle();
    memory_.require_inside(to, bytes, "the target of a copy on the device");
    memory_.require_inside(from, bytes, "the source of a copy on the device");
    if (bytes > 0) std::memmove(to, from, bytes);
  }
  void fill_bytes(void* device, unsigned char byte, size_t bytes) override {
    put_off_.settle();
    memory_.require_inside(device, bytes, "the target of a fill");
    if (bytes > 0) std::memset(device, byte, bytes);
  }
  void follow(runtime::Device& other) override {  // nothing is left queued but what was put off
    put_off_.settle();
    runtime::PutOff::of(other.properties().place).settle();
  }
  void copy_from_peer(void* to, runtime::Device& source, const void* from, size_t bytes) override {
    put_off_.settle();
    follow(source);
    memory_.require_inside(to, bytes, "the target of a copy from another device");
    memory_of(source).require_inside(from, bytes, "the source of a copy to another device");
    if (bytes == 0) return;
    trace::copied_between(bytes);
    if (stream_beside == nullptr || device_beside != this) {
      std::memcpy(to, from, bytes);
      return;
    }
    std::memset(to, not_landed_byte, bytes);
    queue_beside(new LateCopy{&memory_, &memory_of(source), to, from, bytes, this});
  }
  void copy_to_peer(runtime::Device& target, void* to, const void* from, size_t bytes) override {
    target.copy_from_peer(to, *this, from, bytes);
  }

  void beside(const std::function<void()>& work) override {
    const std::lock_guard<std::mutex> lock(landing_mutex_);
    if (landing_ == nullptr) landing_ = std::make_unique<LateStream>(put_off_);
    landing_->run([&](void* stream) {
      const Beside now(this, static_cast<cugrb_emulated_stream*>(stream));
      work();
    });
  }
  void land() override {
    const std::lock_guard<std::mutex> lock(landing_mutex_);
    if (landing_ != nullptr) landing_->lead();
    std::string failure;
    {
      const std::lock_guard<std::mutex> late_lock(late_mutex_);
      failure.swap(late_failure_);
    }
    if (!failure.empty()) throw DeviceFailure(failure);
  }

  std::unique_ptr<runtime::Kernel> load(const std::string& image, const std::string& symbol) override {
    void* object = dlopen(image.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (object == nullptr) throw DeviceFailure("emulated device: " + std::string(dlerror()));
    auto* bind = reinterpret_cast<void (*)(simt::Interface*)>(dlsym(object, "cugrb_emulated_bind"));
    auto* entry = reinterpret_cast<simt::Entry>(dlsym(object, symbol.c_str()));
    if (bind == nullptr || entry == nullptr) {
      throw DeviceFailure("emulated device: " + image + " has no " + (bind == nullptr ? "binding" : symbol));
    }
    bind(simt::interface_address());
    auto kernel = std::make_unique<EmulatedKernel>();
    kernel->name = symbol;
    kernel->entry = entry;
    return kernel;
  }

  void launch(const runtime::Kernel& kernel, const runtime::LaunchShape& shape, const void* arguments,
              size_t argument_bytes) override {
    if (shape.blocks == 0) return;
    put_off_.settle();
    ++launches_so_far;
    trace::launched();
    if (!put_off_.is_submitting() && runtime::injection::fails(runtime::injection::Point::launch)) {
      throw DeviceFailure("emulated device: injected launch failure");
    }
    const simt::Entry entry = static_cast<const EmulatedKernel&>(kernel).entry;
    if (const size_t expected = entry(nullptr); expected != argument_bytes) {
      throw DeviceFailure(kernel.name + ": launched with " + std::to_string(argument_bytes) +
                          " argument bytes, the kernel takes " + std::to_string(expected));
    }
    if (runtime::clears_padding) {
      const std::string foreign = Memories::all().foreign_address(memory_, arguments, argument_bytes);
      if (!foreign.empty()) throw DeviceFailure(kernel.name + ": " + foreign);
    }
    if (stream_beside != nullptr && device_beside == this && !put_off_.is_submitting()) {
      const auto* const bytes = static_cast<const char*>(arguments);
      queue_beside(new LateLaunch{this, &kernel, entry, shape, {bytes, bytes + argument_bytes}});
      return;
    }
    run(kernel, entry, shape, arguments);
    if (const std::string damage = memory_.take_damage(); !damage.empty()) {
      throw DeviceFailure(kernel.name + ": " + damage);
    }
  }
  void synchronize() override { put_off_.settle(); }
  void with_stream(const std::function<void(void* stream)>& work) override {
    put_off_.settle();
    work(nullptr);
  }

  std::unique_ptr<runtime::SideStream> make_side_stream() override {
    return std::make_unique<LateStream>(put_off_);
  }

  uint64_t mark() override {
    put_off_.settle();
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  }
  double seconds_between(uint64_t first, uint64_t second) override { return double(second - first) * 1e-9; }

 private:
  /// Injected failures.
  static void fail_if_asked() {
    if (runtime::injection::fails(runtime::injection::Point::allocation))
      throw runtime::OutOfMemory("emulated device: injected allocation failure");
  }
  static const DeviceMemory& memory_of(runtime::Device& device) {
    return static_cast<EmulatedDevice&>(device).memory_;
  }
  void run(const runtime::Kernel& kernel, simt::Entry entry, const runtime::LaunchShape& shape,
           const void* arguments) const try {
    const bool waited = simt::run(entry, arguments,
                                  {shape.blocks, shape.threads, shape.shared_bytes, shape.cluster}, options_);
    if (shape.overlaps && !waited)
      throw DeviceFailure("it may overlap, but did not wait for earlier kernels");
  } catch (const simt::Violation& violation) {
    throw DeviceFailure(kernel.name + ": " + violation.what());
  } catch (const std::invalid_argument& error) {
    throw DeviceFailure(kernel.name + ": " + error.what());
  } catch (const std::bad_alloc&) {
    throw DeviceFailure(kernel.name + ": no memory for the emulator's fibers");
  }

  /// What arrives looks so until it is there.
  static constexpr unsigned char not_landed_byte = 0xD7;
  /// What went beside the stream and is done by another thread.
  struct LateCopy {
    const DeviceMemory *target, *source;
    void* to;
    const void* from;
    size_t bytes;
    EmulatedDevice* device;
    void make() const {
      if (!target->holds(to) || !source->holds(from))
        throw DeviceFailure("memory of a copy beside the stream was released before it landed");
      std::memcpy(to, from, bytes);
    }
  };
  struct LateLaunch {
    EmulatedDevice* device;
    const runtime::Kernel* kernel;
    simt::Entry entry;
    runtime::LaunchShape shape;
    std::vector<char> arguments;
    void make() const { device->run(*kernel, entry, shape, arguments.data()); }
  };
  template <class Late>
  static void queue_beside(Late* late) {
    const auto make = [](void* data) {
      const std::unique_ptr<Late> own(static_cast<Late*>(data));
      try {
        own->make();
      } catch (const std::exception& failure) {
        const std::lock_guard<std::mutex> lock(own->device->late_mutex_);
        own->device->late_failure_ = failure.what();
      }
    };
    stream_beside->queue(stream_beside, make, late);
  }
  /// Where the calling thread queues beside a device's stream.
  static thread_local EmulatedDevice* device_beside;
  static thread_local cugrb_emulated_stream* stream_beside;
  class Beside {
   public:
    Beside(EmulatedDevice* device, cugrb_emulated_stream* stream)
        : device_(std::exchange(device_beside, device)), stream_(std::exchange(stream_beside, stream)) {}
    ~Beside() {
      device_beside = device_;
      stream_beside = stream_;
    }
    Beside(const Beside&) = delete;
    Beside& operator=(const Beside&) = delete;

   private:
    EmulatedDevice* const device_;
    cugrb_emulated_stream* const stream_;
  };

  runtime::PutOff& put_off_;
  DeviceMemory memory_;
  std::atomic<size_t> postings_expected_{0};
  simt::Options options_;
  runtime::Properties properties_;
  std::mutex late_mutex_;
  std::string late_failure_;  ///< of what went beside the stream since land()
  std::mutex landing_mutex_;
  std::unique_ptr<LateStream> landing_;  ///< of what goes beside the stream; made at the first call
};

thread_local EmulatedDevice* EmulatedDevice::device_beside = nullptr;
thread_local cugrb_emulated_stream* EmulatedDevice::stream_beside = nullptr;

}  // namespace

void delay_readings(uint64_t launches) noexcept { launches_of_delay = launches; }

std::unique_ptr<runtime::Device> make_device(unsigned place, int number) try {
  const char* schedule = environment_variable("CUGRB_EMULATED_SCHEDULE");
  const char* sizes = environment_variable("CUGRB_EMULATED_DEVICES");
  const size_t limit = settings().memory_limit_bytes;
  const Size size =
      sizes == nullptr ? Size{4, limit == 0 ? default_memory_bytes : limit} : size_at(sizes, place);
  return std::make_unique<EmulatedDevice>(size, simt::parse_schedule(schedule == nullptr ? "" : schedule),
                                          place, number);
} catch (const std::invalid_argument& error) {
  throw runtime::NoDevice(error.what());
}

}  // namespace cugrb::emulated
