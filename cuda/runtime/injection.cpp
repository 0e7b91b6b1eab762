#include "cuda/runtime/injection.h"

#include <atomic>
#include <charconv>
#include <mutex>
#include <stdexcept>
#include <string_view>

#include "src/support/settings.h"

namespace cugrb::runtime::injection {
namespace {

struct Plan {
  bool armed = false;
  Point point = Point::allocation;
  uint64_t first = 0;
  bool and_later = false;
  bool each_call = false;  ///< counts start anew in each
};

std::atomic<bool> started{false};
std::atomic<bool> armed{false};
std::atomic<uint64_t> counts[3];
Plan plan;
std::mutex plan_mutex;

Plan parse(const std::string& text) {
  Plan result;
  if (text.empty()) return result;
  const size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  if (kind == "compilation") {
    result.point = Point::compilation;
  } else if (kind == "launch") {
    result.point = Point::launch;
  } else if (kind != "allocation") {
    throw std::invalid_argument("CUGRB_INJECT=" + text +
                                ": expected allocation:N, compilation:N or launch:N");
  }
  const char* begin = colon == std::string::npos ? text.data() + text.size() : text.data() + colon + 1;
  const char* end = text.data() + text.size();
  constexpr std::string_view each_call = "/call";
  if (std::string_view(begin, size_t(end - begin)).ends_with(each_call)) {
    result.each_call = true;
    end -= each_call.size();
  }
  if (begin < end && end[-1] == '+') {
    result.and_later = true;
    --end;
  }
  const auto [rest, error] = std::from_chars(begin, end, result.first);
  if (error != std::errc() || rest != end || result.first == 0) {
    throw std::invalid_argument("CUGRB_INJECT=" + text + ": expected a number from 1 on after the colon");
  }
  result.armed = true;
  return result;
}

void install(const Plan& next) {
  plan = next;
  for (auto& count : counts) count.store(0, std::memory_order_relaxed);
  armed.store(next.armed, std::memory_order_relaxed);
  started.store(true, std::memory_order_release);
}

/// Reads the environment's injection at the first event. A malformed one injects nothing: settings().error
/// reports it.
void start() noexcept {
  std::lock_guard<std::mutex> lock(plan_mutex);
  if (started.load(std::memory_order_relaxed)) return;
  Plan initial;
  try {
    initial = parse(settings().inject);
  } catch (const std::exception&) {
  }
  install(initial);
}

}  // namespace

bool fails(Point point) noexcept {
  if (!started.load(std::memory_order_acquire)) start();
  if (!armed.load(std::memory_order_relaxed)) return false;
  const uint64_t number = counts[static_cast<int>(point)].fetch_add(1, std::memory_order_relaxed) + 1;
  if (point != plan.point) return false;
  return plan.and_later ? number >= plan.first : number == plan.first;
}

void begin_call() noexcept {
  if (!armed.load(std::memory_order_relaxed) || !plan.each_call) return;
  for (auto& count : counts) count.store(0, std::memory_order_relaxed);
}

void reset(const std::string& specification) {
  const Plan next = parse(specification);
  std::lock_guard<std::mutex> lock(plan_mutex);
  install(next);
}

uint64_t count(Point point) noexcept {
  return counts[static_cast<int>(point)].load(std::memory_order_relaxed);
}

}  // namespace cugrb::runtime::injection
