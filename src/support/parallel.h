// parallel_ranges: a loop over [0, n) on several threads, for host work between SuiteSparse's arrays and the
// device.
#pragma once
#include <algorithm>
#include <cstdint>
#include <system_error>
#include <thread>
#include <vector>

namespace cugrb {

/// Calls body(begin, end) on disjoint ranges that cover [0, n), on at most hardware_concurrency() threads and
/// never with fewer than `grain` elements a thread, and returns when all are done. `body` must not throw.
template <class Body>
void parallel_ranges(uint64_t n, uint64_t grain, const Body& body) {
  const uint64_t cores = std::clamp<uint64_t>(std::thread::hardware_concurrency(), 1, 64);
  const uint64_t parts = std::clamp<uint64_t>(n / std::max<uint64_t>(grain, 1), 1, cores);
  const auto begin_of = [&](uint64_t part) { return n / parts * part + std::min(part, n % parts); };
  std::vector<std::thread> threads;
  uint64_t started = 1;  // part 0 is this thread's
  try {
    threads.reserve(parts - 1);
    for (; started < parts; ++started) {
      threads.emplace_back([&, part = started] { body(begin_of(part), begin_of(part + 1)); });
    }
  } catch (const std::system_error&) {
    // No more threads to be had: this one does the rest.
  }
  body(begin_of(0), begin_of(1));
  for (uint64_t part = started; part < parts; ++part) body(begin_of(part), begin_of(part + 1));
  for (std::thread& thread : threads) thread.join();
}

}  // namespace cugrb
