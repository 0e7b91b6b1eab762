// Whether the mirror knows of any object: what every forwarded call asks first.
#pragma once
#include <atomic>
#include <cstdint>

namespace cugrb::mirror {

namespace detail {
extern constinit std::atomic<uint64_t> known_objects;
}

/// True while no object has an entry in the mirror: then every object's content is where SuiteSparse expects
/// it and there is nothing to restore, to drop or to forget. One load.
inline bool is_empty() { return detail::known_objects.load(std::memory_order_acquire) == 0; }

}  // namespace cugrb::mirror
