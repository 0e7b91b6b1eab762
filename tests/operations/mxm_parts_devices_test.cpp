// Matrix products whose left factor's rows are dealt to several devices.
#include "cuda/runtime/injection.h"
#include "src/formats/row_parts.h"
#include "src/operations/multiply/mxm/parts/right_factor.h"
#include "src/support/trace.h"
#include "tests/catch.h"
#include "tests/operations/agree.h"
#include "tests/operations/breadth.h"
#include "tests/operations/mxm_cases.h"
#include "tests/operations/several_devices.h"

using namespace cugrb;
using test::MaskKind;
using test::MxmConfiguration;

namespace {

void agree(MxmConfiguration configuration) {
  configuration.kernel = "mxm_parts";
  test::agree_on_all(configuration, test::mxm_shapes(), test::run_mxm);
}

}  // namespace

TEST_CASE("a matrix product in parts: semirings, types, iso factors, both widths, accumulators") {
  agree({"PLUS_TIMES_FP64"});
  MxmConfiguration least{"MIN_PLUS_INT32", "INT32", "INT16"};
  least.accumulate = "PLUS_INT32";
  agree(least);
  MxmConfiguration iso{"PLUS_SECOND_FP32", "BOOL", "FP32"};
  iso.iso_a = iso.iso_b = true;
  agree(iso);
  MxmConfiguration order{"PLUS_MINUS_INT64", "INT64", "INT64"};
  order.wide = true;
  agree(order);
}

TEST_CASE("a matrix product in parts: every kind of mask") {
  for (const MaskKind mask : {MaskKind::structural, MaskKind::structural_complement, MaskKind::valued,
                              MaskKind::valued_complement}) {
    MxmConfiguration masked{"PLUS_TIMES_INT64", "INT64", "INT64"};
    masked.mask = mask;
    agree(masked);
  }
}

// Scaling looks at no mask: that is left to the write-back.
TEST_CASE("a part that a kernel without a mask makes has no entry that the mask forbids") {
  test::Random random(58);
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_INT64");
  test::RefMatrix diagonal{Type::of(TypeCode::Int64), 40, 40, {}};
  for (uint64_t i = 0; i < 40; ++i) diagonal.entries[{i, i}] = test::random_value(random, diagonal.type);
  const test::RefMatrix right =
      test::random_matrix(random, diagonal.type, 40, 40, test::Spread::uniform, 6, false);
  const test::RefMatrix mask =
      test::random_matrix(random, diagonal.type, 40, 40, test::Spread::uniform, 6, false);
  for (const test::RefMatrix* by : {static_cast<const test::RefMatrix*>(nullptr), &mask})
    CHECK(test::run_plain_mxm(s, diagonal, right, by, "mxm_parts") == "");
}

TEST_CASE("indices of the sum and columns are the same in a part; rows are not, and one device does it") {
  for (const char* semiring :
       test::by_turns({"MIN_FIRSTJ_INT64", "MAX_SECONDI1_INT32", "MIN_SECONDJ_INT64", "MIN_FIRSTI_INT32"}))
    agree({semiring, "INT32", "INT32"});
}

TEST_CASE("both factors stay dealt and copied for the next product, and go with the matrix's caches") {
  test::Random random(56);
  const Type& type = Type::of(TypeCode::Int64);
  const formats::DeviceMatrix a = test::to_device(
      test::random_matrix(random, type, 90, 90, test::Spread::power_law, 5, false), false, false);
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_INT64");
  const size_t before = a.bytes();
  formats::DeviceMatrix c = formats::matrix_by(formats::empty_csr(type, 90, 90), false);
  const test::Forced forced("mxm_parts");
  operations::mxm({c, {}, std::nullopt, false}, {s.semiring, a, a, false, false, runtime::devices()});
  const auto* dealt = a.find_derived(false, formats::RowParts::Key{false});
  CHECK((dealt != nullptr) == (runtime::devices().size() > 1));
  if (dealt == nullptr) return;
  // Rows with entries once more, and the whole once for each other device.
  CHECK(a.bytes() > before + (runtime::devices().size() - 1) * before);
  a.drop_caches();
  CHECK(a.bytes() == before);
}

namespace {

/// A T of few entries, and less memory than half of the right factor.
const test::MxmShape tall_shape{12,
                                600,
                                20,
                                test::Spread::uniform,
                                test::Spread::uniform,
                                12,
                                0.3,
                                0.2,
                                false,
                                false,
                                false,
                                false,
                                false,
                                false,
                                false};
constexpr uint64_t little_memory = 24000;

/// What the trace said of the product.
std::string product_in_pieces(const MxmConfiguration& configuration, const test::MxmShape& shape) {
  test::Random random(59);
  trace::keep_records(true);
  std::string reason;
  {
    const trace::Scope scope("GrB_mxm");
    const test::Limited limited(little_memory);
    CHECK(test::run_mxm(configuration, test::built_in_semiring(configuration.semiring), shape, random) == "");
    reason = trace::current().reason;
  }
  trace::keep_records(false);
  return reason;
}

}  // namespace

TEST_CASE("a right factor for which other devices have no room comes in pieces: every order, mask and iso") {
  if (runtime::devices().size() < 2) return;
  std::vector<MxmConfiguration> configurations;
  for (const char* semiring : test::by_turns({"PLUS_TIMES_INT64", "MIN_FIRSTJ_INT64", "ANY_SECOND_INT32",
                                              "MAX_SECONDI1_INT32", "PLUS_PAIR_INT32"}))
    configurations.push_back({semiring, "INT32", "INT32"});
  for (const MaskKind mask : {MaskKind::structural, MaskKind::valued_complement}) {
    configurations.push_back({"PLUS_TIMES_INT64", "INT64", "INT64"});
    configurations.back().mask = mask;
  }
  configurations.push_back({"PLUS_SECOND_FP32", "BOOL", "FP32"});
  configurations.back().iso_a = configurations.back().iso_b = true;
  configurations.push_back({"PLUS_MINUS_INT64", "INT64", "INT64"});
  configurations.back().wide = true;
  for (MxmConfiguration& configuration : configurations) {
    configuration.kernel = "mxm_parts";
    for (const bool by_column : {false, true}) {
      test::MxmShape shape = tall_shape;
      if (by_column) {  // T' = B'A' has A for its right factor
        std::swap(shape.rows, shape.columns);
        shape.transpose_a = shape.transpose_b = shape.c_by_column = true;
      }
      INFO(configuration.text() << (by_column ? ", by columns" : ""));
      const std::string reason = product_in_pieces(configuration, shape);
      INFO(reason);
      CHECK(reason.find("the right factor came in ") != std::string::npos);
    }
  }
}

TEST_CASE("pieces of a factor have all of its entries, each once, and about as many each") {
  test::Random random(60);
  const test::RefMatrix matrix =
      test::random_matrix(random, Type::of(TypeCode::Int64), 200, 30, test::Spread::power_law, 9, false);
  const formats::DeviceMatrix b = test::to_device(matrix, false, false);
  const formats::DeviceMatrix a = test::to_device(
      test::random_matrix(random, Type::of(TypeCode::Int64), 9, 200, test::Spread::uniform, 3, false), false,
      false);
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_INT64");
  const operations::MatrixMatrix call{s.semiring, a, b};
  const operations::PreparedMatrixMask no_mask;
  const operations::MatrixMatrixRun run{call, no_mask};
  const operations::RightPieces pieces(run);
  for (const uint64_t count : {1, 2, 5, 200, 1000}) {
    test::RefMatrix found{matrix.type, matrix.rows, matrix.columns, {}};
    uint64_t begin = 0;
    for (const formats::Range& rows : pieces.cut(count)) {
      CHECK(rows.first == begin);
      begin = rows.last;
      const test::RefMatrix piece = test::read_back(pieces.piece(rows));
      // The longest row has less than a tenth of the entries.
      CHECK((count > 5 || piece.entries.size() < matrix.entries.size() / count + matrix.entries.size() / 5));
      for (const auto& [place, value] : piece.entries) {
        CHECK((place.first >= rows.first && place.first < rows.last));
        CHECK(found.entries.emplace(place, value).second);
      }
    }
    CHECK(begin == matrix.rows);
    CHECK(test::difference(test::flattened(matrix), test::flattened(found)) == "");
  }
}

TEST_CASE("a matrix product in parts that fails at its n-th allocation or launch changes nothing") {
  test::Random random(57);
  const Type& type = Type::of(TypeCode::Int64);
  const bool in_pieces = GENERATE(false, true);
  const uint64_t rows = in_pieces ? tall_shape.rows : 60, inner = in_pieces ? tall_shape.inner : 60,
                 columns = in_pieces ? tall_shape.columns : 60;
  const auto drawn = [&](uint64_t height, uint64_t width, double degree) {
    return test::random_matrix(random, type, height, width, test::Spread::uniform, degree, false);
  };
  const test::RefMatrix left = drawn(rows, inner, 5), right = drawn(inner, columns, in_pieces ? 12 : 5),
                        old = drawn(rows, columns, 3);
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_INT64");
  const test::Forced forced("mxm_parts");
  const test::Limited limited(in_pieces ? little_memory : 0);
  const auto attempt = [&](const std::string& injection) {
    const formats::DeviceMatrix a = test::to_device(left, false, false),
                                b = test::to_device(right, false, false);
    formats::DeviceMatrix c = test::to_device(old, false, false);
    runtime::injection::reset(injection);
    bool failed = false;
    try {
      operations::mxm({c, {}, std::nullopt, false}, {s.semiring, a, b, false, false, runtime::devices()});
    } catch (const std::exception&) {
      failed = true;
    }
    runtime::injection::reset("");
    return std::pair(failed, test::flattened(test::read_back(c)));
  };
  const auto [none, product] = attempt("");
  CHECK_FALSE(none);
  for (const unsigned at : {1u, 2u, 5u, 12u, 30u, 60u, 120u, 240u}) {
    for (const char* what : {"allocation:", "launch:"}) {
      INFO(what << at);
      const auto [failed, found] = attempt(what + std::to_string(at));
      CHECK(test::difference(failed ? test::flattened(old) : product, found) == "");
    }
  }
}
