#include "src/formats/dcsr_update.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "cuda/views/dcsr_update.h"
#include "src/formats/element_kernels.h"

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

/// Updates of a matrix with two runs a row: what they find and ask for. Nothing is changed.
class Insertion {
 public:
  Insertion(const Dcsr& matrix, const EntryUpdates& updates) : matrix_(matrix), updates_(updates) {
    const uint64_t count = updates.entries.entries;
    kinds_ = Buffer(count);
    places_ = Buffer(count * sizeof(uint64_t));
    before_ = Buffer((count + 1) * sizeof(uint64_t));
    heads_ = Buffer(count * sizeof(uint64_t));
    state_buffer_ = Buffer::zeroed(sizeof(DcsrUpdateState));
    const DcsrUpdateArguments arguments = this->arguments();
    launch_per_element(dcsr_update_header, "dcsr_find<" + offset() + ", " + column() + ", " + row() + ">",
                       count, arguments);
    primitives::exclusive_sum(Width::bits64, before_.data(), before_.data(), count);
    launch_per_element(dcsr_update_header, "dcsr_demand<" + offset() + ", " + row() + ">", count, arguments);
    state_ = state_buffer_.read<DcsrUpdateState>();
    added_ = before_.read<uint64_t>(count);
  }

  bool found(uint64_t update) const { return (kinds_.read<uint8_t>(update) & 1) != 0; }
  uint64_t place(uint64_t update) const { return places_.read<uint64_t>(update); }

  /// The segments can be allocated as the matrix is, but for the arrays' size.
  bool fits() const {
    const bool narrow = matrix_.offset_width == Width::bits32;
    return state_.full == 0 && !(narrow && Csr::offset_width_for(used_after()) == Width::bits64);
  }
  uint64_t used_after() const { return matrix_.used + state_.demand; }
  uint64_t entries_after() const { return matrix_.entries + added_ - state_.removed; }

  /// The arrays have room now.
  void apply(const std::optional<BinaryOp>& combine) const {
    DcsrUpdateArguments arguments = this->arguments();
    const Buffer used = Buffer::from_host(&matrix_.used, sizeof(matrix_.used));
    arguments.light = state_.light;
    arguments.heavy = state_.heavy;
    arguments.used = used.as<uint64_t>();
    const Combination how =
        matrix_.iso ? Combination{"keeps_one_value", {}} : combination(matrix_.type, combine);
    const std::string name = "dcsr_apply<" + offset() + ", " + column() + ", " + row() + ", " + how.source +
                             ", " + (updates_.entries.iso ? "true>" : "false>");
    launch_kernel({dcsr_update_header, name, how.preamble},
                  {state_.heavy + blocks_for(state_.light, DcsrUpdateTeams::warps), DcsrUpdateTeams::threads},
                  arguments);
  }

 private:
  std::string offset() const { return index_type(matrix_.offset_width); }
  std::string column() const { return index_type(matrix_.column_width); }
  std::string row() const { return index_type(updates_.entries.row_width); }

  DcsrUpdateArguments arguments() const {
    DcsrUpdateArguments arguments;
    arguments.dcsr = matrix_.view();
    if (!matrix_.mains) arguments.dcsr.mains = arguments.dcsr.sizes;  // each row is one run
    set_updates(arguments, updates_);
    arguments.kinds = kinds_.as<uint8_t>();
    arguments.places = places_.as<uint64_t>();
    arguments.before = before_.as<uint64_t>();
    arguments.heads = heads_.as<uint64_t>();
    arguments.slack = matrix_.slack;
    arguments.state = state_buffer_.as<DcsrUpdateState>();
    return arguments;
  }

  const Dcsr& matrix_;
  const EntryUpdates& updates_;
  Buffer kinds_, places_, before_, heads_, state_buffer_;
  DcsrUpdateState state_;
  uint64_t added_ = 0;
};

/// The arrays are the matrix's own and have room for `used` positions; values are of the kind that the
/// updates leave: one, or one an entry. Its content stays, whatever of this fails.
void make_room(Dcsr& matrix, uint64_t used, bool iso, const EntryUpdates& updates) {
  const uint64_t grown = std::max(used, matrix.used + matrix.used / 4);
  const uint64_t capacity = used <= matrix.capacity ? matrix.capacity : grown;
  const size_t column = bytes_of(matrix.column_width), value = matrix.type.size;
  matrix.shared = false;
  own(matrix.column_indices, matrix.used * column, capacity * column);
  if (matrix.entries == 0) {
    if (!iso) matrix.values = Buffer(capacity * value);
    if (iso && updates.entries.values.bytes() > 0) matrix.values = updates.entries.values;
  } else if (!iso && matrix.iso) {
    matrix.values = written_out(matrix.values, matrix.type, matrix.used, capacity);
  } else if (!iso) {
    own(matrix.values, matrix.used * value, capacity * value);
  }
  matrix.iso = iso;
  matrix.capacity = capacity;
}

/// False, with the content as it was, where the segments do not suffice.
bool updated_in_place(Dcsr& matrix, const EntryUpdates& updates, const std::optional<BinaryOp>& combine) {
  own_tables(matrix);
  const Insertion insertion(matrix, updates);
  if (!insertion.fits()) return false;
  make_room(matrix, insertion.used_after(), stays_iso(matrix, matrix.values, updates, combine), updates);
  insertion.apply(combine);
  matrix.used = insertion.used_after();
  matrix.entries = insertion.entries_after();
  return true;
}

/// By way of a CSR: always possible.
void remake(Dcsr& matrix, const EntryUpdates& updates, const std::optional<BinaryOp>& combine) {
  Csr csr = to_csr(matrix);
  update(csr, updates, combine);
  matrix = make_dcsr(csr, {matrix.slots, 1, matrix.slack, matrix.width});
}

}  // namespace

void update(Dcsr& matrix, const EntryUpdates& updates, const std::optional<BinaryOp>& combine) {
  if (updates.entries.entries == 0 || updated_in_place(matrix, updates, combine)) return;
  defragment(matrix);
  if (!updated_in_place(matrix, updates, combine)) remake(matrix, updates, combine);
}

void insert(DeviceMatrix& matrix, const EntryUpdates& updates, const std::optional<BinaryOp>& combine,
            uint64_t slots, uint64_t slack) {
  const bool was_fragmented = matrix.fragments != nullptr;
  const auto fragments =
      std::make_shared<Dcsr>(was_fragmented ? *matrix.fragments : make_dcsr(matrix.stored, {slots}));
  fragments->slack = slack;
  DeviceMatrix next = matrix;
  next.next_version();
  // What no copy of the matrix shares is changed where it lies.
  next.fragments.reset();
  matrix.fragments.reset();
  try {
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
  const Insertion one(matrix, one_place(matrix, row, column));
  if (!one.found(0)) return std::nullopt;
  return one.place(0);
}

}  // namespace cugrb::formats
