// The launches of a write-back, one function a domain (src/operations/domain.h). Each changes w when all is
// queued.
#pragma once
#include "src/operations/domain.h"

namespace cugrb::operations {

/// All positions: O(n).
void visit_all(const Exit& exit);
/// w updated in place at the list's positions: O(entries), after making w bitmap or full.
void update_listed(const Exit& exit, const DeviceVector& list);
/// w updated in place at the `count` distinct positions in device memory; T(places[p]) may be read by ordinal
/// p.
void update_places(const Exit& exit, const uint64_t* places, uint64_t count);
/// A new sparse vector with entries in the list only: O(entries).
void make_listed(const Exit& exit, const DeviceVector& list);

}  // namespace cugrb::operations
