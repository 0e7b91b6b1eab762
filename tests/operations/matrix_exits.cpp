#include "tests/operations/matrix_exits.h"

#include "cuda/runtime/injection.h"
#include "tests/catch.h"

namespace cugrb::test {
namespace {

struct WayOut {
  const char* name;
  MaskKind mask;
  bool accumulate, replace, by_column, own_mask;
};
constexpr WayOut ways_out[] = {
    {"plain", MaskKind::none, false, false, false, false},
    {"plain, by column", MaskKind::none, false, false, true, false},
    {"accumulator", MaskKind::none, true, false, false, false},
    {"valued mask, accumulator", MaskKind::valued, true, false, true, false},
    {"structural mask, replace", MaskKind::structural, false, true, false, false},
    {"complement", MaskKind::valued_complement, false, false, false, false},
    {"complement, replace", MaskKind::structural_complement, true, true, true, false},
    {"C is the mask", MaskKind::structural, false, false, false, true}};

RefMatrix draw(Random& random, const std::string& type, const RefMatrix& shape, double part) {
  return random_matrix(random, type_of(type), shape.rows, shape.columns, Spread::uniform,
                       double(shape.columns) * part, false);
}

}  // namespace

void check_all_exits(Random& random, const RefMatrix& t, const std::string& type_c,
                     const MatrixOperation& operation) {
  const BinaryOp minus = catalogue::binary_op("MINUS_FP64").value();
  for (const WayOut& way : ways_out) {
    INFO(way.name);
    const RefMatrix c = draw(random, type_c, t, 0.2), mask = way.own_mask ? c : draw(random, "INT16", t, 0.4);
    formats::DeviceMatrix device_c = to_device(c, way.by_column, false);
    const formats::DeviceMatrix device_mask = to_device(mask, !way.by_column, false);
    const RefVector flat_c = flattened(c), flat_mask = flattened(mask);
    const RefMask meant = ref_mask(way.mask, flat_mask);
    std::optional<BinaryOp> accumulate;
    if (way.accumulate) accumulate = minus;
    const formats::DeviceMatrix* const given = way.own_mask ? &device_c : &device_mask;
    operation({device_c,
               {meant.vector == nullptr ? nullptr : given, meant.structural, meant.complement},
               accumulate,
               way.replace});
    CHECK(difference(ref_write_back(flat_c, meant, accumulate, way.replace, flattened(t)),
                     flattened(read_back(device_c))) == "");
  }
}

unsigned check_failures(const FailingRun& run) {
  unsigned failures = 0;
  for (const char* point : {"allocation:", "launch:"}) {
    bool failed = true;
    for (unsigned n = 1; failed && n < 100; ++n) {
      run.prepare();
      failed = false;
      runtime::injection::reset(point + std::to_string(n));
      try {
        run.call();
      } catch (const std::exception&) {
        failed = true;
      }
      runtime::injection::reset("");
      INFO(point << n << (failed ? " failed" : " succeeded"));
      CHECK((failed ? run.untouched() : run.right()) == "");
      failures += failed;
    }
    CHECK(!failed);
  }
  return failures;
}

unsigned check_failures(Random& random, const RefMatrix& t, const std::string& type_c,
                        const MatrixOperation& operation) {
  const RefMatrix c = draw(random, type_c, t, 0.2), mask = draw(random, "INT16", t, 0.4);
  const BinaryOp plus = catalogue::binary_op("PLUS_FP64").value();
  const RefVector flat_c = flattened(c), flat_mask = flattened(mask);
  formats::DeviceMatrix device_c;
  const formats::DeviceMatrix device_mask = to_device(mask, true, false);
  const auto differs = [&](const RefVector& from) {
    return difference(from, flattened(read_back(device_c)));
  };
  const RefMask meant = ref_mask(MaskKind::valued, flat_mask);
  return check_failures({[&] { device_c = to_device(c, false, false); },
                         [&] {
                           operation({device_c, {&device_mask, false, false}, plus, false});
                         },
                         [&] { return differs(flat_c); },
                         [&] { return differs(ref_write_back(flat_c, meant, plus, false, flattened(t))); }});
}

}  // namespace cugrb::test
