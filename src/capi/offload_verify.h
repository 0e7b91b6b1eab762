// CUGRB_VERIFY=1: the same call on SuiteSparse, and the two answers compared. Slow; for users in doubt.
#pragma once

#include "src/capi/offload_call.h"

namespace cugrb::capi::offload {

template <class Handle>
class Verification {
 public:
  Verification() = default;
  ~Verification();
  Verification(const Verification&) = delete;
  Verification& operator=(const Verification&) = delete;

  /// Runs `forward` with a copy of w as the output. All operands hold their truth on the host. False: it
  /// failed, so the call is SuiteSparse's to report.
  bool expect(Handle w, FunctionRef<GrB_Info(Handle)> forward);
  /// Brings the device's answer to the host and compares. When they differ, the trace says where and w gets
  /// SuiteSparse's answer.
  void compare(Handle w, const Exactness& exactness);

 private:
  Handle expected_ = nullptr;
};

extern template class Verification<GrB_Vector>;
extern template class Verification<GrB_Matrix>;

/// Tells the record where the answers differ.
void note_difference(const std::string& where);

/// Whether two values are the same up to `exactness`.
bool agree(const Value& a, const Value& b, const Exactness& exactness);

}  // namespace cugrb::capi::offload
