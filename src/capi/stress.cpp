#include "src/capi/stress.h"

#include <cstring>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

#include "src/capi/call.h"
#include "src/mirror/mirror.h"

namespace cugrb::capi::stress {
namespace {

struct State {
  std::mutex mutex;
  std::unordered_map<const void*, int> uses;
  std::unordered_set<const void*> attached;
};

State& state() {
  static State* const state = new State;
  return *state;
}

/// True for roles whose `pointer` is the handle itself.
bool is_direct(Role role) {
  return role == Role::input || role == Role::inout || role == Role::output || role == Role::attached ||
         role == Role::metadata;
}

/// Calls visit(handle value) for every handle behind an argument.
template <class Visit>
void each(const Handle& handle, const Visit& visit) {
  if (handle.pointer == nullptr) return;
  if (is_direct(handle.role)) {
    visit(handle.pointer);
    return;
  }
  const auto* stored = static_cast<const void* const*>(handle.pointer);
  for (uint64_t i = 0; i < handle.length; ++i) {
    if (stored[i] != nullptr) visit(stored[i]);
  }
}

/// Nothing to count: what the call makes does not exist before it, and containers' vectors are never moved
/// out.
bool is_not_counted(Role role) {
  return role == Role::created || role == Role::creates || role == Role::container ||
         role == Role::dismantled;
}

bool is_moved(Role role) {
  switch (role) {
    case Role::inout:
    case Role::output:
    case Role::created:
    case Role::creates:
      return mode.stress_outputs;
    case Role::input:
    case Role::inputs:
      return mode.stress_inputs;
    default:
      return false;
  }
}

bool is_due(const char* function) {
  static uint64_t calls = 0;  // under the lock
  if (std::strstr(function, "Element") == nullptr) return true;
  return ++calls < 1000 || calls % 4099 == 0;
}

/// An empty object has nothing to move out, and giving it its nothing back needs memory: when SuiteSparse 7.4
/// gets none while it packs an empty hypersparse matrix, the matrix is invalid for ever.
template <class Object, class Nvals>
void move_out(Object object, Nvals nvals) {
  GrB_Index entries = 0;
  if (nvals(&entries, object) == GrB_SUCCESS && entries > 0) mirror::stress_evict(object);
}

void move_out(const void* pointer, bool is_matrix) {
  if (state().uses.contains(pointer) || state().attached.contains(pointer)) return;
  void* const handle = const_cast<void*>(pointer);
  const real::Functions& real = real::table();
  if (is_matrix) {
    move_out(static_cast<GrB_Matrix>(handle), real.GrB_Matrix_nvals);
  } else {
    move_out(static_cast<GrB_Vector>(handle), real.GrB_Vector_nvals);
  }
}

}  // namespace

void enter(std::span<const Handle> handles) {
  const std::lock_guard lock(state().mutex);
  for (const Handle& handle : handles) {
    if (is_not_counted(handle.role)) continue;
    each(handle, [&](const void* pointer) {
      if (handle.role == Role::freed || handle.role == Role::exported) {
        state().attached.erase(pointer);
      } else {
        ++state().uses[pointer];
      }
    });
  }
}

void leave(const char* function, std::span<const Handle> handles, bool succeeded) {
  const std::lock_guard lock(state().mutex);
  for (const Handle& handle : handles) {
    if (is_not_counted(handle.role) || handle.role == Role::freed || handle.role == Role::exported) continue;
    each(handle, [&](const void* pointer) {
      const auto use = state().uses.find(pointer);
      if (use != state().uses.end() && --use->second == 0) state().uses.erase(use);
      if (handle.role == Role::attached && succeeded) state().attached.insert(pointer);
      if ((handle.role == Role::inout || handle.role == Role::output)) state().attached.erase(pointer);
    });
  }
  if (!succeeded || !is_due(function)) return;
  for (const Handle& handle : handles) {
    if (!is_moved(handle.role)) continue;
    each(handle, [&](const void* pointer) { move_out(pointer, handle.is_matrix); });
  }
}

}  // namespace cugrb::capi::stress
