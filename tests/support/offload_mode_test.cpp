// What a thread asks for stands in the place of CUGRB_OFFLOAD, for that thread only.
#include "src/support/offload_mode.h"

#include <string>
#include <thread>

#include "tests/catch.h"

using namespace cugrb;

TEST_CASE("a thread asks for a mode, nested, and leaves it to the environment again") {
  const SettingsGuard guard;
  Settings settings;
  settings.offload = Offload::always;
  override_settings(settings);
  CHECK(offload_mode() == Offload::always);
  CHECK(std::string(offload_reason(Offload::always)) == "CUGRB_OFFLOAD=always");

  CHECK_FALSE(ask_offload(Offload::never).has_value());
  CHECK(any_thread_asked());
  CHECK(offload_mode() == Offload::never);
  CHECK(std::string(offload_reason(Offload::never)) == "the program asked for offload never");
  Offload elsewhere = Offload::never;
  std::thread([&elsewhere] { elsewhere = offload_mode(); }).join();
  CHECK(elsewhere == Offload::always);

  CHECK(ask_offload(Offload::automatic) == Offload::never);
  CHECK(offload_mode() == Offload::automatic);
  CHECK(ask_offload(std::nullopt) == Offload::automatic);
  CHECK(offload_mode() == Offload::always);
}
