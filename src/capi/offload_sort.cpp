// GxB_Vector_sort, GxB_Matrix_sort: values in the order of an operator, and where they come from.
#include "src/operations/sort.h"

#include "offload_functions.h"
#include "src/capi/offload_call.h"
#include "src/support/declined.h"

namespace cugrb::capi::offload {
namespace {

void sort_on_device(const operations::SortedInto<formats::DeviceVector>& out, const BinaryOp& before,
                    const formats::DeviceVector& u, bool) {
  operations::sort(out, before, u);
}
void sort_on_device(const operations::SortedInto<formats::DeviceMatrix>& out, const BinaryOp& before,
                    const formats::DeviceMatrix& a, bool columns) {
  operations::sort(out, before, operations::MatrixInput{a, columns});
}

/// SuiteSparse leaves C and P by rows, or, where columns are sorted, by columns.
void turn(GrB_Vector, bool) {}
void turn(GrB_Matrix matrix, bool columns) {
  if (matrix != nullptr) mirror::turn_shell(matrix, columns);
}

/// SuiteSparse's rule: x and y are of one type, to which A's values can be cast, and z is BOOL.
void require_comparison(const BinaryOp& op, const Type& type) {
  require(op.z == Type::of(TypeCode::Bool) && op.x == op.y && compatible(type, op.x));
}
void require_places(const Type& type) {
  require(type == Type::of(TypeCode::Int64) || type == Type::of(TypeCode::UInt64));
}

/// C or P may be null. `real` makes C, or P where there is no C, into another object.
template <class Handle>
Outcome sort(Handle C, Handle P, GrB_BinaryOp op, Handle A, GrB_Descriptor desc,
             FunctionRef<GrB_Info(Handle)> real) {
  return attempt([&]() -> Outcome {
    require(op != nullptr && A != nullptr && (C != nullptr || P != nullptr));
    if (P == C || P == A) throw Declined("sort whose places replace what is sorted");
    CallOn<Handle> call("sort", {C != nullptr ? C : P, nullptr, nullptr, nullptr, real});
    const auto a = call.input(A);
    const auto before = decode::binary_op(op);
    require_comparison(*before, a.type);
    require(call.output().has_shape_of(a));
    if (C != nullptr) require(call.output().type == a.type);
    if (P != nullptr) {
      const auto p = operand(P);
      require_places(p.type);
      require(p.has_shape_of(a));
    }
    const bool columns = decode::descriptor(desc).transpose_first;
    return call.run(before->name, [&](const typename CallOn<Handle>::Output& out) {
      const auto use = mirror::read(A);
      decltype(mirror::write(P)) places;
      if (C != nullptr && P != nullptr) places = mirror::write(P, /*keep=*/false);
      sort_on_device({C != nullptr ? &out.object : nullptr, C == nullptr   ? &out.object
                                                            : P != nullptr ? &*places
                                                                           : nullptr},
                     *before, *use, columns);
      turn(C, columns);
      turn(P, columns);
      if (C != nullptr && P != nullptr) places.commit();
    });
  });
}

}  // namespace

Outcome GxB_Vector_sort(GrB_Vector w, GrB_Vector p, GrB_BinaryOp op, GrB_Vector u, GrB_Descriptor desc) {
  return sort<GrB_Vector>(w, p, op, u, desc, [&](GrB_Vector out) {
    return w != nullptr ? real::table().GxB_Vector_sort(out, nullptr, op, u, desc)
                        : real::table().GxB_Vector_sort(nullptr, out, op, u, desc);
  });
}

Outcome GxB_Matrix_sort(GrB_Matrix C, GrB_Matrix P, GrB_BinaryOp op, GrB_Matrix A, GrB_Descriptor desc) {
  return sort<GrB_Matrix>(C, P, op, A, desc, [&](GrB_Matrix out) {
    return C != nullptr ? real::table().GxB_Matrix_sort(out, nullptr, op, A, desc)
                        : real::table().GxB_Matrix_sort(nullptr, out, op, A, desc);
  });
}

}  // namespace cugrb::capi::offload
