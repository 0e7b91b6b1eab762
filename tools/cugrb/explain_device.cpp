#include "tools/cugrb/explain_device.h"

#include <cstring>
#include <vector>

#include "semirings/operators.h"
#include "tools/graph_files/device_pattern.h"

namespace cugrb::command {

namespace {

using formats::DeviceVector;
using runtime::Buffer;

/// 1, 2, 3, 4 by turns, as bytes of `type`.
Buffer numbers(const Type& type, uint64_t count) {
  std::string turn;
  for (const double x : {1.0, 2.0, 3.0, 4.0}) {
    Value value{Type::of(TypeCode::Fp64), std::string(sizeof x, '\0')};
    std::memcpy(value.bytes.data(), &x, sizeof x);
    turn += reference::cast(value, type).bytes;
  }
  std::vector<char> bytes(count * type.size);
  graph_files::parallel_for(count, 1 << 20, [&](uint64_t begin, uint64_t end) {
    for (uint64_t n = begin; n < end; ++n)
      std::memcpy(&bytes[n * type.size], &turn[n % 4 * type.size], type.size);
  });
  return Buffer::from_host(bytes.data(), bytes.size());
}

}  // namespace

formats::DeviceMatrix to_device(const graph_files::Csr& csr, const Type& type, bool iso) {
  formats::Csr rows =
      graph_files::pattern_on_device(csr.nrows, csr.ncols, csr.offsets.data(), csr.columns.data());
  rows.type = type;
  rows.iso = iso;
  rows.values = numbers(type, iso ? 1 : rows.entries);
  return formats::matrix_by(std::move(rows), /*by_column=*/false);
}

DeviceVector small_numbers(const Type& type, uint64_t length) {
  DeviceVector vector = DeviceVector::empty(type, length);
  vector.form = Form::full;
  vector.values = numbers(type, length);
  vector.set_nvals(length);
  return vector;
}

calibration::Product VectorProduct::measurable() const {
  return calibration::vector_product(matrix, [this] {
    DeviceVector w = DeviceVector::empty(semiring.add.type(), matrix.rows);
    operations::mxv({w, {}, std::nullopt, false}, call());
  });
}

}  // namespace cugrb::command
