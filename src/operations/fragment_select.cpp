#include "src/operations/fragment_select.h"

#include "cuda/views/dcsr_select.h"
#include "src/formats/constants.h"
#include "src/formats/dcsr.h"
#include "src/formats/element_kernels.h"
#include "src/memory/policy.h"
#include "src/operations/expression.h"
#include "src/operations/matrix_compact.h"
#include "src/support/trace.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Dcsr;
using runtime::Buffer;

namespace {

constexpr char dcsr_select_header[] = "dcsr_select.h";

/// The entries of a dynamic CSR that an operator keeps. The result's value, where it is one for all, is the
/// caller's.
class Selection {
 public:
  Selection(const Dcsr& matrix, bool flipped)
      : matrix_(matrix), flipped_(flipped), tiles_(formats::row_tiles(matrix)) {
    const uint64_t tiles = formats::entry_tiles(matrix.entries);
    kept_ = Buffer(tiles * EntryTile::entries / 32 * sizeof(KeptWord));
    before_ = Buffer((tiles + 1) * sizeof(uint64_t));
    arguments_.dcsr = matrix.view();
    arguments_.offsets = tiles_.lengths.offsets.data();
    arguments_.entries = matrix.entries;
    arguments_.tile_rows = tiles_.rows.as<uint64_t>();
    arguments_.kept = kept_.as<KeptWord>();
    arguments_.before = before_.as<uint64_t>();
  }

  void keep(const IndexUnaryOp& op, const Value& thunk) {
    const uint64_t tiles = formats::entry_tiles(matrix_.entries);
    const Buffer begun = Buffer::zeroed((tiles + 1) * sizeof(uint64_t));
    arguments_.tiles = begun.as<uint64_t>();
    arguments_.thunk = scalar_view(typecast(thunk, op.thunk));
    const std::string rows =
        template_id("csr_rows", {offset(), column(), values_id(matrix_.type, op.reads_x, matrix_.iso)});
    formats::launch_blocks(dcsr_select_header,
                           template_id("dcsr_keep", {op.source, rows, text_of(flipped_),
                                                     text_of(!catalogue::looks_at_value_only(op))}),
                           tiles, arguments_, catalogue::type_preamble(matrix_.type) + op.preamble);
  }

  /// Waits for the device.
  Csr kept(bool iso) {
    formats::SparseShape shape = matrix_;
    shape.entries = before_.read<uint64_t>(formats::entry_tiles(matrix_.entries));
    shape.iso = iso && shape.entries > 0;
    Csr rows(shape);
    rows.offsets = Buffer((rows.rows + 1) * formats::bytes_of(rows.offset_width));
    rows.column_indices = Buffer(rows.entries * formats::bytes_of(rows.column_width));
    if (!iso) rows.values = Buffer(rows.entries * rows.type.size);
    arguments_.new_offsets = rows.offsets.data();
    arguments_.columns = rows.column_indices.data();
    arguments_.values = rows.values.data();
    formats::launch_per_element(
        dcsr_select_header,
        template_id("dcsr_kept_offsets", {offset(), formats::index_type(rows.offset_width)}), rows.rows + 1,
        arguments_);
    const std::string element = iso ? "void" : formats::element_of_bytes(rows.type.size);
    if (rows.entries > 0)
      formats::launch_blocks(
          dcsr_select_header,
          template_id("dcsr_move_kept", {offset(), column(), element, text_of(bool(matrix_.mains))}),
          formats::entry_tiles(matrix_.entries), arguments_);
    return rows;
  }

 private:
  std::string offset() const { return formats::index_type(matrix_.offset_width); }
  std::string column() const { return formats::index_type(matrix_.column_width); }

  const Dcsr& matrix_;
  const bool flipped_;
  const formats::RowTiles tiles_;
  Buffer kept_, before_;
  DcsrSelectArguments arguments_;
};

/// Of a matrix with entries.
Csr selected(const Dcsr& matrix, const IndexUnaryOp& op, bool flipped, const Value& thunk) {
  if (matrix.iso && catalogue::looks_at_value_only(op)) {
    const DeviceVector one = DeviceVector::full_of(matrix.type, 1, matrix.values);
    if (selects_one_value(op, one, thunk)) return to_csr(matrix);
    return formats::empty_csr(matrix.type, matrix.rows, matrix.columns);
  }
  const std::optional<Value> one = selected_value(op, matrix.type, thunk);
  Selection selection(matrix, flipped);
  selection.keep(op, thunk);
  Csr t = selection.kept(one || matrix.iso);
  if (t.iso) t.values = one ? formats::constant(one->bytes.data(), one->bytes.size()) : matrix.values;
  return t;
}

}  // namespace

void select_of_fragments(const MatrixOutput& c, const IndexUnaryOp& op, const MatrixInput& a,
                         const Value& thunk) {
  DeviceMatrix all;
  const bool is_short = bool(
      memory::shortage([&] { all = formats::matrix_by(to_csr(*a.matrix.fragments), a.matrix.by_column); }));
  if (!is_short) return select(c, op, {all, a.transpose}, thunk);
  if (trace::enabled()) trace::add_lasting_reason("selected from segments: no memory for a CSR of all rows");
  select_of_segments(c, op, a, thunk);
}

void select_of_segments(const MatrixOutput& c, const IndexUnaryOp& op, const MatrixInput& a,
                        const Value& thunk) {
  const Dcsr& fragments = *a.matrix.fragments;
  const bool flipped = a.transpose != a.matrix.by_column;
  const DeviceMatrix part = formats::matrix_by(
      fragments.entries > 0 ? selected(fragments, op, flipped, thunk)
                            : formats::empty_csr(fragments.type, fragments.rows, fragments.columns),
      a.matrix.by_column);
  assign(c, {part, a.transpose});
}

}  // namespace cugrb::operations
