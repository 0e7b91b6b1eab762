#include "src/formats/joined.h"

#include <array>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "cuda/runtime/buffer.h"
#include "cuda/runtime/injection.h"
#include "cuda/runtime/put_off.h"
#include "src/formats/launch.h"
#include "src/support/settings.h"
#include "src/support/trace.h"

namespace cugrb::formats {

namespace {

using runtime::PutOff;

struct Waiting {
  Stage stage;
  const runtime::Kernel* alone;
};

void launch_alone(runtime::Device& device, const Waiting& waiting) {
  const runtime::LaunchShape shape{waiting.stage.blocks_alone, block_threads};
  runtime::launch(device, *waiting.alone, shape, waiting.stage.arguments);
}

/// Nobody waits for the compiler for the sake of a few launches, where programs run.
jit::Missing when_missing(const runtime::Device& device) {
  return device.properties().kind == runtime::Kind::emulated || settings().jit == CompilePolicy::wait
             ? jit::Missing::wait
             : jit::Missing::background;
}

/// All of one device's that visit the same places.
class WriteBacks : public PutOff::Work {
 public:
  explicit WriteBacks(runtime::Device& device) : device_(device) {}

  const Places& places() const { return waiting_.front().stage.joinable.places; }
  int count() const { return int(waiting_.size()); }
  void add(Waiting waiting) { waiting_.push_back(std::move(waiting)); }

  /// Whether `last` can be launched with them; it is, by the next submit().
  bool takes(const Last& last) {
    if (!find_kernel(&last)) return false;
    last_ = &last;
    return true;
  }

  /// The same of a kernel that follows.
  bool takes(Following& following) {
    if (count() > following.most_stages || places().list != nullptr || places().count != following.positions)
      return false;
    for (const Stage::Written& read : following.elsewhere) {
      if (read.memory != nullptr && writes(read.memory, read.bytes)) return false;
    }
    if (!find([&] { return &following.kernel(stages_text(), count()); })) return false;
    following_ = &following;
    return true;
  }

  void submit() override {
    if (following_ != nullptr) {
      std::vector<const WriteBackArguments*> stages;
      for (const Waiting& waiting : waiting_) stages.push_back(&waiting.stage.arguments);
      following_->launch(*kernel_, stages);
      note_parts();
      return;
    }
    if (last_ == nullptr && (count() == 1 || !find_kernel(nullptr))) {
      for (const Waiting& waiting : waiting_) launch_alone(device_, waiting);
      return;
    }
    launch_stages<1>();
    note_parts();
  }

  bool writes(const void* memory, size_t bytes) const override {
    const auto* const begin = static_cast<const char*>(memory);
    for (const Waiting& waiting : waiting_) {
      for (const Stage::Written& written : waiting.stage.written) {
        const auto* const from = static_cast<const char*>(written.memory);
        if (from != nullptr && begin < from + written.bytes && from < begin + bytes) return true;
      }
    }
    return false;
  }

 private:
  std::string stages_text() const {
    std::string text = "stages<";
    const char* separator = "";
    for (const Waiting& waiting : waiting_) {
      text += separator + waiting.stage.text;
      separator = ", ";
    }
    return text + ">";
  }

  std::string text() const {
    std::string text = "joined<";
    text += places().list == nullptr ? "places_all" : "places_listed<" + places().index + ">";
    return text + ", " + stages_text() + ", ";
  }

  /// Of JoinedArguments for so many stages.
  static size_t argument_bytes(int stages) {
    return sizeof(JoinedArguments<1>) + size_t(stages - 1) * sizeof(WriteBackArguments);
  }

  /// The kernel that `ask` gives, where it is to be had.
  template <class Ask>
  bool find(const Ask& ask) try {
    const jit::WhenMissing when(when_missing(device_));
    kernel_ = ask();
    return true;
  } catch (const jit::CompilationFailure&) {
    return false;
  }
  bool find_kernel(const Last* last) {
    return find([&] {
      return &jit::kernel({"joined.h",
                           text() + (last == nullptr ? "nothing_last" : last->text) + ">",
                           {},
                           argument_bytes(count())});
    });
  }

  template <int stages>
  void launch_stages() {
    if constexpr (stages < most_joined) {
      if (count() > stages) return launch_stages<stages + 1>();
    }
    JoinedArguments<stages> arguments;
    arguments.places = places().list;
    arguments.count = places().count;
    if (last_ != nullptr) arguments.last = last_->arguments;
    for (int n = 0; n < stages; ++n) arguments.stage[n] = waiting_[size_t(n)].stage.arguments;
    const uint64_t share = uint64_t(WriteBackTile::threads) * WriteBackTile::positions;
    const uint64_t blocks =
        last_ != nullptr ? ReduceShape::blocks(places().count) : blocks_for(places().count, share);
    runtime::launch(device_, *kernel_, {blocks, block_threads}, arguments);
  }

  void note_parts() const {
    if (!trace::enabled()) return;
    std::string& parts = trace::current().joined;
    for (const Waiting& waiting : waiting_) {
      if (!parts.empty()) parts += " + ";
      parts += waiting.stage.what;
    }
    if (last_ != nullptr) parts += " + " + last_->what;
    if (following_ != nullptr) parts += " + " + following_->what;
  }

  runtime::Device& device_;
  std::vector<Waiting> waiting_;
  const Last* last_ = nullptr;
  Following* following_ = nullptr;
  const runtime::Kernel* kernel_ = nullptr;
};

WriteBacks* waiting(PutOff::Hold& hold) { return static_cast<WriteBacks*>(hold.work()); }

}  // namespace

void launch_or_put_off(Stage stage) {
  if (stage.blocks_alone == 0) return;
  runtime::Device& device = runtime::device();
  stage.alone.argument_bytes = sizeof(WriteBackArguments);
  const runtime::Kernel& alone = jit::kernel(stage.alone);
  if (settings().join == JoinPolicy::never || !why_not_put_off(stage.joinable).empty())
    return launch_alone(device, {std::move(stage), &alone});
  // What is put off is launched by whoever comes next: a failure that is asked for is this call's.
  if (runtime::injection::fails(runtime::injection::Point::launch))
    throw runtime::DeviceFailure("injected launch failure (CUGRB_INJECT)");
  PutOff::Hold hold(PutOff::of(device.properties().place));
  if (const WriteBacks* const others = waiting(hold)) {
    if (!why_not_joined(others->places(), others->count(), stage.joinable.places).empty()) hold.settle();
  }
  if (hold.work() == nullptr) hold.put(std::make_unique<WriteBacks>(device));
  waiting(hold)->add({std::move(stage), &alone});
  ++trace::current().put_off;
}

bool waits_at(const Places& places) {
  PutOff::Hold hold(PutOff::of(runtime::device().properties().place));
  const WriteBacks* const others = waiting(hold);
  return others != nullptr && others->places() == places;
}

bool launch_with(const Last& last) {
  PutOff::Hold hold(PutOff::of(runtime::device().properties().place));
  WriteBacks* const others = waiting(hold);
  if (others == nullptr || !(others->places() == last.places) || !others->takes(last)) return false;
  hold.settle();
  return true;
}

bool launch_behind_what_waits(Following& following) {
  PutOff::Hold hold(PutOff::of(runtime::device().properties().place));
  WriteBacks* const others = waiting(hold);
  if (others == nullptr || !others->takes(following)) return false;
  // What is put off is launched with this: a failure that is asked for is this call's.
  if (runtime::injection::fails(runtime::injection::Point::launch))
    throw runtime::DeviceFailure("injected launch failure (CUGRB_INJECT)");
  hold.settle();
  return true;
}

namespace {

/// Of the calling thread's device.
uint64_t* zero_words() {
  static std::mutex mutex;
  static auto* const words = new std::array<runtime::Buffer, runtime::most_devices>;
  const std::lock_guard<std::mutex> guard(mutex);
  runtime::Buffer& own = words->at(runtime::device().properties().place);
  if (!own) own = runtime::Buffer::zeroed(2 * sizeof(uint64_t));
  return own.as<uint64_t>();
}

}  // namespace

uint32_t* blocks_done() { return reinterpret_cast<uint32_t*>(zero_words()); }
uint64_t* stored_sum() { return zero_words() + 1; }

}  // namespace cugrb::formats
