// While the chosen kernel is being compiled the next best one stands in for it, the result is the same, and
// the choice takes over when it has arrived.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "src/jit/jit.h"
#include "src/operations/multiply/choose.h"
#include "src/operations/multiply/mxv/run.h"
#include "src/operations/multiply/stand_in.h"
#include "src/support/settings.h"
#include "src/support/trace.h"
#include "tests/catch.h"
#include "tests/operations/mxm_cases.h"
#include "tests/operations/repeated_product.h"

using namespace cugrb;
using formats::DeviceMatrix;
using formats::DeviceVector;
using jit::Missing;
using jit::WhenMissing;

namespace {

/// The same semiring, with kernels that nobody has compiled.
Semiring fresh(Semiring semiring) {
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  semiring.preamble += "// " + std::to_string(getpid()) + " " + std::to_string(now) + "\n";
  return semiring;
}

/// Records of decisions, as somebody who traces has them.
class Recorded {
 public:
  Recorded() { trace::keep_records(true); }
  ~Recorded() { trace::keep_records(false); }
  Recorded(const Recorded&) = delete;
  Recorded& operator=(const Recorded&) = delete;
};

/// The fastest candidate that may stand in for the choice.
selector::Candidate second_of(const selector::Decision& decision) {
  const selector::Candidate* best = nullptr;
  for (const selector::Candidate& c : decision.candidates) {
    if (!c.applicable || c.kernel == decision.chosen.kernel || c.makes_format || c.conversion_seconds > 0)
      continue;
    if (best == nullptr || charged_seconds(c) < charged_seconds(*best)) best = &c;
  }
  REQUIRE(best != nullptr);
  return *best;
}

/// Kernels that may stand in for the choice.
std::vector<std::string> others_of(const selector::Decision& decision) {
  std::vector<std::string> names;
  for (const selector::Candidate& c : decision.candidates) {
    const bool makes_one = c.makes_format || c.conversion_seconds > 0;
    if (c.applicable && c.kernel != decision.chosen.kernel && !makes_one) names.push_back(c.kernel->name);
  }
  return names;
}

struct Vectors : test::RepeatedProduct {
  static std::vector<std::string> stand_ins(const selector::Decision& decision) {
    return {second_of(decision).kernel->name};
  }
  test::RefVector multiply(const Semiring& by) const {
    DeviceVector w = DeviceVector::empty(by.add.type(), positions);
    operations::mxv({w, {}, std::nullopt, false}, {by, matrix, vector, false, false});
    return test::from_device(w);
  }
  /// Emulated kernels of mxv differ by more than stand-ins may: the second one is found to be fast.
  void even_out(const Semiring& by, const selector::Kernel* second, double seconds) const {
    const operations::MatrixVector fresh_call{by, matrix, vector, false, false};
    operations::keep_trial({fresh_call, no_mask}, {second, seconds, ""}, 0);
  }
};

struct Matrices {
  /// Any: what a kernel needs also depends on what was counted to decide, which a forced one does without.
  static std::vector<std::string> stand_ins(const selector::Decision& decision) {
    return others_of(decision);
  }
  test::Random random{43};
  test::MeantSemiring semiring = test::built_in_semiring("PLUS_TIMES_INT32");
  DeviceMatrix a = test::to_device(
      test::random_matrix(random, Type::of(TypeCode::Int32), 60, 60, test::Spread::no_empty_row, 4, false),
      false, false);

  operations::MatrixMatrix call(const Semiring& by) const { return {by, a, a, false, false}; }
  test::RefVector multiply(const Semiring& by) const {
    DeviceMatrix c = test::to_device(test::RefMatrix{by.add.type(), 60, 60, {}}, false, false);
    operations::mxm({c, {}, std::nullopt, false}, call(by));
    return test::flattened(test::read_back(c));
  }
  void even_out(const Semiring&, const selector::Kernel*, double) const {}
};

/// `product` of a fresh semiring: another kernel stands in, and the first one comes.
template <class Product>
void check_stand_in(const Product& product, const Semiring& semiring, const selector::Decision& decision) {
  const Recorded recorded;
  const std::string first = decision.chosen.kernel->name;
  const std::vector<std::string> others = product.stand_ins(decision);
  const test::RefVector expected = product.multiply(semiring);  // what all kernels need is compiled
  const Semiring by = fresh(semiring);
  product.even_out(by, second_of(decision).kernel, 2 * decision.chosen.predicted_seconds);
  for (const std::string& other : others) {
    const test::Forced forced(other);
    CHECK(test::difference(expected, product.multiply(by)) == "");
  }
  const WhenMissing background(Missing::background);
  CHECK(test::difference(expected, product.multiply(by)) == "");
  CHECK(std::find(others.begin(), others.end(), trace::current().kernel) != others.end());
  INFO(trace::current().reason);
  CHECK(trace::current().reason.find("in place of " + first + ": a kernel is being compiled") !=
        std::string::npos);
  for (int kernels = 0; kernels < 20 && trace::current().kernel != first; ++kernels) {
    jit::wait_for_background();
    CHECK(test::difference(expected, product.multiply(by)) == "");
  }
  CHECK(trace::current().kernel == first);
}

}  // namespace

TEST_CASE("the next best kernel of mxv stands in for one that is being compiled") {
  const Vectors product{};
  const operations::MatrixVector call{product.semiring.semiring, product.matrix, product.vector, false,
                                      false};
  check_stand_in(product, product.semiring.semiring,
                 operations::decide_mxv(call, *selector::Hardware::of_device(), nullptr));
}

TEST_CASE("the next best kernel of mxm stands in for one that is being compiled") {
  const Matrices product;
  check_stand_in(product, product.semiring.semiring,
                 operations::decide_mxm({}, product.call(product.semiring.semiring),
                                        *selector::Hardware::of_device(), nullptr)
                     .decision);
}

TEST_CASE("a product none of whose kernels is compiled is refused, and its output is untouched") {
  const Vectors vectors{};
  const Matrices matrices;
  const test::RefVector expected = vectors.multiply(vectors.semiring.semiring);
  matrices.multiply(matrices.semiring.semiring);
  const Semiring by = fresh(vectors.semiring.semiring);
  DeviceVector w = test::to_device(vectors.u, Form::full, false);
  DeviceMatrix c = matrices.a;
  {
    const WhenMissing never(Missing::refuse);
    CHECK_THROWS_AS(
        operations::mxv({w, {}, std::nullopt, false}, {by, vectors.matrix, vectors.vector, false, false}),
        jit::NotCompiled);
    CHECK_THROWS_AS(operations::mxm({c, {}, std::nullopt, false}, matrices.call(by)), jit::NotCompiled);
  }
  CHECK(test::difference(vectors.u, test::from_device(w)) == "");
  CHECK(test::difference(test::flattened(test::read_back(matrices.a)), test::flattened(test::read_back(c))) ==
        "");
  CHECK(test::difference(expected, vectors.multiply(by)) == "");
}

TEST_CASE("a kernel that is much slower, or would make a format, does not stand in") {
  const selector::Kernel first{"first"}, second{"second"};
  selector::Decision wanted;
  wanted.candidates.resize(2);
  wanted.candidates[0].kernel = &first;
  wanted.candidates[0].predicted_seconds = 1e-6;
  wanted.candidates[1].kernel = &second;
  wanted.candidates[1].predicted_seconds = 2e-6;
  wanted.chosen = wanted.candidates[0];
  operations::StandIn stand_in(wanted, jit::NotCompiled("missing"));
  selector::Decision other = wanted;
  other.chosen = wanted.candidates[1];
  CHECK(stand_in.fits(other));
  other.chosen.predicted_seconds = 5e-6;
  CHECK_FALSE(stand_in.fits(other));
  other.chosen = wanted.candidates[1];
  other.chosen.makes_format = true;
  CHECK_FALSE(stand_in.fits(other));
  other.candidates = {other.chosen};
  CHECK_THROWS_AS(stand_in.exclude(other), jit::NotCompiled);
}
