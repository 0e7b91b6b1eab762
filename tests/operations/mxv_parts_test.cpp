// Products with matrices whose rows are dealt to several devices, and the dealing itself.
#include "cuda/runtime/injection.h"
#include "src/formats/host_copy.h"
#include "src/formats/row_parts.h"
#include "src/operations/multiply/registry.h"
#include "src/support/trace.h"
#include "tests/catch.h"
#include "tests/formats/format_cases.h"
#include "tests/gpu_compile.h"
#include "tests/operations/agree.h"
#include "tests/operations/breadth.h"
#include "tests/operations/mxv_cases.h"
#include "tests/operations/several_devices.h"

using namespace cugrb;
using formats::Csr;
using formats::RowDealing;
using formats::RowParts;
using test::MaskKind;
using test::MxvConfiguration;
using test::RefMatrix;

namespace {

void agree(MxvConfiguration configuration, const char* kernel = "mxv_parts") {
  configuration.kernel = kernel;
  test::agree_on_all(configuration, test::mxv_shapes(), test::run_mxv);
}

/// So many devices, the process's again and again.
std::vector<runtime::Device*> devices(size_t count) {
  std::vector<runtime::Device*> all;
  for (size_t n = 0; n < count; ++n) all.push_back(runtime::devices()[n % runtime::devices().size()]);
  return all;
}

struct DrawnDealing {
  size_t devices;
  uint64_t block_rows;
  bool lists_columns, lists_home_columns;
};
std::vector<DrawnDealing> dealings() {
  return {{1, 1, true, false}, {2, 1, true, true},   {3, 4, true, true},
          {7, 1, false, true}, {2, 32, true, false}, {1, 1, true, true}};
}

/// The part's entries have the values that they have in the whole.
void check_values(const formats::RowPart& part, formats::Width column_width, const RefMatrix& matrix) {
  const auto rows = part.rows.to_host<uint32_t>(part.matrix.rows);
  const auto columns = part.columns ? formats::widened(part.columns, column_width, part.matrix.columns)
                                    : std::vector<uint64_t>();
  for (const auto& [place, value] : test::from_device(part.matrix.stored).entries) {
    const uint64_t column = part.columns ? columns[place.second] : place.second;
    CHECK(test::same_value(value, matrix.entries.at({rows[place.first], column})));
  }
}

}  // namespace

// PVLDB 4(4), section 3.2. Sorted: rows 1 (9 entries), 6 (8), 3 (7), 4 (5), 2 (3), 5 (2), 0 (1). The first of
// two parts gets row 1 of the first round, row 4, the shorter, of the second, rows 2 and 0 of the others'
// beginnings.
TEST_CASE("rows are dealt in rounds: who got the longest of a round gets the shortest of the next") {
  test::Random random(51);
  const RefMatrix matrix =
      test::matrix_of_lengths(random, Type::of(TypeCode::Int32), {1, 9, 3, 7, 5, 2, 8}, 9);
  const Csr csr = test::csr_to_device(matrix, false, false);
  const RowParts dealt = formats::make_row_parts(csr, devices(2), RowDealing::even(2));
  REQUIRE(formats::check(dealt, csr) == "");
  CHECK(dealt.parts[0].rows.to_host<uint32_t>(3) == std::vector<uint32_t>{1, 2, 4});
  CHECK(dealt.parts[1].rows.to_host<uint32_t>(4) == std::vector<uint32_t>{0, 3, 5, 6});
  CHECK(dealt.parts[0].matrix.nvals() == 9 + 3 + 5);
  CHECK(dealt.parts[1].matrix.nvals() == 1 + 7 + 2 + 8);
}

TEST_CASE("each part of a band is one block, of another matrix it is not") {
  test::Random random(55);
  const Type& type = Type::of(TypeCode::Int8);
  constexpr uint64_t n = 3000;
  for (const size_t count : {2, 3, 4}) {
    const RefMatrix band = test::random_matrix(random, type, n, n, test::Spread::band, 5, false),
                    scrambled = test::random_matrix(random, type, n, n, test::Spread::uniform, 8, false),
                    wide = test::random_matrix(random, type, n, n - 100, test::Spread::band, 5, false);
    RefMatrix uneven = test::random_matrix(random, type, n, n, test::Spread::band, 5, false);
    uneven.entries.erase(uneven.entries.begin(), uneven.entries.lower_bound({n / 3, 0}));
    const auto dealt_by = [&](const RefMatrix& matrix) {
      const Csr csr = test::csr_to_device(matrix, false, false);
      const RowParts dealt = formats::make_row_parts(csr, devices(count), RowDealing::even(count));
      CHECK(formats::check(dealt, csr) == "");
      return dealt;
    };
    const RowParts dealt = dealt_by(band);
    REQUIRE(dealt.block_rows == (n + count - 1) / count);
    CHECK(dealt.imbalance() < 1.02);
    for (const formats::RowPart& part : dealt.parts) {
      const std::vector<uint32_t> rows = part.rows.to_host<uint32_t>(part.with_entries);
      CHECK(rows.back() - rows.front() < dealt.block_rows);
    }
    for (const RefMatrix& other : {scrambled, wide, uneven}) CHECK(dealt_by(other).block_rows == 1);
  }
}

TEST_CASE("dealt rows hold what the CSR holds, for every shape, width, iso-ness and size of value") {
  test::for_every_matrix(52, [&](const RefMatrix& matrix, const Csr& csr, const std::string& text) {
    for (const auto& [count, block_rows, lists_columns, lists_home_columns] : dealings()) {
      INFO(text << " on " << count << " in blocks of " << block_rows);
      RowDealing dealing = RowDealing::even(count);
      dealing.block_rows = block_rows;
      dealing.lists_columns = lists_columns;
      dealing.lists_home_columns = lists_home_columns;
      const RowParts dealt = formats::make_row_parts(csr, devices(count), dealing);
      REQUIRE(formats::check(dealt, csr) == "");
      CHECK(dealt.entries() == matrix.entries.size());
      for (const formats::RowPart& part : dealt.parts) {
        CHECK(part.matrix.rows <= (matrix.rows / block_rows / count + 1) * block_rows);
        CHECK(&part.matrix.stored.offsets.device() == part.device);
        check_values(part, csr.column_width, matrix);
        const bool may_list = lists_columns && (lists_home_columns || part.device != &runtime::device());
        if (!may_list) CHECK_FALSE(part.columns);
      }
    }
  });
}

TEST_CASE("a product in parts: semirings, types, forms, iso operands, both orders, accumulators") {
  agree({"PLUS_TIMES_FP64"});
  MxvConfiguration bitmap{"MIN_PLUS_INT32", "INT32", "INT16"};
  bitmap.form = Form::bitmap;
  bitmap.accumulate = "PLUS_INT32";
  agree(bitmap);
  MxvConfiguration iso{"PLUS_SECOND_FP32", "BOOL", "FP32"};
  iso.iso_matrix = true;
  agree(iso);
  MxvConfiguration first{"MINUS_RMINUS_INT8", "INT8", "INT8"};
  first.semiring = "PLUS_MINUS_INT64";
  first.matrix_type = first.vector_type = "INT64";
  first.vector_first = true;
  first.wide = true;
  agree(first);
  MxvConfiguration reach{"LOR_LAND_BOOL", "FP32", "INT8"};
  reach.form = Form::bitmap;
  reach.iso_vector = true;
  agree(reach);
}

TEST_CASE("a product in parts: every kind of mask, of every vector") {
  for (const MaskKind mask : {MaskKind::structural, MaskKind::structural_complement, MaskKind::valued,
                              MaskKind::valued_complement}) {
    MxvConfiguration masked{"PLUS_TIMES_INT64", "INT64", "INT64"};
    masked.mask = mask;
    masked.form = mask == MaskKind::structural ? Form::full : Form::bitmap;
    agree(masked);
  }
  MxvConfiguration search{"ANY_PAIR_BOOL", "FP64", "BOOL"};
  search.mask = MaskKind::structural_complement;
  search.form = Form::sparse;
  agree(search);
}

TEST_CASE("a product in parts: sparse vectors, values that nobody reads, indices of the sum") {
  MxvConfiguration sparse{"PLUS_TIMES_FP64"};
  sparse.form = Form::sparse;
  agree(sparse);
  MxvConfiguration pairs{"PLUS_PAIR_INT32", "INT32", "INT32"};
  pairs.form = Form::full;
  agree(pairs);
  for (const char* semiring :
       test::by_turns({"MIN_SECONDI_INT32", "MAX_FIRSTJ1_INT64", "MIN_SECONDI1_INT64"})) {
    MxvConfiguration indices{semiring, "INT32", "INT32"};
    indices.form = semiring[4] == 'F' ? Form::full : Form::bitmap;
    agree(indices);
    indices.vector_first = true;
    indices.form = Form::sparse;
    indices.mask = MaskKind::valued_complement;
    agree(indices);
  }
}

TEST_CASE("CUGRB_FORCE names the kernel of the parts, too") {
  using operations::can_be_forced;
  CHECK(can_be_forced("mxv_parts"));
  CHECK(can_be_forced("mxv_parts:mxv_csb"));
  CHECK(can_be_forced("vxm_parts:mxv_row_warp"));
  for (const char* wrong :
       {"mxv_parts:", "mxv_parts:mxm_sort", "mxv_csb:mxv_csb", "mxm_parts:mxm_sort", ":mxv_csb", "none"})
    CHECK_FALSE(can_be_forced(wrong));
  const test::Forced forced("mxv_parts:mxv_row_warp");
  CHECK(operations::forced_kernel() == &operations::mxv_parts);
  CHECK(operations::forced_kernel(true) == operations::find_kernel("mxv_row_warp"));
  agree({"PLUS_TIMES_FP64"}, "mxv_parts:mxv_row_warp");
}

TEST_CASE("what asks for the row of T is done on one device") {
  MxvConfiguration first{"MIN_FIRSTI_INT32", "INT32", "INT32"};
  agree(first);
  MxvConfiguration second{"MIN_SECONDJ_INT64", "INT32", "INT32"};
  second.vector_first = true;
  agree(second);
}

TEST_CASE("a push in parts: semirings, types, forms, iso operands, both orders, accumulators, masks") {
  for (const Form form : {Form::full, Form::bitmap, Form::sparse}) {
    MxvConfiguration sums{"PLUS_TIMES_INT64", "INT64", "INT32"};
    sums.form = form;
    sums.vector_first = form == Form::sparse;
    sums.accumulate = "PLUS_INT64";
    agree(sums, "vxm_parts");
  }
  MxvConfiguration iso{"PLUS_SECOND_FP32", "BOOL", "FP32"};
  iso.iso_matrix = iso.iso_vector = true;
  agree(iso, "vxm_parts");
  for (const MaskKind mask : {MaskKind::structural, MaskKind::structural_complement, MaskKind::valued,
                              MaskKind::valued_complement}) {
    MxvConfiguration masked{mask == MaskKind::valued ? "ANY_PAIR_BOOL" : "MIN_PLUS_FP64"};
    masked.mask = mask;
    masked.form = Form::sparse;
    agree(masked, "vxm_parts");
  }
  // The column is another one in a part: one device does it.
  agree({"MIN_SECONDI_INT32", "INT32", "INT32"}, "vxm_parts");
}

TEST_CASE("a push in parts that is chosen deals the columns once") {
  if (runtime::devices().size() < 2) return;
  test::Random random(61);
  const Type& type = Type::of(TypeCode::Int64);
  const formats::DeviceMatrix a = test::to_device(
      test::random_matrix(random, type, 90, 80, test::Spread::power_law, 5, false), true, false);
  const formats::DeviceVector u =
      test::to_device(test::random_vector(random, type, 80, 0.2, false), Form::sparse, false);
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_INT64");
  formats::DeviceVector w = formats::DeviceVector::empty(type, 90);
  const test::Forced forced("vxm_parts");
  const auto multiply = [&] {
    operations::mxv({w, {}, std::nullopt, false}, {s.semiring, a, u, false, false, runtime::devices()});
    return trace::totals().bytes_between;
  };
  const uint64_t before = trace::totals().bytes_between, first = multiply() - before,
                 second = multiply() - before - first;
  REQUIRE(a.find_derived(true, RowParts::Key{false}) != nullptr);
  CHECK(second > 0);
  CHECK(second < first);
}

TEST_CASE("unequal shares have unequally many turns, spread over the round") {
  const RowPartTurns equal = formats::turns_of(std::vector<double>{0.5, 0.5});
  CHECK(equal.count == 2);
  CHECK((equal.owners[0] == 0 && equal.owners[1] == 1));
  const RowPartTurns turns = formats::turns_of(std::vector<double>{0.75, 0.25, 0});
  CHECK(turns.count == RowPartTurns::most);
  int of_first = 0, of_second = 0;
  for (uint32_t turn = 0; turn < turns.count; ++turn) {
    of_first += turns.owners[turn] == 0;
    of_second += turns.owners[turn] == 1;
    if (turn % 4 == 3) CHECK(of_second == int(turn + 1) / 4);
  }
  CHECK(of_first == 48);
  CHECK(of_second == 16);
}

TEST_CASE("a device without a share has no rows, and the product is right") {
  test::Random random(55);
  const Type& type = Type::of(TypeCode::Int64);
  const RefMatrix matrix = test::random_matrix(random, type, 5000, 300, test::Spread::power_law, 6, false);
  const Csr csr = test::csr_to_device(matrix, false, false);
  for (const std::vector<double>& shares :
       {std::vector<double>{0.7, 0.3, 0}, std::vector<double>{0, 0.5, 0.5}}) {
    const RowParts dealt = formats::make_row_parts(csr, devices(3), {shares});
    REQUIRE(formats::check(dealt, csr) == "");
    for (size_t p = 0; p < shares.size(); ++p) {
      CHECK((dealt.parts[p].matrix.rows == 0) == (shares[p] == 0));
      CHECK(std::abs(double(dealt.parts[p].matrix.nvals()) / double(csr.entries) - shares[p]) < 0.04);
    }
    CHECK(dealt.imbalance() < 1.1);
    CHECK(dealt.text().find("rows, imbalance 1.") != std::string::npos);
  }
}

TEST_CASE("the kernel is there where there are several devices, and says why where it is not") {
  test::Random random(53);
  const RefMatrix matrix =
      test::random_matrix(random, Type::of(TypeCode::Fp64), 100, 80, test::Spread::power_law, 4, false);
  const formats::DeviceMatrix a = test::to_device(matrix, false, false);
  const formats::DeviceVector u =
      test::to_device(test::random_vector(random, Type::of(TypeCode::Fp64), 80, 1, false), Form::full, false);
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_FP64");
  formats::DeviceVector w = formats::DeviceVector::empty(Type::of(TypeCode::Fp64), 100);
  const test::Forced forced("mxv_parts");
  operations::mxv({w, {}, std::nullopt, false}, {s.semiring, a, u, false, false, runtime::devices()});
  const RowParts* dealt = a.find_derived(false, RowParts::Key{true});
  CHECK((dealt != nullptr) == (runtime::devices().size() > 1));
  if (dealt == nullptr) return;
  CHECK(dealt->parts.size() == runtime::devices().size());
  CHECK(a.bytes() > dealt->bytes());
  a.drop_caches();
  CHECK(a.find_derived(false, RowParts::Key{true}) == nullptr);
}

TEST_CASE("what deals, gathers and places compiles for GPUs") {
  if (runtime::devices().size() < 2) return;  // nothing is dealt to one device
  MxvConfiguration masked{"PLUS_TIMES_FP64"};
  masked.mask = MaskKind::valued_complement;
  masked.form = Form::bitmap;
  MxvConfiguration indices{"MIN_SECONDI1_INT32", "INT32", "INT32"};
  for (MxvConfiguration configuration : {masked, indices}) {
    configuration.kernel = "mxv_parts";
    test::Random random(60);
    for (const size_t shape : {0, 5})
      REQUIRE(test::run_mxv(configuration, test::built_in_semiring(configuration.semiring),
                            test::mxv_shapes()[shape], random) == "");
  }
  size_t compiled = 0;
  for (const jit::Request& request : jit::requests_so_far()) {
    if (request.header != "row_parts.h") continue;
    INFO(request.name);
    const auto result = test::compiled_for_gpu(request, "sm_90");
    if (!result) return;
    CHECK_FALSE(result->image.empty());
    ++compiled;
  }
  CHECK(compiled >= 6);
}

TEST_CASE("a product in parts that fails at its n-th allocation or launch changes nothing") {
  test::Random random(54);
  const Type& type = Type::of(TypeCode::Int64);
  const RefMatrix matrix = test::random_matrix(random, type, 90, 70, test::Spread::uniform, 5, false);
  const test::RefVector operand = test::random_vector(random, type, 70, 1, false);
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_INT64");
  const test::Forced forced("mxv_parts");
  const auto attempt = [&](const std::string& injection) {
    const formats::DeviceMatrix a = test::to_device(matrix, false, false);
    const formats::DeviceVector u = test::to_device(operand, Form::full, false);
    const test::RefVector before = test::random_vector(random, type, 90, 0.5, false);
    formats::DeviceVector w = test::to_device(before, Form::bitmap, false);
    runtime::injection::reset(injection);
    bool failed = false;
    try {
      operations::mxv({w, {}, std::nullopt, false}, {s.semiring, a, u, false, false, runtime::devices()});
    } catch (const std::exception&) {
      failed = true;
    }
    runtime::injection::reset("");
    if (failed) CHECK(test::difference(before, test::from_device(w)) == "");
    return failed;
  };
  attempt("");
  unsigned failures = 0;
  for (const char* point : {"allocation:", "launch:"}) {
    unsigned at = 1;
    while (at < 200 && attempt(point + std::to_string(at))) ++at, ++failures;
    CHECK(at < 200);
  }
  CHECK(failures > 5);
}
