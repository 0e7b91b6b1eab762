// Calls whose mask, accumulator and descriptor act on a part of their output: GrB_Row_assign,
// GxB_Vector_subassign.
#pragma once
#include <optional>

#include "src/capi/offload_call.h"

namespace cugrb::capi::offload {

/// part<mask, replace> accum= T, for a part that is a vector. The part is put back into the output
/// afterwards.
class Region {
 public:
  /// Throws as OutputCall does.
  Region(GrB_BinaryOp accum, GrB_Descriptor desc);
  /// The mask, which has `size` positions; null: none. `call` reads it.
  template <class Call>
  void take_mask(Call& call, GrB_Vector mask, uint64_t size) {
    if (mask == nullptr) return;
    mask_ = call.input(mask);
    require(mask_->size == size);
    require(descriptor_.structural || !mask_->type.is_user());
  }
  /// Of a T of that type into a part of type `c`.
  void result_type(const Type& c, const Type& type) const;
  /// No mask, and none that is complemented: the part's positions are all written.
  bool is_open() const { return !mask_ && !descriptor_.complement; }
  const std::shared_ptr<const BinaryOp>& accumulate() const { return accum_; }
  /// Calls body with the part as output.
  void write(formats::DeviceVector& part, FunctionRef<void(const operations::VectorOutput&)> body) const;

 private:
  std::shared_ptr<const BinaryOp> accum_;
  decode::Descriptor descriptor_;
  std::optional<VectorOperand> mask_;
};

}  // namespace cugrb::capi::offload
