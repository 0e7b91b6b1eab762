// CUGRB_* variables: what they mean, and that a wrong one is told in a readable line.
#include "src/support/settings.h"

#include <filesystem>
#include <map>
#include <string>

#include "tests/catch.h"

using namespace cugrb;

namespace {

std::map<std::string, std::string> environment;

Settings parsed(const std::map<std::string, std::string>& variables) {
  environment = variables;
  return parse_settings([](const char* name) -> const char* {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

}  // namespace

TEST_CASE("an empty environment gives the defaults") {
  const Settings s = parsed({});
  CHECK(s.error.empty());
  CHECK(s.offload == Offload::automatic);
  CHECK(s.stress == Stress::none);
  CHECK(s.device == "auto");
  CHECK(s.trace.empty());
  CHECK_FALSE(s.summary);
  CHECK_FALSE(s.verify);
  CHECK_FALSE(s.deterministic);
  CHECK(s.trials == TrialPolicy::automatic);
  CHECK(s.jit == CompilePolicy::automatic);
  CHECK(s.memory_limit_bytes == 0);
}

TEST_CASE("whoever has results compared is told of differences") {
  CHECK(parsed({{"CUGRB_VERIFY", "1"}}).summary);
}

TEST_CASE("every variable is read") {
  const Settings s = parsed({{"CUGRB_OFFLOAD", "always"},
                             {"CUGRB_STRESS", "evict-all"},
                             {"CUGRB_TRACE", "out/trace.json"},
                             {"CUGRB_VERIFY", "1"},
                             {"CUGRB_DETERMINISTIC", "1"},
                             {"CUGRB_TRIALS", "never"},
                             {"CUGRB_SEGMENTS", "3:20:8"},
                             {"CUGRB_JIT", "background"},
                             {"CUGRB_FORCE", "mxv_row_warp"},
                             {"CUGRB_DEVICE", "gpu:3"},
                             {"CUGRB_GRAPHBLAS", "/lib/x.so"},
                             {"CUGRB_CACHE", "off"},
                             {"CUGRB_CACHE_LIMIT", "20M"},
                             {"CUGRB_MEMORY_LIMIT", "3G"},
                             {"CUGRB_INJECT", "allocation:5"}});
  CHECK(s.error.empty());
  CHECK(s.offload == Offload::always);
  CHECK(s.stress == Stress::evict_all);
  CHECK(s.trace == "out/trace.json");
  CHECK(s.summary);  // implied by a trace
  CHECK(s.verify);
  CHECK(s.deterministic);
  CHECK(s.trials == TrialPolicy::never);
  CHECK(s.segments.slots == 3);
  CHECK(s.segments.slack == 20);
  CHECK(s.segments.width == 8);
  CHECK(s.jit == CompilePolicy::background);
  CHECK(s.force == "mxv_row_warp");
  CHECK(s.device == "gpu:3");
  CHECK(s.graphblas == "/lib/x.so");
  CHECK(s.cache == "off");
  CHECK(s.cache_limit_bytes == uint64_t(20) << 20);
  CHECK(s.memory_limit_bytes == uint64_t(3) << 30);
  CHECK(s.inject == "allocation:5");
}

TEST_CASE(
    "the kernel cache has a bound unless it is taken away, and a place that no change of directory moves") {
  CHECK(parsed({}).cache_limit_bytes == uint64_t(1) << 30);
  CHECK(parsed({{"CUGRB_CACHE_LIMIT", "0"}}).cache_limit_bytes == 0);
  CHECK(parsed({{"CUGRB_CACHE", "below/here"}}).cache ==
        (std::filesystem::current_path() / "below/here").string());
  CHECK(parsed({{"CUGRB_CACHE", "/below/there"}}).cache == "/below/there");
}

TEST_CASE("a wrong value is reported with its variable and what was expected") {
  const std::map<std::string, std::string> wrong = {
      {"CUGRB_OFFLOAD", "sometimes"}, {"CUGRB_STRESS", "1"},         {"CUGRB_TRACE", "trace.txt"},
      {"CUGRB_SUMMARY", "yes"},       {"CUGRB_VERIFY", "2"},         {"CUGRB_DEVICE", "gpu:"},
      {"CUGRB_MEMORY_LIMIT", "-1"},   {"CUGRB_DETERMINISTIC", "x"},  {"CUGRB_TRIALS", "1"},
      {"CUGRB_JIT", "always"},        {"CUGRB_CACHE_LIMIT", "much"}, {"CUGRB_NOTICE", "quiet"}};
  for (const auto& [name, value] : wrong) {
    INFO(name);
    const Settings s = parsed({{name, value}});
    CHECK(s.error.find(name + "=" + value) == 0);
    CHECK(s.error.find("expected") != std::string::npos);
  }
  for (const char* value : {"12T", "K", "99999999999999999999", "17179869184G", "1 G"}) {
    INFO(value);
    CHECK_FALSE(parsed({{"CUGRB_MEMORY_LIMIT", value}}).error.empty());
  }
}

TEST_CASE("segments of a row are one number to five") {
  CHECK(parsed({}).segments.slots == 4);
  CHECK(parsed({{"CUGRB_SEGMENTS", "2"}}).segments.slots == 2);
  CHECK(parsed({{"CUGRB_SEGMENTS", "2:7"}}).segments.slack == 7);
  CHECK(parsed({{"CUGRB_SEGMENTS", "2:7"}}).segments.width == 0);
  CHECK(parsed({{"CUGRB_SEGMENTS", "2:7:5"}}).segments.ordered == 1);
  CHECK(parsed({{"CUGRB_SEGMENTS", "2:7:5:0"}}).segments.ordered == 0);
  CHECK_FALSE(parsed({{"CUGRB_SEGMENTS", "2:7:5:0"}}).segments.room);
  CHECK(parsed({{"CUGRB_SEGMENTS", "2:7:5:0:3"}}).segments.room == uint64_t(3));
  for (const char* value :
       {"0", "65", "4:", ":4", "4:5:6:7", "4:5:6:1:0:2", "4,5", "-1", "4::6", "4:99999999999"}) {
    INFO(value);
    const Settings s = parsed({{"CUGRB_SEGMENTS", value}});
    CHECK(s.error.find("CUGRB_SEGMENTS=") == 0);
    CHECK(s.segments.slots == 4);
    CHECK(s.segments.slack == 0);
  }
}

TEST_CASE("memory limits take suffixes") {
  CHECK(parsed({{"CUGRB_MEMORY_LIMIT", "12345"}}).memory_limit_bytes == 12345);
  CHECK(parsed({{"CUGRB_MEMORY_LIMIT", "7K"}}).memory_limit_bytes == 7168);
  CHECK(parsed({{"CUGRB_MEMORY_LIMIT", "2M"}}).memory_limit_bytes == 2097152);
}

TEST_CASE("a failure to inject is a point and a number") {
  for (const char* good :
       {"allocation:1", "compilation:12", "launch:3+", "launch:3+/call", "allocation:1/call"})
    CHECK(parsed({{"CUGRB_INJECT", good}}).error.empty());
  for (const char* bad : {"allocation", "allocation:", "allocation:0", "launch:x", "free:1", "launch:+",
                          "launch:/call", "launch:2/calls"}) {
    INFO(bad);
    CHECK(parsed({{"CUGRB_INJECT", bad}}).error.find("CUGRB_INJECT") != std::string::npos);
  }
}
