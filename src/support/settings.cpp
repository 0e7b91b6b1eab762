#include "src/support/settings.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>

#include "src/support/environment.h"

namespace cugrb {
namespace {

using Lookup = const char* (*)(const char*);

std::string text(Lookup lookup, const char* name) {
  const char* value = lookup(name);
  return value == nullptr ? "" : value;
}

void fail(Settings& settings, const char* name, const std::string& value, const char* expected) {
  if (settings.error.empty()) {
    settings.error = std::string(name) + "=" + value + ": expected " + expected;
  }
}

bool flag(Lookup lookup, Settings& settings, const char* name) {
  const std::string value = text(lookup, name);
  if (value == "1") return true;
  if (!value.empty() && value != "0") fail(settings, name, value, "0 or 1");
  return false;
}

uint64_t byte_count(Lookup lookup, Settings& settings, const char* name, uint64_t when_unset) {
  const std::string value = text(lookup, name);
  if (value.empty()) return when_unset;
  char* end = nullptr;
  errno = 0;
  const unsigned long long number = std::strtoull(value.c_str(), &end, 10);
  int shift = 0;
  if (*end == 'K') shift = 10;
  if (*end == 'M') shift = 20;
  if (*end == 'G') shift = 30;
  if (shift != 0) ++end;
  const bool digits_first = value[0] >= '0' && value[0] <= '9';
  if (!digits_first || errno != 0 || *end != '\0' || (number << shift) >> shift != number) {
    fail(settings, name, value, "a number of bytes, with an optional K, M or G");
    return when_unset;
  }
  return static_cast<uint64_t>(number) << shift;
}

/// Up to five numbers between colons.
SegmentSettings segments(Lookup lookup, Settings& settings) {
  const std::string value = text(lookup, "CUGRB_SEGMENTS");
  SegmentSettings given;
  if (value.empty()) return given;
  uint64_t room = 0;
  uint64_t* const places[] = {&given.slots, &given.slack, &given.width, &given.ordered, &room};
  std::istringstream list(value);
  size_t count = 0;
  bool valid = value.back() != ':';
  for (std::string number; std::getline(list, number, ':'); ++count) {
    const bool is_number =
        !number.empty() && number.size() < 10 && number.find_first_not_of("0123456789") == std::string::npos;
    valid = valid && is_number && count < std::size(places);
    if (valid) *places[count] = std::stoull(number);
  }
  if (count == std::size(places)) given.room = room;
  if (valid && given.slots >= 1 && given.slots <= 64 && given.ordered <= 1) return given;
  fail(settings, "CUGRB_SEGMENTS", value,
       "SLOTS[:SLACK[:WIDTH[:ORDERED[:ROOM]]]], with 1 to 64 slots, ordered 0 or 1");
  return {};
}

bool device_is_valid(const std::string& device) {
  if (device == "auto" || device == "gpu" || device == "emulated" || device == "none") return true;
  return device.rfind("gpu:", 0) == 0 && device.size() > 4 &&
         device.find_first_not_of("0123456789", 4) == std::string::npos;
}

/// Empty, "all", or numbers between commas, each once.
bool devices_are_valid(const std::string& devices) {
  if (devices.empty() || devices == "all") return true;
  std::set<std::string> numbers;
  std::istringstream list(devices);
  for (std::string number; std::getline(list, number, ',');) {
    const bool is_number =
        !number.empty() && number.size() < 4 && number.find_first_not_of("0123456789") == std::string::npos;
    if (!is_number || !numbers.insert(number).second) return false;
  }
  return devices.back() != ',';
}

/// Empty, or "point:N" or "point:N+", with "/call" behind it or not.
bool injection_is_valid(const std::string& injection) {
  if (injection.empty()) return true;
  for (const char* point : {"allocation:", "compilation:", "launch:"}) {
    if (injection.rfind(point, 0) != 0) continue;
    std::string number = injection.substr(std::strlen(point));
    if (number.ends_with("/call")) number.resize(number.size() - std::strlen("/call"));
    if (!number.empty() && number.back() == '+') number.pop_back();
    return !number.empty() && number[0] != '0' && number.find_first_not_of("0123456789") == std::string::npos;
  }
  return false;
}

/// A relative path means the working directory of this moment, wherever the program goes later.
std::string cache_folder(Lookup lookup, Settings& settings) {
  const std::string value = text(lookup, "CUGRB_CACHE");
  if (value.empty() || value == "off") return value;
  std::error_code unknown;
  const std::filesystem::path absolute = std::filesystem::absolute(value, unknown);
  if (unknown) fail(settings, "CUGRB_CACHE", value, "an absolute path: there is no working directory");
  return absolute;
}

/// What a setting may be; the last word is what it is when it is not set.
template <class Value>
using Choices = std::initializer_list<std::pair<const char*, Value>>;

/// "auto, always or never".
template <class Value>
std::string listed(const Choices<Value>& choices) {
  std::string words;
  size_t left = choices.size();
  for (const auto& [word, value] : choices)
    words += std::string(word) + (--left > 1 ? ", " : left == 1 ? " or " : "");
  return words;
}

template <class Value>
Value choice(Lookup lookup, Settings& settings, const char* name, const Choices<Value>& choices) {
  const std::string given = text(lookup, name);
  for (const auto& [word, value] : choices)
    if (given == word) return value;
  if (!given.empty()) fail(settings, name, given, listed(choices).c_str());
  return (choices.end() - 1)->second;
}

std::string trace_target(Lookup lookup, Settings& settings) {
  const std::string value = text(lookup, "CUGRB_TRACE");
  if (value.empty() || value == "0") return "";
  const bool is_json = value.size() > 5 && value.compare(value.size() - 5, 5, ".json") == 0;
  if (value != "1" && !is_json) fail(settings, "CUGRB_TRACE", value, "1 or a FILE.json");
  return value;
}

Settings* overridden = nullptr;

}  // namespace

Settings parse_settings(Lookup lookup) {
  Settings s;
  s.offload =
      choice<Offload>(lookup, s, "CUGRB_OFFLOAD",
                      {{"always", Offload::always}, {"never", Offload::never}, {"auto", Offload::automatic}});
  s.stress = choice<Stress>(
      lookup, s, "CUGRB_STRESS",
      {{"evict-outputs", Stress::evict_outputs}, {"evict-all", Stress::evict_all}, {"none", Stress::none}});
  s.trace = trace_target(lookup, s);
  s.verify = flag(lookup, s, "CUGRB_VERIFY");
  s.summary = flag(lookup, s, "CUGRB_SUMMARY") || s.verify || !s.trace.empty();
  s.deterministic = flag(lookup, s, "CUGRB_DETERMINISTIC");
  s.join = choice<JoinPolicy>(lookup, s, "CUGRB_JOIN",
                              {{"never", JoinPolicy::never}, {"auto", JoinPolicy::automatic}});
  flag(lookup, s, "CUGRB_NOTICE");  // src/capi/notice.cpp reads it; a wrong value is an error all the same
  s.segments = segments(lookup, s);
  s.trials = choice<TrialPolicy>(
      lookup, s, "CUGRB_TRIALS",
      {{"always", TrialPolicy::always}, {"never", TrialPolicy::never}, {"auto", TrialPolicy::automatic}});
  s.loops = choice<LoopPolicy>(lookup, s, "CUGRB_LOOPS",
                               {{"always", LoopPolicy::always},
                                {"never", LoopPolicy::never},
                                {"slow-device", LoopPolicy::slow_device},
                                {"fast-device", LoopPolicy::fast_device},
                                {"auto", LoopPolicy::automatic}});
  s.jit = choice<CompilePolicy>(lookup, s, "CUGRB_JIT",
                                {{"wait", CompilePolicy::wait},
                                 {"background", CompilePolicy::background},
                                 {"never", CompilePolicy::never},
                                 {"auto", CompilePolicy::automatic}});
  s.fork = choice<ForkPolicy>(lookup, s, "CUGRB_FORK",
                              {{"leave", ForkPolicy::leave}, {"bring", ForkPolicy::bring}});
  s.force = text(lookup, "CUGRB_FORCE");
  const std::string device = text(lookup, "CUGRB_DEVICE");
  if (!device.empty()) s.device = device;
  if (!device_is_valid(s.device)) fail(s, "CUGRB_DEVICE", device, "auto, gpu, gpu:N, emulated or none");
  s.devices = text(lookup, "CUGRB_DEVICES");
  if (!devices_are_valid(s.devices))
    fail(s, "CUGRB_DEVICES", s.devices, "all, or numbers of devices like 0,1");
  s.graphblas = text(lookup, "CUGRB_GRAPHBLAS");
  s.cache = cache_folder(lookup, s);
  s.cache_limit_bytes = byte_count(lookup, s, "CUGRB_CACHE_LIMIT", s.cache_limit_bytes);
  s.memory_limit_bytes = byte_count(lookup, s, "CUGRB_MEMORY_LIMIT", s.memory_limit_bytes);
  s.inject = text(lookup, "CUGRB_INJECT");
  if (!injection_is_valid(s.inject)) {
    fail(s, "CUGRB_INJECT", s.inject,
         "allocation:N, compilation:N or launch:N, N from 1, N+ for all from the N-th on, /call behind it "
         "for each call");
  }
  return s;
}

const Settings& settings() {
  static const Settings parsed = parse_settings(environment_variable);
  return overridden == nullptr ? parsed : *overridden;
}

void override_settings(const Settings& settings) {
  static Settings storage;
  storage = settings;
  overridden = &storage;
}

void force_kernel(const std::string& kernel) {
  Settings changed = settings();
  changed.force = kernel;
  override_settings(changed);
}

}  // namespace cugrb
