# SuiteSparse:GraphBLAS: Debian's package has a header and a library but no CMake package.
find_path(GRAPHBLAS_INCLUDE_DIR GraphBLAS.h PATH_SUFFIXES suitesparse REQUIRED)
find_library(GRAPHBLAS_LIBRARY graphblas REQUIRED)
file(STRINGS ${GRAPHBLAS_INCLUDE_DIR}/GraphBLAS.h _version REGEX "#define GxB_IMPLEMENTATION_(MAJOR|MINOR|SUB) ")
string(REGEX MATCHALL "[0-9]+" _numbers "${_version}")
list(JOIN _numbers "." GRAPHBLAS_VERSION)
add_library(graphblas::graphblas UNKNOWN IMPORTED)
set_target_properties(graphblas::graphblas PROPERTIES
  IMPORTED_LOCATION ${GRAPHBLAS_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${GRAPHBLAS_INCLUDE_DIR})
message(STATUS "cuGrB: SuiteSparse:GraphBLAS ${GRAPHBLAS_VERSION} at ${GRAPHBLAS_LIBRARY}")
