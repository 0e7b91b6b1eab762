// The look back over the sums of earlier tiles (cuda/kernels/look_back.h), wherever the last tile lies that
// knows its sum up to itself. The emulated device ends a tile before the next one begins, so that in the
// kernels' own tests it is always the one before: here a test writes the words.
#include <vector>

#include "cuda/runtime/buffer.h"
#include "cuda/views/earlier_tiles.h"
#include "src/formats/launch.h"
#include "tests/catch.h"

using namespace cugrb;
using runtime::Buffer;

namespace {

// As in cuda/kernels/look_back.h.
constexpr uint64_t alone = uint64_t(1) << 62, up_to_it = uint64_t(2) << 62;

uint64_t added_by(uint64_t tile) { return 1000003 * tile + 7; }

/// Tiles up to `known` know the sum up to themselves, later ones what they add.
std::vector<uint64_t> words_of(uint64_t tiles, uint64_t known) {
  std::vector<uint64_t> words;
  uint64_t sum = 0;
  for (uint64_t tile = 0; tile < tiles; ++tile) {
    sum += added_by(tile);
    words.push_back(tile <= known ? up_to_it | sum : alone | added_by(tile));
  }
  return words;
}

}  // namespace

TEST_CASE("a tile adds up the tiles before it, back to one that knows its sum") {
  for (const uint64_t tile : {1, 2, 31, 32, 33, 63, 64, 127, 128, 129, 300, 517}) {
    uint64_t sum = 0;
    for (uint64_t earlier = 0; earlier < tile; ++earlier) sum += added_by(earlier);
    for (const uint64_t distance : {1, 2, 3, 5, 16, 31, 32, 33, 64, 100, 128, 129, 256, 400, 517}) {
      if (distance > tile) continue;
      INFO("tile " << tile << ", of which the " << distance << "-th before knows its sum");
      std::vector<uint64_t> words = words_of(tile, tile - distance);
      words.push_back(alone | added_by(tile));
      const Buffer sums = Buffer::from_host(words.data(), words.size() * sizeof(uint64_t));
      const Buffer before = Buffer::zeroed(sizeof(uint64_t));
      const EarlierTilesArguments arguments{sums.as<uint64_t>(), tile, added_by(tile), before.as<uint64_t>()};
      formats::launch_blocks("earlier_tiles.h", "earlier_tiles<0>", 1, arguments);
      CHECK(before.read<uint64_t>(0) == sum);
      CHECK(sums.read<uint64_t>(tile) == (up_to_it | (sum + added_by(tile))));
      CHECK(sums.read<uint64_t>(tile - 1) == words[tile - 1]);
    }
  }
}
