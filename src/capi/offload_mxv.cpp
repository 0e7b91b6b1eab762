// GrB_mxv: w<mask> accum= A u.  GrB_vxm: w'<mask'> accum= u' A.
#include "offload_functions.h"
#include "src/capi/offload_call.h"

namespace cugrb::capi::offload {
namespace {

/// The first (or last) entry of a row decides its sum: SuiteSparse reads no other.
bool first_entries_suffice(const Semiring& semiring) {
  const Positional by = semiring.multiply.positional;
  const bool by_inner_index = by == Positional::FirstJ || by == Positional::FirstJ1 ||
                              by == Positional::SecondI || by == Positional::SecondI1;
  const std::string& add = semiring.add.op.stem;
  return semiring.add.is_any || (by_inner_index && (add == "minimum" || add == "maximum"));
}

struct Arguments {
  GrB_Matrix A;
  GrB_Vector u;
  GrB_Semiring semiring;
  bool vector_first;
};

/// Both are products with a matrix whose rows are the output's positions: A (or A'), and for vxm its
/// transpose.
bool product(GrB_Info& info, VectorCall& call, const Arguments& arguments,
             FunctionRef<GrB_Info(GrB_Vector)> forward) {
  require(arguments.semiring != nullptr);
  const MatrixOperand matrix = call.input(arguments.A);
  const VectorOperand vector = call.input(arguments.u);
  const auto semiring = decode::semiring(arguments.semiring);
  const decode::Descriptor& descriptor = call.descriptor();
  const bool transpose = arguments.vector_first ? !descriptor.transpose_second : descriptor.transpose_first;
  require(call.output().size == (transpose ? matrix.columns : matrix.rows));
  require(vector.size == (transpose ? matrix.rows : matrix.columns));
  require_first(semiring->multiply, arguments.vector_first ? vector.type : matrix.type);
  require_second(semiring->multiply, arguments.vector_first ? matrix.type : vector.type);
  call.result_type(semiring->add.type());
  const auto pulls = [&] { return mirror::held_by_column(matrix.handle) == transpose; };
  if (first_entries_suffice(*semiring) && pulls())
    call.inputs().first_entries_suffice(call.output().size, vector);
  call.exactness() = {vector.size, semiring->add.is_any};
  const auto device = [&](const operations::VectorOutput& w) {
    const mirror::MatrixUse a = mirror::read(matrix.handle);
    const mirror::VectorUse u = mirror::read(vector.handle);
    operations::mxv(w, {*semiring, *a, *u, transpose, arguments.vector_first});
  };
  return call.run(info, semiring->name, device, forward);
}

}  // namespace

bool GrB_mxv(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Semiring semiring,
             GrB_Matrix A, GrB_Vector u, GrB_Descriptor desc) {
  return attempt([&] {
    VectorCall call("mxv", w, mask, accum, desc);
    return product(info, call, {A, u, semiring, false}, [&](GrB_Vector out) {
      return real::table().GrB_mxv(out, mask, accum, semiring, A, u, desc);
    });
  });
}

bool GrB_vxm(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Semiring semiring,
             GrB_Vector u, GrB_Matrix A, GrB_Descriptor desc) {
  return attempt([&] {
    VectorCall call("vxm", w, mask, accum, desc);
    return product(info, call, {A, u, semiring, true}, [&](GrB_Vector out) {
      return real::table().GrB_vxm(out, mask, accum, semiring, u, A, desc);
    });
  });
}

}  // namespace cugrb::capi::offload
