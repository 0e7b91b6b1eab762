// GrB_mxv: w<mask> accum= A u.  GrB_vxm: w'<mask'> accum= u' A.
#include "offload_functions.h"
#include "src/capi/offload_call.h"
#include "src/memory/policy.h"
#include "src/operations/matrix_update.h"
#include "src/operations/multiply/mxv/slices.h"

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

/// Both are products with a matrix whose rows are the output's positions: A (or A'), and for vxm its
/// transpose.
Outcome product(VectorCall& call, GrB_Semiring handle, GrB_Matrix A, GrB_Vector u_handle, bool vector_first) {
  require(handle != nullptr);
  const MatrixOperand matrix = call.input(A);
  const VectorOperand vector = call.input(u_handle);
  const auto semiring = decode::semiring(handle);
  const decode::Descriptor& descriptor = call.descriptor();
  const bool transpose = vector_first ? !descriptor.transpose_second : descriptor.transpose_first;
  require(call.output().size == (transpose ? matrix.columns : matrix.rows));
  require(vector.size == (transpose ? matrix.rows : matrix.columns));
  require_first(semiring->multiply, vector_first ? vector.type : matrix.type);
  require_second(semiring->multiply, vector_first ? matrix.type : vector.type);
  call.result_type(semiring->add.type());
  if (mirror::held_by_column(matrix.handle) != transpose) {
    call.inputs().pushes(matrix, vector);
  } else {
    call.inputs().pulls(call.output().size, call.allowed_share(), vector, first_entries_suffice(*semiring));
  }
  const bool is_full = mirror::knows_nvals(vector.handle) && entries_of(vector) == vector.size;
  if (!is_full || call.is_masked()) call.inputs().count_next();
  call.exactness() = {vector.size, semiring->add.is_any};
  const auto in_slices = [&](const operations::VectorOutput& w) {
    const mirror::VectorUse u = mirror::read(vector.handle);
    const mirror::HostUse a(matrix.handle);
    operations::mxv_in_slices(w, {*semiring, *a, *u, transpose, vector_first, runtime::devices()});
  };
  const auto whole = [&](const operations::VectorOutput& w) {
    const mirror::MatrixUse a = mirror::read(matrix.handle, mirror::Reads::any_form);
    operations::settle_form(*a, *semiring, transpose);
    const mirror::VectorUse u = mirror::read(vector.handle, mirror::Reads::any_form);
    operations::mxv(w, {*semiring, *a, *u, transpose, vector_first, runtime::devices(), /*in_parts=*/true});
  };
  call.takes_any_form();
  bool was_evicted = false;
  const auto device = [&](const operations::VectorOutput& w) {
    if (call.inputs().exceed_device()) return in_slices(w);
    if (!std::exchange(was_evicted, true)) return whole(w);
    // All that could go has gone: what does not fit then comes in slices.
    if (memory::shortage([&] { whole(w); })) in_slices(w);
  };
  return call.run(semiring->name, device);
}

}  // namespace

Outcome GrB_mxv(const Target<GrB_Vector>& w, GrB_Semiring semiring, GrB_Matrix A, GrB_Vector u) {
  return attempt([&] {
    VectorCall call("mxv", w);
    return product(call, semiring, A, u, false);
  });
}

Outcome GrB_vxm(const Target<GrB_Vector>& w, GrB_Semiring semiring, GrB_Vector u, GrB_Matrix A) {
  return attempt([&] {
    VectorCall call("vxm", w);
    return product(call, semiring, A, u, true);
  });
}

}  // namespace cugrb::capi::offload
