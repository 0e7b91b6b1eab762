#include "src/formats/vector.h"

#include <cstring>
#include <optional>
#include <stdexcept>

#include "cuda/views/convert.h"
#include "src/formats/constants.h"
#include "src/formats/element_kernels.h"
#include "src/formats/joined.h"
#include "src/formats/posted_count.h"
#include "src/formats/reduction.h"
#include "src/formats/vector_parts.h"
#include "src/support/declined.h"

namespace cugrb::formats {

using runtime::Buffer;

namespace {

constexpr char vector_header[] = "convert.h";

/// Elements that `values` holds.
uint64_t stored_elements(const DeviceVector& vector) {
  if (vector.iso) return 1;
  return vector.form == Form::sparse ? vector.nvals() : vector.length;
}

std::string scatter_name(const DeviceVector& vector) {
  return "scatter_entries<" + element_of_bytes(vector.type.size) + ", " +
         index_type(index_width(vector.length)) + (vector.iso ? ", true>" : ", false>");
}

ReduceArguments counting(const Reduction& count, const Buffer& present, uint64_t length) {
  ReduceArguments arguments = count.arguments();
  arguments.input.present = present.as<uint8_t>();
  arguments.input.length = length;
  return arguments;
}

uint64_t number_of(const Reduction& count) {
  uint64_t number = 0;
  std::memcpy(&number, count.value()->data(), sizeof(number));
  return number;
}

/// By the launch that does the work of calls that have just written there. Nothing where there is none.
std::optional<uint64_t> count_with_writers(const Buffer& present, uint64_t length) {
  Last last;
  last.places.count = length;
  if (!waits_at(last.places)) return std::nullopt;
  const Reduction count(length, sizeof(uint64_t));
  last.text = "reduce_last<monoid<plus<uint64_t>>, vector_presence>";
  last.what = "count";
  last.arguments = counting(count, present, length);
  if (!launch_with(last)) return std::nullopt;
  return number_of(count);
}

/// The number of entries of a bitmap. One launch.
uint64_t count_entries(const Buffer& present, uint64_t length) {
  if (length == 0) return 0;
  if (const std::optional<uint64_t> counted = count_with_writers(present, length)) return *counted;
  const Reduction count((length + 7) / 8, sizeof(uint64_t));
  launch_blocks("reduce.h", "reduce_vector<monoid<plus<uint64_t>>, vector_presence_of_eight>", count.blocks(),
                counting(count, present, length));
  return number_of(count);
}

}  // namespace

DeviceVector DeviceVector::empty(const Type& type, uint64_t length) {
  DeviceVector vector;
  vector.type = type;
  vector.length = length;
  return vector;
}

DeviceVector DeviceVector::full_of(const Type& type, uint64_t length, const void* value) {
  return full_of(type, length, constant(value, type.size));
}

DeviceVector DeviceVector::full_of(const Type& type, uint64_t length, const Buffer& value) {
  DeviceVector vector;
  vector.type = type;
  vector.length = length;
  vector.form = Form::full;
  vector.iso = true;
  vector.values = value;
  vector.set_nvals(length);
  return vector;
}

namespace {

/// Its memory is to be read.
void require_whole(const DeviceVector& vector) {
  if (vector.parts != nullptr) throw std::logic_error("a vector in parts is read as if it lay on one device");
}

}  // namespace

VectorView DeviceVector::view() const {
  require_whole(*this);
  VectorView view;
  view.values = values.data();
  view.present = present.as<uint8_t>();
  view.indices = indices.data();
  view.length = length;
  view.entries = form == Form::sparse ? nvals() : 0;
  return view;
}

size_t DeviceVector::bytes() const {
  return values.bytes() + present.bytes() + indices.bytes() + (parts == nullptr ? 0 : parts->bytes());
}

bool DeviceVector::parts_counted() const { return parts != nullptr && parts->counted(); }

uint64_t DeviceVector::nvals() const {
  if (form == Form::full) return length;
  if (nvals_.get() != Count::unknown) return nvals_.get();
  if (parts != nullptr) {
    nvals_.set(parts->nvals());
    return nvals_.get();
  }
  if (posted_ != nullptr) {
    nvals_.set(posted_->value());
  } else if (counter_) {
    nvals_.set(counter_.read<uint64_t>());
  } else {  // a bitmap that nobody has counted yet
    nvals_.set(count_entries(present, length));
  }
  return nvals_.get();
}

void require_room(uint64_t length, size_t value_bytes) {
  const uint64_t memory = runtime::device().properties().memory_bytes;
  if (length > memory / (value_bytes + 1)) {
    throw Declined("a vector of " + std::to_string(length) + " positions is too long for its bitmap form");
  }
}

void shift_into(const Buffer& out, uint64_t at, const Buffer& in, Width from, Width to, uint64_t count,
                uint64_t shift) {
  ConvertArguments arguments;
  arguments.in = in.data();
  arguments.out = out.as<char>() + at * bytes_of(to);
  arguments.count = count;
  arguments.shift = shift;
  launch_per_element(vector_header,
                     std::string("shift_indices<") + index_type(from) + ", " + index_type(to) + ">", count,
                     arguments);
}

Buffer shifted(const Buffer& in, Width from, Width to, uint64_t count, uint64_t shift) {
  if (shift == 0 && from == to) return in;
  Buffer out(count * bytes_of(to));
  shift_into(out, 0, in, from, to, count, shift);
  return out;
}

Buffer counted(uint64_t begin, uint64_t count) {
  Buffer numbers(count * sizeof(uint64_t));
  ConvertArguments arguments;
  arguments.out = numbers.data();
  arguments.count = count;
  arguments.shift = begin;
  launch_per_element(vector_header, "count_up<uint64_t>", count, arguments);
  return numbers;
}

DeviceVector to_bitmap(const DeviceVector& vector) {
  require_whole(vector);
  if (vector.form == Form::bitmap) return vector;
  require_room(vector.length, vector.iso ? 0 : vector.type.size);
  DeviceVector bitmap = vector;
  bitmap.form = Form::bitmap;
  bitmap.indices = {};
  bitmap.present = Buffer(vector.length);
  if (vector.form == Form::full) {
    bitmap.present.fill(1);
    bitmap.set_nvals(vector.length);
    return bitmap;
  }
  const uint64_t entries = vector.nvals();
  bitmap.present.fill(0);
  if (!vector.iso) bitmap.values = Buffer(vector.length * vector.type.size);
  ConvertArguments arguments;
  arguments.in = vector.values.data();
  arguments.indices = vector.indices.data();
  arguments.out = bitmap.values.data();
  arguments.present = bitmap.present.as<uint8_t>();
  arguments.count = entries;
  launch_per_element(vector_header, scatter_name(vector), entries, arguments);
  return bitmap;
}

namespace {

DeviceVector full_to_sparse(const DeviceVector& vector) {
  const Width width = index_width(vector.length);
  DeviceVector sparse = vector;
  sparse.form = Form::sparse;
  sparse.indices = Buffer(vector.length * bytes_of(width));
  ConvertArguments arguments;
  arguments.out = sparse.indices.data();
  arguments.count = vector.length;
  launch_per_element(vector_header, std::string("count_up<") + index_type(width) + ">", vector.length,
                     arguments);
  sparse.set_nvals(vector.length);
  return sparse;
}

DeviceVector bitmap_to_sparse(const DeviceVector& vector) {
  const Width width = index_width(vector.length);
  const uint64_t entries = vector.nvals();
  DeviceVector sparse = vector;
  sparse.form = Form::sparse;
  sparse.present = {};
  sparse.indices = Buffer(entries * bytes_of(width));
  if (!vector.iso) sparse.values = Buffer(entries * vector.type.size);
  sparse.set_nvals(entries);
  if (entries == 0) return sparse;
  const Buffer counter(sizeof(uint64_t));
  primitives::positions_of_flags(width, vector.present.as<uint8_t>(), vector.length, sparse.indices.data(),
                                 counter.as<uint64_t>());
  if (vector.iso) return sparse;
  ConvertArguments arguments;
  arguments.in = vector.values.data();
  arguments.indices = sparse.indices.data();
  arguments.out = sparse.values.data();
  arguments.count = entries;
  launch_per_element(vector_header,
                     "gather_elements<" + element_of_bytes(vector.type.size) + ", " + index_type(width) + ">",
                     entries, arguments);
  return sparse;
}

}  // namespace

DeviceVector to_sparse(const DeviceVector& vector) {
  require_whole(vector);
  if (vector.form == Form::sparse) return vector;
  return vector.form == Form::full ? full_to_sparse(vector) : bitmap_to_sparse(vector);
}

DeviceVector to_full(const DeviceVector& vector) {
  require_whole(vector);
  if (vector.form == Form::full) return vector;
  if (vector.nvals() != vector.length) {
    throw std::logic_error("to_full: a vector of " + std::to_string(vector.length) + " positions has only " +
                           std::to_string(vector.nvals()) + " entries");
  }
  DeviceVector full = vector;  // sparse with every position: the values lie in position order already
  full.form = Form::full;
  full.indices = {};
  full.present = {};
  full.set_nvals(vector.length);
  return full;
}

DeviceVector expand_iso(const DeviceVector& vector) {
  if (!vector.iso) return vector;
  if (vector.form != Form::sparse) require_room(vector.length, vector.type.size);
  DeviceVector expanded = vector;
  expanded.iso = false;
  const uint64_t elements = stored_elements(expanded);
  expanded.values = Buffer(elements * vector.type.size);
  ConvertArguments arguments;
  arguments.in = vector.values.data();
  arguments.out = expanded.values.data();
  arguments.count = elements;
  launch_per_element(vector_header, "fill_elements<" + element_of_bytes(vector.type.size) + ">", elements,
                     arguments);
  return expanded;
}

void check_cast(const Type& from, const Type& to) {
  if (from == to || (!from.is_user() && !to.is_user())) return;
  throw Declined("no typecast between " + from.name + " and " + to.name);
}

DeviceVector cast(const DeviceVector& vector, const Type& to) {
  if (vector.type == to) return vector;
  check_cast(vector.type, to);
  require_whole(vector);
  const uint64_t elements = stored_elements(vector);
  DeviceVector result = vector;
  result.type = to;
  result.values = Buffer(elements * to.size);
  ConvertArguments arguments;
  arguments.in = vector.values.data();
  arguments.out = result.values.data();
  if (vector.form == Form::bitmap && !vector.iso) arguments.present = vector.present.as<uint8_t>();
  arguments.count = elements;
  launch_per_element(vector_header, "cast_elements<" + vector.type.name + ", " + to.name + ">", elements,
                     arguments);
  return result;
}

}  // namespace cugrb::formats
