// Calls whose mask, accumulator and descriptor act on a part of their output: GrB_Row_assign, GxB_subassign.
#pragma once
#include <optional>

#include "src/capi/offload_call.h"

namespace cugrb::capi::offload {

/// part<mask, replace> accum= T, for a part of an output. Operand: what the part and its mask are.
template <class Operand>
class Region {
 public:
  using Object = typename Operand::Object;
  using Output = operations::Output<Object>;

  /// Throws as OutputCall does.
  Region(GrB_BinaryOp accum, GrB_Descriptor desc);
  /// The mask, which has the shape of `part`; null: none. `call` reads it.
  template <class Call>
  void take_mask(Call& call, typename Operand::Handle mask, const Operand& part) {
    if (mask == nullptr) return;
    mask_ = call.input(mask);
    require(mask_->has_shape_of(part));
    require(descriptor_.structural || !mask_->type.is_user());
  }
  /// Of a T of that type into a part of type `c`.
  void result_type(const Type& c, const Type& type) const;
  /// No mask, and none that is complemented: the part's positions are all written.
  bool is_open() const { return !mask_ && !descriptor_.complement; }
  const decode::Descriptor& descriptor() const { return descriptor_; }
  /// Calls body with the part, or the whole that it is in, as output.
  void write(Object& object, FunctionRef<void(const Output&)> body) const;

 private:
  std::shared_ptr<const BinaryOp> accum_;
  decode::Descriptor descriptor_;
  std::optional<Operand> mask_;
};
extern template class Region<VectorOperand>;
extern template class Region<MatrixOperand>;

/// The whole output of such a call: mask, accumulator and descriptor act on the region alone.
template <class Handle>
Target<Handle> whole(const Target<Handle>& target) {
  return {target.w, nullptr, nullptr, nullptr, target.real};
}

/// Writes T to the positions of its output that it is given.
using AssignToList = FunctionRef<void(const operations::VectorOutput&, const operations::Indices&)>;
/// w(I) by `assign`. Where nothing is masked it is `assign` itself; else w(I) is taken out, written, and put
/// back.
void assign_part(formats::DeviceVector& w, const Region<VectorOperand>& region,
                 const operations::Indices& indices, const AssignToList& assign);

}  // namespace cugrb::capi::offload
