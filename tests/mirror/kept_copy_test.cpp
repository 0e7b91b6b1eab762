// Matrices whose arrays the program unpacks and packs again: the device's copy stays where they have come
// back as they were, and goes where anything differs.
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#include "src/mirror/mirror.h"
#include "tests/catch.h"
#include "tests/mirror/objects.h"
#include "tests/mirror/release.h"

using namespace cugrb;
using namespace cugrb::test;

namespace kept_copy_test {
namespace {

constexpr uint64_t rows = 500, columns = 700;

/// Large enough to be compared.
Shape shape_of(bool by_column, bool iso) {
  Shape shape;
  shape.rows = rows, shape.columns = columns;
  shape.by_column = by_column, shape.iso = iso;
  shape.entries = iso ? 600000 : 300000;
  return shape;
}

/// What GxB_Matrix_unpack_CSR and _CSC give.
struct Arrays {
  GrB_Index *offsets = nullptr, *indices = nullptr;
  void* values = nullptr;
  GrB_Index offset_bytes = 0, index_bytes = 0, value_bytes = 0;
  bool iso = false, jumbled = false;
};

Arrays unpack(GrB_Matrix a, bool by_column) {
  Arrays x;
  const auto function = by_column ? GxB_Matrix_unpack_CSC : GxB_Matrix_unpack_CSR;
  REQUIRE(function(a, &x.offsets, &x.indices, &x.values, &x.offset_bytes, &x.index_bytes, &x.value_bytes,
                   &x.iso, nullptr, nullptr) == GrB_SUCCESS);
  mirror::host_unpacked(a);
  return x;
}

void pack(GrB_Matrix a, Arrays x, bool by_column) {
  const auto function = by_column ? GxB_Matrix_pack_CSC : GxB_Matrix_pack_CSR;
  REQUIRE(function(a, &x.offsets, &x.indices, &x.values, x.offset_bytes, x.index_bytes, x.value_bytes, x.iso,
                   x.jumbled, nullptr) == GrB_SUCCESS);
  mirror::host_changed(a);
}

/// The matrix is used on the device. Whether that took an upload.
bool goes_up(GrB_Matrix a) {
  const uint64_t before = mirror::statistics().uploads;
  mirror::read(a);
  return mirror::statistics().uploads != before;
}

/// The device's content is the object's: it comes down from there into another object.
void check_device_has(GrB_Matrix a, const TestType& type) {
  const Entries expected = entries_of(a, type);
  GrB_Matrix copy = nullptr;
  REQUIRE(GrB_Matrix_new(&copy, type.handle, rows, columns) == GrB_SUCCESS);
  REQUIRE(mirror::share(a, copy));
  REQUIRE(mirror::to_host(copy) == GrB_SUCCESS);
  CHECK(entries_of(copy, type) == expected);
  release(copy);
}

/// Uses it, unpacks it, lets `change` do something with the arrays, packs them. Whether it goes up again.
bool goes_up_after(GrB_Matrix a, bool by_column, const std::function<void(Arrays&)>& change) {
  mirror::read(a);
  Arrays arrays = unpack(a, by_column);
  change(arrays);
  pack(a, arrays, by_column);
  CHECK(mirror::state(a) == mirror::State::host);
  return goes_up(a);
}

const auto nothing = [](Arrays&) {};

/// A row or column with at least two entries, and a free position behind its first one.
uint64_t place_with_gap(const Arrays& x, uint64_t from, uint64_t length) {
  for (uint64_t v = from;; ++v) {
    for (uint64_t k = x.offsets[v]; k < x.offsets[v + 1]; ++k) {
      const uint64_t next = k + 1 < x.offsets[v + 1] ? x.indices[k + 1] : length;
      if (x.indices[k] + 1 < next) return k;
    }
  }
}

}  // namespace

TEST_CASE("a copy stays when the program packs what it has unpacked") {
  for (const TestType& type : all_types()) {
    for (const bool by_column : {false, true}) {
      for (const bool iso : {false, true}) {
        INFO(type.name << (by_column ? " by column" : " by row") << (iso ? " iso" : ""));
        GrB_Matrix a = make_matrix(shape_of(by_column, iso), type, 7);
        mirror::read(a);
        const bool is_large = mirror::read(a)->content_bytes() >= (1 << 20);
        for (int turn = 0; turn < 3; ++turn) CHECK(goes_up_after(a, by_column, nothing) == !is_large);
        check_device_has(a, type);
        release(a);
      }
    }
  }
}

TEST_CASE("what was derived from a matrix comes back with its copy") {
  GrB_Matrix a = make_matrix(shape_of(false, false), type_named("int64"), 8);
  const void* transpose = mirror::read(a)->by_rows(true).column_indices.data();
  CHECK_FALSE(goes_up_after(a, false, nothing));
  const auto use = mirror::read(a);
  CHECK(use->has_rows(true));
  CHECK(use->by_rows(true).column_indices.data() == transpose);
}

TEST_CASE("a copy goes when any place of the arrays differs") {
  const bool by_column = GENERATE(false, true);
  const uint64_t length = by_column ? rows : columns;
  const TestType& type = type_named("int32");
  const auto vectors = [&] { return by_column ? columns : rows; };
  const std::vector<std::pair<const char*, std::function<void(Arrays&)>>> changes = {
      {"the first value", [](Arrays& x) { static_cast<int32_t*>(x.values)[0] ^= 1; }},
      {"the last value",
       [&](Arrays& x) { static_cast<int32_t*>(x.values)[x.offsets[vectors()] - 1] ^= 1 << 30; }},
      {"an index at the front", [&](Arrays& x) { ++x.indices[place_with_gap(x, 0, length)]; }},
      {"an index near the end", [&](Arrays& x) { ++x.indices[place_with_gap(x, vectors() - 2, length)]; }},
      {"two values that change places",
       [](Arrays& x) { std::swap(static_cast<int32_t*>(x.values)[0], static_cast<int32_t*>(x.values)[2]); }},
  };
  for (const auto& [what, change] : changes) {
    INFO(what);
    GrB_Matrix a = make_matrix(shape_of(by_column, false), type, 9);
    CHECK(goes_up_after(a, by_column, change));
    check_device_has(a, type);
    release(a);
  }
}

TEST_CASE("an offset is compared, where all else is the same") {
  constexpr uint64_t n = 300000;
  std::vector<GrB_Index> places(n);
  for (uint64_t k = 0; k < n; ++k) places[k] = k;
  const std::vector<int32_t> ones(n, 1);
  start_graphblas();
  GrB_Matrix a = nullptr;
  REQUIRE(GrB_Matrix_new(&a, GrB_INT32, n, n) == GrB_SUCCESS);
  REQUIRE(GrB_Matrix_build_INT32(a, places.data(), places.data(), ones.data(), n, GrB_PLUS_INT32) ==
          GrB_SUCCESS);
  const uint64_t row = GENERATE(uint64_t(1), n / 2, n - 1);
  CHECK_FALSE(goes_up_after(a, false, nothing));
  CHECK(goes_up_after(a, false, [&](Arrays& x) { --x.offsets[row]; }));  // (row - 1, row - 1) moves down
  CHECK(mirror::read(a)->stored.offsets.read<uint32_t>(row) == row - 1);
  release(a);
}

TEST_CASE("the one value of an iso matrix is compared, too") {
  const TestType& type = type_named("int32");
  GrB_Matrix a = make_matrix(shape_of(false, true), type, 10);
  CHECK(goes_up_after(a, false, [](Arrays& x) { ++*static_cast<int32_t*>(x.values); }));
  check_device_has(a, type);
  release(a);
}

TEST_CASE("it is the content that is compared, wherever it lies") {
  const TestType& type = type_named("int32");
  GrB_Matrix a = make_matrix(shape_of(false, false), type, 11);
  const auto move = [](Arrays& x) {  // through GraphBLAS's own allocator, as pack wants it
    GrB_Matrix other = nullptr;
    REQUIRE(GrB_Matrix_new(&other, GrB_INT32, rows, columns) == GrB_SUCCESS);
    Arrays given = x;
    REQUIRE(GxB_Matrix_pack_CSR(other, &given.offsets, &given.indices, &given.values, x.offset_bytes,
                                x.index_bytes, x.value_bytes, x.iso, false, nullptr) == GrB_SUCCESS);
    GrB_Matrix copy = nullptr;
    REQUIRE(GrB_Matrix_dup(&copy, other) == GrB_SUCCESS);
    GrB_Matrix_free(&other);
    REQUIRE(GxB_Matrix_unpack_CSR(copy, &x.offsets, &x.indices, &x.values, &x.offset_bytes, &x.index_bytes,
                                  &x.value_bytes, &x.iso, nullptr, nullptr) == GrB_SUCCESS);
    GrB_Matrix_free(&copy);
  };
  CHECK_FALSE(goes_up_after(a, false, move));
  check_device_has(a, type);
  release(a);
}

TEST_CASE("entries out of order are sorted before they are compared") {
  const TestType& type = type_named("int32");
  GrB_Matrix a = make_matrix(shape_of(false, false), type, 12);
  const auto swap_entries = [](Arrays& x) {
    REQUIRE(x.offsets[1] - x.offsets[0] >= 2);
    std::swap(x.indices[0], x.indices[1]);
    std::swap(static_cast<int32_t*>(x.values)[0], static_cast<int32_t*>(x.values)[1]);
    x.jumbled = true;
  };
  CHECK_FALSE(goes_up_after(a, false, swap_entries));
  check_device_has(a, type);
  release(a);
}

TEST_CASE("a full matrix's values are compared") {
  const TestType& type = type_named("fp64");
  Shape shape = shape_of(false, false);
  shape.form = GxB_FULL;
  GrB_Matrix a = make_matrix(shape, type, 13);
  for (const bool changed : {false, true}) {
    mirror::read(a);
    void* values = nullptr;
    GrB_Index bytes = 0;
    bool iso = false;
    REQUIRE(GxB_Matrix_unpack_FullR(a, &values, &bytes, &iso, nullptr) == GrB_SUCCESS);
    mirror::host_unpacked(a);
    if (changed) static_cast<double*>(values)[rows * columns / 2] += 1;
    REQUIRE(GxB_Matrix_pack_FullR(a, &values, bytes, iso, nullptr) == GrB_SUCCESS);
    mirror::host_changed(a);
    CHECK(goes_up(a) == changed);
    check_device_has(a, type);
  }
  release(a);
}

TEST_CASE("a content of another shape or form is not compared") {
  const TestType& type = type_named("int32");
  GrB_Matrix a = make_matrix(shape_of(false, false), type, 14);
  mirror::read(a);
  Arrays arrays = unpack(a, false);
  REQUIRE(GrB_Matrix_setElement_INT32(a, 5, 3, 4) == GrB_SUCCESS);  // in place of what was there
  mirror::host_changed(a);
  CHECK(goes_up(a));
  check_device_has(a, type);
  pack(a, arrays, false);
  CHECK(goes_up(a));  // the copy that was set aside is gone
  check_device_has(a, type);
  release(a);
}

TEST_CASE("contents that do not come back are soon not waited for") {
  const TestType& type = type_named("int32");
  GrB_Matrix a = make_matrix(shape_of(false, false), type, 15);
  const auto changes = [](Arrays& x) { ++static_cast<int32_t*>(x.values)[0]; };
  const auto keeps_memory = [&] {
    mirror::read(a);
    runtime::device().trim();
    const size_t before = runtime::device().memory().free_bytes;
    Arrays arrays = unpack(a, false);
    runtime::device().trim();
    const bool keeps = runtime::device().memory().free_bytes == before;
    changes(arrays);
    pack(a, arrays, false);
    return keeps;
  };
  CHECK(keeps_memory());
  CHECK(goes_up(a));
  CHECK_FALSE(keeps_memory());
  // One that stays is found again later.
  bool kept = false;
  for (int turn = 0; turn < 16 && !kept; ++turn) kept = !goes_up_after(a, false, nothing);
  CHECK(kept);
  check_device_has(a, type);
  release(a);
}

TEST_CASE("pressure takes a copy that is set aside before it takes any other") {
  const TestType& type = type_named("int32");
  GrB_Matrix a = make_matrix(shape_of(false, false), type, 17);
  GrB_Matrix b = make_matrix(shape_of(false, false), type, 18);
  mirror::read(b);
  mirror::read(a);
  Arrays arrays = unpack(a, false);
  CHECK(mirror::evict(1) > 0);
  CHECK_FALSE(goes_up(b));
  pack(a, arrays, false);
  CHECK(goes_up(a));
  check_device_has(a, type);
  release(a);
  release(b);
}

TEST_CASE("a matrix that is freed while its copy is set aside takes it along") {
  const TestType& type = type_named("int32");
  start_graphblas();
  const auto bytes_in_use = [] {
    runtime::device().take_peak_bytes();
    return runtime::device().take_peak_bytes();
  };
  const size_t before = bytes_in_use();
  GrB_Matrix a = make_matrix(shape_of(false, false), type, 16);
  mirror::read(a);
  Arrays arrays = unpack(a, false);
  release(a);
  GrB_Matrix b = nullptr;  // perhaps at the same address
  REQUIRE(GrB_Matrix_new(&b, GrB_INT32, rows, columns) == GrB_SUCCESS);
  pack(b, arrays, false);
  CHECK(goes_up(b));
  check_device_has(b, type);
  release(b);
  CHECK(bytes_in_use() == before);
}

}  // namespace kept_copy_test
