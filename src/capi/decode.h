// From GraphBLAS handles to descriptions (semirings/operators.h): predefined objects by address, user-made
// ones through the library's own queries, user-defined operators by the definition text recorded when they
// were made.
#pragma once
#include <memory>
#include <string>

#include "semirings/operators.h"
#include "src/graphblas/real.h"

namespace cugrb::capi::decode {

/// Each throws Declined, with the reason, when the object cannot be on the device: a bare
/// function pointer, a definition text that was never seen, an object that the library does not acknowledge.
/// Handles are not null. A predefined object costs one hash look-up; a user-made semiring some queries of the
/// real library besides, because a freed handle's address may come back as another object.
std::shared_ptr<const Semiring> semiring(GrB_Semiring semiring);
std::shared_ptr<const Monoid> monoid(GrB_Monoid monoid);
std::shared_ptr<const BinaryOp> binary_op(GrB_BinaryOp op);
std::shared_ptr<const IndexUnaryOp> index_unary_op(GrB_IndexUnaryOp op);

/// A GrB_UnaryOp looks at the value, or (POSITIONI and its like) at the place only.
struct Unary {
  std::shared_ptr<const UnaryOp> by_value;
  std::shared_ptr<const catalogue::BoundIndexUnaryOp> by_place;
};
Unary unary_op(GrB_UnaryOp op);

/// "TRIL", "GE_THUNK", ...: the name of a predefined GxB_SelectOp.
std::string select_op(GxB_SelectOp op);

/// What the operations look at; all false for a null descriptor. Descriptors can change: read at every call
/// (rule 15).
struct Descriptor {
  bool replace = false, complement = false, structural = false, transpose_first = false,
       transpose_second = false;
};
Descriptor descriptor(GrB_Descriptor descriptor);

// ---- recording, at the time of creation (the wrappers of the _new functions call these on success)
// ---------------

/// `name` or `definition` may be null or empty: then the object is known to be without source. `types` are
/// the handles given to the _new function. A new object replaces whatever an earlier one at the same address
/// left behind.
void note_type(GrB_Type type, size_t size, const char* name, const char* definition);
/// What an operator is made of.
struct Source {
  const void* function;  ///< null where the program gives none
  const char* name;
  const char* definition;
};
void note_unary_op(GrB_UnaryOp op, GrB_Type z, GrB_Type x, const Source& source);
void note_binary_op(GrB_BinaryOp op, GrB_Type z, GrB_Type x, GrB_Type y, const Source& source);
/// An operator that reads the values and both places, and a binary operator made of one and a theta.
void note_index_binary_op(GxB_IndexBinaryOp op, GrB_Type z, GrB_Type x, GrB_Type y, GrB_Type theta,
                          const Source& source);
void note_bound_index_op(GrB_BinaryOp op, GxB_IndexBinaryOp made_of, GrB_Scalar theta);
void note_index_unary_op(GrB_IndexUnaryOp op, GrB_Type z, GrB_Type x, GrB_Type thunk, const Source& source);

}  // namespace cugrb::capi::decode
