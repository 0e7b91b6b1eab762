// The steps of two papers on small matrices, with every number worked out by hand. TPDS has its own in
// tests/selector/analytic_test.cpp, PVLDB in tests/formats/tile_rectangles_test.cpp, AMD in
// tests/formats/binned_csr_test.cpp.
#include "src/formats/dcsr.h"
#include "src/formats/element_kernels.h"
#include "src/operations/multiply/mxm/run.h"
#include "src/operations/template_id.h"
#include "tests/catch.h"
#include "tests/formats/format_cases.h"
#include "tests/operations/mxm_cases.h"

using namespace cugrb;
using formats::Csr;
using formats::Dcsr;
using formats::Width;
using runtime::Buffer;
using test::RefMatrix;

namespace {

struct Entry {
  uint64_t row, column;
  int64_t value;
};

RefMatrix matrix_of(uint64_t rows, uint64_t columns, const std::vector<Entry>& entries) {
  RefMatrix matrix{Type::of(TypeCode::Int64), rows, columns, {}};
  for (const Entry& e : entries)
    matrix.entries[{e.row, e.column}] = {
        matrix.type, std::string(reinterpret_cast<const char*>(&e.value), sizeof e.value)};
  return matrix;
}

RefMatrix product(const RefMatrix& a, const RefMatrix& b, const std::string& kernel) {
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_INT64");
  formats::DeviceMatrix c = test::to_device(RefMatrix{a.type, a.rows, b.columns, {}}, false, false);
  const test::Forced forced(kernel.c_str());
  const formats::DeviceMatrix left = test::to_device(a, false, false),
                              right = test::to_device(b, false, false);
  operations::mxm({c, {}, std::nullopt, false}, {s.semiring, left, right, false, false});
  return test::read_back(c);
}

/// lbGEMM's workload table: the workload of each k, and the order that the blocks take them in.
struct WorkloadTable {
  std::vector<uint64_t> workloads, order;
};

WorkloadTable workload_table(const RefMatrix& a, const RefMatrix& b) {
  const Csr columns = test::csr_to_device(test::transposed(a), false, false),
            rows = test::csr_to_device(b, false, false);
  const uint64_t inner = a.columns;
  const Buffer inverted(inner * 8), ordinals(inner * 8), sorted(inner * 8), table(inner * 8);
  MxmOuterArguments arguments;
  arguments.left_columns = columns.view();
  arguments.right = rows.view();
  arguments.inverted = inverted.as<uint64_t>();
  arguments.ordinals = ordinals.as<uint64_t>();
  formats::launch_blocks("mxm_outer.h",
                         operations::template_id("mxm_outer_workloads",
                                                 {operations::MatrixMatrixRun::pattern_id(columns, rows)}),
                         formats::blocks_for(inner), arguments);
  WorkloadTable made;
  for (const uint64_t key : inverted.to_host<uint64_t>(inner)) made.workloads.push_back(~key);
  primitives::sort_pairs(Width::bits64, inverted.data(), sorted.data(), ordinals.as<uint64_t>(),
                         table.as<uint64_t>(), inner);
  made.order = table.to_host<uint64_t>(inner);
  return made;
}

/// The segments of DCSR's table, (begin, end) of each row's segment `slot`: section 3.1's (2 i + k pitch).
std::vector<uint32_t> segments(const Dcsr& matrix, uint64_t slot) {
  const auto table = matrix.segments.to_host<uint32_t>(matrix.slots * matrix.pitch);
  const auto begin = table.begin() + ptrdiff_t(slot * matrix.pitch);
  return {begin, begin + ptrdiff_t(2 * matrix.rows)};
}

}  // namespace

// Column k of A has 2, 1, 3 entries, row k of B 3, 2, 1. With n threads in every block, Eq. 4 gives 6/n, 2/n
// and 3/n.
TEST_CASE("lbGEMM, Eq. 3 and 4: three outer products, the heaviest first") {
  const RefMatrix a = matrix_of(4, 3, {{0, 0, 1}, {2, 0, 4}, {1, 1, 3}, {0, 2, 2}, {2, 2, 5}, {3, 2, 6}});
  const RefMatrix b = matrix_of(3, 4, {{0, 0, 1}, {0, 1, 2}, {0, 3, 3}, {1, 0, 4}, {1, 2, 5}, {2, 1, 7}});
  const WorkloadTable table = workload_table(a, b);
  CHECK(table.workloads == std::vector<uint64_t>{6, 2, 3});
  CHECK(table.order == std::vector<uint64_t>{0, 2, 1});
  // (1 4)' (1 2 . 3) on rows 0 and 2, 3 (4 . 5) on row 1, (2 5 6)' 7 on rows 0, 2 and 3 of column 1.
  const RefMatrix t = matrix_of(4, 4,
                                {{0, 0, 1},
                                 {0, 1, 2 + 14},
                                 {0, 3, 3},
                                 {1, 0, 12},
                                 {1, 2, 15},
                                 {2, 0, 4},
                                 {2, 1, 8 + 35},
                                 {2, 3, 12},
                                 {3, 1, 42}});
  for (const char* kernel : {"mxm_outer", "mxm_outer_staged"}) {
    INFO(kernel);
    CHECK(test::same(product(a, b, kernel), t));
  }
}

// Section 4.2 leaves pairs of an empty column or row out of the table; here they are its last.
TEST_CASE("lbGEMM, Eq. 4: pairs without a product come last") {
  const RefMatrix a = matrix_of(2, 4, {{0, 1, 2}, {0, 3, 1}, {1, 3, -1}});
  const RefMatrix b = matrix_of(4, 2, {{0, 0, 5}, {3, 0, 3}, {3, 1, 4}});
  const WorkloadTable table = workload_table(a, b);
  CHECK(table.workloads == std::vector<uint64_t>{0 * 1, 1 * 0, 0 * 0, 2 * 2});
  CHECK(table.order == std::vector<uint64_t>{3, 0, 1, 2});
  const RefMatrix t = matrix_of(2, 2, {{0, 0, 3}, {0, 1, 4}, {1, 0, -3}, {1, 1, -4}});
  for (const char* kernel : {"mxm_outer", "mxm_outer_staged"}) {
    INFO(kernel);
    CHECK(test::same(product(a, b, kernel), t));
  }
}

// Rows of 2, 2, 0 and 1 entries: offsets 0 2 4 4 5. "The i-th element is copied to indices 2 i - 1 and 2 i
// for all elements except the first and last one", and sizes are the differences.
TEST_CASE("DCSR, section 3.1: from CSR without slack") {
  const RefMatrix matrix = matrix_of(4, 3, {{0, 0, 1}, {0, 2, 2}, {1, 1, 3}, {1, 2, 4}, {3, 0, 5}});
  const Dcsr dcsr = make_dcsr(test::csr_to_device(matrix, false, false));
  CHECK(dcsr.pitch >= 2 * 4);
  CHECK(segments(dcsr, 0) == std::vector<uint32_t>{0, 2, 2, 4, 4, 4, 4, 5});
  CHECK(dcsr.sizes.to_host<uint32_t>(4) == std::vector<uint32_t>{2, 2, 0, 1});
  CHECK(dcsr.used == 5);
}

// Rows of 3, 0, 5 and 2 entries, alpha = 2: segments of 5, 2, 7 and 4 places. Defragmentation is the prefix
// sum of the sizes, 0 3 3 8 10.
TEST_CASE("DCSR, section 3.1: slack behind each row, and defragmentation by a prefix sum of sizes") {
  const RefMatrix matrix = matrix_of(4, 5,
                                     {{0, 0, 1},
                                      {0, 2, 2},
                                      {0, 4, 3},
                                      {2, 0, 4},
                                      {2, 1, 5},
                                      {2, 2, 6},
                                      {2, 3, 7},
                                      {2, 4, 8},
                                      {3, 1, 9},
                                      {3, 3, 10}});
  const Dcsr dcsr = make_dcsr(test::csr_to_device(matrix, false, false), {4, 1, 2});
  CHECK(segments(dcsr, 0) == std::vector<uint32_t>{0, 5, 5, 7, 7, 14, 14, 18});
  CHECK(dcsr.sizes.to_host<uint32_t>(4) == std::vector<uint32_t>{3, 0, 5, 2});
  CHECK(dcsr.used == 18);  // the memory allocation pointer
  const Csr compact = to_csr(dcsr);
  CHECK(compact.offsets.to_host<uint32_t>(5) == std::vector<uint32_t>{0, 3, 3, 8, 10});
  CHECK(compact.column_indices.to_host<uint32_t>(10) == std::vector<uint32_t>{0, 2, 4, 0, 1, 2, 3, 4, 1, 3});
  CHECK(compact.values.to_host<int64_t>(10) == std::vector<int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
}

// Rows of A meet 3 + 1, 2 and 3 + 1 entries of B (the sum of BRS_j of section 3.2); the products are summed
// in each row by itself.
TEST_CASE("DCSR, section 3.2: the product of two small matrices, its rows written as they are done") {
  const RefMatrix a = matrix_of(3, 3, {{0, 0, 1}, {0, 2, 2}, {1, 1, 3}, {2, 0, 4}, {2, 2, 5}});
  const RefMatrix b = matrix_of(3, 4, {{0, 0, 1}, {0, 1, 2}, {0, 3, 3}, {1, 0, 4}, {1, 2, 5}, {2, 1, 7}});
  const RefMatrix t = matrix_of(
      3, 4,
      {{0, 0, 1}, {0, 1, 2 + 14}, {0, 3, 3}, {1, 0, 12}, {1, 2, 15}, {2, 0, 4}, {2, 1, 8 + 35}, {2, 3, 12}});
  CHECK(test::same(product(a, b, "mxm_dcsr"), t));
}
