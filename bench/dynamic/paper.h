// What the paper's Tables 2 and 3 and the lower half of its Figure 3 measure ("Efficient SpMM using
// Dynamic-CSR on GPUs", section 4).
#pragma once
#include <nlohmann/json.hpp>

#include "bench/dynamic/edge_stream.h"
#include "src/formats/matrix.h"

namespace cugrb::bench {

/// `bytes`: of HYB with rows as wide as the mean, of CSR, and of dynamic CSR of 2 to 4 segments.
/// `conversions`: medians of seconds; all of them write the arrays. `streaming`: the matrix is built by
/// insertion, a sixteenth of its entries at a time, from rows that have the mean as their width. `same`: that
/// gave the matrix.
nlohmann::json measure_as_paper(const formats::Csr& matrix, const EdgeStream& stream, int repeat);

}  // namespace cugrb::bench
