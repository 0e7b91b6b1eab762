// Sparsity controls that wait. To set GxB_SPARSITY_CONTROL makes SuiteSparse convert the object at once. That
// is for nothing when the object is hollow, and often when it has few entries and is to become a bitmap. A
// program makes an empty object, asks for a bitmap, sets a few elements and gives it to a product, which runs
// on the device and reads entries.
#include "src/graphblas/real.h"
#include "src/mirror/registry.h"

namespace cugrb::mirror {
namespace {

using Lock = std::lock_guard<std::recursive_mutex>;

/// Smaller bitmaps are made sooner than four pending tuples are put in their places (docs/interposer.md).
/// Larger ones might not fit the memory, and SuiteSparse is to say so at once.
constexpr uint64_t least_positions = uint64_t(1) << 14, most_positions = uint64_t(1) << 30;
/// A pending tuple costs SuiteSparse about as much as so many positions of a large bitmap.
constexpr uint64_t positions_per_element = 64;

/// The positions of the bitmap that SuiteSparse would make of the object if it set the control now; 0 when it
/// would make none, or none that is worth waiting for. Nothing pending is finished.
///
/// Each entry and each pending tuple of a sparse object takes 4 bytes or more (8 before SuiteSparse 10): with
/// as many bytes as positions at most a quarter of the positions has an entry. The elements that may be set
/// while the control waits do not fill the rest, so that the object becomes a bitmap, never full, whenever
/// the control is set.
uint64_t positions_of_bitmap(GrB_Matrix object, int32_t control) {
  if ((control & (GxB_HYPERSPARSE | GxB_SPARSE)) != 0 || is_read_only(object)) return 0;
  const auto& t = real::table();
  int32_t status = GxB_BITMAP;
  GrB_Index rows = 0, columns = 0;
  size_t bytes = 0;
  const bool known =
      t.GxB_Matrix_Option_get_INT32(object, real::options().sparsity_status, &status) == GrB_SUCCESS &&
      t.GrB_Matrix_nrows(&rows, object) == GrB_SUCCESS &&
      t.GrB_Matrix_ncols(&columns, object) == GrB_SUCCESS &&
      t.GxB_Matrix_memoryUsage(&bytes, object) == GrB_SUCCESS;
  if (!known || (status & (GxB_HYPERSPARSE | GxB_SPARSE)) == 0) return 0;
  if (rows == 0 || columns > most_positions / rows) return 0;
  const uint64_t positions = rows * columns;
  return positions >= least_positions && bytes <= positions ? positions : 0;
}

template <class Handle>
bool defer(Handle handle, int32_t control) {
  const auto object = reinterpret_cast<GrB_Matrix>(handle);
  if (state(handle) != State::device && positions_of_bitmap(object, control) == 0) return false;
  const Lock guard(residency_lock());
  const auto entry = Registry::instance().obtain(handle);
  if (entry->state != State::device) {
    const uint64_t positions = positions_of_bitmap(object, control);
    if (positions == 0) return false;
    entry->elements_before_control = positions / positions_per_element;
  }
  entry->clear_error_text();
  entry->defer_sparsity_control(control);
  return true;
}

bool deferred(const void* handle, int32_t* control) {
  const auto entry = Registry::instance().find_unsettled(handle);
  if (entry == nullptr) return false;
  const Lock guard(residency_lock());
  if (!entry->deferred_sparsity_control) return false;
  *control = *entry->deferred_sparsity_control;
  return true;
}

}  // namespace

bool defer_sparsity_control(GrB_Vector vector, int32_t control) { return defer(vector, control); }
bool defer_sparsity_control(GrB_Matrix matrix, int32_t control) { return defer(matrix, control); }
bool deferred_sparsity_control(GrB_Vector vector, int32_t* control) { return deferred(vector, control); }
bool deferred_sparsity_control(GrB_Matrix matrix, int32_t* control) { return deferred(matrix, control); }

bool control_waits_for_element(const void* handle) {
  const auto entry = Registry::instance().find_unsettled(handle);
  if (entry == nullptr) return false;
  const Lock guard(residency_lock());
  if (entry->state == State::device || !entry->queue.empty() || !entry->deferred_sparsity_control)
    return false;
  if (entry->elements_before_control == 0) return false;
  --entry->elements_before_control;
  return true;
}

bool bitmap_waits(const void* handle) {
  const auto entry = Registry::instance().find_unsettled(handle);
  if (entry == nullptr) return false;
  const Lock guard(residency_lock());
  return entry->state != State::device && entry->deferred_sparsity_control.has_value();
}

GrB_Info control_to_host(const void* handle) {
  const auto entry = Registry::instance().find_unsettled(handle);
  if (entry == nullptr) return GrB_SUCCESS;
  const Lock guard(residency_lock());
  return entry->set_deferred_control();
}

}  // namespace cugrb::mirror
