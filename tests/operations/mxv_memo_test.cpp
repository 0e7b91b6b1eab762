// Products that a program repeats: they cost one launch and decide nothing, and what is remembered of one is
// never taken for another.
#include <algorithm>

#include "src/jit/jit.h"
#include "src/operations/multiply/mxv/run.h"
#include "src/operations/multiply/registry.h"
#include "src/support/settings.h"
#include "src/support/trace.h"
#include "tests/catch.h"
#include "tests/operations/breadth.h"
#include "tests/operations/cost.h"
#include "tests/operations/mxv_cases.h"

using namespace cugrb;
using formats::DeviceMatrix;
using formats::DeviceVector;
using test::Cost;

namespace {

const Type& fp32 = Type::of(TypeCode::Fp32);
constexpr uint64_t n = 70;

test::RefMatrix matrix_without_empty_rows(test::Random& random) {
  return test::random_matrix(random, fp32, n, n, test::Spread::no_empty_row, 4, false);
}

std::shared_ptr<operations::MxvMemo> recall(const Semiring& semiring, const DeviceMatrix& matrix,
                                            const DeviceVector& u, const operations::VectorMask& mask = {}) {
  const operations::PreparedMask prepared = operations::prepare_mask(mask);
  const operations::MatrixVector call{semiring, matrix, u, false, false};
  const operations::MatrixVectorRun run{call, prepared};
  const double share =
      mask.object == nullptr ? 1 : double(mask.object->nvals()) / double(mask.object->length);
  return operations::recall(run, operations::Circumstances::of(run, share));
}

}  // namespace

TEST_CASE("a repeated product of a matrix without empty rows is one launch and one allocation, and full") {
  test::Random random(21);
  const test::RefMatrix a = matrix_without_empty_rows(random);
  const Semiring semiring = test::built_in_semiring("PLUS_TIMES_FP32").semiring;
  const DeviceVector u = test::to_device(test::random_vector(random, fp32, n, 1, false), Form::full, false);
  for (const char* kernel :
       {"mxv_row_thread", "mxv_row_8", "mxv_row_block", "mxv_ell", "mxv_sell", "mxv_dcsr"}) {
    const test::Forced forced(kernel);
    const DeviceMatrix matrix = test::to_device(a, false, false);
    DeviceVector w = DeviceVector::empty(fp32, n);
    const auto product = [&] {
      operations::mxv({w, {}, std::nullopt, false}, {semiring, matrix, u, false, false});
    };
    for (int uses = 0; uses < 12; ++uses) product();
    const uint64_t up = trace::totals().bytes_up, down = trace::totals().bytes_down,
                   requests = jit::statistics().requests;
    INFO(kernel);
    CHECK(test::cost_of(product) == Cost{1, 1});
    CHECK(w.form == Form::full);
    CHECK(trace::totals().bytes_up == up);
    CHECK(trace::totals().bytes_down == down);
    CHECK(jit::statistics().requests == requests);
  }
}

TEST_CASE(
    "a forced product is decided on when its matrix is new, looked at, or used often, and never again") {
  test::Random random(25);
  const DeviceMatrix matrix = test::to_device(matrix_without_empty_rows(random), false, false);
  const Semiring semiring = test::built_in_semiring("PLUS_TIMES_FP32").semiring;
  const DeviceVector u = test::to_device(test::random_vector(random, fp32, n, 1, false), Form::full, false);
  const test::Forced forced("mxv_row_8");
  std::vector<std::shared_ptr<operations::MxvMemo>> memos;
  std::vector<uint64_t> decided_at;
  for (uint64_t uses = 0; uses < 100; ++uses) {
    DeviceVector w = DeviceVector::empty(fp32, n);
    operations::mxv({w, {}, std::nullopt, false}, {semiring, matrix, u, false, false});
    const auto memo = recall(semiring, matrix, u);
    if (memo == nullptr || (!memos.empty() && memo == memos.back())) continue;
    memos.push_back(memo);
    decided_at.push_back(uses);
  }
  // A device's products have to last as long as the look first (looks.h): about 24 of them on an H200. What a
  // GPU looks at arrives while products go on: they are decided on when it is asked for, when it is there, or
  // both.
  const uint64_t looked_at = memos.front()->plan().next_look;
  const bool looks = looked_at != selector::Looks::never;
  const bool arrives_later = runtime::device().properties().kind == runtime::Kind::cuda;
  REQUIRE(decided_at.size() >= (looks ? 3 : 2));
  CHECK(decided_at.size() <= (looks ? (arrives_later ? 4 : 3) : 2));
  CHECK(decided_at[0] <= 1);  // what is decided on a new matrix holds unless its first product made something
  CHECK(decided_at[1] == selector::least_settled_uses);
  if (looks) CHECK(decided_at[2] >= looked_at);
  if (looks && !arrives_later) CHECK(decided_at[2] == looked_at);
  CHECK(memos.back()->plan().next_look == selector::Looks::never);
}

TEST_CASE(
    "a decision that had a format made is not kept: the next one knows what that turned out to be, and is") {
  test::Random random(26);
  const test::RefMatrix a = matrix_without_empty_rows(random);
  const Semiring semiring = test::built_in_semiring("PLUS_TIMES_FP32").semiring;
  const DeviceVector u = test::to_device(test::random_vector(random, fp32, n, 1, false), Form::full, false);
  std::vector<std::string> made;
  for (const operations::MxvKernel* kernel : operations::mxv_kernels()) {
    INFO(kernel->name);
    const DeviceMatrix matrix = test::to_device(a, false, false);
    DeviceVector w = DeviceVector::empty(fp32, n);
    const auto product = [&] {
      operations::mxv({w, {}, std::nullopt, false}, {semiring, matrix, u, false, false});
    };
    while (matrix.uses(false) < 1000) matrix.by_rows(false);
    {
      const test::Forced forced("mxv_row_4");  // looks at all that is ever looked at
      for (int looks = 0; looks < 10 && recall(semiring, matrix, u) == nullptr; ++looks) {
        product();
        runtime::device().synchronize();  // what it asked for is there for the next one
      }
      REQUIRE(recall(semiring, matrix, u) != nullptr);
    }
    const test::Forced forced(kernel->name);
    product();
    if (recall(semiring, matrix, u) == nullptr) made.emplace_back(kernel->name);
    product();
    const auto memo = recall(semiring, matrix, u);
    REQUIRE(memo != nullptr);
    CHECK_FALSE(memo->plan().decision.chosen.makes_format);
    CHECK(memo->plan().decision.chosen.conversion_seconds == 0);
  }
  CAPTURE(made);
  for (const char* kernel :
       {"mxv_ell", "mxv_sell", "mxv_coo", "mxv_hyb", "mxv_binned_csr", "mxv_csb", "mxv_dcsr"})
    CHECK(std::count(made.begin(), made.end(), std::string(kernel)) == 1);
  for (const char* kernel : {"mxv_row_thread", "mxv_row_4", "mxv_row_warp", "mxv_row_block"})
    CHECK(std::count(made.begin(), made.end(), kernel) == 0);
}

TEST_CASE("an empty row makes the result a bitmap that shares the pattern of all such products") {
  test::Random random(22);
  test::RefMatrix a = matrix_without_empty_rows(random);
  a.entries.erase(a.entries.lower_bound({5, 0}), a.entries.lower_bound({6, 0}));
  const Semiring semiring = test::built_in_semiring("PLUS_TIMES_FP32").semiring;
  const DeviceVector u = test::to_device(test::random_vector(random, fp32, n, 1, false), Form::full, false);
  const test::Forced forced("mxv_sell");
  const DeviceMatrix matrix = test::to_device(a, false, false);
  DeviceVector w = DeviceVector::empty(fp32, n);
  const auto product = [&] {
    operations::mxv({w, {}, std::nullopt, false}, {semiring, matrix, u, false, false});
  };
  for (int uses = 0; uses < 12; ++uses) product();
  CHECK(test::cost_of(product) == Cost{1, 1});
  CHECK(w.form == Form::bitmap);
  CHECK(w.nvals_known());
  CHECK(!w.present.unique());
  CHECK(w.nvals() == n - 1);
}

TEST_CASE("products that take turns on one matrix keep their own kernels") {
  test::Random random(23);
  const test::RefMatrix a = matrix_without_empty_rows(random);
  const DeviceMatrix matrix = test::to_device(a, false, false);
  const char* const semirings[] = {"PLUS_TIMES_FP32", "PLUS_MINUS_FP32", "PLUS_SECOND_FP32", "MIN_PLUS_FP32"};
  const char* const kernels[] = {"", "mxv_row_8", "mxv_row_4", "mxv_ell", "mxv_sell", "mxv_hyb", "vxm_push"};
  const char* const types[] = {"FP32", "INT16"};
  for (int call = 0; call < (test::structures_only() ? 60 : 300); ++call) {
    const test::MeantSemiring semiring = test::built_in_semiring(semirings[test::below(random, 4)]);
    const Form form = test::chance(random, 0.8) ? Form::full : Form::bitmap;
    const test::RefVector u = test::random_vector(random, test::type_of(types[test::below(random, 2)]), n,
                                                  form == Form::full ? 1 : 0.5, false);
    const std::string kernel = kernels[test::below(random, 7)];
    const test::Forced forced(kernel);
    const std::string wrong = test::run_plain_mxv(semiring, a, matrix, u, form, test::chance(random, 0.5));
    INFO("call " << call << ", " << semiring.semiring.name << ", " << kernel);
    REQUIRE(wrong == "");
  }
}

TEST_CASE("a memo holds for its own products, until formats come or go") {
  test::Random random(24);
  const test::RefMatrix a = matrix_without_empty_rows(random);
  const DeviceMatrix matrix = test::to_device(a, false, false);
  const Semiring times = test::built_in_semiring("PLUS_TIMES_FP32").semiring,
                 second = test::built_in_semiring("PLUS_SECOND_FP32").semiring;
  const DeviceVector u = test::to_device(test::random_vector(random, fp32, n, 1, false), Form::full, false);
  const DeviceVector bitmap = to_bitmap(u);
  DeviceVector w = DeviceVector::empty(fp32, n);
  // The product that makes the chosen format changes the matrix: the next one is remembered.
  for (int uses = 0; uses < 64 && recall(times, matrix, u) == nullptr; ++uses)
    operations::mxv({w, {}, std::nullopt, false}, {times, matrix, u, false, false});
  REQUIRE(recall(times, matrix, u) != nullptr);
  CHECK(recall(times, matrix, u)->plan().decision.operation == "mxv PLUS_TIMES_FP32");
  CHECK(recall(second, matrix, u) == nullptr);
  CHECK(recall(times, matrix, bitmap) == nullptr);
  CHECK(recall(times, matrix, u, {&bitmap, false, false}) == nullptr);
  {
    const test::Forced forced("mxv_row_8");
    CHECK(recall(times, matrix, u) == nullptr);
  }
  matrix.merge_plan(false);
  CHECK(recall(times, matrix, u) == nullptr);
  operations::mxv({w, {}, std::nullopt, false}, {times, matrix, u, false, false});
  CHECK(recall(times, matrix, u) != nullptr);
  matrix.drop_caches();
  CHECK(recall(times, matrix, u) == nullptr);
}

TEST_CASE(
    "a product of a list, or under a mask, is remembered for about as many entries and its kind of mask") {
  test::Random random(27);
  const DeviceMatrix matrix = test::to_device(matrix_without_empty_rows(random), false, false);
  const Semiring semiring = test::built_in_semiring("PLUS_TIMES_FP32").semiring;
  const auto with_entries = [](uint64_t entries) {
    test::RefVector v;
    v.type = fp32;
    v.length = n;
    for (uint64_t i = 0; i < entries; ++i) v.entries[i] = test::make_value(fp32, 1);
    return test::to_device(v, Form::sparse, false);
  };
  const DeviceVector u = with_entries(20), mask = with_entries(30);
  const operations::VectorMask structural{&mask, true, false}, complement{&mask, true, true};
  DeviceVector w = DeviceVector::empty(fp32, n);
  const auto product = [&](const operations::VectorMask& of) {
    operations::mxv({w, of, std::nullopt, false}, {semiring, matrix, u, false, false});
  };
  CHECK(recall(semiring, matrix, u) == nullptr);
  for (int uses = 0; uses < 64 && recall(semiring, matrix, u) == nullptr; ++uses) product({});
  const auto memo = recall(semiring, matrix, u);
  REQUIRE(memo != nullptr);
  CHECK_FALSE(memo->next_trial().has_value());
  CHECK(recall(semiring, matrix, with_entries(21)) == memo);
  CHECK(recall(semiring, matrix, with_entries(60)) == nullptr);
  CHECK(recall(semiring, matrix, u, structural) == nullptr);
  product(structural);
  CHECK(recall(semiring, matrix, u, structural) != nullptr);
  CHECK(recall(semiring, matrix, u, complement) == nullptr);
}

TEST_CASE("products of lists and under masks that take turns on one matrix are what they are on a new one") {
  test::Random random(28);
  const test::RefMatrix a =
      test::random_matrix(random, test::type_of("INT32"), n, n, test::Spread::power_law, 6, false);
  const DeviceMatrix matrix = test::to_device(a, false, false);
  const char* const semirings[] = {"PLUS_TIMES_INT32", "MIN_PLUS_INT32"};
  const char* const kernels[] = {"", "", "mxv_row_8", "mxv_merge", "mxv_binned_csr", "vxm_push"};
  for (int call = 0; call < (test::structures_only() ? 60 : 300); ++call) {
    const Semiring semiring = test::built_in_semiring(semirings[test::below(random, 2)]).semiring;
    const Type& type = test::type_of("INT32");
    const double density = test::chance(random, 0.5) ? 0.1 : 0.7;
    const DeviceVector u = test::to_device(test::random_vector(random, type, n, density, false),
                                           test::chance(random, 0.5) ? Form::sparse : Form::bitmap, false);
    const DeviceVector mask =
        test::to_device(test::random_vector(random, type, n, test::chance(random, 0.5) ? 0.2 : 0.8, false),
                        test::chance(random, 0.5) ? Form::sparse : Form::bitmap, false);
    operations::VectorMask given;
    if (test::chance(random, 0.8)) given = {&mask, test::chance(random, 0.5), test::chance(random, 0.5)};
    const test::Forced forced(kernels[test::below(random, 6)]);
    const auto product_with = [&](const DeviceMatrix& held) {
      DeviceVector w = DeviceVector::empty(type, n);
      operations::mxv({w, given, std::nullopt, true}, {semiring, held, u, false, false});
      return test::from_device(w);
    };
    INFO("call " << call << ", " << semiring.name);
    REQUIRE(test::difference(product_with(test::to_device(a, false, false)), product_with(matrix)) == "");
  }
}
