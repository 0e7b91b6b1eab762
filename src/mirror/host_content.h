// The content of a SuiteSparse object as raw arrays: seen in place (HostView), or owned by the mirror
// (HostContent), which can be moved into the object and out of it in O(1). A GrB_Vector is SuiteSparse's
// n-by-1 matrix held by column; both kinds of handle go through the same code as GrB_Matrix.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "src/graphblas/real.h"

namespace cugrb::mirror {

enum class HostForm : uint8_t { hypersparse, sparse, bitmap, full };

/// Arrays of one of SuiteSparse's four forms. `vectors` is the number of rows when held by row, of columns
/// when by column; each has `vector_length` positions. Entries of sparse vectors are sorted.
struct HostView {
  HostForm form = HostForm::sparse;
  bool by_column = true;
  bool iso = false;  ///< `values` holds one element for all entries
  size_t value_bytes = 0;
  uint64_t vectors = 0;         ///< dimension across
  uint64_t vector_length = 0;   ///< dimension along
  uint64_t listed_vectors = 0;  ///< hypersparse: length of `names`
  uint64_t entries = 0;
  real::Integers offsets;           ///< sparse: vectors + 1; hypersparse: listed_vectors + 1
  real::Integers names;             ///< hypersparse: the vectors that may have entries, ascending
  real::Integers indices;           ///< sparse, hypersparse: `entries` positions
  const int8_t* present = nullptr;  ///< bitmap: vectors * vector_length
  const void* values =
      nullptr;  ///< sparse, hypersparse: entries; bitmap, full: vectors * vector_length; iso: 1

  uint64_t value_count() const;  ///< elements of `values`
};

HostForm form_of_status(int status);     ///< from GxB_SPARSITY_STATUS
int32_t status_of(HostForm form);        ///< GxB_HYPERSPARSE, ...: one form, as a control, too
bool held_by_column(GrB_Matrix object);  ///< from GxB_FORMAT
/// Whether the object holds arrays that the program has lent and that are not to be changed (GxB_Vector_load,
/// from SuiteSparse 10 on): only SuiteSparse knows what may still be done to it. Not of a hollow object.
bool is_read_only(GrB_Matrix object);
void set_orientation(GrB_Matrix object, bool by_column);  ///< of an object without content

/// Finishes pending work and reads the object in place, without copying (4 µs on a clean matrix). The view is
/// valid until the object changes. Throws Declined when the object cannot be read.
HostView view(GrB_Matrix object);
inline HostView view(GrB_Vector vector) { return view(reinterpret_cast<GrB_Matrix>(vector)); }

/// 0, 32 or 64 for row indices, column indices and offsets: the bits that each is to have (SuiteSparse 10),
/// if anything is said.
using IntegerHints = std::array<int32_t, 3>;

/// Host arrays from the user's allocator, in the layout in which SuiteSparse takes them.
class HostContent {
 public:
  HostContent() = default;
  ~HostContent() { clear(); }
  HostContent(HostContent&& other) noexcept { *this = static_cast<HostContent&&>(other); }
  HostContent& operator=(HostContent&& other) noexcept;

  /// Room for content of this shape (pointers of `shape` are ignored); false when host memory is not to be
  /// had.
  bool reserve(const HostView& shape);
  /// Gives sparse content room for so many entries, more or fewer than it had; those that fit stay. False,
  /// with no entry lost, when host memory is not to be had.
  bool resize(uint64_t entries);
  /// Moves the object's content here; the object stays, empty, with its type, shape and settings. O(1) on an
  /// object without pending work. On failure the object is as it was.
  GrB_Info take(GrB_Matrix object);
  /// Moves this content into the object and restores its settings (sparsity control, switches, name,
  /// orientation). On failure the content stays here and the object is as it was: no memory is allocated
  /// before the object has it all. `sparsity_control` replaces the object's own setting when it is given;
  /// `widths` are those of its integers where the object has no hint.
  GrB_Info give(GrB_Matrix object, std::optional<int32_t> sparsity_control = std::nullopt,
                const IntegerHints& widths = {});
  /// Fewer entries than were reserved.
  void set_entries(uint64_t entries) { shape_.entries = entries; }
  /// All entries have the first one's value: no other is kept.
  void make_iso();
  /// SuiteSparse is to choose the form when it gets the content, by the object's settings.
  void leave_form_open() { form_open_ = true; }
  void clear();

  bool empty() const { return !held_; }
  bool jumbled() const { return jumbled_; }  ///< sparse vectors may be unsorted
  /// Also describes the arrays to write into after reserve().
  HostView view() const;
  int64_t* offsets() { return static_cast<int64_t*>(offsets_.memory); }
  int64_t* indices() { return static_cast<int64_t*>(indices_.memory); }
  int8_t* present() { return static_cast<int8_t*>(present_.memory); }
  void* values() { return values_.memory; }
  uint64_t entries() const { return shape_.entries; }
  size_t bytes() const {
    return offsets_.bytes + names_.bytes + indices_.bytes + present_.bytes + values_.bytes;
  }

 private:
  struct Array {
    void* memory = nullptr;
    GrB_Index bytes = 0;
  };
  GrB_Info pack(GrB_Matrix object);
  GrB_Info unpack(GrB_Matrix object);
  /// Rearranges sparse or full content into the other orientation: O(entries + vectors), on this thread.
  /// False, with nothing changed, when there is no memory for it.
  bool turn();

  bool held_ = false;
  bool jumbled_ = false;
  bool form_open_ = false;
  HostView shape_;         // its pointers stay null
  IntegerHints had_ = {};  // widths of the integers in the object that they were taken from
  Array offsets_, names_, indices_, present_, values_;
};

/// What pack resets in an object although the user may have set it: sparsity control, switches, the name and
/// whether lists of names are hashed (from SuiteSparse 9 on) and the hints for the widths of integers (from
/// 10 on). The orientation is kept by packing in it.
class HostSettings {
 public:
  /// Of integers, where that is known: those that content has had, and those for an object without a hint.
  struct Widths {
    IntegerHints had, otherwise;
  };
  explicit HostSettings(GrB_Matrix object);
  /// Sets them again without a conversion on the way: the object may only change its form in the last step,
  /// to what its sparsity control asks for. If there is no memory for that, its content stays valid in the
  /// form it has. When nothing differs from what pack gives, this happens only if `choose_form` asks for it.
  void restore(GrB_Matrix object, HostForm form, bool choose_form, const Widths& widths) const;
  /// Sets only the hyper switch, of another object that is empty: what GrB_Matrix_dup takes over besides the
  /// sparsity control and the name.
  void set_hyper_switch(GrB_Matrix object) const;
  void set_name(GrB_Matrix object) const;
  void free_name(GrB_Matrix object) const;  ///< which pack would forget to do
  const IntegerHints& hints() const { return hints_; }
  int32_t sparsity_control() const { return sparsity_control_; }
  void set_sparsity_control(int32_t control) { sparsity_control_ = control; }

 private:
  static constexpr int32_t unknown = -1;
  static constexpr std::array<int, 3> hint_fields = {real::field_row_index_hint,
                                                     real::field_column_index_hint, real::field_offset_hint};
  void read_name(GrB_Matrix object);
  /// Packed integers have 64 bits. They get the widths that they have had, if any. Else SuiteSparse keeps
  /// those of 32 that fit, unless the object's hint, or without one `widths`, or without that the global
  /// hint, says otherwise, and programs can ask for the widths. O(entries + vectors) where they shrink.
  void restore_widths(GrB_Matrix object, HostForm form, const Widths& widths) const;
  /// Packed arrays lie in the common arena until the object's next wait. Here they move to the object's own,
  /// as the program would find them; without memory for it they stay, and are right where they are.
  static void move_to_arena(GrB_Matrix object);

  int32_t sparsity_control_ = GxB_AUTO_SPARSITY;
  double hyper_switch_ = 0, bitmap_switch_ = 0;
  std::string name_;
  int32_t hyper_hash_ = unknown;
  IntegerHints hints_ = {};
};

}  // namespace cugrb::mirror
