// The real library: SuiteSparse:GraphBLAS as a table of function pointers. Everything in cuGrB that wants a host-side
// GraphBLAS call goes through `real::table()`; nothing calls the exported names (they are our own).
#pragma once
#include <string>

#include "graphblas_functions.h"  // generated from the installed header: struct cugrb::real::Functions

namespace cugrb::real {

/// Finds and binds the real library once (CUGRB_GRAPHBLAS, the next definition in link order, an already loaded
/// libgraphblas*). Thread-safe. After it, table() is filled as far as the library goes.
void boot();
/// One pointer a declared function (null when the library lacks it): real::table().GrB_mxv(...).
const Functions& table();
/// Why only forwarding is possible (version mismatch, missing symbols, more than one copy); empty when all is well.
const std::string& forward_only_reason();
/// Path of the library, and its version as GxB_Global_Option_get gives it: "7.4.0".
const std::string& path();
const std::string& version();
/// The real library's data symbol of a predefined object ("GrB_PLUS_FP32" -> the handle it holds); null if there is none.
void* predefined(const char* name);

}  // namespace cugrb::real
