// The side table: handle -> entry. Handles are SuiteSparse's own pointers and are only compared, never
// followed, here.
#pragma once
#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <unordered_map>

#include "src/mirror/element_queue.h"
#include "src/mirror/host_content.h"
#include "src/mirror/hysteresis.h"
#include "src/mirror/mirror.h"
#include "src/mirror/presence.h"

namespace cugrb::mirror {

/// One lock for all residency work: uses of device copies, transfers, evictions. The device runs one stream,
/// so nothing is lost by it, and no order of handles in two threads' calls can deadlock. Recursive: a call
/// may name one handle several times. Calls on handles without a device copy never take it.
std::recursive_mutex& residency_lock();

/// What is known of a handle. Fields are guarded by residency_lock() but for `state`, which may be read
/// without it.
///
///   state    on_device          parked             the SuiteSparse object
///   host     no                 empty              the truth
///   both     yes                empty              equals the device copy
///   device   at least one of the two holds it      hollow
///
/// A sparsity control may wait in every state. Changes of a matrix's elements wait in the state `device`: the
/// truth is what the table says with these applied. An object that is hollow, or for which something waits,
/// is *unsettled*.
struct Entry {
  enum class Kind : uint8_t { vector, matrix };
  Entry(Kind kind, GrB_Matrix handle) : kind(kind), handle(handle) {}
  virtual ~Entry();
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  /// The content has been used elsewhere, or a sparsity control has waited: it may move again at any time.
  /// May be asked without the lock.
  bool has_moved() const { return has_moved_.load(std::memory_order_acquire); }
  void note_moved();
  /// The only way to change `state`.
  void set_state(State next);
  /// The only way to change `deferred_sparsity_control`.
  void defer_sparsity_control(std::optional<int32_t> control);
  /// Makes the SuiteSparse object hold the content, under the sparsity control that waits, and with the
  /// changes that do. When the content cannot be moved nothing has changed.
  GrB_Info write_back() noexcept;
  /// Sets the sparsity control that waits, if any, on the SuiteSparse object as it is. It goes on waiting
  /// when SuiteSparse has no memory for the form that it asks for.
  GrB_Info set_deferred_control() noexcept;
  /// As a call with the object as its output would.
  void clear_error_text();
  /// The device has a copy. A change of an element waits until the content is used; null: it goes. The state
  /// becomes `device`. Throws std::bad_alloc.
  void enqueue(uint64_t row, uint64_t column, const void* value, size_t bytes);
  /// The only way to forget the changes that wait.
  void clear_queue();
  /// Makes the device hold the content. Throws Declined, runtime::OutOfMemory (after an eviction and a second
  /// try).
  void make_resident();
  /// The content in host memory, sorted: the SuiteSparse object's, or the mirror's own, which is fetched when
  /// only the device has it. Throws Declined, std::bad_alloc, runtime::DeviceFailure.
  HostView on_host();
  /// An operation's result that came to host memory: the state becomes `device`.
  void take_result(HostContent&& result);
  /// Counts a call that asks for the object; mirror::expected_uses. Needs no lock, as content_changes().
  double expect_uses();
  /// The program (or an offloaded call) gives the object another content.
  void content_changes();
  /// Nothing of what is remembered belongs to the present content.
  void forget_notes();
  /// Forgets everything but the SuiteSparse object's own content.
  void drop() noexcept;
  /// The same, but a sparsity control that waits goes on waiting.
  void drop_copies() noexcept;

  virtual size_t device_bytes() const = 0;
  /// Of the content alone, without what is derived from it, where it is outside SuiteSparse.
  virtual uint64_t content_bytes() const = 0;
  virtual size_t drop_caches() = 0;
  /// The number of entries, when the object is hollow. Throws runtime::DeviceFailure.
  virtual uint64_t entries() const = 0;
  /// Copies the device's content into `parked`. Throws std::bad_alloc, runtime::DeviceFailure.
  virtual void park() = 0;
  virtual void drop_device() noexcept = 0;
  /// The state is `both`, and the program takes the arrays: the device's copy is set aside. The state is
  /// `host` then.
  virtual void set_aside() noexcept = 0;
  /// Forgets the copy that is set aside, if any; bytes freed.
  virtual size_t drop_aside() noexcept = 0;
  virtual bool has_aside() const = 0;
  /// What was learnt of the content comes back with it, when its copy on the device goes now.
  virtual void keep_knowledge() = 0;

  const Kind kind;
  const GrB_Matrix handle;  ///< a GrB_Vector is one to SuiteSparse
  std::atomic<State> state{State::host};
  std::atomic<bool> unsettled{false};  ///< may be read without the lock, too
  bool on_device = false;
  HostContent parked;
  ElementQueue queue;          ///< matrices: changes of elements that wait
  bool shell_emptied = false;  ///< state device: the stale host content has been freed, or is not worth it
  bool cleared = false;        ///< state device: the content is what GrB_clear has left
  IntegerHints widths = {};    ///< state device: of a copy's integers, as SuiteSparse's dup takes them along
  std::optional<int32_t> deferred_sparsity_control;  ///< to be set by write_back()
  uint64_t elements_before_control = 0;  ///< so many setElement on the host does it still wait for
  unsigned in_use = 0;
  unsigned stress_rest = 0;  ///< calls for which the stress modes leave the object alone
  uint64_t last_use = 0;
  /// The call that took the device copy's truth away, where a trace wants to know; a literal.
  std::atomic<const char*> changed_by{nullptr};
  Hysteresis hysteresis;

 private:
  std::atomic<bool> has_moved_{false};
  std::atomic<bool> noted_{false};           // something is remembered of the present content
  std::atomic<uint64_t> asked_for_{0};       // by how many calls: the present content
  std::atomic<double> asked_for_before_{0};  // contents before it, the last ones counting most
  std::atomic<uint64_t> contents_{0};        // that the object has had before
  virtual void upload(const HostView& view) = 0;
  GrB_Info give_content();
  GrB_Info clear_object();
  /// What has been done, for the trace. Does not forget the changes. Throws std::bad_alloc,
  /// runtime::OutOfMemory and what launches throw.
  virtual std::string apply_queue() = 0;
  /// The state is `host`: the copy that was set aside is the device's again, where it has the object's
  /// content. Else it goes.
  virtual bool recall() = 0;
  /// As on_host(), without the changes that wait.
  HostView base_on_host();
  bool make_room();
  void bring_up();
  /// The device copy, which is there, takes the changes that wait, and is the truth.
  void settle_on_device();
  GrB_Info give_back();
  GrB_Info settle_on_host();
  void note_settlement();

 protected:
  uint64_t contents() const { return contents_.load(std::memory_order_relaxed); }
  /// Something is remembered of the present content: it has to be told when that changes.
  void note_content();
};

/// Whether a copy is worth being set aside: after n comparisons in a row that found another content, 2^n
/// copies are not (1023 at most). Pure bookkeeping.
class Comparisons {
 public:
  bool is_worth_it() {
    if (skipped_ == 0) return true;
    --skipped_;
    return false;
  }
  void found(bool same) {
    failures_ = same ? 0 : std::min(failures_ + 1, most_failures);
    skipped_ = same ? 0 : (1u << failures_) - 1;
  }

 private:
  static constexpr unsigned most_failures = 10;
  unsigned failures_ = 0, skipped_ = 0;
};

/// The handle type of a content, and the other way round.
template <class Content>
using HandleOf = std::conditional_t<std::is_same_v<Content, formats::DeviceVector>, GrB_Vector, GrB_Matrix>;
template <class Handle>
using ContentOf =
    std::conditional_t<std::is_same_v<Handle, GrB_Vector>, formats::DeviceVector, formats::DeviceMatrix>;

template <class Content>
struct EntryOf final : Entry {
  using Handle = HandleOf<Content>;
  static constexpr Kind own_kind = std::is_same_v<Handle, GrB_Vector> ? Kind::vector : Kind::matrix;

  explicit EntryOf(GrB_Matrix handle) : Entry(own_kind, handle) {}
  size_t device_bytes() const override { return on_device ? device.bytes() : 0; }
  uint64_t content_bytes() const override;
  size_t drop_caches() override;
  uint64_t entries() const override { return on_device ? device.nvals() : parked.entries(); }
  void park() override;
  void drop_device() noexcept override;
  void set_aside() noexcept override;
  size_t drop_aside() noexcept override;
  bool has_aside() const override { return aside_ != nullptr; }
  void keep_knowledge() override;
  Handle typed_handle() const { return reinterpret_cast<Handle>(handle); }
  Content device;

 private:
  void upload(const HostView& view) override;
  std::string apply_queue() override;
  bool recall() override;
  std::unique_ptr<Content> aside_;
  Comparisons comparisons_;
  Content known_;               ///< without arrays: what was learnt of the content
  uint64_t known_content_ = 0;  ///< of which one
};
using VectorEntry = EntryOf<formats::DeviceVector>;
using MatrixEntry = EntryOf<formats::DeviceMatrix>;

/// Sharded hash table behind counting filters: what is asked on the way of every forwarded call is almost
/// always answered by a filter, in a few nanoseconds.
class Registry {
 public:
  static Registry& instance();
  /// False: the object has no copy outside SuiteSparse.
  bool may_have_copy(const void* handle) const { return detail::copied_handles.may_have(handle); }
  /// False: it is not.
  bool may_be_unsettled(const void* handle) const { return detail::unsettled_handles.may_have(handle); }
  /// The entry when the object is unsettled, else null. To be asked again under the lock.
  std::shared_ptr<Entry> find_unsettled(const void* handle) {
    return detail::unsettled_handles.may_have(handle) ? look_up_unsettled(handle) : nullptr;
  }
  /// The entry when the object has moved, else null: one that has not has neither a copy nor anything that
  /// waits.
  std::shared_ptr<Entry> find_moved(const void* handle) {
    return has_never_moved(handle) ? nullptr : look_up_moved(handle);
  }
  /// Keep the filters in step with an entry's state.
  void state_changes(const void* handle, State from, State to);
  void movement_changes(const void* handle, bool moved);
  void settlement_changes(const void* handle, bool unsettled);
  void notes_change(const void* handle, bool noted);
  /// Null for unknown handles. A few nanoseconds for almost all of those.
  std::shared_ptr<Entry> find(const void* handle);
  /// The entry, made when there is none. Programs cast handles of vectors (and of scalars) to those of
  /// matrices and back: an object that is known as the other kind comes home and is known as this one from
  /// then on. Throws Declined when that one is in use, or cannot come home.
  template <class Handle>
  std::shared_ptr<EntryOf<ContentOf<Handle>>> obtain(Handle handle);
  /// Takes the entry out of the table; null when there was none.
  std::shared_ptr<Entry> remove(const void* handle);
  std::vector<std::shared_ptr<Entry>> entries();
  void clear();
  void lock_all();
  void unlock_all();

 private:
  static constexpr size_t shard_count = 64;
  struct Shard {
    std::mutex lock;
    std::unordered_map<const void*, std::shared_ptr<Entry>> entries;
  };
  Shard& shard(const void* handle) {
    return shards_[(reinterpret_cast<uintptr_t>(handle) >> 6) % shard_count];
  }
  std::shared_ptr<Entry> look_up_moved(const void* handle);
  std::shared_ptr<Entry> look_up_unsettled(const void* handle);
  template <class Handle>
  std::shared_ptr<Entry> find_or_make(Handle handle);
  template <class Handle>
  std::shared_ptr<Entry> change_kind(Handle handle);
  std::array<Shard, shard_count> shards_;
};

/// Registers the handlers that give a forked child a consistent table, once.
void watch_forks();

/// Bookkeeping of transfers. (Their bytes are counted by the device: trace::copied_up, trace::copied_down.)
void note_upload();
void note_download();
void note_hit();
void note_eviction();
uint64_t next_use();  ///< ascending: the clock of "least recently used"

}  // namespace cugrb::mirror
