#include "src/formats/dcsr_update.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "cuda/views/dcsr_update.h"
#include "src/formats/element_kernels.h"
#include "src/memory/policy.h"

namespace cugrb::formats {

using runtime::Buffer;

namespace {

constexpr char dcsr_update_header[] = "dcsr_update.h";

/// A copy where others share it, with room for `bytes`; `kept` of them are worth copying.
void own(Buffer& buffer, size_t kept, size_t bytes) {
  if (buffer.unique() && buffer.bytes() >= bytes) return;
  const Buffer copy(bytes, buffer.device());
  copy.copy_bytes(0, buffer, 0, kept);
  buffer = copy;
}

/// The same of an array that has `bytes` of room. It grows where it lies, if nobody shares it, and is copied
/// into one that can grow else.
void own_growing(Buffer& buffer, size_t kept, size_t bytes) {
  if (buffer.unique() && (buffer.bytes() >= bytes || buffer.grow(bytes))) return;
  const Buffer copy = Buffer::growable(bytes, buffer.device());
  copy.copy_bytes(0, buffer, 0, kept);
  buffer = copy;
}

/// The tables are the matrix's own, and it knows the runs of its rows.
void own_tables(Dcsr& matrix) {
  own(matrix.segments, matrix.segments.bytes(), matrix.segments.bytes());
  own(matrix.sizes, matrix.sizes.bytes(), matrix.sizes.bytes());
  if (!matrix.mains) {
    matrix.mains = matrix.sizes.clone();
  } else {
    own(matrix.mains, matrix.mains.bytes(), matrix.mains.bytes());
  }
}

/// Updates of a matrix with two runs a row: what they find and ask for. Nothing is changed before apply().
class Insertion {
 public:
  /// Both are looked at until it is gone.
  Insertion(const Dcsr&, EntryUpdates&&) = delete;
  Insertion(const Dcsr& matrix, const EntryUpdates& updates) : matrix_(matrix), updates_(updates) {
    const uint64_t count = updates.entries.entries;
    const bool few = count <= DcsrUpdateTeams::few;
    zeroed_bytes_ = sizeof(DcsrUpdateState) + (few ? 0 : 1 + blocks_for(count)) * sizeof(uint64_t);
    buffer_ = Buffer(zeroed_bytes_ + (4 * count + 1) * sizeof(uint64_t) + count);
    const DcsrUpdateArguments arguments = this->arguments();
    const std::string found = "<" + offset() + ", " + column() + ", " + row() + ">";
    const std::string asked = "<" + offset() + ", " + row() + ">";
    const uint64_t blocks = blocks_for(count);
    if (few) {
      launch("dcsr_find" + found, blocks, arguments);
      launch("dcsr_demand_of_few" + asked, 1, arguments, DcsrUpdateTeams::threads);
    } else {
      buffer_.fill(0, 0, zeroed_bytes_);
      launch("dcsr_find_and_sum" + found, blocks, arguments);
      launch("dcsr_demand" + asked, blocks, arguments);
    }
  }

  /// Waits for the device.
  void read_state() { state_ = buffer_.read<DcsrUpdateState>(); }

  bool found(uint64_t update) const { return (read(arguments().kinds + update) & dcsr_update_there) != 0; }
  uint64_t place(uint64_t update) const { return read(arguments().places + update); }

  /// The segments can be allocated as the matrix is, but for the arrays' size.
  bool fits() const {
    const bool narrow = matrix_.offset_width == Width::bits32;
    return state_.full == 0 && !(narrow && Csr::offset_width_for(used_after()) == Width::bits64);
  }
  /// What apply_if_room(room) did, where that was asked for.
  bool was_applied(uint64_t room) const { return state_.full == 0 && state_.demand <= room; }
  /// Entries come or go.
  bool changes_pattern() const { return state_.added + state_.removed > 0; }
  uint64_t used_after() const { return matrix_.used + state_.demand; }
  uint64_t entries_after() const { return matrix_.entries + state_.added - state_.removed; }

  /// The arrays have room now.
  void apply(const std::optional<BinaryOp>& combine) const {
    launch_apply(combine, state_.demand,
                 state_.heavy + blocks_for(state_.light, DcsrUpdateTeams::warps) +
                     blocks_for(state_.small, DcsrUpdateTeams::parts));
  }
  /// Before what they ask for is known here: nothing happens where that is more than `room` positions.
  void apply_if_room(const std::optional<BinaryOp>& combine, uint64_t room) const {
    launch_apply(combine, room, std::min(updates_.entries.entries, resident_blocks() / 4));
  }

 private:
  std::string offset() const { return index_type(matrix_.offset_width); }
  std::string column() const { return index_type(matrix_.column_width); }
  std::string row() const { return index_type(updates_.entries.row_width); }

  static void launch(const std::string& name, uint64_t blocks, const DcsrUpdateArguments& arguments,
                     unsigned threads = block_threads, const std::string& preamble = {}) {
    launch_kernel({dcsr_update_header, name, preamble}, overlapping(blocks, threads), arguments);
  }
  void launch_apply(const std::optional<BinaryOp>& combine, uint64_t room, uint64_t blocks) const {
    DcsrUpdateArguments arguments = this->arguments();
    arguments.used = matrix_.used;
    arguments.room = room;
    const Combination how =
        matrix_.iso ? Combination{"keeps_one_value", {}} : combination(matrix_.type, combine);
    const std::string name = "dcsr_apply<" + offset() + ", " + column() + ", " + row() + ", " + how.source +
                             ", " + (updates_.entries.iso ? "true>" : "false>");
    launch(name, blocks, arguments, DcsrUpdateTeams::threads, how.preamble);
  }

  template <class T>
  static T read(const T* address) {
    T value;
    runtime::device().copy_to_host(&value, address, sizeof(T));
    return value;
  }

  DcsrUpdateArguments arguments() const {
    const uint64_t count = updates_.entries.entries;
    DcsrUpdateArguments arguments;
    arguments.dcsr = matrix_.view();
    if (!matrix_.mains) arguments.dcsr.mains = arguments.dcsr.sizes;  // each row is one run
    set_updates(arguments, updates_);
    arguments.state = buffer_.as<DcsrUpdateState>();
    arguments.tiles = reinterpret_cast<uint64_t*>(arguments.state + 1);
    arguments.before = reinterpret_cast<uint64_t*>(buffer_.as<char>() + zeroed_bytes_);
    arguments.places = arguments.before + count + 1;
    arguments.heads = arguments.places + count;
    arguments.kinds = reinterpret_cast<uint8_t*>(arguments.heads + 2 * count);
    arguments.slack = matrix_.slack;
    return arguments;
  }

  const Dcsr& matrix_;
  const EntryUpdates& updates_;
  size_t zeroed_bytes_ = 0;  ///< of the buffer: the state, and the words of tiles that are summed
  Buffer buffer_;            ///< behind those, what the kernels find of each update
  DcsrUpdateState state_;
};

/// The arrays are the matrix's own and have room for `capacity` positions; values are of the kind that the
/// updates leave: one, or one an entry. Its content stays, whatever of this fails.
void give_room(Dcsr& matrix, uint64_t capacity, bool iso, const EntryUpdates& updates) {
  const size_t column = bytes_of(matrix.column_width), value = matrix.type.size;
  matrix.shared = false;
  own_growing(matrix.column_indices, matrix.used * column, capacity * column);
  if (matrix.entries == 0) {
    if (!iso) matrix.values = Buffer::growable(capacity * value, runtime::device());
    if (iso && updates.entries.values.bytes() > 0) matrix.values = updates.entries.values;
  } else if (!iso && matrix.iso) {
    matrix.values = written_out(matrix.values, matrix.type, matrix.used, capacity);
  } else if (!iso) {
    own_growing(matrix.values, matrix.used * value, capacity * value);
  }
  matrix.iso = iso;
  matrix.capacity = capacity;
}

/// The same for `used` positions, and where memory suffices for the batches to come: memory is mapped a
/// piece at a time, and what is copied anyway has room then.
void make_room(Dcsr& matrix, uint64_t used, bool iso, const EntryUpdates& updates) {
  if (used <= matrix.capacity && matrix.column_indices.unique())
    return give_room(matrix, matrix.capacity, iso, updates);
  const uint64_t grown = std::max({used, matrix.used + matrix.used / 4, matrix.capacity});
  if (!memory::shortage([&] { give_room(matrix, grown, iso, updates); })) return;
  give_room(matrix, std::max(used, matrix.capacity), iso, updates);
}

/// Positions that a batch may allocate of the arrays as they are, before the host knows how many it asks for:
/// there may be none, and the rows have room. No number where arrays or values have to become others first.
std::optional<uint64_t> room_at_once(const Dcsr& matrix) {
  const bool own_arrays = matrix.column_indices.unique() && matrix.values.unique();
  const bool narrow = matrix.offset_width == Width::bits32;
  const bool too_far = narrow && Csr::offset_width_for(matrix.capacity) == Width::bits64;
  if (matrix.iso || matrix.entries == 0 || !own_arrays || too_far) return std::nullopt;
  return matrix.capacity - matrix.used;
}

/// False, with the content as it was, where the segments do not suffice.
bool updated_in_place(Dcsr& matrix, const EntryUpdates& updates, const std::optional<BinaryOp>& combine) {
  own_tables(matrix);
  Insertion insertion(matrix, updates);
  const std::optional<uint64_t> room = room_at_once(matrix);
  if (room) insertion.apply_if_room(combine, *room);
  insertion.read_state();
  if (!room || !insertion.was_applied(*room)) {
    if (!insertion.fits()) return false;
    make_room(matrix, insertion.used_after(), stays_iso(matrix, matrix.values, updates, combine), updates);
    insertion.apply(combine);
  }
  matrix.compact = matrix.compact && !insertion.changes_pattern();
  matrix.used = insertion.used_after();
  matrix.entries = insertion.entries_after();
  return true;
}

/// By way of a CSR: always possible.
void remake(Dcsr& matrix, const EntryUpdates& updates, const std::optional<BinaryOp>& combine) {
  Csr csr = to_csr(matrix);
  update(csr, updates, combine);
  Dcsr made = make_dcsr(csr, laid_out_shape(matrix));
  made.slack = matrix.slack;
  made.bins = matrix.bins;
  made.lanes = matrix.lanes;
  plan_products(made, laid_out_shape(matrix));
  matrix = std::move(made);
}

}  // namespace

void update(Dcsr& matrix, const EntryUpdates& updates, const std::optional<BinaryOp>& combine) {
  if (updates.entries.entries == 0 || updated_in_place(matrix, updates, combine)) return;
  defragment(matrix);
  if (!updated_in_place(matrix, updates, combine)) remake(matrix, updates, combine);
}

void insert(DeviceMatrix& matrix, const EntryUpdates& updates, const std::optional<BinaryOp>& combine,
            const DcsrShape& shape) {
  const bool was_fragmented = matrix.fragments != nullptr;
  const auto fragments = std::make_shared<Dcsr>(
      was_fragmented ? *matrix.fragments : make_dcsr(matrix.stored, laid_out_shape(shape)));
  fragments->slack = shape.slack;
  fragments->ordered = shape.ordered;
  DeviceMatrix next = matrix;
  next.next_version();
  // What no copy of the matrix shares is changed where it lies.
  next.fragments.reset();
  matrix.fragments.reset();
  try {
    plan_products(*fragments, shape);
    if (shape.binned && fragments->bins == nullptr)
      fragments->bins = std::make_shared<DcsrBins>(
          bin_dcsr(*fragments, index_width(fragments->rows), EmptyRows::first_bin));
    update(*fragments, updates, combine);
  } catch (...) {
    if (was_fragmented) matrix.fragments = fragments;
    throw;
  }
  next.stored = Csr(SparseShape(*fragments));
  if (fragments->iso) next.stored.values = fragments->values;
  next.fragments = fragments;
  matrix = std::move(next);
}

std::optional<uint64_t> find_entry(const Dcsr& matrix, uint64_t row, uint64_t column) {
  const EntryUpdates wanted = one_place(matrix, row, column);
  const Insertion one(matrix, wanted);
  if (!one.found(0)) return std::nullopt;
  return one.place(0);
}

}  // namespace cugrb::formats
