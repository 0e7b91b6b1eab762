// The reference of the matrix product against the oracle: every random call is also run by SuiteSparse
// itself.
#include <dlfcn.h>

#include <cstring>

#include "include/cugrb/detail/c_api.hpp"
#include "tests/catch.h"
#include "tests/operations/mxm_cases.h"

using namespace cugrb;
using test::MaskKind;
using test::MxmConfiguration;
using test::MxmData;
using test::MxmShape;
using test::RefMatrix;

namespace {

template <class Handle>
Handle predefined(const std::string& name) {
  for (const char* prefix : {"GrB_", "GxB_"}) {
    if (void* symbol = dlsym(RTLD_DEFAULT, (prefix + name).c_str())) return *static_cast<Handle*>(symbol);
  }
  throw std::runtime_error("SuiteSparse has no " + name);
}

void expect(GrB_Info info) {
  if (info != GrB_SUCCESS) throw std::runtime_error("SuiteSparse returned " + std::to_string(int(info)));
}

/// A matrix of SuiteSparse's, imported and exported as CSR: any built-in type, its bytes as they are.
class Matrix {
 public:
  explicit Matrix(const RefMatrix& matrix) {
    const size_t entries = matrix.entries.size(), size = matrix.type.size;
    auto* offsets = static_cast<GrB_Index*>(calloc(matrix.rows + 1, sizeof(GrB_Index)));
    auto* columns = static_cast<GrB_Index*>(malloc((entries + 1) * sizeof(GrB_Index)));
    auto* values = static_cast<char*>(malloc((entries + 1) * size));
    size_t p = 0;
    for (const auto& [place, value] : matrix.entries) {
      ++offsets[place.first + 1];
      columns[p] = place.second;
      std::memcpy(values + size * p++, value.bytes.data(), size);
    }
    for (uint64_t i = 0; i < matrix.rows; ++i) offsets[i + 1] += offsets[i];
    void* x = values;
    expect(GxB_Matrix_import_CSR(&handle, predefined<GrB_Type>(matrix.type.suffix()), matrix.rows,
                                 matrix.columns, &offsets, &columns, &x,
                                 (matrix.rows + 1) * sizeof(GrB_Index), (entries + 1) * sizeof(GrB_Index),
                                 (entries + 1) * size, false, false, nullptr));
  }
  ~Matrix() { GrB_Matrix_free(&handle); }
  Matrix(const Matrix&) = delete;

  RefMatrix content(const Type& type) {
    GrB_Index rows = 0, columns = 0, offsets_bytes = 0, columns_bytes = 0, values_bytes = 0;
    GrB_Index *offsets = nullptr, *indices = nullptr;
    void* values = nullptr;
    bool iso = false;
    GrB_Type found;
    expect(GxB_Matrix_export_CSR(&handle, &found, &rows, &columns, &offsets, &indices, &values,
                                 &offsets_bytes, &columns_bytes, &values_bytes, &iso, nullptr, nullptr));
    RefMatrix result{type, rows, columns, {}};
    for (GrB_Index i = 0; i < rows; ++i) {
      for (GrB_Index p = offsets[i]; p < offsets[i + 1]; ++p) {
        result.entries[{i, indices[p]}] = {
            type, std::string(static_cast<char*>(values) + (iso ? 0 : p) * type.size, type.size)};
      }
    }
    free(offsets);
    free(indices);
    free(values);
    return result;
  }

  GrB_Matrix handle = nullptr;
};

RefMatrix by_suitesparse(const MxmConfiguration& x, const MxmShape& shape, const MxmData& d) {
  Matrix a(d.a), b(d.b), mask(d.mask), c(d.c);
  GrB_Descriptor how;
  expect(GrB_Descriptor_new(&how));
  if (shape.replace) expect(GrB_Descriptor_set(how, GrB_OUTP, GrB_REPLACE));
  if (shape.transpose_a) expect(GrB_Descriptor_set(how, GrB_INP0, GrB_TRAN));
  if (shape.transpose_b) expect(GrB_Descriptor_set(how, GrB_INP1, GrB_TRAN));
  if (x.mask == MaskKind::structural_complement || x.mask == MaskKind::valued_complement) {
    expect(GrB_Descriptor_set(how, GrB_MASK, GrB_COMP));
  }
  if (x.mask == MaskKind::structural || x.mask == MaskKind::structural_complement) {
    expect(GrB_Descriptor_set(how, GrB_MASK, GrB_STRUCTURE));
  }
  expect(GrB_mxm(c.handle, x.mask == MaskKind::none ? nullptr : mask.handle,
                 d.accumulate ? predefined<GrB_BinaryOp>(d.accumulate->name) : nullptr,
                 predefined<GrB_Semiring>(x.semiring), a.handle, b.handle, how));
  GrB_Descriptor_free(&how);
  return c.content(d.c.type);
}

MxmConfiguration draw_configuration(test::Random& random) {
  static const char* semirings[] = {"PLUS_TIMES_FP32",   "PLUS_TIMES_INT64",   "PLUS_PAIR_INT64",
                                    "MIN_PLUS_INT32",    "LOR_LAND_BOOL",      "ANY_SECONDI_INT32",
                                    "PLUS_FIRSTJ_INT64", "MAX_MIN_INT8",       "PLUS_MINUS_FP64",
                                    "MIN_SECOND_FP32",   "PLUS_FIRSTI1_INT64", "ANY_PAIR_BOOL"};
  static const char* types[] = {"BOOL", "INT8", "INT32", "UINT16", "INT64", "FP32", "FP64"};
  static const char* accumulators[] = {"", "", "PLUS_INT32", "SECOND_FP32", "MINUS_FP64", "MAX_INT8"};
  MxmConfiguration x{semirings[test::below(random, 12)], types[test::below(random, 7)],
                     types[test::below(random, 7)], MaskKind(test::below(random, 5))};
  x.accumulate = accumulators[test::below(random, 6)];
  if (test::chance(random, 0.3)) x.output_type = types[test::below(random, 7)];
  x.mask_type = types[test::below(random, 7)];
  // What ANY picked cannot be seen behind an accumulator or a typecast that joins values.
  if (x.semiring.rfind("ANY", 0) == 0) x.accumulate = x.output_type = "";
  return x;
}

}  // namespace

TEST_CASE("the reference of mxm means what SuiteSparse does") {
  expect(GrB_init(GrB_NONBLOCKING));
  unsigned equal = 0;
  const size_t shapes = test::mxm_shapes().size();
  for (unsigned n = 0; n < 1200; ++n) {
    test::Random random(n);
    const MxmConfiguration x = draw_configuration(random);
    const MxmShape& shape = test::mxm_shapes()[n % shapes];
    const test::MeantSemiring semiring = test::built_in_semiring(x.semiring);
    std::string found;
    try {
      const MxmData data = test::draw_mxm(x, semiring, shape, random);
      const test::RefVector theirs = test::flattened(by_suitesparse(x, shape, data));
      found = test::difference(test::expected_mxm(x, semiring, shape, data, theirs), theirs);
    } catch (const std::exception& failure) {
      found = std::string("exception: ") + failure.what();
    }
    equal += found.empty();
    if (!found.empty()) FAIL_CHECK(n << ": " << x.text() << "\n  " << found);
  }
  CHECK(equal == 1200);
  GrB_finalize();
}
