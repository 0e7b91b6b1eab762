// The blocked format holds what the CSR holds, whatever the matrix looks like, and its invariants hold.
#include "src/formats/blocked.h"

#include "tests/catch.h"
#include "tests/formats/format_cases.h"

using namespace cugrb;
using formats::Blocked;
using formats::BlockedParameters;
using formats::Csr;

namespace {

BlockedParameters parameters(uint32_t tile_columns, uint32_t sum_threads, uint32_t blocks) {
  BlockedParameters p;
  p.tile_columns = tile_columns;
  p.sum_threads = sum_threads;
  p.blocks = blocks;
  return p;
}

/// Every entry is there once, at its place.
void same(const Csr& csr, const Blocked& blocked) {
  CHECK(check(blocked) == "");
  CHECK(test::same(test::from_device(to_csr(blocked)), test::from_device(csr)));
}

}  // namespace

TEST_CASE("every shape, iso or not, by narrow and wide indices, comes back from tiles and bins of any size") {
  test::Random random(21);
  const Type& type = Type::of(TypeCode::Int32);
  for (const test::FormatShape& shape : test::format_shapes()) {
    for (const bool iso : {false, true}) {
      const auto matrix =
          test::random_matrix(random, type, shape.rows, shape.columns, shape.spread, shape.degree, iso);
      const Csr csr = test::csr_to_device(matrix, iso, !iso);
      same(csr, make_blocked(csr, parameters(16, 32, 3)));
      same(csr, make_blocked(csr, parameters(640, 64, 1)));
    }
  }
}

TEST_CASE("values of every size go to their places") {
  test::Random random(22);
  for (const size_t bytes : {1, 2, 3, 4, 6, 8, 12, 16}) {
    const Csr csr = test::csr_to_device(test::matrix_of_bytes(random, 60, 90, bytes), false, false);
    same(csr, make_blocked(csr, parameters(24, 32, 5)));
  }
}

TEST_CASE("rows that end where a run or a bin does, and rows over several bins") {
  test::Random random(23);
  for (const std::vector<uint64_t>& lengths : std::vector<std::vector<uint64_t>>{
           {32, 31, 1, 960, 1024, 1023, 2}, {1024, 1024, 5}, {3000, 0, 72, 1024, 0}, {0, 0, 1}, {5000}}) {
    const auto matrix = test::matrix_of_lengths(random, Type::of(TypeCode::Fp64), lengths, 5000);
    const Csr csr = test::csr_to_device(matrix, false, false);
    const Blocked blocked = make_blocked(csr, parameters(1000, 32, 4));
    CHECK(blocked.tiles == 5);
    CHECK(blocked.bins == (csr.entries + 1023) / 1024);
    same(csr, blocked);
  }
}

TEST_CASE("pieces take whole chunks, and no more") {
  test::Random random(24);
  const auto matrix =
      test::matrix_of_lengths(random, Type::of(TypeCode::Bool), {64, 64}, 64);  // two full rows
  const Csr csr = test::csr_to_device(matrix, true, false);
  const Blocked blocked = make_blocked(csr, parameters(20, 32, 2));
  // Tiles of 20, 20, 20 and 4 columns, one bin: 40, 40, 40 and 8 entries.
  CHECK(blocked.chunks() == 5 + 5 + 5 + 1);
  CHECK(blocked.most_products == 128);
  CHECK(blocked.filled_rows == 2);
  CHECK(blocked.most_rows == 2);
  CHECK(blocked.rows.bytes() == 0);  // every row has entries
}

TEST_CASE("what shared memory or 16-bit positions may not hold is refused") {
  CHECK(formats::blocked_refusal(parameters(57344, 768, 132), 1 << 24, 292, 4, 227 << 10) == "");
  CHECK(formats::blocked_refusal(parameters(57344, 768, 132), 1 << 24, 6000, 4, 227 << 10) != "");
  CHECK(formats::blocked_refusal(parameters(57344, 768, 132), 1 << 24, 6000, 1, 227 << 10) !=
        "");  // positions
  CHECK(formats::blocked_refusal(parameters(28672, 384, 132), 1000, 2000, 8, 227 << 10) == "");
}
