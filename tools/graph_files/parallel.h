// Loops over chunks of a range on all cores.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace cugrb::graph_files {

/// body(begin, end) for chunks of [0, count), handed out one after another to as many threads as there are
/// cores (or `threads`). The first exception is thrown again when all have stopped.
template <class Body>
void parallel_for(uint64_t count, uint64_t chunk, const Body& body, unsigned threads = 0) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  const uint64_t chunks = (count + chunk - 1) / chunk;
  std::atomic<uint64_t> next{0};
  std::exception_ptr failure;
  std::mutex mutex;
  const auto work = [&] {
    try {
      for (uint64_t c = next++; c < chunks; c = next++) body(c * chunk, std::min(count, (c + 1) * chunk));
    } catch (...) {
      std::lock_guard<std::mutex> lock(mutex);
      if (!failure) failure = std::current_exception();
      next = chunks;
    }
  };
  std::vector<std::thread> helpers;
  for (unsigned t = 1; t < std::min<uint64_t>(threads, chunks); ++t) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace cugrb::graph_files
