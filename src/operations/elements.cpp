// Single elements: extractElement, setElement, removeElement, clear. Meant for occasional use: each waits for
// the device.
#include <algorithm>
#include <vector>

#include "src/operations/expression.h"

namespace cugrb::operations {

using formats::bytes_of;
using formats::index_width;
using formats::Width;
using runtime::Buffer;

namespace {

/// Up to so many entries a sparse vector is edited on the host; beyond, it becomes a bitmap.
constexpr uint64_t host_edit_entries = 1u << 14;

std::string read_bytes(const Buffer& buffer, uint64_t index, size_t bytes) {
  std::string value(bytes, '\0');
  buffer.read_bytes(index * bytes, value.data(), bytes);
  return value;
}

/// A sparse vector's entries on the host, to be edited and sent back.
struct HostEntries {
  std::vector<uint64_t> indices;
  std::string values;

  explicit HostEntries(const DeviceVector& sparse) {
    const uint64_t entries = sparse.nvals();
    if (index_width(sparse.length) == Width::bits64) {
      indices = sparse.indices.to_host<uint64_t>(entries);
    } else {
      const std::vector<uint32_t> narrow = sparse.indices.to_host<uint32_t>(entries);
      indices.assign(narrow.begin(), narrow.end());
    }
    const std::vector<char> bytes = sparse.values.to_host<char>(entries * sparse.type.size);
    values.assign(bytes.begin(), bytes.end());
  }

  DeviceVector to_device(const Type& type, uint64_t length) const {
    DeviceVector sparse = DeviceVector::empty(type, length);
    if (index_width(length) == Width::bits64) {
      sparse.indices = Buffer::from_host(indices.data(), indices.size() * 8);
    } else {
      const std::vector<uint32_t> narrow(indices.begin(), indices.end());
      sparse.indices = Buffer::from_host(narrow.data(), narrow.size() * 4);
    }
    sparse.values = Buffer::from_host(values.data(), values.size());
    sparse.set_nvals(indices.size());
    return sparse;
  }
};

/// w's own memory, ready to be written at single positions; not sparse. One value an entry, unless it stays
/// iso: then values are not written.
DeviceVector writable(const DeviceVector& w, bool needs_bitmap, bool stays_iso) {
  const bool owns_values = w.values.unique(), owns_present = w.present.unique();
  DeviceVector target = stays_iso ? w : expand_iso(w);
  if (target.form == Form::sparse || needs_bitmap) target = to_bitmap(target);
  if (!stays_iso && target.values.data() == w.values.data() && !owns_values) {
    target.values = target.values.clone();
  }
  if (target.present && target.present.data() == w.present.data() && !owns_present) {
    target.present = target.present.clone();
  }
  return target;
}

/// The edited entries; with w's one value, where it stays iso.
DeviceVector edited(const HostEntries& entries, const DeviceVector& w, bool stays_iso) {
  DeviceVector result = entries.to_device(w.type, w.length);
  if (!stays_iso || result.nvals() == 0) return result;
  result.iso = true;
  result.values = w.values;
  return result;
}

bool edit_on_host(const DeviceVector& w) { return w.form == Form::sparse && w.nvals() <= host_edit_entries; }

}  // namespace

std::optional<Value> extract_element(const DeviceVector& u, uint64_t index) {
  if (u.form == Form::sparse) {
    if (u.nvals() == 0) return std::nullopt;
    DeviceVector one = DeviceVector::empty(u.type, 1);
    extract({one, {}, std::nullopt, false}, u, {false, 1, &index});
    return one.form == Form::sparse ? std::nullopt : extract_element(one, 0);
  }
  if (u.form == Form::bitmap && u.present.read<uint8_t>(index) == 0) return std::nullopt;
  return Value{u.type, read_bytes(u.values, u.iso ? 0 : index, u.type.size)};
}

void set_element(DeviceVector& w, uint64_t index, const Value& value) {
  const std::string bytes = typecast(value, w.type).bytes;
  const bool stays_iso = w.iso && value_of_iso(w).bytes == bytes;
  if (stays_iso && w.form == Form::full) return;
  if (edit_on_host(w)) {
    HostEntries entries(expand_iso(w));
    const auto place = std::lower_bound(entries.indices.begin(), entries.indices.end(), index);
    const size_t p = size_t(place - entries.indices.begin());
    if (place != entries.indices.end() && *place == index) {
      entries.values.replace(p * w.type.size, w.type.size, bytes);
    } else {
      entries.indices.insert(place, index);
      entries.values.insert(p * w.type.size, bytes);
    }
    w = edited(entries, w, stays_iso);
    return;
  }
  DeviceVector target = writable(w, false, stays_iso);
  if (!stays_iso) target.values.write_bytes(index * w.type.size, bytes.data(), bytes.size());
  if (target.form == Form::bitmap) {
    target.present.fill(1, index, 1);
    target.forget_nvals();
  }
  w = std::move(target);
}

void remove_element(DeviceVector& w, uint64_t index) {
  if (edit_on_host(w)) {
    HostEntries entries(expand_iso(w));
    const auto place = std::lower_bound(entries.indices.begin(), entries.indices.end(), index);
    if (place == entries.indices.end() || *place != index) return;
    entries.values.erase(size_t(place - entries.indices.begin()) * w.type.size, w.type.size);
    entries.indices.erase(place);
    w = edited(entries, w, w.iso);
    return;
  }
  DeviceVector target = writable(w, true, w.iso);
  target.present.fill(0, index, 1);
  target.forget_nvals();
  w = std::move(target);
}

void clear(DeviceVector& w) { w = DeviceVector::empty(w.type, w.length); }

}  // namespace cugrb::operations
