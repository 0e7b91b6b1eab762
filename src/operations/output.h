// Output and Mask: where a call's result goes. C<M, replace> accum= T is the one exit of every operation (C
// API specification 2.1, section 2.3: T -> Z -> C<M>), for vectors and for matrices.
#pragma once
#include <optional>

#include "semirings/operators.h"
#include "src/formats/matrix.h"
#include "src/formats/vector.h"

namespace cugrb::operations {

using formats::DeviceMatrix;
using formats::DeviceVector;

/// The mask of a call: no object means "all positions" (or, complemented, none).
template <class Object>
struct Mask {
  const Object* object = nullptr;
  bool structural = false;
  bool complement = false;
};

/// C<M, replace> accum= T. Of a matrix the orientation (`by_column`) may change; types and shapes do not.
template <class Object, class MaskObject = Object>
struct Output {
  Object& object;
  Mask<MaskObject> mask;
  std::optional<BinaryOp> accumulate;
  bool replace = false;
  bool any_form = false;    ///< a matrix may be fragmented, before and after (DeviceMatrix::fragments)
  runtime::Room room = {};  ///< that a vector's values get around them, where they get memory of their own
};

/// Whether the result depends on what C was.
template <class Object, class MaskObject>
bool reads_old(const Output<Object, MaskObject>& c) {
  const bool masked = c.mask.object != nullptr || c.mask.complement;
  return c.accumulate.has_value() || (masked && !c.replace);
}

using VectorMask = Mask<DeviceVector>;
using VectorOutput = Output<DeviceVector>;
using MatrixMask = Mask<DeviceMatrix>;
using MatrixOutput = Output<DeviceMatrix>;

}  // namespace cugrb::operations
