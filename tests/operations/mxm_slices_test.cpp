// mxm of matrices in host memory, as when they or the result do not fit the device: slices of rows, blocks of
// the summed index (down to one row and one k), the same answers as in one piece, whatever the limit, and
// whichever allocation fails.
#include "cuda/runtime/injection.h"
#include "src/support/settings.h"
#include "src/support/trace.h"
#include "tests/catch.h"
#include "tests/operations/breadth.h"
#include "tests/operations/mxm_cases.h"
#include "tests/operations/ref_source.h"

using namespace cugrb;
using test::MaskKind;
using test::MxmConfiguration;
using test::MxmShape;
using test::RefSource;

namespace {

/// Puts the slices together again.
class Collected final : public formats::RowSink {
 public:
  void begin(const formats::SparseShape& shape, bool by_column) override {
    whole = {shape.type, shape.rows, shape.columns, {}};
    columns_first = by_column;
  }
  void append(const formats::Csr& part) override {
    const std::string broken = formats::check(part);
    if (!broken.empty()) throw std::runtime_error("broken slice: " + broken);
    for (const auto& [place, value] : test::from_device(part).entries)
      whole.entries[{rows + place.first, place.second}] = value;
    rows += part.rows;
    ++slices;
  }
  test::RefMatrix matrix() const {
    if (rows != whole.rows) throw std::runtime_error("rows are missing");
    return columns_first ? test::transposed(whole) : whole;
  }

  test::RefMatrix whole;
  uint64_t rows = 0, slices = 0;
  bool columns_first = false;
};

/// One product in slices; `injection` (may be empty) fails in it.
struct Outcome {
  std::string difference;
  uint64_t slices = 0;
  bool out_of_memory = false;
};
Outcome run_in_slices(const MxmConfiguration& x, const MxmShape& shape, uint64_t seed, uint64_t limit,
                      const std::string& injection = "") {
  const test::MeantSemiring s = test::built_in_semiring(x.semiring);
  test::Random random(seed);
  const test::MxmData o = test::draw_mxm(x, s, shape, random);
  const RefSource a(o.a, shape.a_by_column, x.iso_a, x.wide), b(o.b, shape.b_by_column, x.iso_b, x.wide),
      mask(o.mask, shape.mask_by_column, false, x.wide), old(o.c, shape.c_by_column, false, x.wide);
  const test::RefVector flat_mask = test::flattened(o.mask);
  const test::RefMask meant = test::ref_mask(x.mask, flat_mask);
  Collected sink;
  Outcome outcome;
  {
    const test::Forced forced(x.kernel);
    const test::Limited limited(limit);
    runtime::injection::reset(injection);
    try {
      operations::mxm_in_slices(
          {operations::HostTarget{o.c.type, o.c.rows, o.c.columns, shape.c_by_column, &old},
           {meant.vector == nullptr ? nullptr : &mask, meant.structural, meant.complement},
           o.accumulate,
           shape.replace},
          {s.semiring, a, b, shape.transpose_a, shape.transpose_b}, sink);
    } catch (const runtime::OutOfMemory&) {
      outcome.out_of_memory = true;
    }
    runtime::injection::reset("");
  }
  outcome.slices = sink.slices;
  if (outcome.out_of_memory) return outcome;
  const test::RefVector found = test::flattened(sink.matrix());
  outcome.difference = test::difference(test::expected_mxm(x, s, shape, o, found), found);
  return outcome;
}

MxmConfiguration with(MxmConfiguration x, MaskKind mask, const std::string& accumulate,
                      const std::string& kernel) {
  x.mask = mask;
  x.accumulate = accumulate;
  x.kernel = kernel;
  return x;
}

}  // namespace

TEST_CASE(
    "products in slices: every exit, orientation and kernel, positional operators, one row and one k at a "
    "time") {
  const MxmConfiguration configurations[] = {
      with({"PLUS_TIMES_FP32", "FP32", "FP32"}, MaskKind::none, "", "mxm_rows"),
      with({"PLUS_TIMES_FP32", "FP32", "FP32"}, MaskKind::structural_complement, "SECOND_FP32", "mxm_rows"),
      with({"PLUS_MINUS_FP64"}, MaskKind::valued, "", "mxm_sort"),
      with({"PLUS_FIRSTI1_INT64", "BOOL", "BOOL"}, MaskKind::none, "", "mxm_rows"),
      with({"MIN_SECONDJ_INT64", "BOOL", "BOOL"}, MaskKind::none, "", "mxm_sort"),
      with({"PLUS_FIRSTI_INT64", "BOOL", "BOOL"}, MaskKind::structural, "PLUS_INT64", "mxm_sort"),
      with({"MAX_FIRSTJ1_INT64", "BOOL", "BOOL"}, MaskKind::valued_complement, "", "mxm_rows"),
      with({"ANY_SECONDI_INT32", "BOOL", "BOOL"}, MaskKind::none, "", "mxm_rows"),
      with({"LXOR_LAND_BOOL", "BOOL", "BOOL", MaskKind::none, "", true, false, true}, MaskKind::none, "",
           "mxm_rows")};
  uint64_t slices = 0;
  size_t drawn = 0;
  for (const MxmConfiguration& x : configurations) {
    drawn += 1;
    for (size_t n = 0; n < test::mxm_shapes().size(); ++n) {
      // Races are between a slice's threads: a shape for each configuration shows them.
      const MxmShape& shape = test::mxm_shapes()[n];
      if (test::structures_only() && n != drawn % test::mxm_shapes().size()) continue;
      for (const uint64_t limit : {uint64_t(1), uint64_t(4096), uint64_t(1) << 30}) {
        // One row and one k at a time: a third of the shapes by turns, none of thousands of such pairs.
        const bool turn = test::structures_only() ? shape.rows * shape.inner <= 700
                                                  : shape.rows * shape.inner <= 1500 && n % 3 == drawn % 3;
        if (limit == 1 && !turn) continue;
        INFO(x.text() << ", shape " << n << ", " << limit << " bytes");
        const Outcome outcome = run_in_slices(x, shape, 31 * n + 5, limit);
        CHECK(outcome.difference == "");
        CHECK_FALSE(outcome.out_of_memory);
        slices += outcome.slices;
        if (limit == uint64_t(1) << 30) CHECK(outcome.slices == 1);
      }
    }
  }
  CHECK(slices > (test::structures_only() ? 200 : 1000));
}

TEST_CASE("products in slices: what other threads copy counts as the call's bytes") {
  class Nothing final : public formats::RowSink {
    void begin(const formats::SparseShape&, bool) override {}
    void append(const formats::Csr&) override {}
  };
  test::Random random(3);
  const Type& type = Type::of(TypeCode::Fp32);
  const RefSource a(test::random_matrix(random, type, 40, 40, test::Spread::uniform, 8, false), false, false,
                    false);
  const Semiring semiring = catalogue::semiring("PLUS_TIMES_FP32").value();
  const auto bytes_into = [&](formats::RowSink& sink) {
    const uint64_t before = trace::current().bytes_down;
    operations::mxm_in_slices({operations::HostTarget{type, 40, 40}, {}, std::nullopt, false},
                              {semiring, a, a}, sink);
    return trace::current().bytes_down - before;
  };
  Nothing nothing;
  Collected collected;
  const uint64_t own = bytes_into(nothing), all = bytes_into(collected);
  CHECK(collected.whole.entries.size() > 500);
  CHECK(all - own >= collected.whole.entries.size() * (sizeof(uint32_t) + sizeof(float)));
}

TEST_CASE("products in slices: one that cannot be delivered fails the product, whichever it is") {
  struct Failing final : formats::RowSink {
    void begin(const formats::SparseShape&, bool) override {}
    void append(const formats::Csr&) override {
      if (slices++ == failing) throw runtime::OutOfMemory("no room for a copy");
    }
    uint64_t slices = 0, failing = 0;
  };
  test::Random random(3);
  const Type& type = Type::of(TypeCode::Fp32);
  const RefSource a(test::random_matrix(random, type, 40, 40, test::Spread::uniform, 8, false), false, false,
                    false);
  const Semiring semiring = catalogue::semiring("PLUS_TIMES_FP32").value();
  const test::Limited limited(4096);
  for (const uint64_t failing : {0, 1, 3}) {
    Failing sink;
    sink.failing = failing;
    CHECK_THROWS_AS(operations::mxm_in_slices({operations::HostTarget{type, 40, 40}, {}, std::nullopt, false},
                                              {semiring, a, a}, sink),
                    runtime::DeviceFailure);
    CHECK(sink.slices == failing + 1);
  }
}

TEST_CASE("products in slices: whichever allocation fails, the answer is right or there is none") {
  const MxmConfiguration x =
      with({"PLUS_TIMES_FP32", "FP32", "FP32"}, MaskKind::structural_complement, "SECOND_FP32", "mxm_rows");
  const MxmShape& shape = test::mxm_shapes()[0];
  unsigned recovered = 0, refused = 0;
  bool reached_the_end = false;
  const unsigned step = test::structures_only() ? 7 : 1;
  for (unsigned n = 1; n < 400 && !reached_the_end; n += step) {
    INFO("allocation " << n);
    const Outcome outcome = run_in_slices(x, shape, 5, 1 << 16, "allocation:" + std::to_string(n));
    CHECK(outcome.difference == "");
    recovered += !outcome.out_of_memory;
    const Outcome all_later = run_in_slices(x, shape, 5, 1 << 16, "allocation:" + std::to_string(n) + "+");
    CHECK(all_later.difference == "");
    refused += all_later.out_of_memory;
    reached_the_end = !all_later.out_of_memory;
  }
  CHECK(reached_the_end);
  CHECK(recovered > 50 / step);
  CHECK(refused > 50 / step);
}
