// VectorView: a GraphBLAS vector as a kernel sees it. A plain struct: it crosses the launch boundary by
// value.
#pragma once
#include "cuda/views/integers.h"

namespace cugrb {

/// How a vector's entries are stored (SuiteSparse's own words).
///   sparse: `indices` sorted ascending, `values[p]` belongs to position `indices[p]`
///   bitmap: `present[i]` is 1 or 0, `values[i]` is meaningful where it is 1
///   full:   every position has an entry, `values[i]`
enum class Form : uint8_t { sparse, bitmap, full };

/// Which fields are set follows from the form; the element type, the index width (32 or 64 bits) and whether
/// the values are iso (one value stands for all) are template parameters of the kernel, never read from the
/// view.
struct VectorView {
  void* values = nullptr;      ///< element type of the specialisation; one element when iso
  uint8_t* present = nullptr;  ///< bitmap only: `length` bytes
  void* indices = nullptr;     ///< sparse only: `entries` positions
  uint64_t length = 0;         ///< n: number of positions
  uint64_t entries = 0;        ///< sparse only: number of entries
};

}  // namespace cugrb
