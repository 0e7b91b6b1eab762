// Decoupled look-back (cuda/kernels/look_back.h) by itself: on the emulated device every tile finds the one
// before it finished, a GPU's tiles find words in any state.
#include "cuda/runtime/buffer.h"
#include "tests/catch.h"
#include "tests/jit/fixture.h"

namespace {

using cugrb::runtime::Buffer;

struct LookBackArguments {  // as fixture.cpp's header declares it
  uint64_t* sums;
  uint64_t* before;
  uint64_t tile, own;
};

constexpr uint64_t alone = uint64_t(1) << 62, up_to_it = uint64_t(2) << 62;

/// Words of tiles before `tile`: tile `known` says the sum up to it, those behind it what they add.
std::vector<uint64_t> words_before(uint64_t tile, uint64_t known) {
  std::vector<uint64_t> words(tile + 2, 0);
  for (uint64_t n = 0; n < tile; ++n)
    words[n] = n < known ? alone | 1000000 : n == known ? up_to_it | 70000 : alone | (n + 1);
  return words;
}

}  // namespace

TEST_CASE("a tile adds up the words before it until one says the sum up to itself, however far back") {
  for (const uint64_t tile : {0, 1, 2, 31, 32, 33, 64, 97, 200}) {
    for (const uint64_t back : {1, 2, 32, 33, 65, 200}) {
      if (back > tile && back > 1) continue;
      const uint64_t known = tile > 0 ? tile - back : 0;
      const std::vector<uint64_t> words = words_before(tile, known);
      uint64_t expected = tile > 0 ? 70000 : 0;
      for (uint64_t n = known + 1; n < tile; ++n) expected += n + 1;
      const Buffer sums = Buffer::from_host(words.data(), words.size() * sizeof(uint64_t));
      const Buffer before = Buffer::zeroed(32 * sizeof(uint64_t));
      const LookBackArguments arguments{sums.as<uint64_t>(), before.as<uint64_t>(), tile, 9};
      cugrb::runtime::launch(cugrb::runtime::device(),
                             cugrb::jit::kernel({"look_back_probe.h", "look_back<uint64_t>", {}}), {1, 32, 0},
                             arguments);
      INFO("tile " << tile << ", known " << known);
      CHECK(before.to_host<uint64_t>(32) == std::vector<uint64_t>(32, expected));
      std::vector<uint64_t> after = words;
      after[tile] = up_to_it | (expected + 9);
      CHECK(sums.to_host<uint64_t>(after.size()) == after);
    }
  }
}
