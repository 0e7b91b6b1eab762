// Calibration profiles: the input is a file's text. What is accepted must be finite numbers that are written
// and read again as the same.
#include <cmath>
#include <stdexcept>
#include <string>

#include "src/selector/profile.h"
#include "tests/fuzz/require.h"

namespace {

using namespace cugrb;
using fuzz::require;

runtime::Properties some_gpu() {
  runtime::Properties properties;
  properties.name = "NVIDIA H200";
  properties.kind = runtime::Kind::cuda;
  return properties;
}

std::string with_value(std::string profile, unsigned k, const std::string& value) {
  size_t begin = 0;
  for (unsigned n = 0; n <= k; ++n) {
    const size_t next = profile.find("\": ", begin);
    if (next != profile.npos) begin = next + 3;
  }
  return profile.replace(begin, profile.find_first_of(",\n", begin) - begin, value);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const runtime::Properties gpu = some_gpu();
  static const std::string sound = selector::profile_text(selector::Hardware::from_properties(gpu), gpu.name);
  std::string text(reinterpret_cast<const char*>(data), size);
  if (size > 2 && text[0] == '@') text = with_value(sound, data[1], text.substr(2));
  try {
    selector::Hardware hardware = selector::parse_profile(text, gpu);
    selector::Hardware again = selector::parse_profile(selector::profile_text(hardware, gpu.name), gpu);
    for (const selector::ProfileNumber& number : selector::profile_numbers()) {
      require(std::isfinite(number.in(hardware)) && number.in(hardware) >= 0, "numbers are finite");
      require(number.in(hardware) == number.in(again), "a profile comes back");
    }
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
