// What is known of a product before it is made: products and entries against a plain count, the steps of dot
// products against their lengths.
#include <algorithm>
#include <cmath>

#include "src/jit/jit.h"
#include "src/operations/multiply/mxm/estimate.h"
#include "src/operations/multiply/mxm/rows/rows.h"
#include "tests/catch.h"
#include "tests/operations/breadth.h"
#include "tests/operations/mxm_cases.h"

using namespace cugrb;
using operations::MxmOutlook;
using selector::MaskUse;
using selector::ResultEntries;
using test::MaskKind;
using test::RefMatrix;
using test::Spread;

namespace {

const Type& boolean = Type::of(TypeCode::Bool);

/// Products of A*B, entries of the result, and those that the mask allows.
struct Counted {
  double products = 0, entries = 0, kept = 0;
};
Counted count(const RefMatrix& a, const RefMatrix& b, const RefMatrix& mask, MaskKind kind) {
  std::vector<std::vector<uint64_t>> rows_of_b(b.rows);
  for (const auto& [place, value] : b.entries) rows_of_b[place.first].push_back(place.second);
  const test::RefVector flat = test::flattened(mask);
  const test::RefMask meant = test::ref_mask(kind, flat);
  Counted counted;
  std::vector<uint64_t> seen(b.columns, ~uint64_t(0));
  for (const auto& [place, value] : a.entries) {
    const uint64_t i = place.first;
    for (const uint64_t j : rows_of_b[place.second]) {
      counted.products += 1;
      if (seen[j] == i) continue;
      seen[j] = i;
      counted.entries += 1;
      counted.kept += meant.vector == nullptr || meant.allows(i * b.columns + j) ? 1 : 0;
    }
  }
  return counted;
}

MxmOutlook outlook(const RefMatrix& a, const RefMatrix& b, const RefMatrix& mask, MaskKind kind, bool wide) {
  const Semiring semiring = catalogue::semiring("ANY_PAIR_BOOL").value();
  const formats::DeviceMatrix left = test::to_device(a, false, true, wide),
                              right = test::to_device(b, false, true, wide),
                              allowed = test::to_device(mask, false, false, wide);
  const test::RefVector flat = test::flattened(mask);
  const test::RefMask meant = test::ref_mask(kind, flat);
  const operations::MatrixMask given{meant.vector == nullptr ? nullptr : &allowed, meant.structural,
                                     meant.complement};
  return operations::decide_mxm(given, {semiring, left, right, false, false}, selector::Hardware(), nullptr);
}

}  // namespace

TEST_CASE("a product whose rows are all counted is known exactly, under every mask") {
  size_t drawn = 0;
  for (const MaskKind kind : {MaskKind::none, MaskKind::structural, MaskKind::valued,
                              MaskKind::structural_complement, MaskKind::valued_complement}) {
    for (const bool wide : {false, true}) {
      drawn += 1;
      for (const Spread spread :
           {Spread::uniform, Spread::empty_rows, Spread::one_huge_row, Spread::power_law}) {
        if (test::structures_only() && size_t(spread) % 4 != drawn % 4) continue;
        test::Random random(uint64_t(spread) + 1);
        const RefMatrix a = test::random_matrix(random, boolean, 60, 80, spread, 6, true);
        const RefMatrix b = test::random_matrix(random, boolean, 80, 300, Spread::uniform, 8, true);
        const RefMatrix mask = test::random_matrix(random, boolean, 60, 300, Spread::uniform, 90, false);
        INFO(int(kind) << " " << wide << " " << int(spread));
        const Counted counted = count(a, b, mask, kind);
        const MxmOutlook found = outlook(a, b, mask, kind, wide);
        CHECK(found.problem.products_counted);
        CHECK(found.problem.products == counted.products);
        CHECK(found.problem.entries.source == ResultEntries::Source::sampled);
        CHECK(found.problem.entries.all == Approx(counted.entries));
        CHECK(found.problem.entries.kept == Approx(counted.kept));
      }
    }
  }
}

TEST_CASE("rows around the length from which on a whole block counts one: each row's products count once") {
  test::Random random(4);
  const std::vector<uint64_t> lengths = {512, 513, 511, 0, 700, 1};
  RefMatrix a{boolean, lengths.size(), 700, {}};
  for (uint64_t i = 0; i < lengths.size(); ++i)
    for (uint64_t k = 0; k < lengths[i]; ++k) a.entries[{i, k}] = test::make_value(boolean, 1);
  const RefMatrix b = test::random_matrix(random, boolean, 700, 50, Spread::uniform, 3, true);
  const RefMatrix none{boolean, lengths.size(), 50, {}};
  CHECK(outlook(a, b, none, MaskKind::none, false).problem.products ==
        count(a, b, none, MaskKind::none).products);
}

TEST_CASE("products of few rows of very many entries count once, too") {
  test::Random random(5);
  const uint64_t inner = 9000;
  RefMatrix a{boolean, 3, inner, {}};
  for (uint64_t k = 0; k < inner; ++k) {
    a.entries[{0, k}] = test::make_value(boolean, 1);
    if (k % 3 == 0) a.entries[{2, k}] = test::make_value(boolean, 1);
  }
  const RefMatrix b = test::random_matrix(random, boolean, inner, 50, Spread::uniform, 1, true);
  const RefMatrix none{boolean, 3, 50, {}};
  const selector::MxmProblem found = outlook(a, b, none, MaskKind::none, false).problem;
  const double first = double(b.entries.size());
  CHECK(found.products == count(a, b, none, MaskKind::none).products);
  CHECK(found.products > first);
  CHECK(found.weights.heaviest == first);
  CHECK(found.weights.heavy_rows == 2);
}

TEST_CASE("of a diagonal factor's product everything is known, and nothing is counted") {
  test::Random random(9);
  const RefMatrix a = test::random_matrix(random, boolean, 8, 300, Spread::uniform, 200, true);
  RefMatrix diagonal{boolean, 300, 300, {}};
  for (uint64_t i = 0; i < 300; ++i) diagonal.entries[{i, i}] = test::make_value(boolean, 1);
  const RefMatrix none{boolean, 8, 300, {}};
  const size_t requests = jit::requests_so_far().size();
  const MxmOutlook found = outlook(a, diagonal, none, MaskKind::none, false);
  CHECK(found.decision.chosen.kernel->name == "mxm_scale");
  CHECK(found.problem.products == double(a.entries.size()));
  CHECK(found.problem.entries.all == double(a.entries.size()));
  CHECK(found.decision.basis.find("of the factor that is scaled") != std::string::npos);
  const std::vector<jit::Request> made = jit::requests_so_far();
  for (size_t k = requests; k < made.size(); ++k)
    CHECK(made[k].name.find("mxm_row_products") == std::string::npos);
}

TEST_CASE("the weights of rows: products of medium and of heavy ones, and of the heaviest") {
  // Rows of B have 4 entries; rows of A so many that T's have 256, 260, 2048, 2052, 4000 and 2800 products.
  const std::vector<uint64_t> lengths = {64, 65, 512, 513, 0, 1000, 700, 1};
  RefMatrix a{boolean, 200, 1000, {}}, b{boolean, 1000, 60, {}};
  for (uint64_t i = 0; i < lengths.size(); ++i)  // in two blocks of the kernel
    for (uint64_t k = 0; k < lengths[i]; ++k)
      a.entries[{i < 4 ? i : 190 + i, k}] = test::make_value(boolean, 1);
  for (uint64_t k = 0; k < 1000; ++k)
    for (uint64_t j = 0; j < 4; ++j) b.entries[{k, (k + 13 * j) % 60}] = test::make_value(boolean, 1);
  const RefMatrix none{boolean, 200, 60, {}};
  const selector::MxmProblem found = outlook(a, b, none, MaskKind::none, false).problem;
  CHECK(found.products == 256 + 260 + 2048 + 2052 + 4000 + 2800 + 4);
  CHECK(found.weights.medium == 260 + 2048);
  CHECK(found.weights.heavy == 2052 + 4000 + 2800);
  CHECK(found.weights.heavy_rows == 3);
  CHECK(found.weights.heaviest == 4000);
  CHECK(outlook(b, a, {boolean, 1000, 1000, {}}, MaskKind::none, false).problem.weights.heavy_rows == 0);
}

TEST_CASE("drawn rows say how many products meet in an entry, whatever short and heavy rows do") {
  // Rows of B have 8 entries, each four of them the same; rows of A name them so that four products meet in
  // an entry, but short rows' 24 and heavy rows' 4000 products do not meet.
  constexpr uint64_t inner = 2000, each = 8;
  const uint64_t rows = std::max<uint64_t>(500, operations::few_products() / each / 30);
  RefMatrix a{boolean, rows, inner, {}};
  for (uint64_t i = 0; i < rows; ++i) {
    const bool is_heavy = i % (rows / 3) == 5, is_short = i % 2 == 1;
    const uint64_t length = is_heavy ? inner / 4 : is_short ? 3 : 40, stride = is_heavy || is_short ? 4 : 1;
    for (uint64_t n = 0; n < length; ++n)
      a.entries[{i, (i * 4 + n * stride) % inner}] = test::make_value(boolean, 1);
  }
  for (const uint64_t spread : {uint64_t(1), uint64_t(300)}) {  // a bit for each column, or by hash
    RefMatrix b{boolean, inner, inner / 4 * each * spread, {}};
    for (uint64_t k = 0; k < inner; ++k)
      for (uint64_t n = 0; n < each; ++n)
        b.entries[{k, (k / 4 * each + n) * spread}] = test::make_value(boolean, 1);
    const selector::MxmProblem found =
        outlook(a, b, {boolean, rows, b.columns, {}}, MaskKind::none, false).problem;
    CHECK(found.met == Approx(4).epsilon(spread == 1 ? 1e-12 : 0.02));
  }
  const RefMatrix one{boolean, 10, 10, {{{3, 7}, test::make_value(boolean, 1)}}};
  CHECK(outlook(one, one, {boolean, 10, 10, {}}, MaskKind::none, false).problem.met ==
        0);  // nothing hangs on it
}

TEST_CASE("a row is drawn by its left entries: mostly a long one, where every other one is short") {
  // Of 4 left entries, whose 64 products do not meet, and of 64, of whose 1024 eight meet in each entry.
  constexpr uint64_t inner = 512, each = 16;
  RefMatrix b{boolean, inner, inner * each, {}};
  for (uint64_t k = 0; k < inner; ++k)
    for (uint64_t n = 0; n < each; ++n) b.entries[{k, k / 8 * 8 * each + n}] = test::make_value(boolean, 1);
  const uint64_t least = operations::few_products() / each / 34;
  double sum = 0;
  const int matrices = test::races_only() ? 3 : 8;
  for (int m = 0; m < matrices; ++m) {
    RefMatrix a{boolean, least + uint64_t(m) * 10, inner, {}};
    for (uint64_t i = 0; i < a.rows; ++i) {
      const uint64_t length = i % 2 == 0 ? 4 : 64, stride = i % 2 == 0 ? 8 : 1;
      for (uint64_t n = 0; n < length; ++n)
        a.entries[{i, (i * 8 + n * stride) % inner}] = test::make_value(boolean, 1);
    }
    sum += outlook(a, b, {boolean, a.rows, b.columns, {}}, MaskKind::none, false).problem.met;
  }
  CHECK(sum / matrices > 7);  // 7.6 are expected; 5.7 if all rows were drawn alike
}

TEST_CASE("more columns than the field has bits: within two percent") {
  if (test::races_only()) return;  // the kernels of the products before
  test::Random random(5);
  const RefMatrix a = test::random_matrix(random, boolean, 30, 600, Spread::no_empty_row, 20, true);
  const RefMatrix b = test::random_matrix(random, boolean, 600, 200000, Spread::uniform, 80, true);
  RefMatrix mask{boolean, 30, 200000, {}};
  for (const auto& [place, value] : b.entries) {
    if (place.first < 300) mask.entries[{place.first % 30, place.second}] = test::make_value(boolean, 1);
  }
  const Counted counted = count(a, b, mask, MaskKind::structural);
  const MxmOutlook found = outlook(a, b, mask, MaskKind::structural, false);
  CHECK(found.problem.entries.all == Approx(counted.entries).epsilon(0.02));
  CHECK(found.problem.entries.kept == Approx(counted.kept).epsilon(0.05));
}

TEST_CASE("a skewed product of which a part is counted: within ten percent, and the same at every call") {
  if (test::races_only()) return;  // the kernels of the products before
  test::Random random(9);
  const RefMatrix a = test::random_matrix(random, boolean, 3000, 3000, Spread::power_law, 0, true);
  const RefMatrix none{boolean, 3000, 3000, {}};
  const Counted counted = count(a, a, none, MaskKind::none);
  const MxmOutlook found = outlook(a, a, none, MaskKind::none, false);
  CHECK(found.problem.products == counted.products);
  CHECK(found.problem.entries.counted_rows < 600);
  CHECK(found.problem.entries.all == Approx(counted.entries).epsilon(0.1));
  CHECK(found.problem.entries.all < 0.95 * selector::entries_by_means(found.problem).all);
  CHECK(outlook(a, a, none, MaskKind::none, false).problem.entries.all == found.problem.entries.all);
}

TEST_CASE("the decision says what it rests on, with a workspace for every candidate that can run") {
  test::Random random(3);
  const RefMatrix a = test::random_matrix(random, boolean, 50, 50, Spread::uniform, 4, true);
  const MxmOutlook found = outlook(a, a, a, MaskKind::structural, false);
  const std::string text = selector::to_text(found.decision);
  CHECK(text.find(std::to_string(uint64_t(found.problem.products)) + " products (counted, at most ") !=
        std::string::npos);
  CHECK(text.find("rows counted, +-") != std::string::npos);
  for (const selector::Candidate& c : found.decision.candidates)
    CHECK((c.workspace_bytes > 0) == (c.applicable && c.kernel->name != "mxm_scale"));
  CHECK(outlook(a, {boolean, 50, 50, {}}, a, MaskKind::structural, false).decision.candidates.empty());
}

TEST_CASE("the work of dot products is that of the mask's rows, not of mean ones") {
  // Left rows of 10, 200 and 3000 entries; right (by columns) of 5, 100 and 40000.
  test::Random random(1);
  const RefMatrix left = test::matrix_of_lengths(random, boolean, {10, 200, 3000}, 40000);
  const RefMatrix right = test::matrix_of_lengths(random, boolean, {5, 100, 40000}, 40000);
  const formats::DeviceMatrix a = test::to_device(left, false, true), b = test::to_device(right, false, true);
  const Semiring semiring = catalogue::semiring("PLUS_PAIR_INT64").value();
  const operations::MatrixMatrix call{semiring, a, b, false, true};
  const auto work = [&](uint64_t i, uint64_t j) {
    RefMatrix one{boolean, 3, 3, {}};
    one.entries[{i, j}] = test::make_value(boolean, 1);
    const formats::DeviceMatrix mask = test::to_device(one, false, false);
    const operations::PreparedMatrixMask prepared = operations::prepare_mask({&mask, true, false});
    return operations::dot_work({call, prepared, false});
  };
  CHECK(work(0, 0).searched == 5 * 4);  // 5 searches in 10: 4 steps each
  CHECK(work(0, 0).streamed == 0);
  CHECK(work(0, 2).searched == 10 * 16);
  CHECK(work(0, 2).longest_chain == 2 * 16);  // eight lanes
  CHECK(work(1, 1).streamed == 100);
  CHECK(work(1, 1).searched == 0);
  CHECK(work(1, 2).searched == 200 * 16);  // too few for the long row to be streamed
  CHECK(work(2, 2).streamed == 40000);
  CHECK(work(2, 2).longest_chain >= 40000 / 16);
}

TEST_CASE("steps of sampled mask entries stand for all of them") {
  test::Random random(2);
  const RefMatrix a = test::random_matrix(random, boolean, 400, 400, Spread::uniform, 5, true);
  const RefMatrix wanted = test::random_matrix(random, boolean, 400, 400, Spread::uniform, 300, true);
  const formats::DeviceMatrix left = test::to_device(a, false, true),
                              mask = test::to_device(wanted, false, true);
  const Semiring semiring = catalogue::semiring("PLUS_PAIR_INT64").value();
  const operations::MatrixMatrix call{semiring, left, left, false, true};
  const operations::PreparedMatrixMask prepared = operations::prepare_mask({&mask, true, false});
  REQUIRE(mask.nvals() > (1 << 16));
  std::vector<uint64_t> lengths(400, 0);
  for (const auto& [place, value] : a.entries) ++lengths[place.first];
  double steps = 0;
  for (const auto& [place, value] : wanted.entries) {
    const uint64_t shorter = std::min(lengths[place.first], lengths[place.second]),
                   longer = std::max(lengths[place.first], lengths[place.second]);
    if (shorter > 0) steps += double(shorter) * (std::floor(std::log2(double(longer))) + 1);
  }
  CHECK(operations::dot_work({call, prepared, false}).searched == Approx(steps).epsilon(0.05));
}
