#include "tests/differential/programs/generator.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "tests/differential/programs/faults.h"
#include "tests/differential/programs/values.h"

namespace differential::programs {
namespace {

using Names = std::vector<std::string>;

/// Those that compute are drawn into palettes; those that look at an object or change it as a whole need no
/// kernel of their own and come into every one.
const std::vector<Operation>& computing() {
  static const std::vector<Operation> all = [] {
    std::vector<Operation> list = {Operation::mxm, Operation::mxm, Operation::mxv, Operation::vxm};
    for (int k = 0; k < int(Operation::split); ++k) {
      if (Operation(k) != Operation::elements) list.push_back(Operation(k));
    }
    return list;
  }();
  return all;
}

/// A call on the user-defined type: all of its operands have it, but where its operator leads to another one.
Configuration draw_user_call(Random& random) {
  Configuration c;
  static const Names types = {"BOOL", "INT32"};
  const std::vector<Operation>& from = computing();
  while (true) {
    c = draw_configuration(random, true, from, types);
    c.type_w = c.type_u = c.type_v = c.type_matrix = "triple";
    c.accumulate = c.accumulate.empty() ? "" : "triple_plus";
    switch (c.operation) {
      case Operation::mxv:
      case Operation::vxm:
      case Operation::mxm:
      case Operation::ewise_mult_semiring:
        c.op = "triple_plus_times";
        c.add.clear();
        return c;
      case Operation::ewise_add_monoid:
      case Operation::reduce:
      case Operation::matrix_reduce:
      case Operation::matrix_reduce_rows:
        c.op = "triple_plus_monoid";
        return c;
      case Operation::apply:
      case Operation::matrix_apply: {
        const Names which = {"triple_turn", "triple_sum", "triple_of"};
        c.op = random.pick(which);
        if (c.op == "triple_sum") c.type_w = "UINT32";
        if (c.op == "triple_of") c.type_u = "UINT32";
        if (c.op == "triple_sum") c.accumulate.clear();
        return c;
      }
      case Operation::select:
      case Operation::matrix_select:
        c.op = "triple_keep";
        return c;
      case Operation::apply_index:
      case Operation::matrix_apply_index:
        c.op = "ROWINDEX_INT64";
        c.type_w = "INT64";
        c.accumulate.clear();
        return c;
      case Operation::vector_sort:
      case Operation::matrix_sort:
        c.op = "triple_less";
        if (!c.typed_scalar) c.type_w = "INT64";
        return c;
      case Operation::vector_build:
      case Operation::matrix_build:
        c.op = "triple_plus";
        return c;
      default:
        if (!c.op.empty()) c.op = random.chance(50) ? "triple_plus" : "triple_times";
        return c;
    }
  }
}

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

class Generator {
 public:
  Generator(const Palette& palette, uint64_t seed) : palette_(palette), random_(seed) { draw_sizes(); }

  Program draw(size_t most) {
    const size_t wanted = 1 + random_.below(most);
    // Some programs look at every output at once, which brings it to the host.
    const bool reads = random_.chance(25);
    for (size_t tries = 0; program_.steps.size() < wanted && tries < 20 * most; ++tries) {
      Step step;
      if (!draw_step(step) || !fault_of(step).empty()) continue;
      program_.steps.push_back(step);
      follow(step);
      if (reads && step.out >= 0) program_.steps.push_back(look_at(step.out));
    }
    return std::move(program_);
  }

 private:
  struct Shape {
    GrB_Index rows, columns;
  };

  void draw_sizes() {
    static const std::vector<GrB_Index> small = {1, 2, 3, 5, 8, 16, 17, 31, 33, 40, 64},
                                        huge = {(GrB_Index(1) << 31) + 5, (GrB_Index(1) << 32) + 1,
                                                (GrB_Index(1) << 40) + 3, GrB_Index(1) << 59};
    const size_t n = 1 + random_.below(3);
    for (size_t k = 0; k < n; ++k) sizes_.push_back(random_.pick(small));
    if (random_.chance(15)) sizes_.push_back(random_.pick(huge));
    if (random_.chance(4)) sizes_.push_back(0);
    if (random_.chance(15)) sizes_.push_back(1);
  }

  GrB_Index size() { return random_.pick(sizes_); }
  static bool is_huge(GrB_Index n) { return n > 100000; }
  bool is_huge(int k) const { return is_huge(shape(k).rows) || is_huge(shape(k).columns); }
  /// Whether it has too many places for a bitmap.
  bool is_large(int k) const {
    return k >= 0 && (is_huge(k) || (shape(k).rows > 0 && shape(k).columns > 100000 / shape(k).rows));
  }
  const Shape& shape(int k) const { return shapes_[size_t(k)]; }

  Tuple draw_tuple(const Object& o) {
    return {random_.below(o.rows), random_.below(o.columns),
            draw_integer(is_user(o.type) ? "UINT8" : o.type, random_)};
  }

  void draw_entries(Object& o) {
    if (o.rows == 0 || o.columns == 0) return;
    const bool countable = !is_huge(o.rows) && !is_huge(o.columns) && o.rows * o.columns <= 2000;
    const int64_t one = draw_integer(is_user(o.type) ? "UINT8" : o.type, random_);
    if (countable) {
      static const std::vector<int> densities = {0, 3, 10, 10, 30, 60, 100};
      const int density = random_.pick(densities);
      for (GrB_Index i = 0; i < o.rows; ++i) {
        if (density < 100 && random_.chance(15)) continue;
        for (GrB_Index j = 0; j < o.columns; ++j) {
          if (!random_.chance(density)) continue;
          Tuple tuple = draw_tuple(o);
          o.entries.push_back({i, j, o.iso ? one : tuple.value});
        }
      }
      return;
    }
    std::set<std::pair<GrB_Index, GrB_Index>> places;
    for (GrB_Index n = random_.below(60); n > 0; --n) {
      Tuple tuple = draw_tuple(o);
      // Some lie together: in one row, at the ends.
      if (random_.chance(30)) tuple.i = std::min<GrB_Index>(o.rows - 1, random_.below(4));
      if (random_.chance(30)) tuple.j = o.columns - 1 - std::min<GrB_Index>(o.columns - 1, random_.below(4));
      if (places.insert({tuple.i, tuple.j}).second)
        o.entries.push_back({tuple.i, tuple.j, o.iso ? one : tuple.value});
    }
  }

  int new_object(bool is_matrix, const std::string& type, GrB_Index rows, GrB_Index columns) {
    Object o;
    o.is_matrix = is_matrix;
    o.type = type;
    o.rows = rows;
    o.columns = is_matrix ? columns : 1;
    static const std::vector<int> forms = {
        0, 0, 0, GxB_SPARSE, GxB_SPARSE, GxB_BITMAP, GxB_FULL | GxB_BITMAP};
    const bool large = is_huge(rows) || is_huge(columns) || (rows > 0 && columns > 100000 / rows);
    o.form = large ? (random_.chance(50) ? 0 : GxB_HYPERSPARSE) : random_.pick(forms);
    if (!large && random_.chance(8)) o.form = GxB_HYPERSPARSE;
    // SuiteSparse turns an empty matrix by a detour through as many pointers as it has rows.
    o.by_column = is_matrix && !large && random_.chance(30);
    o.iso = random_.chance(20) && !is_user(type);
    o.making = random_.chance(60)   ? Making::build
               : random_.chance(50) ? Making::pending_elements
                                    : Making::elements;
    draw_entries(o);
    program_.objects.push_back(o);
    shapes_.push_back({o.rows, o.columns});
    types_.push_back(type);
    return int(shapes_.size()) - 1;
  }

  /// One of that kind, type and shape that is there, mostly; else a new one.
  int object(bool is_matrix, const std::string& type, GrB_Index rows, GrB_Index columns) {
    std::vector<int> found;
    for (size_t k = 0; k < shapes_.size(); ++k) {
      const bool fits = program_.objects[k].is_matrix == is_matrix && types_[k] == type &&
                        shapes_[k].rows == rows && (!is_matrix || shapes_[k].columns == columns);
      if (fits) found.push_back(int(k));
    }
    if (!found.empty() && random_.chance(85)) return random_.pick(found);
    return new_object(is_matrix, type, rows, columns);
  }
  int vector(const std::string& type, GrB_Index n) { return object(false, type, n, 1); }
  int matrix(const std::string& type, GrB_Index rows, GrB_Index columns) {
    return object(true, type, rows, columns);
  }
  int any(bool is_matrix, const std::string& type) {
    std::vector<int> found;
    for (size_t k = 0; k < shapes_.size(); ++k) {
      if (program_.objects[k].is_matrix == is_matrix && types_[k] == type) found.push_back(int(k));
    }
    if (!found.empty() && random_.chance(85)) return random_.pick(found);
    return new_object(is_matrix, type, size(), size());
  }
  int any(bool is_matrix) {
    std::vector<int> found;
    for (size_t k = 0; k < shapes_.size(); ++k) {
      if (program_.objects[k].is_matrix == is_matrix) found.push_back(int(k));
    }
    return found.empty() ? new_object(is_matrix, "INT64", size(), size()) : random_.pick(found);
  }

  /// An index list into n places. Empty only where n is.
  List list(GrB_Index n) {
    List l;
    l.length = n;
    if (n == 0 || random_.chance(35)) return l;
    const GrB_Index a = random_.below(n), b = a + random_.below(std::min<GrB_Index>(n - a, 50));
    const GrB_Index step = 1 + random_.below(3);
    switch (random_.below(6)) {
      case 0:
        l.kind = List::Kind::range;
        l.values = {a, b, 1};
        l.length = b - a + 1;
        return l;
      case 1:
        l.kind = List::Kind::stride;
        l.values = {a, b, step};
        l.length = (b - a) / step + 1;
        return l;
      case 2:
        l.kind = List::Kind::backwards;
        l.values = {b, a, step};
        l.length = (b - a) / step + 1;
        return l;
      default:
        break;
    }
    l.kind = List::Kind::indices;
    const bool repeats = random_.chance(25), sorted = random_.chance(30);
    std::set<GrB_Index> seen;
    for (GrB_Index k = 1 + random_.below(std::min<GrB_Index>(n, 40)); k > 0; --k) {
      const GrB_Index index = random_.below(n);
      if (repeats || seen.insert(index).second) l.values.push_back(index);
    }
    if (sorted) std::sort(l.values.begin(), l.values.end());
    l.length = l.values.size();
    return l;
  }
  static List all(GrB_Index n) {
    List l;
    l.length = n;
    return l;
  }

  bool draw_step(Step& s) {
    s.configuration = random_.pick(palette_.calls);
    Configuration& c = s.configuration;
    // What does not select a kernel is drawn for each call.
    c.iso_u = random_.chance(12);
    c.all_indices = random_.chance(60);
    s.number = int64_t(random_.below(4));
    if (takes_thunk(c.operation)) s.thunk = draw_thunk(c.op, false, Random(random_.next()));
    if (!bind(s)) return false;
    if (c.mask != MaskKind::none && c.operation < Operation::split && s.out >= 0) bind_mask(s);
    if (is_large(s.out)) c.complement = false;
    return !makes_huge(s);
  }

  bool takes_mask(Operation operation) const {
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

  void bind_mask(Step& s) {
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

  /// Whether the call fills an object of too many places.
  bool makes_huge(const Step& s) {
    const Configuration& c = s.configuration;
    if (!is_large(s.out)) return false;
    switch (c.operation) {
      case Operation::assign_scalar:
      case Operation::matrix_assign_scalar:
      case Operation::matrix_assign_part_scalar:
      case Operation::matrix_subassign_scalar: {
        const bool listed = s.rows.kind != List::Kind::all &&
                            (takes_vectors(c.operation) || s.columns.kind != List::Kind::all);
        return !listed && (s.mask < 0 || c.complement);
      }
      case Operation::subassign:
        return c.iso_matrix && s.rows.kind == List::Kind::all && (s.mask < 0 || c.complement);
      default:
        return false;
    }
  }

  bool bind(Step& s) {
    const Operation operation = s.configuration.operation;
    if (operation >= Operation::split) return bind_whole(s);
    return takes_vectors(operation) ? bind_vector(s) : bind_matrix(s);
  }

  bool bind_vector(Step& s) {
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

  void draw_tuples(Step& s) {
    const Object& o = program_.objects[size_t(s.out)];
    Object here = o;
    here.rows = shape(s.out).rows;
    here.columns = shape(s.out).columns;
    if (here.rows == 0 || here.columns == 0) return;
    for (GrB_Index n = random_.below(40); n > 0; --n) {
      Tuple tuple = draw_tuple(here);
      if (random_.chance(20) && !s.tuples.empty()) {
        tuple.i = s.tuples.back().i;
        tuple.j = s.tuples.back().j;
      }
      s.tuples.push_back(tuple);
    }
  }

  /// The first operand in the shape that it has before its transposition.
  int first_of(const Configuration& c, GrB_Index rows, GrB_Index columns) {
    return transposes_first(c) ? matrix(c.type_u, columns, rows) : matrix(c.type_u, rows, columns);
  }
  int second_of(const Configuration& c, GrB_Index rows, GrB_Index columns) {
    return transposes_second(c) ? matrix(c.type_v, columns, rows) : matrix(c.type_v, rows, columns);
  }

  bool bind_matrix(Step& s) {
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

  bool bind_assignment(Step& s) {
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

  bool bind_assembly(Step& s) {
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

  Step look_at(int k) const {
    Step s;
    s.configuration.operation =
        program_.objects[size_t(k)].is_matrix ? Operation::matrix_read : Operation::vector_read;
    s.first = k;
    return s;
  }

  bool bind_whole(Step& s) {
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

  bool draw_place(Step& s, int k) {
    const Shape a = shape(k);
    if (a.rows == 0 || a.columns == 0) return false;
    Object here;
    here.type = types_[size_t(k)];
    here.rows = a.rows;
    here.columns = a.columns;
    Tuple tuple = draw_tuple(here);
    const std::vector<Tuple>& entries = program_.objects[size_t(k)].entries;
    if (!entries.empty() && random_.chance(60)) {
      const Tuple& there = random_.pick(entries);
      if (there.i < a.rows && there.j < a.columns) tuple.i = there.i, tuple.j = there.j;
    }
    s.tuples = {tuple};
    return true;
  }

  /// What the call does to shapes and types.
  void follow(const Step& s) {
    const auto set = [&](int k, Shape shape, const std::string& type) {
      shapes_[size_t(k)] = shape;
      types_[size_t(k)] = type;
    };
    switch (s.configuration.operation) {
      case Operation::matrix_resize:
      case Operation::matrix_reshape:
        return set(s.out, {s.new_rows, s.new_columns}, types_[size_t(s.out)]);
      case Operation::vector_resize:
        return set(s.out, {s.new_rows, 1}, types_[size_t(s.out)]);
      case Operation::matrix_dup:
      case Operation::vector_dup:
        return set(s.out, shape(s.first), std::string(types_[size_t(s.first)]));
      case Operation::split: {
        const bool across = s.columns.values.size() == 2;
        const std::string type = types_[size_t(s.first)];
        set(s.out, {s.rows.values.front(), s.columns.values.front()}, type);
        set(s.second, {across ? s.rows.values[0] : s.rows.values[1], s.columns.values.back()}, type);
        return;
      }
      default:
        return;
    }
  }

  const Palette& palette_;
  Random random_;
  std::vector<GrB_Index> sizes_;
  Program program_;
  std::vector<Shape> shapes_;       ///< of the objects, as the calls so far have left them
  std::vector<std::string> types_;  ///< the same
};

}  // namespace

Palette draw_palette(uint64_t seed, size_t size, bool catalogue) {
  Random random(seed * 7368787 + 11);
  static const Names from = {"BOOL", "INT32", "UINT8", "INT64", "FP32", "FP64", "INT16", "UINT64"};
  // Few types, so that outputs are operands of other calls.
  const Names types = {random.pick(from), random.pick(from)};
  Palette palette;
  while (palette.calls.size() < size) {
    Configuration c = random.chance(12) ? draw_user_call(random)
                                        : draw_configuration(random, !catalogue, computing(), types);
    if (avoid_faults(c)) palette.calls.push_back(c);
  }
  for (int k = int(Operation::split); k <= int(Operation::vector_wait); ++k) {
    Configuration c;
    c.operation = Operation(k);
    palette.calls.push_back(c);
  }
  return palette;
}

Program draw_program(const Palette& palette, uint64_t seed, size_t most) {
  return Generator(palette, seed * 2654435761u + 97).draw(most);
}

}  // namespace differential::programs
