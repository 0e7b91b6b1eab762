#include "bench/common/device_values.h"

namespace cugrb::bench {

bool reads_left(const Semiring& semiring) {
  return semiring.multiply.reads_x && semiring.multiply.x.code != TypeCode::Bool;
}
bool reads_right(const Semiring& semiring) {
  return semiring.multiply.reads_y && semiring.multiply.y.code != TypeCode::Bool;
}

formats::DeviceVector bytes_on_device(const Type& type, const uint8_t* bytes, uint64_t count) {
  formats::DeviceVector vector = formats::DeviceVector::empty(Type::of(TypeCode::UInt8), count);
  vector.form = Form::full;
  vector.values = runtime::Buffer::from_host(bytes, count);
  vector.set_nvals(count);
  return formats::cast(vector, type);
}

}  // namespace cugrb::bench
