// Parts of arrays in shared memory (cuda/kernels/shared_parts.h), wherever they begin and end.
#include <numeric>
#include <vector>

#include "cuda/runtime/buffer.h"
#include "cuda/views/loaded_parts.h"
#include "src/formats/launch.h"
#include "tests/catch.h"

using namespace cugrb;
using runtime::Buffer;

namespace {

template <class T>
void check(const char* type) {
  std::vector<T> values(200);
  std::iota(values.begin(), values.end(), T(1));
  const Buffer array = Buffer::from_host(values.data(), values.size() * sizeof(T));
  const auto part = [&](uint32_t begin, uint32_t count) {
    return std::vector<T>(values.begin() + begin, values.begin() + begin + count);
  };
  for (const uint32_t first : {0, 1, 2, 3, 15}) {
    for (const uint32_t count : {0, 1, 2, 3, 4, 16, 17, 100}) {
      for (const uint32_t shift : {0, 1}) {
        INFO(type << ": " << count << " values from " << first << ", moved by " << shift);
        const uint32_t second = 200 - first - 77, second_count = 77;
        const Buffer loaded = Buffer::zeroed(2 * (count + second_count) * sizeof(T));
        formats::launch_blocks(
            "loaded_parts.h", std::string("load_parts<") + type + ">", 1,
            LoadedPartsArguments{array.data(), first, count, second, second_count, shift, loaded.as<void>()});
        std::vector<T> expected;
        for (const auto& values_of :
             {part(first, count), part(second, second_count), part(second, second_count), part(first, count)})
          expected.insert(expected.end(), values_of.begin(), values_of.end());
        CHECK(loaded.to_host<T>(expected.size()) == expected);
      }
    }
  }
}

}  // namespace

TEST_CASE("parts of an array are loaded whatever they begin with, to any place") {
  check<uint8_t>("uint8_t");
  check<uint16_t>("uint16_t");
  check<uint32_t>("uint32_t");
  check<uint64_t>("uint64_t");
}
