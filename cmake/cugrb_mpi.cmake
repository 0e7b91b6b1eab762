# MPI, for programs of several processes. Sets CUGRB_HAVE_MPI; without it cugrb-mpi, its tests and its example are left out.
set(MPI_CXX_SKIP_MPICXX ON)  # the C API is used
find_package(MPI QUIET COMPONENTS CXX)
set(CUGRB_HAVE_MPI ${MPI_CXX_FOUND})
if(NOT CUGRB_HAVE_MPI)
  message(STATUS "MPI was not found: cugrb-mpi and the tests of several processes are left out (install libopenmpi-dev, openmpi-bin)")
endif()
