// A host matrix's way to the device, and its typed forms.
#include "bench/common/suitesparse.h"
#include "bench/spmv/bench.h"
#include "tools/graph_files/device_pattern.h"

namespace cugrb::bench {

Workbench::Workbench(graph_files::Csr&& host) : host_(std::move(host)) {
  const Stopwatch watch;
  pattern_ =
      graph_files::pattern_on_device(host_.nrows, host_.ncols, host_.offsets.data(), host_.columns.data());
  runtime::device().synchronize();
  upload_seconds_ = watch.seconds();
}

Workbench::~Workbench() = default;

suitesparse::Pattern& Workbench::host_pattern() const {
  if (!host_pattern_) host_pattern_ = std::make_unique<suitesparse::Pattern>(host_);
  return *host_pattern_;
}

formats::DeviceMatrix Workbench::pattern() const { return formats::matrix_by(pattern_, /*by_column=*/false); }

formats::DeviceMatrix Workbench::matrix(const Semiring& semiring) const {
  formats::DeviceMatrix matrix = pattern();
  if (!reads_left(semiring)) return matrix;
  matrix.type = matrix.stored.type = semiring.multiply.x;
  matrix.stored.iso = false;
  matrix.stored.values = values_on_device(matrix.type, matrix.nvals(), entry_value).values;
  return matrix;
}

double csr_bytes(const Product& product) {
  const formats::Csr& csr = product.matrix.stored;
  const double offsets = double(csr.rows + 1) * double(formats::bytes_of(csr.offset_width));
  const size_t value = product.semiring.multiply.reads_x && !csr.iso ? csr.type.size : 0;
  const double entries = double(csr.entries) * double(formats::bytes_of(csr.column_width) + value);
  const size_t x = product.semiring.multiply.reads_y ? product.u.type.size : 0;
  return offsets + entries + double(csr.columns) * double(x) +
         double(csr.rows) * double(product.semiring.add.type().size);
}

bool same(const formats::DeviceVector& w, const formats::DeviceVector& expected) {
  if (w.length != expected.length || w.nvals() != expected.nvals()) return false;
  if (expected.nvals() == 0) return true;
  formats::DeviceVector equal = formats::DeviceVector::empty(Type::of(TypeCode::Bool), w.length);
  const BinaryOp op = catalogue::binary_op("EQ_" + w.type.suffix()).value();
  operations::ewise_mult({equal, {}, std::nullopt, false}, op, w, expected);
  if (equal.nvals() != w.nvals()) return false;
  const auto all = operations::reduce(catalogue::monoid("LAND").value(), equal);
  return all.has_value() && all->bytes[0] != 0;
}

}  // namespace cugrb::bench
