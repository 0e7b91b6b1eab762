// A graph for the benchmarks: by name or from a file, as a boolean iso GrB_Matrix by row.
#pragma once
#include <cmath>
#include <complex>

extern "C" {  // the 7.4 header has no linkage specification of its own
#include <GraphBLAS.h>
}

#include <string>

namespace cugrb_bench {

/// The adjacency matrix of `graph` ("rmat:22:16" or a file), pattern only: every entry is true. Throws
/// std::exception.
GrB_Matrix load_pattern(const std::string& graph);
/// The same with 32-bit lengths of 1 to 255, as the GAP benchmark's: equal in both directions, the same in
/// every run.
GrB_Matrix load_lengths(const std::string& graph);

}  // namespace cugrb_bench
