// A device's profile: its file says what was written, and what is wrong with it is said.
#include "src/selector/profile.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "src/support/settings.h"
#include "tests/catch.h"

using namespace cugrb;
using selector::Hardware;
using selector::parse_profile;
using selector::Profile;
using selector::profile_numbers;
using selector::ProfileNumber;

namespace {

runtime::Properties gpu(const std::string& name) {
  runtime::Properties properties;
  properties.kind = runtime::Kind::cuda;
  properties.name = name;
  properties.multiprocessors = 40;
  properties.l2_bytes = 4 << 20;
  return properties;
}

/// CUGRB_CACHE is a folder of its own until this goes.
class OwnCache {
 public:
  OwnCache() : before_(settings()), folder_(std::filesystem::temp_directory_path() / "cugrb_profile_test") {
    std::filesystem::create_directories(folder_);
    Settings changed = before_;
    changed.cache = folder_.string();
    override_settings(changed);
  }
  ~OwnCache() {
    override_settings(before_);
    std::filesystem::remove_all(folder_);
  }

 private:
  Settings before_;
  std::filesystem::path folder_;
};

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("every number of a profile comes back from its text, under its own name") {
  Hardware written;
  double value = 1.5;
  for (const ProfileNumber& number : profile_numbers()) number.in(written) = value += 0.25;
  Hardware read = parse_profile(profile_text(written, "a GPU"), gpu("a GPU"));
  value = 1.5;
  for (const ProfileNumber& number : profile_numbers()) {
    INFO(number.name);
    CHECK(number.in(read) == (value += 0.25));
  }
}

TEST_CASE("a profile of one device says nothing of links") {
  std::string text = profile_text(Hardware(), "a GPU");
  for (const char* name : {"peer_bytes_per_second", "peer_seconds"}) {
    const size_t begin = text.find("  \"" + std::string(name)), end = text.find('\n', begin);
    REQUIRE(begin != std::string::npos);
    text.erase(begin, end - begin + 1);
  }
  CHECK(parse_profile(text, gpu("a GPU")).peer_seconds == Hardware().peer_seconds);
}

TEST_CASE("what is not a device's profile is refused with the reason") {
  const std::string good = profile_text(Hardware(), "a GPU");
  const struct {
    std::string text, says;
  } cases[] = {{"", "parse error"},
               {good.substr(0, good.size() / 2), "parse error"},
               {"[1, 2]", "type"},
               {"{\"device\": \"a GPU\"}", "numbers"},
               {profile_text(Hardware(), "another GPU"), "another GPU"},
               {replaced(good, "cached_bytes\"", "cashed_bytes\""), "cached_bytes"},
               {replaced(good, "workloads.fp32.128x1\"", "workloads.fp32.100x1\""), "workloads.fp32.128x1"},
               {replaced(good, "\"workloads.bool.64x8\": ", "\"workloads.bool.64x8\": 0, \"y\": "),
                "workloads.bool.64x8 is 0"},
               {replaced(good, "\"numbers\": {", "\"numbers\": {\"more\": 1,"), "unknown"},
               {replaced(good, "\"latency_seconds\": ", "\"latency_seconds\": -"), "latency_seconds"},
               {replaced(good, "\"latency_seconds\": ", "\"latency_seconds\": \"x\", \"y\": "), "number"}};
  for (const auto& c : cases) {
    INFO(c.says);
    std::string said = "nothing";
    try {
      parse_profile(c.text, gpu("a GPU"));
    } catch (const std::invalid_argument& error) {
      said = error.what();
    }
    INFO(said);
    CHECK(said.find(c.says) != std::string::npos);
  }
}

TEST_CASE("an unknown GPU's table of workloads is the shipped one, slower by its share of an H200") {
  runtime::Properties half = gpu("Some GPU");
  half.multiprocessors = 66;
  const auto shipped = Hardware().workloads.entries_per_second;
  const auto scaled = Hardware::from_properties(half).workloads.entries_per_second;
  for (size_t kind = 0; kind < selector::WorkloadRates::kinds; ++kind) {
    for (size_t c = 0; c < tile_classes; ++c) {
      for (size_t n = 0; n < selector::WorkloadRates::lengths; ++n)
        CHECK(scaled[kind][c][n] == Approx(0.3 * shipped[kind][c][n]));
    }
  }
}

TEST_CASE("a file in the cache's folder is in force; a damaged one is not, and the profile says why") {
  const OwnCache cache;
  const runtime::Properties device = gpu("Some GPU/2");
  const Profile scaled = selector::profile_of(device);
  CHECK(scaled.source == "scaled from the device's properties");
  CHECK(scaled.problem.empty());
  CHECK(scaled.advice.find("cugrb calibrate") != std::string::npos);

  Hardware own = scaled.hardware;
  own.copy_bytes_per_second = 123e9;
  const std::string path = selector::profile_path(device.name), text = profile_text(own, device.name);
  CHECK(path.find("Some_GPU_2") != std::string::npos);
  write(path, text);
  const Profile calibrated = selector::profile_of(device);
  CHECK(calibrated.source == path);
  CHECK(calibrated.problem.empty());
  CHECK(calibrated.advice.empty());
  CHECK(calibrated.hardware.copy_bytes_per_second == 123e9);

  for (const std::string& writable : {path, std::filesystem::path(path).parent_path().string()}) {
    namespace fs = std::filesystem;
    fs::permissions(writable, fs::perms::others_write, fs::perm_options::add);
    const Profile refused = selector::profile_of(device);
    fs::permissions(writable, fs::perms::others_write, fs::perm_options::remove);
    CHECK(refused.source == scaled.source);
    CHECK(refused.problem == path + " is not used: its group or others can write to it");
    CHECK(refused.hardware.copy_bytes_per_second == scaled.hardware.copy_bytes_per_second);
  }
  CHECK(selector::profile_of(device).source == path);

  write(path, text.substr(0, text.size() / 2));
  const Profile damaged = selector::profile_of(device);
  CHECK(damaged.source == scaled.source);
  CHECK(damaged.problem.find(path) != std::string::npos);
  CHECK(damaged.hardware.copy_bytes_per_second == scaled.hardware.copy_bytes_per_second);
}

TEST_CASE("every shipped profile is whole, and says whose it is, by which driver and when") {
  const OwnCache cache;
  size_t count = 0;
  const jit::EmbeddedSource* const shipped = selector::shipped_profiles(count);
  REQUIRE(count > 0);
  std::vector<std::string> devices = {"NVIDIA H200"};
  for (size_t n = 0; n < count; ++n) {
    const auto text = nlohmann::json::parse(shipped[n].text);
    devices.push_back(text.at("device"));
    Hardware hardware = selector::parse_profile(shipped[n].text, gpu(devices.back()));
    for (const auto& number : selector::profile_numbers()) {
      INFO(number.name);
      if (number.of_links && !text["numbers"].contains(number.name)) continue;
      CHECK(number.in(hardware) == text["numbers"][number.name].get<double>());
    }
  }
  for (const std::string& device : devices) {
    const Profile profile = selector::profile_of(gpu(device));
    INFO(profile.source);
    CHECK(profile.source.rfind("shipped (" + device + ", driver ", 0) == 0);
    CHECK(profile.source.find(", 20") != std::string::npos);
    CHECK(profile.advice.empty());
    CHECK(profile.problem.empty());
  }
  CHECK(std::count(devices.begin(), devices.end(), "NVIDIA H100 80GB HBM3") == 1);
}
