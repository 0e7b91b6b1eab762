// mxm on the device against the obvious reference, over semirings, types, masks, orientations, shapes.
#include <algorithm>
#include <cstring>
#include <map>

#include "src/formats/launch.h"
#include "src/jit/jit.h"
#include "src/operations/multiply/mxm/rows/rows.h"
#include "src/operations/operations.h"
#include "src/support/declined.h"
#include "src/support/settings.h"
#include "tests/catch.h"
#include "tests/operations/agree.h"
#include "tests/operations/breadth.h"
#include "tests/operations/mxm_cases.h"

using namespace cugrb;
using test::MaskKind;
using test::MxmConfiguration;

namespace {

void agree(const MxmConfiguration& configuration) {
  test::agree_on_all(configuration, test::mxm_shapes(), test::run_mxm);
}

Value number(int64_t x) {
  return {Type::of(TypeCode::Int64), std::string(reinterpret_cast<const char*>(&x), sizeof x)};
}

MxmConfiguration by(MxmConfiguration configuration, const std::string& kernel) {
  configuration.kernel = kernel;
  return configuration;
}

MxmConfiguration masked(MxmConfiguration configuration, MaskKind mask) {
  configuration.mask = mask;
  configuration.kernel = "mxm_dot";
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
  for (const char* name : test::by_turns(
           {"PLUS_FIRSTI_INT64", "MIN_FIRSTJ1_INT32", "ANY_SECONDI_INT64", "TIMES_SECONDJ1_INT32"})) {
    agree(masked({name, "BOOL", "BOOL"}, MaskKind::structural));
  }
}

TEST_CASE("masked products of iso and wide matrices") {
  MxmConfiguration iso{"PLUS_TIMES_FP32", "FP32", "FP32", MaskKind::structural, "mxm_dot"};
  iso.iso_a = true;
  agree(iso);
  iso.iso_b = iso.wide = true;
  agree(iso);
}

TEST_CASE("masked products: accumulators, replace and output types") {
  MxmConfiguration c{"PLUS_TIMES_FP32", "FP32", "FP32", MaskKind::structural, "mxm_dot"};
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
  CHECK(test::run_plain_mxm(times, a, b, &mask, "mxm_dot") == "");
  CHECK(test::run_plain_mxm(pair, a, b, &mask, "mxm_dot") == "");
  CHECK(test::run_plain_mxm(test::built_in_semiring("ANY_SECONDI_INT64"), a, b, &mask, "mxm_dot") == "");
}

TEST_CASE("a mask row so long that several blocks share it") {
  const Type& type = Type::of(TypeCode::Int64);
  test::Random random(22);
  const test::RefMatrix a = test::matrix_of_lengths(random, type, {3, 100, 90}, 200);
  const test::RefMatrix b = test::random_matrix(random, type, 1300, 200, test::Spread::uniform, 5, false);
  const test::RefMatrix mask = test::random_matrix(random, type, 3, 1300, test::Spread::uniform, 1200, false);
  CHECK(test::run_plain_mxm(test::built_in_semiring("PLUS_TIMES_INT64"), a, b, &mask, "mxm_dot") == "");
}

TEST_CASE("triangle counting: a product under a mask, and reduce of a matrix") {
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
  const auto sum = [&](const operations::MatrixMask& mask, const formats::DeviceMatrix& first,
                       const formats::DeviceMatrix& second) {
    formats::DeviceMatrix c = test::to_device({Type::of(TypeCode::Int64), 150, 150, {}}, false, false);
    operations::mxm({c, mask, std::nullopt, false}, {semiring, first, second, false, true});
    return number(operations::reduce(plus, c));
  };
  CHECK(sum({&l, true, false}, l, u) == triangles);
  CHECK(sum({&u, true, false}, u, l) == triangles);
  // Without a mask, every path of two edges that goes down and up again counts.
  int64_t wedges = 0;
  for (const auto& [place, value] : lower.entries) {
    for (const auto& [other, same] : lower.entries) wedges += other.second == place.second;
  }
  CHECK(sum({}, l, l) == wedges);
  CHECK(sum({&l, true, true}, l, u) == sum({}, l, u) - triangles);
  const formats::DeviceMatrix nothing = test::to_device({type, 150, 150, {}}, false, false);
  CHECK(sum({&nothing, true, false}, l, u) == 0);
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

TEST_CASE("products without a mask, by hashing, by sorting and by outer products") {
  for (const char* kernel : {"mxm_rows", "mxm_sort", "mxm_dcsr", "mxm_outer", "mxm_outer_staged"}) {
    agree(by({"PLUS_FIRSTJ_INT64", "BOOL", "BOOL"}, kernel));
    agree(by({"PLUS_MINUS_FP32", "FP32", "FP32"}, kernel));
  }
  agree(by({"ANY_SECONDI_INT32", "BOOL", "BOOL"}, "mxm_outer"));
  agree(by({"MIN_PLUS_INT16", "INT16", "INT16"}, "mxm_rows"));
  agree(by({"PLUS_TIMES_INT8", "INT8", "INT8"}, "mxm_rows"));  // a carry must not reach the next sum
  agree(by({"LOR_LAND_BOOL", "BOOL", "BOOL"}, "mxm_rows"));
  agree(by({"ANY_SECONDI_INT32", "BOOL", "BOOL"}, "mxm_rows"));
  agree(by({"MAX_PLUS_FP64", "INT8", "FP64"}, "mxm_rows"));
  MxmConfiguration wide = by({"PLUS_SECOND_FP32", "FP32", "FP32"}, "mxm_rows");
  wide.wide = wide.iso_b = true;
  agree(wide);
}

TEST_CASE("few rows, one matrix-vector product after the other") {
  for (const char* name :
       test::by_turns({"PLUS_FIRST_FP64", "MIN_PLUS_INT32", "ANY_SECONDI_INT32", "PLUS_SECONDJ_INT64"})) {
    const bool positional = std::string(name).find("SECOND") != std::string::npos;
    const std::string type = positional ? "BOOL" : name[0] == 'M' ? "INT32" : "FP64";
    for (const MaskKind kind : {MaskKind::none, MaskKind::structural_complement, MaskKind::valued}) {
      agree(by(masked({name, type, type}, kind), "mxm_vectors"));
    }
  }
  MxmConfiguration iso = by({"PLUS_TIMES_FP32", "FP32", "FP32"}, "mxm_vectors");
  iso.iso_a = true;
  iso.accumulate = "PLUS_FP32";
  agree(iso);
}

TEST_CASE("a diagonal factor scales rows or columns, in either orientation; a permutation does not") {
  const Type& type = Type::of(TypeCode::Int64);
  test::Random random(37);
  test::RefMatrix diagonal{type, 30, 30, {}}, permutation = diagonal;
  for (uint64_t i = 0; i < 30; ++i) {
    diagonal.entries[{i, i}] = test::random_value(random, type);
    permutation.entries[{i, (i + 1) % 30}] = test::random_value(random, type);
  }
  const test::RefMatrix wide = test::random_matrix(random, type, 30, 50, test::Spread::power_law, 6, false);
  const test::RefMatrix tall = test::transposed(wide);
  const auto scaled = [] {
    for (const jit::Request& request : jit::requests_so_far()) {
      if (request.name.rfind("mxm_scale<", 0) == 0) return true;
    }
    return false;
  };
  for (const char* name :
       test::by_turns({"PLUS_MINUS_INT64", "MIN_FIRSTI1_INT64", "MAX_SECONDJ_INT64", "PLUS_FIRSTJ_INT64"})) {
    const test::MeantSemiring s = test::built_in_semiring(name);
    INFO(name);
    jit::forget_kernels();
    CHECK(test::run_plain_mxm(s, diagonal, wide, nullptr, "mxm_scale") == "");
    CHECK(test::run_plain_mxm(s, tall, diagonal, nullptr, "mxm_scale") == "");
    CHECK(test::run_plain_mxm(s, diagonal, diagonal, nullptr, "mxm_scale") == "");
    // C<mask> = A * B': B by columns is what is stored, so that T is made by columns.
    const test::RefMatrix mask = test::random_matrix(random, type, 30, 50, test::Spread::uniform, 9, false);
    CHECK(test::run_plain_mxm(s, diagonal, tall, &mask, "mxm_scale") == "");
    CHECK(scaled());
    jit::forget_kernels();
    CHECK(test::run_plain_mxm(s, diagonal, wide, nullptr, "mxm_rows") == "");  // by another way on request
    CHECK(test::run_plain_mxm(s, permutation, wide, nullptr, "mxm_scale") == "");
    CHECK_FALSE(scaled());
  }
}

TEST_CASE("outer products: workloads larger than a block's share, rows longer than what is staged") {
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_INT64");
  const Type& type = Type::of(TypeCode::Int64);
  test::Random random(34);
  const test::RefMatrix a = test::transposed(test::matrix_of_lengths(random, type, {20, 1, 0, 300, 7}, 301));
  const test::RefMatrix b = test::matrix_of_lengths(random, type, {2100, 9000, 5, 60, 1}, 9001);
  CHECK(test::run_plain_mxm(s, a, b, nullptr, "mxm_outer") == "");
  CHECK(test::run_plain_mxm(s, a, b, nullptr, "mxm_outer_staged") == "");
  CHECK(test::run_plain_mxm(s, a, b, nullptr, "mxm_dcsr") == "");  // rows of 2049 products and more
}

TEST_CASE("masks, complemented ones too, on products by rows, by sorting and by outer products") {
  for (const char* kernel : {"mxm_sort", "mxm_dcsr", "mxm_outer", "mxm_outer_staged"}) {
    agree(by(masked({"PLUS_TIMES_FP32", "FP32", "FP32"}, MaskKind::structural_complement), kernel));
    agree(by(masked({"PLUS_TIMES_FP32", "FP32", "FP32"}, MaskKind::valued), kernel));
  }
  for (const MaskKind kind :
       {MaskKind::structural_complement, MaskKind::valued_complement, MaskKind::valued}) {
    MxmConfiguration c = by(masked({"PLUS_TIMES_FP32", "FP32", "FP32"}, kind), "mxm_rows");
    agree(c);
    c.accumulate = "SECOND_FP32";
    agree(c);
    c.output_type = "INT32";
    c.accumulate = "PLUS_INT32";
    agree(c);
  }
}

namespace {

/// Whether a kernel of such a name has been asked for.
bool requested(const std::string& prefix, const std::string& part = "") {
  for (const jit::Request& request : jit::requests_so_far()) {
    if (request.name.rfind(prefix, 0) == 0 && request.name.find(part) != std::string::npos) return true;
  }
  return false;
}

/// A matrix of these rows, each of `entries` random columns.
test::RefMatrix scattered(test::Random& random, const Type& type, uint64_t rows, uint64_t columns,
                          uint64_t entries) {
  test::RefMatrix matrix{type, rows, columns, {}};
  for (uint64_t i = 0; i < rows; ++i) {
    for (uint64_t n = 0; n < entries; ++n) {
      matrix.entries[{i, test::below(random, columns)}] = test::random_value(random, type);
    }
  }
  return matrix;
}

}  // namespace

TEST_CASE(
    "rows of every class: windows of columns, sums in several passes, ranges that the block takes together") {
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_INT64");
  const Type& type = Type::of(TypeCode::Int64);
  test::Random random(31);
  // Rows of 1, 30, 200, 2000 and 9000 products and one of 60000, whose sums do not fit one pass.
  const test::RefMatrix left = test::matrix_of_lengths(random, type, {1, 0, 2, 6, 40, 3, 60}, 60);
  const std::pair<uint64_t, const char*> cases[] = {
      {3000, "mxm_ranks_fill<"}, {40000, "mxm_ranks_fill<"}, {700000, "mxm_bitmap_fill<"}};
  for (const auto& [columns, longest_by] : cases) {
    jit::forget_kernels();
    test::RefMatrix right{type, 60, columns, {}};
    for (uint64_t k = 0; k < 60; ++k) {
      const uint64_t entries = k < 3 ? 15 : k < 6 ? 60 : k == 50 ? 20000 : 200;
      for (uint64_t n = 0; n < entries; ++n) {
        right.entries[{k, test::below(random, columns)}] = test::random_value(random, type);
      }
    }
    INFO(columns);
    CHECK(test::run_plain_mxm(s, left, right, nullptr, "mxm_rows") == "");
    CHECK(requested(longest_by));
    const test::RefMatrix mask = test::random_matrix(random, type, 7, columns, test::Spread::uniform,
                                                     std::min<uint64_t>(columns / 3, 20000), false);
    CHECK(test::run_plain_mxm(s, left, test::transposed(right), &mask, "mxm_rows") == "");
  }
}

TEST_CASE("rows around the limits of every bin, whose products never meet, meet in pairs, and by the dozen") {
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_INT32");
  const Type& type = Type::of(TypeCode::Int32);
  test::Random random(36);
  const std::vector<uint64_t> lengths = {1,   8,   31,  32,  33,  63,   64,   65,   0,   127,
                                         128, 129, 255, 256, 257, 1000, 2047, 2048, 2049};
  const test::RefMatrix left = test::matrix_of_lengths(random, type, lengths, 2100);
  // Items of 32 bits, of 64 bits, and of 64-bit columns.
  for (const uint64_t columns : {uint64_t(4200), uint64_t(1) << 28, uint64_t(1) << 33}) {
    for (const uint64_t met : {uint64_t(1), uint64_t(2), uint64_t(12)}) {
      test::RefMatrix right{type, 2100, columns, {}};  // a product for each left entry
      for (uint64_t k = 0; k < 2100; ++k)
        right.entries[{k, (2099 - k) / met * (columns / 2100)}] = test::random_value(random, type);
      INFO(columns << " columns, " << met);
      CHECK(test::run_plain_mxm(s, left, right, nullptr, "mxm_rows") == "");
    }
  }
}

TEST_CASE("rows of many products that meet are counted first, in tables of every size, then made") {
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_INT32");
  const Type& type = Type::of(TypeCode::Int32);
  test::Random random(41);
  const std::pair<uint64_t, uint64_t> cases[] = {
      {12, 200000}, {2, uint64_t(1) << 28}, {2, uint64_t(1) << 33}};
  for (const auto& [met, columns] : cases) {
    if (test::races_only() && met != 12) continue;
    jit::forget_kernels();
    const auto [left, right] = test::counted_factors(random, type, met, columns);
    INFO(columns << " columns, " << met);
    CHECK(test::run_plain_mxm(s, left, right, nullptr, "mxm_rows") == "");
    CHECK(requested("mxm_hash_count<"));
    CHECK(requested("mxm_hash_fill<"));
  }
}

namespace {

/// For a product of test::merged_factors: most of the mask lies where these have entries.
test::RefMatrix mask_of_last_rows(test::Random& random, const test::RefMatrix& left,
                                  const test::RefMatrix& right) {
  test::RefMatrix mask{left.type, left.rows, right.columns, {}};
  for (uint64_t n = 0; n < 2000; ++n)
    mask.entries[{left.rows - 1 - n % 70, test::below(random, right.columns)}] =
        test::random_value(random, left.type);
  return mask;
}

/// The same entries in other columns, so that few of different rows meet; `columns` has no factor of 11.
test::RefMatrix spread(const test::RefMatrix& matrix, uint64_t columns) {
  test::RefMatrix other{matrix.type, matrix.rows, columns, {}};
  for (const auto& [at, value] : matrix.entries)
    other.entries[{at.first, (at.first * 7919 + at.second * 11) % columns}] = value;
  return other;
}

}  // namespace

TEST_CASE("rows that hardly meet are made at once, and moved: in their own order, or in that of their bins") {
  const test::MeantSemiring s = test::built_in_semiring("PLUS_FIRST_INT32");
  const Type& type = Type::of(TypeCode::Int32);
  test::Random random(43);
  const std::vector<uint64_t> long_rows = {64, 100, 0, 5, 33, 128, 300, 40},
                              mixed_rows = {13, 19, 0, 70, 14, 20, 18, 22},
                              short_rows = {13, 19, 0, 17, 14, 20};
  for (const std::vector<uint64_t>& some : {long_rows, mixed_rows, short_rows}) {
    jit::forget_kernels();
    std::vector<uint64_t> lengths;
    for (uint64_t products = 0; products <= operations::few_products();) {
      for (const uint64_t length : some) products += length;
      lengths.insert(lengths.end(), some.begin(), some.end());
    }
    const test::RefMatrix left = test::matrix_of_lengths(random, type, lengths, 1000);
    test::RefMatrix right{type, 1000, uint64_t(1) << 28, {}};  // a product for each left entry
    for (uint64_t k = 0; k < 1000; ++k)
      right.entries[{k, (k + 1) * 200003 % right.columns}] = test::random_value(random, type);
    const auto [a, b] = test::unbounded(left, right);
    INFO("rows of " << some.front() << ", " << some[3]);
    CHECK(test::run_plain_mxm(s, a, b, nullptr, "mxm_rows") == "");
    CHECK(requested("mxm_move_rows<"));
    CHECK(requested("mxm_offsets<") == (some == mixed_rows));
  }
}

TEST_CASE("rows that might be merged but hardly meet are sorted, each in the bin of its own products") {
  const test::MeantSemiring s = test::built_in_semiring("PLUS_SECOND_FP32");
  const Type& type = Type::of(TypeCode::Fp32);
  test::Random random(52);
  // Enough for rows to be merged, most of them empty: the others have 30 products in the mean.
  const uint64_t rows = std::max<uint64_t>(100000, operations::few_products() / 4);
  test::RefMatrix left{type, rows, 500, {}}, right{type, 500, uint64_t(1) << 28, {}};
  uint64_t products = 0;
  for (uint64_t r = rows; products <= 2 * operations::few_products();) {
    --r;
    for (uint64_t entry = 0; entry <= r % 12; ++entry) {
      const uint64_t k = test::below(random, 500);
      left.entries[{r, k}] = test::random_value(random, type);
      products += k % 10;
    }
  }
  for (uint64_t k = 0; k < 500; ++k) {
    for (uint64_t n = 0; n < k % 10; ++n)
      right.entries[{k, (k * 10 + n + 1) * 200003 % right.columns}] = test::random_value(random, type);
  }
  const auto [a, b] = test::unbounded(left, right);
  jit::forget_kernels();
  CHECK(test::run_plain_mxm(s, a, b, nullptr, "mxm_rows") == "");
  CHECK_FALSE(requested("mxm_merge_count<"));
  CHECK(requested("mxm_move_rows<"));
  for (const char* bin : {", 8, 4, ", ", 16, 4, ", ", 16, 8, "}) {
    INFO("lanes and items of a lane" << bin);
    CHECK(requested("mxm_esc_fill<", bin));
  }
}

TEST_CASE("rows of few products are moved to T, which has room for all, before their number is known") {
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_FP64");
  const Type& type = s.semiring.add.type();
  test::Random random(47);
  for (const uint64_t meeting : {1, 4}) {
    jit::forget_kernels();
    const auto [left, right] =
        test::unbounded(test::random_matrix(random, type, 60, 50, test::Spread::uniform, 5, false),
                        test::random_matrix(random, type, 50, 80 / meeting, test::Spread::uniform, 9, false));
    INFO(meeting);
    CHECK(test::run_plain_mxm(s, left, right, nullptr, "mxm_rows") == "");
    const test::RefMatrix mask =
        test::random_matrix(random, type, 60, right.columns, test::Spread::uniform, 3, false);
    CHECK(test::run_plain_mxm(s, left, test::transposed(right), &mask, "mxm_rows") == "");
    CHECK(requested("mxm_move_rows<"));
    CHECK_FALSE(requested("mxm_offsets<"));
  }
}

TEST_CASE("T's room for few products is given back where most of them meet") {
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_FP64");
  const Type& type = s.semiring.add.type();
  test::Random random(48);
  for (const uint64_t columns : {60, 6}) {
    const auto [left, right] =
        test::unbounded(test::random_matrix(random, type, 60, 50, test::Spread::uniform, 8, false),
                        test::random_matrix(random, type, 50, columns, test::Spread::no_empty_row, 4, false));
    const formats::DeviceMatrix a = test::to_device(left, false, false),
                                b = test::to_device(right, false, false);
    formats::DeviceMatrix c = formats::matrix_by(formats::empty_csr(type, 60, right.columns), false);
    const test::Forced forced("mxm_rows");
    operations::mxm({c, {}, std::nullopt, false}, {s.semiring, a, b, false, false});
    INFO(columns << " columns, " << c.nvals() << " entries");
    CHECK(c.nvals() > 200);
    CHECK(c.stored.values.bytes() <= 3 * c.nvals() * type.size);
    CHECK((c.stored.values.bytes() == c.nvals() * type.size) == (columns == 6));
  }
}

TEST_CASE("rows of bounded products are merged in one launch, gathered in shared memory or not") {
  test::Random random(49);
  for (const char* semiring : test::by_turns({"PLUS_TIMES_FP32", "ANY_SECOND_INT16", "MIN_FIRSTJ_INT64"})) {
    const test::MeantSemiring s = test::built_in_semiring(semiring);
    const Type type = s.semiring.add.type();
    for (const uint64_t longest : {6, 12}) {
      jit::forget_kernels();
      const auto [left, right] = test::merged_factors(random, type, 100000, longest);
      INFO(semiring << ", left rows of up to " << longest);
      CHECK(test::run_plain_mxm(s, left, right, nullptr, "mxm_rows") == "");
      CHECK(requested("mxm_bounded_merge<"));
      CHECK_FALSE(requested("mxm_row_products<"));
      const test::RefMatrix mask = mask_of_last_rows(random, left, right);
      CHECK(test::run_plain_mxm(s, left, test::transposed(right), &mask, "mxm_rows") == "");
      // Products that do not meet: a tile has more entries than are gathered.
      const test::RefMatrix apart = spread(right, uint64_t(1) << 20);
      CHECK(test::run_plain_mxm(s, left, apart, nullptr, "mxm_rows") == "");
    }
  }
}

TEST_CASE("rows of bounded products are sorted, each warp's by the bin of the longest, and placed") {
  test::Random random(50);
  const std::vector<uint64_t> lengths = {1, 8, 0, 3, 8, 8, 2, 5, 8, 4, 7, 0, 0, 6, 1, 8, 8};
  for (const char* semiring : test::by_turns({"PLUS_TIMES_FP32", "ANY_SECOND_INT16", "MIN_FIRSTJ_INT64"})) {
    const test::MeantSemiring s = test::built_in_semiring(semiring);
    const Type type = s.semiring.add.type();
    for (const uint64_t longest : {4, 8, 16, 32, 64}) {
      for (const uint64_t columns : {70, 3000}) {
        jit::forget_kernels();
        const test::RefMatrix left = test::matrix_of_lengths(random, type, lengths, 40);
        std::vector<uint64_t> right_lengths;
        for (uint64_t k = 0; k < 40; ++k) right_lengths.push_back(k % 3 == 0 ? longest : k % (longest + 1));
        const test::RefMatrix right =
            spread(test::matrix_of_lengths(random, type, right_lengths, 64), columns);
        INFO(semiring << ", right rows of up to " << longest << " in " << columns << " columns");
        CHECK(test::run_plain_mxm(s, left, right, nullptr, "mxm_rows") == "");
        CHECK(requested("mxm_bounded_sort<"));
        CHECK(requested("mxm_bounded_place<"));
        CHECK_FALSE(requested("mxm_row_products<"));
        const test::RefMatrix mask =
            test::random_matrix(random, type, left.rows, columns, test::Spread::uniform, 30, false);
        CHECK(test::run_plain_mxm(s, left, test::transposed(right), &mask, "mxm_rows") == "");
      }
    }
  }
}

TEST_CASE("rows of bounded products are placed again where they have more entries than was expected") {
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_FP32");
  const Type& type = s.semiring.add.type();
  test::Random random(51);
  // All left entries meet the few long right rows.
  std::vector<uint64_t> lengths(800, 1);
  std::fill_n(lengths.begin(), 8, 60);
  const test::RefMatrix tall =
      test::matrix_of_lengths(random, type, std::vector<uint64_t>(300, 8), lengths.size());
  const test::RefMatrix right = spread(test::matrix_of_lengths(random, type, lengths, 64), uint64_t(1) << 20);
  const formats::DeviceMatrix a = test::to_device(tall, false, false),
                              b = test::to_device(right, false, false);
  formats::DeviceMatrix c = formats::matrix_by(formats::empty_csr(type, tall.rows, right.columns), false);
  const test::Forced forced("mxm_rows");
  operations::mxm({c, {}, std::nullopt, false}, {s.semiring, a, b, false, false});
  CHECK(c.nvals() > 140000);
  CHECK(c.stored.values.bytes() == c.nvals() * type.size);  // the second room
  CHECK(test::run_plain_mxm(s, tall, right, nullptr, "mxm_rows") == "");
}

TEST_CASE("rows of few left entries in matrices of many rows are merged") {
  test::Random random(37);
  for (const char* semiring :
       test::by_turns({"PLUS_TIMES_FP32", "MIN_PLUS_FP64", "ANY_SECOND_INT16", "MIN_FIRSTJ_INT64"})) {
    jit::forget_kernels();
    const test::MeantSemiring s = test::built_in_semiring(semiring);
    const Type type = s.semiring.add.type();
    const auto [bounded, met] = test::merged_factors(random, type, 100000, 14);
    const auto [left, right] = test::unbounded(bounded, met);
    INFO(semiring);
    CHECK(test::run_plain_mxm(s, left, right, nullptr, "mxm_rows") == "");
    CHECK(requested("mxm_merge_fill<"));
    const test::RefMatrix mask = mask_of_last_rows(random, left, right);
    CHECK(test::run_plain_mxm(s, left, test::transposed(right), &mask, "mxm_rows") == "");
  }
}

TEST_CASE(
    "rows in which many products meet are made by ranks, their sums in several passes where they must") {
  test::Random random(38);
  for (const char* semiring :
       test::by_turns({"PLUS_TIMES_FP32", "MAX_PLUS_INT64", "ANY_SECOND_INT16", "MIN_FIRSTJ_INT64"})) {
    const test::MeantSemiring s = test::built_in_semiring(semiring);
    const Type type = s.semiring.add.type();
    for (const uint64_t met : {uint64_t(20), uint64_t(40), uint64_t(150)}) {
      jit::forget_kernels();
      const auto [left, right] = test::ranked_factors(random, type, met, met == 150 ? 20000 : 900);
      INFO(semiring << ", " << met);
      CHECK(test::run_plain_mxm(s, left, right, nullptr, "mxm_rows") == "");
      CHECK(requested("mxm_ranks_fill<"));
      {
        const test::Limited forgotten(1024);  // too little to keep the columns that were counted
        CHECK(test::run_plain_mxm(s, left, right, nullptr, "mxm_rows") == "");
      }
      const test::RefMatrix mask = test::random_matrix(random, type, left.rows, right.columns,
                                                       test::Spread::uniform, right.columns / 3, false);
      CHECK(test::run_plain_mxm(s, left, test::transposed(right), &mask, "mxm_rows") == "");
    }
  }
}

TEST_CASE("rows whose products are near each other are made by the ranks of the columns there") {
  test::Random random(39);
  const auto has_windows = [] {
    const std::vector<jit::Request> requests = jit::requests_so_far();
    return std::any_of(requests.begin(), requests.end(), [](const jit::Request& request) {
      return request.name.rfind("mxm_row_products<", 0) == 0 &&
             request.name.find(", true>") != std::string::npos;
    });
  };
  struct Case {
    const char* semiring;
    uint64_t met, first_column;
  };
  const Case cases[] = {{"PLUS_TIMES_FP32", 20, 0},
                        {"MAX_PLUS_INT64", 30, 1000003},
                        {"MIN_FIRSTJ_INT64", 40, uint64_t(5) << 31},
                        {"ANY_SECOND_INT16", 70, uint64_t(1) << 36}};
  for (const Case& c : cases) {
    if (test::structures_only() && c.met != 20 && c.met != 70) continue;  // 32-bit columns, 64-bit ones
    if (test::races_only() && c.met != 20) continue;
    jit::forget_kernels();
    const test::MeantSemiring s = test::built_in_semiring(c.semiring);
    const Type type = s.semiring.add.type();
    const auto [left, right] = test::windowed_factors(random, type, c.met, c.first_column);
    INFO(c.semiring << ", " << c.met);
    CHECK(test::run_plain_mxm(s, left, right, nullptr, "mxm_rows") == "");
    CHECK(has_windows());
    CHECK(requested("mxm_ranks_fill<"));
    {
      const test::Limited forgotten(1024);  // too little to keep the columns that were counted
      CHECK(test::run_plain_mxm(s, left, right, nullptr, "mxm_rows") == "");
    }
    if (right.columns >= uint64_t(1) << 31) continue;  // the transpose, which the mask's product is given
    test::RefMatrix mask{type, left.rows, right.columns, {}};
    for (uint64_t n = 0; n < 20000; ++n) {
      const uint64_t i = test::below(random, left.rows);
      mask.entries[{i, c.first_column + 30 * i + test::below(random, 1500)}] =
          test::random_value(random, type);
    }
    CHECK(test::run_plain_mxm(s, left, test::transposed(right), &mask, "mxm_rows") == "");
  }
}

TEST_CASE("heavy rows that fill the device by themselves are summed in all of their passes") {
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_INT64");
  const Type& type = Type::of(TypeCode::Int64);
  test::Random random(44);
  constexpr uint64_t inner = 8, columns = 60000;
  const uint64_t rows = formats::resident_blocks() + 5;
  test::RefMatrix left{type, rows, inner, {}}, right{type, inner, columns, {}};
  std::map<uint32_t, int64_t> row;  // all of them are alike, of more entries than a block has sums
  for (uint64_t k = 0; k < inner; ++k) {
    const int64_t factor = int64_t(k) + 1;
    for (uint64_t i = 0; i < rows; ++i) left.entries[{i, k}] = number(factor);
    for (uint64_t n = 0; n < 1500; ++n) {
      const uint64_t j = test::below(random, columns);
      const int64_t value = int64_t(j % 97) + 1;
      if (right.entries.emplace(std::pair(k, j), number(value)).second) row[uint32_t(j)] += factor * value;
    }
  }
  REQUIRE(row.size() > 54 * 1024 / sizeof(int64_t));
  std::vector<uint32_t> row_columns;
  std::vector<int64_t> row_values;
  for (const auto& [j, sum] : row) {
    row_columns.push_back(j);
    row_values.push_back(sum);
  }
  jit::forget_kernels();
  formats::DeviceMatrix c = test::to_device(test::RefMatrix{type, rows, columns, {}}, false, false);
  const formats::DeviceMatrix a = test::to_device(left, false, false),
                              b = test::to_device(right, false, false);
  const test::Forced forced("mxm_rows");
  operations::mxm({c, {}, std::nullopt, false}, {s.semiring, a, b, false, false});
  CHECK(requested("mxm_bitmap_fill<"));
  REQUIRE(c.nvals() == rows * row.size());
  const auto found_columns = c.stored.column_indices.to_host<uint32_t>(c.nvals());
  const auto found_values = c.stored.values.to_host<int64_t>(c.nvals());
  uint64_t wrong = 0;
  for (uint64_t i = 0; i < rows; ++i) {
    const auto first = std::ptrdiff_t(i * row.size());
    wrong += !std::equal(row_columns.begin(), row_columns.end(), found_columns.begin() + first) ||
             !std::equal(row_values.begin(), row_values.end(), found_values.begin() + first);
  }
  CHECK(wrong == 0);
}

TEST_CASE("a row of so many products that its windows are narrow") {
  const test::MeantSemiring s = test::built_in_semiring("PLUS_PAIR_INT32");
  const Type& type = Type::of(TypeCode::Int32);
  test::Random random(32);
  const test::RefMatrix left = test::matrix_of_lengths(random, type, {1500, 1}, 1500);
  const test::RefMatrix right = scattered(random, type, 1500, 20000, 100);
  CHECK(test::run_plain_mxm(s, left, right, nullptr, "mxm_rows") == "");
}

TEST_CASE("very many columns: 64-bit indices, hash tables, long rows by sorting") {
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_INT64");
  const Type& type = Type::of(TypeCode::Int64);
  test::Random random(36);
  const test::RefMatrix left = test::matrix_of_lengths(random, type, {1, 0, 12, 40}, 40);
  const test::RefMatrix right = scattered(random, type, 40, uint64_t(1) << 40, 90);
  for (const char* kernel : {"mxm_rows", "mxm_sort", "mxm_dcsr", "mxm_outer", "mxm_outer_staged"}) {
    INFO(kernel);
    CHECK(test::run_plain_mxm(s, left, right, nullptr, kernel) == "");
  }
}

TEST_CASE(
    "sorting in slices of rows, outer products in pieces of the table, workloads cut where they must be") {
  test::Random random(33);
  const Type& type = Type::of(TypeCode::Int64);
  const test::RefMatrix a = test::random_matrix(random, type, 40, 40, test::Spread::power_law, 0, false);
  const test::RefMatrix b = test::random_matrix(random, type, 40, 40, test::Spread::one_huge_row, 3, false);
  std::vector<const char*> semirings = {"MIN_FIRST_INT64", "PLUS_SECONDJ_INT64", "PLUS_FIRSTJ_INT64",
                                        "ANY_FIRST_INT64"};
  if (test::structures_only()) semirings.resize(1);  // slices launch the same kernels again and again
  for (const char* kernel : {"mxm_sort", "mxm_outer", "mxm_outer_staged"}) {
    for (const char* semiring : semirings) {
      for (const uint64_t products : {1, 7, 100, 2000}) {
        INFO(kernel << " " << semiring << ", " << products << " products at a time");
        const test::Limited limited(2 * 64 * products);
        CHECK(test::run_plain_mxm(test::built_in_semiring(semiring), a, b, nullptr, kernel) == "");
        CHECK(test::run_plain_mxm(test::built_in_semiring(semiring), b, a, &a, kernel) == "");
      }
    }
  }
}

namespace {

/// Sums over a struct of 24 bytes: too large for atomics.
struct Triple {
  double a, b, c;
};

Value bytes_value(const Type& type, const void* bytes) {
  return {type, std::string(static_cast<const char*>(bytes), type.size)};
}

test::MeantSemiring triple_semiring(const Type& triple) {
  const BinaryOp add =
      catalogue::user_binary_op("triple_add",
                                "void triple_add (triple *z, const triple *x, const triple *y)"
                                "{ z->a = x->a + y->a ; z->b = x->b + y->b ; z->c = x->c + y->c ; }",
                                triple, triple, triple);
  const BinaryOp scale =
      catalogue::user_binary_op("triple_scale",
                                "void triple_scale (triple *z, const double *x, const triple *y)"
                                "{ z->a = *x * y->a ; z->b = *x * y->b ; z->c = *x - y->c ; }",
                                triple, Type::of(TypeCode::Fp64), triple);
  const Triple zero{0, 0, 0};
  const auto triple_of = [](const Value& value) {
    Triple t;
    std::memcpy(&t, value.bytes.data(), sizeof t);
    return t;
  };
  test::MeantSemiring s;
  s.semiring =
      catalogue::make_semiring(catalogue::make_monoid(add, bytes_value(triple, &zero), std::nullopt), scale);
  s.add = [=](const Value& x, const Value& y) {
    const Triple p = triple_of(x), q = triple_of(y), z{p.a + q.a, p.b + q.b, p.c + q.c};
    return bytes_value(triple, &z);
  };
  s.multiply = [=](const Value& x, const Value& y, uint64_t, uint64_t, uint64_t) {
    double scale_by;
    std::memcpy(&scale_by, x.bytes.data(), 8);
    const Triple p = triple_of(y), z{scale_by * p.a, scale_by * p.b, scale_by - p.c};
    return bytes_value(triple, &z);
  };
  return s;
}

}  // namespace

TEST_CASE(
    "user-defined types and operators run by every kernel; those that cannot take them are left aside") {
  const Type triple{TypeCode::User, sizeof(Triple), "triple", "typedef struct { double a, b, c ; } triple ;"};
  const test::MeantSemiring semiring = triple_semiring(triple);
  test::Random random(35);
  const Type& fp64 = Type::of(TypeCode::Fp64);
  const test::RefMatrix a = test::random_matrix(random, fp64, 25, 30, test::Spread::uniform, 6, false);
  test::RefMatrix b{triple, 30, 20, {}};
  for (uint64_t n = 0; n < 150; ++n) {
    const Triple t{double(n), 1, double(n % 5)};
    b.entries[{test::below(random, 30), test::below(random, 20)}] = bytes_value(triple, &t);
  }
  for (const char* kernel : {"mxm_rows", "mxm_dcsr", "mxm_outer", "mxm_outer_staged", "mxm_dense"}) {
    INFO(kernel);
    CHECK(test::run_plain_mxm(semiring, a, b, nullptr, kernel) == "");
  }
  const test::RefMatrix mask = test::random_matrix(random, fp64, 25, 20, test::Spread::uniform, 9, false);
  CHECK(test::run_plain_mxm(semiring, a, test::transposed(b), &mask, "mxm_dot") == "");
}

TEST_CASE("CUGRB_FORCE takes, and CUGRB_DETERMINISTIC leaves sums of floats to the kernels of fixed order") {
  const std::pair<const char*, const char*> expected[] = {{"mxm_dot", "mxm_dot_search<"},
                                                          {"mxm_rows", "mxm_bounded_sort<"},
                                                          {"mxm_sort", "mxm_sort_expand<"},
                                                          {"mxm_dcsr", "mxm_esc_fill<"},
                                                          {"mxm_outer_staged", "mxm_outer_expand<"},
                                                          {"mxm_outer", "mxm_outer_expand<"},
                                                          {"mxm_vectors", "mxv_"}};
  for (const auto& [kernel, name] : expected) {
    jit::forget_kernels();
    test::Random random(2);
    const MxmConfiguration c = by(masked({"PLUS_TIMES_FP32", "FP32", "FP32"}, MaskKind::structural), kernel);
    CHECK(test::run_mxm(c, test::built_in_semiring(c.semiring), test::mxm_shapes()[0], random) == "");
    INFO(kernel);
    CHECK(requested(name));
  }
  jit::forget_kernels();
  Settings deterministic = settings();
  const Settings before = deterministic;
  deterministic.deterministic = true;
  override_settings(deterministic);
  test::Random random(2);
  const MxmConfiguration c = by({"PLUS_TIMES_FP32", "FP32", "FP32"}, "mxm_rows");
  CHECK(test::run_mxm(c, test::built_in_semiring(c.semiring), test::mxm_shapes()[0], random) == "");
  override_settings(before);
  CHECK_FALSE(requested("mxm_esc_fill<"));
}

TEST_CASE("sums of a row that is sorted are added up in the order of the summed index") {
  // 1 + 2^-24 twice is 1 from the left, and more than 1 from the right.
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_FP32");
  const Type& type = Type::of(TypeCode::Fp32);
  const auto value = [&](float x) { return bytes_value(type, &x); };
  for (const uint64_t terms : {uint64_t(30), uint64_t(60), uint64_t(120), uint64_t(250), uint64_t(2000)}) {
    test::RefMatrix left{type, 1, terms, {}}, right{type, terms, 2 * terms, {}};
    for (uint64_t k = 0; k < terms; ++k) {
      left.entries[{0, k}] = value(k == 0 ? 1.0f : 0x1p-24f);
      right.entries[{k, k < 3 ? 7 : terms + k}] = value(1.0f);  // the others hold their bins' sizes up
    }
    formats::DeviceMatrix c = test::to_device(test::RefMatrix{type, 1, 2 * terms, {}}, false, false);
    const SettingsGuard guard;
    Settings forced = settings();
    forced.force = "mxm_rows";
    override_settings(forced);
    operations::mxm({c, {}, {}, false},
                    {s.semiring, test::to_device(left, false, false), test::to_device(right, false, false)});
    INFO(terms);
    const test::RefMatrix made = test::read_back(c);
    CHECK(made.entries.size() == terms - 2);
    CHECK(made.entries.at({0, 7}).bytes == value(1.0f).bytes);
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
