// Sharing out work to devices.
#include "src/selector/shares.h"

#include "tests/catch.h"

using namespace cugrb::selector;

TEST_CASE("equal devices have equal shares") {
  const Shares shares = share_out({{0, 3}, {0, 3}, {0, 3}});
  CHECK(shares.seconds == Approx(1));
  for (const double share : shares.of_device) CHECK(share == Approx(1.0 / 3));
}

TEST_CASE("who waits for its operands has less, and all end at once") {
  const Shares shares = share_out({{0, 2}, {0.5, 2}});
  CHECK(shares.seconds == Approx(1.25));
  CHECK(shares.of_device[0] == Approx(0.625));
  CHECK(shares.of_device[1] == Approx(0.375));
}

TEST_CASE("who is twice as fast has twice as much") {
  const Shares shares = share_out({{0, 1}, {0, 2}});
  CHECK(shares.of_device[0] == Approx(2.0 / 3));
  CHECK(shares.of_device[1] == Approx(1.0 / 3));
}

TEST_CASE("who would begin when the others have done it all has nothing") {
  const Shares shares = share_out({{0, 1}, {5, 1}, {0.1, 1}});
  CHECK(shares.of_device[1] == 0);
  CHECK(shares.of_device[0] + shares.of_device[2] == Approx(1));
  CHECK(shares.seconds == Approx(0.55));
  CHECK(text_of(shares.of_device) == "0.55 0.00 0.45");
}
