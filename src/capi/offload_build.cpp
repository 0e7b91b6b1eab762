// GrB_*_build: an object without entries gets those of the program's tuples.
#include <atomic>
#include <cstring>

#include "offload_functions.h"
#include "src/capi/index_limit.h"
#include "src/capi/offload_call.h"
#include "src/capi/offload_index_vector.h"
#include "src/capi/offload_scalars.h"
#include "src/mirror/integer_copies.h"
#include "src/operations/build.h"
#include "src/support/declined.h"

namespace cugrb::capi::offload {
namespace {

/// The tuples in the program's arrays; J is null for a vector.
struct GivenTuples {
  const GrB_Index* I = nullptr;
  const GrB_Index* J = nullptr;
  GrB_Index count = 0;
  Type type;
  const void* X = nullptr;
  /// What is known of X: one value for all tuples, or an array whose values are compared, or one where they
  /// are not.
  enum class Values : uint8_t { one, compared, apart } values = Values::compared;
  bool iso() const { return values == Values::one; }
};

/// A list of indices below `limit`, in device memory. Throws Invalid where one is not.
runtime::Buffer indices_on_device(const GrB_Index* list, uint64_t count, uint64_t limit) {
  const formats::Width width = formats::index_width(limit);
  const runtime::Buffer indices(count * formats::bytes_of(width));
  std::atomic<bool> inside{true};
  mirror::fill_on_device(indices.data(), count, width, [&](auto* out, uint64_t begin, uint64_t end) {
    using Index = std::remove_pointer_t<decltype(out)>;
    bool all_inside = true;
    for (uint64_t k = begin; k < end; ++k) {
      all_inside = all_inside && list[k] < limit;
      *out++ = static_cast<Index>(list[k]);
    }
    if (!all_inside) inside.store(false, std::memory_order_relaxed);
  });
  require(inside);
  return indices;
}

operations::Tuples on_device(const GivenTuples& given, uint64_t rows, uint64_t columns) {
  operations::Tuples tuples;
  tuples.count = given.count;
  tuples.column_width = formats::index_width(columns);
  tuples.columns = indices_on_device(given.J != nullptr ? given.J : given.I, given.count, columns);
  if (given.J != nullptr) {
    tuples.row_width = formats::index_width(rows);
    tuples.rows = indices_on_device(given.I, given.count, rows);
  }
  tuples.values.type = given.type;
  tuples.values.length = given.count;
  tuples.values.form = Form::full;
  tuples.values.iso = given.iso() && given.count > 0;
  tuples.values.values =
      runtime::Buffer::from_host(given.X, (given.iso() ? 1 : given.count) * given.type.size);
  return tuples;
}

operations::Tuples on_device(const GivenTuples& given, const VectorOperand& w) {
  return on_device(given, 1, w.size);
}
operations::Tuples on_device(const GivenTuples& given, const MatrixOperand& c) {
  return on_device(given, c.rows, c.columns);
}

/// The operator of a build. None: duplicates are an error, which is SuiteSparse's. GxB_IGNORE_DUP keeps the
/// last.
std::optional<BinaryOp> duplicates_of(GrB_BinaryOp dup, const Type& type) {
  if (dup == nullptr) return std::nullopt;
  static const void* const ignore = real::predefined("GxB_IGNORE_DUP");
  if (dup == ignore) return catalogue::second(type);
  const BinaryOp op = *decode::binary_op(dup);
  require(op.positional == Positional::None && op.x == op.z && op.y == op.z && compatible(type, op.z));
  return op;
}

/// Whether SuiteSparse compares the values of an array, and makes an iso object of equal ones: up to 10.4 it
/// does, 10.5 does not. Asked of the library.
bool equal_values_become_one() {
  static const bool they_do = [] {
    const auto& t = real::table();
    GrB_Vector v = nullptr;
    const GrB_Index places[] = {0, 1};
    const bool values[] = {true, true};
    bool iso = false;
    const auto kind = static_cast<GrB_Type>(real::predefined("GrB_BOOL"));
    const auto first = static_cast<GrB_BinaryOp>(real::predefined("GrB_FIRST_BOOL"));
    if (t.GrB_Vector_new(&v, kind, 3) != GrB_SUCCESS) return false;
    const bool made = t.GrB_Vector_build_BOOL(v, places, values, 2, first) == GrB_SUCCESS &&
                      t.GxB_Vector_iso(&iso, v) == GrB_SUCCESS;
    t.GrB_Vector_free(&v);
    return made && iso;
  }();
  return they_do;
}

bool are_one_value(const void* X, uint64_t count, size_t size) {
  const char* const first = static_cast<const char*>(X);
  for (uint64_t k = 1; k < count; ++k) {
    if (std::memcmp(first, first + k * size, size) != 0) return false;
  }
  return count > 0;
}

template <class Handle>
Outcome build(CallOn<Handle>& call, GivenTuples given, const std::optional<BinaryOp>& duplicates) {
  require(given.I != nullptr && given.X != nullptr && given.count <= most_positions);
  require(entries_of(call.output()) == 0);
  using Values = GivenTuples::Values;
  if (given.values == Values::compared && equal_values_become_one() &&
      are_one_value(given.X, given.count, given.type.size))
    given.values = Values::one;
  call.result_type(duplicates ? duplicates->z : given.type);
  const uint64_t index_bytes = given.J != nullptr ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
  call.inputs().add_tuples(given.count, index_bytes + (given.iso() ? 0 : given.type.size));
  call.exactness().additions = given.count;
  call.exactness().any_value = duplicates && duplicates->stem == "any_value";
  const auto device = [&](const typename CallOn<Handle>::Output& c) {
    operations::build(c.object, on_device(given, call.output()), duplicates);
  };
  return call.run(duplicates ? duplicates->name : "distinct", device);
}

template <class Handle>
Outcome build_values(Handle C, const GrB_Index* I, const GrB_Index* J, const void* X, GrB_Index nvals,
                     const Type* type, GrB_BinaryOp dup, FunctionRef<GrB_Info(Handle)> real) {
  return attempt([&] {
    CallOn<Handle> call("build", {C, nullptr, nullptr, nullptr, real});
    if (type == nullptr) require(call.output().type.is_user());
    const Type& given = type != nullptr ? *type : call.output().type;
    return build<Handle>(call, {I, J, nvals, given, X}, duplicates_of(dup, given));
  });
}

template <class Handle>
Outcome build_scalar(Handle C, const GrB_Index* I, const GrB_Index* J, GrB_Scalar scalar, GrB_Index nvals,
                     FunctionRef<GrB_Info(Handle)> real) {
  return attempt([&] {
    CallOn<Handle> call("build", {C, nullptr, nullptr, nullptr, real});
    const Value value = required_value(scalar);
    return build<Handle>(call, {I, J, nvals, value.type, value.bytes.data(), GivenTuples::Values::one},
                         catalogue::second(value.type));
  });
}

/// The values of a vector in the order of their places.
std::vector<char> values_of(const VectorOperand& x, uint64_t count) {
  std::vector<char> bytes(std::max<uint64_t>(count, 1) * x.type.size);
  const auto extract = [&](const auto& on_device, const auto& real, auto* X) {
    extract_listed(
        x.handle, count, [&](GrB_Index* n) { return on_device(nullptr, X, n, x.handle); },
        [&](GrB_Index* n) { return real(nullptr, X, n, x.handle); });
  };
  const auto& t = real::table();
  switch (x.type.code) {
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code)                                               \
  case TypeCode::Code:                                                                        \
    extract(PREFIX##_Vector_extractTuples_##SUFFIX, t.PREFIX##_Vector_extractTuples_##SUFFIX, \
            reinterpret_cast<ctype*>(bytes.data()));                                          \
    break;
#include "semirings/types.def"
#undef CUGRB_TYPE
    case TypeCode::User:
      extract(GrB_Vector_extractTuples_UDT, t.GrB_Vector_extractTuples_UDT, static_cast<void*>(bytes.data()));
      break;
  }
  return bytes;
}

/// `J_vector` is null for a vector.
template <class Handle>
Outcome build_listed(Handle C, GrB_Vector I_vector, GrB_Vector J_vector, GrB_Vector X_vector,
                     GrB_BinaryOp dup, GrB_Descriptor desc, FunctionRef<GrB_Info(Handle)> real) {
  constexpr bool of_matrix = std::is_same_v<Handle, GrB_Matrix>;
  return attempt([&] {
    require(I_vector != nullptr && (J_vector != nullptr) == of_matrix);
    CallOn<Handle> call("build", {C, nullptr, nullptr, nullptr, real});
    require_list_of_values(desc, ListField::values);
    const VectorOperand x = operand(X_vector);
    const IndexVector I(I_vector, desc, ListField::rows), J(J_vector, desc, ListField::columns);
    const GrB_Index count = entries_of(x);
    require(I.count() == count && (!of_matrix || J.count() == count));
    // SuiteSparse does not compare the values here; of an iso vector's 10.4 makes an iso object, 10.5 does
    // not.
    if (mirror::is_iso(X_vector)) throw Declined("a vector of values that are all one");
    const std::vector<char> X = values_of(x, count);
    return build<Handle>(
        call, {I.list(), of_matrix ? J.list() : nullptr, count, x.type, X.data(), GivenTuples::Values::apart},
        duplicates_of(dup, x.type));
  });
}

template <class Handle>
Outcome build_listed_scalar(Handle C, GrB_Vector I_vector, GrB_Vector J_vector, GrB_Scalar scalar,
                            GrB_Descriptor desc, FunctionRef<GrB_Info(Handle)> real) {
  constexpr bool of_matrix = std::is_same_v<Handle, GrB_Matrix>;
  return attempt([&] {
    require(I_vector != nullptr && (J_vector != nullptr) == of_matrix);
    const IndexVector I(I_vector, desc, ListField::rows), J(J_vector, desc, ListField::columns);
    require(!of_matrix || J.count() == I.count());
    return build_scalar<Handle>(C, I.list(), of_matrix ? J.list() : nullptr, scalar, I.count(), real);
  });
}

}  // namespace

#define CUGRB_BUILD(PREFIX, FORM, ctype, TYPE)                                                               \
  Outcome PREFIX##_Matrix_build_##FORM(GrB_Matrix C, const GrB_Index* I, const GrB_Index* J, const ctype* X, \
                                       GrB_Index nvals, GrB_BinaryOp dup) {                                  \
    if (J == nullptr) return forwarded;                                                                      \
    return build_values<GrB_Matrix>(C, I, J, X, nvals, TYPE, dup, [&](GrB_Matrix out) {                      \
      return real::table().PREFIX##_Matrix_build_##FORM(out, I, J, X, nvals, dup);                           \
    });                                                                                                      \
  }                                                                                                          \
  Outcome PREFIX##_Vector_build_##FORM(GrB_Vector w, const GrB_Index* I, const ctype* X, GrB_Index nvals,    \
                                       GrB_BinaryOp dup) {                                                   \
    return build_values<GrB_Vector>(w, I, nullptr, X, nvals, TYPE, dup, [&](GrB_Vector out) {                \
      return real::table().PREFIX##_Vector_build_##FORM(out, I, X, nvals, dup);                              \
    });                                                                                                      \
  }
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code) CUGRB_BUILD(PREFIX, SUFFIX, ctype, &Type::of(TypeCode::Code))
#include "semirings/types.def"
#undef CUGRB_TYPE
CUGRB_BUILD(GrB, UDT, void, nullptr)
#undef CUGRB_BUILD

Outcome GxB_Matrix_build_Scalar(GrB_Matrix C, const GrB_Index* I, const GrB_Index* J, GrB_Scalar scalar,
                                GrB_Index nvals) {
  if (J == nullptr) return forwarded;
  return build_scalar<GrB_Matrix>(C, I, J, scalar, nvals, [&](GrB_Matrix out) {
    return real::table().GxB_Matrix_build_Scalar(out, I, J, scalar, nvals);
  });
}

Outcome GxB_Vector_build_Scalar(GrB_Vector w, const GrB_Index* I, GrB_Scalar scalar, GrB_Index nvals) {
  return build_scalar<GrB_Vector>(w, I, nullptr, scalar, nvals, [&](GrB_Vector out) {
    return real::table().GxB_Vector_build_Scalar(out, I, scalar, nvals);
  });
}

Outcome GxB_Matrix_build_Vector(GrB_Matrix C, GrB_Vector I_vector, GrB_Vector J_vector, GrB_Vector X_vector,
                                GrB_BinaryOp dup, GrB_Descriptor desc) {
  return build_listed<GrB_Matrix>(C, I_vector, J_vector, X_vector, dup, desc, [&](GrB_Matrix out) {
    return real::table().GxB_Matrix_build_Vector(out, I_vector, J_vector, X_vector, dup, desc);
  });
}

Outcome GxB_Vector_build_Vector(GrB_Vector w, GrB_Vector I_vector, GrB_Vector X_vector, GrB_BinaryOp dup,
                                GrB_Descriptor desc) {
  return build_listed<GrB_Vector>(w, I_vector, nullptr, X_vector, dup, desc, [&](GrB_Vector out) {
    return real::table().GxB_Vector_build_Vector(out, I_vector, X_vector, dup, desc);
  });
}

Outcome GxB_Matrix_build_Scalar_Vector(GrB_Matrix C, GrB_Vector I_vector, GrB_Vector J_vector,
                                       GrB_Scalar scalar, GrB_Descriptor desc) {
  return build_listed_scalar<GrB_Matrix>(C, I_vector, J_vector, scalar, desc, [&](GrB_Matrix out) {
    return real::table().GxB_Matrix_build_Scalar_Vector(out, I_vector, J_vector, scalar, desc);
  });
}

Outcome GxB_Vector_build_Scalar_Vector(GrB_Vector w, GrB_Vector I_vector, GrB_Scalar scalar,
                                       GrB_Descriptor desc) {
  return build_listed_scalar<GrB_Vector>(w, I_vector, nullptr, scalar, desc, [&](GrB_Vector out) {
    return real::table().GxB_Vector_build_Scalar_Vector(out, I_vector, scalar, desc);
  });
}

}  // namespace cugrb::capi::offload
