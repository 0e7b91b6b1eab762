// DeviceMatrix: a matrix on the device with every format it currently has, made lazily and dropped under
// pressure.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>

#include "src/formats/length_distribution.h"
#include "src/formats/merge_plan.h"
#include "src/formats/pattern.h"

namespace cugrb::formats {

/// Rows of more entries than this are long: a block takes each (cuda/kernels/mxv_rows.h).
constexpr uint64_t longest_short_row = 1024;
struct LongRows {
  uint64_t count = 0;
  runtime::Buffer rows;  ///< their positions in no order, uint64_t, and their number
  size_t bytes() const { return rows.bytes(); }
};

/// The largest values that cuda/kernels/mxv_merge.h takes: a block's products are 18 KB then.
constexpr size_t most_merge_bytes = 16;
/// A matrix's pattern, with the arrays that it is of: held, so that no other array can have their addresses.
/// Index 0: the matrix by rows; 1: its transpose by rows.
struct HeldPattern {
  std::shared_ptr<Pattern> pattern;
  bool flipped = false;  ///< the pattern's rows are the transpose's
  runtime::Buffer offsets[2], column_indices[2];
};

class Dcsr;          // src/formats/dcsr.h
struct MatrixParts;  // src/formats/matrix_in_parts.h

/// How a matrix has been used between its batches of updates: what the choice of its form goes by.
struct UpdateHistory {
  uint64_t batches = 0;          ///< since an operation last read its CSR
  uint64_t batches_before = 0;   ///< of these then, where there were any
  uint64_t products = 0;         ///< products with a vector since the last batch
  uint64_t products_before = 0;  ///< between the two batches before it
  uint64_t copies = 0;           ///< CSRs that operations made for themselves since the last batch
  uint64_t copies_before = 0;    ///< between the two batches before it
  uint64_t longest_row = 0;      ///< entries of it, when the matrix was fragmented last
  double apart_seconds = 0;      ///< what products have paid for segments apart since rows were laid out
};

/// A GraphBLAS matrix: stored by row or by column (`by_column`: `stored` is the CSR of its transpose).
/// Immutable once used: what is derived from `stored` is computed at the first call that asks for it, kept,
/// and shared by copies. Thread-safe; references to storage stay valid until drop_caches(), those to formats
/// until retire() where no Pin is held, those to knowledge as long as the matrix or a copy lives.
///
/// Where updates came in small batches, its content is a dynamic CSR instead, `fragments`, of the orientation
/// of `stored`, which then has the shape, the value of all entries if they have one, and no other array
/// (src/formats/dcsr_update.h). Copies share it until one of them changes. What reads rows of such a matrix
/// asks for defragment() first; by_rows() and whatever is derived of rows throw std::logic_error.
///
/// A matrix in parts (`parts`) has its content on several devices, and is to `stored` and by_rows() as a
/// fragmented one is.
class DeviceMatrix {
  struct Caches;

 public:
  Type type;
  uint64_t rows = 0, columns = 0;
  bool by_column = false;
  Csr stored;                                ///< CSR of the matrix, or of its transpose when by_column
  std::shared_ptr<const Dcsr> fragments;     ///< null: it is not fragmented
  std::shared_ptr<const MatrixParts> parts;  ///< null: it lies on one device
  UpdateHistory history;

  /// From the fragments to CSR: one pass over the entries. As it was when it throws runtime::OutOfMemory.
  void defragment();
  /// From parts to CSR at home. As it was when it throws runtime::OutOfMemory.
  void collect();
  /// An operation is about to read the CSR: collects, or defragments, and remembers that.
  void read_rows();
  uint64_t nvals() const { return stored.entries; }
  /// CSR of the matrix (transposed = false) or of its transpose; the one that is not stored is made at the
  /// first call and kept. The uses of each are counted.
  const Csr& by_rows(bool transposed) const;
  bool has_rows(bool transposed) const;  ///< by_rows(transposed) would cost nothing
  /// Lengths of the rows of the matrix, or of its transpose. Neither is made for it: what is stored by
  /// columns is counted by columns. The first call waits for the device; where rows are counted, `meanwhile`
  /// is called before.
  const LengthDistribution& row_distribution(bool transposed,
                                             const std::function<void()>& meanwhile = {}) const;
  RowLengths row_lengths(bool transposed) const { return row_distribution(transposed).summary(); }
  /// Its pattern, to be given to a matrix that may turn out to have the same, before that is used: operations
  /// that keep the pattern keep what is known of it. O(1).
  HeldPattern held_pattern() const;
  void keep_pattern(const HeldPattern& held);
  /// From now on the matrix has these rows, or columns. What is known of its pattern stays where they have
  /// the same. O(1).
  void replace_rows(Csr rows, bool by_column);
  /// To be called when entries of `stored` have moved: copies keep what was derived and learnt before. Not
  /// while a Pin is held.
  void next_version();
  const Pattern& pattern() const { return *caches().pattern; }
  /// Of by_rows(transposed), which is made when it is not there.
  const LongRows& long_rows(bool transposed) const;
  const MergePlan& merge_plan(bool transposed) const;
  uint64_t uses(bool transposed) const { return caches().uses[transposed]; }
  /// Of a new matrix of which so many uses are known to come.
  void expect_uses(bool transposed, uint64_t count) { caches().uses[transposed] = count; }

  /// What `make(const Csr&)` makes of by_rows(transposed), or make() of something else: at the first call for
  /// this key. Storage is kept until drop_caches() or retire(), knowledge for good.
  template <class Key, class Make>
  const typename Key::Made& derived(bool transposed, const Key& key, const Make& make) const {
    const Lock lock(caches().mutex());
    if (SlotOf<Key>* const slot = slot_of(transposed, key)) return taken(transposed, *slot);
    const auto made = [&] {
      if constexpr (std::is_invocable_v<const Make&>) {
        return make();
      } else {
        return make(rows_uncounted(transposed));
      }
    };
    // Making it may have changed what is kept.
    SlotOf<Key>& added = kept_for<Key>(transposed).add(key, made());
    ++keeping_of<Key>().changes;
    return added.made();
  }
  /// The same, not waited for: `begin(const Csr&)`, which returns a Begun<Made>, asks the device for it at
  /// the first call. Null until it has arrived; after `patience` more uses of by_rows(transposed) it is
  /// waited for (0: at once). derived() with the key waits for it, too.
  template <class Key, class Begin>
  const typename Key::Made* derived_later(bool transposed, const Key& key, uint64_t patience,
                                          const Begin& begin) const {
    static_assert(Key::of_pattern);
    const Lock lock(caches().mutex());
    SlotOf<Key>* slot = slot_of(transposed, key);
    if (slot == nullptr) {
      slot = &kept_for<Key>(transposed).add(key, begin(rows_uncounted(transposed)));
      slot->awaited_from = uses(transposed) + patience;
      ++caches().pattern->under_way;
    }
    return patience == 0 || is_due(transposed, *slot) ? &taken(transposed, *slot) : nullptr;
  }
  /// Takes all that has arrived, or is to be waited for by now, of what derived_later() began: a change. An
  /// atomic load where nothing is under way.
  void collect_arrivals() const;
  /// Whether there is a format that was made for a key of that type.
  bool has_derived(bool transposed, std::type_index key) const;
  /// Null when it has not been made, or has not arrived.
  template <class Key>
  const typename Key::Made* find_derived(bool transposed, const Key& key) const {
    const Lock lock(caches().mutex());
    const SlotOf<Key>* const slot = slot_of(transposed, key);
    return slot != nullptr && slot->is_there() ? &slot->made() : nullptr;
  }
  /// Grows when something is derived and when it is dropped: what was true of both is true until then.
  uint64_t changes() const { return caches().changes + caches().pattern->changes; }
  /// How often storage has been dropped.
  uint64_t drops() const { return caches().drops; }

  /// While one lives, references to what is derived stay valid, whatever is retired.
  class Pin {
   public:
    explicit Pin(const DeviceMatrix& matrix);
    ~Pin();
    Pin(const Pin&) = delete;
    Pin& operator=(const Pin&) = delete;

   private:
    Caches& caches_;
  };
  /// Forgets what has been derived by keys of these types, and frees it when no Pin is left.
  void retire(bool transposed, std::span<const std::type_index> keys) const;

  size_t bytes() const;          ///< everything it holds on the device
  size_t content_bytes() const;  ///< without what is derived
  size_t drop_caches() const;    ///< frees storage that can be remade, and keeps knowledge; bytes freed
  /// Its caches dropped, and without its arrays: what is known of it. Another matrix with the same content
  /// can take that up, before it is used, if it is stored in the same way.
  DeviceMatrix without_storage() const;
  void take_knowledge(const DeviceMatrix& of);

 private:
  using Lock = std::lock_guard<std::recursive_mutex>;
  /// What hangs on the matrix, values and all; what hangs on its pattern.
  struct Caches : Keeping {
    explicit Caches(std::shared_ptr<Pattern> of, bool is_flipped = false)
        : pattern(std::move(of)), flipped(is_flipped) {}
    const std::shared_ptr<Pattern> pattern;
    const bool flipped;        ///< the pattern's rows are the transpose's
    std::optional<Csr> other;  ///< whichever of the two is not stored
    std::vector<std::unique_ptr<Slot>> retired;
    std::atomic<bool> has_retired = false;
    std::atomic<uint64_t> pins = 0;
    std::atomic<uint64_t> uses[2] = {0, 0}, drops = 0;
    std::recursive_mutex& mutex() const { return pattern->mutex; }
  };
  /// Made when somebody asks first. Copies share what is there then.
  class LazyCaches {
   public:
    LazyCaches() = default;
    LazyCaches(const LazyCaches& other) { share(other); }
    LazyCaches& operator=(const LazyCaches& other) {
      if (this != &other) share(other);
      return *this;
    }
    Caches& get() {
      Caches* const made = made_.load(std::memory_order_acquire);
      return made != nullptr ? *made : make();
    }
    void set(std::shared_ptr<Caches> caches);  ///< not where there are some already

   private:
    Caches& make();
    void share(const LazyCaches& other);
    std::shared_ptr<Caches> owner_;  ///< read only where made_ says that it is there
    std::atomic<Caches*> made_ = nullptr;
  };
  mutable LazyCaches caches_;
  Caches& caches() const { return caches_.get(); }
  void require_rows() const;
  const Csr* rows_if_there(bool transposed) const;  ///< this and derived_bytes(): under the lock
  size_t derived_bytes() const;
  const Csr& rows_uncounted(bool transposed) const;

  template <class Key>
  Keeping& keeping_of() const {
    if constexpr (requires { Key::of_pattern; }) return *caches().pattern;
    return caches();
  }
  template <class Key>
  Kept& kept_for(bool transposed) const {
    Keeping& keeping = keeping_of<Key>();
    const bool side = &keeping == &caches() ? transposed : transposed != caches().flipped;
    return TakesMemory<typename Key::Made> ? keeping.storage[side] : keeping.knowledge[side];
  }
  template <class Key>
  SlotOf<Key>* slot_of(bool transposed, const Key& key) const {
    return kept_for<Key>(transposed).find(key);
  }
  bool is_due(bool transposed, const Slot& slot) const {
    return uses(transposed) >= slot.awaited_from || slot.arrived();
  }
  /// Waits where it has not arrived. What fails is forgotten, and may be begun again.
  void arrive(Kept& kept, Slot& slot) const;
  template <class Key>
  const typename Key::Made& taken(bool transposed, SlotOf<Key>& slot) const {
    if (!slot.is_there()) arrive(kept_for<Key>(transposed), slot);
    return slot.made();
  }
};

/// The matrix that has these rows, or (by_column) columns.
DeviceMatrix matrix_by(Csr rows, bool by_column);

}  // namespace cugrb::formats
