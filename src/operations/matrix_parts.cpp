#include "src/operations/matrix_parts.h"

#include "cuda/views/matrix_parts.h"
#include "cuda/views/reshape.h"
#include "src/formats/coo.h"
#include "src/formats/csr_update.h"
#include "src/formats/element_kernels.h"
#include "src/formats/host_copy.h"
#include "src/operations/expression.h"
#include "src/operations/matrix_assign.h"
#include "src/operations/matrix_compact.h"
#include "src/operations/matrix_write_back.h"
#include "src/support/declined.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Width;
using runtime::Buffer;

namespace {

constexpr char matrix_parts_header[] = "matrix_parts.h";

std::string element_id(const Csr& t) { return t.iso ? "void" : formats::element_of_bytes(t.type.size); }

Csr part_of(const Csr& from, Range rows, Range columns) {
  formats::SparseShape shape = from;
  shape.rows = rows.count;
  shape.columns = columns.count;
  shape.column_width = formats::index_width(columns.count);
  MatrixPartArguments arguments;
  arguments.from = from.view();
  arguments.row = rows.begin;
  arguments.rows = rows.count;
  arguments.column = columns.begin;
  arguments.columns = columns.count;
  Csr t(shape, from.offset_width);
  t.offsets = Buffer((rows.count + 1) * formats::bytes_of(t.offset_width));
  const Buffer begins(rows.count * formats::bytes_of(from.offset_width));
  arguments.offsets = t.offsets.data();
  arguments.begins = begins.data();
  const std::string from_id = csr_id(from, /*read=*/false), offset = formats::index_type(t.offset_width);
  formats::launch_per_element(matrix_parts_header, template_id("part_lengths", {from_id, offset}), rows.count,
                              arguments);
  primitives::exclusive_sum(t.offset_width, t.offsets.data(), t.offsets.data(), rows.count);
  t.entries = formats::index_at(t.offsets, t.offset_width, rows.count);
  t.iso = from.iso && t.entries > 0;
  t.column_indices = Buffer(t.entries * formats::bytes_of(t.column_width));
  t.values = t.iso ? from.values : Buffer(t.entries * t.type.size);
  arguments.entries = t.entries;
  arguments.out_columns = t.column_indices.data();
  arguments.out_values = t.values.data();
  formats::launch_blocks(
      matrix_parts_header,
      template_id("part_entries", {from_id, offset, formats::index_type(t.column_width), element_id(t)}),
      formats::move_blocks(t.entries), arguments);
  return t;
}

DeviceVector listed(const DeviceVector& r) {
  if (r.form == Form::full) formats::require_room(r.length, sizeof(uint64_t));  // its indices
  return formats::to_sparse(r);
}

}  // namespace

Csr as_row(const DeviceVector& given) {
  const DeviceVector u = listed(given);
  const uint64_t entries = u.nvals(), offsets[] = {0, entries};
  Csr row(formats::sparse_shape(u.type, 1, u.length, entries, u.iso && entries > 0), Width::bits64);
  row.offsets = Buffer::from_host(offsets, sizeof offsets);
  row.column_indices = u.indices;
  row.values = u.values;
  return row;
}

DeviceVector from_row(Csr&& row) {
  DeviceVector u = DeviceVector::empty(row.type, row.columns);
  if (row.entries == 0) return u;
  u.iso = row.iso;
  u.values = std::move(row.values);
  u.indices = std::move(row.column_indices);
  u.set_nvals(row.entries);
  return u;
}

DeviceMatrix part(const DeviceMatrix& a, Range rows, Range columns) {
  const bool flipped = a.by_column;
  formats::require_entries_for_rows(flipped ? columns.count : rows.count, a.nvals());
  return matrix_by(flipped ? part_of(a.stored, columns, rows) : part_of(a.stored, rows, columns), flipped);
}

DeviceMatrix reshaped(const DeviceMatrix& a, bool by_column, uint64_t rows, uint64_t columns) {
  const Csr& from = a.by_rows(by_column);
  if (by_column) std::swap(rows, columns);
  formats::require_entries_for_rows(rows, from.entries);
  formats::Coo entries(formats::sparse_shape(from.type, rows, columns, from.entries, from.iso));
  entries.row_width = formats::index_width(rows);
  entries.row_indices = Buffer(from.entries * formats::bytes_of(entries.row_width));
  entries.column_indices = Buffer(from.entries * formats::bytes_of(entries.column_width));
  entries.values = from.values;
  ReshapeArguments arguments;
  arguments.from = from.view();
  arguments.columns = columns;
  arguments.out_rows = entries.row_indices.data();
  arguments.out_columns = entries.column_indices.data();
  formats::launch_blocks(
      "reshape.h",
      template_id("reshape_entries", {csr_id(from, /*read=*/false), formats::index_type(entries.row_width),
                                      formats::index_type(entries.column_width)}),
      formats::move_blocks(from.entries), arguments);
  return matrix_by(to_csr(entries), by_column);
}

DeviceVector resized(const DeviceVector& u, uint64_t length) {
  if (length == u.length) return u;
  if (length < u.length && u.form != Form::sparse) {
    DeviceVector shorter = u;  // its first positions, of memory that is longer
    shorter.length = length;
    if (u.form == Form::full) shorter.set_nvals(length);
    if (u.form == Form::bitmap) shorter.forget_nvals();
    return shorter;
  }
  DeviceVector sparse = listed(u);
  if (length < u.length) return from_row(part_of(as_row(sparse), {0, 1}, {0, length}));
  sparse.indices = formats::shifted(sparse.indices, formats::index_width(u.length),
                                    formats::index_width(length), sparse.nvals(), 0);
  sparse.length = length;
  return sparse;
}

namespace {

/// Tiles by rows of the whole's orientation, `across` of them in a row of tiles, in the whole's type.
struct Grid {
  std::vector<Csr> tiles;
  uint64_t across = 0;
  uint64_t down() const { return tiles.size() / across; }
  const Csr& at(uint64_t row, uint64_t column) const { return tiles[row * across + column]; }
};

Grid grid_of(const std::vector<const DeviceMatrix*>& tiles, uint64_t across, bool flipped, const Type& type) {
  Grid grid;
  const uint64_t down = tiles.size() / across;
  grid.across = flipped ? down : across;
  for (uint64_t n = 0; n < tiles.size(); ++n) {
    const uint64_t from = flipped ? n % down * across + n / down : n;
    grid.tiles.push_back(cast(Csr(tiles[from]->by_rows(flipped)), type));
  }
  return grid;
}

/// The values of a tile with entries, when all tiles are iso with that value.
std::optional<Buffer> one_value(const Grid& grid) {
  std::optional<Buffer> first;
  std::string bytes;
  for (const Csr& tile : grid.tiles) {
    if (tile.entries == 0) continue;
    if (!tile.iso) return std::nullopt;
    const std::string value = value_of_iso(DeviceVector::full_of(tile.type, 1, tile.values)).bytes;
    if (first && value != bytes) return std::nullopt;
    bytes = value;
    first = tile.values;
  }
  return first;
}

Csr shape_of(const Grid& grid, const Type& type) {
  uint64_t rows = 0, columns = 0, entries = 0;
  for (uint64_t i = 0; i < grid.down(); ++i) rows += grid.at(i, 0).rows;
  for (uint64_t j = 0; j < grid.across; ++j) columns += grid.at(0, j).columns;
  for (const Csr& tile : grid.tiles) entries += tile.entries;
  formats::require_entries_for_rows(rows, entries);
  return Csr(formats::sparse_shape(type, rows, columns, entries));
}

/// Tiles one below the other: entries keep their order, and offsets are counted on.
void put_below(const Grid& grid, const Csr& whole) {
  const size_t column = formats::bytes_of(whole.column_width), value = whole.iso ? 0 : whole.type.size;
  uint64_t row = 0, entries = 0;
  for (const Csr& tile : grid.tiles) {
    formats::shift_into(whole.offsets, row, tile.offsets, tile.offset_width, whole.offset_width,
                        tile.rows + 1, entries);
    whole.column_indices.copy_bytes(
        entries * column,
        formats::shifted(tile.column_indices, tile.column_width, whole.column_width, tile.entries, 0), 0,
        tile.entries * column);
    const Buffer values = tile.iso && value > 0
                              ? formats::written_out(tile.values, tile.type, tile.entries, tile.entries)
                              : tile.values;
    whole.values.copy_bytes(entries * value, values, 0, tile.entries * value);
    row += tile.rows;
    entries += tile.entries;
  }
}

/// One launch over the rows, then one over the entries, of every tile.
void put_together(const Grid& grid, const Csr& whole) {
  std::vector<MatrixTileArguments> calls;
  std::vector<Buffer> before;
  const std::string offset = formats::index_type(whole.offset_width);
  uint64_t row = 0;
  for (uint64_t i = 0; i < grid.down(); row += grid.at(i++, 0).rows) {
    uint64_t column = 0;
    for (uint64_t j = 0; j < grid.across; column += grid.at(i, j++).columns) {
      const Csr& tile = grid.at(i, j);
      before.emplace_back(tile.rows * formats::bytes_of(whole.offset_width));
      calls.push_back({tile.view(), row, column, whole.offsets.data(), before.back().data(),
                       whole.column_indices.data(), whole.values.data()});
      formats::launch_per_element(matrix_parts_header,
                                  template_id("tile_lengths", {csr_id(tile, false), offset}), tile.rows,
                                  calls.back());
    }
  }
  primitives::exclusive_sum(whole.offset_width, whole.offsets.data(), whole.offsets.data(), whole.rows);
  for (size_t n = 0; n < calls.size(); ++n) {
    const Csr& tile = grid.tiles[n];
    formats::launch_blocks(
        matrix_parts_header,
        template_id("tile_entries", {csr_id(tile, false), offset, formats::index_type(whole.column_width),
                                     element_id(whole), text_of(tile.iso)}),
        formats::move_blocks(tile.entries), calls[n]);
  }
}

}  // namespace

void concat(const MatrixOutput& c, const std::vector<const DeviceMatrix*>& tiles, uint64_t across) {
  const bool flipped = c.object.by_column;
  const PreparedMatrixMask mask = prepare_mask(c.mask);
  const Grid grid = grid_of(tiles, across, flipped, c.object.type);
  const std::optional<Buffer> value = one_value(grid);
  Csr whole = shape_of(grid, c.object.type);
  whole.iso = value && whole.entries > 0;
  whole.offsets = Buffer::zeroed((whole.rows + 1) * formats::bytes_of(whole.offset_width));
  whole.column_indices = Buffer(whole.entries * formats::bytes_of(whole.column_width));
  whole.values = whole.iso ? *value : Buffer(whole.entries * whole.type.size);
  if (grid.across == 1) {
    put_below(grid, whole);
  } else {
    put_together(grid, whole);
  }
  write_back(c, mask, std::move(whole), flipped, /*masked=*/false);
}

namespace {

/// Elements [begin, end) of `from` to `to`, at element `at`.
void copy_elements(const Buffer& to, uint64_t at, const Buffer& from, uint64_t begin, uint64_t end,
                   size_t size) {
  to.copy_bytes(at * size, from, begin * size, (end - begin) * size);
}

/// The elements of a matrix's entries, those of row [begin, end) replaced.
Buffer spliced(const Buffer& of, uint64_t entries, uint64_t begin, uint64_t end, const Buffer& row,
               uint64_t length, size_t size) {
  const Buffer out((entries - (end - begin) + length) * size);
  copy_elements(out, 0, of, 0, begin, size);
  copy_elements(out, begin, row, 0, length, size);
  copy_elements(out, begin + length, of, end, entries, size);
  return out;
}

/// One value for the matrix's entries and the row's, both with entries.
bool share_value(const Csr& matrix, const DeviceVector& row) {
  if (!matrix.iso || !row.iso) return false;
  return value_of_iso(DeviceVector::full_of(matrix.type, 1, matrix.values)).bytes == value_of_iso(row).bytes;
}

Csr with_row(const Csr& matrix, uint64_t row, const DeviceVector& given) {
  const DeviceVector r = listed(given);
  const uint64_t begin = formats::index_at(matrix.offsets, matrix.offset_width, row),
                 end = formats::index_at(matrix.offsets, matrix.offset_width, row + 1), length = r.nvals();
  formats::SparseShape shape = matrix;
  shape.entries = matrix.entries - (end - begin) + length;
  shape.iso = length == 0           ? matrix.iso && shape.entries > 0
              : matrix.entries == 0 ? r.iso
                                    : share_value(matrix, r);
  Csr t(shape);
  t.offsets = Buffer((t.rows + 1) * formats::bytes_of(t.offset_width));
  MatrixLineOffsetsArguments arguments;
  arguments.from = matrix.view();
  arguments.row = row;
  arguments.length = length;
  arguments.offsets = t.offsets.data();
  formats::launch_per_element(
      matrix_parts_header,
      template_id("line_offsets", {csr_id(matrix, /*read=*/false), formats::index_type(t.offset_width)}),
      t.rows + 1, arguments);
  const Buffer columns =
      formats::shifted(r.indices, formats::index_width(r.length), matrix.column_width, length, 0);
  t.column_indices = spliced(matrix.column_indices, matrix.entries, begin, end, columns, length,
                             formats::bytes_of(matrix.column_width));
  if (t.iso) {
    t.values = matrix.entries > 0 ? matrix.values : r.values;
  } else {
    t.values = spliced(formats::expand_iso(values_of(matrix)).values, matrix.entries, begin, end,
                       formats::expand_iso(r).values, length, t.type.size);
  }
  return t;
}

/// A matrix with entries in one column only.
Csr column_matrix(const DeviceVector& r, uint64_t index, uint64_t columns) {
  const DeviceVector entries = listed(r);
  const uint64_t count = entries.nvals();
  Csr t(formats::sparse_shape(r.type, r.length, columns, count, r.iso && count > 0));
  t.offsets = Buffer::zeroed((t.rows + 1) * formats::bytes_of(t.offset_width));
  primitives::offsets_of_sorted(formats::index_width(r.length), entries.indices.data(), t.entries,
                                t.offset_width, t.offsets.data(), t.rows);
  const bool wide = t.column_width == Width::bits64;
  const Type type = Type::of(wide ? TypeCode::UInt64 : TypeCode::UInt32);
  t.column_indices = formats::expand_iso(DeviceVector::full_of(type, t.entries, &index)).values;
  t.values = entries.values;
  return t;
}

bool replaced_as_batch(const MatrixOutput& c, bool column, uint64_t index, const DeviceVector& r) {
  const Indices one{false, 1, &index}, all{true, r.length, nullptr};
  const DeviceMatrix line = matrix_by(as_row(r), column);
  return assigned_as_batch(c, {line, false}, {column ? all : one, column ? one : all});
}

}  // namespace

void replace_line(const MatrixOutput& given, bool column, uint64_t index, const DeviceVector& r) {
  DeviceMatrix& c = given.object;
  const bool by_column = c.by_column;
  if (column == by_column) {
    if (given.any_form && replaced_as_batch(given, column, index, r)) return;
    c.read_rows();
    c = matrix_by(with_row(c.stored, index, r), by_column);
    return;
  }
  c.read_rows();
  // C<M> = R, where M is all of the line and R the new one.
  const Value one = catalogue::one(Type::of(TypeCode::Bool));
  const DeviceVector all = DeviceVector::full_of(one.type, r.length, one.bytes.data());
  const uint64_t lines = c.stored.columns;
  const DeviceMatrix mask = matrix_by(column_matrix(all, index, lines), by_column);
  const MatrixOutput output{c, {&mask, true, false}, std::nullopt, false};
  write_back(output, prepare_mask(output.mask), column_matrix(r, index, lines), by_column, /*masked=*/true);
}

}  // namespace cugrb::operations
