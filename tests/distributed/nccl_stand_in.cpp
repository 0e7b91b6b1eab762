// A stand-in for NCCL on host memory, for emulated devices: processes of one machine, by shared memory. It
// has the few functions that cuda/nccl/library.h names, with NCCL's meaning. Operations are queued on the
// stream: when a call returns, what it receives is scrambled, and what it sends is not read yet. So a caller
// that does not wait for the stream gets wrong values here, as it may on a GPU.
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "cuda/emulated/late_stream.h"

namespace {

constexpr int success = 0, system_error = 2, invalid_argument = 4;
constexpr int most_ranks = 8;
constexpr size_t slot_bytes = size_t{1} << 18;

struct Id {
  char name[128];
};

struct Shared {
  std::atomic<int> arrived;
  std::atomic<uint64_t> generation;
  char slots[most_ranks][slot_bytes];
};

struct Comm {
  Shared* shared = nullptr;
  Id id{};
  int rank = 0, ranks = 1;
  std::atomic<bool> aborted{false};
  std::atomic<int> error{0};  ///< of an operation that was queued
  std::mutex running;         ///< held by the operation that runs

  /// False when it was aborted meanwhile.
  bool meet() {
    const uint64_t before = shared->generation;
    if (++shared->arrived == ranks) {
      shared->arrived = 0;
      ++shared->generation;
      return !aborted;
    }
    while (shared->generation == before) {
      if (aborted) return false;
      sched_yield();
    }
    return !aborted;
  }
  /// Piece by piece of `bytes`: everyone writes its own, all read.
  bool exchange(size_t bytes, const std::function<void(char* own, size_t first, size_t count)>& write,
                const std::function<void(size_t first, size_t count)>& read) {
    for (size_t first = 0; first < bytes; first += slot_bytes) {
      const size_t count = std::min(slot_bytes, bytes - first);
      write(shared->slots[rank], first, count);
      if (!meet()) return false;
      read(first, count);
      if (!meet()) return false;
    }
    return true;
  }
};

constexpr int scrambled = 0xa5;

/// Queues an operation that returns whether it was done.
int queue(void* stream, Comm& comm, std::function<bool()> operation) {
  struct Queued {
    Comm& comm;
    std::function<bool()> operation;
  };
  auto* const to = static_cast<cugrb_emulated_stream*>(stream);
  to->queue(
      to,
      [](void* data) {
        const std::unique_ptr<Queued> queued(static_cast<Queued*>(data));
        Comm& comm = queued->comm;
        const std::lock_guard lock(comm.running);
        if (comm.aborted || !queued->operation()) comm.error = system_error;
      },
      new Queued{comm, std::move(operation)});
  return success;
}

size_t size_of(int type) {
  constexpr size_t sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8};
  return sizes[type];
}

template <class T>
void combine(T* into, const char* from, size_t count, int op) {
  for (size_t k = 0; k < count; ++k) {
    T value;
    std::memcpy(&value, from + k * sizeof(T), sizeof(T));
    into[k] = op == 0 ? static_cast<T>(into[k] + value) : std::min(into[k], value);
  }
}

void combine(void* into, const char* from, size_t count, int type, int op) {
  switch (type) {
    case 0:
      return combine(static_cast<int8_t*>(into), from, count, op);
    case 1:
      return combine(static_cast<uint8_t*>(into), from, count, op);
    case 2:
      return combine(static_cast<int32_t*>(into), from, count, op);
    case 3:
      return combine(static_cast<uint32_t*>(into), from, count, op);
    case 4:
      return combine(static_cast<int64_t*>(into), from, count, op);
    case 5:
      return combine(static_cast<uint64_t*>(into), from, count, op);
    case 7:
      return combine(static_cast<float*>(into), from, count, op);
    default:
      return combine(static_cast<double*>(into), from, count, op);
  }
}

}  // namespace

extern "C" {

extern const int cugrb_nccl_on_host = 1;

int ncclGetUniqueId(Id* id) {
  static std::atomic<int> made{0};
  std::snprintf(id->name, sizeof id->name, "/cugrb-nccl-%d-%d", static_cast<int>(getpid()), ++made);
  return success;
}

int ncclCommInitRankConfig(void** comm, int ranks, Id id, int rank, void*) {
  if (ranks > most_ranks) return invalid_argument;
  const int file = shm_open(id.name, O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, sizeof(Shared)) != 0) return system_error;
  void* const memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return system_error;
  Comm* const made = new Comm;
  made->shared = static_cast<Shared*>(memory);
  made->id = id;
  made->rank = rank;
  made->ranks = ranks;
  *comm = made;
  return success;
}

int ncclCommGetAsyncError(void* comm, int* error) {
  *error = static_cast<Comm*>(comm)->error;
  return success;
}

/// Ends the operation that runs; those behind it touch no memory. What another thread may be in stays mapped.
int ncclCommAbort(void* comm) {
  Comm& c = *static_cast<Comm*>(comm);
  c.aborted = true;
  const std::lock_guard lock(c.running);
  shm_unlink(c.id.name);
  return success;
}

const char* ncclGetErrorString(int status) {
  return status == success ? "success" : status == system_error ? "system error" : "invalid argument";
}

int ncclAllGather(const void* send, void* receive, size_t count, int type, void* comm, void* stream) {
  Comm& c = *static_cast<Comm*>(comm);
  const size_t bytes = count * size_of(type);
  char* const all = static_cast<char*>(receive);
  for (int r = 0; r < c.ranks; ++r) {
    char* const piece = all + static_cast<size_t>(r) * bytes;
    if (piece != send) std::memset(piece, scrambled, bytes);
  }
  return queue(stream, c, [&c, send, all, bytes] {
    return c.exchange(
        bytes,
        [&](char* own, size_t first, size_t n) {
          std::memcpy(own, static_cast<const char*>(send) + first, n);
        },
        [&](size_t first, size_t n) {
          for (int r = 0; r < c.ranks; ++r)
            std::memcpy(all + static_cast<size_t>(r) * bytes + first, c.shared->slots[r], n);
        });
  });
}

int ncclReduceScatter(const void* send, void* receive, size_t count, int type, int op, void* comm,
                      void* stream) {
  Comm& c = *static_cast<Comm*>(comm);
  const size_t bytes = count * size_of(type);
  std::memset(receive, scrambled, bytes);
  return queue(stream, c, [&c, send, receive, bytes, type, op] {
    for (int target = 0; target < c.ranks; ++target) {
      const char* const part = static_cast<const char*>(send) + static_cast<size_t>(target) * bytes;
      const bool done = c.exchange(
          bytes, [&](char* own, size_t first, size_t n) { std::memcpy(own, part + first, n); },
          [&](size_t first, size_t n) {
            if (c.rank != target) return;
            std::vector<char> sum(c.shared->slots[0], c.shared->slots[0] + n);
            for (int r = 1; r < c.ranks; ++r)
              combine(sum.data(), c.shared->slots[r], n / size_of(type), type, op);
            std::memcpy(static_cast<char*>(receive) + first, sum.data(), n);
          });
      if (!done) return false;
    }
    return true;
  });
}

int ncclBroadcast(const void* send, void* receive, size_t count, int type, int root, void* comm,
                  void* stream) {
  Comm& c = *static_cast<Comm*>(comm);
  const size_t bytes = count * size_of(type);
  if (c.rank != root) std::memset(receive, scrambled, bytes);
  return queue(stream, c, [&c, send, receive, bytes, root] {
    return c.exchange(
        bytes,
        [&](char* own, size_t first, size_t n) {
          if (c.rank == root) std::memcpy(own, static_cast<const char*>(send) + first, n);
        },
        [&](size_t first, size_t n) {
          if (c.rank != root) std::memcpy(static_cast<char*>(receive) + first, c.shared->slots[root], n);
        });
  });
}

int ncclGroupStart() { return success; }
int ncclGroupEnd() { return success; }
}
