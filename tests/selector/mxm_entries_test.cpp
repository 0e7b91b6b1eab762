// Entries of a product from the distribution of its rows' products and from counted rows: known answers, and
// the limits on what is counted.
#include "src/selector/mxm_entries.h"

#include <cmath>

#include "tests/catch.h"

using namespace cugrb;
using selector::MaskUse;
using selector::ProductOctaves;
using selector::ResultEntries;

namespace {

/// `rows` rows of so many products, and of the mask so many entries each.
void add(ProductOctaves& octaves, int octave, uint64_t rows, uint64_t products, uint64_t mask_entries = 0) {
  octaves[size_t(octave)] = {rows, rows * products, rows * mask_entries};
}

}  // namespace

TEST_CASE("rows whose entries are in proportion to their products give the exact number") {
  ProductOctaves octaves{};
  add(octaves, 4, 1000, 20, 3);
  add(octaves, 9, 10, 600, 8);
  const std::vector<SampledRow> samples = {{20, 10, 3, 3, 1}, {20, 10, 3, 3, 1}, {600, 300, 8, 8, 4}};
  const ResultEntries all = selector::counted_entries(octaves, samples, 5000, MaskUse::none);
  CHECK(all.source == ResultEntries::Source::sampled);
  CHECK(all.all == Approx(1000 * 10 + 10 * 300));
  CHECK(all.kept == all.all);
  CHECK(all.counted_rows == 3);
  CHECK(all.deviation == 0);
  CHECK(all.uncounted_share == 0);
  const ResultEntries selected = selector::counted_entries(octaves, samples, 5000, MaskUse::selects);
  CHECK(selected.all == all.all);
  CHECK(selected.kept == Approx(1000 * 1 + 10 * 4));
  CHECK(selector::counted_entries(octaves, samples, 5000, MaskUse::excludes).kept == Approx(13000 - 1040));
}

TEST_CASE("rows that differ say how sure they are") {
  ProductOctaves octaves{};
  add(octaves, 4, 1000, 20);
  const std::vector<SampledRow> samples = {{20, 10, 0, 0, 0}, {20, 20, 0, 0, 0}};
  const ResultEntries entries = selector::counted_entries(octaves, samples, 5000, MaskUse::none);
  CHECK(entries.all == Approx(15000));
  CHECK(entries.deviation == Approx(5.0 / 15.0).epsilon(0.01));  // of a mean of two, each off by 5
}

TEST_CASE("octaves too heavy to be counted follow the one below, and say so") {
  ProductOctaves octaves{};
  add(octaves, 4, 1000, 16);
  add(octaves, 30, 2, uint64_t(1) << 30);
  const std::vector<SampledRow> samples = {{16, 8, 0, 0, 0}};
  const ResultEntries entries = selector::counted_entries(octaves, samples, 1 << 20, MaskUse::none);
  CHECK(entries.all == Approx(8000 + 0.5 * 2 * (1 << 20)).epsilon(0.01));  // full rows, half of them
  CHECK(entries.uncounted_share > 0.99);
}

TEST_CASE("columns that share a bit are counted, too, and mask entries that hit by chance are not") {
  constexpr double field = sampled_row_bits, columns = 300e3;
  const auto bits = uint64_t(field * -std::expm1(-columns / field));
  ProductOctaves octaves{};
  add(octaves, 18, 1, 500000, 1000);
  const double load = double(bits) / field;
  const std::vector<SampledRow> samples = {{500000, bits, 1000, 1000, uint64_t(1000 * load)}};
  CHECK(selector::counted_entries(octaves, samples, 1 << 30, MaskUse::none).all ==
        Approx(columns).epsilon(0.001));
  CHECK(selector::counted_entries(octaves, samples, 1 << 30, MaskUse::selects).kept < 5);
  // A field that is full says no more than that.
  const std::vector<SampledRow> full = {{500000, sampled_row_bits, 0, 0, 0}};
  CHECK(selector::counted_entries(octaves, full, 1 << 30, MaskUse::none).all == Approx(500000));
}

TEST_CASE("without rows, without products, without samples") {
  CHECK(selector::counted_entries({}, {}, 10, MaskUse::none).all == 0);
  ProductOctaves octaves{};
  add(octaves, 3, 5, 8);
  CHECK(selector::counted_entries(octaves, {}, 1000, MaskUse::none).all == Approx(40).epsilon(0.01));
  CHECK(selector::counted_entries(octaves, {}, 1000, MaskUse::selects).kept == 0);
}

TEST_CASE("what is counted is little of the product") {
  ProductOctaves octaves{};
  for (int n = 0; n < 30; ++n) add(octaves, n, uint64_t(1) << (30 - n), uint64_t(1) << n);
  double products = 0, counted = 0, rows = 0;
  const auto wanted = selector::rows_to_count(octaves);
  for (size_t n = 0; n < 30; ++n) {
    products += double(octaves[n].products);
    counted += wanted[n] * double(uint64_t(1) << n);
    rows += wanted[n];
    CHECK(wanted[n] <= double(octaves[n].rows));
  }
  CHECK(counted <= products / 64 + 4 * (1 << 20));  // and some of each octave
  CHECK(rows >= 200);
  CHECK(rows <= 512);
  CHECK(wanted[29] == 0);  // too heavy for one block
  CHECK(wanted[16] >= 4);
}
