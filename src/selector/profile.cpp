#include "src/selector/profile.h"

#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "src/jit/jit.h"
#include "src/jit/private_files.h"

namespace cugrb::selector {

using nlohmann::json;

double& ProfileNumber::in(Hardware& hardware) const {
  if (in_table()) return hardware.workloads.entries_per_second[kind][row_class][length];
  return rate != nullptr ? hardware.*rate : hardware.of(kernels).*kernel;
}

namespace {

using ProfileNumbers = std::vector<ProfileNumber>;

void add_rates(ProfileNumbers& numbers) {
  const std::pair<const char*, double Hardware::*> rates[] = {
      {"copy_bytes_per_second", &Hardware::copy_bytes_per_second},
      {"cached_bytes_per_second", &Hardware::cached_bytes_per_second},
      {"cached_bytes", &Hardware::cached_bytes},
      {"launch_seconds", &Hardware::launch_seconds},
      {"further_launch_seconds", &Hardware::further_launch_seconds},
      {"latency_seconds", &Hardware::latency_seconds},
      {"near_gathers_per_second", &Hardware::near_gathers_per_second},
      {"far_gathers_per_second", &Hardware::far_gathers_per_second},
      {"popular_gathers_per_second", &Hardware::popular_gathers_per_second},
      {"popular_bytes", &Hardware::popular_bytes},
      {"shared_gathers_per_second", &Hardware::shared_gathers_per_second},
      {"atomics_per_second", &Hardware::atomics_per_second},
      {"contended_update_seconds", &Hardware::contended_update_seconds},
      {"sort_keys_per_second", &Hardware::sort_keys_per_second},
      {"bus_bytes_per_second", &Hardware::bus_bytes_per_second}};
  for (const auto& [name, rate] : rates) numbers.push_back({name, rate});
  for (const auto& [name, rate] : {std::pair("peer_bytes_per_second", &Hardware::peer_bytes_per_second),
                                   std::pair("peer_seconds", &Hardware::peer_seconds)}) {
    numbers.push_back({name, rate});
    numbers.back().of_links = true;
  }
}

void add_numbers_of_kernels(ProfileNumbers& numbers) {
  const std::pair<const char*, double KernelNumbers::*> of_kernels[] = {
      {"call_seconds", &KernelNumbers::call_seconds},
      {"start_seconds", &KernelNumbers::start_seconds},
      {"stream_share", &KernelNumbers::stream_share},
      {"gather_share", &KernelNumbers::gather_share},
      {"overlap", &KernelNumbers::overlap},
      {"entry_seconds", &KernelNumbers::entry_seconds},
      {"wave_load_seconds", &KernelNumbers::wave_load_seconds},
      {"tail_load_seconds", &KernelNumbers::tail_load_seconds}};
  for (size_t n = 0; n < std::size(measured_kernels); ++n) {
    for (const auto& [name, kernel] : of_kernels)
      numbers.push_back({std::string(measured_kernels[n]) + "." + name, nullptr, kernel, NumbersId(n)});
  }
}

void add_rates_of_workloads(ProfileNumbers& numbers) {
  for (size_t kind = 0; kind < WorkloadRates::kinds; ++kind) {
    for (size_t c = 0; c < tile_classes; ++c) {
      for (size_t n = 0; n < WorkloadRates::lengths; ++n) {
        const std::string shape = WorkloadRates::shape_of(int(c), n).name();
        const std::string name = std::string("workloads.") + WorkloadRates::kind_names[kind] + "." + shape;
        numbers.push_back({name, nullptr, nullptr, "tile_composite", kind, c, n});
      }
    }
  }
}

}  // namespace

const ProfileNumbers& profile_numbers() {
  static const ProfileNumbers all = [] {
    ProfileNumbers numbers;
    add_rates(numbers);
    add_numbers_of_kernels(numbers);
    add_rates_of_workloads(numbers);
    return numbers;
  }();
  return all;
}

std::string profile_text(const Hardware& hardware, const std::string& device) {
  Hardware copy = hardware;
  json numbers = json::object();
  for (const ProfileNumber& number : profile_numbers()) numbers[number.name] = number.in(copy);
  return json{{"device", device}, {"numbers", numbers}}.dump(1) + "\n";
}

Hardware parse_profile(const std::string& text, const runtime::Properties& device) {
  Hardware hardware = Hardware::from_properties(device);
  try {
    const json profile = json::parse(text);
    const std::string name = profile.at("device");
    if (name != device.name) throw std::invalid_argument("it is of " + name + ", not of " + device.name);
    const json& numbers = profile.at("numbers");
    size_t known = 0;
    for (const ProfileNumber& number : profile_numbers()) {
      if (number.of_links && !numbers.contains(number.name)) continue;
      ++known;
      const double value = numbers.at(number.name);
      if (!std::isfinite(value) || value < 0 || (number.kernel == nullptr && value == 0))
        throw std::invalid_argument(number.name + " is " + numbers[number.name].dump());
      number.in(hardware) = value;
    }
    if (numbers.size() != known) throw std::invalid_argument("it has numbers of unknown names");
  } catch (const json::exception& error) {
    throw std::invalid_argument(error.what());
  }
  return hardware;
}

std::string profile_path(const std::string& device) {
  const std::string folder = jit::cache_directory();
  if (folder.empty()) return {};
  std::string name;
  for (const char c : device) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return folder + "/profile_" + name + ".json";
}

namespace {

/// What is in force where nothing has been measured on this machine.
Profile given_profile(const runtime::Properties& device) {
  Profile profile;
  profile.hardware = Hardware::from_properties(device);
  if (device.kind == runtime::Kind::emulated) {
    profile.source = "the emulated device's";
    return profile;
  }
  if (device.name == "NVIDIA H200") {
    profile.source = "shipped (NVIDIA H200, driver 580, 2026-11-25)";
    return profile;
  }
  size_t count = 0;
  const jit::EmbeddedSource* const shipped = shipped_profiles(count);
  for (size_t n = 0; n < count; ++n) {
    const json text = json::parse(shipped[n].text);
    if (text.at("device") != device.name) continue;
    profile.hardware = parse_profile(shipped[n].text, device);
    profile.source = "shipped (" + device.name + ", driver " + text.at("driver").get<std::string>() + ", " +
                     text.at("date").get<std::string>() + ")";
    return profile;
  }
  profile.source = "scaled from the device's properties";
  profile.advice = "`cugrb calibrate` measures this GPU, once and for all, in about 40 s";
  return profile;
}

}  // namespace

Profile profile_of(const runtime::Properties& device) {
  Profile profile = given_profile(device);
  const std::string path = profile_path(device.name);
  if (path.empty() || profile.hardware.emulated) return profile;
  std::string refusal;
  const std::optional<std::string> text = jit::read_private_file(path, refusal);
  if (text) refusal = jit::distrust_of_folder(jit::cache_directory());
  if (!refusal.empty()) profile.problem = path + " is not used: " + refusal;
  if (!text || !refusal.empty()) return profile;
  try {
    profile.hardware = parse_profile(*text, device);
    profile.source = path;
    profile.advice.clear();
  } catch (const std::invalid_argument& error) {
    profile.problem = path + " is not a profile: " + error.what();
  }
  return profile;
}

const Profile* Profile::of_device() noexcept {
  // One per process, like the device. `available` is asked each time: after a fork there is no device any
  // more.
  if (!runtime::available()) return nullptr;
  try {
    static const Profile profile = profile_of(runtime::device().properties());
    return &profile;
  } catch (...) {
    return nullptr;
  }
}

}  // namespace cugrb::selector
