// Vector operations on the device against the obvious reference, over forms, masks, accumulators, replace,
// aliases and types: random configurations, several random vectors each.
#include <cstdlib>

#include "src/jit/jit.h"
#include "tests/catch.h"
#include "tests/operations/breadth.h"
#include "tests/operations/cases.h"

using namespace cugrb;

namespace {

/// Every domain and every way to write a result has been visited.
void check_coverage() {
  for (const char* part :
       {"write_back_all<", "write_back_listed<", "into_list<float, true>", "into_list<float, false>",
        "into_full<int64_t, true>", "into_full<float, false>", "into_bitmap<float, true>",
        "into_bitmap<float, false>", "vector_listed<", "mask_valued_listed<", "mask_structural_sparse<",
        "mask_valued_sparse<", "expression_gather<", "expression_spread<"}) {
    bool seen = false;
    for (const jit::Request& request : jit::requests_so_far())
      seen |= request.name.find(part) != std::string::npos;
    INFO(part);
    CHECK(seen);
  }
}

/// CUGRB_TEST_CONFIGURATIONS=N draws more (each new specialisation costs a compilation).
unsigned from_environment(const char* name, unsigned otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : unsigned(std::strtoul(text, nullptr, 10));
}

}  // namespace

TEST_CASE("random operations give what the reference gives, and leave their inputs alone") {
  const unsigned configurations = from_environment("CUGRB_TEST_CONFIGURATIONS", 80);
  const unsigned seed = from_environment("CUGRB_TEST_SEED", 1);
  const uint64_t lengths[] = {1, 7, 40, 300, 1300};
  for (unsigned n = 0; n < configurations; ++n) {
    // The last ones draw what check_coverage() asks for and the first do not.
    if (test::structures_only() && n >= 32 && n < 64) continue;
    test::Random random(seed * 1000003u + n);
    const test::Configuration configuration = n % 16 == 15 ? test::draw_sparse(random) : test::draw(random);
    for (unsigned repeat = 0; repeat < 10; ++repeat) {
      const uint64_t length = lengths[repeat % 5];
      std::string found;
      try {
        found = test::run(configuration, random, length);
      } catch (const std::exception& failure) {
        found = std::string("exception: ") + failure.what();
      }
      if (!found.empty()) {
        FAIL_CHECK("configuration " << n << " (seed " << seed << "), length " << length << ": "
                                    << configuration.text() << "\n  " << found);
        break;
      }
    }
  }
  const jit::Statistics statistics = jit::statistics();
  INFO(statistics.requests << " requests, " << statistics.compiled << " compiled");
  CHECK(statistics.failures == 0);
  check_coverage();
}
