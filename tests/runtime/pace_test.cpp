// What launches take the host, by some of them.
#include "cuda/runtime/host_pace.h"

#include <thread>

#include "tests/catch.h"

using cugrb::runtime::HostPace;

TEST_CASE(
    "the host's pace is known after 32 calls, and follows the faster ones of the last that were timed") {
  HostPace pace;
  const auto call = [&](int milliseconds) {
    return pace.timed([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
      return milliseconds;
    });
  };
  for (int n = 0; n < 28; ++n) {
    CHECK(call(n % 4 == 0 ? 2 : 0) == (n % 4 == 0 ? 2 : 0));
    CHECK(pace.seconds() == 0);
  }
  call(2);
  CHECK(pace.seconds() >= 2e-3);
  for (int n = 0; n < 3 + 4; ++n) call(0);  // one of nine that were timed
  CHECK(pace.seconds() >= 2e-3);
  for (int n = 0; n < 4; ++n) call(0);
  CHECK(pace.seconds() < 2e-3);
  for (int n = 0; n < 4 * 64; ++n) call(n % 4 == 0 ? 1 : 0);
  CHECK(pace.seconds() >= 1e-3);
}
