// GraphBLAS for the whole program of these tests.
#include "cugrb/graphblas.hpp"

namespace {

const cugrb::Context context;

}  // namespace
