// Loops over [0, n) on several threads, for host work between SuiteSparse's arrays and the device.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>

namespace cugrb {

/// Those that the process may use. (Where OpenMP binds its threads to cores, OMP_PROC_BIND, the system tells
/// the calling thread of one core only, and threads that it makes have that one.)
unsigned usable_cores();
/// Those of them that OpenMP takes for a loop (OMP_NUM_THREADS), and so does SuiteSparse.
unsigned host_threads();
/// Lets the calling thread run on all of them.
void run_on_usable_cores();

/// Calls work(0) to work(lanes - 1), each once, on the threads that OpenMP gives this one, and returns when
/// all are done. They are SuiteSparse's threads, too: they are awake after its own loops, and while they wait
/// for the next one, spinning, threads of another kind would have to fight them for the cores
/// (docs/decisions.md). Inside of a parallel loop, and in a forked child, which has no threads, this thread
/// does all lanes. `work` must not throw.
void on_threads(unsigned lanes, const std::function<void(unsigned)>& work);

/// Calls body(begin, end) on disjoint ranges that cover [0, n), on at most usable_cores() threads and
/// never with fewer than `grain` elements a range, and returns when all are done. `body` must not throw.
template <class Body>
void parallel_ranges(uint64_t n, uint64_t grain, const Body& body) {
  const uint64_t cores = std::min<uint64_t>(usable_cores(), 64);
  const uint64_t parts = std::clamp<uint64_t>(n / std::max<uint64_t>(grain, 1), 1, cores);
  const auto begin_of = [&](uint64_t part) { return n / parts * part + std::min(part, n % parts); };
  on_threads(static_cast<unsigned>(parts),
             [&](unsigned part) { body(begin_of(part), begin_of(uint64_t(part) + 1)); });
}

}  // namespace cugrb
