// The device's side of an Exchange: libcugrb's communicator, where libcugrb stands in front of GraphBLAS and
// every rank has a GPU.
#pragma once
#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "cugrb/cugrb.h"
#include "cugrb/distributed/context.hpp"

namespace cugrb::detail {

/// libcugrb's functions, which a program that links plain SuiteSparse does not have.
struct DeviceFunctions {
  decltype(&cugrb_device) device = nullptr;
  decltype(&cugrb_forward_only_reason) forward_only_reason = nullptr;
  decltype(&cugrb_unique_id) unique_id = nullptr;
  decltype(&cugrb_communicator_create) create = nullptr;
  decltype(&cugrb_communicator_abort) abort = nullptr;
  decltype(&cugrb_communicator_free) free = nullptr;
  decltype(&cugrb_communicator_error) error = nullptr;
  decltype(&cugrb_all_gather_start) all_gather_start = nullptr;
  decltype(&cugrb_all_gather_finish) all_gather_finish = nullptr;
  decltype(&cugrb_all_gather_entries) all_gather_entries = nullptr;
  decltype(&cugrb_reduce_scatter) reduce_scatter = nullptr;

  bool find() {
    return look(device, "cugrb_device") && look(forward_only_reason, "cugrb_forward_only_reason") &&
           look(unique_id, "cugrb_unique_id") && look(create, "cugrb_communicator_create") &&
           look(abort, "cugrb_communicator_abort") && look(free, "cugrb_communicator_free") &&
           look(error, "cugrb_communicator_error") && look(all_gather_start, "cugrb_all_gather_start") &&
           look(all_gather_finish, "cugrb_all_gather_finish") &&
           look(all_gather_entries, "cugrb_all_gather_entries") &&
           look(reduce_scatter, "cugrb_reduce_scatter");
  }

 private:
  template <class Function>
  static bool look(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
    return function != nullptr;
  }
};

/// Open on all ranks or on none.
class DeviceLink : public Distributed::Connection {
 public:
  /// Collective. Where a rank has no GPU, or no NCCL, it stays closed. Throws RankFailure when NCCL does not
  /// start although all have both.
  explicit DeviceLink(Distributed& ranks) : ranks_(ranks) {
    Id id;
    const std::string obstacle = own_obstacle(id);
    if (!agree(obstacle)) return;
    ranks_.broadcast(&id, sizeof id, 0, "NCCL's id");
    char text[512] = "";
    communicator_ =
        functions_.create(&id, ranks_.rank(), ranks_.size(), ranks_.deadline(), text, sizeof text);
    ranks_.begin("the start of NCCL");
    if (communicator_ == nullptr) ranks_.fail(text);
    ranks_.barrier("the start of NCCL");
    ranks_.add(this);
  }
  ~DeviceLink() {
    ranks_.remove(this);
    if (communicator_ != nullptr) functions_.free(communicator_);
  }
  DeviceLink(const DeviceLink&) = delete;
  DeviceLink& operator=(const DeviceLink&) = delete;

  bool is_open() const { return communicator_ != nullptr; }
  /// Why it is not.
  const std::string& reason() const { return reason_; }

  void start_all_gather(GrB_Vector block, Index stride) {
    check(functions_.all_gather_start(communicator_, block, stride));
  }
  void finish_all_gather(GrB_Vector all) { check(functions_.all_gather_finish(communicator_, all)); }
  void all_gather_entries(GrB_Vector all, GrB_Vector block, Index stride, const uint64_t* counts) {
    check(functions_.all_gather_entries(communicator_, all, block, stride, counts));
  }
  void reduce_scatter(GrB_Vector part, GrB_Vector all, Index stride, bool plus) {
    check(functions_.reduce_scatter(communicator_, part, all, stride, plus ? CUGRB_PLUS : CUGRB_MIN));
  }

  std::string failure() override {
    char text[512] = "";
    functions_.error(communicator_, text, sizeof text);
    return text;
  }
  void abort() noexcept override { functions_.abort(communicator_); }

 private:
  struct Id {
    char bytes[CUGRB_UNIQUE_ID_BYTES] = "";
  };
  struct Obstacle {
    char text[256] = "";
  };

  /// Why this rank cannot; empty, with an id, when it can.
  std::string own_obstacle(Id& id) {
    if (!functions_.find()) return "libcugrb is not in front of GraphBLAS";
    if (*functions_.forward_only_reason() != '\0') return functions_.forward_only_reason();
    const char* const offload = std::getenv("CUGRB_OFFLOAD");
    if (offload != nullptr && std::string(offload) == "never") return "CUGRB_OFFLOAD=never";
    char text[256] = "";
    const cugrb_device_kind kind = functions_.device(text, sizeof text);
    if (kind == CUGRB_DEVICE_NONE) return text;
    // NCCL knows no emulated devices; a stand-in for it is named.
    if (kind == CUGRB_DEVICE_EMULATED && std::getenv("CUGRB_NCCL") == nullptr)
      return "the device is emulated";
    if (functions_.unique_id(&id, text, sizeof text) != 0) return text;
    return "";
  }
  /// Whether no rank has an obstacle; else the reason is that of the lowest rank that has one.
  bool agree(const std::string& obstacle) {
    Obstacle own;
    copy_text(obstacle, own.text, sizeof own.text);
    const auto all = ranks_.all_values(own, "the choice between NCCL and MPI");
    for (size_t r = 0; r < all.size() && reason_.empty(); ++r) {
      if (all[r].text[0] != '\0') reason_ = "rank " + std::to_string(r) + " says: " + all[r].text;
    }
    return reason_.empty();
  }
  void check(int info) {
    if (info == GrB_SUCCESS) return;
    const std::string text = failure();
    ranks_.fail(text.empty() ? info_name(static_cast<GrB_Info>(info)) : text);
  }

  Distributed& ranks_;
  DeviceFunctions functions_;
  cugrb_communicator* communicator_ = nullptr;
  std::string reason_;
};

}  // namespace cugrb::detail
