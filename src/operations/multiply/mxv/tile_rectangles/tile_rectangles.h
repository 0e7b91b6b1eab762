// The matrix-vector kernel on the paper's own tiles of packed rows: a reference.
#pragma once
#include "src/formats/tile_rectangles.h"
#include "src/operations/multiply/kernel.h"

namespace cugrb::operations {

Cost cost_of_tile_rectangles(const MxvProblem& p, const Hardware& h);
/// What the format is made with: the paper's width of tiles, full occupancy of this device, and the measured
/// look-up table. The table is of tile-composite's shapes: a workload takes that of the nearest number of
/// rows, and of as many places. The sparser sub-matrix goes by it as well, though its operands are not near.
formats::TileRectanglesParameters plan_tile_rectangles(const MxvProblem& p, const Hardware& h);

}  // namespace cugrb::operations
