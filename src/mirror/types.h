// Value types of handles: GrB_Type -> cugrb::Type.
#pragma once
#include "src/graphblas/real.h"

#include "semirings/types.h"

namespace cugrb::mirror {

/// The type of a vector's or matrix's values. Throws Declined for user-defined types that came
/// without a definition string (the device cannot know their layout).
Type type_of(GrB_Vector vector);
Type type_of(GrB_Matrix matrix);
Type type_of(GrB_Type type);

}  // namespace cugrb::mirror
