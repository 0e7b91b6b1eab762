// Uses of device copies by offloaded calls.
#include <type_traits>
#include <utility>

#include "src/formats/vector_parts.h"
#include "src/graphblas/real.h"
#include "src/mirror/host_source.h"
#include "src/mirror/registry.h"
#include "src/mirror/transfer.h"
#include "src/mirror/types.h"
#include "src/support/declined.h"

namespace cugrb::mirror {
namespace {

constexpr size_t worth_freeing_bytes = size_t(1) << 20;

/// The second commit in a row says that the object lives on the device: its stale host content, if large, is
/// freed. (Not at the first: an object that goes to and fro would pay for it every time.)
void free_stale_content(Entry& entry) {
  if (entry.shell_emptied) return;
  entry.shell_emptied = true;
  size_t bytes = 0;
  if (real::table().GxB_Matrix_memoryUsage(&bytes, entry.handle) != GrB_SUCCESS) return;
  if (bytes < worth_freeing_bytes) return;
  HostContent stale;
  stale.take(entry.handle);  // when it fails the memory just stays
}

/// What a call that overwrites everything starts from.
std::unique_ptr<formats::DeviceVector> scratch_of(const VectorEntry& entry) {
  GrB_Index length = 0;
  const GrB_Vector vector = entry.typed_handle();
  if (real::table().GrB_Vector_size(&length, vector) != GrB_SUCCESS) throw Declined("not a valid vector");
  auto scratch = std::make_unique<formats::DeviceVector>();
  scratch->type = entry.on_device ? entry.device.type : type_of(vector);
  scratch->length = length;
  return scratch;
}

std::unique_ptr<formats::DeviceMatrix> scratch_of(const MatrixEntry& entry) {
  const auto& t = real::table();
  GrB_Index rows = 0, columns = 0;
  if (t.GrB_Matrix_nrows(&rows, entry.handle) != GrB_SUCCESS ||
      t.GrB_Matrix_ncols(&columns, entry.handle) != GrB_SUCCESS) {
    throw Declined("not a valid matrix");
  }
  return std::make_unique<formats::DeviceMatrix>(
      empty_matrix(type_of(entry.handle), rows, columns, held_by_column(entry.handle)));
}

/// From here on other threads' queries wait for the lock, which this one holds.
template <class Handle>
std::shared_ptr<EntryOf<ContentOf<Handle>>> entry_to_use(Handle handle) {
  auto entry = Registry::instance().obtain(handle);
  entry->note_moved();
  return entry;
}

/// A hollow object holds no arrays of the program.
void require_changeable(const Entry& entry) {
  if (entry.state != State::device && is_read_only(entry.handle))
    throw Declined("the output holds read-only arrays of the program");
}

void make_readable(formats::DeviceMatrix& matrix, Reads reads) {
  if (reads == Reads::as_it_is) return;
  if (reads != Reads::any_place) matrix.collect();
  // Nobody reads rows of what stays in parts.
  if (reads != Reads::any_form && matrix.parts == nullptr) matrix.read_rows();
}
void make_readable(formats::DeviceVector& vector, Reads reads) {
  if (reads == Reads::rows && vector.parts != nullptr) vector = formats::collected(vector);
}

template <class Handle>
Use<ContentOf<Handle>> use_of(Handle handle, bool writes, bool keep, Reads reads = Reads::rows) {
  const std::lock_guard<std::recursive_mutex> guard(residency_lock());
  auto entry = entry_to_use(handle);
  if (writes) require_changeable(*entry);
  std::unique_ptr<ContentOf<Handle>> scratch;
  if (keep) {
    entry->make_resident();
    make_readable(entry->device, reads);
  } else {
    scratch = scratch_of(*entry);
    entry->last_use = next_use();
  }
  entry->hysteresis.offloaded();
  return Use<ContentOf<Handle>>(std::move(entry), writes, std::move(scratch));
}

}  // namespace

template <class Content>
Use<Content>::Use(std::shared_ptr<EntryOf<Content>> entry, bool writes, std::unique_ptr<Content> scratch)
    : entry_(std::move(entry)), scratch_(std::move(scratch)), writes_(writes) {
  residency_lock().lock();
  ++entry_->in_use;
}

template <class Content>
Use<Content>::~Use() {
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

template <class Content>
Use<Content>::Use(Use&& other) noexcept
    : entry_(std::move(other.entry_)), scratch_(std::move(other.scratch_)), writes_(other.writes_) {}

template <class Content>
Use<Content>& Use<Content>::operator=(Use&& other) noexcept {
  std::swap(entry_, other.entry_);
  std::swap(scratch_, other.scratch_);
  std::swap(writes_, other.writes_);
  return *this;
}

template <class Content>
Content& Use<Content>::operator*() const {
  return scratch_ != nullptr ? *scratch_ : entry_->device;
}

template <class Content>
void Use<Content>::commit(bool cleared) {
  if (scratch_ != nullptr) {
    entry_->device = std::move(*scratch_);
    entry_->clear_queue();
  }
  entry_->content_changes();
  entry_->changed_by = nullptr;
  entry_->cleared = cleared;
  entry_->widths = {};
  scratch_.reset();
  writes_ = false;
  entry_->on_device = true;
  entry_->drop_aside();
  entry_->parked.clear();
  if (entry_->state == State::device) {
    free_stale_content(*entry_);
  } else {
    entry_->shell_emptied = false;
  }
  entry_->set_state(State::device);
  entry_->clear_error_text();
}

template class Use<formats::DeviceVector>;
template class Use<formats::DeviceMatrix>;

HostUse::HostUse(GrB_Matrix matrix) : lock_(residency_lock()) {
  const auto entry = entry_to_use(matrix);
  source_ = std::make_unique<HostSource>(entry->on_host(), type_of(matrix));
}

void give_result(GrB_Matrix matrix, HostContent&& result) {
  const std::lock_guard<std::recursive_mutex> guard(residency_lock());
  const auto entry = entry_to_use(matrix);
  require_changeable(*entry);
  entry->hysteresis.offloaded();
  entry->take_result(std::move(result));
  entry->clear_error_text();
}

namespace {

/// The stale content goes first: it would be resized, too.
void require_resized(bool resized) {
  if (!resized) throw Declined("SuiteSparse cannot change the object's size");
}

}  // namespace

void resize_shell(GrB_Vector vector, uint64_t length, uint64_t) {
  const auto& t = real::table();
  require_resized(t.GrB_Vector_clear(vector) == GrB_SUCCESS &&
                  t.GrB_Vector_resize(vector, length) == GrB_SUCCESS);
}

void resize_shell(GrB_Matrix matrix, uint64_t rows, uint64_t columns) {
  const auto& t = real::table();
  require_resized(t.GrB_Matrix_clear(matrix) == GrB_SUCCESS &&
                  t.GrB_Matrix_resize(matrix, rows, columns) == GrB_SUCCESS);
}

void turn_shell(GrB_Matrix matrix, bool by_column) {
  if (held_by_column(matrix) == by_column) return;
  if (real::table().GrB_Matrix_clear(matrix) == GrB_SUCCESS) set_orientation(matrix, by_column);
}

VectorUse read(GrB_Vector vector, Reads reads) { return use_of(vector, false, true, reads); }
MatrixUse read(GrB_Matrix matrix, Reads reads) { return use_of(matrix, false, true, reads); }
VectorUse write(GrB_Vector vector, bool keep, Reads reads) { return use_of(vector, true, keep, reads); }
MatrixUse write(GrB_Matrix matrix, bool keep, Reads reads) { return use_of(matrix, true, keep, reads); }

}  // namespace cugrb::mirror
