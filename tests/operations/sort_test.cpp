// Sorted rows, columns and vectors, against a stable sort on the host; reshaped matrices, against positions.
#include "src/operations/sort.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "semirings/table.h"
#include "src/operations/matrix_parts.h"
#include "src/support/declined.h"
#include "tests/catch.h"
#include "tests/operations/matrix_exits.h"

using namespace cugrb;
using namespace cugrb::test;

namespace {

using Before = std::function<bool(const Value&, const Value&)>;

Before meant_by(const BinaryOp& op) {
  return [op](const Value& x, const Value& y) {
    return reference::apply(op, reference::cast(x, op.x), reference::cast(y, op.y)).bytes[0] != 0;
  };
}

/// C and P.
struct RefSorted {
  RefMatrix values, places;
};
RefSorted ref_sort(const RefMatrix& a, const Before& before) {
  RefSorted sorted{{a.type, a.rows, a.columns, {}}, {type_of("INT64"), a.rows, a.columns, {}}};
  std::map<uint64_t, std::vector<std::pair<Value, uint64_t>>> rows;
  for (const auto& [at, x] : a.entries) rows[at.first].push_back({x, at.second});
  for (auto& [i, row] : rows) {
    std::stable_sort(row.begin(), row.end(),
                     [&](const auto& x, const auto& y) { return before(x.first, y.first); });
    for (uint64_t k = 0; k < row.size(); ++k) {
      sorted.values.entries[{i, k}] = row[k].first;
      sorted.places.entries[{i, k}] = make_value(type_of("INT64"), double(row[k].second));
    }
  }
  return sorted;
}

formats::DeviceMatrix nothing_of(const Type& type) {
  formats::DeviceMatrix empty;
  empty.type = type;
  return empty;
}

/// Sorts A's rows, or with `columns` the columns of A', and compares.
void check_sort(const RefMatrix& a, const BinaryOp& op, const Before& before, bool columns, bool by_column,
                bool iso, bool wide) {
  const RefSorted wanted = ref_sort(a, before);
  const formats::DeviceMatrix given = to_device(columns ? transposed(a) : a, by_column, iso, wide);
  formats::DeviceMatrix values, places = nothing_of(type_of("INT64"));
  operations::sort({&values, &places}, op, {given, columns});
  const auto found = [&](const formats::DeviceMatrix& matrix) {
    const RefMatrix back = read_back(matrix);
    return flattened(columns ? transposed(back) : back);
  };
  CHECK(values.by_column == columns);
  CHECK(difference(flattened(wanted.values), found(values)) == "");
  CHECK(difference(flattened(wanted.places), found(places)) == "");
  formats::DeviceMatrix alone;
  operations::sort({&alone, nullptr}, op, {given, columns});
  CHECK(difference(flattened(wanted.values), found(alone)) == "");
}

}  // namespace

TEST_CASE("rows and columns are sorted by < and > of every type, equal values in their order") {
  Random random(51);
  size_t n = 0;
  for (const char* type :
       {"BOOL", "INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64", "FP32", "FP64"}) {
    for (const char* stem : {"LT_", "GT_"}) {
      INFO(stem << type);
      const BinaryOp op = catalogue::binary_op(std::string(stem) + type).value();
      RefMatrix a = random_matrix(random, type_of(type), 40, 300, Spread::power_law, 0, false);
      for (auto& [at, x] : a.entries) {
        if (chance(random, 0.3)) x = random_value(random, x.type, /*edges=*/true);
        if (std::isnan(std::atof(to_text(x).c_str()))) x = make_value(x.type, 1);
      }
      const bool columns = n & 1, by_column = n & 2, wide = n & 4;
      check_sort(a, op, meant_by(op), columns, by_column, false, wide);
      ++n;
    }
  }
}

TEST_CASE("zeros of both signs keep their order") {
  Random random(58);
  for (const char* type : {"FP32", "FP64"}) {
    for (const char* stem : {"LT_", "GT_"}) {
      const BinaryOp op = catalogue::binary_op(std::string(stem) + type).value();
      RefMatrix a = random_matrix(random, type_of(type), 8, 90, Spread::uniform, 40, false);
      for (auto& [at, x] : a.entries) x = make_value(x.type, chance(random, 0.5) ? -0.0 : at.second % 3);
      check_sort(a, op, meant_by(op), false, false, false, false);
    }
  }
}

TEST_CASE("values of an iso matrix, and of none, stay in their order") {
  Random random(52);
  const BinaryOp op = catalogue::binary_op("GT_INT32").value();
  for (const Spread spread : {Spread::uniform, Spread::nothing}) {
    const RefMatrix a = random_matrix(random, type_of("INT32"), 12, 30, spread, 6, true);
    check_sort(a, op, meant_by(op), false, false, true, false);
  }
}

TEST_CASE("other operators merge runs: casts, and those of users") {
  Random random(53);
  const BinaryOp by_integer = catalogue::binary_op("LT_INT8").value();
  for (const Spread spread : {Spread::uniform, Spread::one_huge_row, Spread::empty_rows}) {
    const RefMatrix a = random_matrix(random, type_of("FP32"), 30, 700, spread, 20, false);
    check_sort(a, by_integer, meant_by(by_integer), false, false, false, true);
  }
  const BinaryOp by_float = catalogue::binary_op("GT_FP32").value();
  const RefMatrix wide = random_matrix(random, type_of("FP64"), 6, 90, Spread::uniform, 33, false);
  check_sort(wide, by_float, meant_by(by_float), false, true, false, false);
  const Type type = type_of("INT32");
  const BinaryOp by_digit = catalogue::user_binary_op(
      "by_digit", "void by_digit(bool *z, const int32_t *x, const int32_t *y) { *z = *x % 3 < *y % 3; }",
      type_of("BOOL"), type, type);
  const RefMatrix a = random_matrix(random, type, 9, 400, Spread::uniform, 150, false);
  const auto digit = [](const Value& x) {
    int32_t value;
    std::memcpy(&value, x.bytes.data(), sizeof value);
    return value % 3;
  };
  check_sort(
      a, by_digit, [&](const Value& x, const Value& y) { return digit(x) < digit(y); }, true, false, false,
      false);
}

TEST_CASE("values without an order are declined") {
  Random random(54);
  RefMatrix a = random_matrix(random, type_of("FP64"), 5, 60, Spread::no_empty_row, 30, false);
  formats::DeviceMatrix out;
  const auto sorts = [&](const char* op) {
    const formats::DeviceMatrix given = to_device(a, false, false);
    operations::sort({&out, nullptr}, catalogue::binary_op(op).value(), {given});
  };
  for (const char* op : {"LE_FP64", "NE_FP64", "EQ_FP64", "GE_FP64"}) CHECK_THROWS_AS(sorts(op), Declined);
  a.entries.begin()->second = make_value(a.type, std::nan(""));
  CHECK_THROWS_AS(sorts("LT_FP64"), Declined);
  CHECK_THROWS_AS(sorts("GT_FP32"), Declined);
}

TEST_CASE("a vector's values in order, with their positions") {
  Random random(55);
  const BinaryOp op = catalogue::binary_op("LT_INT16").value();
  for (const Form form : {Form::sparse, Form::bitmap, Form::full}) {
    for (const bool iso : {false, true}) {
      INFO("form " << int(form) << (iso ? ", iso" : ""));
      const RefVector u = random_vector(random, type_of("INT16"), 500, form == Form::full ? 1 : 0.3, iso);
      RefMatrix row{u.type, 1, u.length, {}};
      for (const auto& [i, x] : u.entries) row.entries[{0, i}] = x;
      const RefSorted wanted = ref_sort(row, meant_by(op));
      formats::DeviceVector values = test::to_device(u, form, iso),
                            places = formats::DeviceVector::empty(type_of("INT64"), u.length);
      operations::sort({&values, &places}, op, values);
      CHECK(difference(flattened(wanted.values), from_device(values)) == "");
      CHECK(difference(flattened(wanted.places), from_device(places)) == "");
    }
  }
}

TEST_CASE("a sort that fails leaves its outputs as they were") {
  Random random(56);
  unsigned failures = 0;
  for (const char* name : {"LT_FP64", "GT_INT8"}) {  // by radix, and by merging
    const BinaryOp op = catalogue::binary_op(name).value();
    const RefMatrix a = random_matrix(random, type_of("FP64"), 20, 90, Spread::uniform, 12, false);
    const RefSorted wanted = ref_sort(a, meant_by(op));
    formats::DeviceMatrix values, places;
    const auto differ = [&](const RefMatrix& c, const RefMatrix& p) {
      return difference(flattened(c), flattened(read_back(values))) +
             difference(flattened(p), flattened(read_back(places)));
    };
    failures += check_failures({[&] {
                                  values = to_device(a, true, false);
                                  places = to_device(wanted.places, false, false);
                                },
                                [&] {
                                  operations::sort({&values, &places}, op, {values});
                                },
                                [&] { return differ(a, wanted.places); },
                                [&] { return differ(wanted.values, wanted.places); }});
  }
  CHECK(failures > 40);
}

namespace {

RefMatrix ref_reshape(const RefMatrix& a, bool by_column, uint64_t rows, uint64_t columns) {
  RefMatrix t{a.type, rows, columns, {}};
  for (const auto& [at, x] : a.entries) {
    const uint64_t p = by_column ? at.second * a.rows + at.first : at.first * a.columns + at.second;
    t.entries[by_column ? std::pair(p % rows, p / rows) : std::pair(p / columns, p % columns)] = x;
  }
  return t;
}

}  // namespace

TEST_CASE("a reshaped matrix has the same entries at the same positions, counted by row or by column") {
  Random random(57);
  const std::pair<uint64_t, uint64_t> shapes[] = {{30, 40}, {1, 1200}, {1200, 1}, {24, 50}, {600, 2}};
  size_t n = 0;
  for (const Spread spread : {Spread::uniform, Spread::one_huge_row, Spread::nothing}) {
    const bool iso = n == 1;
    const RefMatrix a = random_matrix(random, type_of("INT16"), 30, 40, spread, 12, iso);
    for (const auto& [rows, columns] : shapes) {
      for (const bool by_column : {false, true}) {
        INFO(rows << " x " << columns << (by_column ? ", by column" : ", by row"));
        const formats::DeviceMatrix device = to_device(a, n % 2 == 0, iso, n % 3 == 0);
        ++n;
        CHECK(difference(flattened(ref_reshape(a, by_column, rows, columns)),
                         flattened(read_back(operations::reshaped(device, by_column, rows, columns)))) == "");
      }
    }
  }
  const RefMatrix a = random_matrix(random, type_of("INT16"), 30, 40, Spread::uniform, 12, false);
  formats::DeviceMatrix c;
  CHECK(check_failures(
            {[&] { c = to_device(a, true, false); }, [&] { c = operations::reshaped(c, false, 24, 50); },
             [&] { return difference(flattened(a), flattened(read_back(c))); },
             [&] { return difference(flattened(ref_reshape(a, false, 24, 50)), flattened(read_back(c))); }}) >
        5);
}
