// Parts of matrices against the definition: T(k,l) = A(I[k], J[l]).
#include "src/operations/matrix_extract.h"

#include <numeric>

#include "semirings/table.h"
#include "tests/catch.h"
#include "tests/operations/mxm_cases.h"

using namespace cugrb;
using namespace cugrb::test;

namespace {

enum class Listing : uint8_t { all, one, some, repeated, reversed, range };

std::vector<uint64_t> list_of(Listing listing, uint64_t length, Random& random) {
  std::vector<uint64_t> all(length);
  std::iota(all.begin(), all.end(), uint64_t(0));
  switch (listing) {
    case Listing::all:
      return all;
    case Listing::one:
      return {length / 2};
    case Listing::reversed:
      return {all.rbegin(), all.rend()};
    case Listing::range:
      return {all.begin() + int64_t(length / 4), all.begin() + int64_t(length / 4 + (length + 1) / 2)};
    default:
      break;
  }
  std::vector<uint64_t> list(listing == Listing::some ? (length + 1) / 2 : 2 * length + 3);
  for (uint64_t& i : list) i = random() % length;
  return list;
}

operations::Indices indices_of(Listing listing, const std::vector<uint64_t>& list) {
  if (listing == Listing::range) return {false, list.size(), nullptr, list[0]};
  return {listing == Listing::all, list.size(), list.data()};
}

RefMatrix ref_extract(const RefMatrix& a, const std::vector<uint64_t>& rows,
                      const std::vector<uint64_t>& columns) {
  RefMatrix t{a.type, rows.size(), columns.size(), {}};
  for (uint64_t k = 0; k < rows.size(); ++k) {
    for (uint64_t l = 0; l < columns.size(); ++l) {
      const auto entry = a.entries.find({rows[k], columns[l]});
      if (entry != a.entries.end()) t.entries[{k, l}] = entry->second;
    }
  }
  return t;
}

struct ExtractSituation {
  uint64_t rows, columns;
  Spread spread;
  double degree;
  bool transpose, by_column, iso, wide, both_there;
};
constexpr ExtractSituation extract_situations[] = {
    {30, 40, Spread::uniform, 5, false, false, false, false, false},
    {40, 25, Spread::empty_rows, 6, false, true, false, true, false},
    {25, 40, Spread::power_law, 0, true, false, true, false, true},
    {1, 1500, Spread::one_huge_row, 0, true, true, false, false, false},
    {20, 20, Spread::nothing, 0, false, false, true, false, true},
};
/// Calls f(situation, A, A on the device, or its transpose there) for all of them.
template <class F>
void each_situation(Random& random, F f) {
  for (const ExtractSituation& s : extract_situations) {
    const RefMatrix a = random_matrix(random, type_of("INT32"), s.rows, s.columns, s.spread, s.degree, s.iso);
    const formats::DeviceMatrix device_a =
        to_device(s.transpose ? transposed(a) : a, s.by_column, s.iso, s.wide);
    if (s.both_there) device_a.by_rows(!device_a.by_column);
    f(s, a, device_a);
  }
}

constexpr Listing listings[] = {Listing::all,      Listing::one,      Listing::some,
                                Listing::repeated, Listing::reversed, Listing::range};

}  // namespace

TEST_CASE("extract takes the listed rows and columns, in their order, as often as they are listed") {
  Random random(31);
  each_situation(
      random, [&](const ExtractSituation& s, const RefMatrix& a, const formats::DeviceMatrix& device_a) {
        for (const Listing i : listings) {
          for (const Listing j : listings) {
            const std::vector<uint64_t> rows = list_of(i, s.rows, random),
                                        columns = list_of(j, s.columns, random);
            INFO("A of " << s.rows << " x " << s.columns << ", listing " << int(i) << " by " << int(j));
            const RefVector t = flattened(ref_extract(a, rows, columns));
            const RefMatrix old = random_matrix(random, type_of("FP64"), rows.size(), columns.size(),
                                                Spread::uniform, double(columns.size()) / 4, false);
            formats::DeviceMatrix plain = to_device(old, false, false);
            operations::extract({plain, {}, std::nullopt, false}, {device_a, s.transpose},
                                indices_of(i, rows), indices_of(j, columns));
            const RefVector before = flattened(old);
            CHECK(difference(ref_write_back(before, {}, std::nullopt, false, t),
                             flattened(read_back(plain))) == "");
            formats::DeviceMatrix masked = to_device(old, true, false);
            const BinaryOp plus = catalogue::binary_op("PLUS_FP64").value();
            operations::extract({masked, {&masked, true, true}, plus, false}, {device_a, s.transpose},
                                indices_of(i, rows), indices_of(j, columns));
            CHECK(difference(ref_write_back(before, {&before, true, true}, plus, false, t),
                             flattened(read_back(masked))) == "");
          }
        }
      });
}

TEST_CASE("listed columns that ascend are found in a table where many entries ask for them") {
  Random random(36);
  constexpr uint64_t rows = 260, columns = 300;
  const RefMatrix a =
      random_matrix(random, type_of("INT32"), rows, columns, Spread::uniform, 275, /*iso=*/false);
  REQUIRE(a.entries.size() > size_t(1) << 16);  // questions: src/operations/index_set.cpp
  const formats::DeviceMatrix device_a = to_device(a, false, false);
  const std::vector<uint64_t> every_row = list_of(Listing::all, rows, random);
  std::vector<uint64_t> listed;
  for (uint64_t j = 0; j < columns; ++j)
    if (j % 3 != 1) listed.push_back(j);
  const RefMatrix empty{type_of("INT32"), rows, listed.size(), {}};
  formats::DeviceMatrix t = to_device(empty, false, false);
  operations::extract({t, {}, std::nullopt, false}, {device_a, false}, indices_of(Listing::all, every_row),
                      indices_of(Listing::some, listed));
  CHECK(difference(flattened(ref_extract(a, every_row, listed)), flattened(read_back(t))) == "");
}

TEST_CASE("a column's listed entries, found in its rows or taken from the columns") {
  Random random(34);
  each_situation(random, [&](const ExtractSituation& s, const RefMatrix& a,
                             const formats::DeviceMatrix& device_a) {
    for (const Listing i : listings) {
      if (i == Listing::range) continue;  // of matrices alone
      const std::vector<uint64_t> rows = list_of(i, s.rows, random);
      const uint64_t column = random() % s.columns;
      INFO("A of " << s.rows << " x " << s.columns << ", listing " << int(i) << ", column " << column);
      const RefVector t = flattened(ref_extract(a, rows, {column}));
      const RefVector old = random_vector(random, type_of("FP64"), rows.size(), 0.4, false);
      formats::DeviceVector plain = to_device(old, Form::sparse, false);
      operations::extract_column({plain, {}, std::nullopt, false}, {device_a, s.transpose},
                                 indices_of(i, rows), column);
      CHECK(difference(ref_write_back(old, {}, std::nullopt, false, t), from_device(plain)) == "");
      formats::DeviceVector masked = to_device(old, Form::bitmap, false);
      const BinaryOp plus = catalogue::binary_op("PLUS_FP64").value();
      operations::extract_column({masked, {&masked, true, true}, plus, false}, {device_a, s.transpose},
                                 indices_of(i, rows), column);
      CHECK(difference(ref_write_back(old, {&old, true, true}, plus, false, t), from_device(masked)) == "");
    }
  });
}

TEST_CASE("extract permutes a matrix into itself") {
  Random random(32);
  const RefMatrix a = random_matrix(random, type_of("FP32"), 50, 50, Spread::power_law, 0, /*iso=*/false);
  formats::DeviceMatrix c = to_device(a, false, false);
  const std::vector<uint64_t> backwards = list_of(Listing::reversed, 50, random);
  const operations::Indices list = indices_of(Listing::reversed, backwards);
  operations::extract({c, {}, std::nullopt, false}, {c, false}, list, list);
  CHECK(difference(flattened(ref_extract(a, backwards, backwards)), flattened(read_back(c))) == "");
}

TEST_CASE("extract moves the values of user-defined types, whatever their size") {
  Random random(33);
  for (const size_t bytes : {3, 6, 12, 24}) {
    const Type type{TypeCode::User, bytes, "bytes_" + std::to_string(bytes), ""};
    RefMatrix a{type, 20, 20, {}};
    for (int n = 0; n < 60; ++n) {
      a.entries[{below(random, 20), below(random, 20)}] = {type,
                                                           std::string(bytes, char('a' + below(random, 26)))};
    }
    const formats::DeviceMatrix device_a = to_device(a, false, false);
    const std::vector<uint64_t> rows = list_of(Listing::repeated, 20, random);
    RefMatrix nothing{type, rows.size(), 20, {}};
    formats::DeviceMatrix c = to_device(nothing, false, false);
    operations::extract({c, {}, std::nullopt, false}, {device_a, false}, indices_of(Listing::repeated, rows),
                        indices_of(Listing::all, list_of(Listing::all, 20, random)));
    INFO(bytes << " bytes");
    CHECK(difference(flattened(ref_extract(a, rows, list_of(Listing::all, 20, random))),
                     flattened(read_back(c))) == "");
  }
}
