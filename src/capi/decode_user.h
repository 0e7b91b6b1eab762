// User-defined operators: what was recorded when they were made.
#pragma once
#include "src/capi/decode.h"

namespace cugrb::capi::decode {

/// The description of a recorded operator. Throws Declined when nothing, or no definition text, was recorded
/// for it.
std::shared_ptr<const UnaryOp> user_unary_op(GrB_UnaryOp op);
std::shared_ptr<const BinaryOp> user_binary_op(GrB_BinaryOp op);
std::shared_ptr<const IndexUnaryOp> user_index_unary_op(GrB_IndexUnaryOp op);

}  // namespace cugrb::capi::decode
