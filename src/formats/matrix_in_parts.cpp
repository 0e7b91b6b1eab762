#include "src/formats/matrix_in_parts.h"

#include <algorithm>
#include <numeric>
#include <typeindex>

#include "cuda/views/row_parts.h"
#include "src/formats/element_kernels.h"
#include "src/formats/row_parts.h"
#include "src/support/trace.h"

namespace cugrb::formats {

using runtime::Buffer;
using runtime::Device;
using runtime::OnDevice;

namespace {

constexpr char header[] = "row_parts.h";

/// Rows of several CSRs one behind the other, put together at home.
class Pile {
 public:
  Pile(const Type& type, uint64_t rows, uint64_t columns, uint64_t entries, Width column_width)
      : pile_(SparseShape{type, rows, columns, entries, column_width, false}) {
    pile_.offsets = Buffer((rows + 1) * bytes_of(pile_.offset_width));
    pile_.column_indices = Buffer(entries * bytes_of(column_width));
    pile_.values = Buffer(entries * type.size);
  }

  void add(const Csr& rows) {
    const Width width = pile_.offset_width;
    const Buffer offsets = shifted(rows.offsets, rows.offset_width, width, rows.rows + 1, entries_);
    const Buffer columns =
        shifted(rows.column_indices, rows.column_width, pile_.column_width, rows.entries, 0);
    // Arrays may have more memory than entries.
    pile_.offsets.copy_bytes(rows_ * bytes_of(width), offsets, 0, (rows.rows + 1) * bytes_of(width));
    pile_.column_indices.copy_bytes(entries_ * bytes_of(pile_.column_width), columns, 0,
                                    rows.entries * bytes_of(pile_.column_width));
    pile_.values.copy_bytes(entries_ * rows.type.size, rows.values, 0, rows.entries * rows.type.size);
    rows_ += rows.rows;
    entries_ += rows.entries;
  }
  Csr take() { return std::move(pile_); }

 private:
  Csr pile_;
  uint64_t rows_ = 0, entries_ = 0;
};

/// Where each position of the whole stands in the parts, one behind the other. At home.
Buffer places_of(const Split& split) {
  const std::string index = index_type(split.width);
  const Buffer places(split.length * bytes_of(split.width));
  uint64_t first = 0;
  for (const Split::Part& part : split.parts) {
    const Buffer own(part.count * bytes_of(split.width));
    RowPartGatherArguments numbers;
    numbers.count = part.count;
    numbers.first = first;
    numbers.out_values = own.data();
    launch_per_element(header, "row_part_positions<" + index + ", " + index + ", false>", part.count,
                       numbers);
    RowPartScatterArguments to_places;
    to_places.list = part.positions.data();
    to_places.count = part.count;
    to_places.values = own.data();
    to_places.out_values = places.data();
    launch_per_element(header,
                       "row_part_scatter<" + element_of_bytes(bytes_of(split.width)) + ", " + index + ">",
                       part.count, to_places);
    first += part.count;
  }
  return places;
}

MatrixParts dealt(const Csr& rows, const std::shared_ptr<const Split>& split) {
  const OnDevice at_home(*split->home);
  MatrixParts made{split, {}};
  for (const Split::Part& part : split->parts) {
    Csr own = written_out(rows_listed(rows, part.positions, part.count, split->width));
    made.of.push_back(matrix_by(moved(std::move(own), *part.device), false));
  }
  return made;
}

}  // namespace

size_t MatrixParts::bytes() const {
  size_t sum = 0;
  for (const DeviceMatrix& part : of) sum += part.bytes();
  return sum;
}

uint64_t MatrixParts::entries() const {
  uint64_t sum = 0;
  for (const DeviceMatrix& part : of) sum += part.nvals();
  return sum;
}

Csr written_out(Csr rows) {
  if (!rows.iso) return rows;
  DeviceVector values = DeviceVector::full_of(rows.type, rows.entries, rows.values);
  rows.values = expand_iso(values).values;
  rows.iso = false;
  return rows;
}

DeviceMatrix matrix_from_parts(const Type& type, uint64_t columns, bool by_column,
                               std::shared_ptr<const Split> split, std::vector<Csr> parts) {
  MatrixParts made{std::move(split), {}};
  for (size_t p = 0; p < parts.size(); ++p) {
    const OnDevice there(*made.split->parts[p].device);
    made.of.push_back(matrix_by(written_out(std::move(parts[p])), by_column));
  }
  DeviceMatrix whole =
      matrix_by(Csr(sparse_shape(type, made.split->length, columns, made.entries())), by_column);
  whole.parts = std::make_shared<const MatrixParts>(std::move(made));
  return whole;
}

std::vector<DeviceMatrix> matrix_parts_by(const DeviceMatrix& matrix, bool transposed,
                                          const std::shared_ptr<const Split>& split) {
  if (matrix.parts != nullptr) {
    if (matrix.parts->split == split && matrix.by_column == transposed) return matrix.parts->of;
    return matrix_parts_by(whole_of(matrix), transposed, split);
  }
  const MatrixParts::Key key{split};
  if (matrix.find_derived(transposed, key) == nullptr) {  // by one split at a time
    const std::type_index of_others = typeid(MatrixParts::Key);
    matrix.retire(transposed, {&of_others, 1});
  }
  return matrix.derived(transposed, key, [&](const Csr& rows) { return dealt(rows, split); }).of;
}

Csr collected(const MatrixParts& parts, const Range& some) {
  const Split& split = *parts.split;
  Device& home = *split.home;
  const OnDevice at_home(home);
  const DeviceMatrix& first = parts.of.front();
  Width column_width = Width::bits32;
  uint64_t entries = 0;
  for (size_t p = some.first; p < some.last; ++p) entries += parts.of[p].nvals();
  for (const DeviceMatrix& part : parts.of) column_width = std::max(column_width, part.stored.column_width);
  Pile pile(first.type, split.length, first.stored.columns, entries, column_width);
  for (size_t p = 0; p < parts.of.size(); ++p) {
    const Csr& own = parts.of[p].stored;
    const bool asked = p >= some.first && p < some.last;
    pile.add(asked ? moved(own, home) : empty_csr(first.type, own.rows, own.columns));
  }
  return rows_listed(pile.take(), places_of(split), split.length, split.width);
}

Csr collected(const MatrixParts& parts) {
  Csr whole = collected(parts, {0, parts.of.size()});
  parts.split->note_collected();
  if (trace::enabled())
    trace::add_reason("a matrix of " + std::to_string(parts.entries()) + " entries was collected from " +
                      std::to_string(parts.of.size()) + " devices");
  return whole;
}

namespace {

/// A part's arrays, and which rows of the whole it has.
struct HostPart {
  HostRows rows;
  std::vector<uint64_t> positions;
};

HostPart on_host(const DeviceMatrix& part, const Split::Part& of, Width width) {
  const Csr& rows = part.stored;
  return {{widened(rows.offsets, rows.offset_width, rows.rows + 1),
           widened(rows.column_indices, rows.column_width, rows.entries),
           rows.values.to_host<char>(rows.entries * rows.type.size)},
          widened(of.positions, width, of.count)};
}

}  // namespace

HostRows rows_on_host(const MatrixParts& parts) {
  const Split& split = *parts.split;
  const size_t value_bytes = parts.of.front().type.size;
  HostRows whole;
  whole.offsets.assign(split.length + 1, 0);
  std::vector<HostPart> own;
  for (size_t p = 0; p < parts.of.size(); ++p)
    own.push_back(on_host(parts.of[p], split.parts[p], split.width));
  for (const HostPart& part : own) {
    for (uint64_t n = 0; n < part.positions.size(); ++n)
      whole.offsets[part.positions[n] + 1] = part.rows.offsets[n + 1] - part.rows.offsets[n];
  }
  std::partial_sum(whole.offsets.begin(), whole.offsets.end(), whole.offsets.begin());
  whole.columns.resize(whole.offsets.back());
  whole.values.resize(whole.offsets.back() * value_bytes);
  for (const HostPart& part : own) {
    for (uint64_t n = 0; n < part.positions.size(); ++n) {
      const uint64_t to = whole.offsets[part.positions[n]], from = part.rows.offsets[n],
                     count = part.rows.offsets[n + 1] - from;
      std::copy_n(part.rows.columns.begin() + ptrdiff_t(from), count, whole.columns.begin() + ptrdiff_t(to));
      std::copy_n(part.rows.values.begin() + ptrdiff_t(from * value_bytes), count * value_bytes,
                  whole.values.begin() + ptrdiff_t(to * value_bytes));
    }
  }
  return whole;
}

DeviceMatrix whole_of(const DeviceMatrix& matrix) {
  if (matrix.parts == nullptr) return matrix;
  return matrix_by(collected(*matrix.parts), matrix.by_column);
}

}  // namespace cugrb::formats
