// DeviceMatrix: a matrix on the device with every format it currently has, made lazily and dropped under
// pressure.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <optional>

#include "src/formats/begun.h"
#include "src/formats/length_distribution.h"

namespace cugrb::formats {

/// What is made from a CSR and kept beside it: another format, or a plan for a kernel.
class Derived {
 public:
  virtual ~Derived() = default;
  virtual size_t bytes() const = 0;  ///< device memory that goes when it is dropped
};

/// Rows of more entries than this are long: a block takes each (cuda/kernels/mxv_rows.h).
constexpr uint64_t longest_short_row = 1024;
struct LongRows final : Derived {
  uint64_t count = 0;
  runtime::Buffer rows;  ///< their positions in no order, uint64_t, and their number
  size_t bytes() const override { return rows.bytes(); }
};

/// The largest values that cuda/kernels/mxv_merge.h takes: a block's products are 18 KB then.
constexpr size_t most_merge_bytes = 16;
/// Where the merge path of rows and entries is cut into tiles of merge_tile_steps (cuda/views/mxv.h).
struct MergePlan final : Derived {
  uint64_t tiles = 0;
  runtime::Buffer tile_rows;  ///< tiles + 1 positions, uint64_t
  size_t bytes() const override { return tile_rows.bytes(); }
};

/// Lengths that a matrix knows, with the arrays that they belong to (held, so that no other array can have
/// their addresses). Index 0: the matrix by rows; 1: its transpose by rows.
struct KnownLengths {
  runtime::Buffer offsets[2], column_indices[2];
  std::shared_ptr<const LengthDistribution> lengths[2];
};

/// A GraphBLAS matrix: stored by row or by column (`by_column`: `stored` is the CSR of its transpose).
/// Immutable once used: what is derived from `stored` is computed at the first call that asks for it, kept,
/// and shared by copies. Thread-safe; references stay valid until drop_caches(), those to what is derived
/// until retire() where no Pin is held.
class DeviceMatrix {
  struct Caches;

 public:
  Type type;
  uint64_t rows = 0, columns = 0;
  bool by_column = false;
  Csr stored;  ///< CSR of the matrix, or of its transpose when by_column

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
  /// What has been counted so far, and taking over what belongs to this matrix's offsets (and, for the other
  /// direction, columns): operations that keep the pattern keep the lengths by it. O(1).
  KnownLengths known_lengths() const;
  void keep_lengths(const KnownLengths& known) const;
  /// Of by_rows(transposed), which is made when it is not there.
  const LongRows& long_rows(bool transposed) const;
  const MergePlan& merge_plan(bool transposed) const;
  uint64_t uses(bool transposed) const;

  /// What `make(const Csr&)`, which returns an F, makes of by_rows(transposed): at the first call for this
  /// key, kept until drop_caches() or retire(). The key begins with the format's stem: "hyb", "tile_composite
  /// FP32".
  template <class F, class Make>
  const F& derived(bool transposed, const std::string& key, const Make& make) const {
    return static_cast<const F&>(derived_by(transposed, key, [&make](const Csr& rows) {
      return std::unique_ptr<const Derived>(std::make_unique<const F>(make(rows)));
    }));
  }
  /// The same, not waited for: `begin(const Csr&)`, which returns a Begun<F>, asks the device for it at the
  /// first call. Null until it has arrived; after `patience` more uses of by_rows(transposed) it is waited
  /// for (0: at once). derived() with the key waits for it, too.
  template <class F, class Begin>
  const F* derived_later(bool transposed, const std::string& key, uint64_t patience,
                         const Begin& begin) const {
    return static_cast<const F*>(derived_later_by(transposed, key, patience, [&begin](const Csr& rows) {
      return std::unique_ptr<BegunDerived>(std::make_unique<BegunOf<F>>(begin(rows)));
    }));
  }
  /// Takes all that has arrived, or is to be waited for by now, of what derived_later() began: a change. An
  /// atomic load where nothing is under way.
  void collect_arrivals() const;
  bool has_derived(bool transposed, const std::string& key) const;
  /// Grows when something is derived and when it is dropped: what was true of both is true until then.
  uint64_t changes() const;
  /// Null when it has not been made.
  template <class F>
  const F* find_derived(bool transposed, const std::string& key) const {
    return static_cast<const F*>(find_derived_by(transposed, key));
  }

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
  /// Forgets what has been derived by keys that begin with one of these stems, and frees it when no Pin is
  /// left.
  void retire(bool transposed, const std::vector<std::string>& stems) const;

  size_t bytes() const;        ///< everything it holds on the device
  size_t drop_caches() const;  ///< frees what can be remade; bytes freed

 private:
  struct BegunDerived {
    virtual ~BegunDerived() = default;
    virtual bool arrived() const = 0;
    virtual std::unique_ptr<const Derived> take() = 0;
  };
  template <class F>
  struct BegunOf final : BegunDerived {
    explicit BegunOf(Begun<F>&& what) : begun(std::move(what)) {}
    bool arrived() const override { return begun.arrived(); }
    std::unique_ptr<const Derived> take() override { return std::make_unique<const F>(begun.take()); }
    Begun<F> begun;
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
    Caches& get();

   private:
    void share(const LazyCaches& other);
    std::shared_ptr<Caches> owner_;  ///< read only where made_ says that it is there
    std::atomic<Caches*> made_ = nullptr;
  };
  mutable LazyCaches caches_;
  Caches& caches() const { return caches_.get(); }
  const Csr& rows_uncounted(bool transposed) const;
  using BeginDerived = std::function<std::unique_ptr<BegunDerived>(const Csr&)>;
  const Derived* derived_later_by(bool transposed, const std::string& key, uint64_t patience,
                                  const BeginDerived& begin) const;
  using MakeDerived = std::function<std::unique_ptr<const Derived>(const Csr&)>;
  const Derived* find_derived_by(bool transposed, const std::string& key) const;
  const Derived& derived_by(bool transposed, const std::string& key, const MakeDerived& make) const;
};

/// The matrix that has these rows, or (by_column) columns.
DeviceMatrix matrix_by(Csr rows, bool by_column);

}  // namespace cugrb::formats
