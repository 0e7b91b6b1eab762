#include "cuda/cusparse/library.h"

#include "src/support/cuda_library.h"

namespace cugrb::cusparse {

namespace {

Library open_library() {
  constexpr char variable[] = "CUGRB_CUSPARSE";
  Library api;
  if (is_library_off(variable, api.failure)) return api;
  CudaLibrary opened = open_cuda_library(variable, {"libcusparse.so.12"});
  opened.find("cusparseCreate", api.create);
  opened.find("cusparseSetStream", api.set_stream);
  opened.find("cusparseGetErrorString", api.error_string);
  opened.find("cusparseCreateCsr", api.create_csr);
  opened.find("cusparseCsrSetPointers", api.csr_set_pointers);
  opened.find("cusparseSpMatGetSize", api.matrix_size);
  opened.find("cusparseDestroySpMat", api.destroy_matrix);
  opened.find("cusparseSpGEMM_createDescr", api.spgemm_create);
  opened.find("cusparseSpGEMM_destroyDescr", api.spgemm_destroy);
  opened.find("cusparseSpGEMM_workEstimation", api.spgemm_work_estimation);
  opened.find("cusparseSpGEMM_compute", api.spgemm_compute);
  opened.find("cusparseSpGEMM_copy", api.spgemm_copy);
  opened.find("cusparseCreateSlicedEll", api.create_sell);
  opened.find("cusparseCreateDnVec", api.create_vector);
  opened.find("cusparseDnVecSetValues", api.vector_set_values);
  opened.find("cusparseDestroyDnVec", api.destroy_vector);
  opened.find("cusparseSpMV_bufferSize", api.spmv_buffer_size);
  opened.find("cusparseSpMV_preprocess", api.spmv_preprocess);
  opened.find("cusparseSpMV", api.spmv);
  if (!opened.failure.empty()) {
    api.failure = "cuSPARSE cannot be used: " + opened.failure;
  } else {
    api.on_host = dlsym(opened.handle, "cugrb_cusparse_on_host") != nullptr;
  }
  return api;
}

}  // namespace

const Library& library() {
  // Never destroyed: matrices that live to the end of the process still give back what it described.
  static const Library& opened = *new Library(open_library());
  return opened;
}

}  // namespace cugrb::cusparse
