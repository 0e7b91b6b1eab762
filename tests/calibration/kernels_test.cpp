// How a product is measured by forced kernels, with a product that only notes what it is asked for.
#include "tools/calibration/kernels.h"

#include "src/support/settings.h"
#include "tests/catch.h"

using namespace cugrb;
using calibration::AnotherKernel;
using nlohmann::json;

namespace {

/// Runs the kernel that is forced, as its trace record says; but "mxv_coo" never does.
struct Fake {
  std::string calls;
  SettingsGuard guard;

  calibration::Product product() {
    return {"GrB_mxv", [this] { run(); }, [this] { calls += "forget "; }, "mxv_row_warp",
            [this] { calls += "often "; }};
  }

 private:
  void run() {
    const std::string forced = settings().force;
    calls += forced + " ";
    const bool refused = forced == "mxv_coo";
    trace::current().kernel = refused ? "mxv_merge" : forced;
    if (refused) trace::current().reason = "no room";
  }
};

}  // namespace

TEST_CASE("a kernel that was forced and did not run has no time") {
  Fake fake;
  CHECK(calibration::run_by("mxv_ell", fake.product()).kernel == "mxv_ell");
  CHECK_THROWS_WITH(calibration::run_by("mxv_coo", fake.product()),
                    "mxv_coo was asked for, mxv_merge ran: no room");
  CHECK_THROWS_AS(calibration::first_seconds("mxv_coo", fake.product()), AnotherKernel);
  CHECK(calibration::run_by("", fake.product()).kernel.empty());  // the free choice: whatever runs
}

TEST_CASE("a first product finds the operands profiled, and nothing else made; the next one is warm") {
  Fake fake;
  CHECK(calibration::first_seconds("mxv_ell", fake.product()) >= 0);
  // Twice: kernels might have had to be compiled the first time.
  const std::string once = "forget mxv_row_warp mxv_ell ";
  CHECK((fake.calls == once + "often mxv_ell " || fake.calls == once + once + "often mxv_ell "));
}

TEST_CASE("kernels are compared in turns, without those that do not run") {
  Fake fake;
  const calibration::ComparedKernels compared =
      calibration::compare({"mxv_ell", "mxv_coo", "mxv_merge"}, fake.product(), 3, 0);
  CHECK(compared.rounds == 3);
  CHECK(compared.seconds.size() == 2);
  CHECK(compared.seconds.count("mxv_coo") == 0);
  CHECK(fake.calls.rfind("often mxv_coo mxv_ell ", 0) == 0);
}

TEST_CASE("rows near the best one are timed again in turns; others keep what they have") {
  Fake fake;
  json rows = json::array({{{"kernel", "mxv_ell"}, {"median_seconds", 10.0}},
                           {{"kernel", "mxv_merge"}, {"median_seconds", 19.0}},
                           {{"kernel", "mxv_sell"}, {"median_seconds", 21.0}},
                           {{"kernel", "mxv_hyb"}, {"skipped", "no reason"}},
                           {{"kernel", "choice"}, {"median_seconds", 10.0}}});
  calibration::time_in_turns(rows, 10, fake.product(), 3, 0);
  for (const size_t near : {0, 1}) {
    CHECK(rows[near]["rounds"] == 3);
    CHECK(rows[near]["median_seconds"] < 10);
    CHECK(rows[near].contains("host_call_seconds"));
  }
  CHECK(rows[2] == json{{"kernel", "mxv_sell"}, {"median_seconds", 21.0}});
  CHECK(rows[3] == json{{"kernel", "mxv_hyb"}, {"skipped", "no reason"}});
  CHECK(rows[4] == json{{"kernel", "choice"}, {"median_seconds", 10.0}});
}
