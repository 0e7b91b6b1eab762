// Objects whose entries all have one value: what can be known, and done, without moving them.
#include "src/graphblas/real.h"
#include "src/mirror/registry.h"
#include "src/mirror/types.h"

namespace cugrb::mirror {
namespace {

using Lock = std::lock_guard<std::recursive_mutex>;

bool has_one_value(const formats::DeviceVector& vector) { return vector.iso; }
bool has_one_value(const formats::DeviceMatrix& matrix) { return matrix.stored.iso; }

template <class Handle>
std::shared_ptr<EntryOf<ContentOf<Handle>>> known_entry(Handle handle) {
  const auto entry = Registry::instance().find_moved(handle);
  if (entry == nullptr || entry->kind != EntryOf<ContentOf<Handle>>::own_kind) return nullptr;
  return std::static_pointer_cast<EntryOf<ContentOf<Handle>>>(entry);
}

template <class Handle>
bool is_iso_object(Handle handle) {
  const MetadataGuard guard(handle);
  if (const auto entry = known_entry(handle)) {
    if (!entry->queue.empty()) return false;  // or not yet known
    if (entry->on_device) return has_one_value(entry->device);
    if (!entry->parked.empty()) return entry->parked.view().iso;
  }
  const auto object = reinterpret_cast<GrB_Matrix>(handle);
  GrB_Index entries = 0;  // counting finishes what is pending, which may bring other values
  bool iso = false;
  return real::table().GrB_Matrix_nvals(&entries, object) == GrB_SUCCESS &&
         real::table().GxB_Matrix_iso(&iso, object) == GrB_SUCCESS && iso;
}

template <class Handle>
std::optional<formats::DeviceVector> one_value_of(Handle handle) {
  const auto entry = Registry::instance().obtain(handle);
  const Lock guard(residency_lock());
  if (entry->on_device || !is_iso_object(handle)) return std::nullopt;
  const HostView view = entry->on_host();
  if (view.entries == 0 || !view.iso) return std::nullopt;
  return formats::DeviceVector::full_of(type_of(handle), view.entries, view.values);
}

}  // namespace

bool is_iso(GrB_Vector vector) { return is_iso_object(vector); }
bool is_iso(GrB_Matrix matrix) { return is_iso_object(matrix); }

uint64_t held_bytes(GrB_Vector vector) {
  {
    const MetadataGuard guard(vector);
    const auto entry = known_entry(vector);
    if (entry != nullptr && entry->on_device) return entry->device.bytes();
  }
  return upload_bytes(vector);
}

std::optional<formats::DeviceVector> iso_entries(GrB_Vector vector) { return one_value_of(vector); }
std::optional<formats::DeviceVector> iso_entries(GrB_Matrix matrix) { return one_value_of(matrix); }

}  // namespace cugrb::mirror
