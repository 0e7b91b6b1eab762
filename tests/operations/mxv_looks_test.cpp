// What choosing looks at is on its way while a program's products go on: they are right with it and without,
// they wait for it no longer than they should, and where results must not depend on times they wait at once.
#include "cuda/emulated/emulated_device.h"
#include "src/formats/ell.h"
#include "src/formats/gather_sample.h"
#include "src/operations/multiply/mxv/run.h"
#include "src/selector/looks.h"
#include "src/support/settings.h"
#include "tests/catch.h"
#include "tests/operations/cost.h"
#include "tests/operations/repeated_product.h"

using namespace cugrb;

namespace {

constexpr uint64_t never_by_itself = 1'000'000;
const formats::OfPattern<formats::GatherLocality> gather_locality;
const formats::OfPattern<formats::SlicePlan> slices;

struct DelayedReadings {
  explicit DelayedReadings(uint64_t launches) { emulated::delay_readings(launches); }
  ~DelayedReadings() { emulated::delay_readings(0); }
};

bool on_gpu() { return runtime::device().properties().kind == runtime::Kind::cuda; }

/// The kernel is the same whatever is found out.
struct ProductWithLooks : test::RepeatedProduct {
  test::Forced forced{"mxv_row_8"};

  /// One product; what is wrong with it.
  std::string multiply() { return test::run_plain_mxv(semiring, a, matrix, u, Form::full, false); }
  bool has_looked() const {
    return matrix.find_derived(false, gather_locality) != nullptr &&
           matrix.find_derived(false, slices) != nullptr;
  }
  /// What the look told, also where the plan that it came from is gone: on a GPU it may arrive by itself.
  bool knows_widths() const {
    return has_looked() || matrix.find_derived(false, formats::OfPattern<formats::SliceColumns>()) != nullptr;
  }
  /// Products until it has, all of them right.
  uint64_t products_until_looked() {
    for (uint64_t products = 1; products < 1000; ++products) {
      const std::string wrong = multiply();
      INFO("product " << products);
      REQUIRE(wrong.empty());
      if (has_looked()) return products;
    }
    return 0;
  }
  selector::Looks looks() const {
    const selector::Hardware& hardware = *selector::Hardware::of_device();
    return selector::looks_of(operations::describe_mxv(call, hardware), hardware);
  }
};

}  // namespace

TEST_CASE("a look is waited for after so many products as it may be, and taken as soon as it is there") {
  const selector::Looks looks = ProductWithLooks().looks();
  {
    const DelayedReadings delayed(never_by_itself);
    const uint64_t products = ProductWithLooks().products_until_looked();
    CHECK(products > looks.neighbours);
    if (on_gpu()) {
      CHECK(products <= looks.neighbours + looks.neighbours_patience + 1);
    } else {
      CHECK(products == looks.neighbours + looks.neighbours_patience + 1);
    }
  }
  if (on_gpu()) return;  // it arrives when it does
  CHECK(ProductWithLooks().products_until_looked() == looks.neighbours + 1);
  for (const uint64_t launches : {1, 3, 4}) {  // a product is one
    const DelayedReadings delayed(launches);
    const uint64_t products = ProductWithLooks().products_until_looked();
    INFO(launches);
    CHECK(products > looks.neighbours + 1);
    CHECK(products <= looks.neighbours + 1 + launches);
  }
}

TEST_CASE("the first product asks for the sample of gathers, if many would pay for it, and makes no format") {
  const bool sampled = ProductWithLooks().looks().sampled_with_lengths;
  CHECK(sampled == !on_gpu());  // the matrix is small
  test::RepeatedProduct repeated;
  REQUIRE(test::run_plain_mxv(repeated.semiring, repeated.a, repeated.matrix, repeated.u, Form::full, false)
              .empty());
  const auto memo = repeated.memo();
  if (memo != nullptr) {  // nothing has arrived yet
    for (const selector::Candidate& c : memo->plan().decision.candidates)
      CHECK((!c.makes_format || !c.applicable));
  }
  repeated.matrix.collect_arrivals();
  CHECK((repeated.matrix.find_derived(false, gather_locality) != nullptr) == sampled);
  CHECK(repeated.matrix.find_derived(false, slices) == nullptr);
}

TEST_CASE("a decision is made anew when what was looked at has arrived, and not before") {
  if (on_gpu()) return;
  const DelayedReadings delayed(never_by_itself);
  ProductWithLooks repeated;
  const selector::Looks looks = repeated.looks();
  repeated.matrix.next_version();  // describing it has looked at everything
  repeated.matrix.row_lengths(false);
  for (uint64_t products = repeated.matrix.uses(false); products <= looks.neighbours; ++products)
    REQUIRE(repeated.multiply().empty());
  const auto looking = repeated.memo();
  REQUIRE(looking != nullptr);
  CHECK_FALSE(repeated.has_looked());
  // The product that has asked for the look is the first of those behind it.
  for (uint64_t behind = 2; behind < looks.neighbours_patience; ++behind) {
    REQUIRE(repeated.multiply().empty());
    CHECK(repeated.memo() == looking);
  }
  REQUIRE(repeated.multiply().empty());
  CHECK(repeated.memo() != looking);
  CHECK(repeated.has_looked());
}

TEST_CASE("where results must not depend on times, a look is waited for in the product that asks for it") {
  const SettingsGuard guard;
  Settings changed = settings();
  changed.deterministic = true;
  override_settings(changed);
  const DelayedReadings delayed(never_by_itself);
  ProductWithLooks repeated;
  const uint64_t products = repeated.products_until_looked();
  CHECK(products == repeated.looks().neighbours + 1);
}

TEST_CASE("what is under way goes with a matrix's formats, with the matrix, and to whoever waits for it") {
  const DelayedReadings delayed(never_by_itself);
  ProductWithLooks repeated;
  const selector::Looks looks = repeated.looks();
  repeated.matrix.next_version();
  for (int round = 0; round < 3; ++round) {
    INFO(round);
    CHECK_FALSE(repeated.has_looked());
    for (uint64_t products = 0; products <= looks.neighbours; ++products) CHECK(repeated.multiply().empty());
    if (round == 1) {
      const uint64_t changes = repeated.matrix.changes();
      repeated.looks();  // waits
      CHECK(repeated.knows_widths());
      CHECK((on_gpu() || repeated.has_looked()));
      CHECK((on_gpu() || repeated.matrix.changes() > changes));
    }
    repeated.matrix.drop_caches();
    repeated.matrix.collect_arrivals();
  }
  for (uint64_t products = 0; products <= looks.neighbours; ++products) CHECK(repeated.multiply().empty());
}

TEST_CASE("the N-th allocation or launch that fails in a look leaves the matrix as it was") {
  const DelayedReadings delayed(never_by_itself);
  for (const char* kind : {"allocation:", "launch:"}) {
    for (int n = 1; n <= 12; ++n) {
      ProductWithLooks repeated;
      const uint64_t neighbours = repeated.looks().neighbours;
      repeated.matrix.next_version();
      while (repeated.matrix.uses(false) < neighbours) CHECK(repeated.multiply().empty());
      runtime::injection::reset(kind + std::to_string(n));
      try {
        repeated.multiply();
      } catch (const std::runtime_error&) {
      }
      runtime::injection::reset("");
      INFO(kind << n);
      CHECK(repeated.products_until_looked() > 0);
    }
  }
}
