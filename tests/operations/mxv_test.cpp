// mxv and vxm on the device against the obvious reference: every kernel forced, over semirings, types, forms,
// masks.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "src/formats/csb.h"
#include "src/formats/launch.h"
#include "src/jit/jit.h"
#include "src/operations/multiply/registry.h"
#include "src/support/settings.h"
#include "tests/catch.h"
#include "tests/operations/agree.h"
#include "tests/operations/breadth.h"
#include "tests/operations/mxv_cases.h"

using namespace cugrb;
using test::MaskKind;
using test::MxvConfiguration;

namespace {

void agree(const MxvConfiguration& configuration) {
  test::agree_on_all(configuration, test::mxv_shapes(), test::run_mxv);
}

MxvConfiguration with_kernel(MxvConfiguration configuration, const std::string& kernel) {
  configuration.kernel = kernel;
  return configuration;
}

Value bytes_value(const Type& type, const void* bytes) {
  return {type, std::string(static_cast<const char*>(bytes), type.size)};
}

bool was_requested(const std::string& prefix, size_t from) {
  const std::vector<jit::Request> requests = jit::requests_so_far();
  for (size_t n = from; n < requests.size(); ++n) {
    if (requests[n].name.rfind(prefix, 0) == 0) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("every kernel computes PLUS_TIMES of a full vector") {
  for (const operations::MxvKernel* kernel : operations::mxv_kernels()) {
    agree(with_kernel({"PLUS_TIMES_FP64"}, kernel->name));
  }
}

TEST_CASE("every kernel stops early and skips what a complemented mask excludes") {
  MxvConfiguration bfs{"ANY_SECONDI_INT32", "BOOL", "INT32"};
  bfs.form = Form::bitmap;
  bfs.mask = MaskKind::structural_complement;
  for (const char* kernel :
       {"mxv_row_thread", "mxv_row_4", "mxv_row_warp", "mxv_row_block", "mxv_merge", "mxv_ell", "mxv_sell",
        "mxv_coo", "mxv_hyb", "mxv_binned_csr", "mxv_dcsr", "mxv_adcsr"}) {
    agree(with_kernel(bfs, kernel));
  }
  bfs.form = Form::sparse;
  bfs.vector_first = true;
  agree(with_kernel(bfs, "vxm_push"));
  MxvConfiguration sums{"PLUS_TIMES_INT64", "INT64",
                        "INT64"};  // wide values: a list's tile takes two batches
  sums.mask = MaskKind::structural;
  agree(with_kernel(sums, "mxv_merge"));
  MxvConfiguration reach{"LOR_LAND_BOOL", "FP32", "INT8"};
  reach.form = Form::bitmap;
  reach.mask = MaskKind::valued;
  for (const char* kernel : {"mxv_row_2", "mxv_row_16", "mxv_merge", "vxm_push", "mxv_sell", "mxv_coo",
                             "mxv_binned_csr", "mxv_dcsr", "mxv_adcsr"})
    agree(with_kernel(reach, kernel));
}

TEST_CASE(
    "tiles: masks, types, iso matrices, wide indices, both orders of operands; what they refuse goes "
    "elsewhere") {
  for (const std::string tiles :
       {"mxv_tile_composite", "mxv_tile_rectangles", "mxv_tile_coo", "mxv_blocked", "mxv_csb"}) {
    for (const MaskKind mask : {MaskKind::structural, MaskKind::valued_complement}) {
      MxvConfiguration masked{"PLUS_SECOND_FP32", "BOOL", "FP32"};
      masked.mask = mask;
      masked.iso_matrix = true;
      agree(with_kernel(masked, tiles));
    }
    MxvConfiguration paths{"MIN_PLUS_INT32", "INT32", "INT16"};
    paths.accumulate = "PLUS_INT32";
    agree(with_kernel(paths, tiles));
    MxvConfiguration wide{"PLUS_MINUS_FP64", "INT8", "UINT8"};
    wide.wide = true;
    wide.vector_first = true;
    agree(with_kernel(wide, tiles));
    MxvConfiguration weighted{"PLUS_TIMES_FP32", "FP32", "FP32"};
    weighted.iso_matrix = true;  // its one value is read for each entry
    agree(with_kernel(weighted, tiles));
    MxvConfiguration reach{"LOR_LAND_BOOL", "FP32", "INT8"};
    agree(with_kernel(reach, tiles));
    MxvConfiguration compare{"LXOR_GT_FP32", "FP32", "BOOL"};
    agree(with_kernel(compare, tiles));
    for (const auto& [semiring, form, iso] :
         {std::tuple("PLUS_PAIR_INT64", Form::full, false), std::tuple("MIN_FIRSTJ_INT32", Form::full, false),
          std::tuple("PLUS_TIMES_FP64", Form::bitmap, false),
          std::tuple("PLUS_TIMES_FP64", Form::full, true)}) {
      MxvConfiguration refused{semiring};
      refused.form = form;
      refused.iso_vector = iso;
      agree(with_kernel(refused, tiles));
    }
  }
}

TEST_CASE("tiles: rows at the borders of every class, and those that go in pieces") {
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_INT64");
  test::Random random(31);
  // Classes of 32, 16, 4 and 1 lanes a row end at 2048 (a piece), 1024, 256 and 64 entries.
  const test::RefMatrix matrix = test::matrix_of_lengths(
      random, s.semiring.add.type(), {4100, 64, 2049, 65, 2048, 0, 1025, 256, 1024, 257, 1, 3000}, 4200);
  const test::RefVector u = test::random_vector(random, s.semiring.add.type(), 4200, 1, false);
  for (const char* kernel :
       {"mxv_tile_composite", "mxv_tile_rectangles", "mxv_tile_coo", "mxv_blocked", "mxv_csb"}) {
    INFO(kernel);
    CHECK(test::run_plain_mxv(s, matrix, u, Form::full, false, kernel) == "");
  }
}

namespace {

formats::CsbParameters csb_parameters(uint32_t most_slots, uint32_t blocks, uint32_t cluster) {
  formats::CsbParameters parameters;
  parameters.most_slots = most_slots;
  parameters.threads = 32;
  parameters.blocks = blocks;
  parameters.cluster = cluster;
  return parameters;
}

/// A product by compressed sparse blocks that are laid out so, of a matrix whose rows have so many entries,
/// is right. What was made.
formats::Csb csb_of_right_product(const std::vector<uint64_t>& lengths, uint64_t columns,
                                  const formats::CsbParameters& parameters) {
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_INT64");
  test::Random random(32);
  const test::RefMatrix matrix = test::matrix_of_lengths(random, s.semiring.add.type(), lengths, columns);
  const test::RefVector u = test::random_vector(random, s.semiring.add.type(), columns, 1, false);
  const formats::DeviceMatrix device = test::to_device(matrix, false, false);
  const auto& made = device.derived(false, formats::Csb::Key{sizeof(int64_t)},
                                    [&](const formats::Csr& rows) { return make_csb(rows, parameters); });
  REQUIRE(made.failure == "");
  const test::Forced forced("mxv_csb");
  CHECK(test::run_plain_mxv(s, matrix, device, u, Form::full, false) == "");
  return made;
}

}  // namespace

TEST_CASE("compressed sparse blocks: bands of many rows, most of them empty, are stored by several blocks") {
  // Threads take a row each, or four.
  const uint64_t one_each = 512 * formats::resident_blocks();
  for (const uint64_t rows : {std::min<uint64_t>(one_each, 40000), one_each + 1000}) {
    std::vector<uint64_t> lengths(rows, 0);
    for (size_t i = 0; i < rows; i += 32) lengths[i] = 30;
    const formats::Csb made = csb_of_right_product(lengths, 500, csb_parameters(300, 17, 0));
    CHECK(made.bands > 1);
    CHECK(made.band_rows > 1024);
    CHECK(made.pieces < csb_many_pieces * made.bands);  // by rows of few pieces
  }
}

TEST_CASE("compressed sparse blocks: sums of many pieces of few rows are added up by warps") {
  const formats::Csb made =
      csb_of_right_product(std::vector<uint64_t>(100, 100), 300, csb_parameters(256, 17, 0));
  CHECK(made.pieces >= csb_many_pieces * made.bands);
}

TEST_CASE("compressed sparse blocks: clusters of every size make the rows of whole bands") {
  std::vector<uint64_t> lengths(1003, 0), few(1003, 0);
  for (size_t i = 0; i < lengths.size(); ++i) lengths[i] = i % 13;
  lengths[3] = lengths[600] = 24;  // several slots
  for (size_t i = 0; i < few.size(); ++i) few[i] = i % 2;
  for (uint32_t cluster = 1; cluster <= runtime::most_cluster_blocks; ++cluster) {
    if (runtime::device().properties().resident_clusters[cluster] == 0) continue;
    for (const uint32_t clusters : {1, 2}) {  // several bands for each
      INFO(clusters << " clusters of " << cluster);
      const formats::CsbParameters parameters =
          csb_parameters(50 + 750 / clusters, clusters * cluster, cluster);
      const formats::Csb made = csb_of_right_product(lengths, 40, parameters);
      CHECK(made.parameters.cluster == cluster);
      CHECK(made.bands > clusters);
    }
    // One band of fewer steps than eight blocks.
    const formats::Csb made = csb_of_right_product(few, 40, csb_parameters(1100, 2 * cluster, cluster));
    CHECK(made.parameters.cluster == cluster);
    CHECK(made.steps() < 8);
  }
}

TEST_CASE(
    "compressed sparse blocks: bands that are too uneven for clusters are stored in pieces by all blocks") {
  std::vector<uint64_t> lengths(1200, 0);
  for (size_t i = 0; i < 300; ++i) lengths[i] = 60;
  formats::CsbParameters parameters = csb_parameters(400, 8, 2);
  for (const uint32_t storing_blocks : {0, 8, 11}) {
    parameters.storing_blocks = storing_blocks;
    const formats::Csb made = csb_of_right_product(lengths, 900, parameters);
    CHECK(made.parameters.cluster == 0);
    CHECK(made.parameters.blocks == std::max(storing_blocks, 8u));
  }
}

TEST_CASE("integer and small types, sparse and iso vectors, iso and wide matrices") {
  MxvConfiguration paths{"MIN_PLUS_INT32", "INT32", "INT32"};
  paths.form = Form::sparse;
  for (const char* kernel :
       {"mxv_row_8", "mxv_merge", "vxm_push", "mxv_ell", "mxv_hyb", "mxv_binned_csr", "mxv_dcsr"})
    agree(with_kernel(paths, kernel));
  MxvConfiguration degrees{"PLUS_PAIR_INT64", "FP32", "FP32"};
  degrees.iso_matrix = degrees.iso_vector = true;
  for (const char* kernel : {"mxv_row_8", "mxv_merge", "vxm_push", "mxv_sell", "mxv_coo", "mxv_hyb"})
    agree(with_kernel(degrees, kernel));
  MxvConfiguration wide{"PLUS_TIMES_INT64", "INT16", "UINT8"};
  wide.wide = true;
  wide.form = Form::bitmap;
  for (const char* kernel : {"mxv_row_4", "mxv_merge", "vxm_push", "mxv_ell", "mxv_sell", "mxv_coo",
                             "mxv_hyb", "mxv_binned_csr", "mxv_dcsr", "mxv_adcsr"})
    agree(with_kernel(wide, kernel));
  MxvConfiguration bytes{"MAX_MIN_UINT8", "UINT8", "UINT8"};
  bytes.form = Form::sparse;
  bytes.iso_vector = true;
  for (const char* kernel : {"mxv_row_8", "vxm_push", "mxv_sell", "mxv_coo"})
    agree(with_kernel(bytes, kernel));
  MxvConfiguration bits{"BOR_BAND_UINT16", "UINT16", "UINT16"};
  bits.form = Form::bitmap;
  for (const char* kernel : {"mxv_merge", "vxm_push"}) agree(with_kernel(bits, kernel));
}

TEST_CASE("the order of multiply's operands, in mxv and vxm, with typecasts") {
  for (const bool vector_first : {false, true}) {
    MxvConfiguration minus{"PLUS_MINUS_FP32", "INT32", "UINT8"};
    minus.vector_first = vector_first;
    minus.form = Form::bitmap;
    for (const char* kernel : {"mxv_row_8", "mxv_merge", "vxm_push", "mxv_sell", "mxv_coo"})
      agree(with_kernel(minus, kernel));
    MxvConfiguration first{"MIN_FIRST_INT64", "FP64", "INT32"};
    first.vector_first = vector_first;
    for (const char* kernel : {"mxv_row_4", "vxm_push"}) agree(with_kernel(first, kernel));
    MxvConfiguration compare{"LXOR_GT_FP32", "FP32", "BOOL"};  // operands and result of different types
    compare.vector_first = vector_first;
    for (const char* kernel : {"mxv_row_8", "vxm_push"}) agree(with_kernel(compare, kernel));
  }
}

TEST_CASE("positional operators see mxm's indices") {
  for (const char* name : test::by_turns(
           {"PLUS_FIRSTI_INT64", "MIN_FIRSTJ1_INT32", "MAX_SECONDI_INT64", "TIMES_SECONDJ1_INT32"})) {
    for (const bool vector_first : {false, true}) {
      MxvConfiguration c{name, "BOOL", "BOOL"};
      c.vector_first = vector_first;
      c.form = Form::bitmap;
      for (const char* kernel : {"mxv_row_8", "mxv_merge", "vxm_push", "mxv_ell", "mxv_coo", "mxv_hyb",
                                 "mxv_binned_csr", "mxv_adcsr"})
        agree(with_kernel(c, kernel));
    }
  }
}

TEST_CASE("rows that end on a tile's border, rows over many tiles, rows at the border of long and short") {
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_INT64");
  const Type& type = Type::of(TypeCode::Int64);
  test::Random random(8);
  // The merge path is cut after 128 steps, and a thread adds the pieces of a row in up to 9 tiles, a warp
  // those in more; lists are cut after 2048 entries, and carries are added 32 tiles at a time; 1024 entries
  // are a short row yet.
  std::vector<std::vector<uint64_t>> cases = {
      {127, 3},   {128, 10}, {129, 5},        {126, 1, 126, 2}, {1100, 1152, 1153, 1300},    {2047, 3},
      {2048, 10}, {2049, 5}, {4096, 1, 2000}, {5, 70000, 4},    {1, 1023, 1024, 1025, 1, 1}, {67600, 1}};
  cases.emplace_back(300, 3);   // 32 rows end in a tile
  cases.emplace_back(700, 2);   // 42: more than one row a lane
  cases.emplace_back(5000, 0);  // tiles of row ends alone
  cases.back().front() = cases.back().back() = 3;
  cases.emplace_back(1500, 1);  // rows over several tiles that do not begin in the first one
  cases.back().insert(cases.back().end(), {5000, 2, 9000, 1});
  for (size_t n = 0; n < cases.size(); ++n) {
    const std::vector<uint64_t>& lengths = cases[n];
    const uint64_t columns = *std::max_element(lengths.begin(), lengths.end()) + 1;
    const test::RefMatrix matrix = test::matrix_of_lengths(random, type, lengths, columns);
    for (const Form form : {Form::full, Form::bitmap}) {
      if (test::structures_only() && (form == Form::bitmap) != (n % 2 == 1)) continue;
      const test::RefVector u =
          test::random_vector(random, type, columns, form == Form::full ? 1 : 0.01, false);
      size_t turn = n;
      for (const char* kernel : {"mxv_merge", "mxv_row_8", "mxv_row_block", "mxv_coo", "mxv_hyb",
                                 "mxv_binned_csr", "mxv_blocked", "mxv_csb", "mxv_dcsr", "mxv_adcsr"}) {
        if (test::races_only() && turn++ % 3 != 0) continue;
        INFO(kernel << ", first row of " << lengths[0] << ", second of " << lengths[1]);
        CHECK(test::run_plain_mxv(s, matrix, u, form, false, kernel) == "");
      }
    }
  }
}

TEST_CASE("a frontier of very many entries with few edges is pushed right") {
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_INT64");
  const Type& type = Type::of(TypeCode::Int64);
  test::Random random(9);
  const test::RefMatrix matrix =
      test::random_matrix(random, type, 12, 6000, test::Spread::uniform, 40, false);
  const test::RefVector u = test::random_vector(random, type, 6000, 0.9, false);
  CHECK(test::run_plain_mxv(s, matrix, u, Form::sparse, true, "vxm_push") == "");
}

TEST_CASE("a frontier of more edges than the grid takes at once is pushed tile after tile") {
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_INT64");
  const Type& type = Type::of(TypeCode::Int64);
  test::Random random(10);
  const uint64_t at_once = formats::resident_blocks() * 1024, rows = at_once / 200;  // 1024 edges a tile
  const test::RefMatrix matrix =
      test::random_matrix(random, type, rows, 300, test::Spread::uniform, 250, false);
  const test::RefVector u = test::random_vector(random, type, rows, 1, false);
  REQUIRE(matrix.entries.size() > at_once);
  CHECK(test::run_plain_mxv(s, test::transposed(matrix), u, Form::sparse, false, "vxm_push") == "");
}

TEST_CASE("the pushed minimum of floats forgets a NaN beside a number and keeps a NaN alone") {
  const Type& fp32 = Type::of(TypeCode::Fp32);
  const auto value = [&](float x) { return bytes_value(fp32, &x); };
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              infinity = std::numeric_limits<float>::infinity();
  test::RefMatrix matrix{fp32, 4, 4, {}};
  for (const auto& [row, column] :
       std::vector<std::pair<uint64_t, uint64_t>>{{0, 0}, {1, 0}, {1, 1}, {1, 2}, {2, 2}}) {
    matrix.entries[{row, column}] = value(1);
  }
  const test::RefVector u{fp32, 4, {{0, value(3)}, {1, value(nan)}, {2, value(infinity)}}};
  for (const auto& [name, second] :
       {std::pair("MIN_SECOND_FP32", infinity), std::pair("MAX_SECOND_FP32", infinity)}) {
    const formats::DeviceMatrix a = test::to_device(test::transposed(matrix), false, false);
    formats::DeviceVector w = formats::DeviceVector::empty(fp32, 4);
    {
      const test::Forced forced("vxm_push");
      operations::mxv({w, {}, std::nullopt, false}, {test::built_in_semiring(name).semiring, a,
                                                     test::to_device(u, Form::sparse, false), false, false});
    }
    const test::RefVector found = test::from_device(w);
    const auto at = [&](uint64_t i) {
      float x;
      std::memcpy(&x, found.entries.at(i).bytes.data(), sizeof x);
      return x;
    };
    INFO(name);
    REQUIRE(found.entries.size() == 3);
    CHECK(at(0) == 3);
    CHECK(at(1) != at(1));
    CHECK(at(2) == second);
  }
}

TEST_CASE("pushed sums of floats are those of two additions, subnormal numbers included") {
  const Type& fp32 = Type::of(TypeCode::Fp32);
  test::Random random(15);
  // Of both signs, from the least subnormal number to where the last bit is far above it, and none.
  const auto draw = [&] {
    if (test::chance(random, 0.05)) return 0.0f;
    const float digits = float(1 + test::below(random, 1 << 24)) * (test::chance(random, 0.5) ? 1 : -1);
    return std::ldexp(digits, -149 + int(test::below(random, 70)) - int(test::below(random, 24)));
  };
  std::vector<std::pair<float, float>> pairs = {{0x1p-101f, -0x1p-101f + 0x1p-125f},
                                                {0x1p-103f, -0x1p-103f + 0x1p-127f},
                                                {0x1p-101f, -0x1.fffffp-127f},
                                                {0x1p-126f, -0x1p-126f + 0x1p-149f},
                                                {0x1p-149f, 0x1p-149f},
                                                {0.0f, 0x1p-140f},
                                                {0x1p-101f, -0x1p-101f},
                                                {0x1p127f, 0x1p127f}};
  for (int n = 0; n < 3000; ++n) pairs.emplace_back(draw(), draw());
  test::RefMatrix matrix{fp32, pairs.size(), 2, {}};
  for (uint64_t i = 0; i < pairs.size(); ++i) {
    matrix.entries[{i, 0}] = bytes_value(fp32, &pairs[i].first);
    matrix.entries[{i, 1}] = bytes_value(fp32, &pairs[i].second);
  }
  const float one = 1;
  const test::RefVector u{fp32, 2, {{0, bytes_value(fp32, &one)}, {1, bytes_value(fp32, &one)}}};
  formats::DeviceVector w = formats::DeviceVector::empty(fp32, pairs.size());
  {
    const test::Forced forced("vxm_push");
    operations::mxv({w, {}, std::nullopt, false}, {test::built_in_semiring("PLUS_TIMES_FP32").semiring,
                                                   test::to_device(matrix, false, false),
                                                   test::to_device(u, Form::sparse, false), false, false});
  }
  const test::RefVector found = test::from_device(w);
  REQUIRE(found.entries.size() == pairs.size());
  uint64_t subnormal = 0, wrong = 0;
  for (uint64_t i = 0; i < pairs.size(); ++i) {
    const float expected = pairs[i].first + pairs[i].second;
    float sum;
    std::memcpy(&sum, found.entries.at(i).bytes.data(), sizeof sum);
    subnormal += std::fpclassify(expected) == FP_SUBNORMAL;
    if (sum == expected) continue;
    UNSCOPED_INFO(pairs[i].first << " + " << pairs[i].second << " is not " << sum);
    ++wrong;
  }
  CHECK(wrong == 0);
  CHECK(subnormal > pairs.size() / 20);
}

TEST_CASE("a long row that the mask excludes gets no entry") {
  const Type& int64 = Type::of(TypeCode::Int64);
  test::Random random(13);
  const formats::DeviceMatrix matrix =
      test::to_device(test::matrix_of_lengths(random, int64, {2000, 2000, 2000, 5}, 2000), false, false);
  const formats::DeviceVector u =
      test::to_device(test::random_vector(random, int64, 2000, 1, false), Form::full, false);
  const int64_t one = 1;
  const test::RefVector allowed{int64, 4, {{1, bytes_value(int64, &one)}}};
  const formats::DeviceVector mask = test::to_device(allowed, Form::bitmap, false);
  formats::DeviceVector w = formats::DeviceVector::empty(int64, 4);
  const test::Forced forced("mxv_row_8");
  operations::mxv({w, {&mask, true, false}, std::nullopt, true},
                  {test::built_in_semiring("PLUS_TIMES_INT64").semiring, matrix, u, false, false});
  const test::RefVector found = test::from_device(w);
  CHECK(found.entries.size() == 1);
  CHECK(found.entries.count(1) == 1);
}

TEST_CASE("accumulators, output types and the free choice of a kernel") {
  MxvConfiguration c{"PLUS_SECOND_FP32", "BOOL", "FP32"};
  c.iso_matrix = true;
  c.accumulate = "PLUS_FP32";
  agree(c);
  c.mask = MaskKind::valued_complement;
  c.form = Form::sparse;
  agree(c);
  c.output_type = "INT32";
  c.accumulate = "MIN_INT32";
  agree(c);
}

namespace {

/// Sums over a struct of 24 bytes: too large for atomics and for the merge kernel.
struct Triple {
  double a, b, c;
};

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
  test::MeantSemiring s;
  s.semiring =
      catalogue::make_semiring(catalogue::make_monoid(add, bytes_value(triple, &zero), std::nullopt), scale);
  const auto triple_of = [](const Value& value) {
    Triple t;
    std::memcpy(&t, value.bytes.data(), sizeof t);
    return t;
  };
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

TEST_CASE("user-defined types and operators; kernels that cannot take them are left aside") {
  const Type triple{TypeCode::User, sizeof(Triple), "triple", "typedef struct { double a, b, c ; } triple ;"};
  const test::MeantSemiring semiring = triple_semiring(triple);
  test::Random random(5);
  const test::RefMatrix matrix =
      test::random_matrix(random, Type::of(TypeCode::Fp64), 50, 60, test::Spread::power_law, 0, false);
  test::RefVector vector{triple, 60, {}};
  for (uint64_t k = 0; k < 60; k += 2) {
    const Triple t{double(k), 1, double(k % 5)};
    vector.entries[k] = bytes_value(triple, &t);
  }
  for (const char* kernel : {"mxv_row_8", "mxv_row_block", "vxm_push", "mxv_merge", "mxv_sell", "mxv_coo",
                             "mxv_binned_csr", "mxv_dcsr"}) {
    INFO(kernel);
    CHECK(test::run_plain_mxv(semiring, matrix, vector, Form::sparse, false, kernel) == "");
  }
}

TEST_CASE("a user-defined operator on built-in types runs on every kind of kernel") {
  const Type& fp32 = Type::of(TypeCode::Fp32);
  const BinaryOp op = catalogue::user_binary_op(
      "weighted", "void weighted (float *z, const float *x, const float *y) { *z = 2 * *x - *y ; }", fp32,
      fp32, fp32);
  test::MeantSemiring s;
  s.semiring = catalogue::make_semiring(catalogue::monoid("PLUS_FP32").value(), op);
  s.add = test::built_in_semiring("PLUS_PLUS_FP32").add;
  s.multiply = [&](const Value& x, const Value& y, uint64_t, uint64_t, uint64_t) {
    float a, b;
    std::memcpy(&a, x.bytes.data(), 4);
    std::memcpy(&b, y.bytes.data(), 4);
    const float z = 2 * a - b;
    return bytes_value(fp32, &z);
  };
  test::Random random(6);
  const test::RefMatrix matrix = test::random_matrix(random, fp32, 70, 40, test::Spread::uniform, 7, false);
  const test::RefVector vector = test::random_vector(random, fp32, 40, 0.5, false);
  for (const char* kernel : {"mxv_row_4", "mxv_merge", "vxm_push"}) {
    INFO(kernel);
    CHECK(test::run_plain_mxv(s, matrix, vector, Form::sparse, true, kernel) == "");
  }
}

TEST_CASE("CUGRB_FORCE takes: the kernel it names is the one that is requested") {
  for (const operations::MxvKernel* kernel : operations::mxv_kernels()) {
    if (kernel->name.rfind("mxv_cusparse", 0) == 0) continue;                            // tests/cusparse
    if (kernel == &operations::mxv_parts || kernel == &operations::vxm_parts) continue;  // mxv_parts_test.cpp
    const size_t before = jit::requests_so_far().size();
    test::Random random(2);
    const MxvConfiguration configuration = with_kernel({"TIMES_PLUS_FP32", "FP32", "FP32"}, kernel->name);
    CHECK(test::run_mxv(configuration, test::built_in_semiring(configuration.semiring), test::mxv_shapes()[0],
                        random) == "");
    const bool is_list = kernel == &operations::mxv_hyb || kernel == &operations::mxv_tile_coo;
    const bool by_lanes = kernel->name.rfind("mxv_row_", 0) == 0 && kernel != &operations::mxv_row_block;
    const std::string device_name = is_list ? "mxv_coo" : by_lanes ? "mxv_rows" : kernel->name;
    INFO(kernel->name);
    const bool whole_bands = kernel == &operations::mxv_csb && was_requested("mxv_csb_bands<", before);
    CHECK((whole_bands || was_requested(device_name + "<", before)));
  }
}

TEST_CASE("an operand may share the output's memory") {
  const test::MeantSemiring s = test::built_in_semiring("MIN_PLUS_INT32");
  const Type& type = Type::of(TypeCode::Int32);
  for (const char* kernel : {"mxv_row_8", "vxm_push"}) {
    test::Random random(11);
    const test::RefMatrix a = test::random_matrix(random, type, 64, 64, test::Spread::uniform, 5, false);
    const test::RefVector u = test::random_vector(random, type, 64, 0.5, false);
    const formats::DeviceMatrix matrix = test::to_device(a, false, false);
    formats::DeviceVector w = test::to_device(u, Form::bitmap, false);
    {
      const test::Forced forced(kernel);
      operations::mxv({w, {&w, true, true}, std::nullopt, true}, {s.semiring, matrix, w, false, false});
    }
    test::RefVector t{type, 64, {}};
    for (const auto& [i, values] : test::terms_of(a, u, false, s.multiply)) {
      t.entries[i] = values[0];
      for (const Value& value : values) t.entries[i] = s.add(t.entries[i], value);
    }
    INFO(kernel);
    CHECK(test::difference(test::ref_write_back(u, {&u, true, true}, std::nullopt, true, t),
                           test::from_device(w)) == "");
  }
}

TEST_CASE("what a push of a full vector waits for is known before anything is transposed") {
  const test::MeantSemiring s = test::built_in_semiring("PLUS_SECOND_INT16");
  const Type& type = Type::of(TypeCode::Int16);
  constexpr uint64_t n = 20000;
  const int16_t one = 1;
  const formats::DeviceVector u = formats::DeviceVector::full_of(type, n, &one);
  const auto predicted_push = [&](uint64_t targets) {
    test::RefMatrix links{type, n, n, {}};  // an entry a row, in so many columns
    for (uint64_t i = 0; i < n; ++i) links.entries[{i, i % targets}] = test::make_value(type, 1);
    const formats::DeviceMatrix matrix = test::to_device(links, false, false);
    const selector::Decision decision = operations::decide_mxv(
        {s.semiring, matrix, u, /*transpose_matrix=*/true, false}, selector::Hardware(), nullptr);
    CHECK_FALSE(matrix.has_rows(true));
    for (const selector::Candidate& c : decision.candidates)
      if (c.kernel == &operations::vxm_push) return c.predicted_seconds;
    return 0.0;
  };
  CHECK(predicted_push(1) > 20 * predicted_push(n));
}

TEST_CASE("with CUGRB_DETERMINISTIC sums of floating-point numbers are not pushed") {
  Settings changed = settings();
  changed.deterministic = true;
  changed.force = "vxm_push";
  const Settings before = settings();
  override_settings(changed);
  const size_t requests = jit::requests_so_far().size();
  const test::MeantSemiring s = test::built_in_semiring("PLUS_SECOND_FP64");
  test::Random random(3);
  const Type& type = Type::of(TypeCode::Fp64);
  const test::RefMatrix a = test::random_matrix(random, type, 30, 30, test::Spread::uniform, 5, false);
  const formats::DeviceMatrix matrix = test::to_device(a, false, false);
  const formats::DeviceVector u =
      test::to_device(test::random_vector(random, type, 30, 0.2, false), Form::sparse, false);
  formats::DeviceVector w = formats::DeviceVector::empty(type, 30);
  operations::mxv({w, {}, std::nullopt, false}, {s.semiring, matrix, u, false, true});
  override_settings(before);
  CHECK_FALSE(was_requested("vxm_push", requests));
}
