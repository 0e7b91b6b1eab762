// The reference against the oracle: every random configuration is also run by SuiteSparse itself. (So what
// the device is compared with elsewhere is SuiteSparse's meaning, not our reading of the specification.)
#include <dlfcn.h>

#include <cstring>

#include "include/cugrb/detail/c_api.hpp"
#include "tests/catch.h"
#include "tests/differential/oracle.h"
#include "tests/operations/cases.h"

using namespace cugrb;
using test::Configuration;
using test::Data;
using test::Kind;
using test::RefVector;

namespace {

/// The library's predefined object: "PLUS_FP32" is GrB_PLUS_FP32, or GxB_PLUS_FP32.
template <class Handle>
Handle predefined(const std::string& name) {
  for (const char* prefix : {"GrB_", "GxB_"}) {
    if (void* symbol = dlsym(RTLD_DEFAULT, (prefix + name).c_str())) return *static_cast<Handle*>(symbol);
  }
  throw std::runtime_error("SuiteSparse has no " + name);
}
GrB_Type type_of(const Type& type) { return predefined<GrB_Type>(type.suffix()); }

void expect(GrB_Info info) {
  if (info != GrB_SUCCESS) throw std::runtime_error("SuiteSparse returned " + std::to_string(int(info)));
}

/// Calls `visit` with a host type for built-in `type`.
template <class Visit>
void with_type(const Type& type, Visit visit) {
  switch (type.code) {
    case TypeCode::Bool:
      return visit(bool());
    case TypeCode::Int8:
      return visit(int8_t());
    case TypeCode::Int16:
      return visit(int16_t());
    case TypeCode::Int32:
      return visit(int32_t());
    case TypeCode::Int64:
      return visit(int64_t());
    case TypeCode::UInt8:
      return visit(uint8_t());
    case TypeCode::UInt16:
      return visit(uint16_t());
    case TypeCode::UInt32:
      return visit(uint32_t());
    case TypeCode::UInt64:
      return visit(uint64_t());
    case TypeCode::Fp32:
      return visit(float());
    case TypeCode::Fp64:
      return visit(double());
    default:
      throw std::runtime_error("a user-defined type");
  }
}

void set(GrB_Scalar s, bool x) { expect(GrB_Scalar_setElement_BOOL(s, x)); }
void set(GrB_Scalar s, int8_t x) { expect(GrB_Scalar_setElement_INT8(s, x)); }
void set(GrB_Scalar s, int16_t x) { expect(GrB_Scalar_setElement_INT16(s, x)); }
void set(GrB_Scalar s, int32_t x) { expect(GrB_Scalar_setElement_INT32(s, x)); }
void set(GrB_Scalar s, int64_t x) { expect(GrB_Scalar_setElement_INT64(s, x)); }
void set(GrB_Scalar s, uint8_t x) { expect(GrB_Scalar_setElement_UINT8(s, x)); }
void set(GrB_Scalar s, uint16_t x) { expect(GrB_Scalar_setElement_UINT16(s, x)); }
void set(GrB_Scalar s, uint32_t x) { expect(GrB_Scalar_setElement_UINT32(s, x)); }
void set(GrB_Scalar s, uint64_t x) { expect(GrB_Scalar_setElement_UINT64(s, x)); }
void set(GrB_Scalar s, float x) { expect(GrB_Scalar_setElement_FP32(s, x)); }
void set(GrB_Scalar s, double x) { expect(GrB_Scalar_setElement_FP64(s, x)); }

void get(GrB_Vector v, GrB_Index i, bool* x) { expect(GrB_Vector_extractElement_BOOL(x, v, i)); }
void get(GrB_Vector v, GrB_Index i, int8_t* x) { expect(GrB_Vector_extractElement_INT8(x, v, i)); }
void get(GrB_Vector v, GrB_Index i, int16_t* x) { expect(GrB_Vector_extractElement_INT16(x, v, i)); }
void get(GrB_Vector v, GrB_Index i, int32_t* x) { expect(GrB_Vector_extractElement_INT32(x, v, i)); }
void get(GrB_Vector v, GrB_Index i, int64_t* x) { expect(GrB_Vector_extractElement_INT64(x, v, i)); }
void get(GrB_Vector v, GrB_Index i, uint8_t* x) { expect(GrB_Vector_extractElement_UINT8(x, v, i)); }
void get(GrB_Vector v, GrB_Index i, uint16_t* x) { expect(GrB_Vector_extractElement_UINT16(x, v, i)); }
void get(GrB_Vector v, GrB_Index i, uint32_t* x) { expect(GrB_Vector_extractElement_UINT32(x, v, i)); }
void get(GrB_Vector v, GrB_Index i, uint64_t* x) { expect(GrB_Vector_extractElement_UINT64(x, v, i)); }
void get(GrB_Vector v, GrB_Index i, float* x) { expect(GrB_Vector_extractElement_FP32(x, v, i)); }
void get(GrB_Vector v, GrB_Index i, double* x) { expect(GrB_Vector_extractElement_FP64(x, v, i)); }

/// Owns a GrB_Scalar or GrB_Vector made from a reference value.
struct Scalar {
  GrB_Scalar handle = nullptr;
  explicit Scalar(const Value& value) {
    expect(GrB_Scalar_new(&handle, type_of(value.type)));
    with_type(value.type, [&](auto x) {
      std::memcpy(&x, value.bytes.data(), sizeof(x));
      set(handle, x);
    });
  }
  explicit Scalar(const Type& type) { expect(GrB_Scalar_new(&handle, type_of(type))); }  // without entry
  ~Scalar() { GrB_Scalar_free(&handle); }
  Scalar(const Scalar&) = delete;
};
struct Vector {
  GrB_Vector handle = nullptr;
  explicit Vector(const RefVector& vector) {
    expect(GrB_Vector_new(&handle, type_of(vector.type), vector.length));
    for (const auto& [i, value] : vector.entries) {
      const Scalar scalar(value);
      expect(GrB_Vector_setElement_Scalar(handle, scalar.handle, i));
    }
    expect(GrB_Vector_wait(handle, GrB_MATERIALIZE));
  }
  ~Vector() { GrB_Vector_free(&handle); }
  Vector(const Vector&) = delete;
  RefVector content(const Type& type, uint64_t length) const {
    RefVector result{type, length, {}};
    GrB_Index count = length;
    std::vector<GrB_Index> indices(length + 1);
    expect(GrB_Vector_extractTuples_BOOL(indices.data(), nullptr, &count, handle));
    for (GrB_Index p = 0; p < count; ++p) {
      with_type(type, [&](auto x) {
        get(handle, indices[p], &x);
        result.entries[indices[p]] = {type, std::string(reinterpret_cast<const char*>(&x), sizeof(x))};
      });
    }
    return result;
  }
};

struct Descriptor {
  GrB_Descriptor handle = nullptr;
  explicit Descriptor(const Configuration& c) {
    expect(GrB_Descriptor_new(&handle));
    if (c.replace) expect(GrB_Descriptor_set(handle, GrB_OUTP, GrB_REPLACE));
    if (c.complement) expect(GrB_Descriptor_set(handle, GrB_MASK, GrB_COMP));
    if (c.structural) expect(GrB_Descriptor_set(handle, GrB_MASK, GrB_STRUCTURE));
  }
  ~Descriptor() { GrB_Descriptor_free(&handle); }
};

/// SuiteSparse itself crashed.
struct NoOracle {};

RefVector by_suitesparse(const Configuration& c, const Data& d) {
  Vector u(d.u), v(d.v), w(d.w), m(d.mask);
  const Scalar x(d.x), y(d.y), nothing(d.w.type);
  const Descriptor desc(c);
  const GrB_Vector mask = c.masked ? m.handle : nullptr;
  const GrB_BinaryOp accum = c.accumulate ? predefined<GrB_BinaryOp>(c.accumulate->name) : nullptr;
  const auto binary = [&] { return predefined<GrB_BinaryOp>(c.binary.name); };
  const auto index_unary = [&] { return predefined<GrB_IndexUnaryOp>(c.index_unary.name); };
  const GrB_Index n = d.w.length, count = d.list.size();
  const GrB_Index* list = d.list.data();
  const GrB_Descriptor h = desc.handle;
  GrB_Vector z = w.handle;
  switch (c.kind) {
    case Kind::ewise_add:
      expect(GrB_Vector_eWiseAdd_BinaryOp(z, mask, accum, binary(), u.handle, v.handle, h));
      break;
    case Kind::ewise_union:
      if (!differential::survives([&] {
            expect(
                GxB_Vector_eWiseUnion(z, mask, accum, binary(), u.handle, x.handle, v.handle, y.handle, h));
          }))
        throw NoOracle();
      break;
    case Kind::ewise_mult:
      expect(GrB_Vector_eWiseMult_BinaryOp(z, mask, accum, binary(), u.handle, v.handle, h));
      break;
    case Kind::apply:
      expect(GrB_Vector_apply(z, mask, accum, predefined<GrB_UnaryOp>(c.unary.name), u.handle, h));
      break;
    case Kind::bind_first:
      expect(GrB_Vector_apply_BinaryOp1st_Scalar(z, mask, accum, binary(), y.handle, u.handle, h));
      break;
    case Kind::bind_second:
      expect(GrB_Vector_apply_BinaryOp2nd_Scalar(z, mask, accum, binary(), u.handle, y.handle, h));
      break;
    case Kind::apply_index:
      expect(GrB_Vector_apply_IndexOp_Scalar(z, mask, accum, index_unary(), u.handle, y.handle, h));
      break;
    case Kind::select:
      expect(GrB_Vector_select_Scalar(z, mask, accum, index_unary(), u.handle, y.handle, h));
      break;
    case Kind::assign_scalar:
      expect(GrB_Vector_assign_Scalar(z, mask, accum, x.handle, GrB_ALL, n, h));
      break;
    case Kind::assign_nothing:
      expect(GrB_Vector_assign_Scalar(z, mask, accum, nothing.handle, GrB_ALL, n, h));
      break;
    case Kind::assign_list:
      expect(GrB_Vector_assign(z, mask, accum, u.handle, list, count, h));
      break;
    case Kind::assign_scalar_list:
      expect(GrB_Vector_assign_Scalar(z, mask, accum, x.handle, list, count, h));
      break;
    case Kind::extract:
      expect(GrB_Vector_extract(z, mask, accum, u.handle, list, count, h));
      break;
    default:
      expect(GrB_Vector_assign(z, mask, accum, u.handle, GrB_ALL, n, h));
  }
  return w.content(d.w.type, d.w.length);
}

}  // namespace

TEST_CASE("the reference means what SuiteSparse does") {
  expect(GrB_init(GrB_NONBLOCKING));
  unsigned equal = 0, without_oracle = 0;
  for (unsigned n = 0; n < 3000; ++n) {
    test::Random random(n);
    const Configuration configuration = test::draw(random);
    for (const uint64_t length : {uint64_t(1), uint64_t(30)}) {
      std::string found;
      try {
        const Data data = test::make_data(configuration, random, length);
        found =
            test::difference(test::expected_output(configuration, data), by_suitesparse(configuration, data));
      } catch (const NoOracle&) {
        ++without_oracle;
        continue;
      } catch (const std::exception& failure) {
        found = std::string("exception: ") + failure.what();
      }
      equal += found.empty();
      if (!found.empty())
        FAIL_CHECK(n << ", length " << length << ": " << configuration.text() << "\n  " << found);
    }
  }
  CHECK(equal + without_oracle == 6000);
  CHECK(without_oracle < 1000);  // of eWiseUnion alone
  GrB_finalize();
}
