#include "tests/operations/device_data.h"

#include <cstring>
#include <limits>
#include <stdexcept>

#include "src/formats/vector_parts.h"

namespace cugrb::test {

using formats::DeviceVector;
using formats::Width;
using runtime::Buffer;

Value make_value(const Type& type, double x) {
  Value value{Type::of(TypeCode::Fp64), std::string(8, '\0')};
  std::memcpy(value.bytes.data(), &x, 8);
  return reference::cast(value, type);
}

Value random_value(Random& random, const Type& type, bool edges) {
  if (edges && chance(random, 0.2)) {
    static const double special[] = {-1e300, 1e300, std::numeric_limits<double>::quiet_NaN(),
                                     -0.5,   0.5,   255.0};
    return make_value(type, special[below(random, 6)]);
  }
  return make_value(type,
                    double(below(random, 9)) - (type.is_float() || type.code <= TypeCode::Int64 ? 4 : 0));
}

RefVector random_vector(Random& random, const Type& type, uint64_t length, double density, bool iso,
                        bool edges) {
  RefVector vector{type, length, {}};
  const Value all = random_value(random, type, edges);
  for (uint64_t i = 0; i < length; ++i) {
    if (density < 1 && !chance(random, density)) continue;
    vector.entries[i] = iso ? all : random_value(random, type, edges);
  }
  return vector;
}

namespace {

Buffer upload_indices(const std::vector<uint64_t>& indices, uint64_t length) {
  if (formats::index_width(length) == Width::bits64)
    return Buffer::from_host(indices.data(), indices.size() * 8);
  const std::vector<uint32_t> narrow(indices.begin(), indices.end());
  return Buffer::from_host(narrow.data(), narrow.size() * 4);
}

std::vector<uint64_t> download_indices(const DeviceVector& vector, uint64_t entries) {
  if (formats::index_width(vector.length) == Width::bits64) return vector.indices.to_host<uint64_t>(entries);
  const std::vector<uint32_t> narrow = vector.indices.to_host<uint32_t>(entries);
  return {narrow.begin(), narrow.end()};
}

void require(bool condition, const std::string& what) {
  if (!condition) throw std::runtime_error("broken vector: " + what);
}

}  // namespace

DeviceVector to_device(const RefVector& vector, Form form, bool iso) {
  DeviceVector device = DeviceVector::empty(vector.type, vector.length);
  const size_t size = vector.type.size;
  std::vector<uint64_t> indices;
  std::vector<uint8_t> present(vector.length, 0);
  std::string packed, dense(vector.length * size, '\x5a');  // absent values are rubbish on purpose
  for (const auto& [i, value] : vector.entries) {
    indices.push_back(i);
    present[i] = 1;
    packed += value.bytes;
    dense.replace(i * size, size, value.bytes);
  }
  device.form = form;
  device.iso = iso;
  if (iso) {
    const std::string one =
        vector.entries.empty() ? std::string(size, '\0') : vector.entries.begin()->second.bytes;
    device.values = Buffer::from_host(one.data(), size);
  } else {
    const std::string& bytes = form == Form::sparse ? packed : dense;
    device.values = Buffer::from_host(bytes.data(), bytes.size());
  }
  if (form == Form::sparse) device.indices = upload_indices(indices, vector.length);
  if (form == Form::bitmap) device.present = Buffer::from_host(present.data(), present.size());
  if (form == Form::full) require(vector.entries.size() == vector.length, "full with a hole");
  device.set_nvals(vector.entries.size());
  return device;
}

RefVector from_device(const DeviceVector& vector) {
  if (vector.parts != nullptr) return from_device(formats::collected(vector));
  RefVector result{vector.type, vector.length, {}};
  const size_t size = vector.type.size;
  const uint64_t entries = vector.nvals();
  std::vector<uint64_t> positions;
  if (vector.form == Form::sparse) {
    positions = download_indices(vector, entries);
    for (size_t p = 0; p < positions.size(); ++p) {
      require(positions[p] < vector.length, "an index out of range");
      require(p == 0 || positions[p - 1] < positions[p], "indices not ascending");
    }
  } else {
    const auto present = vector.form == Form::bitmap ? vector.present.to_host<uint8_t>(vector.length)
                                                     : std::vector<uint8_t>(vector.length, 1);
    for (uint64_t i = 0; i < vector.length; ++i) {
      require(present[i] <= 1, "a flag that is neither 0 nor 1");
      if (present[i] != 0) positions.push_back(i);
    }
    require(positions.size() == entries, "nvals differs from the entries there are");
  }
  const size_t elements = vector.iso ? 1 : vector.form == Form::sparse ? entries : vector.length;
  require(vector.values.bytes() >= elements * size || entries == 0, "too few values");
  const auto bytes = entries == 0 ? std::vector<char>() : vector.values.to_host<char>(elements * size);
  for (size_t p = 0; p < positions.size(); ++p) {
    const size_t at = vector.iso ? 0 : vector.form == Form::sparse ? p : positions[p];
    result.entries[positions[p]] = {vector.type, std::string(bytes.data() + at * size, size)};
  }
  return result;
}

}  // namespace cugrb::test
