// Diagonals against the definition: T(p, p + k) = v(p), or T(p - k, p) for k < 0.
#include "src/operations/matrix_extract.h"
#include "src/operations/matrix_operations.h"
#include "tests/catch.h"
#include "tests/operations/launches.h"
#include "tests/operations/matrix_exits.h"
#include "tests/operations/mxm_cases.h"

using namespace cugrb;
using namespace cugrb::test;

namespace {

std::pair<uint64_t, uint64_t> place_on(int64_t k, uint64_t p) {
  return k >= 0 ? std::pair{p, p + uint64_t(k)} : std::pair{p + uint64_t(-k), p};
}

RefMatrix ref_diagonal_matrix(const RefVector& v, int64_t k) {
  const uint64_t rows = v.length + uint64_t(std::abs(k));
  RefMatrix t{v.type, rows, rows, {}};
  for (const auto& [p, x] : v.entries) t.entries[place_on(k, p)] = x;
  return t;
}

RefVector ref_diagonal(const RefMatrix& a, int64_t k, uint64_t length) {
  RefVector t{a.type, length, {}};
  for (uint64_t p = 0; p < length; ++p) {
    const auto entry = a.entries.find(place_on(k, p));
    if (entry != a.entries.end()) t.entries[p] = entry->second;
  }
  return t;
}

}  // namespace

TEST_CASE("diag(v, k) has v's entries on its k-th diagonal") {
  Random random(61);
  for (const int64_t k : {0, 1, -1, 7, -12}) {
    for (const Form form : {Form::sparse, Form::bitmap, Form::full}) {
      for (const bool iso : {false, true}) {
        INFO("k = " << k << ", form " << int(form) << (iso ? ", iso" : ""));
        const RefVector v = random_vector(random, type_of("INT16"), 23, form == Form::full ? 1 : 0.4, iso);
        const formats::DeviceVector device_v = to_device(v, form, iso);
        check_all_exits(random, ref_diagonal_matrix(v, k), "FP64", [&](const operations::MatrixOutput& c) {
          operations::diagonal_matrix(c, device_v, k);
        });
      }
    }
  }
}

TEST_CASE("a matrix's diagonal, in both orientations and of both shapes") {
  Random random(62);
  for (const auto& [rows, columns] : {std::pair<uint64_t, uint64_t>{20, 33}, {33, 20}, {1, 40}, {25, 25}}) {
    for (int n = 0; n < 8; ++n) {
      const bool transpose = n & 1, by_column = n & 2, iso = n & 4;
      const RefMatrix a =
          random_matrix(random, type_of("INT32"), rows, columns, Spread::uniform, double(columns) / 2, iso);
      const formats::DeviceMatrix device_a = to_device(transpose ? transposed(a) : a, by_column, iso);
      for (const int64_t k : {0, 3, -2, 19, -19}) {
        const int64_t length = k >= 0 ? std::min<int64_t>(int64_t(rows), int64_t(columns) - k)
                                      : std::min<int64_t>(int64_t(rows) + k, int64_t(columns));
        if (length <= 0) continue;
        INFO(rows << " x " << columns << ", variant " << n << ", k = " << k);
        const RefVector t = ref_diagonal(a, k, uint64_t(length));
        const RefVector old = random_vector(random, type_of("FP64"), uint64_t(length), 0.4, false);
        formats::DeviceVector plain = to_device(old, Form::sparse, false);
        operations::extract_diagonal({plain, {}, std::nullopt, false}, {device_a, transpose}, k);
        CHECK(difference(ref_write_back(old, {}, std::nullopt, false, t), from_device(plain)) == "");
        formats::DeviceVector masked = to_device(old, Form::bitmap, false);
        const BinaryOp minus = catalogue::binary_op("MINUS_FP64").value();
        operations::extract_diagonal({masked, {&masked, true, true}, minus, false}, {device_a, transpose}, k);
        CHECK(difference(ref_write_back(old, {&old, true, true}, minus, false, t), from_device(masked)) ==
              "");
      }
    }
  }
}

TEST_CASE("a product with the diagonal of a full vector need not look whether it is one") {
  Random random(64);
  const Forced forced("mxm_scale");
  const RefVector v = random_vector(random, type_of("INT32"), 23, 1, false);
  const formats::DeviceMatrix a =
      to_device(random_matrix(random, type_of("INT32"), 23, 23, Spread::uniform, 6, false), false, false);
  const auto product = [&](const formats::DeviceMatrix& d, bool left) {
    formats::DeviceMatrix c = formats::matrix_by(formats::empty_csr(a.type, 23, 23), false);
    operations::mxm({c, {}, std::nullopt, false},
                    {*catalogue::semiring("PLUS_TIMES_INT32"), left ? d : a, left ? a : d});
    return read_back(c);
  };
  const auto launches_of = [&](const formats::DeviceMatrix& d, bool left) {
    return launches([&] { product(d, left); });
  };
  for (const bool left : {false, true}) {
    INFO(left);
    const auto looked_at = [&] { return to_device(ref_diagonal_matrix(v, 0), false, false); };
    formats::DeviceMatrix noted = formats::matrix_by(formats::empty_csr(v.type, 23, 23), false);
    operations::diagonal_matrix({noted, {}, std::nullopt, false}, to_device(v, Form::full, false), 0);
    CHECK(difference(flattened(product(noted, left)), flattened(product(looked_at(), left))) == "");
    CHECK(launches_of(noted, left) + 1 == launches_of(looked_at(), left));
  }
  // What the mask leaves of an older content, or another diagonal, is looked at.
  formats::DeviceMatrix joined = to_device(ref_diagonal_matrix(v, 0), false, false);
  operations::diagonal_matrix({joined, {&a, true, false}, std::nullopt, false},
                              to_device(v, Form::full, false), 0);
  CHECK(launches_of(joined, true) == launches_of(to_device(ref_diagonal_matrix(v, 0), false, false), true));
}

TEST_CASE("diagonals fail cleanly at every allocation and launch") {
  Random random(63);
  const RefVector v = random_vector(random, type_of("INT16"), 23, 0.4, false);
  const formats::DeviceVector device_v = to_device(v, Form::bitmap, false);
  CHECK(check_failures(random, ref_diagonal_matrix(v, -3), "FP64", [&](const operations::MatrixOutput& c) {
          operations::diagonal_matrix(c, device_v, -3);
        }) > 10);
  const RefMatrix a = random_matrix(random, type_of("INT32"), 20, 30, Spread::uniform, 9, false);
  const RefVector old = random_vector(random, type_of("FP64"), 20, 0.4, false), t = ref_diagonal(a, 4, 20);
  const formats::DeviceMatrix device_a = to_device(a, true, false);
  formats::DeviceVector w;
  CHECK(check_failures({[&] { w = to_device(old, Form::sparse, false); },
                        [&] {
                          operations::extract_diagonal({w, {}, std::nullopt, false}, {device_a, false}, 4);
                        },
                        [&] { return difference(old, from_device(w)); },
                        [&] {
                          return difference(ref_write_back(old, {}, std::nullopt, false, t), from_device(w));
                        }}) > 2);
}
