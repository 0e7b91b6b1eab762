// NCCL's C interface, as its documentation declares it: opened at run time, no headers, nothing linked.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace cugrb::nccl {

using Handle = void*;  ///< ncclComm_t
/// What rank 0 makes and gives to all ranks.
struct UniqueId {
  char bytes[128];
};
/// The fields of ncclConfig_t that NCCL 2.14 has; later versions read no more than `size` and know the rest.
struct Config {
  size_t size = sizeof(Config);
  unsigned magic = 0xcafebeef;
  unsigned version = 21400;
  int blocking = 0;
};

// Values of its enumerations.
constexpr int success = 0, in_progress = 7;
constexpr int type_int8 = 0, type_uint8 = 1, type_int32 = 2, type_uint32 = 3, type_int64 = 4, type_uint64 = 5,
              type_float = 7, type_double = 8;
constexpr int op_sum = 0, op_min = 3;

/// The functions that are used here.
struct Library {
  int (*get_unique_id)(UniqueId* id) = nullptr;
  int (*init_rank)(Handle* comm, int ranks, UniqueId id, int rank, Config* config) = nullptr;
  int (*async_error)(Handle comm, int* error) = nullptr;
  int (*abort)(Handle comm) = nullptr;
  const char* (*error_string)(int status) = nullptr;
  int (*all_gather)(const void* send, void* receive, size_t count, int type, Handle comm,
                    void* stream) = nullptr;
  int (*reduce_scatter)(const void* send, void* receive, size_t count, int type, int op, Handle comm,
                        void* stream) = nullptr;
  int (*broadcast)(const void* send, void* receive, size_t count, int type, int root, Handle comm,
                   void* stream) = nullptr;
  int (*group_start)() = nullptr;
  int (*group_end)() = nullptr;
  bool on_host = false;  ///< a stand-in that works on host memory, for the emulated device
  std::string failure;   ///< why it cannot be used; empty when it can
};

/// Opened at the first call: what CUGRB_NCCL names ("off": none), else libnccl.so.2 wherever
/// open_cuda_library looks. NVLink multicast stays off unless NCCL_NVLS_ENABLE asks for it. Never throws.
const Library& library();

}  // namespace cugrb::nccl
