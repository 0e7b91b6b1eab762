// Uses of device copies by offloaded calls.
#include <utility>

#include "src/graphblas/real.h"
#include "src/mirror/registry.h"
#include "src/mirror/types.h"
#include "src/support/declined.h"

namespace cugrb::mirror {
namespace {

constexpr size_t worth_freeing_bytes = size_t(1) << 20;

/// SuiteSparse clears an object's error text whenever the object is the output of a call; a wait for
/// completion is the cheapest of those. Most objects have none: then this is one load in the object.
void clear_error_text(GrB_Vector vector) {
  const auto& t = real::table();
  const char* text = nullptr;
  if (t.GrB_Vector_error(&text, vector) == GrB_SUCCESS && text != nullptr && *text != '\0') {
    t.GrB_Vector_wait(vector, GrB_COMPLETE);
  }
}

/// The second commit in a row says that the vector lives on the device: its stale host content, if large, is
/// freed. (Not at the first: a vector that goes to and fro would pay for it every time.)
void free_stale_content(VectorEntry& entry) {
  if (entry.shell_emptied) return;
  entry.shell_emptied = true;
  size_t bytes = 0;
  if (real::table().GxB_Vector_memoryUsage(&bytes, entry.vector()) != GrB_SUCCESS) return;
  if (bytes < worth_freeing_bytes) return;
  HostContent stale;
  stale.take(entry.handle);  // when it fails the memory just stays
}

}  // namespace

VectorUse::VectorUse(std::shared_ptr<VectorEntry> entry, bool writes)
    : entry_(std::move(entry)), writes_(writes) {
  residency_lock().lock();
  ++entry_->in_use;
}

VectorUse::~VectorUse() {
  if (entry_ == nullptr) return;
  --entry_->in_use;
  // An operation that failed half-way may have written into the copy it was given; when the host has the
  // truth, the copy is not worth a doubt.
  if (writes_ && scratch_ == nullptr && entry_->state == State::both) {
    entry_->drop_device();
    entry_->set_state(State::host);
  }
  residency_lock().unlock();
}

VectorUse::VectorUse(VectorUse&& other) noexcept
    : entry_(std::move(other.entry_)), scratch_(std::move(other.scratch_)), writes_(other.writes_) {}

VectorUse& VectorUse::operator=(VectorUse&& other) noexcept {
  std::swap(entry_, other.entry_);
  std::swap(scratch_, other.scratch_);
  std::swap(writes_, other.writes_);
  return *this;
}

formats::DeviceVector& VectorUse::operator*() const {
  return scratch_ != nullptr ? *scratch_ : entry_->device;
}

void VectorUse::commit() {
  if (scratch_ != nullptr) entry_->device = std::move(*scratch_);
  scratch_.reset();
  writes_ = false;
  entry_->on_device = true;
  entry_->parked.clear();
  if (entry_->state == State::device) {
    free_stale_content(*entry_);
  } else {
    entry_->shell_emptied = false;
  }
  entry_->set_state(State::device);
  clear_error_text(entry_->vector());
}

VectorUse read(GrB_Vector vector) {
  const std::lock_guard<std::recursive_mutex> guard(residency_lock());
  auto entry = Registry::instance().obtain(vector);
  entry->make_resident();
  entry->hysteresis.offloaded();
  return VectorUse(std::move(entry), false);
}

VectorUse write(GrB_Vector vector, bool keep) {
  const std::lock_guard<std::recursive_mutex> guard(residency_lock());
  auto entry = Registry::instance().obtain(vector);
  std::unique_ptr<formats::DeviceVector> scratch;
  if (keep) {
    entry->make_resident();
  } else {
    GrB_Index length = 0;
    if (real::table().GrB_Vector_size(&length, vector) != GrB_SUCCESS) throw Declined("not a valid vector");
    scratch = std::make_unique<formats::DeviceVector>();
    scratch->type = entry->on_device ? entry->device.type : type_of(vector);
    scratch->length = length;
    entry->last_use = next_use();
  }
  entry->hysteresis.offloaded();
  VectorUse use(std::move(entry), true);
  use.scratch_ = std::move(scratch);
  return use;
}

MatrixUse::MatrixUse(std::shared_ptr<MatrixEntry> entry) : entry_(std::move(entry)) {
  residency_lock().lock();
  ++entry_->in_use;
}

MatrixUse::~MatrixUse() {
  if (entry_ == nullptr) return;
  --entry_->in_use;
  residency_lock().unlock();
}

MatrixUse::MatrixUse(MatrixUse&& other) noexcept : entry_(std::move(other.entry_)) {}

MatrixUse& MatrixUse::operator=(MatrixUse&& other) noexcept {
  std::swap(entry_, other.entry_);
  return *this;
}

const formats::DeviceMatrix& MatrixUse::operator*() const { return entry_->device; }

MatrixUse read(GrB_Matrix matrix) {
  const std::lock_guard<std::recursive_mutex> guard(residency_lock());
  auto entry = Registry::instance().obtain(matrix);
  entry->make_resident();
  return MatrixUse(std::move(entry));
}

}  // namespace cugrb::mirror
