// Searches: a level is one launch, which does what the level before has put off, multiplies, and counts. What
// comes out is what separate calls compute.
#include <algorithm>
#include <functional>
#include <vector>

#include "src/operations/matrix_operations.h"
#include "src/operations/operations.h"
#include "src/support/settings.h"
#include "tests/catch.h"
#include "tests/gpu_compile.h"
#include "tests/operations/breadth.h"
#include "tests/operations/launches.h"
#include "tests/operations/mxv_cases.h"

using namespace cugrb;
using formats::DeviceMatrix;
using formats::DeviceVector;
using operations::VectorOutput;
using test::launches;
using test::Random;
using test::settle;

namespace {

const Type& int32 = Type::of(TypeCode::Int32);
const Type& fp32 = Type::of(TypeCode::Fp32);

void with_joining(JoinPolicy policy, const std::function<void()>& work) {
  const SettingsGuard guard;
  Settings s = settings();
  s.join = policy;
  override_settings(s);
  work();
  settle();
}

/// A graph without direction whose vertex 0 has more neighbours than a row that lanes share.
test::RefMatrix graph_with_hub(uint64_t n, uint64_t neighbours_of_hub) {
  Random random(41);
  test::RefMatrix a = test::random_matrix(random, fp32, n, n, test::Spread::uniform, 1.2, false);
  const Value one = test::make_value(fp32, 1);
  for (uint64_t k = 1; k <= neighbours_of_hub; ++k) a.entries[{0, n - k}] = one;
  test::RefMatrix both = a;
  for (const auto& [place, value] : a.entries) both.entries[{place.second, place.first}] = value;
  return both;
}

/// A vector with one entry, a bitmap.
DeviceVector one_entry(uint64_t length, uint64_t at, double value) {
  test::RefVector vector;
  vector.type = int32;
  vector.length = length;
  vector.entries[at] = test::make_value(int32, value);
  return test::to_device(vector, Form::bitmap, false);
}

struct Search {
  test::RefVector parents;
  std::vector<uint64_t> found;  ///< by level
  unsigned most_launches = 0;   ///< of a level behind the second
};

/// Parents by q<!pi, replace> = A q with MIN_SECONDI, pi<q> = q, as LAGraph has it.
Search search(const DeviceMatrix& graph, uint64_t from) {
  const uint64_t n = graph.rows;
  const Semiring semiring = test::built_in_semiring("MIN_SECONDI_INT32").semiring;
  Search result;
  DeviceVector pi = one_entry(n, from, double(from)), q = pi;
  pi.values = pi.values.clone();  // what is written in place is nobody else's
  pi.present = pi.present.clone();
  for (int level = 0; level < 1000; ++level) {
    const unsigned made = launches([&] {
      const DeviceVector u = q;
      operations::mxv({q, {&pi, true, true}, std::nullopt, true}, {semiring, graph, u});
      result.found.push_back(q.nvals());
      operations::assign({pi, {&q, true, false}, std::nullopt, false}, q, {});
    });
    if (result.found.back() == 0) break;
    if (level > 1) result.most_launches = std::max(result.most_launches, made);
  }
  result.parents = test::from_device(pi);
  return result;
}

}  // namespace

TEST_CASE("a search's level is one launch with its product and its count, rows of any length") {
  const uint64_t n = 1500;
  const test::RefMatrix edges = graph_with_hub(n, formats::longest_short_row + 76);
  for (const char* kernel : {"mxv_row_thread", "mxv_row_4", "mxv_row_warp"}) {
    INFO(kernel);
    const test::Forced forced(kernel);
    const DeviceMatrix graph = test::to_device(edges, false, false);
    Search joined, apart;
    with_joining(JoinPolicy::never, [&] { apart = search(graph, 7); });
    for (int turn = 0; turn < 2; ++turn) {
      with_joining(JoinPolicy::automatic, [&] { joined = search(graph, 7); });
      CHECK(test::difference(joined.parents, apart.parents) == "");
      CHECK(joined.found == apart.found);
    }
    REQUIRE(joined.found.size() > 4);
    CHECK(joined.most_launches == 1);
    CHECK(apart.most_launches == 2);
  }
}

TEST_CASE("a product counts its result, of as many rows as blocks take and of others, and of none") {
  Random random(43);
  const Semiring semiring = test::built_in_semiring("PLUS_TIMES_FP32").semiring;
  for (const uint64_t n : {uint64_t(1), uint64_t(31), uint64_t(256), uint64_t(257), uint64_t(1111)}) {
    const test::RefMatrix a = test::random_matrix(random, fp32, n, n, test::Spread::empty_rows, 2, false);
    const test::RefVector u = test::random_vector(random, fp32, n, 0.4, false);
    const DeviceMatrix matrix = test::to_device(a, false, false);
    const DeviceVector vector = test::to_device(u, Form::bitmap, false);
    for (const char* kernel : {"mxv_row_thread", "mxv_row_2", "mxv_row_16", "mxv_row_block"}) {
      INFO(kernel << ", " << n << " rows");
      const test::Forced forced(kernel);
      DeviceVector w = DeviceVector::empty(fp32, n);
      const auto product = [&] { operations::mxv({w, {}, std::nullopt, false}, {semiring, matrix, vector}); };
      for (int uses = 0; uses < 3; ++uses) product();
      uint64_t counted = 0;
      const unsigned made = launches([&] {
        product();
        counted = w.nvals();
      });
      const bool counts_itself = n <= 256 || kernel != std::string("mxv_row_block");  // few blocks do
      CHECK(made <= (counts_itself ? 1 : 2));
      CHECK(counted == test::from_device(w).entries.size());
    }
  }
}

TEST_CASE("more results than a device has places for their numbers are counted, each when it is asked") {
  Random random(44);
  const uint64_t n = 300;
  const Semiring semiring = test::built_in_semiring("PLUS_TIMES_FP32").semiring;
  const test::RefMatrix a = test::random_matrix(random, fp32, n, n, test::Spread::uniform, 2, false);
  const DeviceMatrix matrix = test::to_device(a, false, false);
  const test::Forced forced("mxv_row_thread");
  std::vector<DeviceVector> results;
  for (size_t k = 0; k < 2 * runtime::most_postings; ++k) {
    const double density = double(k % 10) / 20;
    const DeviceVector u =
        test::to_device(test::random_vector(random, fp32, n, density, false), Form::bitmap, false);
    DeviceVector w = DeviceVector::empty(fp32, n);
    operations::mxv({w, {}, std::nullopt, false}, {semiring, matrix, u});
    results.push_back(w);
  }
  const std::vector<DeviceVector> copies = results;
  for (size_t k = 0; k < results.size(); ++k) {
    const uint64_t counted = results[k].nvals();
    CHECK(counted == test::from_device(copies[k]).entries.size());
    CHECK(copies[k].nvals() == counted);
  }
}

TEST_CASE("a product of what waits is made after it, and one whose mask waits with it") {
  Random random(45);
  const uint64_t n = 700;
  const Semiring semiring = test::built_in_semiring("PLUS_TIMES_FP32").semiring;
  const test::RefMatrix a = test::random_matrix(random, fp32, n, n, test::Spread::uniform, 3, false);
  const DeviceMatrix matrix = test::to_device(a, false, false);
  const DeviceVector u =
      test::to_device(test::random_vector(random, fp32, n, 0.5, false), Form::bitmap, false);
  const DeviceVector v =
      test::to_device(test::random_vector(random, fp32, n, 0.7, false), Form::bitmap, false);
  const test::Forced forced("mxv_row_thread");  // a launch, on any device
  for (const bool complement : {false, true}) {
    for (const bool structural : {false, true}) {
      INFO("complement " << complement << ", structural " << structural);
      test::RefVector results[2][3];
      for (const bool joins : {false, true}) {
        unsigned made = ~0u;  // in the turn with the fewest: others look at the operands, too
        with_joining(joins ? JoinPolicy::automatic : JoinPolicy::never, [&] {
          DeviceVector mask = v, w = DeviceVector::empty(fp32, n), x = DeviceVector::empty(fp32, n);
          const BinaryOp minus = *catalogue::binary_op("MINUS_FP32");
          for (int turn = 0; turn < 4; ++turn) {
            const unsigned of_turn = launches([&] {
              operations::ewise_mult({mask, {}, std::nullopt, false}, minus, v, u);
              operations::mxv({w, {&mask, structural, complement}, std::nullopt, true},
                              {semiring, matrix, u});
            });
            made = std::min(made, of_turn);
          }
          operations::ewise_mult({mask, {}, std::nullopt, false}, minus, u, v);
          operations::mxv({x, {}, std::nullopt, false}, {semiring, matrix, mask});
          for (const DeviceVector* vector : {&mask, &w, &x})
            results[joins][vector == &mask ? 0 : vector == &w ? 1 : 2] = test::from_device(*vector);
        });
        CHECK(made == (joins ? 1 : 2));
      }
      for (int k = 0; k < 3; ++k) CHECK(test::difference(results[0][k], results[1][k]) == "");
    }
  }
}

TEST_CASE(
    "a list whose entries are dropped is compacted in one launch where it is short, and in any case right") {
  const IndexUnaryOp below = *catalogue::index_unary_op("VALUELT_INT32");
  for (const uint64_t count : {1u, 31u, 255u, 256u, 257u, 4096u, 4097u, 6000u}) {
    for (const int limit : {0, 3, 7}) {
      INFO(count << " entries, those below " << limit);
      test::RefVector u, expected;
      u.type = expected.type = int32;
      u.length = expected.length = 40 * count;
      for (uint64_t k = 0; k < count; ++k) {
        const int value = int(k * 5 % 7);
        u.entries[40 * k + k % 13] = test::make_value(int32, value);
        if (value < limit) expected.entries[40 * k + k % 13] = test::make_value(int32, value);
      }
      const DeviceVector list = test::to_device(u, Form::sparse, false);
      DeviceVector w = DeviceVector::empty(int32, u.length);
      const auto dropping = [&] {
        operations::select({w, {}, std::nullopt, false}, below, list, test::make_value(int32, limit));
        return w.nvals();
      };
      CHECK(dropping() == expected.entries.size());
      CHECK(test::difference(test::from_device(w), expected) == "");
      if (count <= 4096) CHECK(launches([&] { dropping(); }) == 2);
    }
  }
}

TEST_CASE("a product of few rows lists them and places them in launches that it has anyway") {
  Random random(46);
  const uint64_t n = 600;
  const Semiring semiring = test::built_in_semiring("PLUS_TIMES_FP32").semiring;
  const DeviceMatrix graph =
      test::to_device(test::random_matrix(random, fp32, n, n, test::Spread::uniform, 9, false), false, false);
  const test::Forced forced("mxm_rows");
  for (const uint64_t rows : {uint64_t(1), uint64_t(4), uint64_t(32)}) {
    INFO(rows << " rows");
    const DeviceMatrix frontier = test::to_device(
        test::random_matrix(random, fp32, rows, n, test::Spread::uniform, 60, false), false, false);
    DeviceMatrix t = formats::matrix_by(formats::empty_csr(fp32, rows, n), false);
    const auto product = [&] { operations::mxm({t, {}, std::nullopt, true}, {semiring, frontier, graph}); };
    product();
    CHECK(launches(product) <= 4);
  }
}

TEST_CASE("a search's kernels compile for GPUs without spilling") {
  const DeviceMatrix graph = test::to_device(graph_with_hub(1500, 1100), false, false);
  const size_t before = jit::requests_so_far().size();
  for (const char* kernel : {"mxv_row_thread", "mxv_row_4", "mxv_row_warp"}) {
    const test::Forced forced(kernel);
    with_joining(JoinPolicy::automatic, [&] { search(graph, 7); });
  }
  std::vector<jit::Request> requests = jit::requests_so_far();
  if (requests.size() > before) requests.erase(requests.begin(), requests.begin() + std::ptrdiff_t(before));
  for (const jit::Request& request : requests) {
    const bool is_asked = request.header.rfind("mxv_rows", 0) == 0 || request.header == "compact.h" ||
                          request.header == "reduce.h";
    if (!is_asked) continue;
    INFO(request.name);
    const auto result = test::compiled_for_gpu(request, "sm_90");
    if (!result) return;
    CHECK(result->log.find(" 0 bytes spill stores, 0 bytes spill loads") != std::string::npos);
  }
}
