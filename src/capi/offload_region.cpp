#include "src/capi/offload_region.h"

namespace cugrb::capi::offload {

template <class Operand>
Region<Operand>::Region(GrB_BinaryOp accum, GrB_Descriptor desc) : descriptor_(decode::descriptor(desc)) {
  if (accum == nullptr) return;
  accum_ = decode::binary_op(accum);
  require(accum_->positional == Positional::None);
}

template <class Operand>
void Region<Operand>::result_type(const Type& c, const Type& type) const {
  if (accum_) {
    require_first(*accum_, c);
    require_second(*accum_, type);
    require(compatible(accum_->z, c));
  }
  require(compatible(type, c));
}

template <class Operand>
void Region<Operand>::write(Object& object, FunctionRef<void(const Output&)> body) const {
  operations::Mask<Object> mask{nullptr, descriptor_.structural, descriptor_.complement};
  decltype(mirror::read(typename Operand::Handle())) use;
  if (mask_) {
    use = mirror::read(mask_->handle);
    mask.object = &*use;
  }
  body({object, mask, accum_ ? std::optional<BinaryOp>(*accum_) : std::nullopt, descriptor_.replace});
}

template class Region<VectorOperand>;
template class Region<MatrixOperand>;

void assign_part(formats::DeviceVector& w, const Region<VectorOperand>& region,
                 const operations::Indices& indices, const AssignToList& assign) {
  if (region.is_open() || indices.all) {
    region.write(w, [&](const operations::VectorOutput& all) { assign(all, indices); });
    return;
  }
  formats::DeviceVector part = formats::DeviceVector::empty(w.type, indices.count);
  operations::extract({part, {}, std::nullopt, false}, w, indices);
  region.write(part, [&](const operations::VectorOutput& out) {
    assign(out, {true, indices.count, nullptr});
  });
  operations::assign({w, {}, std::nullopt, false}, part, indices);
}

}  // namespace cugrb::capi::offload
