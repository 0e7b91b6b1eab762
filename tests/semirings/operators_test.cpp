// Every built-in operator on edge values: SuiteSparse's result, the host reference and the device functor
// agree.
#include <cstring>

#include "semirings/symbols.h"
#include "tests/catch.h"
#include "tests/semirings/device_functors.h"
#include "tests/semirings/library.h"

using namespace cugrb;
using library::Pairs;
using library::same;
using library::samples;
using library::to_text;
using library::Vector;

namespace {

/// Counts agreements and reports only what differs (one assertion a value would be a million assertions).
struct Comparison {
  std::string op;
  int units = 4;  ///< in the last place
  bool divides = false;
  size_t compared = 0, differing = 0;

  void add(const std::string& arguments, Value library, const Value& reference, const Value& device) {
    ++compared;
    if (divides) library = library::divided_as_since_9(library, reference);
    // Of an angle in single precision nothing is left in the sign of what overflows.
    if (units > 4 && to_text(reference).find("inf") != std::string::npos) library = reference;
    if (same(library, reference, units) && same(reference, device, units)) return;
    if (++differing > 3) return;
    UNSCOPED_INFO(op << "(" << arguments << "): library " << to_text(library) << ", reference "
                     << to_text(reference) << ", device " << to_text(device));
    CHECK(same(library, reference, units));
    CHECK(same(reference, device, units));
  }
  void done() const {
    INFO(op);
    CHECK(compared > 0);
    CHECK(differing == 0);
  }
};

/// SuiteSparse computes complex powers of single precision in single precision.
int units_of(const std::string& stem, const Type& type) {
  return type.code == TypeCode::Fc32 && (stem == "power" || stem == "math_exp2") ? 256 : 4;
}

/// SuiteSparse's TRIL and TRIU may wrap with a thunk so near the ends of int64 (docs/decisions.md).
bool may_wrap(const IndexUnaryOp& op, const Value& thunk) {
  if (op.stem != "tril" && op.stem != "triu") return false;
  const int64_t far = int64_t(1) << 62;
  int64_t y;
  std::memcpy(&y, thunk.bytes.data(), sizeof(y));
  return y <= -far || y >= far;
}

}  // namespace

TEST_CASE("unary operators compute what SuiteSparse computes") {
  library::start();
  for (const UnaryOp& op : catalogue::unary_ops()) {
    INFO(op.name);
    const auto handle = static_cast<GrB_UnaryOp>(library::predefined(catalogue::symbols(op)));
    REQUIRE(handle != nullptr);
    const auto& x = samples(op.x);
    const Vector u(op.x, x);
    const Vector w(op.z, x.size());
    REQUIRE(GrB_Vector_apply(w.handle, nullptr, nullptr, handle, u.handle, nullptr) == GrB_SUCCESS);
    Comparison comparison{op.name, units_of(op.stem, op.x), op.stem == "minv"};
    for (size_t n = 0; n < x.size(); ++n) {
      comparison.add(to_text(x[n]), w.at(n), reference::apply(op, x[n]), device_functors::unary(op, x[n]));
    }
    comparison.done();
  }
}

TEST_CASE("binary operators compute what SuiteSparse computes") {
  library::start();
  for (const BinaryOp& op : catalogue::binary_ops()) {
    if (op.positional != Positional::None) continue;
    INFO(op.name);
    const auto handle = static_cast<GrB_BinaryOp>(library::predefined(catalogue::symbols(op)));
    REQUIRE(handle != nullptr);
    const Pairs pairs = library::pairs(op.x, op.y);
    const Vector u(op.x, pairs.x), v(op.y, pairs.y);
    const Vector w(op.z, pairs.x.size());
    REQUIRE(GrB_Vector_eWiseMult_BinaryOp(w.handle, nullptr, nullptr, handle, u.handle, v.handle, nullptr) ==
            GrB_SUCCESS);
    Comparison comparison{op.name, units_of(op.stem, op.x), op.stem == "divide" || op.stem == "rdivide"};
    for (size_t n = 0; n < pairs.x.size(); ++n) {
      const Value &x = pairs.x[n], &y = pairs.y[n];
      comparison.add(to_text(x) + ", " + to_text(y), w.at(n), reference::apply(op, x, y),
                     device_functors::binary(op, x, y));
    }
    comparison.done();
  }
}

TEST_CASE("positional operators see the places that SuiteSparse sees, in products and element-wise") {
  library::start();
  // C(1,2) = A(1,3) op B(3,2) for a 4 by 5 matrix A and a 5 by 6 matrix B.
  GrB_Matrix a = nullptr, b = nullptr, c = nullptr;
  GrB_Matrix_new(&a, GrB_INT64, 4, 5);
  GrB_Matrix_new(&b, GrB_INT64, 5, 6);
  GrB_Matrix_new(&c, GrB_INT64, 4, 6);
  GrB_Matrix_setElement_INT64(a, 7, 1, 3);
  GrB_Matrix_setElement_INT64(b, 7, 3, 2);
  const Type& int32 = Type::of(TypeCode::Int32);
  const Vector u(int32, samples(int32));
  for (const BinaryOp& op : catalogue::binary_ops()) {
    if (op.positional == Positional::None) continue;
    INFO(op.name);
    const auto handle = static_cast<GrB_BinaryOp>(library::predefined(catalogue::symbols(op)));
    REQUIRE(handle != nullptr);
    const auto semiring = static_cast<GrB_Semiring>(library::predefined("GxB_MIN_" + op.name));
    REQUIRE(GrB_mxm(c, nullptr, nullptr, semiring, a, b, nullptr) == GrB_SUCCESS);
    int64_t product = -1;
    REQUIRE(GrB_Matrix_extractElement_INT64(&product, c, 1, 2) == GrB_SUCCESS);
    const Type& int64 = Type::of(TypeCode::Int64);
    CHECK(to_text(reference::cast(reference::apply_positional(op, 1, 3, 2), int64)) ==
          std::to_string(product));
    CHECK(to_text(reference::cast(device_functors::positional(op, 1, 3, 2), int64)) ==
          std::to_string(product));

    const Vector w(op.z, samples(int32).size());
    REQUIRE(GrB_Vector_eWiseMult_BinaryOp(w.handle, nullptr, nullptr, handle, u.handle, u.handle, nullptr) ==
            GrB_SUCCESS);
    const BinaryOp elementwise = catalogue::elementwise(op);
    CHECK(same(w.at(3), reference::apply_positional(elementwise, 3, 3, 0)));
    CHECK(same(w.at(3), device_functors::positional(elementwise, 3, 3, 0)));
    REQUIRE(GrB_Vector_apply_BinaryOp1st_INT32(w.handle, nullptr, nullptr, handle, 5, u.handle, nullptr) ==
            GrB_SUCCESS);
    const auto applied = catalogue::positional_apply(op);
    CHECK(same(w.at(3), reference::apply(applied.op, samples(int32)[3], 3, 0, applied.thunk)));
  }
  GrB_Matrix_free(&a);
  GrB_Matrix_free(&b);
  GrB_Matrix_free(&c);
}

TEST_CASE("positional unary operators are index-unary operators with a thunk") {
  library::start();
  const Type& fp32 = Type::of(TypeCode::Fp32);
  const Vector u(fp32, samples(fp32));
  for (const std::string& name : catalogue::positional_unary_names()) {
    INFO(name);
    const auto handle = static_cast<GrB_UnaryOp>(library::predefined("GxB_" + name));
    REQUIRE(handle != nullptr);
    const auto bound = catalogue::positional_unary(name);
    REQUIRE(bound.has_value());
    const Vector w(bound->op.z, samples(fp32).size());
    REQUIRE(GrB_Vector_apply(w.handle, nullptr, nullptr, handle, u.handle, nullptr) == GrB_SUCCESS);
    CHECK(same(w.at(6), reference::apply(bound->op, samples(fp32)[6], 6, 0, bound->thunk)));
  }
  CHECK_FALSE(catalogue::positional_unary("POSITIONI2_INT32").has_value());
  CHECK_FALSE(catalogue::positional_unary("POSITIONI_FP32").has_value());
}

TEST_CASE("index-unary operators compute what SuiteSparse computes, on all places and thunks") {
  library::start();
  for (const IndexUnaryOp& op : catalogue::index_unary_ops()) {
    INFO(op.name);
    const auto handle = static_cast<GrB_IndexUnaryOp>(library::predefined(catalogue::symbols(op)));
    REQUIRE(handle != nullptr);
    const auto& x = samples(op.x);
    constexpr GrB_Index rows = 7, columns = 5;
    // The matrix holds the samples in turn; each thunk is a GrB_Scalar of the operator's type.
    GrB_Matrix a = nullptr, c = nullptr;
    GrB_Matrix_new(&a, library::type_of(op.x), rows, columns);
    GrB_Matrix_new(&c, library::type_of(op.z), rows, columns);
    const Vector values(op.x, x);
    GrB_Index row[rows * columns];
    for (GrB_Index p = 0; p < rows * columns; ++p) row[p] = p % x.size();
    for (GrB_Index i = 0; i < rows; ++i) {
      Vector line(op.x, columns);
      GrB_Vector_extract(line.handle, nullptr, nullptr, values.handle, row + i * columns, columns, nullptr);
      GrB_Row_assign(a, nullptr, nullptr, line.handle, i, GrB_ALL, columns, nullptr);
    }
    Comparison comparison{op.name};
    for (const Value& thunk : samples(op.thunk)) {
      const bool wraps = may_wrap(op, thunk);
      const Vector holder(op.thunk, std::vector<Value>{thunk});
      GrB_Scalar scalar = nullptr;
      GrB_Scalar_new(&scalar, library::type_of(op.thunk));
      GrB_Vector_extractElement_Scalar(scalar, holder.handle, 0);
      REQUIRE(GrB_Matrix_apply_IndexOp_Scalar(c, nullptr, nullptr, handle, a, scalar, nullptr) ==
              GrB_SUCCESS);
      for (GrB_Index i = 0; i < rows; ++i) {
        Vector line(op.z, columns);
        GrB_Col_extract(line.handle, nullptr, nullptr, c, GrB_ALL, columns, i, GrB_DESC_T0);
        for (GrB_Index j = 0; j < columns; ++j) {
          const Value& value = x[row[i * columns + j]];
          const Value exact = reference::apply(op, value, i, j, thunk);
          comparison.add(
              to_text(value) + ", " + std::to_string(i) + ", " + std::to_string(j) + ", " + to_text(thunk),
              wraps ? exact : line.at(j), exact, device_functors::index_unary(op, value, i, j, thunk));
        }
      }
      GrB_Scalar_free(&scalar);
    }
    comparison.done();
    GrB_Matrix_free(&a);
    GrB_Matrix_free(&c);
  }
}

TEST_CASE("GxB_SelectOps keep the entries that SuiteSparse keeps") {
  library::start();
  for (const std::string& name : catalogue::select_op_names()) {
    const auto handle = static_cast<GxB_SelectOp>(library::predefined("GxB_" + name));
    INFO(name);
    REQUIRE(handle != nullptr);
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code) Type::of(TypeCode::Code),
    const Type all[] = {
#include "semirings/types.def"
    };
#undef CUGRB_TYPE
    for (const Type& type : all) {
      INFO(type.name);
      const auto select = catalogue::select_op(name, type);
      const bool has_order = name.substr(0, 2) == "GT" || name.substr(0, 2) == "GE" ||
                             name.substr(0, 2) == "LT" || name.substr(0, 2) == "LE";
      REQUIRE(select.has_value() == !(type.is_complex() && has_order));
      if (!select) continue;
      const auto& x = samples(type);
      const Vector u(type, x);
      const Vector w(type, x.size());
      for (const Value& thunk : samples(select->op.reads_x ? type : Type::of(TypeCode::Int64))) {
        const Vector holder(thunk.type, std::vector<Value>{thunk});
        GrB_Scalar scalar = nullptr;
        GrB_Scalar_new(&scalar, library::type_of(thunk.type));
        GrB_Vector_extractElement_Scalar(scalar, holder.handle, 0);
        REQUIRE(GxB_Vector_select(w.handle, nullptr, nullptr, handle, u.handle, scalar, nullptr) ==
                GrB_SUCCESS);
        GrB_Scalar_free(&scalar);
        size_t differing = 0;
        for (size_t n = 0; n < x.size(); ++n) {
          const Value kept = reference::apply(select->op, x[n], n, 0, select->thunk ? *select->thunk : thunk);
          if ((kept.bytes[0] != 0) != w.has(n)) ++differing;
        }
        INFO("thunk " << to_text(thunk));
        CHECK(differing == 0);
      }
    }
  }
}

TEST_CASE("typecasts between all built-in types are SuiteSparse's") {
  library::start();
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code) Type::of(TypeCode::Code),
  const Type all[] = {
#include "semirings/types.def"
  };
#undef CUGRB_TYPE
  for (const Type& from : all) {
    for (const Type& to : all) {
      const auto& x = samples(from);
      const Vector u(from, x);
      const Vector w(to, x.size());
      const auto identity =
          static_cast<GrB_UnaryOp>(library::predefined(catalogue::symbols(catalogue::identity(to))));
      REQUIRE(GrB_Vector_apply(w.handle, nullptr, nullptr, identity, u.handle, nullptr) == GrB_SUCCESS);
      Comparison comparison{"cast " + from.name + " to " + to.name};
      for (size_t n = 0; n < x.size(); ++n) {
        comparison.add(to_text(x[n]), w.at(n), reference::cast(x[n], to), device_functors::cast(x[n], to));
      }
      comparison.done();
    }
  }
}
