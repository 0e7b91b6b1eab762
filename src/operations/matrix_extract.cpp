#include "src/operations/matrix_extract.h"

#include "cuda/views/dcsr_select.h"
#include "cuda/views/matrix_extract.h"
#include "src/formats/dcsr.h"
#include "src/formats/element_kernels.h"
#include "src/formats/listed_rows.h"
#include "src/operations/matrix_compact.h"
#include "src/operations/matrix_in_parts.h"
#include "src/operations/matrix_merge.h"
#include "src/operations/matrix_parts.h"
#include "src/operations/matrix_update.h"
#include "src/operations/matrix_write_back.h"

namespace cugrb::operations {

using formats::Csr;
using formats::DeviceVector;
using formats::Width;
using runtime::Buffer;

namespace {

constexpr char matrix_extract_header[] = "matrix_extract.h";

/// The `count` listed rows, in their order.
Csr listed_rows(const Csr& from, const Buffer& list, uint64_t count) {
  MatrixExtractArguments of_rows;
  of_rows.from = from.view();
  of_rows.list = list.as<uint64_t>();
  of_rows.listed = count;
  const std::string pattern = csr_id(from, /*read=*/false);
  const auto lengths = [&](const MatrixExtractArguments& arguments) {
    formats::launch_per_element(matrix_extract_header, template_id("matrix_extract_lengths", {pattern}),
                                arguments.listed, arguments);
  };
  const auto entries = [&](const MatrixExtractArguments& arguments, const Csr& rows) {
    const std::string element = rows.iso ? "void" : formats::element_of_bytes(rows.type.size);
    formats::launch_blocks(
        matrix_extract_header,
        template_id("matrix_extract_entries", {pattern, formats::index_type(rows.offset_width), element}),
        formats::move_blocks(rows.entries), arguments);
  };
  return formats::listed_rows(from, of_rows, lengths, entries);
}

/// `from`: a CSR, or a dynamic CSR, whose listed_rows() is in src/formats/dcsr.h.
template <class Rows>
DeviceVector listed_row(const Rows& from, uint64_t row) {
  Csr line = listed_rows(from, Buffer::from_host(&row, sizeof row), 1);
  DeviceVector u = DeviceVector::empty(from.type, from.columns);
  if (line.entries == 0) return u;
  u.iso = line.iso;
  u.values = std::move(line.values);
  u.indices = std::move(line.column_indices);
  u.set_nvals(line.entries);
  return u;
}

/// Room for a line of the matrix, whose entries a kernel is to find.
template <class Stored>
DeviceVector bitmap_for(const Stored& from, uint64_t length) {
  formats::require_room(length, from.iso ? 0 : from.type.size);
  DeviceVector u;
  u.type = from.type;
  u.length = length;
  u.form = Form::bitmap;
  u.iso = from.iso;
  u.present = Buffer(length);
  u.values = from.iso ? from.values : Buffer(length * from.type.size);
  u.forget_nvals();
  return u;
}

/// A line of the matrix as a bitmap: `kernel` searches for the entry of each of its positions.
DeviceVector searched_line(const Csr& from, const char* kernel, MatrixLineArguments arguments) {
  if (from.entries == 0) return DeviceVector::empty(from.type, arguments.length);
  DeviceVector u = bitmap_for(from, arguments.length);
  arguments.from = from.view();
  arguments.present = u.present.as<uint8_t>();
  arguments.values = u.values.data();
  const std::string element = from.iso ? "void" : formats::element_of_bytes(from.type.size);
  formats::launch_per_element(matrix_extract_header,
                              template_id(kernel, {csr_id(from, /*read=*/false), element}), u.length,
                              arguments);
  return u;
}

DeviceVector searched_column(const Csr& from, uint64_t column) {
  MatrixLineArguments arguments;
  arguments.column = column;
  arguments.length = from.rows;
  return searched_line(from, "matrix_extract_column", arguments);
}

/// The same of a dynamic CSR.
DeviceVector searched_column(const formats::Dcsr& from, uint64_t column) {
  DeviceVector u = bitmap_for(from, from.rows);
  DcsrLineArguments arguments;
  arguments.dcsr = from.view();
  arguments.column = column;
  arguments.present = u.present.as<uint8_t>();
  arguments.values = u.values.data();
  const std::string element = from.iso ? "void" : formats::element_of_bytes(from.type.size);
  formats::launch_per_element(
      "dcsr_select.h",
      template_id("dcsr_search_column",
                  {formats::index_type(from.offset_width), formats::index_type(from.column_width), element}),
      u.length, arguments);
  return u;
}

/// Whether A's columns are listed first. One list: its own. Two that take most of A: such that T comes out in
/// C's orientation, whose next use then needs no transposition; A's own transpose is kept with A. Others: the
/// direction in which A is there, or the shorter part of A.
bool columns_come_first(const MatrixOutput& c, const MatrixInput& a, const IndexList& rows,
                        const IndexList& columns) {
  if (rows.all != columns.all) return rows.all;
  if (rows.all) return c.object.by_column;
  if (rows.count + columns.count > (a.rows() + a.columns()) / 2) return !c.object.by_column;
  if (!a.matrix.has_rows(false) || !a.matrix.has_rows(true)) return !a.matrix.has_rows(a.transpose);
  return double(columns.count) / double(a.columns()) < double(rows.count) / double(a.rows());
}

/// Whether the rows of the input are those that the matrix is stored by.
bool reads_stored_rows(const DeviceMatrix& a, bool transpose) { return transpose == a.by_column; }

/// Whether more than half of the rows are read: to copy them costs about what all of them do.
template <class Indices>
bool reads_most_rows(const DeviceMatrix& a, const Indices& rows) {
  return rows.all || rows.count > a.stored.rows / 2;
}

/// Of a fragmented matrix: the listed rows that it has become a matrix of their own, or most of them a CSR of
/// all.
void extract_of_fragments(const MatrixOutput& c, const MatrixInput& a, const IndexList& rows,
                          const IndexList& columns) {
  const bool by_rows = reads_stored_rows(a.matrix, a.transpose);
  const IndexList& first = by_rows ? rows : columns;
  if (reads_most_rows(a.matrix, first)) {
    const DeviceMatrix all = formats::matrix_by(to_csr(*a.matrix.fragments), a.matrix.by_column);
    return extract(c, {all, a.transpose}, rows, columns);
  }
  const DeviceMatrix part = formats::matrix_by(
      formats::listed_rows(*a.matrix.fragments, first.list, first.count), a.matrix.by_column);
  const IndexList all{true, first.count, {}};
  extract(c, {part, a.transpose}, by_rows ? all : rows, by_rows ? columns : all);
}

}  // namespace

void settle_extraction(DeviceMatrix& a, bool transpose, const Indices& rows, const Indices& columns) {
  if (a.parts != nullptr) return;
  if (reads_most_rows(a, reads_stored_rows(a, transpose) ? rows : columns)) settle_copy(a);
}

void settle_column(DeviceMatrix& a) {
  // A vector's positions have the width that its length asks for; a matrix may have wider ones.
  if (a.stored.column_width != formats::index_width(a.stored.columns)) a.read_rows();
}

namespace {

/// A block of A, cut out of it as it is stored. False, with nothing done, where the lists are no ranges.
bool extract_block(const MatrixOutput& c, const MatrixInput& a, const Indices& rows, const Indices& columns) {
  if (a.matrix.fragments != nullptr || (rows.all && columns.all)) return false;
  const auto of_rows = as_range(rows), of_columns = are_same(rows, columns) ? of_rows : as_range(columns);
  if (!of_rows || !of_columns) return false;
  check_types(c, a.matrix.type);
  const PreparedMatrixMask mask = prepare_mask(c.mask);
  const Range down{of_rows->begin, of_rows->count}, across{of_columns->begin, of_columns->count};
  const DeviceMatrix block = a.transpose ? part(a.matrix, across, down) : part(a.matrix, down, across);
  write_back(c, mask, Csr(block.stored), a.transpose != a.matrix.by_column, /*masked=*/false);
  return true;
}

/// The listed columns, of a list that ascends: what is not listed falls out, nothing is moved within a row.
Csr listed_columns(const Csr& from, const IndexList& columns) {
  IndexSet set(columns);
  set.tabulate(from.columns, from.entries);
  Merge merge;
  merge.header = matrix_extract_header;
  merge.type =
      template_id("matrix_listed_columns", {csr_id(from, /*read=*/false), set.members(),
                                            formats::element_of_bytes(from.iso ? 1 : from.type.size)});
  merge.values = from.type;
  merge.has_values = !from.iso;
  merge.wide = from.column_width == Width::bits64;
  merge.most = from.entries;
  merge.columns = columns.count;
  merge.arguments.first = from.view();
  merge.arguments.region_columns = set.view();
  Csr t = merged(std::move(merge), {});
  t.iso = from.iso && t.entries > 0;
  if (t.iso) t.values = from.values;
  return t;
}

/// Whether the lists are taken in the orientation in which A is stored: rows first, then, of a list that
/// ascends, columns. Few columns come by the transpose, which is kept, and so do those of a matrix that has
/// it already.
bool filters_columns(const MatrixInput& a, const IndexList& rows, const IndexList& columns) {
  constexpr uint64_t few = 8;
  const bool stored_by_columns = a.transpose != a.matrix.by_column;
  const IndexList& second = stored_by_columns ? rows : columns;
  const uint64_t all = stored_by_columns ? a.rows() : a.columns();
  if (second.all || !second.ascends || second.count == 0 || second.count < all / few) return false;
  return !a.matrix.has_rows(false) || !a.matrix.has_rows(true);
}

}  // namespace

void extract(const MatrixOutput& c, const MatrixInput& a, const Indices& rows, const Indices& columns) {
  const auto whole = [](const MatrixOutput& out, const MatrixInput& from, const Indices& of_rows,
                        const Indices& of_columns) { extract(out, from, of_rows, of_columns); };
  if (extracted_in_parts(c, a, rows, columns, whole)) return;
  if (done_collected(c, {a},
                     [&](const MatrixOutput& out, auto from) { extract(out, from[0], rows, columns); }))
    return;
  if (extract_block(c, a, rows, columns)) return;
  const IndexList rows_list = on_device(rows);
  extract(c, a, rows_list, are_same(rows, columns) ? rows_list : on_device(columns));
}

void extract(const MatrixOutput& c, const MatrixInput& a, const IndexList& rows, const IndexList& columns) {
  check_types(c, a.matrix.type);
  if (a.matrix.fragments != nullptr) return extract_of_fragments(c, a, rows, columns);
  const PreparedMatrixMask mask = prepare_mask(c.mask);
  const bool filters = filters_columns(a, rows, columns);
  const bool columns_first =
      filters ? a.transpose != a.matrix.by_column : columns_come_first(c, a, rows, columns);
  const Csr& from = a.matrix.by_rows(a.transpose != columns_first);
  const IndexList& first = columns_first ? columns : rows;
  const IndexList& second = columns_first ? rows : columns;
  Csr t = first.all ? from : listed_rows(from, first.list, first.count);
  if (filters) {
    t = listed_columns(t, second);
  } else if (!second.all) {
    t = listed_rows(formats::transpose(t), second.list, second.count);
  }
  const bool flipped = columns_first == (filters || second.all);
  write_back(c, mask, std::move(t), flipped, /*masked=*/false);
}

void extract_column(const VectorOutput& w, const MatrixInput& a, const Indices& rows, uint64_t column) {
  if (a.matrix.fragments != nullptr) {
    const formats::Dcsr& fragments = *a.matrix.fragments;
    if (fragments.entries == 0) return extract(w, DeviceVector::empty(a.matrix.type, a.rows()), rows);
    const bool is_row = !reads_stored_rows(a.matrix, a.transpose);
    return extract(w, is_row ? listed_row(fragments, column) : searched_column(fragments, column), rows);
  }
  const Csr* columns = a.matrix.has_rows(!a.transpose) ? &a.matrix.by_rows(!a.transpose) : nullptr;
  // A vector's positions have the width that its length asks for; a matrix may have wider ones.
  const bool fits = columns != nullptr && columns->column_width == formats::index_width(columns->columns);
  const DeviceVector u =
      fits ? listed_row(*columns, column) : searched_column(a.matrix.by_rows(a.transpose), column);
  extract(w, u, rows);
}

void extract_diagonal(const VectorOutput& w, const MatrixInput& a, int64_t diagonal) {
  const bool stored_transposed = a.matrix.by_column;
  const Csr& from = a.matrix.by_rows(stored_transposed);
  const bool above = (diagonal >= 0) == (a.transpose == stored_transposed);
  const uint64_t away = magnitude(diagonal);
  MatrixLineArguments arguments;
  arguments.row = above ? 0 : away;
  arguments.column = above ? away : 0;
  arguments.length = w.object.length;
  assign(w, searched_line(from, "matrix_extract_diagonal", arguments), {true, w.object.length, nullptr});
}

}  // namespace cugrb::operations
