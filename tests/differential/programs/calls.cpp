// The calls that compute.
#include "tests/differential/programs/arguments.h"

namespace differential::programs {

GrB_Info Executor::product(const Step& s) {
  const Configuration& c = s.configuration;
  const auto accum = accumulator(c);
  const auto d = descriptor(c);
  Named<GrB_Semiring> semiring = null<GrB_Semiring>();
  if (c.op.empty()) {
    semiring.text = "semiring";
    MAKE(GrB_Semiring_new, Named<GrB_Semiring*>{&semiring.value, "&semiring"}, named<GrB_Monoid>(c.add),
         named<GrB_BinaryOp>(c.multiply));
  } else {
    semiring = named<GrB_Semiring>(c.op);
  }
  const GrB_Info info = c.operation == Operation::mxm   ? CALL(GrB_mxm, matrix(s.out), matrix(s.mask), accum,
                                                               semiring, matrix(s.first), matrix(s.second), d)
                        : c.operation == Operation::mxv ? CALL(GrB_mxv, vector(s.out), vector(s.mask), accum,
                                                               semiring, matrix(s.first), vector(s.second), d)
                        : c.operation == Operation::vxm
                            ? CALL(GrB_vxm, vector(s.out), vector(s.mask), accum, semiring, vector(s.first),
                                   matrix(s.second), d)
                            : CALL(GrB_Vector_eWiseMult_Semiring, vector(s.out), vector(s.mask), accum,
                                   semiring, vector(s.first), vector(s.second), d);
  if (c.op.empty()) MAKE(GrB_Semiring_free, Named<GrB_Semiring*>{&semiring.value, "&semiring"});
  return info;
}

GrB_Info Executor::vector_call(const Step& s, Outcome& outcome) {
  const Configuration& c = s.configuration;
  const auto w = vector(s.out), mask = vector(s.mask);
  const auto accum = accumulator(c);
  const auto d = descriptor(c);
  const Named<GrB_Scalar> alpha = {alpha_, "alpha"}, beta = {beta_, "beta"};
  const auto u = [&] { return vector(s.first); };
  const auto v = [&] { return vector(s.second); };
  const auto binary = [&] { return named<GrB_BinaryOp>(c.op); };
  const auto indexed = [&] { return named<GrB_IndexUnaryOp>(c.op); };
  const bool plain = c.typed_scalar && !is_user(c.type_v);
  switch (c.operation) {
    case Operation::mxv:
    case Operation::vxm:
    case Operation::ewise_mult_semiring:
      return product(s);
    case Operation::ewise_add:
      return CALL(GrB_Vector_eWiseAdd_BinaryOp, w, mask, accum, binary(), u(), v(), d);
    case Operation::ewise_mult:
      return CALL(GrB_Vector_eWiseMult_BinaryOp, w, mask, accum, binary(), u(), v(), d);
    case Operation::ewise_add_monoid:
      return CALL(GrB_Vector_eWiseAdd_Monoid, w, mask, accum, named<GrB_Monoid>(c.op), u(), v(), d);
    case Operation::ewise_union:
      return CALL(GxB_Vector_eWiseUnion, w, mask, accum, binary(), u(), alpha, v(), beta, d);
    case Operation::apply:
      return CALL(GrB_Vector_apply, w, mask, accum, named<GrB_UnaryOp>(c.op), u(), d);
    case Operation::apply_first:
      return plain ? CALL(GrB_Vector_apply_BinaryOp1st_FP64, w, mask, accum, binary(), real(double(s.number)),
                          u(), d)
                   : CALL(GrB_Vector_apply_BinaryOp1st_Scalar, w, mask, accum, binary(), alpha, u(), d);
    case Operation::apply_second:
      return plain ? CALL(GrB_Vector_apply_BinaryOp2nd_INT64, w, mask, accum, binary(), u(),
                          integer(s.number), d)
                   : CALL(GrB_Vector_apply_BinaryOp2nd_Scalar, w, mask, accum, binary(), u(), alpha, d);
    case Operation::apply_index:
      return CALL(GrB_Vector_apply_IndexOp_Scalar, w, mask, accum, indexed(), u(), alpha, d);
    case Operation::select:
      return c.typed_scalar
                 ? CALL(GrB_Vector_select_INT64, w, mask, accum, indexed(), u(), integer(s.thunk.integer), d)
                 : CALL(GrB_Vector_select_Scalar, w, mask, accum, indexed(), u(), alpha, d);
    case Operation::reduce:
      return reduce(s, outcome);
    case Operation::matrix_reduce_rows:
      return CALL(GrB_Matrix_reduce_Monoid, w, mask, accum, named<GrB_Monoid>(c.op), matrix(s.first), d);
    case Operation::vector_diag:
      return CALL(GxB_Vector_diag, w, matrix(s.first), integer(s.number), null<GrB_Descriptor>());
    case Operation::vector_build:
      MAKE(GrB_Vector_clear, w);
      return build(s);
    case Operation::vector_resize:
      return CALL(GrB_Vector_resize, w, number(s.new_rows));
    case Operation::vector_sort:
      return sort(s);
    case Operation::column_extract:
      return CALL(GrB_Col_extract, w, mask, accum, matrix(s.first), indices(s.rows), count(s.rows),
                  number(s.line), d);
    default:
      return vector_assignment(s);
  }
}

GrB_Info Executor::vector_assignment(const Step& s) {
  const Configuration& c = s.configuration;
  const auto w = vector(s.out), mask = vector(s.mask);
  const auto accum = accumulator(c);
  const auto d = descriptor(c);
  const Named<GrB_Scalar> alpha = {alpha_, "alpha"};
  const auto i = indices(s.rows);
  const auto n = count(s.rows);
  switch (c.operation) {
    case Operation::assign:
      return CALL(GrB_Vector_assign, w, mask, accum, vector(s.first), i, n, d);
    case Operation::assign_scalar:
      return !c.typed_scalar || is_user(c.type_v)
                 ? CALL(GrB_Vector_assign_Scalar, w, mask, accum, alpha, i, n, d)
             : c.iso_matrix ? CALL(GrB_Vector_assign_INT64, w, mask, accum, integer(s.number), i, n, d)
                            : CALL(GrB_Vector_assign_FP64, w, mask, accum, real(double(s.number)), i, n, d);
    case Operation::extract:
      return CALL(GrB_Vector_extract, w, mask, accum, vector(s.first), i, n, d);
    case Operation::subassign:
      return c.iso_matrix ? CALL(GxB_Vector_subassign_Scalar, w, mask, accum, alpha, i, n, d)
                          : CALL(GxB_Vector_subassign, w, mask, accum, vector(s.first), i, n, d);
    default:
      throw std::runtime_error("a call that nobody knows");
  }
}

GrB_Info Executor::reduce(const Step& s, Outcome& outcome) {
  const Configuration& c = s.configuration;
  const bool is_matrix = c.operation == Operation::matrix_reduce;
  const auto monoid = named<GrB_Monoid>(c.op);
  const auto accum = null<GrB_BinaryOp>();
  const auto d = null<GrB_Descriptor>();
  if (is_user(c.type_u)) {
    Triple value = {};
    const Named<void*> result = {&value, "&user"};
    const GrB_Info info = is_matrix ? CALL(GrB_Matrix_reduce_UDT, result, accum, monoid, matrix(s.first), d)
                                    : CALL(GrB_Vector_reduce_UDT, result, accum, monoid, vector(s.first), d);
    outcome.answer = text_of(c.type_u, entry_of(0, 0, value));
    return info;
  }
  if (is_complex(c.type_u)) {
    GxB_FC64_t value = 3;
    const Named<GxB_FC64_t*> result = {&value, "&complex_number"};
    const auto add = c.replace ? named<GrB_BinaryOp>("GxB_PLUS_FC64") : accum;
    const GrB_Info info = is_matrix ? CALL(GxB_Matrix_reduce_FC64, result, add, monoid, matrix(s.first), d)
                                    : CALL(GxB_Vector_reduce_FC64, result, add, monoid, vector(s.first), d);
    outcome.answer = text_of(c.type_u, entry_of(0, 0, value));
    return info;
  }
  if (c.typed_scalar) {
    int64_t value = 3;
    const Named<int64_t*> result = {&value, "&integer"};
    const auto add = c.replace ? named<GrB_BinaryOp>("GrB_PLUS_INT64") : accum;
    const GrB_Info info = is_matrix ? CALL(GrB_Matrix_reduce_INT64, result, add, monoid, matrix(s.first), d)
                                    : CALL(GrB_Vector_reduce_INT64, result, add, monoid, vector(s.first), d);
    outcome.answer = std::to_string(value);
    return info;
  }
  double value = 3;
  const Named<double*> result = {&value, "&real"};
  const auto add = c.replace ? named<GrB_BinaryOp>("GrB_PLUS_FP64") : accum;
  const GrB_Info info = is_matrix ? CALL(GrB_Matrix_reduce_FP64, result, add, monoid, matrix(s.first), d)
                                  : CALL(GrB_Vector_reduce_FP64, result, add, monoid, vector(s.first), d);
  outcome.answer = real_text(value + 0.0);
  return info;
}

GrB_Info Executor::sort(const Step& s) {
  const Configuration& c = s.configuration;
  const auto before = named<GrB_BinaryOp>(c.op);
  const auto d = descriptor(c);
  if (c.operation == Operation::vector_sort) {
    return c.typed_scalar
               ? CALL(GxB_Vector_sort, vector(s.out), null<GrB_Vector>(), before, vector(s.first), d)
               : CALL(GxB_Vector_sort, null<GrB_Vector>(), vector(s.out), before, vector(s.first), d);
  }
  return c.typed_scalar
             ? CALL(GxB_Matrix_sort, matrix(s.out), null<GrB_Matrix>(), before, matrix(s.first), d)
             : CALL(GxB_Matrix_sort, null<GrB_Matrix>(), matrix(s.out), before, matrix(s.first), d);
}

GrB_Info Executor::matrix_call(const Step& s, Outcome& outcome) {
  const Configuration& c = s.configuration;
  const auto m = matrix(s.out), mask = matrix(s.mask);
  const auto accum = accumulator(c);
  const auto d = descriptor(c);
  const Named<GrB_Scalar> alpha = {alpha_, "alpha"}, beta = {beta_, "beta"};
  const auto a = [&] { return matrix(s.first); };
  const auto b = [&] { return matrix(s.second); };
  const auto binary = [&] { return named<GrB_BinaryOp>(c.op); };
  const auto indexed = [&] { return named<GrB_IndexUnaryOp>(c.op); };
  const bool plain = c.typed_scalar && !is_user(c.type_v);
  switch (c.operation) {
    case Operation::mxm:
      return product(s);
    case Operation::matrix_reduce:
      return reduce(s, outcome);
    case Operation::matrix_ewise_add:
      return CALL(GrB_Matrix_eWiseAdd_BinaryOp, m, mask, accum, binary(), a(), b(), d);
    case Operation::matrix_ewise_mult:
      return CALL(GrB_Matrix_eWiseMult_BinaryOp, m, mask, accum, binary(), a(), b(), d);
    case Operation::matrix_ewise_union:
      return CALL(GxB_Matrix_eWiseUnion, m, mask, accum, binary(), a(), alpha, b(), beta, d);
    case Operation::matrix_apply:
      return CALL(GrB_Matrix_apply, m, mask, accum, named<GrB_UnaryOp>(c.op), a(), d);
    case Operation::matrix_apply_first:
      return plain ? CALL(GrB_Matrix_apply_BinaryOp1st_FP64, m, mask, accum, binary(), real(double(s.number)),
                          a(), d)
                   : CALL(GrB_Matrix_apply_BinaryOp1st_Scalar, m, mask, accum, binary(), alpha, a(), d);
    case Operation::matrix_apply_second:
      return plain ? CALL(GrB_Matrix_apply_BinaryOp2nd_INT64, m, mask, accum, binary(), a(),
                          integer(s.number), d)
                   : CALL(GrB_Matrix_apply_BinaryOp2nd_Scalar, m, mask, accum, binary(), a(), alpha, d);
    case Operation::matrix_apply_index:
      return c.typed_scalar ? CALL(GrB_Matrix_apply_IndexOp_INT64, m, mask, accum, indexed(), a(),
                                   integer(s.thunk.integer), d)
                            : CALL(GrB_Matrix_apply_IndexOp_Scalar, m, mask, accum, indexed(), a(), alpha, d);
    case Operation::matrix_select:
      return c.typed_scalar
                 ? CALL(GrB_Matrix_select_INT64, m, mask, accum, indexed(), a(), integer(s.thunk.integer), d)
                 : CALL(GrB_Matrix_select_Scalar, m, mask, accum, indexed(), a(), alpha, d);
    case Operation::matrix_extract:
      return CALL(GrB_Matrix_extract, m, mask, accum, a(), indices(s.rows), count(s.rows), indices(s.columns),
                  count(s.columns), d);
    case Operation::transpose:
      return CALL(GrB_transpose, m, mask, accum, a(), d);
    case Operation::kronecker:
      return CALL(GrB_Matrix_kronecker_BinaryOp, m, mask, accum, binary(), a(), b(), d);
    case Operation::matrix_diag:
      return CALL(GxB_Matrix_diag, m, vector(s.first), integer(s.number), null<GrB_Descriptor>());
    case Operation::matrix_build:
      MAKE(GrB_Matrix_clear, m);
      return build(s);
    case Operation::concat:
      return concat(s);
    case Operation::matrix_resize:
      return CALL(GrB_Matrix_resize, m, number(s.new_rows), number(s.new_columns));
    case Operation::matrix_sort:
      return sort(s);
    case Operation::matrix_reshape:
      return CALL(GxB_Matrix_reshape, m, Named<bool>{c.transpose, c.transpose ? "true" : "false"},
                  number(s.new_rows), number(s.new_columns), null<GrB_Descriptor>());
    default:
      return matrix_assignment(s);
  }
}

GrB_Info Executor::matrix_assignment(const Step& s) {
  const Configuration& c = s.configuration;
  const auto m = matrix(s.out), mask = matrix(s.mask);
  const auto accum = accumulator(c);
  const auto d = descriptor(c);
  const Named<GrB_Scalar> alpha = {alpha_, "alpha"};
  const auto i = indices(s.rows), j = indices(s.columns);
  const auto ni = count(s.rows), nj = count(s.columns);
  const auto x = real(double(s.number));
  const auto line = number(s.line);
  const bool plain = c.typed_scalar && !is_user(c.type_v);
  switch (c.operation) {
    case Operation::matrix_assign:
    case Operation::matrix_assign_part:
      return CALL(GrB_Matrix_assign, m, mask, accum, matrix(s.first), i, ni, j, nj, d);
    case Operation::matrix_assign_scalar:
    case Operation::matrix_assign_part_scalar:
      return plain ? CALL(GrB_Matrix_assign_FP64, m, mask, accum, x, i, ni, j, nj, d)
                   : CALL(GrB_Matrix_assign_Scalar, m, mask, accum, alpha, i, ni, j, nj, d);
    case Operation::matrix_subassign:
      return CALL(GxB_Matrix_subassign, m, mask, accum, matrix(s.first), i, ni, j, nj, d);
    case Operation::matrix_subassign_scalar:
      return plain ? CALL(GxB_Matrix_subassign_FP64, m, mask, accum, x, i, ni, j, nj, d)
                   : CALL(GxB_Matrix_subassign_Scalar, m, mask, accum, alpha, i, ni, j, nj, d);
    case Operation::row_assign:
      return CALL(GrB_Row_assign, m, vector(s.mask), accum, vector(s.first), line, j, nj, d);
    case Operation::column_assign:
      return CALL(GrB_Col_assign, m, vector(s.mask), accum, vector(s.first), i, ni, line, d);
    case Operation::row_subassign:
      return CALL(GxB_Row_subassign, m, vector(s.mask), accum, vector(s.first), line, j, nj, d);
    case Operation::column_subassign:
      return CALL(GxB_Col_subassign, m, vector(s.mask), accum, vector(s.first), i, ni, line, d);
    default:
      throw std::runtime_error("a call that nobody knows");
  }
}

}  // namespace differential::programs
