#include "src/formats/l2_share.h"

#include "tests/catch.h"

using namespace cugrb;
using formats::sixteenths_kept_in_l2;

TEST_CASE(
    "L2 keeps a matrix that fits beside the vectors, a part of a larger one, and nothing of a large one") {
  constexpr double l2 = 60e6;
  CHECK(sixteenths_kept_in_l2(l2, 30e6, 6e6) == 16);
  CHECK(sixteenths_kept_in_l2(l2, 48e6, 3e6) == 9);   // 27.6 of 48 MB
  CHECK(sixteenths_kept_in_l2(l2, 48e6, 24e6) == 6);  // 18 MB are left
  CHECK(sixteenths_kept_in_l2(l2, 48e6, 60e6) == 0);  // the vectors alone are larger
  CHECK(sixteenths_kept_in_l2(l2, 200e6, 3e6) == 0);  // less than a quarter
  CHECK(sixteenths_kept_in_l2(l2, 0, 3e6) == 16);
  CHECK(sixteenths_kept_in_l2(0, 48e6, 3e6) == 0);  // a device that does not tell
}

TEST_CASE("what L2 keeps fits it, and is never less of a smaller matrix") {
  constexpr double l2 = 60e6;
  for (const double vectors : {0.0, 5e6, 20e6, 35e6, 50e6}) {
    int before = 16;
    for (double matrix = 1e6; matrix < 1e9; matrix *= 1.07) {
      const int kept = sixteenths_kept_in_l2(l2, matrix, vectors);
      CHECK(kept <= before);
      CHECK((kept == 0 || kept >= formats::least_kept_sixteenths));
      CHECK((kept == 0 || kept * matrix / 16 + vectors <= formats::l2_share_with_vectors * l2));
      before = kept;
    }
  }
}

TEST_CASE("policies for L2 are the words that createpolicy gives") {
  // createpolicy.fractional.L2::evict_normal.L2::evict_first.b64 of 1, 0.5 and 0.0625, nvcc 13.0 for sm_90.
  CHECK(l2_evict_normal(16) == 0x17F0000000000000);
  CHECK(l2_evict_normal(8) == 0x1770000000000000);
  CHECK(l2_evict_normal(1) == 0x1700000000000000);
}
