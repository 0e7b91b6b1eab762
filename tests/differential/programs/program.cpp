#include "tests/differential/programs/program.h"

namespace differential::programs {

bool takes_vectors(Operation operation) {
  switch (operation) {
    case Operation::reduce:
    case Operation::matrix_reduce_rows:
    case Operation::vector_diag:
    case Operation::vector_build:
    case Operation::vector_resize:
    case Operation::vector_sort:
    case Operation::column_extract:
    case Operation::vector_dup:
    case Operation::vector_clear:
    case Operation::vector_set_element:
    case Operation::vector_remove_element:
    case Operation::vector_element:
    case Operation::vector_read:
    case Operation::vector_nvals:
    case Operation::vector_wait:
      return true;
    default:
      return operation < Operation::mxm;
  }
}

bool transposes_second(const Configuration& c) {
  return c.operation == Operation::vxm ? c.transpose : transposes_b(c);
}

bool transposes_first(const Configuration& c) {
  switch (c.operation) {
    case Operation::mxv:
    case Operation::mxm:
    case Operation::matrix_reduce_rows:
    case Operation::matrix_ewise_add:
    case Operation::matrix_ewise_mult:
    case Operation::matrix_ewise_union:
    case Operation::matrix_apply:
    case Operation::matrix_apply_first:
    case Operation::matrix_apply_second:
    case Operation::matrix_apply_index:
    case Operation::matrix_select:
    case Operation::matrix_assign:
    case Operation::matrix_assign_part:
    case Operation::matrix_subassign:
    case Operation::matrix_extract:
    case Operation::transpose:
    case Operation::kronecker:
    case Operation::column_extract:
      return c.transpose;
    default:
      return false;
  }
}

}  // namespace differential::programs
