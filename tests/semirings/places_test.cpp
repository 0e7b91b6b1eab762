// Operators on places with thunks at the ends of int64: host reference and device functor against whole
// numbers without end.
#include <limits>

#include "semirings/table.h"
#include "tests/catch.h"
#include "tests/semirings/device_functors.h"
#include "tests/semirings/library.h"

using namespace cugrb;

namespace {

__extension__ typedef __int128 Whole;

struct Meaning {
  const char* stem;
  Whole (*of)(Whole i, Whole j, Whole y);
};
constexpr Meaning meanings[] = {{"ROWINDEX", [](Whole i, Whole, Whole y) { return i + y; }},
                                {"COLINDEX", [](Whole, Whole j, Whole y) { return j + y; }},
                                {"DIAGINDEX", [](Whole i, Whole j, Whole y) { return j - (i + y); }},
                                {"TRIL", [](Whole i, Whole j, Whole y) { return Whole(j <= i + y); }},
                                {"TRIU", [](Whole i, Whole j, Whole y) { return Whole(j >= i + y); }},
                                {"DIAG", [](Whole i, Whole j, Whole y) { return Whole(j == i + y); }},
                                {"OFFDIAG", [](Whole i, Whole j, Whole y) { return Whole(j != i + y); }},
                                {"COLLE", [](Whole, Whole j, Whole y) { return Whole(j <= y); }},
                                {"COLGT", [](Whole, Whole j, Whole y) { return Whole(j > y); }},
                                {"ROWLE", [](Whole i, Whole, Whole y) { return Whole(i <= y); }},
                                {"ROWGT", [](Whole i, Whole, Whole y) { return Whole(i > y); }}};

constexpr int64_t least = std::numeric_limits<int64_t>::min(), most = std::numeric_limits<int64_t>::max();
constexpr int64_t last = (int64_t(1) << 60) - 1;  // GrB_INDEX_MAX
constexpr int64_t places[] = {0, 1, (int64_t(1) << 31) - 1, int64_t(1) << 31, int64_t(1) << 32, last};
constexpr int64_t thunks[] = {least, least + 1, least / 2, -last - 1, -last,    -1,  0,
                              1,     last,      last + 1,  most / 2,  most - 3, most};

Value low_bits(Whole whole, const Type& type) {
  const auto low = static_cast<int64_t>(static_cast<uint64_t>(whole));
  return reference::cast(table::value_of(Type::of(TypeCode::Int64), low), type);
}

void check(const IndexUnaryOp& op, const Meaning& meaning, int64_t i, int64_t j, int64_t y) {
  // Operators of INT32 see the thunk's low bits, on which alone the result's low bits depend.
  const Value thunk = low_bits(y, op.thunk);
  const Value exact = low_bits(meaning.of(i, j, y), op.z);
  const Value on_host = reference::apply(op, thunk, uint64_t(i), uint64_t(j), thunk);
  const Value on_device = device_functors::index_unary(op, thunk, uint64_t(i), uint64_t(j), thunk);
  if (on_host.bytes == exact.bytes && on_device.bytes == exact.bytes) return;
  INFO(op.name << " at " << i << ", " << j << " with " << y);
  CHECK(library::to_text(on_host) == library::to_text(exact));
  CHECK(library::to_text(on_device) == library::to_text(exact));
}

}  // namespace

TEST_CASE("operators on places are exact at the ends of int64") {
  size_t operators = 0;
  for (const Meaning& meaning : meanings) {
    for (const char* suffix : {"", "_INT32", "_INT64"}) {
      const auto op = catalogue::index_unary_op(std::string(meaning.stem) + suffix);
      if (!op) continue;
      ++operators;
      for (const int64_t y : thunks) {
        for (const int64_t i : places) {
          for (const int64_t j : places) check(*op, meaning, i, j, y);
        }
      }
    }
  }
  CHECK(operators >= 14);
}

TEST_CASE("positional operators of INT32 keep the low bits of a place") {
  for (const BinaryOp& op : catalogue::binary_ops()) {
    if (op.positional == Positional::None) continue;
    INFO(op.name);
    const int64_t one = op.name.find("1_") == std::string::npos ? 0 : 1;
    for (const int64_t place : places) {
      const auto p = uint64_t(place);
      const Value exact = low_bits(Whole(place) + one, op.z);
      CHECK(library::to_text(reference::apply_positional(op, p, p, p)) == library::to_text(exact));
      CHECK(library::to_text(device_functors::positional(op, p, p, p)) == library::to_text(exact));
    }
  }
}
