#include "tests/differential/programs/executor.h"

#include "tests/differential/programs/arguments.h"
#include "tests/differential/programs/faults.h"

namespace differential::programs {

void Executor::write(const std::string& line) {
  if (written_ != nullptr) *written_ += "  " + line + "\n";
}

std::string Executor::name(int object) const {
  std::string text(1, program_.objects[size_t(object)].is_matrix ? 'A' : 'v');
  return text += std::to_string(object);
}

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
           : is_complex(type)
               ? CALL(GxB_Matrix_setElement_FC64, matrix(s.out), complex(t.value), number(t.i), number(t.j))
           : is_real(type)
               ? CALL(GrB_Matrix_setElement_FP64, matrix(s.out), real(double(t.value)), number(t.i),
                      number(t.j))
               : CALL(GrB_Matrix_setElement_INT64, matrix(s.out), integer(t.value), number(t.i), number(t.j));
  }
  return is_user(type)      ? CALL(GrB_Vector_setElement_UDT, vector(s.out), user, number(t.i))
         : is_complex(type) ? CALL(GxB_Vector_setElement_FC64, vector(s.out), complex(t.value), number(t.i))
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
  if (is_complex(types_[size_t(s.out)])) {
    const Named<const GxB_FC64_t*> complexes = {arrays.complexes.data(), arrays.complexes_text()};
    return is_matrix ? CALL(GxB_Matrix_build_FC64, matrix(s.out), i, j, complexes, n, duplicates)
                     : CALL(GxB_Vector_build_FC64, vector(s.out), i, complexes, n, duplicates);
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
  if (is_complex(scalar_type) && !has_empty_scalar(s)) {
    MAKE(GxB_Scalar_setElement_FC64, alpha, complex(s.number));
  } else if (thunked && is_real(scalar_type)) {
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

}  // namespace differential::programs
