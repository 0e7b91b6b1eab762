// Assignments to parts of matrices, against the definition: positions one by one, lists from the first to the
// last.
#include "src/operations/matrix_assign.h"

#include <algorithm>
#include <numeric>

#include "semirings/table.h"
#include "tests/catch.h"
#include "tests/operations/matrix_exits.h"

using namespace cugrb;
using namespace cugrb::test;

namespace {

enum class Listing : uint8_t { all, range, listed_range, reversed, shuffled, repeated, one, nothing };

std::vector<uint64_t> list_of(Listing listing, uint64_t length, Random& random) {
  std::vector<uint64_t> list(length);
  std::iota(list.begin(), list.end(), uint64_t(0));
  switch (listing) {
    case Listing::all:
      break;
    case Listing::range:
    case Listing::listed_range:
      return {list.begin() + length / 3, list.begin() + length / 3 + length / 2};
    case Listing::reversed:
      std::reverse(list.begin(), list.end());
      break;
    case Listing::shuffled:
      std::shuffle(list.begin(), list.end(), random);
      list.resize((length + 1) / 2);
      break;
    case Listing::repeated:
      for (uint64_t& i : list) i = below(random, length);
      break;
    case Listing::one:
      return {length / 2};
    case Listing::nothing:
      return {};
  }
  return list;
}

struct Way {
  const char* name;
  Listing rows, columns;
  bool masked_alone;
  MaskKind mask;
  bool accumulate, replace, transpose, by_column;
};
using enum Listing;
constexpr MaskKind none = MaskKind::none, structural = MaskKind::structural,
                   not_structural = MaskKind::structural_complement, not_valued = MaskKind::valued_complement;
constexpr Way ways[] = {
    {"a block", range, range, false, none, false, false, false, false},
    {"a listed block", listed_range, listed_range, false, none, true, false, false, true},
    {"a block, subassign", range, range, true, none, false, false, true, true},
    {"accumulated rows", shuffled, Listing::all, false, none, true, false, false, false},
    {"columns through C's mask", Listing::all, repeated, false, MaskKind::valued, false, false, false, true},
    {"replace outside", shuffled, shuffled, false, structural, false, true, true, false},
    {"replace, accumulate", range, repeated, false, not_valued, true, true, false, true},
    {"the part's mask", repeated, shuffled, true, MaskKind::valued, false, false, false, false},
    {"the part's mask, replace", shuffled, range, true, structural, false, true, false, true},
    {"the part's mask, replace, accumulate", reversed, shuffled, true, not_structural, true, true, true,
     false},
    {"all of C by the part's mask", Listing::all, Listing::all, true, not_valued, false, true, false, false},
    {"backwards", reversed, reversed, false, none, false, false, false, true},
    {"one element", one, one, true, MaskKind::valued, true, false, false, false},
    {"no rows", nothing, shuffled, false, structural, false, true, false, false},
    {"no columns", range, nothing, true, structural, false, true, false, true}};

/// A call's operands. `t` is empty where a scalar is assigned.
struct Operands {
  RefMatrix c, a, mask;
  std::vector<uint64_t> rows, columns;
  std::optional<Value> scalar;
};

Operands draw(Random& random, const Way& way, uint64_t rows, uint64_t columns, const char* type_c, bool iso) {
  Operands o;
  o.rows = list_of(way.rows, rows, random);
  o.columns = list_of(way.columns, columns, random);
  o.c = random_matrix(random, type_of(type_c), rows, columns, Spread::uniform, double(columns) / 3, iso);
  o.a = random_matrix(random, type_of("INT32"), o.rows.size(), o.columns.size(), Spread::uniform,
                      double(o.columns.size()) / 2, iso);
  const uint64_t mask_rows = way.masked_alone ? o.rows.size() : rows;
  const uint64_t mask_columns = way.masked_alone ? o.columns.size() : columns;
  o.mask = random_matrix(random, type_of("INT16"), mask_rows, mask_columns, Spread::uniform,
                         double(mask_columns) / 2, false);
  return o;
}

/// Entries of the part at the places of a C: of an index listed twice the last counts.
RefMatrix spread(const RefMatrix& part, const Operands& o) {
  RefMatrix t{part.type, o.c.rows, o.c.columns, {}};
  for (uint64_t k = 0; k < o.rows.size(); ++k) {
    for (uint64_t l = 0; l < o.columns.size(); ++l) {
      const auto entry = part.entries.find({k, l});
      if (entry == part.entries.end()) {
        t.entries.erase({o.rows[k], o.columns[l]});
      } else {
        t.entries[{o.rows[k], o.columns[l]}] = entry->second;
      }
    }
  }
  return t;
}

RefVector wanted(const Way& way, const Operands& o, const RefMatrix& a,
                 const std::optional<BinaryOp>& accumulate) {
  const RefVector c = flattened(o.c), t = flattened(spread(a, o)),
                  mask = flattened(way.masked_alone ? spread(o.mask, o) : o.mask);
  std::vector<bool> inside(c.length, false);
  for (const uint64_t i : o.rows) {
    for (const uint64_t j : o.columns) inside[i * o.c.columns + j] = true;
  }
  const RefMask meant = ref_mask(way.mask, mask);
  if (!way.masked_alone) return ref_assign_list(c, meant, accumulate, way.replace, t, inside);
  RefVector part = c, rest = c;
  std::erase_if(part.entries, [&](const auto& entry) { return !inside[entry.first]; });
  std::erase_if(rest.entries, [&](const auto& entry) { return inside[entry.first]; });
  RefVector result = ref_write_back(part, meant, accumulate, way.replace, t);
  result.entries.merge(rest.entries);
  return result;
}

operations::Indices indices_of(Listing listing, const std::vector<uint64_t>& list) {
  if (listing == Listing::range && !list.empty()) return {false, list.size(), nullptr, list[0]};
  return {listing == Listing::all, list.size(), list.data()};
}

std::optional<BinaryOp> accumulator(const Way& way) {
  return way.accumulate ? catalogue::binary_op("MINUS_FP64") : std::nullopt;
}

enum class Source : uint8_t { matrix, scalar, empty_scalar };

/// A as the reference has it.
RefMatrix source_of(Source source, const Operands& o) {
  if (source == Source::matrix) return o.a;
  RefMatrix t{o.a.type, o.a.rows, o.a.columns, {}};
  if (source == Source::empty_scalar) return t;
  for (uint64_t k = 0; k < t.rows; ++k) {
    for (uint64_t l = 0; l < t.columns; ++l) t.entries[{k, l}] = make_value(t.type, 7);
  }
  return t;
}

/// The operands on the device, and the call.
struct Call {
  const Way& way;
  const Operands& o;
  Source source;
  formats::DeviceMatrix c, a, mask;
  Call(const Way& given, const Operands& operands, Source from, bool iso)
      : way(given), o(operands), source(from) {
    c = to_device(o.c, way.by_column, iso);
    a = to_device(way.transpose ? transposed(o.a) : o.a, way.accumulate, iso, way.replace);
    mask = to_device(o.mask, way.replace, false);
  }
  void run() {
    const RefVector no_mask;
    const RefMask meant = ref_mask(way.mask, no_mask);
    const operations::MatrixOutput out{
        c,
        {meant.vector != nullptr ? &mask : nullptr, meant.structural, meant.complement},
        accumulator(way),
        way.replace};
    const operations::Indices rows = indices_of(way.rows, o.rows),
                              columns = indices_of(way.columns, o.columns);
    const operations::MatrixPart part{rows, columns, way.masked_alone};
    if (source == Source::matrix) return operations::assign(out, {a, way.transpose}, part);
    operations::assign_scalar(
        out, source == Source::scalar ? std::optional<Value>(make_value(o.a.type, 7)) : std::nullopt,
        o.a.type, part);
  }
};

}  // namespace

TEST_CASE("an assignment to a part writes the named places, and no other but by replace") {
  Random random(41);
  for (const Way& way : ways) {
    for (const Source source : {Source::matrix, Source::scalar, Source::empty_scalar}) {
      for (const bool iso : {false, true}) {
        INFO(way.name << ", source " << int(source) << (iso ? ", iso" : ""));
        const Operands o = draw(random, way, 23, 31, "FP64", iso);
        Call call(way, o, source, iso);
        call.run();
        CHECK(difference(wanted(way, o, source_of(source, o), accumulator(way)),
                         flattened(read_back(call.c))) == "");
      }
    }
  }
}

TEST_CASE("C may be the source and the mask of an assignment to its part") {
  Random random(42);
  for (const bool masked_alone : {false, true}) {
    const Way way{"", reversed, reversed, masked_alone, structural, false, true, false, false};
    Operands o = draw(random, way, 20, 20, "INT32", false);
    o.a = o.mask = o.c;
    formats::DeviceMatrix c = to_device(o.c, false, false);
    const operations::Indices rows = indices_of(way.rows, o.rows),
                              columns = indices_of(way.columns, o.columns);
    operations::assign({c, {&c, true, false}, std::nullopt, true}, {c}, {rows, columns, masked_alone});
    CHECK(difference(wanted(way, o, o.a, std::nullopt), flattened(read_back(c))) == "");
  }
}

TEST_CASE("of an index that a vector's list has more than once the last place counts") {
  Random random(47);
  const BinaryOp minus = catalogue::binary_op("MINUS_FP64").value();
  for (const Form form : {Form::sparse, Form::bitmap}) {
    for (const bool accumulate : {false, true}) {
      const RefVector w = random_vector(random, type_of("FP64"), 40, 0.4, false),
                      u = random_vector(random, type_of("INT32"), 60, 0.6, false),
                      mask = random_vector(random, type_of("BOOL"), 40, 0.7, false);
      std::vector<uint64_t> list(60);
      for (uint64_t& i : list) i = below(random, 40);
      std::vector<bool> inside(40, false);
      RefVector t{u.type, 40, {}}, sevens = t;
      for (uint64_t k = 0; k < 60; ++k) {
        inside[list[k]] = true;
        t.entries.erase(list[k]);
        if (u.entries.count(k) != 0) t.entries[list[k]] = u.entries.at(k);
        sevens.entries[list[k]] = make_value(u.type, 7);
      }
      std::optional<BinaryOp> op;
      if (accumulate) op = minus;
      const RefMask meant{&mask, true, accumulate};
      const formats::DeviceVector device_mask = test::to_device(mask, Form::sparse, false);
      const operations::Indices indices{false, list.size(), list.data()};
      formats::DeviceVector c = test::to_device(w, form, false), d = c;
      operations::assign({c, {&device_mask, true, accumulate}, op, accumulate},
                         test::to_device(u, form, false), indices);
      operations::assign_scalar({d, {&device_mask, true, accumulate}, op, accumulate}, make_value(u.type, 7),
                                indices);
      CHECK(difference(ref_assign_list(w, meant, op, accumulate, t, inside), from_device(c)) == "");
      CHECK(difference(ref_assign_list(w, meant, op, accumulate, sevens, inside), from_device(d)) == "");
    }
  }
}

TEST_CASE("a part of few rows among many columns") {
  Random random(43);
  const uint64_t columns = uint64_t(1) << 40;
  RefMatrix c{type_of("FP32"), 5, columns, {}}, a{type_of("FP32"), 2, 3, {}};
  const std::vector<uint64_t> rows = {4, 1}, listed = {columns - 1, 7, uint64_t(1) << 33};
  for (const uint64_t j : listed) c.entries[{1, j}] = c.entries[{2, j}] = make_value(c.type, 3);
  a.entries[{1, 0}] = a.entries[{0, 2}] = make_value(a.type, 8);
  formats::DeviceMatrix device = to_device(c, false, false);
  operations::assign({device, {}, std::nullopt, false}, {to_device(a, false, false)},
                     {{false, 2, rows.data()}, {false, 3, listed.data()}});
  for (const uint64_t i : rows) {
    for (const uint64_t j : listed) c.entries.erase({i, j});
  }
  c.entries[{1, columns - 1}] = c.entries[{4, uint64_t(1) << 33}] = make_value(c.type, 8);
  const RefMatrix found = read_back(device);
  REQUIRE(found.entries.size() == c.entries.size());
  for (const auto& [at, x] : c.entries) {
    REQUIRE(found.entries.count(at) == 1);
    CHECK(same_value(found.entries.at(at), x));
  }
}

TEST_CASE("iso matrices stay iso where the part has their value") {
  Random random(44);
  const Way way{"", range, range, false, none, false, false, false, false};
  Operands o = draw(random, way, 12, 12, "INT32", true);
  for (const bool same : {true, false}) {
    for (auto& [at, x] : o.a.entries) x = same ? o.c.entries.begin()->second : make_value(o.a.type, 99);
    Call call(way, o, Source::matrix, true);
    call.run();
    CHECK(call.c.stored.iso == same);
    CHECK(difference(wanted(way, o, o.a, std::nullopt), flattened(read_back(call.c))) == "");
  }
  Call emptied(way, o, Source::empty_scalar, true);
  emptied.run();
  CHECK(emptied.c.stored.iso);
}

TEST_CASE("user-defined types are assigned to parts") {
  const Type pair{TypeCode::User, 8, "pair_of_ints", "typedef struct { int a, b; } pair_of_ints;"};
  Random random(45);
  const Way way{"", shuffled, range, true, structural, false, true, true, false};
  Operands o = draw(random, way, 14, 9, "INT64", false);
  for (RefMatrix* matrix : {&o.c, &o.a}) {
    matrix->type = pair;
    for (auto& [at, x] : matrix->entries) x = Value{pair, std::string(7, char(at.second)) + char(at.first)};
  }
  Call call(way, o, Source::matrix, false);
  call.run();
  CHECK(difference(wanted(way, o, o.a, std::nullopt), flattened(read_back(call.c))) == "");
}

TEST_CASE("an assignment to a part that fails leaves C as it was") {
  Random random(46);
  unsigned failures = 0;
  for (const size_t n : {4, 6, 8}) {
    const Operands o = draw(random, ways[n], 15, 17, "FP64", false);
    for (const Source source : {Source::matrix, Source::scalar}) {
      std::optional<Call> call;
      failures +=
          check_failures({[&] { call.emplace(ways[n], o, source, false); }, [&] { call->run(); },
                          [&] { return difference(flattened(o.c), flattened(read_back(call->c))); },
                          [&] {
                            return difference(wanted(ways[n], o, source_of(source, o), accumulator(ways[n])),
                                              flattened(read_back(call->c)));
                          }});
    }
  }
  CHECK(failures > 60);
}
