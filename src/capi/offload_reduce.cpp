// GrB_Vector_reduce_<T>, GrB_Matrix_reduce_<T>: c accum= the sum of all entries under a monoid, to a C scalar
// or a GrB_Scalar.
#include <cstring>

#include "offload_functions.h"
#include "src/capi/gate.h"
#include "src/capi/offload_call.h"
#include "src/capi/offload_monoid.h"
#include "src/capi/offload_scalars.h"
#include "src/capi/offload_trace.h"
#include "src/capi/offload_verify.h"
#include "src/support/declined.h"
#include "src/support/settings.h"

namespace cugrb::capi::offload {
namespace {

uint64_t most_terms(const VectorOperand& u) { return u.size; }
uint64_t most_terms(const MatrixOperand& a) { return entries_of(a); }

mirror::VectorUse read_any_form(GrB_Vector u) { return read_by_position(u); }
mirror::MatrixUse read_any_form(GrB_Matrix a) { return mirror::read(a, mirror::Reads::as_it_is); }

/// A reduction's parts, decoded and checked. Operand: VectorOperand or MatrixOperand.
template <class Operand>
struct Reduction {
  std::shared_ptr<const BinaryOp> accum;
  std::shared_ptr<const Monoid> monoid;
  Operand u;
  Inputs inputs{"reduce"};

  Reduction(GrB_BinaryOp accum_handle, std::shared_ptr<const Monoid> meant, typename Operand::Handle object)
      : monoid(std::move(meant)), u(operand(object)) {
    inputs.add_entries(u);
    require(compatible(u.type, monoid->type()));
    if (accum_handle == nullptr) return;
    accum = decode::binary_op(accum_handle);
    require(accum->positional == Positional::None);
    if (accum->stem == "user") throw Declined("reduce to a scalar with a user-defined accumulator");
  }

  /// The domains of c = accum(c, s).
  void check_result(const Type& c) const {
    if (accum) {
      require_first(*accum, c);
      require_second(*accum, monoid->type());
      require(compatible(accum->z, c));
    }
    require(compatible(monoid->type(), c));
  }

  /// The sum; nothing for an empty object under ANY.
  std::optional<Value> sum() const {
    std::optional<Value> result;
    with_eviction([&] {
      if (const auto copies = mirror::iso_entries(u.handle)) {
        result = operations::reduce(*monoid, *copies);
        return;
      }
      const auto use = read_any_form(u.handle);
      result = operations::reduce(*monoid, *use);
    });
    return result;
  }

  /// accum(c, s), or s; in c's type.
  Value combined(const Value& c, const Value& s) const {
    const Value z = accum ? reference::apply(*accum, c, s) : s;
    return z.type == c.type ? z : reference::cast(z, c.type);
  }

  Exactness exactness() const { return {most_terms(u), monoid->is_any}; }
};

std::shared_ptr<const Monoid> meant_by(GrB_Monoid monoid) {
  require(monoid != nullptr);
  return decode::monoid(monoid);
}
std::shared_ptr<const Monoid> meant_by(GrB_BinaryOp op) { return std::make_shared<Monoid>(monoid_of(op)); }

/// `real` runs the real function with another place for c.
template <class Operand>
Outcome reduce_to(void* c, const Type* given, GrB_BinaryOp accum, GrB_Monoid monoid,
                  typename Operand::Handle u, FunctionRef<GrB_Info(void*)> real) {
  return attempt([&]() -> Outcome {
    require(c != nullptr);
    Reduction<Operand> reduction(accum, meant_by(monoid), u);
    const Type type = given ? *given : reduction.monoid->type();
    require(given != nullptr || type.is_user());
    reduction.check_result(type);
    note_operation(reduction.monoid->name);
    if (!reduction.inputs.placed(true)) return forwarded;
    Value value{type, std::string(static_cast<const char*>(c), type.size)};
    const auto exactness = [&] { return reduction.exactness(); };
    const Outcome outcome = verified(value, real, reduction.inputs, exactness, [&] {
      std::optional<Value> sum = reduction.sum();
      // SuiteSparse's ANY monoids have the identity 0, and that is what an empty vector reduces to.
      if (!sum) sum = Value{reduction.monoid->type(), std::string(reduction.monoid->type().size, '\0')};
      value = reduction.combined(value, *sum);
    });
    if (outcome) std::memcpy(c, value.bytes.data(), type.size);
    return outcome;
  });
}

/// `monoid`: a GrB_Monoid, or the GrB_BinaryOp of one.
template <class Operand, class Meant>
Outcome reduce_to_scalar(GrB_Scalar c, GrB_BinaryOp accum, Meant monoid, typename Operand::Handle u) {
  return attempt([&]() -> Outcome {
    require(c != nullptr);
    // Verified calls take the plain way: there is no copy of a GrB_Scalar to compare with.
    if (settings().verify) throw Declined("reduce to a GrB_Scalar while CUGRB_VERIFY is set");
    Reduction<Operand> reduction(accum, meant_by(monoid), u);
    const std::optional<Value> old = value_of(c);
    const Type type = old ? old->type : scalar_type(c);
    reduction.check_result(type);
    if (!reduction.inputs.placed(true)) return forwarded;
    if (entries_of(reduction.u) == 0) return accum == nullptr ? set_scalar(c, std::nullopt) : GrB_SUCCESS;
    const std::optional<Value> sum = reduction.sum();
    if (!sum) throw Declined("no sum");
    // Without an old value the accumulator has nothing to combine with.
    const Value result = old ? reduction.combined(*old, *sum) : reference::cast(*sum, type);
    return set_scalar(c, result);
  });
}

}  // namespace

#define CUGRB_REDUCE(PREFIX, KIND, SUFFIX, ctype, TYPE)                                                    \
  Outcome PREFIX##_##KIND##_reduce_##SUFFIX(ctype* c, GrB_BinaryOp accum, GrB_Monoid monoid, GrB_##KIND u, \
                                            GrB_Descriptor desc) {                                         \
    return reduce_to<KIND##Operand>(c, TYPE, accum, monoid, u, [&](void* out) {                            \
      return real::table().PREFIX##_##KIND##_reduce_##SUFFIX(static_cast<ctype*>(out), accum, monoid, u,   \
                                                             desc);                                        \
    });                                                                                                    \
  }
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code)                          \
  CUGRB_REDUCE(PREFIX, Vector, SUFFIX, ctype, &Type::of(TypeCode::Code)) \
  CUGRB_REDUCE(PREFIX, Matrix, SUFFIX, ctype, &Type::of(TypeCode::Code))
#include "semirings/types.def"
#undef CUGRB_TYPE
CUGRB_REDUCE(GrB, Vector, UDT, void, nullptr)
CUGRB_REDUCE(GrB, Matrix, UDT, void, nullptr)

#define CUGRB_REDUCE_TO_SCALAR(KIND, FORM)                                                         \
  Outcome GrB_##KIND##_reduce_##FORM##_Scalar(GrB_Scalar c, GrB_BinaryOp accum, GrB_##FORM monoid, \
                                              GrB_##KIND u, GrB_Descriptor) {                      \
    return reduce_to_scalar<KIND##Operand>(c, accum, monoid, u);                                   \
  }
CUGRB_REDUCE_TO_SCALAR(Vector, Monoid)
CUGRB_REDUCE_TO_SCALAR(Vector, BinaryOp)
CUGRB_REDUCE_TO_SCALAR(Matrix, Monoid)
CUGRB_REDUCE_TO_SCALAR(Matrix, BinaryOp)
#undef CUGRB_REDUCE_TO_SCALAR

}  // namespace cugrb::capi::offload
