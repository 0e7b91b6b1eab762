#include "src/capi/offload_region.h"

namespace cugrb::capi::offload {

Region::Region(GrB_BinaryOp accum, GrB_Descriptor desc) : descriptor_(decode::descriptor(desc)) {
  if (accum == nullptr) return;
  accum_ = decode::binary_op(accum);
  require(accum_->positional == Positional::None);
}

void Region::result_type(const Type& c, const Type& type) const {
  if (accum_) {
    require_first(*accum_, c);
    require_second(*accum_, type);
    require(compatible(accum_->z, c));
  }
  require(compatible(type, c));
}

void Region::write(formats::DeviceVector& part,
                   FunctionRef<void(const operations::VectorOutput&)> body) const {
  operations::VectorMask mask{nullptr, descriptor_.structural, descriptor_.complement};
  mirror::VectorUse use;
  if (mask_) {
    use = mirror::read(mask_->handle);
    mask.object = &*use;
  }
  body({part, mask, accum_ ? std::optional<BinaryOp>(*accum_) : std::nullopt, descriptor_.replace});
}

}  // namespace cugrb::capi::offload
