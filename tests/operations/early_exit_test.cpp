// Sums end early at a terminal value. With a right monoid nobody can see that but by the clock, so these
// monoids lie about their terminal: combining goes on to change a "terminal" value, and the result tells how
// many terms were taken.
#include <algorithm>

#include "semirings/table.h"
#include "tests/catch.h"
#include "tests/operations/mxv_cases.h"

using namespace cugrb;
using formats::DeviceVector;

namespace {

constexpr int32_t enough = 4;  // as many terms as a thread takes at once

/// Counts ones, and claims that 4 is final.
Monoid counts_to_enough() {
  const Type& int32 = Type::of(TypeCode::Int32);
  const BinaryOp add = catalogue::user_binary_op(
      "count_on", "void count_on (int32_t *z, const int32_t *x, const int32_t *y) { *z = *x + *y ; }", int32,
      int32, int32);
  return catalogue::make_monoid(add, table::value_of(int32, int32_t(0)), table::value_of(int32, enough));
}

/// The parity of a number of trues, claiming that true is final.
Monoid parity_until_true() {
  const Type& boolean = Type::of(TypeCode::Bool);
  const BinaryOp differ = catalogue::user_binary_op(
      "differ", "void differ (bool *z, const bool *x, const bool *y) { *z = *x != *y ; }", boolean, boolean,
      boolean);
  return catalogue::make_monoid(differ, table::value_of(boolean, false), table::value_of(boolean, true));
}

struct Kernel {
  const char* name;
  uint64_t lanes;
};
const Kernel kernels[] = {{"mxv_row_thread", 1}, {"mxv_row_4", 4}, {"mxv_row_8", 8}, {"mxv_row_warp", 32}};

/// The number of terms of every row, or its parity, by a kernel.
template <class T>
std::vector<T> row_sums(const Monoid& add, const char* kernel, const std::vector<uint64_t>& lengths) {
  const Type& type = add.type();
  const Semiring semiring = catalogue::make_semiring(add, *catalogue::binary_op("PAIR_" + type.suffix()));
  const uint64_t columns = *std::max_element(lengths.begin(), lengths.end());
  test::Random random(1);
  const formats::DeviceMatrix matrix =
      test::to_device(test::matrix_of_lengths(random, type, lengths, columns), false, false);
  const DeviceVector u =
      test::to_device(test::random_vector(random, type, columns, 1, false), Form::full, false);
  DeviceVector w = DeviceVector::empty(type, lengths.size());
  const test::Forced forced(kernel);
  operations::mxv({w, {}, std::nullopt, false}, {semiring, matrix, u, false, false});
  std::vector<T> sums;
  const test::RefVector found = test::from_device(w);
  for (const auto& [i, value] : found.entries)
    sums.push_back(*reinterpret_cast<const T*>(value.bytes.data()));
  return sums;
}

}  // namespace

TEST_CASE("a row's sum ends at a terminal value, by lanes and by a block") {
  const std::vector<uint64_t> lengths = {12, 3, 100, 500, 1};
  for (const Kernel& kernel : kernels) {
    INFO(kernel.name);
    std::vector<int32_t> expected;
    for (const uint64_t length : lengths)
      expected.push_back(int32_t(std::min(length, enough * kernel.lanes)));
    CHECK(row_sums<int32_t>(counts_to_enough(), kernel.name, lengths) == expected);
  }
  CHECK(row_sums<int32_t>(counts_to_enough(), "mxv_row_block", {3000, 5}) ==
        std::vector<int32_t>{enough * 256, 5});
  // Longer than the longest short row: a block has it in every kernel of rows.
  CHECK(row_sums<int32_t>(counts_to_enough(), "mxv_row_thread", {3000, 5}) ==
        std::vector<int32_t>{enough * 256, enough});
}

TEST_CASE("a row's sum of booleans may end after the first term of each lane") {
  const std::vector<uint64_t> lengths = {2, 3, 7, 40, 900};
  for (const Kernel& kernel : kernels) {
    INFO(kernel.name);
    std::vector<char> expected;
    for (const uint64_t length : lengths) expected.push_back(char(std::min(length, kernel.lanes) % 2));
    CHECK(row_sums<char>(parity_until_true(), kernel.name, lengths) == expected);
  }
}

TEST_CASE("a thread's share of a reduction ends at a terminal value") {
  const Monoid add = counts_to_enough();
  test::RefVector ones{add.type(), 4096, {}};
  for (uint64_t i = 0; i < ones.length; ++i) ones.entries[i] = table::value_of(add.type(), int32_t(1));
  for (const Form form : {Form::full, Form::bitmap}) {
    const auto sum = operations::reduce(add, test::to_device(ones, form, false));
    REQUIRE(sum.has_value());
    CHECK(test::same_value(*sum, table::value_of(add.type(), enough * 256)));
  }
}
