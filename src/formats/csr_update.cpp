#include "src/formats/csr_update.h"

#include <string>
#include <utility>

#include "cuda/views/convert.h"
#include "cuda/views/csr_update.h"
#include "src/formats/element_kernels.h"
#include "src/formats/host_copy.h"

namespace cugrb::formats {

using runtime::Buffer;

namespace {

constexpr char update_header[] = "csr_update.h";

/// What follows the updates' shifts in memory.
struct Outcome {
  uint64_t more = 0;  ///< entries, modulo 2^64
  CsrUpdateState state;
};

std::string flag(bool value) { return value ? "true" : "false"; }

bool same_value(const Buffer& a, const Buffer& b, size_t bytes) {
  return a.to_host<char>(bytes) == b.to_host<char>(bytes);
}

/// Where the updates belong in a matrix, and what it becomes. Nothing of the matrix is changed.
class Merge {
 public:
  Merge(const Csr& matrix, const EntryUpdates& updates) : matrix_(matrix), updates_(updates) {
    const uint64_t count = updates.entries.entries;
    places_ = Buffer((count + 1) * bytes_of(matrix.offset_width));
    found_ = Buffer(count);
    shifts_ = Buffer(count * sizeof(uint64_t) + sizeof(Outcome));
    shifts_.fill(0, (count + 1) * sizeof(uint64_t), sizeof(CsrUpdateState));
    launch_per_element(update_header, "update_places<" + offset() + ", " + column() + ", " + row() + ">",
                       count, arguments());
    primitives::exclusive_sum(Width::bits64, shifts_.data(), shifts_.data(), count);
    shifts_.read_bytes(count * sizeof(uint64_t), &outcome_, sizeof(Outcome));
  }

  bool moves() const { return outcome_.state.adds != 0 || outcome_.state.removes != 0; }
  bool found(uint64_t update) const { return found_.read<uint8_t>(update) != 0; }
  uint64_t place(uint64_t update) const { return index_at(places_, matrix_.offset_width, update + 1); }

  /// New arrays.
  Csr moved(const std::optional<BinaryOp>& combine) const {
    Csr result(matrix_);
    result.entries = matrix_.entries + outcome_.more;
    result.offset_width =
        matrix_.offset_width == Width::bits64 ? Width::bits64 : Csr::offset_width_for(result.entries);
    result.offsets = Buffer((matrix_.rows + 1) * bytes_of(result.offset_width));
    result.iso = stays_iso(combine);
    result.column_indices = Buffer(result.entries * bytes_of(result.column_width));
    if (result.iso) {
      result.values = matrix_.entries > 0 ? matrix_.values : updates_.entries.values;
    } else {
      result.values = Buffer(result.entries * result.type.size);
    }
    write(result, combine);
    result.iso = result.iso && result.entries > 0;
    return result;
  }

  /// Values of the matrix, which keeps its pattern: `values` is its buffer, or a copy of it.
  void set_values(const Buffer& values, const std::optional<BinaryOp>& combine) const {
    CsrUpdateArguments arguments = this->arguments();
    arguments.csr.values = values.data();
    arguments.out_values = values.data();
    set(arguments, combine, /*moves=*/false, /*iso_matrix=*/false, /*valued=*/true);
  }

  bool stays_iso(const std::optional<BinaryOp>& combine) const {
    return formats::stays_iso(matrix_, matrix_.values, updates_, combine);
  }

 private:
  std::string offset() const { return index_type(matrix_.offset_width); }
  std::string column() const { return index_type(matrix_.column_width); }
  std::string row() const { return index_type(updates_.entries.row_width); }

  CsrUpdateArguments arguments() const {
    CsrUpdateArguments arguments;
    arguments.csr = matrix_.view();
    set_updates(arguments, updates_);
    arguments.places = places_.data();
    arguments.found = found_.as<uint8_t>();
    arguments.shifts = shifts_.as<uint64_t>();
    arguments.state = reinterpret_cast<CsrUpdateState*>(arguments.shifts + arguments.count + 1);
    return arguments;
  }

  void write(const Csr& result, const std::optional<BinaryOp>& combine) const {
    CsrUpdateArguments arguments = this->arguments();
    arguments.out_offsets = result.offsets.data();
    arguments.out_columns = result.column_indices.data();
    arguments.out_values = result.values.data();
    launch_per_element(
        update_header,
        "update_offsets<" + offset() + ", " + row() + ", " + index_type(result.offset_width) + ">",
        matrix_.rows + 1, arguments);
    launch_blocks(update_header,
                  "update_entries<" + offset() + ", " + column() + ", " +
                      (result.iso ? "void" : element_of_bytes(matrix_.type.size)) + ", " +
                      flag(matrix_.iso && !result.iso) + ">",
                  entry_tiles(matrix_.entries), arguments);
    set(arguments, combine, /*moves=*/true, matrix_.iso, !result.iso);
  }

  /// `valued`: values are written.
  void set(const CsrUpdateArguments& arguments, const std::optional<BinaryOp>& combine, bool moves,
           bool iso_matrix, bool valued) const {
    Combination how{"void", {}};
    if (valued && updates_.entries.values.bytes() > 0) how = combination(matrix_.type, combine);
    launch_per_element(update_header,
                       "update_set<" + offset() + ", " + column() + ", " + how.source + ", " + flag(moves) +
                           ", " + flag(iso_matrix) + ", " + flag(updates_.entries.iso) + ">",
                       arguments.count, arguments, how.preamble);
  }

  const Csr& matrix_;
  const EntryUpdates& updates_;
  Buffer places_, found_, shifts_;
  Outcome outcome_;
};

/// Of a matrix whose pattern stays: its values after the updates, its own where nobody shares them.
Buffer values_after(const Csr& matrix, const Merge& merge, const std::optional<BinaryOp>& combine) {
  Buffer copy;
  if (matrix.iso) {
    copy = written_out(matrix.values, matrix.type, matrix.entries, matrix.entries);
  } else if (!matrix.values.unique()) {
    copy = matrix.values.clone();
  }
  merge.set_values(copy ? copy : matrix.values, combine);
  return copy ? copy : matrix.values;
}

}  // namespace

bool stays_iso(const SparseShape& matrix, const Buffer& values, const EntryUpdates& updates,
               const std::optional<BinaryOp>& combine) {
  const Coo& given = updates.entries;
  if (given.values.bytes() == 0) return matrix.iso;
  if (matrix.entries == 0) return given.iso;
  return !combine && matrix.iso && given.iso && same_value(values, given.values, matrix.type.size);
}

Combination combination(const Type& type, const std::optional<BinaryOp>& combine) {
  if (!combine) return {"last_wins<" + element_of_bytes(type.size) + ">", {}};
  return {"combines<" + combine->source + ", " + type.name + ">",
          catalogue::type_preamble(type) + combine->preamble};
}

Buffer written_out(const Buffer& value, const Type& type, uint64_t count, uint64_t room) {
  Buffer values(room * type.size);
  ConvertArguments arguments;
  arguments.in = value.data();
  arguments.out = values.data();
  arguments.count = count;
  launch_per_element("convert.h", "fill_elements<" + element_of_bytes(type.size) + ">", count, arguments);
  return values;
}

void update(Csr& matrix, const EntryUpdates& updates, const std::optional<BinaryOp>& combine) {
  if (updates.entries.entries == 0) return;
  const Merge merge(matrix, updates);
  if (merge.moves()) {
    matrix = merge.moved(combine);
  } else if (!merge.stays_iso(combine) && updates.entries.values.bytes() > 0) {
    matrix.values = values_after(matrix, merge, combine);
    matrix.iso = false;
  }
}

void update(DeviceMatrix& matrix, const EntryUpdates& updates, const std::optional<BinaryOp>& combine) {
  if (updates.entries.entries == 0) return;
  const Merge merge(matrix.stored, updates);
  if (merge.moves()) {
    DeviceMatrix next = matrix;
    next.stored = merge.moved(combine);
    next.next_version();
    matrix = std::move(next);
  } else if (!merge.stays_iso(combine) && updates.entries.values.bytes() > 0) {
    DeviceMatrix next;  // what was derived holds old values: only the pattern is taken along
    next.type = matrix.type;
    next.rows = matrix.rows;
    next.columns = matrix.columns;
    next.by_column = matrix.by_column;
    next.history = matrix.history;
    next.stored = Csr(matrix.stored, matrix.stored.offset_width);
    next.stored.offsets = matrix.stored.offsets;
    next.stored.column_indices = matrix.stored.column_indices;
    next.stored.iso = false;
    next.keep_pattern(matrix.held_pattern());
    next.stored.values = values_after(matrix.stored, merge, combine);
    matrix = std::move(next);
  }
}

EntryUpdates one_place(const SparseShape& matrix, uint64_t row, uint64_t column) {
  EntryUpdates one{Coo(sparse_shape(matrix.type, matrix.rows, matrix.columns, 1)), {}};
  Coo& place = one.entries;
  place.column_width = matrix.column_width;
  place.row_width = Width::bits64;
  place.row_indices = Buffer::from_host(&row, sizeof(row));
  const auto narrow = static_cast<uint32_t>(column);
  place.column_indices = matrix.column_width == Width::bits64 ? Buffer::from_host(&column, sizeof(column))
                                                              : Buffer::from_host(&narrow, sizeof(narrow));
  return one;
}

std::optional<uint64_t> find_entry(const Csr& matrix, uint64_t row, uint64_t column) {
  const EntryUpdates one = one_place(matrix, row, column);
  const Merge found(matrix, one);
  if (!found.found(0)) return std::nullopt;
  return found.place(0);
}

}  // namespace cugrb::formats
