// Which objects a call gets: some that are there, mostly, of the types and shapes that it takes.
#include <algorithm>

#include "tests/differential/programs/drawing.h"

namespace differential::programs {

bool writes_subobject(const Configuration& c) {
  switch (c.operation) {
    case Operation::subassign:
    case Operation::matrix_subassign:
    case Operation::matrix_subassign_scalar:
    case Operation::row_subassign:
    case Operation::column_subassign:
      return true;
    default:
      return false;
  }
}

bool Generator::takes_mask(Operation operation) const {
  switch (operation) {
    case Operation::reduce:
    case Operation::matrix_reduce:
    case Operation::vector_diag:
    case Operation::matrix_diag:
    case Operation::vector_build:
    case Operation::matrix_build:
    case Operation::concat:
    case Operation::matrix_resize:
    case Operation::vector_resize:
    case Operation::matrix_sort:
    case Operation::vector_sort:
    case Operation::matrix_reshape:
      return false;
    default:
      return true;
  }
}

void Generator::bind_mask(Step& s) {
  const Configuration& c = s.configuration;
  if (!takes_mask(c.operation)) return;
  const Shape& out = shape(s.out);
  const bool row = c.operation == Operation::row_assign || c.operation == Operation::row_subassign,
             column = c.operation == Operation::column_assign || c.operation == Operation::column_subassign;
  if (row || column) {
    const List& l = row ? s.columns : s.rows;
    s.mask = vector(c.type_mask, writes_subobject(c) ? l.length : row ? out.columns : out.rows);
  } else if (takes_vectors(c.operation)) {
    s.mask = vector(c.type_mask, writes_subobject(c) ? s.rows.length : out.rows);
  } else {
    s.mask = writes_subobject(c) ? matrix(c.type_mask, s.rows.length, s.columns.length)
                                 : matrix(c.type_mask, out.rows, out.columns);
  }
}

bool Generator::bind(Step& s) {
  const Operation operation = s.configuration.operation;
  if (operation >= Operation::split) return bind_whole(s);
  return takes_vectors(operation) ? bind_vector(s) : bind_matrix(s);
}

bool Generator::bind_vector(Step& s) {
  Configuration& c = s.configuration;
  const GrB_Index n = size(), k = size();
  switch (c.operation) {
    case Operation::mxv:
      s.out = vector(c.type_w, n);
      s.first = matrix(c.type_matrix, c.transpose ? k : n, c.transpose ? n : k);
      s.second = vector(c.type_u, k);
      return true;
    case Operation::vxm:
      s.out = vector(c.type_w, n);
      s.first = vector(c.type_u, k);
      s.second = matrix(c.type_matrix, c.transpose ? n : k, c.transpose ? k : n);
      return true;
    case Operation::ewise_add:
    case Operation::ewise_mult:
    case Operation::ewise_add_monoid:
    case Operation::ewise_mult_semiring:
    case Operation::ewise_union:
      s.out = vector(c.type_w, n);
      s.first = vector(c.type_u, n);
      s.second = vector(c.type_v, n);
      return true;
    case Operation::apply:
    case Operation::apply_first:
    case Operation::apply_second:
    case Operation::apply_index:
    case Operation::select:
      s.out = vector(c.type_w, n);
      s.first = vector(c.type_u, n);
      return true;
    case Operation::assign:
    case Operation::subassign:
      s.out = any(false, c.type_w);
      s.rows = list(shape(s.out).rows);
      s.first = vector(c.type_u, s.rows.length);
      return true;
    case Operation::assign_scalar:
      s.out = any(false, c.type_w);
      s.rows = list(shape(s.out).rows);
      return true;
    case Operation::extract:
      s.first = any(false, c.type_u);
      s.rows = list(shape(s.first).rows);
      s.out = vector(c.type_w, s.rows.length);
      return true;
    case Operation::column_extract: {
      s.first = any(true, c.type_u);
      const Shape a = shape(s.first);
      if (a.rows == 0 || a.columns == 0) return false;
      s.rows = list(c.transpose ? a.columns : a.rows);
      s.line = random_.below(c.transpose ? a.rows : a.columns);
      s.out = vector(c.type_w, s.rows.length);
      return true;
    }
    case Operation::reduce:
      s.first = any(false, c.type_u);
      return true;
    case Operation::matrix_reduce_rows:
      s.first = any(true, c.type_u);
      s.out = vector(c.type_w, c.transpose ? shape(s.first).columns : shape(s.first).rows);
      return true;
    case Operation::vector_diag: {
      s.first = any(true, c.type_u);
      const int64_t rows = int64_t(shape(s.first).rows), columns = int64_t(shape(s.first).columns);
      s.number = int64_t(random_.below(5)) - 2;
      const int64_t length =
          s.number >= 0 ? std::min(rows, columns - s.number) : std::min(rows + s.number, columns);
      if (length <= 0) return false;
      s.out = vector(c.type_w, GrB_Index(length));
      return true;
    }
    case Operation::vector_build:
      s.out = any(false, c.type_w);
      draw_tuples(s);
      return true;
    case Operation::vector_resize:
      s.out = any(false);
      s.new_rows = size();
      return !is_huge(s.new_rows) || is_huge(s.out);  // a bitmap that grows so takes gigabytes
    case Operation::vector_sort:
      s.first = any(false, c.type_u);
      s.out = vector(c.type_w, shape(s.first).rows);
      return c.typed_scalar || s.out != s.first;
    default:
      return false;
  }
}

bool Generator::bind_matrix(Step& s) {
  Configuration& c = s.configuration;
  const GrB_Index m = size(), n = size(), k = size();
  switch (c.operation) {
    case Operation::mxm:
      s.out = matrix(c.type_w, m, n);
      s.first = first_of(c, m, k);
      s.second = second_of(c, k, n);
      return true;
    case Operation::matrix_reduce:
      s.first = any(true, c.type_u);
      return true;
    case Operation::matrix_ewise_add:
    case Operation::matrix_ewise_mult:
    case Operation::matrix_ewise_union:
      s.out = matrix(c.type_w, m, n);
      s.first = first_of(c, m, n);
      s.second = second_of(c, m, n);
      return true;
    case Operation::matrix_apply:
    case Operation::matrix_apply_first:
    case Operation::matrix_apply_second:
    case Operation::matrix_apply_index:
    case Operation::matrix_select:
    case Operation::transpose:
      s.out = matrix(c.type_w, m, n);
      s.first = first_of(c, m, n);
      return true;
    case Operation::kronecker: {
      const GrB_Index p = size(), q = size();
      if (is_huge(m) || is_huge(n) || is_huge(p) || is_huge(q) || m * n * p * q > 4000) return false;
      s.first = first_of(c, m, n);
      s.second = second_of(c, p, q);
      s.out = matrix(c.type_w, m * p, n * q);
      return true;
    }
    case Operation::matrix_extract: {
      s.first = any(true, c.type_u);
      const Shape a = shape(s.first);
      s.rows = list(c.transpose ? a.columns : a.rows);
      s.columns = list(c.transpose ? a.rows : a.columns);
      s.out = matrix(c.type_w, s.rows.length, s.columns.length);
      return true;
    }
    case Operation::matrix_assign:
    case Operation::matrix_assign_scalar:
    case Operation::matrix_assign_part:
    case Operation::matrix_assign_part_scalar:
    case Operation::matrix_subassign:
    case Operation::matrix_subassign_scalar:
      return bind_assignment(s);
    case Operation::row_assign:
    case Operation::row_subassign:
      s.out = any(true, c.type_w);
      if (shape(s.out).rows == 0) return false;
      s.line = random_.below(shape(s.out).rows);
      s.columns = list(shape(s.out).columns);
      s.first = vector(c.type_u, s.columns.length);
      return true;
    case Operation::column_assign:
    case Operation::column_subassign:
      s.out = any(true, c.type_w);
      if (shape(s.out).columns == 0) return false;
      s.line = random_.below(shape(s.out).columns);
      s.rows = list(shape(s.out).rows);
      s.first = vector(c.type_u, s.rows.length);
      return true;
    default:
      return bind_assembly(s);
  }
}

bool Generator::bind_assignment(Step& s) {
  Configuration& c = s.configuration;
  s.out = any(true, c.type_w);
  const Shape out = shape(s.out);
  const bool whole =
      c.operation == Operation::matrix_assign || c.operation == Operation::matrix_assign_scalar;
  s.rows = whole ? all(out.rows) : list(out.rows);
  s.columns = whole ? all(out.columns) : list(out.columns);
  const bool scalar = c.operation == Operation::matrix_assign_scalar ||
                      c.operation == Operation::matrix_assign_part_scalar ||
                      c.operation == Operation::matrix_subassign_scalar;
  if (!scalar) s.first = first_of(c, s.rows.length, s.columns.length);
  return true;
}

bool Generator::bind_assembly(Step& s) {
  Configuration& c = s.configuration;
  const GrB_Index m = size(), n = size(), k = size();
  constexpr GrB_Index limit = GrB_Index(1) << 60;
  switch (c.operation) {
    case Operation::matrix_diag: {
      s.number = int64_t(random_.below(5)) - 2;
      const GrB_Index side = n + GrB_Index(std::abs(s.number));
      if (side == 0 || side >= limit) return false;
      s.first = vector(c.type_u, n);
      s.out = matrix(c.type_w, side, side);
      return true;
    }
    case Operation::matrix_build:
      s.out = any(true, c.type_w);
      draw_tuples(s);
      return true;
    case Operation::concat:
      if (n + k >= limit || m >= limit) return false;
      s.first = c.all_indices ? matrix(c.type_u, m, n) : matrix(c.type_u, n, m);
      s.second = c.all_indices ? matrix(c.type_v, m, k) : matrix(c.type_v, k, m);
      s.out = c.all_indices ? matrix(c.type_w, m, n + k) : matrix(c.type_w, n + k, m);
      return true;
    case Operation::matrix_resize:
      s.out = any(true);
      s.new_rows = size();
      s.new_columns = size();
      return (!is_huge(s.new_rows) && !is_huge(s.new_columns)) || is_huge(s.out);
    case Operation::matrix_sort:
      s.first = any(true, c.type_u);
      s.out = matrix(c.type_w, shape(s.first).rows, shape(s.first).columns);
      return !is_huge(s.first) && (c.typed_scalar || s.out != s.first);
    case Operation::matrix_reshape: {
      s.out = any(true);
      const Shape a = shape(s.out);
      if (is_huge(s.out) || a.rows == 0 || a.columns == 0) return false;
      s.new_rows = 1 + random_.below(2 * a.rows);
      while (a.rows * a.columns % s.new_rows != 0) --s.new_rows;
      s.new_columns = a.rows * a.columns / s.new_rows;
      return true;
    }
    default:
      return false;
  }
}

bool Generator::bind_whole(Step& s) {
  Configuration& c = s.configuration;
  const bool is_matrix = !takes_vectors(c.operation);
  const int some = any(is_matrix);
  switch (c.operation) {
    case Operation::split: {
      const Shape a = shape(some);
      const bool across = random_.chance(50);
      const GrB_Index n = across ? a.columns : a.rows;
      if (n < 2) return false;
      const GrB_Index at = 1 + random_.below(n - 1);
      (across ? s.columns : s.rows).values = {at, n - at};
      (across ? s.rows : s.columns).values = {across ? a.rows : a.columns};
      s.first = some;
      s.out = any(true);
      s.second = any(true);
      return s.out != s.first && s.second != s.first && s.out != s.second;
    }
    case Operation::matrix_dup:
    case Operation::vector_dup:
      s.first = some;
      s.out = any(is_matrix);
      return s.out != s.first;
    case Operation::matrix_clear:
    case Operation::vector_clear:
      s.out = some;
      return true;
    case Operation::matrix_set_element:
    case Operation::vector_set_element:
    case Operation::matrix_remove_element:
    case Operation::vector_remove_element:
      s.out = some;
      return draw_place(s, some);
    case Operation::matrix_element:
    case Operation::vector_element:
      s.first = some;
      return draw_place(s, some);
    default:
      s.first = some;
      return true;
  }
}

}  // namespace differential::programs
