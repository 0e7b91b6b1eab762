// GrB_transpose, GrB_Matrix_assign and GxB_Matrix_subassign: of a matrix, of a scalar.
#include "offload_functions.h"
#include "src/capi/offload_indices.h"
#include "src/capi/offload_region.h"
#include "src/capi/offload_scalars.h"
#include "src/operations/matrix_assign.h"

namespace cugrb::capi::offload {
namespace {

/// Which part of C an assignment writes, by the program's lists.
struct Lists {
  const GrB_Index* I;
  GrB_Index ni;
  const GrB_Index* J;
  GrB_Index nj;
  bool masked_alone;  ///< GxB_subassign: mask and GrB_REPLACE act on C(I, J) only
};

/// A call C<M>(I, J) accum= T, or C(I, J)<M> accum= T.
class PartCall {
 public:
  PartCall(const Target<GrB_Matrix>& target, const Lists& lists)
      : call_(lists.masked_alone ? "subassign" : "assign", lists.masked_alone ? whole(target) : target),
        region_(target.accum, target.descriptor),
        masked_alone_(lists.masked_alone),
        rows_(checked(lists.I, lists.ni, call_.output().rows), lists.ni, call_.output().rows),
        columns_(checked(lists.J, lists.nj, call_.output().columns), lists.nj, call_.output().columns) {
    call_.inputs().add(rows_.view());
    call_.inputs().add(columns_.view());
    call_.takes_any_form();
    if (!masked_alone_) return;
    MatrixOperand part = call_.output();
    part.rows = rows_.length();
    part.columns = columns_.length();
    region_.take_mask(call_, target.mask, part);
  }

  /// A, whose shape is that of the part.
  MatrixOperand input(GrB_Matrix A) {
    const MatrixOperand a = call_.input(A), t = a.transposed(transposes());
    require(t.rows == rows_.length() && t.columns == columns_.length());
    if (accumulates_by_places(call_)) call_.inputs().writes_entries_of(a);
    return a;
  }
  bool transposes() const { return region_.descriptor().transpose_first; }
  const Type& type() const { return call_.output().type; }

  /// T is of type `type`.
  using Assign = FunctionRef<void(const operations::MatrixOutput&, const operations::MatrixPart&)>;
  Outcome run(const std::string& op, const Type& type, const Assign& assign) {
    const operations::MatrixPart part{rows_.view(), columns_.view(), masked_alone_};
    if (masked_alone_ || !part.rows.all || !part.columns.all) call_.keeps_outside();
    if (!masked_alone_) {
      call_.result_type(type);
      return call_.run(op, [&](const operations::MatrixOutput& c) { assign(c, part); });
    }
    region_.result_type(call_.output().type, type);
    return call_.run(op, [&](const operations::MatrixOutput& c) {
      region_.write(c.object, [&](operations::MatrixOutput out) {
        out.any_form = c.any_form;
        assign(out, part);
      });
    });
  }

 private:
  static const GrB_Index* checked(const GrB_Index* list, GrB_Index count, uint64_t length) {
    decline_all_of_one(list, count, length);
    return list;
  }

  MatrixCall call_;
  Region<MatrixOperand> region_;
  const bool masked_alone_;
  const IndexList rows_, columns_;
};

Outcome assign_matrix(const Target<GrB_Matrix>& C, GrB_Matrix A, const Lists& lists) {
  return attempt([&] {
    PartCall call(C, lists);
    const MatrixOperand a = call.input(A);
    return call.run("matrix", a.type,
                    [&](const operations::MatrixOutput& c, const operations::MatrixPart& part) {
                      const mirror::MatrixUse use = mirror::read(a.handle);
                      operations::assign(c, operations::MatrixInput{*use, call.transposes()}, part);
                    });
  });
}

/// A scalar argument: a GrB_Scalar without a value has a type, too.
struct GivenScalar {
  Type type;
  std::optional<Value> value;
};
GivenScalar given(const Value& value) { return {value.type, value}; }
GivenScalar given(GrB_Scalar scalar) { return {scalar_type(scalar), value_of(scalar)}; }

Outcome assign_scalar(const Target<GrB_Matrix>& C, FunctionRef<GivenScalar(const Type&)> scalar,
                      const Lists& lists) {
  return attempt([&] {
    PartCall call(C, lists);
    const GivenScalar x = scalar(call.type());
    return call.run(x.value ? "scalar " + x.type.suffix() : "empty scalar", x.type,
                    [&](const operations::MatrixOutput& c, const operations::MatrixPart& part) {
                      operations::assign_scalar(c, x.value, x.type, part);
                    });
  });
}

}  // namespace

Outcome GrB_transpose(const Target<GrB_Matrix>& C, GrB_Matrix A) {
  return attempt([&] {
    MatrixCall call("transpose", C);
    const bool transpose = !call.descriptor().transpose_first;
    const MatrixOperand a = call.input_of_shape(A, transpose);
    call.result_type(a.type);
    call.takes_any_form();
    call.takes_parts();
    return call.run("matrix", [&](const operations::MatrixOutput& c) {
      const mirror::MatrixUse use = read_by_position(a.handle);
      operations::assign(c, operations::MatrixInput{*use, transpose});
    });
  });
}

#define CUGRB_SCALAR(NAME, ctype, GIVEN, masked_alone)                                                     \
  Outcome NAME(const Target<GrB_Matrix>& C, ctype x, const GrB_Index* I, GrB_Index ni, const GrB_Index* J, \
               GrB_Index nj) {                                                                             \
    return assign_scalar(C, [&](const Type& type) { return (void)type, GIVEN; },                           \
                         {I, ni, J, nj, masked_alone});                                                    \
  }
#define CUGRB_ASSIGNS(ASSIGN, masked_alone)                                                   \
  Outcome ASSIGN(const Target<GrB_Matrix>& C, GrB_Matrix A, const GrB_Index* I, GrB_Index ni, \
                 const GrB_Index* J, GrB_Index nj) {                                          \
    return assign_matrix(C, A, {I, ni, J, nj, masked_alone});                                 \
  }                                                                                           \
  CUGRB_SCALAR(ASSIGN##_UDT, void*, given(value_at(x, type)), masked_alone)                   \
  CUGRB_SCALAR(ASSIGN##_Scalar, GrB_Scalar, given(x), masked_alone)
CUGRB_ASSIGNS(GrB_Matrix_assign, false)
CUGRB_ASSIGNS(GxB_Matrix_subassign, true)
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code)                                   \
  CUGRB_SCALAR(PREFIX##_Matrix_assign_##SUFFIX, ctype, given(value_of(x)), false) \
  CUGRB_SCALAR(GxB_Matrix_subassign_##SUFFIX, ctype, given(value_of(x)), true)
#include "semirings/types.def"
#undef CUGRB_TYPE
#undef CUGRB_ASSIGNS
#undef CUGRB_SCALAR

}  // namespace cugrb::capi::offload
