// The tiles of a tile-composite product by themselves, for calibration.
#pragma once
#include <functional>

#include "src/formats/tile_composite.h"
#include "src/operations/operations.h"

namespace cugrb::operations {

/// Each call of the result launches mxv_tile_composite once on `matrix`, a format of call's matrix, whose
/// operands have been gathered: neither the cold part nor what sums rows up. What it computes is lost.
std::function<void()> tiles_alone(const MatrixVector& call, const formats::TileComposite& matrix);

}  // namespace cugrb::operations
