// Products whose kernels are timed while a program repeats them: the results stay right, whatever is tried
// and whatever fails, and nothing is tried where results must not depend on it.
#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include "src/formats/coo.h"
#include "src/formats/ell.h"
#include "src/operations/multiply/mxv/run.h"
#include "src/operations/multiply/registry.h"
#include "src/support/settings.h"
#include "src/support/trace.h"
#include "tests/catch.h"
#include "tests/operations/cost.h"
#include "tests/operations/repeated_product.h"

using namespace cugrb;
using formats::DeviceMatrix;
using formats::DeviceVector;

namespace {

void allow_trials(TrialPolicy policy, bool deterministic = false) {
  Settings changed = settings();
  changed.trials = policy;
  changed.deterministic = deterministic;
  override_settings(changed);
}

struct Repeated : test::RepeatedProduct {
  test::RefVector expected = by_kernel("mxv_row_thread");

  /// tests/operations/mxv_test.cpp compares it with the reference.
  test::RefVector by_kernel(const std::string& kernel) const {
    const test::Forced forced(kernel);
    const DeviceMatrix other = test::to_device(a, false, false);
    DeviceVector w = DeviceVector::empty(semiring.semiring.add.type(), positions);
    operations::mxv({w, {}, std::nullopt, false}, {semiring.semiring, other, vector, false, false});
    return test::from_device(w);
  }
  std::vector<selector::Trial> trials() const { return operations::trials_of(run); }
  /// One product, with a failure injected; what differs from the reference.
  std::string multiply(const std::string& injection = "") const {
    DeviceVector w = DeviceVector::empty(semiring.semiring.add.type(), positions);
    runtime::injection::reset(injection);
    operations::mxv({w, {}, std::nullopt, false}, call);
    runtime::injection::reset("");
    return test::difference(expected, test::from_device(w));
  }
  /// Products until there is a memo, and uses until its trial is due. False when it has none.
  bool reach_next_trial() const {
    // While a format is still to be paid for, more uses make the memo expire.
    for (int attempt = 0; attempt < 100; ++attempt) {
      while (memo() == nullptr || matrix.uses(false) < 16) REQUIRE(multiply() == "");
      const std::shared_ptr<operations::MxvMemo> current = memo();
      if (current == nullptr) continue;
      if (!current->next_trial()) return false;
      while (memo() != nullptr && !operations::trial_is_due(run, *current)) matrix.by_rows(false);
      if (memo() != nullptr) return true;
    }
    return false;
  }
  /// The same for a trial of another kernel than the choice, which is found to be a little faster than that
  /// is predicted to be.
  bool reach_next_rival() const {
    if (!reach_next_trial()) return false;
    const selector::Decision decision = memo()->plan().decision;
    double second = std::numeric_limits<double>::infinity();
    for (const selector::Candidate& c : decision.candidates) {
      if (c.applicable && c.kernel != decision.chosen.kernel) second = std::min(second, c.predicted_seconds);
    }
    operations::keep_trial(run, {decision.chosen.kernel, second / 1.1, ""}, 0);
    if (!reach_next_trial()) return false;
    by_kernel(memo()->next_trial()->kernel->name);  // it is compiled
    return memo()->next_trial()->kernel != decision.chosen.kernel;
  }
};

}  // namespace

TEST_CASE(
    "products stay right while kernels are tried, one a product, and the fastest is chosen in the end") {
  const SettingsGuard guard;
  allow_trials(TrialPolicy::always);
  const Repeated product;
  REQUIRE(product.reach_next_trial());
  const selector::Kernel* choice = product.memo()->plan().kernel;
  for (int n = 0; n < 5 && product.reach_next_trial(); ++n) {
    const selector::NextTrial next = *product.memo()->next_trial();
    const size_t before = product.trials().size();
    REQUIRE(product.multiply() == "");
    const selector::Trials after{product.trials(), 0};
    const selector::Trial* trial = after.find(next.kernel);
    REQUIRE(trial != nullptr);
    CHECK((trial->seconds > 0 || (trial->uncompiled && !next.compiles)));
    CHECK(trial->failure.empty());
    // One that was not compiled comes up again, in its own place.
    CHECK(after.made.size() == (next.compiles ? before : before + 1));
  }
  REQUIRE(product.trials().size() >= 1);
  REQUIRE(product.trials().front().kernel == choice);
  while (product.memo() == nullptr) REQUIRE(product.multiply() == "");
  const selector::Candidate chosen = product.memo()->plan().decision.chosen;
  for (const selector::Trial& trial : product.trials()) {
    CHECK((trial.uncompiled || expected_seconds(chosen) <= trial.seconds));
  }
}

TEST_CASE("what trials found of one matrix holds for another one that is like it, but for failures") {
  const SettingsGuard guard;
  allow_trials(TrialPolicy::always);
  const Repeated tried, alike;
  REQUIRE(tried.reach_next_trial());
  REQUIRE(alike.reach_next_trial());
  operations::adopt_trials(alike.run, tried.matrix);
  CHECK(alike.trials().empty());
  CHECK(alike.memo() != nullptr);
  operations::keep_trial(tried.run, {&operations::mxv_hyb, 2e-9, ""}, 0.5);
  operations::keep_trial(tried.run, {&operations::mxv_sell, 0, "no memory"}, 0);
  operations::keep_trial(alike.run, {&operations::mxv_hyb, 1e-9, ""}, 0);
  operations::keep_trial(alike.run, {&operations::mxv_coo, 0, "", true}, 0);
  operations::keep_trial(tried.run, {&operations::mxv_coo, 3e-9, ""}, 0);
  operations::adopt_trials(alike.run, tried.matrix);
  const selector::Trials found{alike.trials(), 0};
  REQUIRE(found.find(&operations::mxv_hyb) != nullptr);
  CHECK(found.find(&operations::mxv_hyb)->seconds == 1e-9);  // its own
  CHECK(found.find(&operations::mxv_sell) == nullptr);
  REQUIRE(found.find(&operations::mxv_coo) != nullptr);
  CHECK(found.find(&operations::mxv_coo)->seconds == 3e-9);
  CHECK_FALSE(found.find(&operations::mxv_coo)->uncompiled);
  CHECK(alike.memo() == nullptr);  // it decided without
  CHECK(alike.multiply() == "");
}

TEST_CASE("under memory pressure what was learnt stays: nothing is measured, tried or read again") {
  const SettingsGuard guard;
  allow_trials(TrialPolicy::always);
  Repeated product;
  REQUIRE(product.reach_next_trial());
  const selector::Kernel* choice = product.memo()->plan().kernel;
  REQUIRE(product.memo()->plan().decision.chosen.format == "csr");
  // One that was found to be slow, one that had no memory; the choice is fast, and all others would be tried.
  operations::keep_trial(product.run, {choice, 1e-9, ""}, 0);
  operations::keep_trial(product.run, {&operations::mxv_sell, 1, ""}, 0);
  operations::keep_trial(product.run, {&operations::mxv_hyb, 0, "no memory"}, 0);
  while (product.memo() == nullptr) REQUIRE(product.multiply() == "");
  product.matrix.by_rows(true);
  product.matrix.derived(false, formats::Ell::Whole(),
                         [](const formats::Csr& rows) { return formats::make_ell(rows, rows.columns); });
  const size_t trials = product.trials().size();
  const auto bytes_read_by_product = [&] {
    const uint64_t before = trace::totals().bytes_down;
    DeviceVector w = DeviceVector::empty(product.semiring.semiring.add.type(), product.positions);
    operations::mxv({w, {}, std::nullopt, false}, product.call);
    const uint64_t bytes = trace::totals().bytes_down - before;
    CHECK(test::difference(product.expected, test::from_device(w)) == "");
    return bytes;
  };

  CHECK(product.matrix.drop_caches() > 0);
  CHECK(product.memo() == nullptr);  // it knew of formats that are gone
  CHECK(bytes_read_by_product() == 0);
  // What the kernel lays its rows out by has been made again, which is a change.
  CHECK(bytes_read_by_product() == 0);
  REQUIRE(product.memo() != nullptr);
  CHECK(product.memo()->plan().kernel == choice);
  // What failed may have room now.
  CHECK(product.trials().size() == trials - 1);
  CHECK(selector::Trials{product.trials(), 0}.find(&operations::mxv_hyb) == nullptr);
  CHECK(selector::Trials{product.trials(), 0}.find(&operations::mxv_sell)->seconds == 1);

  // A matrix of which nothing is known is looked at.
  product.matrix.next_version();
  CHECK(product.trials().empty());
  CHECK(bytes_read_by_product() > 0);
}

TEST_CASE("what is predicted to be faster than the choice was found to be replaces it, and is timed next") {
  const SettingsGuard guard;
  allow_trials(TrialPolicy::always);
  const Repeated product;
  REQUIRE(product.reach_next_trial());
  const selector::Kernel* choice = product.memo()->plan().kernel;
  operations::keep_trial(product.run, {choice, 1, ""}, 0);
  REQUIRE(product.reach_next_trial());
  const selector::Kernel* other = product.memo()->plan().kernel;
  CHECK(other != choice);
  CHECK(product.memo()->next_trial()->kernel == other);
  REQUIRE(product.multiply() == "");
  REQUIRE(product.trials().size() == 2);
  while (product.memo() == nullptr) REQUIRE(product.multiply() == "");
  CHECK(product.memo()->plan().kernel != choice);
}

TEST_CASE(
    "a kernel that has no memory when it is tried is not chosen, and the product is right all the same") {
  const SettingsGuard guard;
  allow_trials(TrialPolicy::always);
  for (unsigned at = 1; at <= 3; ++at) {
    const Repeated product;
    REQUIRE(product.reach_next_rival());
    const selector::Kernel* rival = product.memo()->next_trial()->kernel;
    INFO(at << ", " << rival->name);
    REQUIRE(product.multiply("allocation:" + std::to_string(at)) == "");
    const selector::Trial trial = product.trials().back();
    CHECK(trial.kernel == rival);
    CHECK(trial.seconds == 0);
    CHECK(trial.failure != "");
    while (product.memo() == nullptr) REQUIRE(product.multiply() == "");
    CHECK(product.memo()->plan().kernel != rival);
  }
}

TEST_CASE("a choice that cannot be timed stays the choice, and ends the trials") {
  const SettingsGuard guard;
  allow_trials(TrialPolicy::always);
  const Repeated product;
  REQUIRE(product.reach_next_trial());
  const selector::Kernel* choice = product.memo()->plan().kernel;
  REQUIRE(product.memo()->next_trial()->kernel == choice);
  REQUIRE(product.multiply("allocation:3") == "");
  REQUIRE(product.trials().size() == 1);
  CHECK(product.trials().front().seconds == 0);
  while (product.memo() == nullptr) REQUIRE(product.multiply() == "");
  CHECK(product.memo()->plan().kernel == choice);
  CHECK_FALSE(
      std::isfinite(product.memo()->next_trial().value_or(selector::NextTrial{nullptr, INFINITY}).due_uses));
}

TEST_CASE(
    "no kernel is tried where results must not depend on times, on a forced kernel, or where it is off") {
  const SettingsGuard guard;
  allow_trials(TrialPolicy::never);
  CHECK_FALSE(Repeated().reach_next_trial());
  allow_trials(TrialPolicy::always, /*deterministic=*/true);
  CHECK_FALSE(Repeated().reach_next_trial());
  allow_trials(TrialPolicy::always);
  const Repeated product;
  {
    const test::Forced forced("mxv_row_8");
    CHECK_FALSE(product.reach_next_trial());
  }
  CHECK(product.reach_next_trial());
}

TEST_CASE("a format that lost its trial goes, but not one that is read, or may still be tried") {
  const SettingsGuard guard;
  allow_trials(TrialPolicy::always);
  const Repeated product;
  REQUIRE(product.reach_next_trial());
  const selector::Kernel* choice = product.memo()->plan().kernel;
  REQUIRE(product.memo()->plan().decision.chosen.format == "csr");
  const std::type_index sell = typeid(formats::Ell::Sliced), coo = typeid(formats::Only<formats::Coo>);
  const auto multiply_until_remembered = [&] {
    do REQUIRE(product.multiply() == "");
    while (product.memo() == nullptr);
  };
  operations::keep_trial(product.run, {choice, 1e-9, ""}, 0);
  product.matrix.derived(false, formats::Ell::Sliced(), [](const formats::Csr& rows) {
    return formats::make_sell(rows, formats::plan_slices(rows));
  });
  product.matrix.derived(false, formats::Only<formats::Coo>(),
                         [](const formats::Csr& rows) { return formats::make_coo(rows); });
  operations::keep_trial(product.run, {&operations::mxv_sell, 1, ""}, 0);
  operations::keep_trial(product.run, {&operations::mxv_coo, 0, "", /*uncompiled=*/true}, 0);
  {
    // Another product with the matrix reads its bins.
    const test::Forced forced("mxv_binned_csr");
    REQUIRE(product.multiply() == "");
  }
  operations::keep_trial(product.run, {&operations::mxv_binned_csr, 1, ""}, 0);
  multiply_until_remembered();
  CHECK(product.memo()->plan().kernel == choice);
  CHECK_FALSE(product.matrix.has_derived(false, sell));
  CHECK(product.matrix.has_derived(false, coo));
  CHECK(product.matrix.has_derived(false, operations::mxv_binned_csr.derives.back()));
  operations::keep_trial(product.run, {&operations::mxv_coo, 1, ""}, 0);
  multiply_until_remembered();
  CHECK_FALSE(product.matrix.has_derived(false, coo));
}

TEST_CASE("threads that multiply by one matrix get their products while formats are tried and go") {
  const SettingsGuard guard;
  allow_trials(TrialPolicy::always);
  const Repeated product;
  REQUIRE(product.reach_next_rival());
  std::vector<std::string> wrong(4);
  std::vector<std::thread> threads;
  for (std::string& text : wrong) {
    threads.emplace_back([&product, &text] {
      for (int n = 0; n < 40 && text.empty(); ++n) text = product.multiply();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& text : wrong) CHECK(text == "");
  CHECK(product.trials().size() >= 2);
}

TEST_CASE("a format that has no room is done without, and not made again") {
  for (const char* kernel : {"mxv_sell", "mxv_hyb", "mxv_coo", "mxv_binned_csr", "mxv_adcsr", "mxv_blocked",
                             "mxv_csb", "mxv_tile_coo", "mxv_tile_composite"}) {
    int without = 0;
    bool all = false;
    for (int n = 1; n < 200 && !all; ++n) {
      const Repeated product;
      const test::Forced forced(kernel);
      DeviceVector w = test::to_device(product.u, Form::full, false);
      runtime::injection::reset("allocation:" + std::to_string(n));
      bool multiplied = true;
      try {
        operations::mxv({w, {}, std::nullopt, false}, product.call);
      } catch (const runtime::OutOfMemory&) {
        multiplied = false;
      }
      all = runtime::injection::count(runtime::injection::Point::allocation) < uint64_t(n);
      runtime::injection::reset("");
      INFO(kernel << " allocation " << n);
      if (multiplied) CHECK(test::difference(product.expected, test::from_device(w)) == "");
      if (!multiplied) CHECK(test::difference(product.u, test::from_device(w)) == "");
      if (multiplied && !product.trials().empty()) {
        ++without;
        CHECK(product.trials().front().kernel->name == kernel);
        const selector::Decision again = operations::decide_mxv(
            product.call, *selector::Hardware::of_device(), operations::find_kernel(kernel));
        CHECK(again.chosen.kernel->name != kernel);
        CHECK(again.chosen.reason.find(std::string("CUGRB_FORCE=") + kernel +
                                       " is not applicable: failed when it was tried: ") == 0);
        CHECK(product.multiply() == "");
      }
    }
    INFO(kernel);
    CHECK(all);
    CHECK(without > 0);
  }
}
