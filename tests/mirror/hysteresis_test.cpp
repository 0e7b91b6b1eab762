// Hysteresis: who is kept on the host, and for how long.
#include "src/mirror/hysteresis.h"

#include "tests/catch.h"

using cugrb::mirror::Hysteresis;

namespace {

int refusals(Hysteresis& h) {
  int count = 0;
  while (h.refuse_offload()) ++count;
  return count;
}

void bounce(Hysteresis& h, int times) {
  for (int k = 0; k < times; ++k) {
    h.offloaded();
    h.element_access(false);
  }
}

}  // namespace

TEST_CASE("setting elements before a run of offloaded calls is no reason to stay on the host") {
  Hysteresis h;
  for (int k = 0; k < 100; ++k) h.element_access(false);
  CHECK(refusals(h) == 0);
  for (int k = 0; k < 100; ++k) h.offloaded();
  CHECK(refusals(h) == 0);
}

TEST_CASE("a vector that bounces is kept on the host, longer each time") {
  Hysteresis h;
  bounce(h, Hysteresis::bounce_limit - 1);
  CHECK(refusals(h) == 0);
  bounce(h, 1);
  CHECK(refusals(h) == Hysteresis::first_refusals);
  bounce(h, Hysteresis::bounce_limit);
  CHECK(refusals(h) == 2 * Hysteresis::first_refusals);
  for (int k = 0; k < 20; ++k) {
    bounce(h, Hysteresis::bounce_limit);
    CHECK(refusals(h) <= static_cast<int>(Hysteresis::most_refusals));
  }
}

TEST_CASE("an element now and then between many offloaded calls is forgiven") {
  Hysteresis h;
  for (int round = 0; round < 50; ++round) {
    for (uint32_t k = 0; k < Hysteresis::calm_limit; ++k) h.offloaded();
    h.element_access(false);
  }
  CHECK(refusals(h) == 0);
}

TEST_CASE("calm calls shorten the next stay on the host again") {
  Hysteresis h;
  bounce(h, Hysteresis::bounce_limit);
  CHECK(refusals(h) == Hysteresis::first_refusals);
  for (uint32_t k = 0; k < Hysteresis::calm_limit; ++k) h.offloaded();
  bounce(h, Hysteresis::bounce_limit + 1);
  CHECK(refusals(h) == Hysteresis::first_refusals);
}

TEST_CASE("many elements in a row bring the vector to the host, an offloaded call ends the row") {
  Hysteresis h;
  for (uint32_t k = 0; k + 1 < Hysteresis::run_limit; ++k) h.element_access(false);
  CHECK_FALSE(h.many_elements());
  h.element_access(false);
  CHECK(h.many_elements());
  h.offloaded();
  CHECK_FALSE(h.many_elements());
}

TEST_CASE("elements served by the device are neither offloaded calls nor bounces") {
  Hysteresis h;
  const auto on_device = [&h] {
    h.element_access(true);
    h.offloaded();  // the use that serves it
  };
  for (uint32_t k = 0; k + 1 < Hysteresis::run_limit; ++k) on_device();
  CHECK_FALSE(h.many_elements());
  on_device();
  CHECK(h.many_elements());
  CHECK(refusals(h) == 0);
  h.element_access(true);
  h.restored();  // it came to the host instead
  h.offloaded();
  CHECK_FALSE(h.many_elements());
}
