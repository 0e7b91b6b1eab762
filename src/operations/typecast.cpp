// Scalars on their way to the device.
#include <cstring>
#include <vector>

#include "src/formats/constants.h"
#include "src/operations/expression.h"
#include "src/support/declined.h"

namespace cugrb::operations {

ScalarView scalar_view(const Value& value) {
  if (value.bytes.size() > size_t(ScalarView::capacity)) {
    throw Declined("a scalar of type " + value.type.name + ", " + std::to_string(value.bytes.size()) +
                   " bytes");
  }
  ScalarView view;
  std::memcpy(view.bytes, value.bytes.data(), value.bytes.size());
  return view;
}

Value typecast(const Value& value, const Type& to) {
  if (value.type == to) return value;
  formats::check_cast(value.type, to);
  return reference::cast(value, to);
}

Value value_of_iso(const DeviceVector& vector) {
  if (const auto known = formats::constant_bytes(vector.values, vector.type.size))
    return {vector.type, *known};
  const std::vector<char> bytes = vector.values.to_host<char>(vector.type.size);
  return {vector.type, std::string(bytes.begin(), bytes.end())};
}

}  // namespace cugrb::operations
