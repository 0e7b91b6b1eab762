#include "src/operations/sort.h"

#include "cuda/views/convert.h"
#include "cuda/views/sort.h"
#include "src/formats/coo.h"
#include "src/formats/element_kernels.h"
#include "src/operations/matrix_compact.h"
#include "src/operations/matrix_parts.h"
#include "src/support/declined.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Width;
using runtime::Buffer;

namespace {

constexpr char sort_header[] = "sort.h";
constexpr char no_order[] = "values that the operator does not order";

Buffer counted_up(uint64_t count) {
  const Buffer numbers(count * sizeof(uint64_t));
  ConvertArguments arguments;
  arguments.out = numbers.data();
  arguments.count = count;
  formats::launch_per_element("convert.h", "count_up<uint64_t>", count, arguments);
  return numbers;
}

/// An order of so many entries, of keys in that order; stable.
Buffer sorted_by(const Buffer& keys, Width width, const Buffer& order, uint64_t count, unsigned bits) {
  const Buffer sorted(keys.bytes()), result(count * sizeof(uint64_t));
  primitives::sort_pairs(width, keys.data(), sorted.data(), order.as<uint64_t>(), result.as<uint64_t>(),
                         count, bits);
  return result;
}

/// Built-in types under < and > of their own.
bool has_ascending_words(const BinaryOp& before, const Type& type) {
  return !type.is_user() && before.x == type && (before.stem == "lt" || before.stem == "gt");
}

Buffer order_by_radix(const Csr& a, const BinaryOp& before) {
  const unsigned value_bits = a.type.code == TypeCode::Bool ? 1 : 8 * unsigned(a.type.size);
  const unsigned row_bits = formats::bits_of(a.rows);
  const bool together = value_bits + row_bits <= 64;
  const unsigned bits = together ? value_bits + row_bits : value_bits;
  const Width width = bits <= 32 ? Width::bits32 : Width::bits64;
  const formats::Coo entries = formats::make_coo(a);
  const std::string row = formats::index_type(entries.row_width);
  const Buffer keys(a.entries * formats::bytes_of(width)), unordered = Buffer::zeroed(sizeof(uint32_t));
  SortArguments arguments;
  arguments.a = a.view();
  arguments.row_of = entries.row_indices.data();
  arguments.value_bits = value_bits;
  arguments.keys = keys.data();
  arguments.unordered = unordered.as<uint32_t>();
  formats::launch_per_element(
      sort_header,
      template_id("sort_keys", {a.type.name, together && row_bits > 0 ? row : "void",
                                formats::index_type(width), text_of(before.stem == "gt")}),
      a.entries, arguments);
  if (unordered.read<uint32_t>() != 0) throw Declined(no_order);
  const Buffer order = sorted_by(keys, width, counted_up(a.entries), a.entries, bits);
  if (together) return order;
  const Buffer rows(a.entries * formats::bytes_of(entries.row_width));
  ConvertArguments gathering;
  gathering.in = entries.row_indices.data();
  gathering.indices = order.data();
  gathering.out = rows.data();
  gathering.count = a.entries;
  formats::launch_per_element("convert.h", template_id("gather_elements", {row, "uint64_t"}), a.entries,
                              gathering);
  return sorted_by(rows, entries.row_width, order, a.entries, row_bits);
}

Buffer order_by_merging(const Csr& a, const BinaryOp& before, uint64_t longest) {
  const std::string types = catalogue::type_preamble(a.type) + before.preamble;
  const std::string rows = csr_id(a, /*read=*/true);
  SortArguments arguments;
  arguments.a = a.view();
  Buffer order = counted_up(a.entries);
  for (arguments.run = 1; arguments.run < longest; arguments.run *= 2) {
    const Buffer merged = Buffer::zeroed(order.bytes());  // an operator that is no order leaves places open
    arguments.order = order.as<uint64_t>();
    arguments.new_order = merged.as<uint64_t>();
    formats::launch_blocks(sort_header, template_id("sort_merge", {before.source, rows}),
                           formats::move_blocks(a.entries), arguments, types);
    order = merged;
  }
  const Buffer unordered = Buffer::zeroed(sizeof(uint32_t)), seen = Buffer::zeroed(a.entries),
               count(sizeof(uint64_t));
  arguments.order = order.as<uint64_t>();
  arguments.unordered = unordered.as<uint32_t>();
  arguments.seen = seen.as<uint8_t>();
  formats::launch_blocks(sort_header, template_id("sort_check", {before.source, rows}),
                         formats::move_blocks(a.entries), arguments, types);
  primitives::count_flags(seen.as<uint8_t>(), a.entries, count.as<uint64_t>());
  if (unordered.read<uint32_t>() != 0 || count.read<uint64_t>() != a.entries) throw Declined(no_order);
  return order;
}

/// Rows with their values in order, and the columns that these come from. `places` of other type is null.
struct SortedRows {
  Csr values, places;
};
SortedRows sorted_rows(const Csr& a, const Buffer& order, const Type* place_type) {
  SortedRows sorted;
  sorted.values = a;
  Csr& c = sorted.values;
  c.column_width = formats::index_width(a.columns);
  c.column_indices = Buffer(a.entries * formats::bytes_of(c.column_width));
  if (!a.iso) c.values = Buffer(a.entries * a.type.size);
  SortArguments arguments;
  arguments.a = a.view();
  arguments.order = order.as<uint64_t>();
  arguments.out_columns = c.column_indices.data();
  arguments.out_values = c.values.data();
  if (place_type != nullptr) {
    sorted.places = with_values(c, *place_type, Buffer(a.entries * sizeof(int64_t)), /*iso=*/false);
    arguments.out_places = sorted.places.values.as<int64_t>();
  }
  const std::string element = a.iso ? "void" : formats::element_of_bytes(a.type.size);
  formats::launch_blocks(
      sort_header,
      template_id("sort_entries", {csr_id(a, /*read=*/false), formats::index_type(c.column_width), element,
                                   text_of(bool(order)), text_of(place_type != nullptr)}),
      formats::move_blocks(a.entries), arguments);
  return sorted;
}

}  // namespace

void sort(const SortedInto<DeviceMatrix>& out, const BinaryOp& before, const MatrixInput& a) {
  const Csr rows = a.matrix.by_rows(a.transpose);
  formats::check_cast(rows.type, before.x);
  Buffer order;
  if (rows.entries > 0 && !rows.iso) {
    order = has_ascending_words(before, rows.type)
                ? order_by_radix(rows, before)
                : order_by_merging(rows, before, a.matrix.row_lengths(a.transpose).longest);
  }
  SortedRows sorted = sorted_rows(rows, order, out.places != nullptr ? &out.places->type : nullptr);
  if (out.values != nullptr) *out.values = formats::matrix_by(std::move(sorted.values), a.transpose);
  if (out.places != nullptr) *out.places = formats::matrix_by(std::move(sorted.places), a.transpose);
}

void sort(const SortedInto<DeviceVector>& out, const BinaryOp& before, const DeviceVector& u) {
  const DeviceMatrix row = formats::matrix_by(as_row(u), /*by_column=*/false);
  DeviceMatrix values, places;
  if (out.places != nullptr) places.type = out.places->type;
  sort({&values, out.places != nullptr ? &places : nullptr}, before, {row});
  if (out.values != nullptr) *out.values = from_row(std::move(values.stored));
  if (out.places != nullptr) *out.places = from_row(std::move(places.stored));
}

}  // namespace cugrb::operations
