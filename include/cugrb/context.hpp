// GraphBLAS's start and end as an object.
#pragma once
#include <algorithm>
#include <mutex>
#include <vector>

#include "cugrb/error.hpp"

namespace cugrb {

namespace detail {

/// An object that owns a GraphBLAS handle made at first use (user-defined types and operators, composed
/// semirings). The handle lives until the object dies or the Context ends, whichever comes first; the next
/// Context makes it anew.
class Owned {
 public:
  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  virtual void release() = 0;

 protected:
  ~Owned() = default;
};

struct OwnedList {
  std::mutex mutex;
  std::vector<Owned*> objects;
};
/// Never destroyed: objects of static storage duration still use it when the program ends.
inline OwnedList& owned_list() {
  static auto* list = new OwnedList;
  return *list;
}
inline void forget_owned(Owned* object) {
  auto& objects = owned_list().objects;
  objects.erase(std::remove(objects.begin(), objects.end(), object), objects.end());
}

}  // namespace detail

/// Non-blocking (GrB_NONBLOCKING) lets GraphBLAS defer work; blocking finishes each call before it returns.
enum class Mode { nonblocking = GrB_NONBLOCKING, blocking = GrB_BLOCKING };

/// GrB_init … GrB_finalize. One at a time; make it first in main() and let every other object die before it.
/// Errors: GrB_INVALID_VALUE when GraphBLAS was already initialised, or when a CUGRB_* setting is wrong
/// (libcugrb). Source: GraphBLAS C API 2.0, section 4.1.
///
///     int main() {
///       cugrb::Context context;
///       ...
///     }
class Context {
 public:
  explicit Context(Mode mode = Mode::nonblocking) {
    detail::check(GrB_init(static_cast<GrB_Mode>(mode)), "GrB_init");
  }
  ~Context() {
    {
      auto& list = detail::owned_list();
      std::lock_guard<std::mutex> lock(list.mutex);
      for (auto object = list.objects.rbegin(); object != list.objects.rend(); ++object) (*object)->release();
      list.objects.clear();
    }
    GrB_finalize();
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
};

}  // namespace cugrb
