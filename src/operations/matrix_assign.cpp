#include "src/operations/matrix_assign.h"

#include <algorithm>

#include "cuda/views/matrix_spread.h"
#include "src/formats/constants.h"
#include "src/formats/element_kernels.h"
#include "src/operations/matrix_compact.h"
#include "src/operations/matrix_extract.h"
#include "src/operations/matrix_patterns.h"
#include "src/operations/matrix_update.h"
#include "src/operations/matrix_write_back.h"

namespace cugrb::operations {

using formats::Csr;
using runtime::Buffer;

namespace {

constexpr char matrix_spread_header[] = "matrix_spread.h";

/// C(I, J) with both lists in ascending order, and the orientation in which T is made: C's, all of whose
/// entries are looked at.
class AssignedPart {
 public:
  AssignedPart(const DeviceMatrix& c, const MatrixPart& part)
      : rows_(part.rows, c.rows),
        own_columns_(are_same(part.rows, part.columns) && c.rows == c.columns
                         ? std::nullopt
                         : std::optional<ListedSet>(std::in_place, part.columns, c.columns)),
        all_rows_(c.rows),
        all_columns_(c.columns),
        flipped_(c.by_column) {}

  bool flipped() const { return flipped_; }
  /// So many entries will be looked for in both lists.
  void tabulate(uint64_t questions) {
    rows_.tabulate(all_rows_, questions);
    if (own_columns_) own_columns_->tabulate(all_columns_, questions);
  }
  MatrixRegion region(bool bounds_mask) const { return {rows_.set(), listed_columns().set(), bounds_mask}; }
  /// T of C's shape without entries.
  Csr nothing(const Type& type) const {
    return flipped_ ? formats::empty_csr(type, all_columns_, all_rows_)
                    : formats::empty_csr(type, all_rows_, all_columns_);
  }
  /// T of C's shape with that value at every place of the part.
  Csr everywhere(const Type& type, const Buffer& value) const {
    const uint64_t rows = rows_.count(), columns = listed_columns().count();
    if (rows == 0 || columns == 0) return nothing(type);
    return spread(flipped_ ? full_pattern(columns, rows, type, value)
                           : full_pattern(rows, columns, type, value));
  }
  /// T(I[k], J[l]) = A(k, l), of C's shape.
  Csr spread(const MatrixInput& a) const {
    if (rows_.places().all && listed_columns().places().all)
      return spread(a.matrix.by_rows(a.transpose != flipped_));
    const Type& type = a.matrix.type;
    const uint64_t rows = rows_.count(), columns = listed_columns().count();
    DeviceMatrix part = formats::matrix_by(
        flipped_ ? formats::empty_csr(type, columns, rows) : formats::empty_csr(type, rows, columns),
        flipped_);
    extract({part, {}, std::nullopt, false}, a, rows_.places(), listed_columns().places());
    return spread(part.by_rows(flipped_));
  }

 private:
  Csr spread(const Csr& part) const;
  const ListedSet& listed_columns() const { return own_columns_ ? *own_columns_ : rows_; }

  ListedSet rows_;
  std::optional<ListedSet> own_columns_;  ///< none: those of a square matrix by the same list as its rows
  const uint64_t all_rows_, all_columns_;
  const bool flipped_;
};

Csr AssignedPart::spread(const Csr& part) const {
  const IndexSet& rows = flipped_ ? listed_columns().set() : rows_.set();
  const IndexSet& columns = flipped_ ? rows_.set() : listed_columns().set();
  Csr t = part;
  t.rows = flipped_ ? all_columns_ : all_rows_;
  t.columns = flipped_ ? all_rows_ : all_columns_;
  t.column_width = formats::index_width(t.columns);
  MatrixSpreadArguments arguments;
  arguments.part = part.view();
  arguments.rows = rows.view();
  arguments.columns = columns.view();
  arguments.all_rows = t.rows;
  const std::string part_id = csr_id(part, /*read=*/false);
  if (!rows.is_all(t.rows)) {
    t.offsets = Buffer((t.rows + 1) * formats::bytes_of(t.offset_width));
    arguments.offsets = t.offsets.data();
    formats::launch_per_element(matrix_spread_header, template_id("spread_offsets", {part_id, rows.name()}),
                                t.rows + 1, arguments);
  }
  if (columns.is_range()) {
    t.column_indices = formats::shifted(part.column_indices, part.column_width, t.column_width, part.entries,
                                        columns.begin());
    return t;
  }
  t.column_indices = Buffer(t.entries * formats::bytes_of(t.column_width));
  arguments.out_columns = t.column_indices.data();
  formats::launch_per_element(matrix_spread_header,
                              template_id("spread_columns", {part_id, formats::index_type(t.column_width)}),
                              t.entries, arguments);
  return t;
}

/// The same places with one value each, of BOOL.
DeviceMatrix marks(const Csr& places, bool value, bool by_column) {
  const char byte = value ? 1 : 0;
  const Type type = Type::of(TypeCode::Bool);
  return formats::matrix_by(with_values(places, type, formats::constant(&byte, 1), /*iso=*/true), by_column);
}

/// Batch: T's entries are set, and those at the places of `gone`, none of which is T's, go.
formats::EntryUpdates replacement(const Csr& t, const Csr& gone, bool by_column) {
  if (t.entries == 0) {
    formats::EntryUpdates all_go{make_coo(gone), Buffer::filled(gone.entries, 1)};
    all_go.entries.values = {};
    return all_go;
  }
  if (gone.entries == 0) return {make_coo(t), {}};
  const auto joined = [&](const DeviceMatrix& a, const DeviceMatrix& b, const BinaryOp& op) {
    DeviceMatrix both = formats::matrix_by(formats::empty_csr(a.type, t.rows, t.columns), by_column);
    ewise_add({both, {}, std::nullopt, false}, op, {a, false}, {b, false});
    return both;
  };
  const DeviceMatrix set = formats::matrix_by(t, by_column), going = formats::matrix_by(gone, by_column);
  const DeviceMatrix values = joined(set, going, catalogue::first(t.type));
  const DeviceMatrix flags = joined(marks(t, false, by_column), marks(gone, true, by_column),
                                    catalogue::first(Type::of(TypeCode::Bool)));
  return {make_coo(values.by_rows(by_column)), flags.by_rows(by_column).values};
}

/// C(I, J) = T as one batch of updates: T's entries, and what C has there without them, which goes. False,
/// with nothing done, where that is much, or more than an assignment counts for C's entries there.
bool replaced_by_batch(const MatrixOutput& c, const MatrixPart& part, const AssignedPart& places,
                       const Csr& t) {
  constexpr uint64_t rows_for_one = 8;  // of the rows that are read
  const Indices& read = c.object.by_column ? part.columns : part.rows;
  const bool plain = c.mask.object == nullptr && !c.mask.complement && !c.accumulate;
  const bool few_rows = !read.all && rows_for_one * read.count <= c.object.stored.rows;
  if (!plain || !few_rows || t.column_width != c.object.stored.column_width) return false;
  if (!takes_batch(c, t.type, std::max<uint64_t>(1, t.entries))) return false;
  // In C's orientation: of the other dimension there may be more than the device has room for.
  const bool flipped = places.flipped();
  const uint64_t across = flipped ? part.rows.count : part.columns.count;
  DeviceMatrix held = formats::matrix_by(formats::empty_csr(t.type, read.count, across), flipped);
  extract({held, {}, std::nullopt, false}, {c.object, false}, part.rows, part.columns);
  const Csr there = places.spread({held, false});
  if (there.entries + t.entries == 0) return true;
  if (!takes_batch(c, t.type, there.entries + t.entries)) return false;
  const DeviceMatrix set = formats::matrix_by(t, flipped);
  DeviceMatrix gone = formats::matrix_by(places.nothing(t.type), flipped);
  const MatrixMask others{&set, /*structural=*/true, /*complement=*/true};
  write_back({gone, others, std::nullopt, /*replace=*/true}, prepare_mask(others), Csr(there), flipped,
             /*masked=*/false);
  take_batch(c.object, replacement(t, gone.by_rows(flipped), flipped));
  return true;
}

/// The mask of an assignment to a part, by C's places.
class AssignedMask {
 public:
  AssignedMask(const MatrixMask& given, const AssignedPart& part, bool masked_alone) : mask_(given) {
    if (!masked_alone || given.object == nullptr) return;
    spread_ = formats::matrix_by(part.spread(MatrixInput{*given.object, false}), part.flipped());
    mask_.object = &spread_;
  }
  AssignedMask(const AssignedMask&) = delete;
  AssignedMask& operator=(const AssignedMask&) = delete;
  PreparedMatrixMask prepared() const { return prepare_mask(mask_); }

 private:
  MatrixMask mask_;
  DeviceMatrix spread_;
};

}  // namespace

void assign(const MatrixOutput& c, const MatrixInput& a, const MatrixPart& part) {
  if (part.rows.all && part.columns.all) return assign(c, a);
  check_types(c, a.matrix.type);
  AssignedPart places(c.object, part);
  places.tabulate(c.object.nvals() + a.matrix.nvals());
  const AssignedMask mask(c.mask, places, part.masked_alone);
  const MatrixRegion region = places.region(part.masked_alone);
  Csr t = places.spread(a);
  if (replaced_by_batch(c, part, places, t)) return;
  write_back(c, mask.prepared(), std::move(t), places.flipped(), /*masked=*/false, &region);
}

bool assigned_as_batch(const MatrixOutput& c, const MatrixInput& a, const MatrixPart& part) {
  check_types(c, a.matrix.type);
  AssignedPart places(c.object, part);
  places.tabulate(a.matrix.nvals());
  return replaced_by_batch(c, part, places, places.spread(a));
}

void assign_scalar(const MatrixOutput& c, const std::optional<Value>& scalar, const Type& type,
                   const MatrixPart& part) {
  if (scalar && part.rows.all && part.columns.all) return assign_scalar(c, *scalar);
  check_types(c, type);
  AssignedPart places(c.object, part);
  places.tabulate(c.object.nvals());
  const AssignedMask mask(c.mask, places, part.masked_alone);
  const PreparedMatrixMask prepared = mask.prepared();
  Csr t;
  bool fills = false;
  if (!scalar || prepared.allows_none) {
    t = places.nothing(type);
  } else {
    const Buffer value = formats::constant(scalar->bytes.data(), scalar->bytes.size());
    const bool listed = prepared.matrix != nullptr && !prepared.complement;
    fills = !listed;
    t = listed ? allowed_pattern(prepared, places.flipped(), type, value) : places.everywhere(type, value);
  }
  MatrixRegion region = places.region(part.masked_alone);
  region.filled = fills;
  write_back(c, prepared, std::move(t), places.flipped(), /*masked=*/false, &region);
}

}  // namespace cugrb::operations
