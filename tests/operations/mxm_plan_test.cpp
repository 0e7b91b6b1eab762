// How products are cut: slices and blocks cover everything once, and what is in one fits the memory that was
// planned with.
#include "src/operations/multiply/mxm/plan.h"

#include "tests/catch.h"

using namespace cugrb;
using operations::ProductPlan;
using operations::ProductSizes;

namespace {

ProductSizes sizes_of(uint64_t rows, uint64_t inner) {
  ProductSizes sizes;
  for (uint64_t r = 0; r < rows; ++r) {
    sizes.left_lengths.push_back(r % 7);
    sizes.products.push_back(r % 7 * 10);
  }
  for (uint64_t k = 0; k < inner; ++k) sizes.right_lengths.push_back(k % 5);
  sizes.columns = 1000;
  sizes.left_bytes = sizes.right_bytes = sizes.result_bytes = 8;
  return sizes;
}

bool ascend_to(const std::vector<uint64_t>& ends, uint64_t last) {
  for (size_t n = 1; n < ends.size(); ++n) {
    if (ends[n] <= ends[n - 1]) return false;
  }
  return !ends.empty() && ends.front() > 0 && ends.back() == last;
}

}  // namespace

TEST_CASE("plans of products: much memory makes one slice and one block, next to none one element each") {
  const ProductSizes sizes = sizes_of(300, 200);
  const ProductPlan whole = operations::plan_product(sizes, uint64_t(1) << 30);
  CHECK(whole.row_ends == std::vector<uint64_t>{300});
  CHECK(whole.inner_ends == std::vector<uint64_t>{200});
  const ProductPlan single = operations::plan_product(sizes, 1);
  CHECK(single.row_ends.size() == 300);
  CHECK(single.inner_ends.size() == 200);
}

TEST_CASE("plans of products: two blocks, two slices and what they are made of fit the memory") {
  ProductSizes sizes = sizes_of(3000, 2000);
  for (const uint64_t bytes : {uint64_t(20000), uint64_t(60000), uint64_t(200000)}) {
    INFO(bytes << " bytes");
    const ProductPlan plan = operations::plan_product(sizes, bytes);
    REQUIRE(ascend_to(plan.row_ends, 3000));
    REQUIRE(ascend_to(plan.inner_ends, 2000));
    uint64_t largest_block = 0, largest_slice = 0, begin = 0;
    for (const uint64_t end : plan.inner_ends) {
      uint64_t block = 0;
      for (uint64_t k = begin; k < end; ++k) block += sizes.right_lengths[k] * sizes.right_bytes;
      largest_block = std::max(largest_block, block);
      begin = end;
    }
    begin = 0;
    for (const uint64_t end : plan.row_ends) {
      uint64_t slice = 0;
      for (uint64_t r = begin; r < end; ++r) {
        slice += sizes.left_lengths[r] * sizes.left_bytes +
                 uint64_t(operations::expected_row_entries(sizes, r)) * sizes.result_bytes;
      }
      largest_slice = std::max(largest_slice, slice);
      begin = end;
    }
    const uint64_t blocks = plan.inner_ends.size() == 1 ? largest_block : 2 * largest_block;
    CHECK(blocks + 2 * largest_slice <= bytes);
  }
}

TEST_CASE("plans of products: merging partial products makes slices smaller, a mask larger") {
  ProductSizes sizes = sizes_of(3000, 2000);
  const size_t plain = operations::plan_product(sizes, 200000).row_ends.size();
  sizes.joins = true;
  const size_t joined = operations::plan_product(sizes, 200000).row_ends.size();
  CHECK(joined > plain);
  sizes.mask_lengths.assign(3000, 1);
  CHECK(operations::plan_product(sizes, 200000).row_ends.size() < joined);
}

TEST_CASE("a row's expected entries: its products while they are few, never more than columns or mask") {
  ProductSizes sizes = sizes_of(3, 1);
  sizes.products = {10, 100000, 500};
  CHECK(operations::expected_row_entries(sizes, 0) == Approx(10).epsilon(0.01));
  CHECK(operations::expected_row_entries(sizes, 1) == Approx(1000));
  CHECK(operations::expected_row_entries(sizes, 2) == Approx(393.5).epsilon(0.001));
  sizes.mask_lengths = {4, 4, 4};
  CHECK(operations::expected_row_entries(sizes, 1) == 4);
}
