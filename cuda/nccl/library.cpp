#include "cuda/nccl/library.h"

#include <cstdlib>

#include "src/support/cuda_library.h"

namespace cugrb::nccl {

namespace {

Library open_library() {
  constexpr char variable[] = "CUGRB_NCCL";
  Library api;
  if (is_library_off(variable, api.failure)) return api;
  setenv("NCCL_NVLS_ENABLE", "0", 0);
  CudaLibrary opened = open_cuda_library(variable, {"libnccl.so.2"});
  opened.find("ncclGetUniqueId", api.get_unique_id);
  opened.find("ncclCommInitRankConfig", api.init_rank);
  opened.find("ncclCommGetAsyncError", api.async_error);
  opened.find("ncclCommAbort", api.abort);
  opened.find("ncclGetErrorString", api.error_string);
  opened.find("ncclAllGather", api.all_gather);
  opened.find("ncclReduceScatter", api.reduce_scatter);
  opened.find("ncclBroadcast", api.broadcast);
  opened.find("ncclGroupStart", api.group_start);
  opened.find("ncclGroupEnd", api.group_end);
  if (!opened.failure.empty()) {
    api.failure = "NCCL cannot be used: " + opened.failure;
  } else {
    api.on_host = dlsym(opened.handle, "cugrb_nccl_on_host") != nullptr;
  }
  return api;
}

}  // namespace

const Library& library() {
  // Never destroyed: a communicator may live to the end of the process.
  static const Library& opened = *new Library(open_library());
  return opened;
}

}  // namespace cugrb::nccl
