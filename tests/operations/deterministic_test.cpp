// CUGRB_DETERMINISTIC=1: sums of floating-point numbers have the same bits in every run, by every kernel. On
// a GPU runs repeat as they are; on the emulated device, where a run repeats itself, they go through blocks
// and threads in different orders (CUGRB_EMULATED_SCHEDULE), a process each.
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <random>
#include <sstream>

#include "src/operations/matrix_operations.h"
#include "src/operations/multiply/registry.h"
#include "src/support/settings.h"
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

bool emulated() { return runtime::device().properties().kind == runtime::Kind::emulated; }

/// Values whose sum depends on the order of its terms.
std::vector<float> rough_values(uint64_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = std::ldexp(float(int(random() % 2001) - 1000), int(random() % 24));
  return values;
}

/// Row i holds about `rows` / (i + 2) entries, every fourth row none; the first is longer than any block's
/// share.
Csr power_law(uint64_t rows) {
  std::mt19937_64 random(5);
  std::vector<uint64_t> offsets(rows + 1, 0);
  std::vector<uint32_t> columns;
  for (uint64_t i = 0; i < rows; ++i) {
    const uint64_t gap = i % 4 == 3 ? rows + 1 : std::min<uint64_t>(rows, (i + 2) / 2);
    for (uint64_t j = gap > rows ? rows : random() % gap; j < rows; j += gap) columns.push_back(uint32_t(j));
    offsets[i + 1] = columns.size();
  }
  const std::vector<float> values = rough_values(columns.size(), 6);
  Csr csr({Type::of(TypeCode::Fp32), rows, rows, columns.size(), Width::bits32, false}, Width::bits64);
  csr.offsets = Buffer::from_host(offsets.data(), offsets.size() * sizeof(uint64_t));
  csr.column_indices = Buffer::from_host(columns.data(), columns.size() * sizeof(uint32_t));
  csr.values = Buffer::from_host(values.data(), values.size() * sizeof(float));
  return csr;
}

/// FNV-1a.
uint64_t digest(const std::vector<char>& bytes, uint64_t hash = 14695981039346656037u) {
  for (const char byte : bytes) hash = (hash ^ uint8_t(byte)) * 1099511628211u;
  return hash;
}

uint64_t vector_digest(const Csr& csr, const DeviceVector& u, const std::string& kernel) {
  const Semiring semiring = catalogue::semiring("PLUS_TIMES_FP32").value();
  const DeviceMatrix matrix = formats::matrix_by(csr, /*by_column=*/false);  // its formats are made anew
  DeviceVector t = DeviceVector::empty(semiring.add.type(), csr.rows);
  const test::Forced forced(kernel);
  operations::mxv({t, {}, std::nullopt, false}, {semiring, matrix, u});
  const DeviceVector sparse = expand_iso(to_sparse(t));
  return digest(sparse.values.to_host<char>(sparse.nvals() * sizeof(float)));
}

uint64_t matrix_digest(const Csr& csr, const std::string& kernel) {
  const Semiring semiring = catalogue::semiring("PLUS_TIMES_FP32").value();
  const DeviceMatrix matrix = formats::matrix_by(csr, /*by_column=*/false);
  Csr empty(csr);
  empty.entries = 0;
  empty.offsets = Buffer::zeroed(csr.offsets.bytes());
  DeviceMatrix c = formats::matrix_by(empty, /*by_column=*/false);
  const test::Forced forced(kernel);
  operations::mxm({c, {}, std::nullopt, false}, {semiring, matrix, matrix});
  const Csr& rows = c.by_rows(false);
  const uint64_t columns = digest(rows.column_indices.to_host<char>(rows.entries * sizeof(uint32_t)));
  return digest(rows.values.to_host<char>(rows.entries * sizeof(float)), columns);
}

/// A line for every kernel: its name and what it computed.
std::string all_digests() {
  const Settings before = settings();
  Settings deterministic = before;
  deterministic.deterministic = true;
  override_settings(deterministic);
  const Csr large = power_law(emulated() ? 900 : 60000), small = power_law(emulated() ? 60 : 3000);
  const std::vector<float> operands = rough_values(large.columns, 7);
  const DeviceVector u = test::full_vector(large.type, operands);
  std::ostringstream text;
  for (const operations::MxvKernel* kernel : operations::mxv_kernels())
    text << kernel->name << ' ' << vector_digest(large, u, kernel->name) << '\n';
  for (const operations::MxmKernel* kernel : operations::mxm_kernels())
    text << kernel->name << ' ' << matrix_digest(small, kernel->name) << '\n';
  override_settings(before);
  return text.str();
}

/// The digests of this program in another process under that schedule.
std::string digests_under(const std::string& schedule) {
  char program[4096] = {};
  if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) return "no program";
  const std::string command = "CUGRB_EMULATED_SCHEDULE=" + schedule + " '" + program + "' '[digests]'";
  FILE* pipe = popen(command.c_str(), "r");
  std::string output, lines;
  char part[4096];
  while (fgets(part, sizeof part, pipe) != nullptr) output += part;
  pclose(pipe);
  std::istringstream in(output);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("mx", 0) == 0 || line.rfind("vxm", 0) == 0) lines += line + '\n';
  }
  return lines;
}

}  // namespace

TEST_CASE("prints what every kernel computed", "[.digests]") { std::cout << all_digests() << std::flush; }

TEST_CASE("with CUGRB_DETERMINISTIC every kernel computes the same bits in every run") {
  const std::string first = all_digests();
  if (emulated()) {
    std::vector<const char*> schedules = {"reverse", "random:3", "random:4"};
    if (test::structures_only()) schedules.resize(1);
    for (const char* schedule : schedules) {
      INFO(schedule);
      CHECK(digests_under(schedule) == first);
    }
  } else {
    for (int run = 0; run < 5; ++run) CHECK(all_digests() == first);
  }
}
