#include "tests/differential/programs/executor.h"

#include <algorithm>
#include <cinttypes>
#include <cstring>

#include "tests/differential/programs/faults.h"
#include "tests/differential/programs/values.h"

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
  switch (c.operation) {
    case Operation::mxm:
    case Operation::matrix_ewise_add:
    case Operation::matrix_ewise_mult:
    case Operation::matrix_ewise_union:
    case Operation::kronecker:
      return c.typed_scalar;
    case Operation::vxm:
      return c.transpose;
    default:
      return false;
  }
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

namespace {

template <class T>
Named<T> null() {
  return {nullptr, "NULL"};
}
Named<GrB_Index> number(GrB_Index n) { return {n, std::to_string(n) + "u"}; }
Named<int64_t> integer(int64_t n) { return {n, integer_text(n)}; }
Named<double> real(double x) { return {x, real_text(x)}; }
template <class T>
Named<T> named(const std::string& name) {
  const Symbol found = symbol(name);
  return {static_cast<T>(found.handle), found.text};
}

Named<const GrB_Index*> indices(const std::vector<GrB_Index>& list) {
  std::string text = "(GrB_Index[]){";
  for (size_t k = 0; k < list.size(); ++k) text += (k == 0 ? "" : ", ") + std::to_string(list[k]) + "u";
  return {list.data(), text + (list.empty() ? "0}" : "}")};
}
Named<const GrB_Index*> indices(const List& list) {
  if (list.kind == List::Kind::all) return {GrB_ALL, "GrB_ALL"};
  return indices(list.values);
}
Named<GrB_Index> count(const List& list) {
  switch (list.kind) {
    case List::Kind::range:
      return {GrB_Index(GxB_RANGE), "GxB_RANGE"};
    case List::Kind::stride:
      return {GrB_Index(GxB_STRIDE), "GxB_STRIDE"};
    case List::Kind::backwards:
      return {GrB_Index(GxB_BACKWARDS), "GxB_BACKWARDS"};
    default:
      return number(list.length);
  }
}

}  // namespace

void Executor::write(const std::string& line) {
  if (written_ != nullptr) *written_ += "  " + line + "\n";
}

std::string Executor::name(int object) const {
  return (program_.objects[size_t(object)].is_matrix ? "A" : "v") + std::to_string(object);
}

template <class Function, class... Arguments>
GrB_Info Executor::call(const char* name, Function function, const Named<Arguments>&... arguments) {
  std::string list;
  ((list += (list.empty() ? "" : ", ") + arguments.text), ...);
  write("TRY(" + std::string(name) + "(" + list + "));");
  return function(arguments.value...);
}
#define CALL(function, ...) call(#function, api_.function, __VA_ARGS__)
/// For calls that make objects, which always succeed.
#define MAKE(function, ...) require(CALL(function, __VA_ARGS__), #function)

Named<GrB_Vector> Executor::vector(int object) const {
  return object < 0 ? null<GrB_Vector>() : Named<GrB_Vector>{handles_[size_t(object)].vector, name(object)};
}
Named<GrB_Matrix> Executor::matrix(int object) const {
  return object < 0 ? null<GrB_Matrix>() : Named<GrB_Matrix>{handles_[size_t(object)].matrix, name(object)};
}

Named<GrB_Descriptor> Executor::descriptor(const Configuration& c) const {
  std::string name = std::string(c.replace ? "R" : "") + (c.mask == MaskKind::structural ? "S" : "") +
                     (c.complement ? "C" : "");
  // transpose transposes what it is asked not to; where the first operand is bound, the matrix is the second.
  const bool first = transposes_first(c) != (c.operation == Operation::transpose);
  if (first) name += c.operation == Operation::matrix_apply_first ? "T1" : "T0";
  if (transposes_second(c)) name += "T1";
  return name.empty() ? null<GrB_Descriptor>() : named<GrB_Descriptor>("GrB_DESC_" + name);
}

Named<GrB_BinaryOp> Executor::accumulator(const Configuration& c) const {
  return c.accumulate.empty() ? null<GrB_BinaryOp>() : named<GrB_BinaryOp>(c.accumulate);
}

Executor::Executor(const Api& api, const Program& program, std::string* written)
    : api_(api), program_(program), written_(written), handles_(program.objects.size()) {
  for (const Object& object : program.objects) types_.push_back(object.type);
  for (size_t k = 0; k < handles_.size(); ++k) make(int(k));
}

Executor::~Executor() {
  for (Handle& handle : handles_) {
    if (handle.matrix != nullptr) api_.GrB_Matrix_free(&handle.matrix);
    if (handle.vector != nullptr) api_.GrB_Vector_free(&handle.vector);
  }
  if (alpha_ != nullptr) api_.GrB_Scalar_free(&alpha_);
  if (beta_ != nullptr) api_.GrB_Scalar_free(&beta_);
}

void Executor::make(int k) {
  const Object& o = program_.objects[size_t(k)];
  const auto type = named<GrB_Type>(o.type);
  Handle& handle = handles_[size_t(k)];
  const Named<GxB_Option_Field> control = {GxB_SPARSITY_CONTROL, "GxB_SPARSITY_CONTROL"};
  const Named<int> form = {o.form, std::to_string(o.form)};
  write("GrB_" + std::string(o.is_matrix ? "Matrix " : "Vector ") + name(k) + ";");
  if (o.is_matrix) {
    MAKE(GrB_Matrix_new, Named<GrB_Matrix*>{&handle.matrix, "&" + name(k)}, type, number(o.rows),
         number(o.columns));
    if (o.by_column) {
      MAKE(GxB_Matrix_Option_set, matrix(k), Named<GxB_Option_Field>{GxB_FORMAT, "GxB_FORMAT"},
           Named<int>{GxB_BY_COL, "GxB_BY_COL"});
    }
    if (o.form != 0) MAKE(GxB_Matrix_Option_set, matrix(k), control, form);
  } else {
    MAKE(GrB_Vector_new, Named<GrB_Vector*>{&handle.vector, "&" + name(k)}, type, number(o.rows));
    if (o.form != 0) MAKE(GxB_Vector_Option_set, vector(k), control, form);
  }
  make_entries(k);
}

void Executor::make_entries(int k) {
  const Object& o = program_.objects[size_t(k)];
  if (o.entries.empty()) return;
  Step step;
  step.out = k;
  if (o.making == Making::build) {
    step.tuples = o.entries;
    step.configuration.typed_scalar = !is_real(o.type);
    require(build(step), "build");
  } else {
    for (const Tuple& tuple : o.entries) {
      step.tuples = {tuple};
      require(set_element(step), "setElement");
    }
  }
  if (o.making == Making::elements) wait(k);
  if (!o.iso) return;
  const auto structure = named<GrB_Descriptor>("GrB_DESC_S");
  const Named<const GrB_Index*> all = {GrB_ALL, "GrB_ALL"};
  const double value = double(o.entries.front().value);
  if (o.is_matrix) {
    MAKE(GrB_Matrix_assign_FP64, matrix(k), matrix(k), null<GrB_BinaryOp>(), real(value), all, number(o.rows),
         all, number(o.columns), structure);
  } else {
    MAKE(GrB_Vector_assign_FP64, vector(k), vector(k), null<GrB_BinaryOp>(), real(value), all, number(o.rows),
         structure);
  }
}

void Executor::wait(int k) {
  const Named<int> mode = {GrB_MATERIALIZE, "GrB_MATERIALIZE"};
  const auto as_mode = Named<GrB_WaitMode>{GrB_WaitMode(mode.value), mode.text};
  if (program_.objects[size_t(k)].is_matrix)
    MAKE(GrB_Matrix_wait, matrix(k), as_mode);
  else
    MAKE(GrB_Vector_wait, vector(k), as_mode);
}

GrB_Info Executor::set_element(const Step& s) {
  const Tuple& t = s.tuples.front();
  const std::string& type = types_[size_t(s.out)];
  Triple triple = triple_value(t.value);
  const Named<void*> user = {&triple, triple_text(t.value)};
  if (program_.objects[size_t(s.out)].is_matrix) {
    return is_user(type) ? CALL(GrB_Matrix_setElement_UDT, matrix(s.out), user, number(t.i), number(t.j))
           : is_real(type)
               ? CALL(GrB_Matrix_setElement_FP64, matrix(s.out), real(double(t.value)), number(t.i),
                      number(t.j))
               : CALL(GrB_Matrix_setElement_INT64, matrix(s.out), integer(t.value), number(t.i), number(t.j));
  }
  return is_user(type)   ? CALL(GrB_Vector_setElement_UDT, vector(s.out), user, number(t.i))
         : is_real(type) ? CALL(GrB_Vector_setElement_FP64, vector(s.out), real(double(t.value)), number(t.i))
                         : CALL(GrB_Vector_setElement_INT64, vector(s.out), integer(t.value), number(t.i));
}

GrB_Info Executor::build(const Step& s) {
  const Configuration& c = s.configuration;
  const bool is_matrix = program_.objects[size_t(s.out)].is_matrix;
  const TupleArrays arrays(s.tuples);
  const auto i = indices(arrays.rows), j = indices(arrays.columns);
  const auto n = number(s.tuples.size());
  const auto duplicates = c.op.empty() ? null<GrB_BinaryOp>() : named<GrB_BinaryOp>(c.op);
  const Named<const int64_t*> integers = {arrays.integers.data(), arrays.integers_text()};
  const Named<const double*> reals = {arrays.reals.data(), arrays.reals_text()};
  const Named<const void*> users = {arrays.triples.data(), arrays.triples_text()};
  if (is_user(types_[size_t(s.out)])) {
    return is_matrix ? CALL(GrB_Matrix_build_UDT, matrix(s.out), i, j, users, n, duplicates)
                     : CALL(GrB_Vector_build_UDT, vector(s.out), i, users, n, duplicates);
  }
  if (is_matrix) {
    return c.typed_scalar ? CALL(GrB_Matrix_build_INT64, matrix(s.out), i, j, integers, n, duplicates)
                          : CALL(GrB_Matrix_build_FP64, matrix(s.out), i, j, reals, n, duplicates);
  }
  return c.typed_scalar ? CALL(GrB_Vector_build_INT64, vector(s.out), i, integers, n, duplicates)
                        : CALL(GrB_Vector_build_FP64, vector(s.out), i, reals, n, duplicates);
}

void Executor::make_scalar(const Step& s) {
  if (alpha_ != nullptr) MAKE(GrB_Scalar_free, Named<GrB_Scalar*>{&alpha_, "&alpha"});
  if (beta_ != nullptr) MAKE(GrB_Scalar_free, Named<GrB_Scalar*>{&beta_, "&beta"});
  const Configuration& c = s.configuration;
  const bool thunked = takes_thunk(c.operation);
  const std::string scalar_type = thunked && is_user(c.type_v) ? "INT64" : c.type_v;
  const auto type = named<GrB_Type>(scalar_type);
  MAKE(GrB_Scalar_new, Named<GrB_Scalar*>{&alpha_, "&alpha"}, type);
  MAKE(GrB_Scalar_new, Named<GrB_Scalar*>{&beta_, "&beta"}, type);
  const Named<GrB_Scalar> alpha = {alpha_, "alpha"}, beta = {beta_, "beta"};
  if (is_user(scalar_type)) {
    Triple first = triple_value(s.number), second = triple_value(s.number + 1);
    MAKE(GrB_Scalar_setElement_UDT, alpha, Named<void*>{&first, triple_text(s.number)});
    MAKE(GrB_Scalar_setElement_UDT, beta, Named<void*>{&second, triple_text(s.number + 1)});
    return;
  }
  if (thunked && is_real(scalar_type)) {
    MAKE(GrB_Scalar_setElement_FP64, alpha, real(s.thunk.real));
  } else if (!has_empty_scalar(s)) {
    MAKE(GrB_Scalar_setElement_INT64, alpha, integer(thunked ? s.thunk.integer : s.number));
  }
  MAKE(GrB_Scalar_setElement_INT64, beta, integer(s.number + 1));
}

std::string Executor::error_text(const Step& s) {
  const char* text = nullptr;
  const Handle& handle = handles_[size_t(s.out)];
  if (handle.matrix != nullptr)
    api_.GrB_Matrix_error(&text, handle.matrix);
  else
    api_.GrB_Vector_error(&text, handle.vector);
  return text == nullptr ? "" : text;
}

Outcome Executor::perform(const Step& s) {
  Outcome outcome;
  if (takes_scalar(s)) make_scalar(s);
  const Operation operation = s.configuration.operation;
  if (const int pending = waits_before(s); pending >= 0) wait(pending);
  outcome.info = operation >= Operation::split ? whole_object(s, outcome)
                 : takes_vectors(operation)    ? vector_call(s, outcome)
                                               : matrix_call(s, outcome);
  if (waits_after(s)) wait(s.out);
  if (outcome.info < 0 && s.out >= 0) outcome.error = error_text(s);
  return outcome;
}

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
  int64_t n = 0;
  const Named<void*> user = {&triple, "&user"};
  const Named<double*> reals = {&x, "&real"};
  const Named<int64_t*> integers = {&n, "&integer"};
  GrB_Info info = GrB_PANIC;
  if (is_user(type)) {
    info = is_matrix ? CALL(GrB_Matrix_extractElement_UDT, user, matrix(s.first), i, j)
                     : CALL(GrB_Vector_extractElement_UDT, user, vector(s.first), i);
  } else if (is_real(type)) {
    info = is_matrix ? CALL(GrB_Matrix_extractElement_FP64, reals, matrix(s.first), i, j)
                     : CALL(GrB_Vector_extractElement_FP64, reals, vector(s.first), i);
  } else {
    info = is_matrix ? CALL(GrB_Matrix_extractElement_INT64, integers, matrix(s.first), i, j)
                     : CALL(GrB_Vector_extractElement_INT64, integers, vector(s.first), i);
  }
  outcome.answer = text_of(type, is_user(type)   ? entry_of(0, 0, triple)
                                 : is_real(type) ? entry_of(0, 0, x)
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
  if (is_user(type)) {
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
                             : is_real(type)    ? entry_of(i[p], j[p], reals[p])
                             : type == "UINT64" ? entry_of(i[p], j[p], naturals[p])
                                                : entry_of(i[p], j[p], uint64_t(integers[p])));
  }
  std::sort(result.entries.begin(), result.entries.end(),
            [](const Entry& x, const Entry& y) { return x.i < y.i || (x.i == y.i && x.j < y.j); });
  return result;
}

}  // namespace differential::programs
