// The calls that take objects as a whole, and what is read of them.
#include <algorithm>

#include "tests/differential/programs/arguments.h"

namespace differential::programs {

GrB_Info Executor::concat(const Step& s) {
  // faults.cpp: bitmap_concat
  MAKE(GxB_Matrix_Option_set, matrix(s.out),
       Named<GxB_Option_Field>{GxB_SPARSITY_CONTROL, "GxB_SPARSITY_CONTROL"},
       Named<int>{GxB_SPARSE | GxB_HYPERSPARSE, "GxB_SPARSE | GxB_HYPERSPARSE"});
  const GrB_Matrix tiles[] = {matrix(s.first).value, matrix(s.second).value};
  const Named<const GrB_Matrix*> named_tiles = {
      tiles, "(GrB_Matrix[]){" + name(s.first) + ", " + name(s.second) + "}"};
  const bool side_by_side = s.configuration.all_indices;
  return CALL(GxB_Matrix_concat, matrix(s.out), named_tiles, number(side_by_side ? 1 : 2),
              number(side_by_side ? 2 : 1), null<GrB_Descriptor>());
}

GrB_Info Executor::split(const Step& s) {
  GrB_Matrix tiles[2] = {};
  const auto rows = indices(s.rows.values), columns = indices(s.columns.values);
  write("GrB_Matrix tiles[2];");
  const GrB_Info info =
      CALL(GxB_Matrix_split, Named<GrB_Matrix*>{tiles, "tiles"}, number(s.rows.values.size()),
           number(s.columns.values.size()), rows, columns, matrix(s.first), null<GrB_Descriptor>());
  if (info != GrB_SUCCESS) return info;
  const std::string type = types_[size_t(s.first)];
  for (const int k : {0, 1}) {
    const int target = k == 0 ? s.out : s.second;
    GrB_Matrix& handle = handles_[size_t(target)].matrix;
    MAKE(GrB_Matrix_free, Named<GrB_Matrix*>{&handle, "&" + name(target)});
    handle = tiles[k];
    types_[size_t(target)] = type;
    write(name(target) + " = tiles[" + std::to_string(k) + "];");
  }
  return info;
}

GrB_Info Executor::duplicate(const Step& s) {
  if (s.out == s.first) return GrB_SUCCESS;
  Handle& handle = handles_[size_t(s.out)];
  types_[size_t(s.out)] = types_[size_t(s.first)];
  if (s.configuration.operation == Operation::matrix_dup) {
    const Named<GrB_Matrix*> target = {&handle.matrix, "&" + name(s.out)};
    MAKE(GrB_Matrix_free, target);
    return CALL(GrB_Matrix_dup, target, matrix(s.first));
  }
  const Named<GrB_Vector*> target = {&handle.vector, "&" + name(s.out)};
  MAKE(GrB_Vector_free, target);
  return CALL(GrB_Vector_dup, target, vector(s.first));
}

GrB_Info Executor::whole_object(const Step& s, Outcome& outcome) {
  const Tuple at = s.tuples.empty() ? Tuple() : s.tuples.front();
  GrB_Index count = 0;
  const Named<GrB_Index*> counted = {&count, "&count"};
  GrB_Info info = GrB_SUCCESS;
  switch (s.configuration.operation) {
    case Operation::split:
      return split(s);
    case Operation::matrix_dup:
    case Operation::vector_dup:
      return duplicate(s);
    case Operation::matrix_clear:
      return CALL(GrB_Matrix_clear, matrix(s.out));
    case Operation::vector_clear:
      return CALL(GrB_Vector_clear, vector(s.out));
    case Operation::matrix_set_element:
    case Operation::vector_set_element:
      return set_element(s);
    case Operation::matrix_remove_element:
      return CALL(GrB_Matrix_removeElement, matrix(s.out), number(at.i), number(at.j));
    case Operation::vector_remove_element:
      return CALL(GrB_Vector_removeElement, vector(s.out), number(at.i));
    case Operation::matrix_element:
    case Operation::vector_element:
      return element(s, outcome);
    case Operation::matrix_read:
    case Operation::vector_read:
      return read(s, outcome);
    case Operation::matrix_nvals:
      info = CALL(GrB_Matrix_nvals, counted, matrix(s.first));
      break;
    case Operation::vector_nvals:
      info = CALL(GrB_Vector_nvals, counted, vector(s.first));
      break;
    default:
      wait(s.first);
      return GrB_SUCCESS;
  }
  outcome.answer = std::to_string(count);
  return info;
}

GrB_Info Executor::element(const Step& s, Outcome& outcome) {
  const Tuple& t = s.tuples.front();
  const std::string& type = types_[size_t(s.first)];
  const bool is_matrix = s.configuration.operation == Operation::matrix_element;
  const auto i = number(t.i), j = number(t.j);
  Triple triple = {};
  double x = 0;
  GxB_FC64_t z = 0;
  int64_t n = 0;
  const Named<void*> user = {&triple, "&user"};
  const Named<double*> reals = {&x, "&real"};
  const Named<GxB_FC64_t*> complexes = {&z, "&complex_number"};
  const Named<int64_t*> integers = {&n, "&integer"};
  GrB_Info info = GrB_PANIC;
  if (is_user(type)) {
    info = is_matrix ? CALL(GrB_Matrix_extractElement_UDT, user, matrix(s.first), i, j)
                     : CALL(GrB_Vector_extractElement_UDT, user, vector(s.first), i);
  } else if (is_complex(type)) {
    info = is_matrix ? CALL(GxB_Matrix_extractElement_FC64, complexes, matrix(s.first), i, j)
                     : CALL(GxB_Vector_extractElement_FC64, complexes, vector(s.first), i);
  } else if (is_real(type)) {
    info = is_matrix ? CALL(GrB_Matrix_extractElement_FP64, reals, matrix(s.first), i, j)
                     : CALL(GrB_Vector_extractElement_FP64, reals, vector(s.first), i);
  } else {
    info = is_matrix ? CALL(GrB_Matrix_extractElement_INT64, integers, matrix(s.first), i, j)
                     : CALL(GrB_Vector_extractElement_INT64, integers, vector(s.first), i);
  }
  outcome.answer = text_of(type, is_user(type)      ? entry_of(0, 0, triple)
                                 : is_complex(type) ? entry_of(0, 0, z)
                                 : is_real(type)    ? entry_of(0, 0, x)
                                                    : entry_of(0, 0, uint64_t(n)));
  return info;
}

GrB_Info Executor::read(const Step& s, Outcome& outcome) {
  const Snapshot found = snapshot(s.first);
  for (const Entry& entry : found.entries) {
    outcome.answer += "(" + std::to_string(entry.i) + "," + std::to_string(entry.j) +
                      "):" + text_of(types_[size_t(s.first)], entry) + " ";
  }
  return GrB_SUCCESS;
}

Snapshot Executor::snapshot(int k) {
  Snapshot result;
  GrB_Index n = 0;
  const bool is_matrix = program_.objects[size_t(k)].is_matrix;
  const std::string& type = types_[size_t(k)];
  const GrB_Matrix a = handles_[size_t(k)].matrix;
  const GrB_Vector v = handles_[size_t(k)].vector;
  write("SHOW(" + name(k) + ");");
  result.columns = 1;
  if (is_matrix) {
    require(api_.GrB_Matrix_nvals(&n, a), "nvals");
    require(api_.GrB_Matrix_nrows(&result.rows, a), "nrows");
    require(api_.GrB_Matrix_ncols(&result.columns, a), "ncols");
    require(api_.GxB_Matrix_iso(&result.iso, a), "iso");
  } else {
    require(api_.GrB_Vector_nvals(&n, v), "nvals");
    require(api_.GrB_Vector_size(&result.rows, v), "size");
    require(api_.GxB_Vector_iso(&result.iso, v), "iso");
  }
  const GrB_Index reported = n;
  std::vector<GrB_Index> i(n + 1), j(n + 1);
  std::vector<double> reals;
  std::vector<int64_t> integers;
  std::vector<uint64_t> naturals;
  std::vector<Triple> triples;
  std::vector<GxB_FC64_t> complexes;
  if (is_complex(type)) {
    complexes.resize(n + 1);
    require(is_matrix ? api_.GxB_Matrix_extractTuples_FC64(i.data(), j.data(), complexes.data(), &n, a)
                      : api_.GxB_Vector_extractTuples_FC64(i.data(), complexes.data(), &n, v),
            "extractTuples");
  } else if (is_user(type)) {
    triples.resize(n + 1);
    require(is_matrix ? api_.GrB_Matrix_extractTuples_UDT(i.data(), j.data(), triples.data(), &n, a)
                      : api_.GrB_Vector_extractTuples_UDT(i.data(), triples.data(), &n, v),
            "extractTuples");
  } else if (is_real(type)) {
    reals.resize(n + 1);
    require(is_matrix ? api_.GrB_Matrix_extractTuples_FP64(i.data(), j.data(), reals.data(), &n, a)
                      : api_.GrB_Vector_extractTuples_FP64(i.data(), reals.data(), &n, v),
            "extractTuples");
  } else if (type == "UINT64") {
    naturals.resize(n + 1);
    require(is_matrix ? api_.GrB_Matrix_extractTuples_UINT64(i.data(), j.data(), naturals.data(), &n, a)
                      : api_.GrB_Vector_extractTuples_UINT64(i.data(), naturals.data(), &n, v),
            "extractTuples");
  } else {
    integers.resize(n + 1);
    require(is_matrix ? api_.GrB_Matrix_extractTuples_INT64(i.data(), j.data(), integers.data(), &n, a)
                      : api_.GrB_Vector_extractTuples_INT64(i.data(), integers.data(), &n, v),
            "extractTuples");
  }
  if (n != reported) {
    throw std::runtime_error("nvals says " + std::to_string(reported) + ", extractTuples gives " +
                             std::to_string(n));
  }
  for (GrB_Index p = 0; p < n; ++p) {
    result.entries.push_back(is_user(type)      ? entry_of(i[p], j[p], triples[p])
                             : is_complex(type) ? entry_of(i[p], j[p], complexes[p])
                             : is_real(type)    ? entry_of(i[p], j[p], reals[p])
                             : type == "UINT64" ? entry_of(i[p], j[p], naturals[p])
                                                : entry_of(i[p], j[p], uint64_t(integers[p])));
  }
  std::sort(result.entries.begin(), result.entries.end(),
            [](const Entry& x, const Entry& y) { return x.i < y.i || (x.i == y.i && x.j < y.j); });
  return result;
}

}  // namespace differential::programs
