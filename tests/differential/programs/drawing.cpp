#include "tests/differential/programs/drawing.h"

#include <algorithm>
#include <set>

#include "tests/differential/programs/faults.h"

namespace differential::programs {

Program Generator::draw(size_t most) {
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

void Generator::draw_sizes() {
  static const std::vector<GrB_Index> small = {1, 2, 3, 5, 8, 16, 17, 31, 33, 40, 64},
                                      huge = {(GrB_Index(1) << 31) + 5, (GrB_Index(1) << 32) + 1,
                                              (GrB_Index(1) << 40) + 3, GrB_Index(1) << 59};
  if (palette_.loops) {
    sizes_.push_back(random_.pick(small));
    return;
  }
  const size_t n = palette_.one_size ? 1 : 1 + random_.below(3);
  for (size_t k = 0; k < n; ++k) sizes_.push_back(random_.pick(small));
  if (palette_.one_size) return;
  if (random_.chance(15)) sizes_.push_back(random_.pick(huge));
  if (random_.chance(4)) sizes_.push_back(0);
  if (random_.chance(15)) sizes_.push_back(1);
}

Tuple Generator::draw_tuple(const Object& o) {
  return {random_.below(o.rows), random_.below(o.columns),
          draw_integer(is_user(o.type) ? "UINT8" : o.type, random_)};
}

void Generator::draw_entries(Object& o) {
  if (o.rows == 0 || o.columns == 0) return;
  const bool countable = !is_huge(o.rows) && !is_huge(o.columns) && o.rows * o.columns <= 2000;
  const int64_t one = draw_integer(is_user(o.type) ? "UINT8" : o.type, random_);
  if (countable) {
    static const std::vector<int> densities = {0, 3, 10, 10, 30, 60, 100};
    const bool full = palette_.loops && !o.is_matrix && random_.chance(80);
    const int density = full ? 100 : random_.pick(densities);
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

int Generator::new_object(bool is_matrix, const std::string& type, GrB_Index rows, GrB_Index columns) {
  Object o;
  o.is_matrix = is_matrix;
  o.type = type;
  o.rows = rows;
  o.columns = is_matrix ? columns : 1;
  static const std::vector<int> forms = {0, 0, 0, GxB_SPARSE, GxB_SPARSE, GxB_BITMAP, GxB_FULL | GxB_BITMAP};
  const bool large = is_huge(rows) || is_huge(columns) || (rows > 0 && columns > 100000 / rows);
  o.form = large ? (random_.chance(50) ? 0 : GxB_HYPERSPARSE) : random_.pick(forms);
  if (!large && random_.chance(8)) o.form = GxB_HYPERSPARSE;
  if (palette_.loops) o.form = 0;
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

int Generator::object(bool is_matrix, const std::string& type, GrB_Index rows, GrB_Index columns) {
  std::vector<int> found;
  for (size_t k = 0; k < shapes_.size(); ++k) {
    const bool fits = program_.objects[k].is_matrix == is_matrix && types_[k] == type &&
                      shapes_[k].rows == rows && (!is_matrix || shapes_[k].columns == columns);
    if (fits) found.push_back(int(k));
  }
  if (!found.empty() && random_.chance(85)) return random_.pick(found);
  return new_object(is_matrix, type, rows, columns);
}

int Generator::any(bool is_matrix, const std::string& type) {
  std::vector<int> found;
  for (size_t k = 0; k < shapes_.size(); ++k) {
    if (program_.objects[k].is_matrix == is_matrix && types_[k] == type) found.push_back(int(k));
  }
  if (!found.empty() && random_.chance(85)) return random_.pick(found);
  return new_object(is_matrix, type, size(), size());
}

int Generator::any(bool is_matrix) {
  std::vector<int> found;
  for (size_t k = 0; k < shapes_.size(); ++k) {
    if (program_.objects[k].is_matrix == is_matrix) found.push_back(int(k));
  }
  return found.empty() ? new_object(is_matrix, "INT64", size(), size()) : random_.pick(found);
}

List Generator::list(GrB_Index n) {
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

List Generator::all(GrB_Index n) {
  List l;
  l.length = n;
  return l;
}

bool Generator::draw_step(Step& s) {
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

bool Generator::makes_huge(const Step& s) {
  const Configuration& c = s.configuration;
  if (!is_large(s.out)) return false;
  switch (c.operation) {
    case Operation::assign_scalar:
    case Operation::matrix_assign_scalar:
    case Operation::matrix_assign_part_scalar:
    case Operation::matrix_subassign_scalar: {
      const bool listed =
          s.rows.kind != List::Kind::all && (takes_vectors(c.operation) || s.columns.kind != List::Kind::all);
      return !listed && (s.mask < 0 || c.complement);
    }
    case Operation::subassign:
      return c.iso_matrix && s.rows.kind == List::Kind::all && (s.mask < 0 || c.complement);
    default:
      return false;
  }
}

void Generator::draw_tuples(Step& s) {
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

Step Generator::look_at(int k) const {
  Step s;
  s.configuration.operation =
      program_.objects[size_t(k)].is_matrix ? Operation::matrix_read : Operation::vector_read;
  s.first = k;
  return s;
}

bool Generator::draw_place(Step& s, int k) {
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

void Generator::follow(const Step& s) {
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

}  // namespace differential::programs
