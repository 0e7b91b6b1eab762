// mxm_cusparse: the same products as every other kernel, and what becomes of a call when it fails.
#include "cuda/cusparse/cusparse.h"

#include <cmath>
#include <cstdlib>
#include <limits>

#include "cuda/runtime/injection.h"
#include "src/support/settings.h"
#include "tests/catch.h"
#include "tests/cusparse/fixture.h"
#include "tests/operations/agree.h"
#include "tests/operations/breadth.h"
#include "tests/operations/mxm_cases.h"

using namespace cugrb;
using test::MaskKind;
using test::MxmConfiguration;
using test::RefMatrix;
using test::Spread;

namespace {

MxmConfiguration configuration(const std::string& type) {
  return {"PLUS_TIMES_" + type, type, type, MaskKind::none, "mxm_cusparse"};
}

/// C = A A by mxm_cusparse with the trace's record.
trace::Record squared(const RefMatrix& a, formats::DeviceMatrix& c) {
  const formats::DeviceMatrix factor = test::to_device(a, false, false);
  const Semiring semiring = catalogue::semiring("PLUS_TIMES_" + a.type.suffix()).value();
  const test::Forced forced("mxm_cusparse");
  return fixture::traced([&] { operations::mxm({c, {}, std::nullopt, false}, {semiring, factor, factor}); });
}

formats::DeviceMatrix empty_like(const RefMatrix& a) {
  return test::to_device({a.type, a.rows, a.columns, {}}, false, false);
}

std::string wrong(const RefMatrix& a, const formats::DeviceMatrix& c) {
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_" + a.type.suffix());
  const test::RefVector found = test::flattened(test::read_back(c));
  return test::difference(test::sums_of(s, test::terms_of(a, a, s.multiply), a.rows, a.columns, found),
                          found);
}

}  // namespace

TEST_CASE("products of all shapes, orientations and both types, with accumulators and into other types") {
  if (!fixture::have_cusparse()) return;
  for (const char* type : {"FP32", "FP64"}) {
    MxmConfiguration c = configuration(type);
    test::agree_on_all(c, test::mxm_shapes(), test::run_mxm);
    c.accumulate = std::string("PLUS_") + type;
    test::agree_on_all(c, test::mxm_shapes(), test::run_mxm);
    c.output_type = "INT32";
    test::agree_on_all(c, test::mxm_shapes(), test::run_mxm);
  }
}

TEST_CASE("it is cuSPARSE that makes them: the record says so, and columns ascend in long rows, too") {
  if (!fixture::have_cusparse()) return;
  const RefMatrix graphs[] = {fixture::drawn(1, "FP32", 300, 300, Spread::power_law, 0),
                              fixture::drawn(2, "FP64", 300, 300, Spread::empty_rows, 6),
                              fixture::drawn(3, "FP32", 3000, 3000, Spread::one_huge_row, 2)};
  for (const RefMatrix& a : graphs) {
    formats::DeviceMatrix c = empty_like(a);
    const trace::Record record = squared(a, c);
    CHECK(record.kernel == "mxm_cusparse");
    CHECK(record.reason == "CUGRB_FORCE");
    CHECK(wrong(a, c) == "");  // read_back checks the invariants
  }
}

TEST_CASE("entries that are zero or cancel stay entries, and infinities and NaN go through") {
  if (!fixture::have_cusparse()) return;
  const Type& type = Type::of(TypeCode::Fp32);
  RefMatrix a{type, 5, 5, {}};
  const auto put = [&](uint64_t i, uint64_t j, double x) { a.entries[{i, j}] = test::make_value(type, x); };
  put(0, 1, 1), put(0, 2, -1), put(1, 3, 7), put(2, 3, 7);  // (0, 3) cancels
  put(1, 4, 0), put(4, 4, 5), put(4, 0, 0);                 // zeros stored
  put(3, 0, std::numeric_limits<float>::infinity());        // times 1 and -1
  put(3, 4, std::nan(""));
  formats::DeviceMatrix c = empty_like(a);
  CHECK(squared(a, c).kernel == "mxm_cusparse");
  CHECK(wrong(a, c) == "");
  CHECK(test::read_back(c).entries.count({0, 3}) == 1);
  CHECK(test::read_back(c).entries.count({1, 4}) == 1);
}

TEST_CASE("what it cannot do goes another way, and the record says why") {
  if (!fixture::have_cusparse()) return;
  const auto reason = [](const std::string& semiring, const RefMatrix& a, bool iso, bool wide) {
    const formats::DeviceMatrix factor = test::to_device(a, false, iso, wide);
    const Semiring s = catalogue::semiring(semiring).value();
    formats::DeviceMatrix c = test::to_device({s.add.type(), a.rows, a.columns, {}}, false, false);
    const test::Forced forced("mxm_cusparse");
    return fixture::traced([&] {
             operations::mxm({c, {}, std::nullopt, false}, {s, factor, factor});
           })
        .reason;
  };
  const std::string start = "CUGRB_FORCE=mxm_cusparse is not applicable: ";
  const RefMatrix a = fixture::drawn(4, "FP32", 40, 40, Spread::uniform, 4);
  RefMatrix iso = a;
  for (auto& [place, value] : iso.entries) value = test::make_value(a.type, 2);
  CHECK(reason("PLUS_SECOND_FP32", a, false, false) == start + "not PLUS_TIMES of FP32 or FP64");
  CHECK(reason("PLUS_TIMES_FP64", a, false, false) == start + "a factor would have to be typecast");
  CHECK(reason("PLUS_TIMES_FP32", iso, true, false) == start + "a factor is iso");
  CHECK(reason("PLUS_TIMES_FP32", a, false, true) == start + "indices of 64 bits");
  const formats::DeviceMatrix factor = test::to_device(a, false, false);
  formats::DeviceMatrix c = empty_like(a);
  const Semiring s = catalogue::semiring("PLUS_TIMES_FP32").value();
  const test::Forced forced("mxm_cusparse");
  const trace::Record masked = fixture::traced([&] {
    operations::mxm({c, {&factor, true, false}, std::nullopt, false}, {s, factor, factor});
  });
  CHECK(masked.reason == start + "it would make what the mask forbids");
}

TEST_CASE("without the library the reason says what was looked for, and products go another way",
          "[.missing]") {
  const std::string chosen = std::getenv("CUGRB_CUSPARSE"), reason = cusparse::unavailable_reason();
  CHECK(cusparse::state() == cusparse::State::unavailable);
  CHECK(reason == (chosen == "off" ? "CUGRB_CUSPARSE=off"
                                   : "cuSPARSE cannot be used: it was not found (tried " + chosen +
                                         "); set CUGRB_CUSPARSE to the path of libcusparse.so.12"));
  const RefMatrix a = fixture::drawn(9, "FP32", 30, 30, Spread::uniform, 3);
  formats::DeviceMatrix c = empty_like(a);
  CHECK(squared(a, c).reason == "CUGRB_FORCE=mxm_cusparse is not applicable: " + reason);
  CHECK(wrong(a, c) == "");
}

TEST_CASE("sums have the same bits in every run") {
  if (!fixture::have_cusparse()) return;
  test::Random random(5);
  RefMatrix a = fixture::drawn(6, "FP32", 200, 200, Spread::uniform, 40);
  for (auto& [place, value] : a.entries)
    value = test::make_value(a.type, double(test::below(random, 1000)) * 0.0137);
  formats::DeviceMatrix first = empty_like(a);
  squared(a, first);
  const auto bits = [](const formats::DeviceMatrix& c) {
    return c.stored.values.to_host<uint32_t>(c.stored.entries);
  };
  for (int n = 0; n < 5; ++n) {
    formats::DeviceMatrix again = empty_like(a);
    squared(a, again);
    CHECK(bits(again) == bits(first));
  }
}

TEST_CASE("whichever of its calls fails, the product is made by another kernel, and nothing is left behind") {
  if (!fixture::have_stand_in()) return;
  const RefMatrix a = fixture::drawn(7, "FP32", 30, 30, Spread::uniform, 3);
  struct Failure {
    int status;
    const char* text;
  };
  for (const Failure& failure :
       {Failure{11, "insufficient resources"}, Failure{2, "allocation failed"}, Failure{7, "a failure"}}) {
    int failed = 0;
    for (int n = 1; n < 40; ++n) {
      formats::DeviceMatrix c = empty_like(a);
      fixture::fail(n, failure.status);
      const trace::Record record = squared(a, c);
      fixture::fail(0, 0);
      INFO("call " << n << ": " << record.reason);
      CHECK(wrong(a, c) == "");
      CHECK(fixture::descriptions() == 0);
      if (record.kernel == "mxm_cusparse") break;
      ++failed;
      CHECK(record.kernel.rfind("mxm_", 0) == 0);
      CHECK(record.reason.find("CUGRB_FORCE=mxm_cusparse is not applicable: cusparse") == 0);
      CHECK(record.reason.find(failure.text) != std::string::npos);
    }
    CHECK(failed >= 10);
    CHECK(failed < 39);
  }
}

TEST_CASE("an allocation that fails leaves C as it was, or the product is made by another kernel") {
  if (!fixture::have_stand_in()) return;
  // So many rows that their lengths are counted: the counters are what no other kernel does without.
  const RefMatrix a = fixture::drawn(8, "FP64", 10400, 10400, Spread::uniform, 3);
  // Where races alone are looked for, some of the allocations.
  const int step = test::races_only() ? 5 : 1;
  int by_another = 0, failed = 0;
  for (int n = 1; n < 60; n += step) {
    formats::DeviceMatrix c = empty_like(a);
    const formats::DeviceMatrix factor = test::to_device(a, false, false);
    const Semiring semiring = catalogue::semiring("PLUS_TIMES_FP64").value();
    const test::Forced forced("mxm_cusparse");
    runtime::injection::reset("allocation:" + std::to_string(n));
    std::string kernel;
    try {
      kernel = fixture::traced([&] {
                 operations::mxm({c, {}, std::nullopt, false}, {semiring, factor, factor});
               }).kernel;
    } catch (const runtime::OutOfMemory&) {
      ++failed;
    }
    const bool all = runtime::injection::count(runtime::injection::Point::allocation) < uint64_t(n);
    runtime::injection::reset("");
    if (kernel.empty()) {
      CHECK(c.nvals() == 0);
    } else {
      CHECK(wrong(a, c) == "");
      by_another += kernel != "mxm_cusparse";
    }
    CHECK(fixture::descriptions() == 0);
    if (all) break;
  }
  CHECK(by_another >= 5 / step);  // its two workspaces and C's three arrays
  CHECK(failed >= 1);
}
