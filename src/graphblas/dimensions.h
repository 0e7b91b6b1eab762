// The dimensions of an object for the price of two loads: what every small call is asked for before
// SuiteSparse gets it. Where an object keeps them is found out by looking at objects of known dimensions.
#pragma once
#include <cstdint>
#include <cstring>

#include "src/graphblas/types.h"

namespace cugrb::real {

/// Of a matrix, a vector or a scalar: in SuiteSparse all three are matrices. `along`: the positions of each
/// of its vectors, `across`: their number; rows and columns are one and the other, by its orientation.
struct Dimensions {
  uint64_t along = 0, across = 0;
};

namespace detail {
/// Bytes from an object's start; no object begins with a dimension, and 0 says that the place is not known.
struct DimensionPlaces {
  uint32_t along = 0, across = 0;
};
extern DimensionPlaces dimension_places;

/// By the library's functions. No dimensions of an object that they refuse.
Dimensions ask_dimensions(GrB_Matrix object);
}  // namespace detail

/// Looks at objects of several dimensions, in both orientations, for the one place that each of the two is at
/// in all of them. Where there is none, or more than one, dimensions() asks the library from then on. To be
/// called after GrB_init, while no other thread calls.
void find_dimension_places() noexcept;
inline bool dimension_places_are_known() { return detail::dimension_places.along != 0; }

/// The object's dimensions. The handle is valid, or SuiteSparse would read as far into it. O(1).
inline Dimensions dimensions(const void* object) {
  const detail::DimensionPlaces places = detail::dimension_places;
  if (places.along == 0) [[unlikely]]
    return detail::ask_dimensions(static_cast<GrB_Matrix>(const_cast<void*>(object)));
  Dimensions found;
  std::memcpy(&found.along, static_cast<const char*>(object) + places.along, sizeof found.along);
  std::memcpy(&found.across, static_cast<const char*>(object) + places.across, sizeof found.across);
  return found;
}

}  // namespace cugrb::real
