// A matrix of more than 2^31 entries: 64-bit offsets in every kernel and every format, and in the transpose.
// On the emulated device a small one with offsets of 64 bits.
#include <algorithm>
#include <numeric>

#include "src/operations/multiply/registry.h"
#include "src/operations/operations.h"
#include "src/support/trace.h"
#include "tests/catch.h"
#include "tests/operations/breadth.h"
#include "tests/operations/mxv_cases.h"

using namespace cugrb;
using formats::Csr;
using formats::DeviceMatrix;
using formats::DeviceVector;
using formats::Width;
using runtime::Buffer;

namespace {

constexpr uint64_t half_band = 16;

bool emulated() { return runtime::device().properties().kind == runtime::Kind::emulated; }
uint64_t rows_here() {
  if (!emulated()) return (uint64_t(1) << 26) + 5;
  return test::races_only() ? 1100 : 2500;  // several blocks of every kernel
}
uint64_t first_column(uint64_t row) { return row < half_band ? 0 : row - half_band; }
uint64_t end_column(uint64_t row, uint64_t rows) { return std::min(rows, row + half_band + 1); }

Csr ones(uint64_t rows, const std::vector<uint64_t>& offsets, const std::vector<uint32_t>& columns) {
  const int64_t one = 1;
  Csr csr({Type::of(TypeCode::Int64), rows, rows, offsets[rows], Width::bits32, true}, Width::bits64);
  csr.offsets = Buffer::from_host(offsets.data(), offsets.size() * sizeof(uint64_t));
  csr.column_indices = Buffer::from_host(columns.data(), columns.size() * sizeof(uint32_t));
  csr.values = Buffer::from_host(&one, sizeof one);
  return csr;
}

/// A(i, j) = 1 where |i - j| <= half_band.
Csr band(uint64_t rows) {
  std::vector<uint64_t> offsets(rows + 1, 0);
  for (uint64_t i = 0; i < rows; ++i) offsets[i + 1] = offsets[i] + end_column(i, rows) - first_column(i);
  std::vector<uint32_t> columns(offsets[rows]);
  for (uint64_t i = 0; i < rows; ++i) {
    std::iota(columns.begin() + int64_t(offsets[i]), columns.begin() + int64_t(offsets[i + 1]),
              uint32_t(first_column(i)));
  }
  return ones(rows, offsets, columns);
}

/// T by that kernel, and by no other where the device has room for what it reads.
DeviceVector multiply_by(const std::string& kernel, const Csr& csr, const DeviceVector& u) {
  const DeviceMatrix matrix = formats::matrix_by(csr, /*by_column=*/false);
  const Semiring semiring = catalogue::semiring("PLUS_SECOND_INT64").value();
  DeviceVector t = DeviceVector::empty(semiring.add.type(), csr.rows);
  const test::Forced forced(kernel);
  trace::keep_records(true);
  {
    const trace::Scope scope("GrB_mxv");
    operations::mxv({t, {}, std::nullopt, false}, {semiring, matrix, u});
    const std::string reason = trace::current().reason;
    INFO(reason);
    const bool no_room = !emulated() && reason.find("memory") != std::string::npos;
    CHECK((no_room || trace::current().kernel == kernel));
  }
  trace::keep_records(false);
  return t;
}

/// sums[i]: the first i elements'. T(i) of the band is then a difference of two.
std::vector<int64_t> prefix_sums(const std::vector<int64_t>& values) {
  std::vector<int64_t> sums(values.size() + 1, 0);
  std::partial_sum(values.begin(), values.end(), sums.begin() + 1);
  return sums;
}

/// The first row whose sum is not that of the operands in its band; rows when there is none.
uint64_t first_wrong(const DeviceVector& t, const std::vector<int64_t>& sums) {
  const uint64_t rows = sums.size() - 1;
  const std::vector<int64_t> found = expand_iso(to_full(t)).values.to_host<int64_t>(rows);
  for (uint64_t i = 0; i < rows; ++i) {
    if (found[i] != sums[end_column(i, rows)] - sums[first_column(i)]) return i;
  }
  return rows;
}

}  // namespace

TEST_CASE("every kernel reads offsets of 64 bits, on a GPU of more than 2^31 entries") {
  const uint64_t rows = rows_here();
  const Csr csr = band(rows);
  if (!emulated()) REQUIRE(csr.entries > uint64_t(1) << 31);
  std::vector<int64_t> operands(rows);
  for (uint64_t j = 0; j < rows; ++j) operands[j] = int64_t(j * 2654435761 % 1009);
  const std::vector<int64_t> sums = prefix_sums(operands);
  const DeviceVector u = test::full_vector(Type::of(TypeCode::Int64), operands);
  for (const operations::MxvKernel* kernel : operations::mxv_kernels()) {
    // cuSPARSE multiplies floats only; in a band's steps the same rows meet again and again (below); parts
    // are for several devices.
    if (kernel->name.rfind("mxv_cusparse", 0) == 0 || kernel == &operations::mxv_csb ||
        kernel == &operations::mxv_parts || kernel == &operations::vxm_parts)
      continue;
    INFO(kernel->name);
    const DeviceVector t = multiply_by(kernel->name, csr, u);
    REQUIRE(t.nvals() == rows);
    CHECK(first_wrong(t, sums) == rows);
  }
}

TEST_CASE("CSB reads offsets of 64 bits") {
  constexpr uint64_t each = 33;
  const uint64_t rows = emulated() ? 2500 : uint64_t(1) << 20, apart = rows / each;
  std::vector<uint64_t> offsets(rows + 1);
  std::vector<uint32_t> columns(rows * each);
  std::vector<int64_t> operands(rows), expected(rows, 0);
  for (uint64_t j = 0; j < rows; ++j) operands[j] = int64_t(j * 2654435761 % 1009);
  for (uint64_t i = 0; i < rows; ++i) {
    offsets[i + 1] = (i + 1) * each;
    for (uint64_t n = 0; n < each; ++n) columns[i * each + n] = uint32_t((i + n * apart) % rows);
    std::sort(columns.begin() + int64_t(i * each), columns.begin() + int64_t((i + 1) * each));
    for (uint64_t n = 0; n < each; ++n) expected[i] += operands[columns[i * each + n]];
  }
  const DeviceVector t = multiply_by("mxv_csb", ones(rows, offsets, columns),
                                     test::full_vector(Type::of(TypeCode::Int64), operands));
  CHECK(to_full(t).values.to_host<int64_t>(rows) == expected);
}

TEST_CASE("a symmetric matrix with offsets of 64 bits is its own transpose") {
  const Csr csr = band(rows_here());
  const Csr transpose = formats::transpose(csr);
  CHECK(transpose.entries == csr.entries);
  CHECK(transpose.offsets.to_host<uint64_t>(csr.rows + 1) == csr.offsets.to_host<uint64_t>(csr.rows + 1));
  CHECK(transpose.column_indices.to_host<uint32_t>(csr.entries) ==
        csr.column_indices.to_host<uint32_t>(csr.entries));
}
