// GrB_Vector_reduce_<T>, GrB_Matrix_reduce_<T>: c accum= the sum of all entries under a monoid, to a C scalar
// or a GrB_Scalar.
#include <cstring>

#include "offload_functions.h"
#include "src/capi/gate.h"
#include "src/capi/offload_call.h"
#include "src/capi/offload_scalars.h"
#include "src/capi/offload_verify.h"
#include "src/support/declined.h"
#include "src/support/settings.h"
#include "src/support/trace.h"

namespace cugrb::capi::offload {
namespace {

uint64_t most_terms(const VectorOperand& u) { return u.size; }
uint64_t most_terms(const MatrixOperand& a) { return entries_of(a); }

/// A reduction's parts, decoded and checked. Operand: VectorOperand or MatrixOperand.
template <class Operand>
struct Reduction {
  std::shared_ptr<const BinaryOp> accum;
  std::shared_ptr<const Monoid> monoid;
  Operand u;
  Inputs inputs{"reduce"};

  Reduction(GrB_BinaryOp accum_handle, GrB_Monoid monoid_handle, typename Operand::Handle object) {
    require(monoid_handle != nullptr);
    u = operand(object);
    inputs.add_entries(u);
    monoid = decode::monoid(monoid_handle);
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
      const auto use = mirror::read(u.handle);
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

/// `forward` runs the real function with its own idea of c.
template <class Operand>
bool reduce_to(GrB_Info& info, void* c, const Type* given, GrB_BinaryOp accum, GrB_Monoid monoid,
               typename Operand::Handle u, FunctionRef<GrB_Info(void*)> forward) {
  return attempt([&] {
    require(c != nullptr);
    Reduction<Operand> reduction(accum, monoid, u);
    const Type type = given ? *given : reduction.monoid->type();
    require(given != nullptr || type.is_user());
    reduction.check_result(type);
    if (trace::enabled()) trace::current().operation = reduction.monoid->name;
    if (!reduction.inputs.placed(true)) return false;
    Value expected{type, std::string(static_cast<const char*>(c), type.size)};
    if (settings().verify && !(reduction.inputs.to_host() && forward(expected.bytes.data()) == GrB_SUCCESS))
      return false;
    std::optional<Value> sum = reduction.sum();
    // SuiteSparse's ANY monoids have the identity 0, and that is what an empty vector reduces to.
    if (!sum) sum = Value{reduction.monoid->type(), std::string(reduction.monoid->type().size, '\0')};
    Value result = reduction.combined({type, std::string(static_cast<const char*>(c), type.size)}, *sum);
    if (settings().verify && !agree(result, expected, reduction.exactness())) {
      note_difference("the sums differ");
      result = expected;
    }
    std::memcpy(c, result.bytes.data(), type.size);
    info = GrB_SUCCESS;
    return true;
  });
}

template <class Operand>
bool reduce_to_scalar(GrB_Info& info, GrB_Scalar c, GrB_BinaryOp accum, GrB_Monoid monoid,
                      typename Operand::Handle u) {
  return attempt([&] {
    require(c != nullptr);
    // Verified calls take the plain way: there is no copy of a GrB_Scalar to compare with.
    if (settings().verify) throw Declined("reduce to a GrB_Scalar while CUGRB_VERIFY is set");
    Reduction<Operand> reduction(accum, monoid, u);
    const std::optional<Value> old = value_of(c);
    const Type type = old ? old->type : scalar_type(c);
    reduction.check_result(type);
    if (!reduction.inputs.placed(true)) return false;
    if (entries_of(reduction.u) == 0) {
      info = accum == nullptr ? set_scalar(c, std::nullopt) : GrB_SUCCESS;
      return true;
    }
    const std::optional<Value> sum = reduction.sum();
    if (!sum) throw Declined("no sum");
    // Without an old value the accumulator has nothing to combine with.
    const Value result = old ? reduction.combined(*old, *sum) : reference::cast(*sum, type);
    info = set_scalar(c, result);
    return true;
  });
}

}  // namespace

#define CUGRB_REDUCE(KIND, SUFFIX, ctype, TYPE)                                                            \
  bool GrB_##KIND##_reduce_##SUFFIX(GrB_Info& info, ctype* c, GrB_BinaryOp accum, GrB_Monoid monoid,       \
                                    GrB_##KIND u, GrB_Descriptor desc) {                                   \
    return reduce_to<KIND##Operand>(info, c, TYPE, accum, monoid, u, [&](void* out) {                      \
      return real::table().GrB_##KIND##_reduce_##SUFFIX(static_cast<ctype*>(out), accum, monoid, u, desc); \
    });                                                                                                    \
  }
#define CUGRB_TYPE(SUFFIX, ctype, Code)                          \
  CUGRB_REDUCE(Vector, SUFFIX, ctype, &Type::of(TypeCode::Code)) \
  CUGRB_REDUCE(Matrix, SUFFIX, ctype, &Type::of(TypeCode::Code))
#include "semirings/types.def"
#undef CUGRB_TYPE
CUGRB_REDUCE(Vector, UDT, void, nullptr)
CUGRB_REDUCE(Matrix, UDT, void, nullptr)

bool GrB_Vector_reduce_Monoid_Scalar(GrB_Info& info, GrB_Scalar c, GrB_BinaryOp accum, GrB_Monoid monoid,
                                     GrB_Vector u, GrB_Descriptor) {
  return reduce_to_scalar<VectorOperand>(info, c, accum, monoid, u);
}
bool GrB_Matrix_reduce_Monoid_Scalar(GrB_Info& info, GrB_Scalar c, GrB_BinaryOp accum, GrB_Monoid monoid,
                                     GrB_Matrix A, GrB_Descriptor) {
  return reduce_to_scalar<MatrixOperand>(info, c, accum, monoid, A);
}

}  // namespace cugrb::capi::offload
