// Vectors in parts: dealt and collected, element-wise calls part by part, sums, products that leave their
// result where it was made.
#include "src/formats/vector_parts.h"

#include <cstring>
#include <numeric>

#include "cuda/runtime/injection.h"
#include "src/formats/block_locality.h"
#include "src/formats/part_exchange.h"
#include "src/support/trace.h"
#include "tests/catch.h"
#include "tests/gpu_compile.h"
#include "tests/operations/cases.h"
#include "tests/operations/launches.h"
#include "tests/operations/mxv_cases.h"
#include "tests/operations/several_devices.h"

using namespace cugrb;
using formats::DeviceVector;
using formats::Split;
using test::Configuration;
using test::Kind;
using test::random_split;
using test::RefMatrix;
using test::RefVector;

namespace {

bool may_be_in_parts(const DeviceVector& vector) { return vector.form != Form::sparse && !vector.iso; }

/// Some of the operands into parts, now and then into those of another split.
void place(test::Data& data, test::Random& random) {
  const uint64_t length = data.dw.length;
  const size_t parts = 1 + test::below(random, 4);
  const auto split = random_split(random, length, parts), other = random_split(random, length, parts);
  for (DeviceVector* vector : {&data.du, &data.dv, &data.dw, &data.dmask}) {
    if (!may_be_in_parts(*vector) || !test::chance(random, 0.7)) continue;
    *vector = formats::in_parts(*vector, test::chance(random, 0.9) ? split : other);
  }
}

bool has_list(Kind kind) {
  return kind == Kind::assign_list || kind == Kind::assign_scalar_list || kind == Kind::extract;
}

/// What lies in parts lies where it is said to lie.
void check_places(const DeviceVector& vector) {
  REQUIRE(vector.parts != nullptr);
  const Split& split = *vector.parts->split;
  REQUIRE(vector.parts->of.size() == split.parts.size());
  CHECK((vector.form == Form::full || vector.form == Form::bitmap));
  CHECK_FALSE(vector.iso);
  for (size_t p = 0; p < split.parts.size(); ++p) {
    const DeviceVector& part = vector.parts->of[p];
    CHECK(part.length == split.parts[p].count);
    CHECK(part.form == vector.form);
    CHECK_FALSE(part.iso);
    if (part.values) CHECK(&part.values.device() == split.parts[p].device);
    if (part.present) CHECK(&part.present.device() == split.parts[p].device);
  }
}

operations::VectorOutput plain(DeviceVector& w) { return {w, {}, std::nullopt, false}; }

/// A u of 64-bit integers, on all devices.
DeviceVector product_of(const formats::DeviceMatrix& a, const DeviceVector& u, bool in_parts) {
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_INT64");
  DeviceVector w = DeviceVector::empty(Type::of(TypeCode::Int64), a.rows);
  operations::mxv(plain(w), {s.semiring, a, u, false, false, runtime::devices(), in_parts});
  return w;
}

/// A band of which one row in fifty has an entry anywhere.
RefMatrix near_diagonal(test::Random& random, const Type& type, uint64_t n) {
  RefMatrix matrix = test::random_matrix(random, type, n, n, test::Spread::band, 6, false);
  for (uint64_t i = 0; i < n; i += 50)
    matrix.entries[{i, test::below(random, n)}] = test::random_value(random, type);
  return matrix;
}

/// One that needs all of a vector on each device, or one that needs few entries.
RefMatrix scattered_or_near_diagonal(test::Random& random, const Type& type, uint64_t n) {
  const bool is_near = GENERATE(false, true);
  return is_near ? near_diagonal(random, type, n)
                 : test::random_matrix(random, type, n, n, test::Spread::uniform, 4, false);
}

}  // namespace

TEST_CASE(
    "a vector keeps its entries when it is dealt and collected, of every type, form and number of parts") {
  test::Random random(11);
  for (const TypeCode code : {TypeCode::Bool, TypeCode::Int16, TypeCode::Fp32, TypeCode::Fp64}) {
    for (const uint64_t length : {1, 40, 1300}) {
      for (const Form form : {Form::full, Form::bitmap, Form::sparse}) {
        const bool iso = test::chance(random, 0.3);
        const RefVector meant =
            test::random_vector(random, Type::of(code), length, form == Form::full ? 1 : 0.4, iso);
        const DeviceVector whole = test::to_device(meant, form, iso);
        const auto split = random_split(random, length, 1 + test::below(random, 5));
        REQUIRE(formats::check(*split) == "");
        const DeviceVector dealt = formats::in_parts(whole, split);
        check_places(dealt);
        CHECK(dealt.nvals() == meant.entries.size());
        CHECK(dealt.bytes() >= dealt.length);
        CHECK(test::difference(meant, test::from_device(dealt)) == "");
        CHECK(test::difference(meant, test::from_device(whole)) == "");
        const DeviceVector elsewhere = formats::in_parts(dealt, random_split(random, length, 3));
        CHECK(test::difference(meant, test::from_device(elsewhere)) == "");
        CHECK_THROWS_AS(dealt.view(), std::logic_error);
      }
    }
  }
}

TEST_CASE(
    "random operations on vectors in parts give what the reference gives, and leave their inputs alone") {
  const uint64_t lengths[] = {1, 7, 40, 300, 1300};
  const unsigned configurations = test::races_only() ? 24 : test::structures_only() ? 45 : 90;
  unsigned in_parts = 0;
  for (unsigned n = 0; n < configurations; ++n) {
    test::Random random(7000 + n);
    Configuration configuration = test::draw(random);
    for (unsigned tries = 0; has_list(configuration.kind) && tries < 50; ++tries)
      configuration = test::draw(random);
    for (unsigned repeat = 0; repeat < 5; ++repeat) {
      std::string found;
      try {
        found = test::run(configuration, random, lengths[repeat], [&](test::Data& data) {
          place(data, random);
          in_parts += data.du.parts != nullptr || data.dw.parts != nullptr;
        });
      } catch (const std::exception& failure) {
        found = std::string("exception: ") + failure.what();
      }
      INFO("configuration " << n << ", length " << lengths[repeat] << ": " << configuration.text());
      REQUIRE(found == "");
    }
  }
  CHECK(in_parts > configurations * 5 / 3);
}

TEST_CASE("a result of operands in parts is in parts, and nothing goes between devices for it") {
  test::Random random(13);
  const Type& type = Type::of(TypeCode::Fp32);
  const auto split = random_split(random, 900, 3);
  const auto vector = [&] {
    return formats::in_parts(
        test::to_device(test::random_vector(random, type, 900, 1, false), Form::full, false), split);
  };
  const DeviceVector u = vector(), v = vector();
  DeviceVector w = DeviceVector::empty(type, 900);
  const uint64_t before = trace::totals().bytes_between;
  operations::ewise_mult(plain(w), *catalogue::binary_op("DIV_FP32"), u, v);
  check_places(w);
  operations::assign({w, {}, *catalogue::binary_op("MINUS_FP32"), false}, u, {});
  operations::apply(plain(w), *catalogue::unary_op("ABS_FP32"), w);
  check_places(w);
  operations::select(plain(w), *catalogue::index_unary_op("VALUEGT_FP32"), w, test::make_value(type, 0.5));
  check_places(w);
  CHECK(w.form == Form::bitmap);
  operations::reduce(*catalogue::monoid("PLUS_FP32"), w);
  CHECK(trace::totals().bytes_between == before);
  // By place it is computed at home.
  operations::select(plain(w), *catalogue::index_unary_op("ROWLE"), w,
                     test::make_value(Type::of(TypeCode::Int64), 100));
  CHECK(w.parts == nullptr);
  // Devices of this process are several, or one stands for them all.
  if (runtime::devices().size() > 1) CHECK(trace::totals().bytes_between > before);
}

TEST_CASE("calls in parts share a launch on each device: no device waits for an operand that is not sent") {
  test::Random random(29);
  const Type& type = Type::of(TypeCode::Fp32);
  const auto split = random_split(random, 3000, runtime::devices().size());
  const auto vector = [&] {
    return formats::in_parts(
        test::to_device(test::random_vector(random, type, 3000, 1, false), Form::full, false), split);
  };
  const DeviceVector product = vector(), degrees = vector();
  const DeviceVector jump = DeviceVector::full_of(type, 3000, test::make_value(type, 0.15).bytes.data());
  const auto settle = [] {
    for (runtime::Device* const device : runtime::devices()) {
      const runtime::OnDevice there(*device);
      test::settle();
    }
  };
  settle();
  // The outputs have no entries of their own, and one operand has a value that the host knows.
  DeviceVector ranks = DeviceVector::empty(type, 3000), leaving = ranks;
  const unsigned launches = test::launches([&] {
    operations::ewise_add(plain(ranks), *catalogue::binary_op("PLUS_FP32"), jump, product);
    operations::ewise_mult(plain(leaving), *catalogue::binary_op("DIV_FP32"), ranks, degrees);
    settle();
  });
  CHECK(launches == runtime::devices().size());
  const test::RefVector expected = test::from_device(product);
  for (const auto& [i, value] : test::from_device(formats::collected(ranks)).entries) {
    float rank = 0, of_product = 0;
    std::memcpy(&rank, value.bytes.data(), sizeof rank);
    std::memcpy(&of_product, expected.entries.at(i).bytes.data(), sizeof of_product);
    CHECK(rank == 0.15F + of_product);
  }
}

TEST_CASE("a launch with memory of another emulated device fails") {
  if (runtime::devices().size() < 2 || runtime::device().properties().kind != runtime::Kind::emulated) return;
  test::Random random(23);
  const Type& type = Type::of(TypeCode::Fp32);
  const DeviceVector u = test::to_device(test::random_vector(random, type, 90, 1, false), Form::full, false);
  const runtime::OnDevice elsewhere(*runtime::devices()[1]);
  CHECK_THROWS_AS(formats::cast(u, Type::of(TypeCode::Fp64)), runtime::DeviceFailure);
}

TEST_CASE("operands are dealt once, and stay so") {
  test::Random random(14);
  const Type& type = Type::of(TypeCode::Int32);
  const auto split = random_split(random, 500, 2);
  const RefVector meant = test::random_vector(random, type, 500, 1, false);
  DeviceVector u = formats::in_parts(test::to_device(meant, Form::full, false), split),
               v = test::to_device(meant, Form::full, false),
               one = DeviceVector::full_of(type, 500, test::make_value(type, 3).bytes.data()),
               list = DeviceVector::empty(type, 500), w = DeviceVector::empty(type, 500);
  const RefVector sinks = test::random_vector(random, Type::of(TypeCode::Bool), 500, 0.4, true);
  DeviceVector mask = test::to_device(sinks, Form::sparse, true);
  operations::settle_parts(plain(w), {&u, &v, &one, &list, nullptr, &mask});
  check_places(mask);
  CHECK(test::difference(sinks, test::from_device(mask)) == "");
  check_places(v);
  CHECK(v.parts->split == split);
  CHECK(one.parts == nullptr);
  CHECK(list.parts == nullptr);
  CHECK(test::difference(meant, test::from_device(v)) == "");
}

TEST_CASE("operands of different splits agree on the one in which products leave their results") {
  test::Random random(22);
  const Type& type = Type::of(TypeCode::Int32);
  const auto once = random_split(random, 300, 2), often = random_split(random, 300, 2);
  often->note_left();
  const RefVector meant = test::random_vector(random, type, 300, 1, false);
  DeviceVector u = formats::in_parts(test::to_device(meant, Form::full, false), once),
               v = formats::in_parts(test::to_device(meant, Form::full, false), often),
               w = DeviceVector::empty(type, 300);
  operations::settle_parts(plain(w), {&u, &v});
  CHECK(u.parts->split == often);
  CHECK(v.parts->split == often);
  CHECK(test::difference(meant, test::from_device(u)) == "");
}

TEST_CASE("where a loop leaves its results, vectors of that length are dealt when a call reads them") {
  test::Random random(24);
  const Type& type = Type::of(TypeCode::Int32);
  auto split = random_split(random, 311, 2);
  const RefVector meant = test::random_vector(random, type, 311, 1, false),
                  short_one = test::random_vector(random, type, 310, 1, false);
  DeviceVector u = test::to_device(meant, Form::full, false),
               other = test::to_device(short_one, Form::full, false),
               one = DeviceVector::full_of(type, 311, test::make_value(type, 3).bytes.data()),
               w = DeviceVector::empty(type, 311), v = DeviceVector::empty(type, 310);
  for (int n = 0; n < 16; ++n) {
    operations::settle_parts(plain(w), {&u, &one});
    CHECK(u.parts == nullptr);
    formats::note_left(split);
  }
  operations::settle_parts(plain(w), {&one});
  CHECK(one.parts == nullptr);  // one value is made anywhere
  operations::settle_parts(plain(v), {&other});
  CHECK(other.parts == nullptr);
  operations::settle_parts(plain(w), {&one, nullptr, &u});
  check_places(u);
  CHECK(u.parts->split == split);
  CHECK(test::difference(meant, test::from_device(u)) == "");
  // Not where results are collected, and not in parts that have gone.
  split->note_collected();
  DeviceVector later = test::to_device(meant, Form::full, false);
  operations::settle_parts(plain(w), {&later});
  CHECK(later.parts == nullptr);
  u = later;
  split = nullptr;
  CHECK(formats::busy_split(311) == nullptr);
}

TEST_CASE("sums of vectors in parts, by every kind of monoid, empty ones among them") {
  test::Random random(15);
  for (const char* name : {"PLUS_INT32", "MIN_FP64", "MAX_INT8", "TIMES_INT64", "LXOR_BOOL", "ANY_FP32"}) {
    const Monoid monoid = *catalogue::monoid(name);
    for (const double density : {0.0, 0.01, 1.0}) {
      const RefVector meant = test::random_vector(random, monoid.type(), 700, density, false);
      const DeviceVector u = formats::in_parts(test::to_device(meant, Form::bitmap, false),
                                               random_split(random, 700, 1 + test::below(random, 4)));
      const auto expected = test::ref_reduce(monoid, meant), found = operations::reduce(monoid, u);
      INFO(name << ", density " << density);
      REQUIRE(expected.has_value() == found.has_value());
      if (!expected) continue;
      if (monoid.is_any) {
        bool is_one = false;
        for (const auto& [i, value] : meant.entries) is_one |= test::same_value(value, *found);
        CHECK(is_one);
      } else {
        CHECK(test::same_value(*expected, *found));
      }
    }
  }
}

TEST_CASE("of a matrix near its diagonal parts get the entries that they need, and few others") {
  if (runtime::devices().size() < 2) return;
  test::Random random(41);
  const Type& type = Type::of(TypeCode::Int64);
  constexpr uint64_t n = 2000;
  const formats::DeviceMatrix a = test::to_device(near_diagonal(random, type, n), false, false);
  const test::Forced forced("mxv_parts");
  const auto multiply = [&](const DeviceVector& u, bool in_parts) { return product_of(a, u, in_parts); };
  const DeviceVector full =
                         test::to_device(test::random_vector(random, type, n, 1, false), Form::full, false),
                     bitmap = test::to_device(test::random_vector(random, type, n, 0.6, false), Form::bitmap,
                                              false);
  for (const DeviceVector& u : {full, bitmap}) {
    const DeviceVector once = multiply(u, true), twice = multiply(once, true);
    check_places(twice);
    CHECK(test::difference(test::from_device(multiply(multiply(u, false), false)),
                           test::from_device(twice)) == "");
  }
  const formats::PartExchange* const exchange = a.find_derived(false, formats::PartExchange::Key());
  REQUIRE(exchange != nullptr);
  size_t picked = 0;
  for (const formats::ExchangePlan::Receiver& to : exchange->plan->to) {
    for (const formats::ExchangePlan::Sent& sent : to.sent) {
      picked += sent.picked ? 1 : 0;
      if (sent.picked) {
        CHECK(2 * sent.count < sent.entries.length());
      } else {
        CHECK(sent.count == sent.entries.length());
      }
    }
  }
  CHECK(picked > 0);
  CHECK(exchange->entries_between() <= n / 50 + 12 * runtime::devices().size());
}

namespace {

/// Entries at the diagonal, and at four and one beside it.
RefMatrix five_diagonals(const Type& type, uint64_t n) {
  RefMatrix matrix{type, n, n, {}};
  for (uint64_t i = 0; i < n; ++i) {
    for (const uint64_t distance : {0, 1, 4}) {
      if (i >= distance) matrix.entries[{i, i - distance}] = test::make_value(type, double(1 + i % 3));
      if (i + distance < n) matrix.entries[{i, i + distance}] = test::make_value(type, double(2 + i % 5));
    }
  }
  return matrix;
}

/// What part q of the matrix has of u, by the numbers of its columns in the whole.
void check_exchanged(const formats::RowParts& matrix, size_t q, const DeviceVector& got, const RefVector& u) {
  const formats::RowPart& part = matrix.parts[q];
  REQUIRE(got.length == part.matrix.columns);
  REQUIRE(part.columns);
  const auto columns = part.columns.to_host<uint32_t>(got.length);
  const runtime::OnDevice there(*part.device);
  const RefVector values = test::from_device(got);
  for (uint64_t n = 0; n < got.length; ++n)
    CHECK(values.entries.at(n).bytes == u.entries.at(columns[n]).bytes);
}

}  // namespace

TEST_CASE("of a band vectors have room for the others' edges, and are multiplied where they lie") {
  if (runtime::devices().size() < 2) return;
  const Type& type = Type::of(TypeCode::Int64);
  constexpr uint64_t n = 4000;
  test::Random random(43);
  const formats::DeviceMatrix a = test::to_device(five_diagonals(type, n), false, false);
  const test::Forced forced("mxv_parts");
  const auto multiply = [&](const DeviceVector& u, bool in_parts) { return product_of(a, u, in_parts); };
  const auto plus_one = [&](const DeviceVector& u, const char* plus) {
    const DeviceVector one = DeviceVector::full_of(u.type, n, test::make_value(u.type, 1).bytes.data());
    DeviceVector w = DeviceVector::empty(u.type, n);
    operations::ewise_add(plain(w), *catalogue::binary_op(plus), one, u);
    return w;
  };
  const DeviceVector full =
      test::to_device(test::random_vector(random, type, n, 1, false), Form::full, false);
  DeviceVector product = multiply(full, true);
  product = multiply(product, true);
  const formats::RowParts* const parts = a.find_derived(false, formats::RowParts::Key{true});
  const formats::PartExchange* const exchange = a.find_derived(false, formats::PartExchange::Key());
  REQUIRE((parts != nullptr && exchange != nullptr));
  REQUIRE(exchange->is_around_own());
  const size_t devices = runtime::devices().size();
  // Parts are blocks of rows, of which the first and the last have one neighbour.
  uint64_t before = 0, behind = 0;
  for (const formats::ExchangePlan::Receiver& to : exchange->plan->to) {
    before += to.run->others.before;
    behind += to.run->others.behind;
  }
  CHECK((before == 4 * (devices - 1) && behind == before));
  const DeviceVector u = plus_one(product, "PLUS_INT64");
  const RefVector expected = test::from_device(formats::collected(u));
  CHECK(test::difference(test::from_device(multiply(formats::collected(u), false)),
                         test::from_device(multiply(u, true))) == "");
  const auto is_in_place = [&](const DeviceVector& got, const DeviceVector& from, size_t q) {
    return got.values.as<char>() + exchange->plan->to[q].run->others.before * from.type.size ==
           from.parts->of[q].values.as<char>();
  };
  const bool ahead = GENERATE(false, true);
  {
    formats::StartedExchange first(u, exchange->plan, ahead), second(u, exchange->plan, ahead);
    const std::vector<DeviceVector> one = first.finish(), other = second.finish();
    // What the first one reads must not change while it lives: neither by a second one nor by a new content.
    DeviceVector changed = u;
    operations::apply(plain(changed), *catalogue::unary_op("AINV_INT64"), changed);
    for (size_t q = 0; q < devices; ++q) {
      CHECK(is_in_place(one[q], u, q));
      CHECK(is_in_place(other[q], u, q) == (devices == 1));
      check_exchanged(*parts, q, one[q], expected);
      check_exchanged(*parts, q, other[q], expected);
    }
  }
  formats::StartedExchange third(u, exchange->plan, ahead);
  const std::vector<DeviceVector> again = third.finish();
  for (size_t q = 0; q < devices; ++q) {
    CHECK(is_in_place(again[q], u, q));
    check_exchanged(*parts, q, again[q], expected);
  }
  // Not at addresses that 16 bytes do not divide, nor of a bitmap, nor of what was written without room.
  DeviceVector bytes = DeviceVector::empty(Type::of(TypeCode::Int8), n);
  operations::apply(plain(bytes), *catalogue::unary_op("IDENTITY_INT8"), u);
  for (const DeviceVector& other : {plus_one(bytes, "PLUS_INT8"), product}) {
    formats::StartedExchange copied(other, exchange->plan, ahead);
    const std::vector<DeviceVector> got = copied.finish();
    const RefVector meant = test::from_device(formats::collected(other));
    for (size_t q = 0; q < devices; ++q) {
      if (exchange->plan->to[q].run->others.before > 0) CHECK_FALSE(is_in_place(got[q], other, q));
      check_exchanged(*parts, q, got[q], meant);
    }
  }
}

namespace {

/// A square product with u, w and the mask in parts or not.
void agree_in_parts(const test::MxvConfiguration& c, uint64_t size, test::Spread spread, uint64_t seed) {
  test::Random random(seed), drawing(seed + 1);
  test::MxvShape shape{size,
                       size,
                       spread,
                       5,
                       1,
                       test::chance(drawing, 0.5),
                       test::chance(drawing, 0.5),
                       test::chance(drawing, 0.5)};
  const test::MeantSemiring s = test::built_in_semiring(c.semiring);
  bool came_in_parts = false;
  const auto multiply = [&](const operations::VectorOutput& w, const RefMatrix& a, const DeviceVector& u) {
    const formats::DeviceMatrix matrix = test::to_device(a, shape.by_column, c.iso_matrix, c.wide);
    const auto call = [&](const DeviceVector& vector) {
      return operations::MatrixVector{s.semiring,         matrix, vector, shape.transpose, c.vector_first,
                                      runtime::devices(), true};
    };
    DeviceVector first = DeviceVector::empty(s.semiring.add.type(), size);
    operations::mxv(plain(first), call(u));
    if (first.parts == nullptr) return operations::mxv(w, call(u));
    const auto split = first.parts->split;
    const DeviceVector dealt = formats::in_parts(u, split);
    if (test::chance(drawing, 0.5)) w.object = formats::in_parts(w.object, split);
    DeviceVector mask;
    operations::VectorMask asked = w.mask;
    if (asked.object != nullptr) {
      mask = formats::in_parts(*asked.object,
                               test::chance(drawing, 0.5) ? split : random_split(drawing, size, 2));
      asked.object = &mask;
    }
    operations::mxv({w.object, asked, w.accumulate, w.replace}, call(dealt));
    came_in_parts = asked.object != nullptr || w.object.parts != nullptr;
  };
  test::MxvConfiguration forced = c;
  forced.kernel = "mxv_parts";
  INFO(c.text() << ", size " << size << ", seed " << seed);
  REQUIRE(test::run_mxv_by(forced, s, shape, random, multiply) == "");
  if (spread != test::Spread::nothing && runtime::devices().size() > 1) CHECK(came_in_parts);
}

}  // namespace

TEST_CASE("products of vectors in parts agree with the reference: semirings, shapes, masks, accumulators") {
  using test::MaskKind;
  std::vector<test::MxvConfiguration> all = {{"PLUS_TIMES_FP64"},
                                             {"PLUS_SECOND_FP32", "BOOL", "FP32"},
                                             {"MIN_PLUS_INT32", "INT32", "INT16"},
                                             {"PLUS_MINUS_INT64", "INT64", "INT64"}};
  all[0].accumulate = "PLUS_FP64";
  all[2].mask = MaskKind::structural_complement;
  all[3].mask = MaskKind::valued;
  all[3].accumulate = "MAX_INT64";
  all[3].vector_first = true;
  all.push_back({"PLUS_TIMES_INT32", "INT32", "INT32"});
  all.back().wide = true;
  unsigned turn = 0;
  for (const test::MxvConfiguration& configuration : all) {
    uint64_t seed = 100;
    for (const uint64_t size : {3, 90, 1100, 7000}) {
      for (const test::Spread spread :
           {test::Spread::power_law, test::Spread::empty_rows, test::Spread::uniform, test::Spread::band}) {
        ++seed;
        // The kernels of the smaller ones, with more blocks.
        if (test::races_only() && size == 7000 && turn++ % 3 != 0) continue;
        agree_in_parts(configuration, size, spread, seed);
      }
    }
  }
}

TEST_CASE("PageRank's loop: of an iteration only what parts need of each other goes between devices") {
  if (runtime::devices().size() < 2) return;
  test::Random random(17);
  const Type& type = Type::of(TypeCode::Fp32);
  constexpr uint64_t n = 4000;
  const bool is_band = GENERATE(false, true);
  const RefMatrix links = test::random_matrix(
      random, type, n, n, is_band ? test::Spread::band : test::Spread::power_law, 6, false);
  const formats::DeviceMatrix a = test::to_device(links, false, false);
  const test::MeantSemiring s = test::built_in_semiring("PLUS_SECOND_FP32");
  const auto op = [](const char* name) { return *catalogue::binary_op(name); };
  const Monoid plus = *catalogue::monoid("PLUS_FP32");
  RefVector degrees{type, n, {}};
  for (uint64_t i = 0; i < n; ++i) degrees.entries[i] = test::make_value(type, double(1 + i % 7));

  /// `each`: bytes between devices of every iteration. Returns the changes, which fall.
  const auto iterate = [&](bool in_parts, std::vector<uint64_t>& each) {
    DeviceVector t = DeviceVector::full_of(type, n, test::make_value(type, 1.0 / n).bytes.data()), r = t,
                 w = t, d = test::to_device(degrees, Form::full, false);
    std::vector<double> changes;
    for (int k = 0; k < 6; ++k) {
      const uint64_t before = trace::totals().bytes_between;
      std::swap(t, r);
      operations::settle_parts(plain(w), {&t, &d});
      operations::ewise_mult(plain(w), op("DIV_FP32"), t, d);
      operations::assign_scalar(plain(r), test::make_value(type, 0.15 / n), {});
      operations::mxv({r, {}, op("PLUS_FP32"), false},
                      {s.semiring, a, w, false, false, runtime::devices(), in_parts});
      operations::settle_parts({t, {}, op("MINUS_FP32"), false}, {&r});
      operations::assign({t, {}, op("MINUS_FP32"), false}, r, {});
      operations::apply(plain(t), *catalogue::unary_op("ABS_FP32"), t);
      float change = 0;
      std::memcpy(&change, operations::reduce(plus, t)->bytes.data(), sizeof(change));
      changes.push_back(change);
      each.push_back(trace::totals().bytes_between - before);
      CHECK((r.parts != nullptr) == in_parts);
    }
    return changes;
  };
  const test::Forced forced("mxv_parts");
  std::vector<uint64_t> bytes, bytes_at_home;
  const std::vector<double> changes = iterate(true, bytes), at_home = iterate(false, bytes_at_home);
  for (size_t k = 0; k < changes.size(); ++k) CHECK(std::abs(changes[k] - at_home[k]) <= 1e-5 * at_home[k]);
  const formats::PartExchange* const exchange = a.find_derived(false, formats::PartExchange::Key());
  REQUIRE(exchange != nullptr);
  const uint64_t others = runtime::devices().size() - 1;
  // Two parts of a band need six entries of each other.
  CHECK(exchange->entries_between() <= (is_band ? 12 : n) * others);
  const formats::BlockLocality* const locality =
      a.find_derived(false, formats::BlockLocality::Key{runtime::devices().size()});
  REQUIRE(locality != nullptr);
  CHECK(locality->is_near_diagonal() == is_band);
  if (is_band) {
    for (const formats::ExchangePlan::Receiver& to : exchange->plan->to) CHECK(to.coming <= 12);
  }
  for (size_t k = 2; k < bytes.size(); ++k) CHECK(bytes[k] == exchange->entries_between() * sizeof(float));
}

TEST_CASE("what a loop multiplies goes to the others when it is written, once that is known") {
  if (runtime::devices().size() < 2) return;
  test::Random random(31);
  const Type& type = Type::of(TypeCode::Int64);
  constexpr uint64_t n = 3000;
  const formats::DeviceMatrix a =
      test::to_device(test::random_matrix(random, type, n, n, test::Spread::uniform, 4, false), false, false);
  const test::MeantSemiring s = test::built_in_semiring("PLUS_SECOND_INT64");
  const Monoid plus = *catalogue::monoid("PLUS_INT64");
  const test::Forced forced("mxv_parts");
  const auto op = [&](const char* name) { return *catalogue::binary_op(std::string(name) + "_INT64"); };
  const auto bytes_of = [](const auto& work) {
    const uint64_t before = trace::totals().bytes_between;
    work();
    return trace::totals().bytes_between - before;
  };
  // x = A x + x, with calls that write other vectors in between; in some rounds another one is multiplied, or
  // what was written is written once more.
  const auto iterate = [&](bool in_parts, const std::function<void(int, uint64_t, uint64_t)>& look) {
    test::Random own(5);
    DeviceVector x = test::to_device(test::random_vector(own, type, n, 1, false), Form::full, false), y = x,
                 sent = x;
    std::vector<std::string> sums;
    for (int k = 0; k < 14; ++k) {
      const uint64_t written = bytes_of([&] {
        operations::settle_parts(plain(sent), {&x, &y});
        operations::ewise_mult(plain(sent), op("BXOR"), x, y);
        if (k == 7) operations::apply(plain(sent), *catalogue::unary_op("AINV_INT64"), sent);
      });
      operations::settle_parts({y, {}, op("MINUS"), false}, {&x});
      operations::assign({y, {}, op("MINUS"), false}, x, {});
      sums.push_back(operations::reduce(plus, y)->bytes);
      const DeviceVector& operand = k == 10 ? y : sent;
      const uint64_t multiplied = bytes_of([&] {
        operations::mxv({x, {}, op("PLUS"), false},
                        {s.semiring, a, operand, false, false, runtime::devices(), in_parts});
      });
      if (k == 11) sent = DeviceVector::empty(type, n);  // the program has freed it
      look(k, written, multiplied);
      sums.push_back(operations::reduce(plus, x)->bytes);
    }
    return sums;
  };
  const auto nothing = [](int, uint64_t, uint64_t) {};
  std::vector<bool> early;
  const auto in_parts = iterate(true, [&](int, uint64_t written, uint64_t multiplied) {
    early.push_back(written > 0 && multiplied == 0);
  });
  CHECK(in_parts == iterate(false, nothing));
  // The first round deals, and three tell what comes; the others begin anew after another operand.
  const std::vector<bool> expected = {false, false, false, false, true,  true,  true,
                                      false, false, false, false, false, false, false};
  CHECK(early == expected);
}

TEST_CASE("what a loop sums up is summed when it is written, once that is known") {
  if (runtime::devices().size() < 2) return;
  test::Random random(37);
  const Type& type = Type::of(TypeCode::Int64);
  constexpr uint64_t n = 2500;
  const formats::DeviceMatrix a =
      test::to_device(test::random_matrix(random, type, n, n, test::Spread::uniform, 4, false), false, false);
  const test::MeantSemiring s = test::built_in_semiring("PLUS_SECOND_INT64");
  const Monoid plus = *catalogue::monoid("PLUS_INT64"), most = *catalogue::monoid("MAX_INT64");
  const test::Forced forced("mxv_parts");
  const auto op = [](const char* name) { return *catalogue::binary_op(std::string(name) + "_INT64"); };
  const RefVector begin = test::random_vector(random, type, n, 1, false);
  // In the seventh round another sum is asked for than was begun.
  const auto iterate = [&](bool in_parts,
                           const std::function<void(const DeviceVector&, const DeviceVector&)>& look) {
    DeviceVector x = test::to_device(begin, Form::full, false), y = x, z = x, sent = x;
    std::vector<std::string> sums;
    for (int k = 0; k < 12; ++k) {
      operations::settle_parts(plain(sent), {&x, &y});
      operations::ewise_mult(plain(sent), op("BXOR"), x, y);
      operations::mxv({x, {}, op("PLUS"), false},
                      {s.semiring, a, sent, false, false, runtime::devices(), in_parts});
      operations::settle_parts(plain(y), {&y, &x});
      operations::ewise_mult(plain(y), op("MINUS"), y, x);
      operations::ewise_mult(plain(z), op("BOR"), x, y);
      look(y, z);
      sums.push_back(operations::reduce(k == 6 ? most : plus, y)->bytes);
      sums.push_back(operations::reduce(plus, z)->bytes);
      sums.push_back(operations::reduce(plus, z)->bytes);  // it is there
    }
    return sums;
  };
  std::string of_y, of_z;
  const auto in_parts = iterate(true, [&](const DeviceVector& y, const DeviceVector& z) {
    of_y += y.parts->sum != nullptr ? 's' : '-';
    of_z += z.parts->sum != nullptr ? 's' : '-';
  });
  CHECK(in_parts == iterate(false, [](const DeviceVector&, const DeviceVector&) {}));
  CHECK(of_y == "---ssss---ss");
  CHECK(of_z == "---sssssssss");
}

TEST_CASE("without memory for an early start the product makes room when it comes") {
  if (runtime::devices().size() < 2) return;
  test::Random random(33);
  const Type& type = Type::of(TypeCode::Int64);
  constexpr uint64_t n = 2000;
  // Products of so few rows whose results come home are best left to one GPU: that matrix is another one.
  const RefMatrix drawn = scattered_or_near_diagonal(random, type, n);
  const formats::DeviceMatrix a = test::to_device(drawn, false, false),
                              at_home = test::to_device(drawn, false, false);
  const test::MeantSemiring s = test::built_in_semiring("PLUS_SECOND_INT64");
  const test::Forced forced("mxv_parts");
  const BinaryOp plus = *catalogue::binary_op("PLUS_INT64");
  const RefVector begin = test::random_vector(random, type, n, 1, false);
  // The sixth round's write has an allocation that fails.
  const auto after = [&](bool in_parts, const std::string& injection, bool& written, uint64_t& between) {
    DeviceVector x = test::to_device(begin, Form::full, false), sent = x;
    for (int k = 0; k < 6; ++k) {
      operations::settle_parts(plain(sent), {&x});
      const uint64_t before = trace::totals().bytes_between;
      if (k == 5) runtime::injection::reset(injection);
      try {
        operations::apply(plain(sent), *catalogue::unary_op("AINV_INT64"), x);
        written = true;
      } catch (const runtime::OutOfMemory&) {
        written = false;
      }
      runtime::injection::reset("");
      between = trace::totals().bytes_between - before;
      if (!written) break;
      operations::mxv({x, {}, plus, false},
                      {s.semiring, in_parts ? a : at_home, sent, false, false, runtime::devices(), in_parts});
    }
    return test::from_device(formats::collected(x));
  };
  bool written = false;
  uint64_t between = 0;
  const RefVector expected = after(false, "", written, between);
  CHECK(test::difference(expected, after(true, "", written, between)) == "");
  CHECK((written && between > 0));
  unsigned not_started = 0;
  for (int failing = 1; failing < 30; ++failing) {
    const RefVector found = after(true, "allocation:" + std::to_string(failing), written, between);
    if (!written) continue;  // it was the result's memory
    CHECK(test::difference(expected, found) == "");
    not_started += between == 0;
  }
  CHECK(not_started > 0);
}

TEST_CASE("a call whose early start fails at its n-th launch is made once more, and the loop goes on") {
  if (runtime::devices().size() < 2) return;
  test::Random random(34);
  const Type& type = Type::of(TypeCode::Int64);
  constexpr uint64_t n = 2000;
  // Products of so few rows whose results come home are best left to one GPU: that matrix is another one.
  const RefMatrix drawn = scattered_or_near_diagonal(random, type, n);
  const formats::DeviceMatrix a = test::to_device(drawn, false, false),
                              at_home = test::to_device(drawn, false, false);
  const test::MeantSemiring s = test::built_in_semiring("PLUS_SECOND_INT64");
  const Monoid sum = *catalogue::monoid("PLUS_INT64");
  const test::Forced forced("mxv_parts");
  const BinaryOp plus = *catalogue::binary_op("PLUS_INT64");
  const RefVector begin = test::random_vector(random, type, n, 1, false);
  // In the sixth round both writes have a launch that fails.
  const auto after = [&](bool in_parts, int failing, unsigned& failures) {
    DeviceVector x = test::to_device(begin, Form::full, false), sent = x, y = x;
    std::string sums;
    for (int k = 0; k < 8; ++k) {
      const auto write = [&](DeviceVector& w, const char* op, const DeviceVector& of) {
        operations::settle_parts(plain(w), {&x});
        operations::apply(plain(w), *catalogue::unary_op(op), of);
      };
      const auto write_twice = [&](DeviceVector& w, const char* op, const DeviceVector& of) {
        if (k == 5 && failing > 0) runtime::injection::reset("launch:" + std::to_string(failing));
        try {
          write(w, op, of);
          runtime::injection::reset("");
        } catch (const std::exception&) {
          runtime::injection::reset("");
          ++failures;
          write(w, op, of);
        }
      };
      write_twice(sent, "AINV_INT64", x);
      operations::mxv({x, {}, plus, false},
                      {s.semiring, in_parts ? a : at_home, sent, false, false, runtime::devices(), in_parts});
      write_twice(y, "ABS_INT64", x);
      sums += operations::reduce(sum, y)->bytes;
    }
    return std::pair(test::from_device(formats::collected(x)), sums);
  };
  unsigned failures = 0;
  const auto expected = after(false, 0, failures);
  for (int failing = 0; failing < 14; ++failing) {
    const auto found = after(true, failing, failures);
    INFO("launch " << failing);
    CHECK(test::difference(expected.first, found.first) == "");
    CHECK(expected.second == found.second);
  }
  CHECK(failures > 4);
}

TEST_CASE("a matrix and its transpose are dealt alike: hubs and authorities stay in parts") {
  if (runtime::devices().size() < 2) return;
  test::Random random(21);
  const Type& type = Type::of(TypeCode::Int64);
  constexpr uint64_t n = 5000;
  const RefMatrix links = test::random_matrix(random, type, n, n, test::Spread::uniform, 4, false);
  const formats::DeviceMatrix a = test::to_device(links, false, false);
  const test::MeantSemiring s = test::built_in_semiring("PLUS_SECOND_INT64");
  const test::Forced forced("mxv_parts");
  DeviceVector hubs = test::to_device(test::random_vector(random, type, n, 1, false), Form::full, false),
               whole_hubs = hubs;
  const auto step = [&](const DeviceVector& from, bool transpose, bool in_parts) {
    DeviceVector to = DeviceVector::full_of(type, n, test::make_value(type, 1).bytes.data());
    operations::mxv({to, {}, *catalogue::binary_op("PLUS_INT64"), false},
                    {s.semiring, a, from, transpose, false, runtime::devices(), in_parts});
    return to;
  };
  for (int k = 0; k < 3; ++k) {
    hubs = step(step(hubs, true, true), false, true);
    whole_hubs = step(step(whole_hubs, true, false), false, false);
    CHECK(test::difference(test::from_device(whole_hubs), test::from_device(hubs)) == "");
    check_places(hubs);
  }
  const auto* const rows = a.find_derived(false, formats::RowParts::Key{true});
  const auto* const columns = a.find_derived(true, formats::RowParts::Key{true});
  REQUIRE(rows != nullptr);
  REQUIRE(columns != nullptr);
  CHECK(rows->split == columns->split);
  CHECK(formats::check(*rows, a.by_rows(false)) == "");
  CHECK(rows->imbalance() <= 1.05);
}

TEST_CASE(
    "results that are collected every time come home by themselves, and are left in parts again later") {
  if (runtime::devices().size() < 2) return;
  test::Random random(18);
  const Type& type = Type::of(TypeCode::Int32);
  const RefMatrix links = test::random_matrix(random, type, 300, 300, test::Spread::uniform, 4, false);
  const formats::DeviceMatrix a = test::to_device(links, false, false);
  const DeviceVector u = test::to_device(test::random_vector(random, type, 300, 1, false), Form::full, false);
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_INT32");
  const test::Forced forced("mxv_parts");
  std::string stays;
  for (int k = 0; k < 60; ++k) {
    DeviceVector w = DeviceVector::empty(type, 300);
    operations::mxv(plain(w), {s.semiring, a, u, false, false, runtime::devices(), true});
    stays += w.parts == nullptr ? '-' : 'p';
    formats::collected(w);
  }
  CHECK(stays.substr(0, 5) == "ppppp");
  CHECK(stays.substr(10, 20) == std::string(20, '-'));
  CHECK(stays.find('p', 20) != std::string::npos);
}

TEST_CASE("an element-wise call in parts that fails at its n-th allocation or launch changes nothing") {
  test::Random random(19);
  const Type& type = Type::of(TypeCode::Int64);
  const RefVector first = test::random_vector(random, type, 400, 1, false),
                  second = test::random_vector(random, type, 400, 0.5, false);
  const auto split = random_split(random, 400, 3);
  const auto attempt = [&](const std::string& injection) {
    const DeviceVector u = formats::in_parts(test::to_device(first, Form::full, false), split),
                       v = test::to_device(second, Form::bitmap, false);
    DeviceVector w = formats::in_parts(test::to_device(second, Form::bitmap, false), split);
    runtime::injection::reset(injection);
    bool failed = false;
    try {
      operations::ewise_add({w, {}, *catalogue::binary_op("PLUS_INT64"), false},
                            *catalogue::binary_op("MINUS_INT64"), u, v);
    } catch (const std::exception&) {
      failed = true;
    }
    runtime::injection::reset("");
    if (failed) CHECK(test::difference(second, test::from_device(w)) == "");
    return failed;
  };
  attempt("");
  unsigned failures = 0;
  for (const char* point : {"allocation:", "launch:"}) {
    unsigned at = 1;
    while (at < 100 && attempt(point + std::to_string(at))) ++at, ++failures;
    CHECK(at < 100);
  }
  CHECK(failures > 5);
}

TEST_CASE("what puts entries that arrive in place compiles for GPUs") {
  agree_in_parts({"PLUS_TIMES_FP64"}, 1100, test::Spread::uniform, 1);  // asks for it
  size_t compiled = 0;
  for (const jit::Request& request : jit::requests_so_far()) {
    if (request.name.find("row_part_arrive") == std::string::npos &&
        request.name.find("row_part_is_placed") == std::string::npos)
      continue;
    INFO(request.name);
    const auto result = test::compiled_for_gpu(request, "sm_90");
    if (!result) return;
    CHECK_FALSE(result->image.empty());
    ++compiled;
  }
  if (runtime::devices().size() > 1) CHECK(compiled >= 2);
}
