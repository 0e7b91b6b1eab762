// The choice of a matrix-matrix kernel is a pure function of numbers: what it must choose in clear cases.
#include "src/selector/mxm_problem.h"

#include "src/operations/multiply/registry.h"
#include "tests/catch.h"
#include "tests/selector/candidates.h"

using namespace cugrb;
using selector::Candidate;
using selector::Decision;
using selector::Hardware;
using selector::MaskUse;
using selector::MxmProblem;

namespace {

void estimate(MxmProblem& p) {
  p.entries = selector::entries_by_means(p);
  p.weights = selector::weights_by_means(p);
}

/// A * A of a graph with n vertices, `degree` entries a row and so many products.
MxmProblem square(uint64_t n, double degree, double products) {
  MxmProblem p;
  p.operation = "mxm PLUS_TIMES_FP32";
  p.rows = p.inner = p.columns = n;
  p.left_entries = p.right_entries = uint64_t(double(n) * degree);
  p.products = products;
  estimate(p);
  p.value_bytes = 8;
  p.dot.refusal = "there is no mask";
  p.vectors.refusal = "many rows";
  return p;
}

}  // namespace

TEST_CASE("a product without a mask goes by rows; sorting is what remains when there are no atomics") {
  MxmProblem p = square(1 << 18, 8, 866e6);
  const Decision free = test::choose_mxm(p, Hardware(), "");
  CHECK(free.chosen.kernel->name == "mxm_rows");
  CHECK_FALSE(free.forced);
  CHECK(free.candidates.size() == operations::mxm_kernels().size());
  CHECK_FALSE(test::named(free, "mxm_dot").applicable);
  CHECK(test::named(free, "mxm_sort").predicted_seconds > 1.4 * free.chosen.predicted_seconds);
  p.rows_by_hash.refusal = "no atomic update";
  p.outer.refusal = "too many";
  CHECK(test::choose_mxm(p, Hardware(), "").chosen.kernel->name == "mxm_sort");
}

TEST_CASE("triangle counting goes by dot products, a mask of nearly everything does not") {
  MxmProblem p = square(1 << 20, 15, 4e9);
  p.dot.refusal = "";
  p.mask = MaskUse::selects;
  p.mask_entries = p.left_entries;
  p.dot_work = {0.24e9, 2.4e9, 5000};
  CHECK(test::choose_mxm(p, Hardware(), "").chosen.kernel->name == "mxm_dot");
  MxmProblem dense = square(1 << 14, 4, 260e3);
  dense.dot.refusal = "";
  dense.mask = MaskUse::selects;
  dense.mask_entries = uint64_t(1) << 27;
  dense.dot_work = {8.0 * double(dense.mask_entries), 0, 8};
  CHECK(test::choose_mxm(dense, Hardware(), "").chosen.kernel->name == "mxm_rows");
}

TEST_CASE("a diagonal factor is one launch") {
  MxmProblem p = square(1 << 20, 15, 15.7e6);
  CHECK_FALSE(test::named(test::choose_mxm(p, Hardware(), ""), "mxm_scale").applicable);
  p.scale.refusal = "";
  CHECK(test::choose_mxm(p, Hardware(), "").chosen.kernel->name == "mxm_scale");
}

TEST_CASE("a few frontiers of a large graph go one after the other, a few short rows do not") {
  MxmProblem p = square(1 << 20, 30, 4 * 20e6);
  p.rows = p.vector_rows = 4;
  p.left_entries = 4 * 200000;
  p.vector_right_entries = p.right_entries;
  p.vectors.refusal = "";
  CHECK(test::choose_mxm(p, Hardware(), "").chosen.kernel->name == "mxm_vectors");
  // Fewer products, but a block by itself takes 5 ms for them.
  p.products = 900e3;
  p.left_entries = 4 * 8000;
  estimate(p);
  CHECK(test::choose_mxm(p, Hardware(), "").chosen.kernel->name == "mxm_vectors");
  p.products = 4 * 500;
  p.left_entries = 4 * 20;
  estimate(p);
  CHECK(test::choose_mxm(p, Hardware(), "").chosen.kernel->name == "mxm_rows");
}

TEST_CASE("a transposition that is missing is charged") {
  MxmProblem p = square(1 << 16, 8, 5e6);
  const double before = test::choose_mxm(p, Hardware(), "mxm_rows").chosen.conversion_seconds;
  p.rows_by_hash.transposed_entries = p.right_entries;
  const Decision decision = test::choose_mxm(p, Hardware(), "mxm_rows");
  CHECK(before == 0);
  CHECK(decision.chosen.conversion_seconds > 0);
  CHECK(decision.chosen.format == "csr, transposed first");
}

TEST_CASE("a forced product kernel is taken, a refused one is not and the reason says why") {
  const MxmProblem p = square(1000, 5, 30000);
  const Decision taken = test::choose_mxm(p, Hardware(), "mxm_outer");
  CHECK(taken.forced);
  CHECK(taken.chosen.kernel->name == "mxm_outer");
  const Decision refused = test::choose_mxm(p, Hardware(), "mxm_dot");
  CHECK_FALSE(refused.forced);
  CHECK(refused.chosen.reason == "CUGRB_FORCE=mxm_dot is not applicable: there is no mask");
  CHECK_FALSE(test::choose_mxm(p, Hardware(), "mxv_merge").forced);
  for (const operations::MxmKernel* kernel : operations::mxm_kernels())
    CHECK(operations::find_kernel(kernel->name) == kernel);
  CHECK(operations::find_kernel("mxm") == nullptr);
}

TEST_CASE("entries by the mean row: few products all stay, many fill the row") {
  const auto entries = [](const MxmProblem& p) { return selector::entries_by_means(p).all; };
  CHECK(entries(square(1 << 20, 8, 64e6)) == Approx(64e6).epsilon(0.01));
  CHECK(entries(square(100, 90, 1e6)) == Approx(1e4).epsilon(0.01));
  CHECK(entries(square(1000, 10, 1e6)) == Approx(1e6 * 0.632).epsilon(0.01));
  CHECK(entries(MxmProblem{}) == 0);
}

TEST_CASE("entries where a few rows were drawn: as products meet there, never more than by the mean row") {
  MxmProblem p = square(1 << 20, 8, 64e6);
  const double by_means = selector::entries_by_means(p).all;
  CHECK(selector::uncounted_entries(p).all == by_means);
  p.met = 1.00001;
  CHECK(selector::uncounted_entries(p).all <= by_means);
  p.met = 4;
  CHECK(selector::uncounted_entries(p).all == Approx(16e6));
  CHECK(selector::uncounted_entries(p).kept == Approx(16e6));
  CHECK(selector::to_text(selector::uncounted_entries(p)) == "about 1.6e+07 entries (by a few rows)");
  p.mask = MaskUse::selects;
  p.mask_entries = 1000000;
  CHECK(selector::uncounted_entries(p).kept == Approx(250e3).epsilon(0.001));
}

TEST_CASE("a few dot products of hub rows take as long as their longest chain of loads") {
  MxmProblem p = square(1 << 20, 30, 300e3);
  p.dot.refusal = "";
  p.mask = MaskUse::selects;
  p.mask_entries = 1;
  p.dot_work = {0, 60e3, 5000};
  p.entries = selector::entries_by_means(p);
  const Decision decision = test::choose_mxm(p, Hardware(), "");
  CHECK(test::named(decision, "mxm_dot").predicted_seconds > 5000 * Hardware().latency_seconds);
  CHECK(decision.chosen.kernel->name == "mxm_rows");
}

TEST_CASE("predictions are within 30 % of what an H200 measured") {
  struct Measured {
    const char* kernel;
    uint64_t n, entries;
    double products, result, kept, seconds;
    MaskUse mask;
    selector::RowWeights weights = {};
  };
  // Products, entries and weights counted. mxm_rows and mxm_cusparse: bench/results/spgemm.json; the others:
  // docs/notebook/2026-11-21-mxm-*.md.
  const selector::RowWeights rmat = {11.15e6, 388e6, 21412, 651915}, uniform = {191.2e6, 0, 0, 0},
                             grid = {181.2e6, 0, 0, 0};
  const Measured all[] = {
      {"mxm_rows",
       65536,
       494616,
       121.6e6,
       66.65e6,
       66.65e6,
       1.51e-3,
       MaskUse::none,
       {11.6e6, 108.9e6, 10716, 280054}},
      {"mxm_rows",
       262144,
       2017248,
       863e6,
       494.4e6,
       494.4e6,
       12.0e-3,
       MaskUse::none,
       {39.8e6, 820.6e6, 48889, 1070011}},
      {"mxm_rows", 1048576, 8388573, 67.1e6, 67.1e6, 67.1e6, 1.43e-3, MaskUse::none, {0, 0, 0, 0, 0, 53.6e6}},
      {"mxm_rows",
       1048576,
       5238784,
       26.2e6,
       13.6e6,
       13.6e6,
       0.259e-3,
       MaskUse::none,
       {0, 0, 0, 0, 0, 26.2e6}},
      {"mxm_rows",
       1048576,
       9424900,
       84.75e6,
       26.15e6,
       26.15e6,
       0.676e-3,
       MaskUse::none,
       {0, 0, 0, 0, 0, 84.7e6}},
      {"mxm_rows", 262144, 6859000, 181.3e6, 30.96e6, 30.96e6, 2.33e-3, MaskUse::none, grid},
      {"mxm_rows",
       82000,
       947964,
       10.77e6,
       9.95e6,
       9.95e6,
       0.365e-3,
       MaskUse::none,
       {4.35e6, 2.86e6, 635, 15388, 0.57e6}},
      {"mxm_rows",
       1100000,
       4899545,
       19.64e6,
       18.2e6,
       18.2e6,
       1.38e-3,
       MaskUse::none,
       {4.78e6, 6.42e6, 950, 68870, 4.0e6}},
      {"mxm_rows", 65536, 956180, 400e6, 163e6, 0.8e6, 4.98e-3, MaskUse::selects, rmat},
      {"mxm_rows", 1048576, 16777084, 285e6, 269.4e6, 0, 5.55e-3, MaskUse::selects, uniform},
      {"mxm_rows", 262144, 6859000, 181.3e6, 30.96e6, 6.86e6, 3.36e-3, MaskUse::selects, grid},
      {"mxm_rows", 65536, 956180, 400e6, 163e6, 162e6, 5.62e-3, MaskUse::excludes, rmat},
      {"mxm_rows", 262144, 6859000, 181.3e6, 30.96e6, 24.1e6, 3.38e-3, MaskUse::excludes, grid},
      {"mxm_cusparse",
       65536,
       494616,
       121.6e6,
       66.65e6,
       66.65e6,
       10.05e-3,
       MaskUse::none,
       {11.6e6, 108.9e6, 10716, 280054}},
      {"mxm_cusparse", 1048576, 8388573, 67.1e6, 67.1e6, 67.1e6, 3.40e-3, MaskUse::none},
      {"mxm_cusparse", 1048576, 16777084, 285e6, 269.4e6, 269.4e6, 38.1e-3, MaskUse::none, uniform},
      {"mxm_cusparse", 1048576, 5238784, 26.2e6, 13.6e6, 13.6e6, 1.00e-3, MaskUse::none},
      {"mxm_cusparse",
       82000,
       947964,
       10.77e6,
       9.95e6,
       9.95e6,
       1.466e-3,
       MaskUse::none,
       {4.35e6, 2.86e6, 635, 15388}},
      {"mxm_cusparse",
       1100000,
       4899545,
       19.64e6,
       18.2e6,
       18.2e6,
       2.24e-3,
       MaskUse::none,
       {4.78e6, 6.42e6, 950, 68870}},
      {"mxm_sort", 65536, 956180, 400e6, 163e6, 163e6, 37.4e-3, MaskUse::none},
      {"mxm_sort", 262144, 3939926, 2.93e9, 1.277e9, 1.277e9, 289.9e-3, MaskUse::none},
      {"mxm_sort", 1048576, 16777084, 285e6, 269.4e6, 269.4e6, 44.0e-3, MaskUse::none},
      {"mxm_sort", 1048576, 5238784, 26.2e6, 13.6e6, 13.6e6, 5.69e-3, MaskUse::none},
      {"mxm_sort", 262144, 6859000, 181e6, 30.96e6, 30.96e6, 18.1e-3, MaskUse::none},
      {"mxm_outer", 65536, 956180, 400e6, 163e6, 163e6, 31.2e-3, MaskUse::none},
      {"mxm_outer", 1048576, 16777084, 285e6, 269.4e6, 269.4e6, 36.6e-3, MaskUse::none},
      {"mxm_outer", 1048576, 5238784, 26.2e6, 13.6e6, 13.6e6, 7.32e-3, MaskUse::none},
      {"mxm_outer", 262144, 6859000, 181e6, 30.96e6, 30.96e6, 14.3e-3, MaskUse::none},
  };
  for (const Measured& m : all) {
    MxmProblem p = square(m.n, double(m.entries) / double(m.n), m.products);
    p.entries.all = m.result;
    p.entries.kept = m.kept;
    p.mask = m.mask;
    p.mask_entries = m.mask == MaskUse::selects ? m.entries : 0;
    p.weights = m.weights;
    p.cusparse.refusal = "";
    const double predicted = test::named(test::choose_mxm(p, Hardware(), ""), m.kernel).predicted_seconds;
    UNSCOPED_INFO(m.kernel << ": " << m.n << " rows, " << m.products << " products, " << predicted * 1e3
                           << " ms for " << m.seconds * 1e3);
    CHECK(predicted / m.seconds == Approx(1).margin(0.3));
  }
}

TEST_CASE(
    "cuSPARSE is a reference: listed with its cost, taken where it is forced, has room, and nowhere else") {
  // Rows of some thousand products in so many columns: mxm_rows goes through 64 windows for each. (No
  // measured product is as wide: cuSPARSE is the fastest kernel in none of bench/results/spgemm.json.)
  MxmProblem p = square(1 << 24, 1.2, 24e6);
  p.entries.all = p.entries.kept = 23e6;
  p.weights = {0, 20e6, 6000, 5000};
  CHECK(test::choose_mxm(p, Hardware(), "").chosen.kernel->name == "mxm_sort");
  CHECK_FALSE(test::named(test::choose_mxm(p, Hardware(), ""), "mxm_cusparse").applicable);
  p.cusparse.refusal = "";
  const Decision free = test::choose_mxm(p, Hardware(), "");
  CHECK(free.chosen.kernel->name == "mxm_sort");
  const Candidate& listed = test::named(free, "mxm_cusparse");
  CHECK(listed.applicable);
  CHECK(listed.predicted_seconds < free.chosen.predicted_seconds);
  CHECK(listed.conversion_seconds == 0);
  CHECK(listed.workspace_bytes > 24 * p.products);
  const Decision product = operations::choose_mxm(p, Hardware(), nullptr);
  size_t references = 0;
  for (const operations::MxmKernel* kernel : operations::mxm_kernels())
    references += kernel->role == operations::Role::reference ? 1 : 0;
  for (const Candidate& c : product.candidates) CHECK(c.kernel->role == operations::Role::candidate);
  CHECK(product.candidates.size() == free.candidates.size() - references);
  CHECK(product.chosen.kernel == free.chosen.kernel);
  const Decision forced = operations::choose_mxm(p, Hardware(), &operations::mxm_cusparse);
  CHECK(forced.chosen.kernel == &operations::mxm_cusparse);
  CHECK(forced.forced);
  p.cusparse_open = false;
  CHECK(test::choose_mxm(p, Hardware(), "mxm_cusparse").chosen.conversion_seconds > 0.01);
  p.usable_bytes = 500e6;
  const Decision small = test::choose_mxm(p, Hardware(), "mxm_cusparse");
  CHECK(small.chosen.kernel->name == "mxm_sort");
  CHECK(small.chosen.reason.find("CUGRB_FORCE=mxm_cusparse is not applicable: workspace and result of") == 0);
  // Heavy rows that fill the device: 1.5 ms by rows, 10 by cuSPARSE.
  MxmProblem heavy = square(65536, 7.55, 121.6e6);
  heavy.entries.all = heavy.entries.kept = 66.65e6;
  heavy.weights = {11.6e6, 108.9e6, 10716, 280054};
  heavy.cusparse.refusal = "";
  const Decision by_rows = test::choose_mxm(heavy, Hardware(), "");
  CHECK(by_rows.chosen.kernel->name == "mxm_rows");
  CHECK(test::named(by_rows, "mxm_cusparse").predicted_seconds > by_rows.chosen.predicted_seconds);
}

TEST_CASE("rows are counted where the choice hangs on it: a masked product by rows or by dots") {
  MxmProblem p = square(1 << 18, 16, 200e6);
  CHECK_FALSE(operations::depends_on_entries(p, Hardware(), nullptr));
  p.dot.refusal = "";
  p.mask = MaskUse::selects;
  p.mask_entries = p.left_entries;
  p.dot_work = {0, 0.5e9, 1000};
  CHECK(operations::depends_on_entries(p, Hardware(), nullptr));
  CHECK_FALSE(operations::depends_on_entries(p, Hardware(), &operations::mxm_dot));
  p.products /= 1e4;  // neither takes long
  p.weights = {};
  p.dot_work.streamed /= 1e4;
  CHECK_FALSE(operations::depends_on_entries(p, Hardware(), nullptr));
}

TEST_CASE("sparse times dense is charged a margin until it has been timed, and chosen where it still wins") {
  // LAGraph's betweenness on RMAT 20, a frontier that covers most of the graph from 4 sources.
  MxmProblem p = square(1 << 20, 30, 4 * 20e6);
  p.rows = p.vector_rows = 4;
  p.left_entries = p.vector_entries = 4 * 600000;
  p.vector_right_entries = p.right_entries;
  p.vector_value_bytes = p.result_bytes = 8;
  p.vectors.refusal = p.dense.refusal = p.dense_push.refusal = "";
  const Decision covered = test::choose_mxm(p, Hardware(), "");
  CHECK(covered.chosen.kernel->name == "mxm_dense");
  CHECK(test::named(covered, "mxm_dense_push").predicted_seconds > covered.chosen.predicted_seconds);
  CHECK(covered.chosen.predicted_seconds < test::named(covered, "mxm_vectors").predicted_seconds);
  // So few products that only laying out the places counts.
  p.products = 4 * 30000;
  p.left_entries = p.vector_entries = 4 * 1000;
  const Decision thin = test::choose_mxm(p, Hardware(), "");
  CHECK(test::named(thin, "mxm_dense_push").predicted_seconds <
        test::named(thin, "mxm_dense").predicted_seconds);
  p.dense.refusal = p.dense_push.refusal = "more than 64 rows";
  CHECK(test::choose_mxm(p, Hardware(), "mxm_dense").chosen.reason ==
        "CUGRB_FORCE=mxm_dense is not applicable: more than 64 rows");
}
