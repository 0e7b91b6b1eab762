// The look-up table of workloads: what is measured has the shape that it is measured for.
#include "tools/calibration/workloads.h"

#include <cmath>

#include "tests/catch.h"

using namespace cugrb;
using calibration::EvenTile;
using selector::Hardware;
using selector::WorkloadRates;
using selector::WorkloadShape;

namespace {

Hardware device_hardware() { return Hardware::from_properties(runtime::device().properties()); }

}  // namespace

TEST_CASE("a tile of even rows consists of workloads of one shape, and is the matrix that it was made from") {
  constexpr uint64_t entries = 3 * EvenTile::most_width;
  for (const bool iso : {false, true}) {
    const EvenTile tile(Type::of(TypeCode::Fp32), iso, 5 * EvenTile::most_width + 7, entries);
    for (int c = 0; c < tile_classes; ++c) {
      for (size_t n = 0; n < WorkloadRates::lengths; ++n) {
        const WorkloadShape shape = WorkloadRates::shape_of(c, n);
        INFO(shape.name());
        const formats::DeviceMatrix rows = tile.rows_of(shape, entries);
        CHECK(formats::check(rows.stored) == "");
        const formats::TileComposite made = tile.workloads_of(rows, shape, device_hardware());
        CHECK(check(made) == "");
        CHECK(made.steps == made.cold_step);
        CHECK(made.workloads == (rows.rows + shape.rows() - 1) / shape.rows());
        CHECK(made.steps == made.workloads * shape.steps);
        for (int other = 0; other < tile_classes; ++other) {
          const TileWorkloads& work = made.parts[0].classes[other];
          CHECK(work.last - work.first == (other == c ? made.workloads : 0));
        }
      }
    }
  }
}

TEST_CASE("every shape and kind of values is measured") {
  const WorkloadRates rates =
      calibration::measure_workloads(device_hardware(), {4 * EvenTile::most_width, 1});
  for (const auto& kind : rates.entries_per_second) {
    for (const auto& row_class : kind) {
      for (const double rate : row_class) {
        CHECK(std::isfinite(rate));
        CHECK(rate > 0);
      }
    }
  }
}

TEST_CASE("shapes have names of their own: width and rows") {
  CHECK(WorkloadRates::shape_of(0, 0).name() == "128x1");
  CHECK(WorkloadRates::shape_of(1, 4).name() == "1024x2");
  CHECK(WorkloadRates::shape_of(3, 0).name() == "4x32");
}
