// GrB_Vector_select, GrB_Matrix_select (index-unary operators) and GxB_*_select (the older select operators).
#include <limits>

#include "offload_functions.h"
#include "src/capi/offload_call.h"
#include "src/capi/offload_scalars.h"
#include "src/operations/matrix_update.h"
#include "src/support/declined.h"

namespace cugrb::capi::offload {
namespace {

/// Comparisons of booleans take their thunk through int64 in SuiteSparse: 0.5 becomes false.
void check_boolean_thunk(const IndexUnaryOp& op, const Type& u, const Value& thunk) {
  if (!op.reads_x || op.stem == "user" || u.code != TypeCode::Bool || op.x.code != TypeCode::Bool) return;
  const Value whole = reference::cast(thunk, Type::of(TypeCode::Int64));
  if (reference::cast(whole, op.thunk).bytes != reference::cast(thunk, op.thunk).bytes) {
    throw Declined("a boolean thunk that SuiteSparse casts through int64");
  }
}

/// SuiteSparse 8 and later compare values of another type than the operator's as they are, with the bytes of
/// the operator's thunk read in their type: neither what the specification says nor, where their type is the
/// larger one, the same in every run. Only SuiteSparse can say what a program sees.
void check_compared_type(const IndexUnaryOp& op, const Type& u) {
  if (!op.reads_x || op.stem == "user" || u == op.x || real::generation() < real::Generation::eight) return;
  throw Declined("select by " + op.name + " on values of " + u.name +
                 ": SuiteSparse compares them without the typecast");
}

/// SuiteSparse puts no complex numbers in an order, and compares them in their own type.
void check_complex(const IndexUnaryOp& op, const Type& u) {
  if (!op.reads_x || op.stem == "user" || !u.is_complex() || op.x == u) return;
  throw Declined("select by " + op.name + " on values of " + u.name);
}

/// SuiteSparse negates the thunk of TRIL and TRIU for a matrix by row, which INT64_MIN survives: what it then
/// keeps depends on how the matrix is stored, so only SuiteSparse can say.
void check_diagonal_thunk(const IndexUnaryOp& op, const Value& taken) {
  if (op.stem != "tril" && op.stem != "triu") return;
  if (taken.bytes == value_of(std::numeric_limits<int64_t>::min()).bytes) {
    throw Declined(op.name + " with a thunk of INT64_MIN, which SuiteSparse can not negate");
  }
}

/// The operator that selects in place of ROWINDEX_INT32 and its like, if `op` is one: SuiteSparse compares
/// the sum with 0 in 64 bits, where row 2^32 is not row 0.
std::optional<IndexUnaryOp> wider(const IndexUnaryOp& op) {
  if (op.reads_x || op.stem == "user" || op.z.code != TypeCode::Int32) return std::nullopt;
  return catalogue::index_unary_op(op.name.substr(0, op.name.rfind('_')) + "_INT64");
}

/// A matrix is read in parts by operators on values, and fragmented by all.
mirror::Reads reads_of(const VectorOperand&, bool by_value) {
  return by_value ? mirror::Reads::any_form : mirror::Reads::rows;
}
mirror::Reads reads_of(const MatrixOperand&, bool by_value) {
  return by_value ? mirror::Reads::as_it_is : mirror::Reads::any_form;
}

/// T = the entries of u for which f(u, i, j, thunk) is true.
template <class Operand>
Outcome select_by(OutputCall<Operand>& call, const IndexUnaryOp& given, const Operand& u,
                  const Value& thunk) {
  const std::optional<IndexUnaryOp> other = wider(given);
  const IndexUnaryOp& op = other ? *other : given;
  if (op.reads_x) require(compatible(u.type, op.x));
  require(compatible(thunk.type, op.thunk) && !op.z.is_user());
  const Value taken = place_thunk(op, thunk);
  check_diagonal_thunk(op, taken);
  check_boolean_thunk(op, u.type, thunk);
  check_compared_type(op, u.type);
  check_complex(op, u.type);
  call.result_type(u.type);
  const bool by_value = catalogue::looks_at_value_only(op);
  if (!by_value) call.inputs().reads_places();
  if (by_value) takes_parts(call);
  const auto device = [&](const operations::Output<typename Operand::Object>& w) {
    const auto use = mirror::read(u.handle, reads_of(u, by_value));
    if (by_value) call.settle_form(w, use);
    if constexpr (std::is_same_v<Operand, MatrixOperand>) operations::settle_reading(*use);
    operations::select(w, op, arranged(*use, call.descriptor().transpose_first), taken);
  };
  return call.run(given.name, device);
}

template <class Handle>
Outcome select(const Target<Handle>& target, GrB_IndexUnaryOp handle, Handle u_handle,
               FunctionRef<Value(const IndexUnaryOp&)> thunk) {
  return attempt([&] {
    require(handle != nullptr);
    CallOn<Handle> call("select", target);
    const auto u = call.input_of_shape(u_handle, call.descriptor().transpose_first);
    const auto op = decode::index_unary_op(handle);
    return select_by(call, *op, u, thunk(*op));
  });
}

/// GxB_Vector_select, GxB_Matrix_select.
template <class Handle>
Outcome select_by_name(const Target<Handle>& target, GxB_SelectOp handle, Handle u_handle, GrB_Scalar thunk) {
  return attempt([&] {
    require(handle != nullptr);
    CallOn<Handle> call("select", target);
    const auto u = call.input_of_shape(u_handle, call.descriptor().transpose_first);
    const std::string name = decode::select_op(handle);
    const auto op = catalogue::select_op(name, u.type);
    if (!op) throw Declined("GxB_" + name + " on values of type " + u.type.name);
    std::optional<Value> value = op->thunk;
    if (!value && thunk != nullptr) value = value_of(thunk);
    // Operators on places take a missing thunk as 0.
    if (!value && !op->op.reads_x) value = value_of(int64_t(0));
    if (!value) throw Declined("GxB_" + name + " without a thunk");
    return select_by(call, op->op, u, *value);
  });
}

}  // namespace

#define CUGRB_SELECT(PREFIX, KIND, FORM, ctype, VALUE)                                                    \
  Outcome PREFIX##_##KIND##_select_##FORM(const Target<GrB_##KIND>& w, GrB_IndexUnaryOp op, GrB_##KIND u, \
                                          ctype y) {                                                      \
    return select(w, op, u, [&](const IndexUnaryOp& f) { return (void)f, VALUE; });                       \
  }
#define CUGRB_SELECTS(PREFIX, FORM, ctype, VALUE)  \
  CUGRB_SELECT(PREFIX, Vector, FORM, ctype, VALUE) \
  CUGRB_SELECT(PREFIX, Matrix, FORM, ctype, VALUE)
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code) CUGRB_SELECTS(PREFIX, SUFFIX, ctype, value_of(y))
#include "semirings/types.def"
#undef CUGRB_TYPE
CUGRB_SELECTS(GrB, UDT, const void*, value_at(y, f.thunk))
CUGRB_SELECTS(GrB, Scalar, GrB_Scalar, required_value(y))

#define CUGRB_SELECT_BY_NAME(KIND)                                                        \
  Outcome GxB_##KIND##_select(const Target<GrB_##KIND>& w, GxB_SelectOp op, GrB_##KIND u, \
                              GrB_Scalar thunk) {                                         \
    return select_by_name(w, op, u, thunk);                                               \
  }
CUGRB_SELECT_BY_NAME(Vector)
CUGRB_SELECT_BY_NAME(Matrix)

}  // namespace cugrb::capi::offload
