// Entries: moving the content of one object between SuiteSparse, parked host memory and the device.
#include <algorithm>
#include <new>
#include <utility>

#include "src/graphblas/info_of.h"
#include "src/graphblas/real.h"
#include "src/memory/policy.h"
#include "src/mirror/error_texts.h"
#include "src/mirror/registry.h"
#include "src/mirror/same_content.h"
#include "src/mirror/transfer.h"
#include "src/mirror/types.h"
#include "src/operations/matrix_update.h"
#include "src/support/declined.h"
#include "src/support/number_text.h"
#include "src/support/stopwatch.h"
#include "src/support/trace.h"

namespace cugrb::mirror {
namespace {

/// In a forked child the device's memory is not ours to release: it goes with the process.
template <class Object>
void abandon_after_fork(Object& object, bool on_device) noexcept {
  if (!on_device || runtime::available()) return;
  if (auto* const abandoned = new (std::nothrow) Object) *abandoned = std::move(object);
}

}  // namespace

Entry::~Entry() {
  if (has_moved()) Registry::instance().movement_changes(handle, false);
}

void Entry::note_moved() {
  if (!has_moved_.exchange(true, std::memory_order_acq_rel))
    Registry::instance().movement_changes(handle, true);
}

void Entry::set_state(State next) {
  const State last = state.exchange(next, std::memory_order_acq_rel);
  Registry::instance().state_changes(handle, last, next);
  note_settlement();
}

void Entry::defer_sparsity_control(std::optional<int32_t> control) {
  deferred_sparsity_control = control;
  note_settlement();
}

void Entry::note_settlement() {
  const bool now = state == State::device || deferred_sparsity_control.has_value() || !queue.empty();
  if (now || state != State::host) note_moved();
  if (unsettled.exchange(now, std::memory_order_acq_rel) != now) {
    Registry::instance().settlement_changes(handle, now);
  }
}

GrB_Info Entry::set_deferred_control() noexcept {
  if (!deferred_sparsity_control) return GrB_SUCCESS;
  const ErrorTextGuard text(handle);
  const GrB_Info info = real::table().GxB_Matrix_Option_set_INT32(handle, real::options().sparsity_control,
                                                                  *deferred_sparsity_control);
  if (info == GrB_SUCCESS) defer_sparsity_control(std::nullopt);
  return info;
}

/// SuiteSparse clears an object's error text whenever the object is the output of a call; a wait for
/// completion is the cheapest of those. Most objects have none: then this is one load in the object.
void Entry::clear_error_text() {
  drop_error_text(handle);
  const char* text = nullptr;
  const auto& t = real::table();
  if (t.GrB_Matrix_error(&text, handle) == GrB_SUCCESS && text != nullptr && *text != '\0') {
    t.GrB_Matrix_wait(handle, GrB_COMPLETE);
  }
}

GrB_Info Entry::give_content() {
  if (parked.empty()) park();
  return parked.give(handle, deferred_sparsity_control, widths);
}

GrB_Info Entry::clear_object() {
  const ErrorTextGuard text(handle);
  const auto& t = real::table();
  const GrB_Info info = kind == Kind::vector ? t.GrB_Vector_clear(reinterpret_cast<GrB_Vector>(handle))
                                             : t.GrB_Matrix_clear(handle);
  if (info != GrB_SUCCESS) return info;
  parked.clear();
  return set_deferred_control();
}

void Entry::enqueue(uint64_t row, uint64_t column, const void* value, size_t bytes) {
  queue.add(row, column, value, bytes);
  content_changes();
  if (state == State::both) shell_emptied = false;
  set_state(State::device);
}

void Entry::clear_queue() {
  queue.clear();
  note_settlement();
}

/// The SuiteSparse object, which is hollow, gets the content without the changes that wait.
GrB_Info Entry::give_back() {
  const GrB_Info info = cleared ? clear_object() : give_content();
  if (info != GrB_SUCCESS) return info;
  defer_sparsity_control(std::nullopt);
  cleared = false;
  widths = {};
  hysteresis.restored();
  shell_emptied = false;
  set_state(on_device ? State::both : State::host);
  return GrB_SUCCESS;
}

/// The SuiteSparse object, which has the content but for the changes that wait, gets these: one setElement
/// each. As ever, one for which SuiteSparse finds no memory costs the object its content.
GrB_Info Entry::settle_on_host() {
  const ErrorTextGuard text(handle);
  const GrB_Info info = queue.replay(handle, type_of(handle));
  if (info != GrB_SUCCESS) return info;
  if (on_device) {
    drop_device();
    set_state(State::host);
  }
  clear_queue();
  return GrB_SUCCESS;
}

GrB_Info Entry::write_back() noexcept {
  // GrB_PANIC: the device is lost (after a fork, or a sticky error), and with it the only copy.
  return real::info_of([this] {
    if (!queue.empty() && on_device) {
      try {  // and down from there: what fails on that way costs nothing
        settle_on_device();
      } catch (const std::exception&) {
        // SuiteSparse takes the changes, when it has the rest.
      }
    }
    GrB_Info info = state == State::device ? give_back() : GrB_SUCCESS;
    if (info == GrB_SUCCESS && !queue.empty()) info = settle_on_host();
    return info == GrB_SUCCESS ? set_deferred_control() : info;
  });
}

HostView Entry::base_on_host() {
  if (state != State::device) return view(handle);
  if (parked.empty()) park();
  if (!parked.jumbled()) return parked.view();
  // SuiteSparse sorts: back into the object, which then is the truth.
  if (write_back() != GrB_SUCCESS) throw std::bad_alloc();
  return view(handle);
}

HostView Entry::on_host() {
  if (!queue.empty() && write_back() != GrB_SUCCESS) throw std::bad_alloc();
  return base_on_host();
}

void Entry::settle_on_device() {
  if (queue.empty()) return;
  const std::string how = apply_queue();
  if (trace::enabled()) {
    const size_t count = queue.size();
    trace::add_lasting_reason(std::to_string(count) + (count == 1 ? " change" : " changes") +
                              " of elements " + how);
  }
  clear_queue();
  parked.clear();
  cleared = false;
  set_state(State::device);
}

void Entry::make_resident() {
  last_use = next_use();
  if (on_device) {
    note_hit();
  } else {
    bring_up();
  }
  settle_on_device();
}

/// Makes room for the content. Returns whether any was made.
bool Entry::make_room() {
  drop_device();
  const HostView v = state == State::device && !parked.empty() ? parked.view() : view(handle);
  const uint64_t bytes = upload_bytes_of(v.form, v.iso, v.value_bytes, v.vectors, v.vector_length, v.entries,
                                         kind == Kind::matrix);
  ++in_use;
  const size_t freed = evict(bytes);
  --in_use;
  return freed > 0;
}

void Entry::bring_up() {
  if (state == State::host && recall()) {
    changed_by = nullptr;
    on_device = true;
    set_state(State::both);
    return note_hit();
  }
  const uint64_t up_before = trace::current().bytes_up;
  memory::relieved([this] { upload(base_on_host()); }, [this] { return make_room(); });
  on_device = true;
  if (state == State::host) set_state(State::both);
  note_upload();
  const char* const cause = changed_by.exchange(nullptr);
  if (cause != nullptr) trace::charge_upload(cause, trace::current().bytes_up - up_before);
}

void Entry::note_content() {
  if (!noted_.exchange(true, std::memory_order_acq_rel)) Registry::instance().notes_change(handle, true);
}

void Entry::forget_notes() {
  if (noted_.exchange(false, std::memory_order_acq_rel)) Registry::instance().notes_change(handle, false);
}

double Entry::expect_uses() {
  note_content();
  const auto uses = static_cast<double>(1 + asked_for_.fetch_add(1, std::memory_order_relaxed));
  return std::max(uses, asked_for_before_.load(std::memory_order_relaxed));
}

void Entry::content_changes() {
  forget_notes();
  contents_.fetch_add(1, std::memory_order_relaxed);
  const auto uses = static_cast<double>(asked_for_.exchange(0, std::memory_order_relaxed));
  if (uses == 0) return;  // changed in several steps: all of them make one content
  const double before = asked_for_before_.load(std::memory_order_relaxed);
  asked_for_before_.store(before == 0 ? uses : (before + uses) / 2, std::memory_order_relaxed);
}

void Entry::take_result(HostContent&& result) {
  drop_device();
  drop_aside();
  clear_queue();
  content_changes();
  parked = std::move(result);
  shell_emptied = cleared = false;
  widths = {};
  set_state(State::device);
}

void Entry::drop() noexcept {
  drop_copies();
  drop_aside();
  defer_sparsity_control(std::nullopt);
}

void Entry::drop_copies() noexcept {
  drop_device();
  queue.clear();
  parked.clear();
  shell_emptied = cleared = false;
  widths = {};
  set_state(State::host);
}

template <class Content>
uint64_t EntryOf<Content>::content_bytes() const {
  if (!on_device) return 0;  // parked: in host memory already
  if constexpr (std::is_same_v<Content, formats::DeviceMatrix>) {
    // Columns of 32 bits become integers of 64.
    return device.content_bytes() + device.nvals() * sizeof(uint32_t);
  } else {
    return device.bytes() + (device.form == Form::sparse ? device.nvals() * sizeof(uint32_t) : 0);
  }
}

template <class Content>
size_t EntryOf<Content>::drop_caches() {
  if constexpr (std::is_same_v<Content, formats::DeviceMatrix>) {
    return (on_device ? device : known_).drop_caches();
  }
  return 0;
}

namespace {

/// A fragmented matrix, and one in parts, comes down as CSR. Where the device cannot make it, it stays as it
/// is, and the host puts its rows together.
void fetchable(formats::DeviceMatrix& matrix) {
  arranges([&] {
    matrix.collect();
    matrix.defragment();
  });
}

}  // namespace

template <class Content>
void EntryOf<Content>::park() {
  if constexpr (std::is_same_v<Content, formats::DeviceMatrix>) {
    fetchable(device);
    const int32_t control = deferred_sparsity_control.value_or(HostSettings(handle).sparsity_control());
    parked = download(device, held_by_column(handle), (control & GxB_FULL) != 0);
  } else {
    parked = download(device);
  }
  note_download();
}

template <class Content>
void EntryOf<Content>::drop_device() noexcept {
  abandon_after_fork(device, on_device);
  device = {};
  on_device = false;
}

namespace {

/// Smaller ones go up in the time that a comparison takes to begin.
constexpr uint64_t worth_comparing_bytes = uint64_t(1) << 20;

std::string kept_text(uint64_t bytes, double seconds) {
  return "kept: " + std::to_string(bytes) + " bytes hashed in " + general_text(seconds * 1e3, 3) + " ms";
}

}  // namespace

template <class Content>
void EntryOf<Content>::set_aside() noexcept {
  drop_aside();
  if constexpr (std::is_same_v<Content, formats::DeviceMatrix>) {
    if (!runtime::available() || device.content_bytes() < worth_comparing_bytes) return;
    if (!comparisons_.is_worth_it()) return;
    aside_.reset(new (std::nothrow) Content(std::move(device)));
    if (aside_ == nullptr) return;
    drop_device();
    set_state(State::host);
  }
}

template <class Content>
size_t EntryOf<Content>::drop_aside() noexcept {
  if (aside_ == nullptr) return 0;
  const size_t bytes = aside_->bytes();
  abandon_after_fork(*aside_, true);
  aside_.reset();
  return bytes;
}

template <class Content>
bool EntryOf<Content>::recall() {
  if constexpr (std::is_same_v<Content, formats::DeviceMatrix>) {
    if (aside_ == nullptr) return false;
    const std::unique_ptr<Content> was = std::move(aside_);
    const Stopwatch watch;
    const HostView host = view(handle);
    bool same = may_be_same(host, type_of(typed_handle()), *was);
    if (same) memory::shortage([&] { same = false, same = is_same(host, *was); });
    comparisons_.found(same);
    if (!same) return false;
    device = std::move(*was);
    if (trace::enabled()) trace::add_lasting_reason(kept_text(compared_bytes(host), watch.seconds()));
    return true;
  }
  return false;
}

template <class Content>
std::string EntryOf<Content>::apply_queue() {
  if constexpr (std::is_same_v<Content, formats::DeviceMatrix>)
    return device.collect(), operations::update(device, queue.updates(device));
  return {};
}

template <class Content>
void EntryOf<Content>::keep_knowledge() {
  if constexpr (std::is_same_v<Content, formats::DeviceMatrix>) {
    known_ = device.without_storage();
    known_content_ = contents();
    note_content();
  }
}

template <class Content>
void EntryOf<Content>::upload(const HostView& view) {
  if constexpr (std::is_same_v<Content, formats::DeviceMatrix>) {
    device = upload_matrix(view, type_of(typed_handle()));
    const formats::DeviceMatrix known = std::exchange(known_, {});
    if (known_content_ == contents()) device.take_knowledge(known);
  } else {
    auto vector = upload_vector(view, type_of(typed_handle()));
    // On the device, too, the vector has the form that the program asked for. (Only bitmaps are waited for.)
    const bool waits = state != State::device && deferred_sparsity_control.has_value();
    if (waits && vector.form == Form::sparse && vector.nvals() > 0) vector = formats::to_bitmap(vector);
    device = std::move(vector);
  }
}

template struct EntryOf<formats::DeviceVector>;
template struct EntryOf<formats::DeviceMatrix>;

}  // namespace cugrb::mirror
