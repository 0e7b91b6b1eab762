// mxm on the device against the obvious reference, over semirings, types, masks, orientations, shapes.
#include <cstring>

#include "src/jit/jit.h"
#include "src/operations/operations.h"
#include "src/support/declined.h"
#include "src/support/settings.h"
#include "tests/catch.h"
#include "tests/operations/mxm_cases.h"

using namespace cugrb;
using test::MaskKind;
using test::MxmConfiguration;

namespace {

/// Runs a configuration over all shapes; the first difference fails.
void agree(const MxmConfiguration& configuration) {
  const test::MeantSemiring semiring = test::built_in_semiring(configuration.semiring);
  for (size_t n = 0; n < test::mxm_shapes().size(); ++n) {
    test::Random random(7919 * n + 17);
    const std::string found = test::run_mxm(configuration, semiring, test::mxm_shapes()[n], random);
    if (found.empty()) continue;
    FAIL_CHECK(configuration.text() << ", shape " << n << ": " << found);
    return;
  }
  SUCCEED();
}

MxmConfiguration masked(MxmConfiguration configuration, MaskKind mask) {
  configuration.mask = mask;
  return configuration;
}

}  // namespace

TEST_CASE("masked products, structural and valued, of every kind of semiring") {
  for (const MaskKind kind : {MaskKind::structural, MaskKind::valued}) {
    agree(masked({"PLUS_TIMES_FP32", "FP32", "FP32"}, kind));
    agree(masked({"MIN_PLUS_INT32", "INT32", "INT32"}, kind));
  }
  agree(masked({"PLUS_TIMES_INT64", "INT8", "FP64"}, MaskKind::structural));  // typecasts
  agree(masked({"PLUS_PAIR_INT64", "FP32", "BOOL"}, MaskKind::structural));
  agree(masked({"LOR_LAND_BOOL", "BOOL", "BOOL"}, MaskKind::structural));
  agree(masked({"ANY_FIRST_FP64"}, MaskKind::structural));
  agree(masked({"PLUS_MINUS_FP64"}, MaskKind::structural));  // the order of multiply's operands
}

TEST_CASE("masked products with positional operators see mxm's indices") {
  for (const char* name :
       {"PLUS_FIRSTI_INT64", "MIN_FIRSTJ1_INT32", "ANY_SECONDI_INT64", "TIMES_SECONDJ1_INT32"}) {
    agree(masked({name, "BOOL", "BOOL"}, MaskKind::structural));
  }
}

TEST_CASE("masked products of iso and wide matrices") {
  MxmConfiguration iso{"PLUS_TIMES_FP32", "FP32", "FP32", MaskKind::structural};
  iso.iso_a = true;
  agree(iso);
  iso.iso_b = iso.wide = true;
  agree(iso);
}

TEST_CASE("masked products: accumulators, replace and output types") {
  MxmConfiguration c{"PLUS_TIMES_FP32", "FP32", "FP32", MaskKind::structural};
  c.accumulate = "MINUS_FP32";
  agree(c);
  c.mask = MaskKind::valued;
  c.mask_type = "FP32";
  c.output_type = "INT16";
  agree(c);
  c.accumulate = "";
  agree(c);
}

TEST_CASE("left rows that are searched, hashed whole, and hashed in parts") {
  const test::MeantSemiring times = test::built_in_semiring("PLUS_TIMES_INT64");
  const test::MeantSemiring pair = test::built_in_semiring("PLUS_PAIR_INT64");
  const Type& type = Type::of(TypeCode::Int64);
  test::Random random(21);
  // Searched up to 64 entries, in one table up to 1024, in parts of 8192 beyond.
  const std::vector<uint64_t> lengths = {64, 65, 1024, 1025, 8192, 8193, 20000, 0, 3};
  const test::RefMatrix a = test::matrix_of_lengths(random, type, lengths, 20001);
  test::RefMatrix b = test::random_matrix(random, type, 12, 20001, test::Spread::uniform, 300, false);
  for (uint64_t k = 8000; k < 17000; ++k) b.entries[{3, k}] = test::random_value(random, type);
  b.entries[{4, 64}] = b.entries[{4, 8192}] = b.entries[{4, 19999}] = test::random_value(random, type);
  const test::RefMatrix mask = test::random_matrix(random, type, 9, 12, test::Spread::uniform, 9, false);
  CHECK(test::run_plain_mxm(times, a, b, &mask, "") == "");
  CHECK(test::run_plain_mxm(pair, a, b, &mask, "") == "");
  CHECK(test::run_plain_mxm(test::built_in_semiring("ANY_SECONDI_INT64"), a, b, &mask, "") == "");
}

TEST_CASE("a mask row so long that several blocks share it") {
  const Type& type = Type::of(TypeCode::Int64);
  test::Random random(22);
  const test::RefMatrix a = test::matrix_of_lengths(random, type, {3, 100, 90}, 200);
  const test::RefMatrix b = test::random_matrix(random, type, 1300, 200, test::Spread::uniform, 5, false);
  const test::RefMatrix mask = test::random_matrix(random, type, 3, 1300, test::Spread::uniform, 1200, false);
  CHECK(test::run_plain_mxm(test::built_in_semiring("PLUS_TIMES_INT64"), a, b, &mask, "") == "");
}

TEST_CASE("triangle counting: the reduced product without its matrix, and reduce of a matrix") {
  test::Random random(23);
  const Type& type = Type::of(TypeCode::Bool);
  test::RefMatrix graph{type, 150, 150, {}};
  const Value one = test::make_value(type, 1);
  for (uint64_t i = 0; i < 150; ++i) {
    for (uint64_t j = 0; j < i; ++j) {
      if (test::chance(random, i % 50 == 0 ? 0.9 : 0.1)) graph.entries[{i, j}] = graph.entries[{j, i}] = one;
    }
  }
  test::RefMatrix lower{type, 150, 150, {}}, upper = lower;
  for (const auto& [place, value] : graph.entries)
    (place.second < place.first ? lower : upper).entries[place] = value;
  int64_t triangles = 0;
  for (const auto& [place, value] : lower.entries) {
    for (uint64_t k = 0; k < place.second; ++k) {
      triangles += graph.entries.count({place.first, k}) > 0 && graph.entries.count({place.second, k}) > 0;
    }
  }
  const formats::DeviceMatrix l = test::to_device(lower, false, true),
                              u = test::to_device(upper, false, true);
  const Semiring semiring = catalogue::semiring("PLUS_PAIR_INT64").value();
  const Monoid plus = catalogue::monoid("PLUS_INT64").value();
  const auto number = [](const std::optional<Value>& value) {
    int64_t n = -1;
    if (value) std::memcpy(&n, value->bytes.data(), sizeof n);
    return n;
  };
  CHECK(triangles > 100);
  CHECK(number(operations::reduce_mxm(plus, {&l, true, false}, {semiring, l, u, false, true})) == triangles);
  CHECK(number(operations::reduce_mxm(plus, {&u, true, false}, {semiring, u, l, false, true})) == triangles);
  formats::DeviceMatrix c = test::to_device({Type::of(TypeCode::Int64), 150, 150, {}}, false, false);
  operations::mxm({c, {&l, true, false}, std::nullopt, false}, {semiring, l, u, false, true});
  CHECK(number(operations::reduce(plus, c)) == triangles);
  const formats::DeviceMatrix nothing = test::to_device({type, 150, 150, {}}, false, false);
  CHECK(number(operations::reduce_mxm(plus, {&nothing, true, false}, {semiring, l, u, false, true})) == 0);
  CHECK(number(operations::reduce(plus, nothing)) == 0);
  CHECK_FALSE(operations::reduce(catalogue::monoid("ANY_INT64").value(), nothing).has_value());
}

TEST_CASE("the output may be a factor and the mask") {
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_INT64");
  const Type& type = Type::of(TypeCode::Int64);
  test::Random random(24);
  const test::RefMatrix a = test::random_matrix(random, type, 50, 50, test::Spread::uniform, 8, false);
  for (const bool by_column : {false, true}) {
    formats::DeviceMatrix c = test::to_device(a, by_column, false);
    const BinaryOp plus = catalogue::binary_op("PLUS_INT64").value();
    operations::mxm({c, {&c, true, false}, plus, true}, {s.semiring, c, c, false, true});
    const test::RefVector flat = test::flattened(a), found = test::flattened(test::read_back(c));
    const test::RefVector t =
        test::sums_of(s, test::terms_of(a, test::transposed(a), s.multiply), 50, 50, found);
    CHECK(test::difference(test::ref_write_back(flat, {&flat, true, false}, plus, true, t), found) == "");
  }
}

TEST_CASE("the output is untouched when the device fails") {
  test::Random random(25);
  const Type& type = Type::of(TypeCode::Fp32);
  const test::RefMatrix a = test::random_matrix(random, type, 30, 30, test::Spread::uniform, 5, false);
  const formats::DeviceMatrix m = test::to_device(a, false, false);
  formats::DeviceMatrix c = test::to_device(a, false, false);
  const BinaryOp positional = catalogue::binary_op("FIRSTI_INT32").value();
  const Semiring semiring = catalogue::semiring("PLUS_TIMES_FP32").value();
  CHECK_THROWS_AS(operations::mxm({c, {}, positional, false}, {semiring, m, m}), Declined);
  CHECK(test::difference(test::flattened(a), test::flattened(test::read_back(c))) == "");
}
