// Sparse times dense, all rows or columns in one pass, against the obvious reference.
#include "src/jit/jit.h"
#include "src/support/settings.h"
#include "tests/catch.h"
#include "tests/operations/agree.h"
#include "tests/operations/breadth.h"
#include "tests/operations/mxm_cases.h"

using namespace cugrb;
using test::MaskKind;
using test::MxmConfiguration;

namespace {

const char* const forms[] = {"mxm_dense", "mxm_dense_push"};

void agree_by_both(MxmConfiguration configuration) {
  for (const char* form : forms) {
    configuration.kernel = form;
    test::agree_on_all(configuration, test::mxm_shapes(), test::run_mxm);
  }
}

bool launched(const std::string& prefix) {
  for (const jit::Request& request : jit::requests_so_far()) {
    if (request.name.rfind(prefix, 0) == 0) return true;
  }
  return false;
}

/// Every place has an entry.
test::RefMatrix full_matrix(test::Random& random, const Type& type, uint64_t rows, uint64_t columns) {
  test::RefMatrix matrix{type, rows, columns, {}};
  for (uint64_t i = 0; i < rows; ++i) {
    for (uint64_t j = 0; j < columns; ++j) matrix.entries[{i, j}] = test::random_value(random, type);
  }
  return matrix;
}

}  // namespace

TEST_CASE("sparse times dense under every kind of mask, pulled and pushed, in all orientations") {
  for (const MaskKind kind : {MaskKind::none, MaskKind::structural, MaskKind::structural_complement,
                              MaskKind::valued, MaskKind::valued_complement}) {
    agree_by_both({"PLUS_MINUS_FP64", "FP64", "FP64", kind});
    agree_by_both({"PLUS_FIRST_INT64", "INT64", "BOOL", kind});
  }
}

TEST_CASE("sparse times dense over semirings that stop early, cast, or have values of a byte") {
  agree_by_both({"ANY_FIRST_FP32", "FP32", "FP32", MaskKind::structural_complement});
  agree_by_both({"LOR_LAND_BOOL", "BOOL", "BOOL", MaskKind::structural_complement});
  agree_by_both({"MIN_PLUS_INT8", "INT8", "FP64"});
  agree_by_both({"PLUS_TIMES_INT8", "INT8", "INT8"});
  agree_by_both({"MAX_SECOND_FP64", "INT16", "FP64"});
  agree_by_both({"PLUS_PAIR_INT16", "FP32", "FP32", MaskKind::valued});
}

TEST_CASE("sparse times dense: positional operators see mxm's indices") {
  for (const char* name : test::by_turns(
           {"PLUS_FIRSTI_INT64", "MIN_FIRSTJ1_INT32", "ANY_SECONDI_INT64", "TIMES_SECONDJ1_INT32"})) {
    agree_by_both({name, "BOOL", "BOOL", MaskKind::structural});
  }
}

TEST_CASE("sparse times dense: iso and wide factors, accumulators, other types of output and mask") {
  MxmConfiguration c{"PLUS_TIMES_FP32", "FP32", "FP32"};
  c.iso_a = true;
  agree_by_both(c);
  c.iso_b = c.wide = true;
  c.mask = MaskKind::valued;
  c.mask_type = "FP32";
  agree_by_both(c);
  MxmConfiguration accumulated{"PLUS_TIMES_INT64", "INT64", "INT64", MaskKind::structural_complement};
  accumulated.accumulate = "MINUS_FP32";
  accumulated.output_type = "INT16";
  agree_by_both(accumulated);
}

TEST_CASE("rows of a group and rows of a block times 1 to 64 vectors, some, most or all of their places") {
  const Type& type = Type::of(TypeCode::Int64);
  test::Random random(41);
  std::vector<uint64_t> lengths = {0, 1, 2, 31, 32, 33, 200, 1024, 1025, 1250};
  lengths.resize(70, 5);  // more rows than vectors, or the rows would be the vectors
  const test::RefMatrix a = test::matrix_of_lengths(random, type, lengths, 1300);
  std::vector<uint64_t> every_width = {1, 2, 3, 7, 16, 32, 33, 64}, two = {3, 40};
  if (test::structures_only()) every_width = {2, 33}, two = {40};
  for (const char* name : test::by_turns({"PLUS_MINUS_INT64", "ANY_SECOND_INT64", "LXOR_LAND_BOOL"})) {
    const test::MeantSemiring s = test::built_in_semiring(name);
    for (const uint64_t vectors : name[0] == 'P' ? every_width : two) {
      const test::RefMatrix full = full_matrix(random, type, 1300, vectors);
      const test::RefMatrix some = test::random_matrix(random, type, 1300, vectors, test::Spread::uniform,
                                                       0.3 * double(vectors), false);
      for (const char* form : forms) {
        INFO(name << ", " << vectors << " vectors, " << form);
        CHECK(test::run_plain_mxm(s, a, full, nullptr, form) == "");
        CHECK(test::run_plain_mxm(s, a, some, nullptr, form) == "");
      }
      const test::RefMatrix mask =
          test::random_matrix(random, type, 70, vectors, test::Spread::uniform, 0.5 * double(vectors), false);
      CHECK(test::run_plain_mxm(s, a, test::transposed(some), &mask, "mxm_dense") == "");
      // The other order: rows times the matrix.
      CHECK(test::run_plain_mxm(s, test::transposed(full), test::transposed(a), nullptr, "mxm_dense") == "");
    }
  }
}

TEST_CASE("a full factor that lies as it is wanted is not moved, and a T without gaps is not listed") {
  const Type& type = Type::of(TypeCode::Fp32);
  test::Random random(42);
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_FP32");
  const test::RefMatrix a = test::random_matrix(random, type, 90, 80, test::Spread::no_empty_row, 4, false);
  const test::RefMatrix b = full_matrix(random, type, 80, 5);
  jit::forget_kernels();
  CHECK(test::run_plain_mxm(s, a, b, nullptr, "mxm_dense") == "");
  CHECK(launched("mxm_dense<"));
  CHECK(launched("full_pattern<"));
  for (const char* saved : {"mxm_dense_pack<", "mxm_dense_turn<", "mxm_dense_rows<"}) {
    INFO(saved);
    CHECK_FALSE(launched(saved));
  }
}

TEST_CASE("more than 64 rows and columns are left to other kernels, and so is what cannot be pushed") {
  const Type& type = Type::of(TypeCode::Fp64);
  test::Random random(43);
  const test::RefMatrix a = test::random_matrix(random, type, 65, 65, test::Spread::uniform, 3, false);
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_FP64");
  jit::forget_kernels();
  CHECK(test::run_plain_mxm(s, a, a, nullptr, "mxm_dense") == "");
  CHECK_FALSE(launched("mxm_dense"));
  Settings deterministic = settings();
  const Settings before = deterministic;
  deterministic.deterministic = true;
  override_settings(deterministic);
  const test::RefMatrix few = test::random_matrix(random, type, 65, 9, test::Spread::uniform, 3, false);
  CHECK(test::run_plain_mxm(s, a, few, nullptr, "mxm_dense_push") == "");
  CHECK_FALSE(launched("mxm_dense_push"));
  CHECK(test::run_plain_mxm(s, a, few, nullptr, "mxm_dense") == "");
  CHECK(launched("mxm_dense<"));
  override_settings(before);
}
