// The matrix-vector kernel on popular columns in tiles that fit shared memory, the others in place.
#pragma once
#include <functional>

#include "src/formats/tile_composite.h"
#include "src/operations/multiply/kernel.h"
#include "src/operations/operations.h"

namespace cugrb::operations {

Cost cost_of_tile_composite(const MxvProblem& p, const Hardware& h);
/// How it should be laid out for this product: the number of tiles and the longest workload with the smallest
/// predicted time.
formats::TileCompositeParameters plan_tile_composite(const MxvProblem& p, const Hardware& h);

/// For calibration, the tiles by themselves. Each call of the result launches mxv_tile_composite once on
/// `matrix`, a format of call's matrix, whose operands have been gathered: neither the cold part nor what
/// sums rows up. What it computes is lost.
std::function<void()> tiles_alone(const MatrixVector& call, const formats::TileComposite& matrix);

}  // namespace cugrb::operations
