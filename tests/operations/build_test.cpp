// Objects from tuples against the definition: the values at a place, in their order, combined by the
// operator.
#include "src/operations/build.h"

#include <algorithm>
#include <numeric>

#include "cuda/views/build.h"
#include "semirings/table.h"
#include "tests/catch.h"
#include "tests/operations/breadth.h"
#include "tests/operations/cost.h"
#include "tests/operations/matrix_exits.h"

using namespace cugrb;
using namespace cugrb::test;

namespace {

struct HostTuples {
  uint64_t rows, columns;  ///< of the object
  std::vector<std::pair<uint64_t, uint64_t>> places;
  std::vector<Value> values;
};

enum class Order : uint8_t { any, sorted };

/// `copies`: tuples a place, on the average. Sorted ones keep the order of copies.
HostTuples draw(Random& random, const std::string& type, uint64_t rows, uint64_t columns, uint64_t count,
                double copies, Order order, bool iso = false) {
  HostTuples t{rows, columns, {}, {}};
  const auto places = uint64_t(double(count) / copies) + 1;
  std::vector<std::pair<uint64_t, uint64_t>> some(places);
  for (auto& place : some) place = {below(random, rows), below(random, columns)};
  for (uint64_t n = 0; n < count; ++n) t.places.push_back(some[below(random, places)]);
  if (order == Order::sorted) std::sort(t.places.begin(), t.places.end());
  const Value one = random_value(random, type_of(type));
  for (uint64_t n = 0; n < count; ++n) t.values.push_back(iso ? one : random_value(random, type_of(type)));
  return t;
}

/// Each place once.
HostTuples distinct(Random& random, const std::string& type, uint64_t rows, uint64_t columns, Order order) {
  HostTuples t{rows, columns, {}, {}};
  for (uint64_t i = 0; i < rows; ++i) {
    for (uint64_t j = 0; j < columns; ++j) {
      if (chance(random, 0.4)) t.places.emplace_back(i, j);
    }
  }
  if (order == Order::any) std::shuffle(t.places.begin(), t.places.end(), random);
  for (size_t n = 0; n < t.places.size(); ++n) t.values.push_back(random_value(random, type_of(type)));
  return t;
}

RefMatrix ref_build(const HostTuples& tuples, const std::optional<BinaryOp>& op, const Type& given) {
  const Type& type = op ? op->z : given;
  RefMatrix t{type, tuples.rows, tuples.columns, {}};
  for (size_t n = 0; n < tuples.places.size(); ++n) {
    const Value value = reference::cast(tuples.values[n], type);
    const auto [entry, is_new] = t.entries.try_emplace(tuples.places[n], value);
    if (!is_new) entry->second = reference::apply(*op, entry->second, value);
  }
  return t;
}

runtime::Buffer numbers(const std::vector<uint64_t>& list, formats::Width width) {
  if (width == formats::Width::bits64) return runtime::Buffer::from_host(list.data(), list.size() * 8);
  const std::vector<uint32_t> narrow(list.begin(), list.end());
  return runtime::Buffer::from_host(narrow.data(), narrow.size() * 4);
}

operations::Tuples on_device(const HostTuples& host, const Type& type, bool is_vector, bool iso = false) {
  operations::Tuples t;
  t.count = host.places.size();
  std::vector<uint64_t> rows, columns;
  std::string bytes;
  for (const auto& [i, j] : host.places) rows.push_back(i), columns.push_back(j);
  for (const Value& value : host.values) bytes += value.bytes;
  t.row_width = formats::index_width(host.rows);
  t.column_width = formats::index_width(host.columns);
  if (!is_vector) t.rows = numbers(rows, t.row_width);
  t.columns = numbers(columns, t.column_width);
  t.values.type = type;
  t.values.length = t.count;
  t.values.form = Form::full;
  t.values.iso = iso && t.count > 0;
  t.values.values = runtime::Buffer::from_host(bytes.data(), t.values.iso ? type.size : bytes.size());
  return t;
}

void check_matrix(const HostTuples& tuples, const std::string& type, const std::string& type_c,
                  const std::optional<BinaryOp>& op, bool by_column, bool iso = false) {
  formats::DeviceMatrix c = to_device({type_of(type_c), tuples.rows, tuples.columns, {}}, by_column, false);
  operations::build(c, on_device(tuples, type_of(type), false, iso), op);
  CHECK(difference(ref_write_back({type_of(type_c), tuples.rows * tuples.columns, {}}, {}, std::nullopt,
                                  false, flattened(ref_build(tuples, op, type_of(type)))),
                   flattened(read_back(c))) == "");
  CHECK(c.by_column == by_column);
}

void check_vector(const HostTuples& tuples, const std::string& type, const std::string& type_w,
                  const std::optional<BinaryOp>& op, bool iso = false) {
  formats::DeviceVector w = formats::DeviceVector::empty(type_of(type_w), tuples.columns);
  operations::build(w, on_device(tuples, type_of(type), true, iso), op);
  CHECK(difference(ref_write_back({type_of(type_w), tuples.columns, {}}, {}, std::nullopt, false,
                                  flattened(ref_build(tuples, op, type_of(type)))),
                   from_device(w)) == "");
}

struct Shape {
  uint64_t rows, columns;
};
constexpr Shape shapes[] = {{40, 70}, {1, 5000}, {3000, 1}, {1, 1}, {70000, 70000}, {5, uint64_t(1) << 33}};

}  // namespace

TEST_CASE("build puts each tuple at its place and combines those that meet, in their order") {
  Random random(71);
  for (const char* name : test::by_turns({"PLUS_INT32", "MINUS_FP64", "SECOND_INT64", "MAX_FP32"})) {
    const BinaryOp op = catalogue::binary_op(name).value();
    for (const Shape& shape : shapes) {
      for (const double copies : {1.0, 3.0, 400.0}) {
        for (const Order order : {Order::any, Order::sorted}) {
          // In one block, in tiles, and by a radix sort.
          const uint64_t count = order == Order::any && copies < 400 ? 1500 : BuildFew::tuples + 200;
          // Pieces of long runs are combined first: of MINUS that is another result, and undefined in
          // GraphBLAS.
          const bool associative = op.stem != "minus";
          if (!associative && (copies > 3 || shape.rows * shape.columns < 2000)) continue;
          INFO(name << ", " << shape.rows << " x " << shape.columns << ", " << copies << " copies, "
                    << (order == Order::any ? "unsorted" : "sorted"));
          const HostTuples t = draw(random, "INT16", shape.rows, shape.columns, count, copies, order);
          if (shape.rows < 70000 && shape.columns <= 5000) {
            check_matrix(t, "INT16", "FP64", op, false);
            check_matrix(t, "INT16", "FP64", op, true);
          }
          if (shape.rows == 1) check_vector(t, "INT16", "FP64", op);
        }
      }
    }
  }
}

TEST_CASE("a column of 2^33 positions, and 2^32 places and more, ask for wide keys") {
  Random random(72);
  const BinaryOp plus = catalogue::binary_op("PLUS_INT64").value();
  for (const Shape& shape : {Shape{70000, 70000}, Shape{5, uint64_t(1) << 33}, Shape{1, uint64_t(1) << 60}}) {
    for (const uint64_t count : {2000, 3000}) {
      INFO(shape.rows << " x " << shape.columns << ", " << count << " tuples");
      const HostTuples t = draw(random, "INT64", shape.rows, shape.columns, count, 2, Order::any);
      const RefMatrix wanted = ref_build(t, plus, type_of("INT64"));
      formats::DeviceMatrix c = to_device({type_of("INT64"), shape.rows, shape.columns, {}}, false, false);
      operations::build(c, on_device(t, type_of("INT64"), false), plus);
      CHECK(read_back(c).entries.size() == wanted.entries.size());
      bool same = true;
      for (const auto& [place, value] : read_back(c).entries) {
        const auto entry = wanted.entries.find(place);
        same = same && entry != wanted.entries.end() && entry->second.bytes == value.bytes;
      }
      CHECK(same);
      if (shape.rows == 1) check_vector(t, "INT64", "INT64", plus);
    }
  }
}

TEST_CASE("few tuples are built by one launch, whatever their number and however many meet") {
  Random random(78);
  const BinaryOp first = catalogue::binary_op("FIRST_INT64").value(),
                 plus = catalogue::binary_op("PLUS_INT64").value();
  for (const uint64_t count : {1, 2, 31, 512, 513, 1025, 2047, 2048, 2049}) {
    for (const double copies : {1.0, 2.0, 5000.0}) {
      INFO(count << " tuples, " << copies << " copies");
      const HostTuples t = draw(random, "INT64", 50, 60, count, copies, Order::any);
      const operations::Tuples device = on_device(t, type_of("INT64"), false);
      for (const BinaryOp& op : {first, plus}) {
        check_matrix(t, "INT64", "INT64", op, false);
        const Cost cost = cost_of([&] { operations::built(device, 50, 60, op); });
        CHECK((cost.launches == 1) == (count <= BuildFew::tuples));
      }
    }
  }
}

TEST_CASE("more tuples are built in tiles by three launches, or by a radix sort where too many meet") {
  Random random(79);
  const BinaryOp first = catalogue::binary_op("FIRST_INT64").value(),
                 plus = catalogue::binary_op("PLUS_INT64").value();
  constexpr uint64_t tile = BuildTiles::tuples;
  for (const uint64_t count : {tile - 1, tile, tile + 1, 2 * tile + 300, 5 * tile}) {
    // Blocks meet in two tiles as they do in five.
    if (races_only() && (count < tile || count > 3 * tile)) continue;
    for (const double copies : {1.0, 3.0, double(count)}) {
      for (const Order order : {Order::any, Order::sorted}) {
        const uint64_t rows = copies < 2 ? 70000 : 300, columns = copies < 2 ? 90000 : 200;
        INFO(count << " tuples, " << copies << " copies, " << (order == Order::any ? "unsorted" : "sorted"));
        const HostTuples t = draw(random, "INT64", rows, columns, count, copies, order);
        const operations::Tuples device = on_device(t, type_of("INT64"), false);
        for (const BinaryOp& op : {first, plus}) {
          const RefMatrix wanted = ref_build(t, op, type_of("INT64"));
          formats::DeviceMatrix c = to_device({type_of("INT64"), rows, columns, {}}, false, false);
          operations::build(c, device, op);
          const RefMatrix found = read_back(c);
          CHECK(found.entries.size() == wanted.entries.size());
          CHECK(std::equal(found.entries.begin(), found.entries.end(), wanted.entries.begin(),
                           wanted.entries.end(), [](const auto& x, const auto& y) {
                             return x.first == y.first && x.second.bytes == y.second.bytes;
                           }));
        }
        const Cost cost = cost_of([&] { operations::built(device, rows, columns, plus); });
        CHECK((cost.launches == 3) == (copies < 4));
      }
    }
  }
}

TEST_CASE("without an operator no two tuples may meet") {
  Random random(73);
  for (const Order order : {Order::any, Order::sorted}) {
    HostTuples t = distinct(random, "FP32", 30, 50, order);
    for (const bool by_column : {false, true}) check_matrix(t, "FP32", "INT32", std::nullopt, by_column);
    check_vector(distinct(random, "FP32", 1, 900, order), "FP32", "FP64", std::nullopt);
    t.places.push_back(t.places.back());
    t.values.push_back(t.values.front());
    formats::DeviceMatrix c = to_device({type_of("FP32"), 30, 50, {}}, false, false);
    CHECK_THROWS_WITH(operations::build(c, on_device(t, type_of("FP32"), false), std::nullopt),
                      Catch::Matchers::ContainsSubstring("at one place"));
    CHECK(c.nvals() == 0);
  }
}

TEST_CASE("a run of more than 32 tuples is cut into pieces, a shorter one is not") {
  const BinaryOp plus = catalogue::binary_op("PLUS_INT64").value();
  const auto launches = [&](uint64_t copies) {
    HostTuples t{1, 100, {}, {}};
    for (uint64_t n = 0; n < copies + 2; ++n) {
      t.places.emplace_back(0, n < copies ? 7 : 30 + n - copies);
      t.values.push_back(make_value(type_of("INT64"), double(n)));
    }
    const operations::Tuples device = on_device(t, type_of("INT64"), true);
    formats::DeviceVector w;
    const Cost cost = cost_of([&] {
      w = formats::DeviceVector::empty(type_of("INT64"), 100);
      operations::build(w, device, plus);
    });
    CHECK(difference(flattened(ref_build(t, plus, type_of("INT64"))), from_device(w)) == "");
    return cost.launches;
  };
  const uint64_t short_runs = launches(2);
  CHECK(launches(32) == short_runs);
  const uint64_t once_cut = launches(33);
  CHECK(once_cut > short_runs);
  CHECK(launches(32 * 32) == once_cut);
  CHECK(launches(32 * 32 + 1) > once_cut);
}

TEST_CASE("tuples with one value make an iso object") {
  Random random(74);
  const BinaryOp second = catalogue::second(type_of("FP32")),
                 plus = catalogue::binary_op("PLUS_FP32").value();
  const HostTuples t = draw(random, "FP32", 40, 40, 700, 2, Order::any, true);
  check_matrix(t, "FP32", "INT32", second, true, true);
  check_matrix(t, "FP32", "FP64", plus, false, true);  // sums of different numbers of copies
  formats::DeviceMatrix c = to_device({type_of("FP32"), 40, 40, {}}, false, false);
  operations::build(c, on_device(t, type_of("FP32"), false, true), second);
  CHECK(c.stored.iso);
  check_vector(draw(random, "FP32", 1, 300, 500, 3, Order::any, true), "FP32", "FP64", second, true);
}

TEST_CASE("sorted tuples of distinct places are not sorted again, and their values are not copied") {
  Random random(75);
  const HostTuples t = distinct(random, "FP64", 1, 500, Order::sorted);
  const operations::Tuples device = on_device(t, type_of("FP64"), true);
  formats::DeviceVector w = formats::DeviceVector::empty(type_of("FP64"), 500);
  operations::build(w, device, std::nullopt);
  CHECK(w.values.data() == device.values.values.data());
  CHECK(w.indices.data() == device.columns.data());
}

TEST_CASE("build of nothing, and of user-defined types of any size") {
  const operations::Tuples none;
  formats::DeviceMatrix c = to_device({type_of("FP32"), 3, 5, {}}, false, false);
  operations::Tuples nothing;
  nothing.values.type = type_of("FP32");
  operations::build(c, nothing, std::nullopt);
  CHECK(c.nvals() == 0);
  Random random(76);
  for (const size_t bytes : {3, 6, 24}) {
    const Type type{TypeCode::User, bytes, "bytes_" + std::to_string(bytes), ""};
    HostTuples t = distinct(random, "INT8", 20, 20, Order::any);
    for (Value& value : t.values) value = {type, std::string(bytes, char('a' + below(random, 26)))};
    formats::DeviceMatrix d = to_device({type, 20, 20, {}}, false, false);
    operations::build(d, on_device(t, type, false), std::nullopt);
    RefMatrix wanted{type, 20, 20, {}};
    for (size_t n = 0; n < t.places.size(); ++n) wanted.entries[t.places[n]] = t.values[n];
    CHECK(difference(flattened(wanted), flattened(read_back(d))) == "");
  }
}

TEST_CASE("build fails cleanly at every allocation and launch") {
  Random random(77);
  const BinaryOp plus = catalogue::binary_op("PLUS_INT32").value();
  const HostTuples t = draw(random, "INT16", 30, 30, BuildFew::tuples + 1, 60, Order::any);
  const operations::Tuples tuples = on_device(t, type_of("INT16"), false);
  formats::DeviceMatrix c;
  const RefVector nothing{type_of("FP64"), 900, {}};
  const RefVector wanted =
      ref_write_back(nothing, {}, std::nullopt, false, flattened(ref_build(t, plus, type_of("INT16"))));
  CHECK(check_failures({[&] {
                          c = to_device({type_of("FP64"), 30, 30, {}}, false, false);
                        },
                        [&] { operations::build(c, tuples, plus); },
                        [&] { return difference(nothing, flattened(read_back(c))); },
                        [&] { return difference(wanted, flattened(read_back(c))); }}) > 20);
}
