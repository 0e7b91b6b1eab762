// Matrices: uploads of every form, and the stress modes' way out of SuiteSparse and back.
#include "src/mirror/mirror.h"
#include "tests/catch.h"
#include "tests/mirror/matrices.h"

using namespace cugrb;
using namespace cugrb::test;
using mirror::State;

namespace {

const std::vector<std::string> some_types = {"bool", "int32", "fp64", "Point"};

}  // namespace

TEST_CASE("an uploaded matrix has SuiteSparse's entries, in its own orientation") {
  for (const std::string& name : some_types) {
    const TestType& type = type_named(name);
    for_all_shapes(13, 19, [&](const Shape& shape) {
      INFO(describe(shape, type));
      GrB_Matrix a = make_matrix(shape, type, 11);
      GrB_Matrix reference = make_matrix(shape, type, 11);  // not a dup: that would finish the pending work
      const Entries expected = test::entries_of(reference, type);
      const uint64_t bytes = mirror::upload_bytes(a);
      {
        const mirror::MatrixUse use = mirror::read(a);
        CHECK(use->by_column == shape.by_column);
        CHECK(use->rows == 13);
        CHECK(use->columns == 19);
        CHECK(use->bytes() == bytes);
        CHECK(entries_of(*use) == expected);
      }
      CHECK(mirror::state(a) == State::both);
      CHECK(mirror::upload_bytes(a) == 0);
      CHECK(test::entries_of(a, type) == expected);
      mirror::host_changed(a);
      CHECK(mirror::state(a) == State::host);
      release(a);
      GrB_Matrix_free(&reference);
    });
  }
}

TEST_CASE("a matrix moved out of SuiteSparse comes back exactly as it was", "[no_device]") {
  for (const std::string& name : some_types) {
    const TestType& type = type_named(name);
    for_all_shapes(9, 14, [&](const Shape& shape) {
      INFO(describe(shape, type));
      GrB_Matrix a = make_matrix(shape, type, 12);
      REQUIRE(GxB_Matrix_Option_set(a, GxB_HYPER_SWITCH, 0.3) == GrB_SUCCESS);
      REQUIRE(GxB_Matrix_Option_set(a, GxB_BITMAP_SWITCH, 0.7) == GrB_SUCCESS);
      GrB_Matrix reference = make_matrix(shape, type, 12);  // not a dup: that would finish the pending work
      const Entries expected = test::entries_of(reference, type);
      GrB_Index before_moving = 0;
      REQUIRE(GrB_Matrix_nvals(&before_moving, a) == GrB_SUCCESS);  // finishes work: the form may change here
      const Options options = options_of(a);

      mirror::stress_evict(a);
      CHECK(mirror::state(a) == State::device);
      GrB_Index left = 1;
      CHECK(GrB_Matrix_nvals(&left, a) == GrB_SUCCESS);
      CHECK(left == 0);  // really gone from SuiteSparse
      CHECK(mirror::to_host(a) == GrB_SUCCESS);
      CHECK(mirror::state(a) == State::host);
      CHECK(options_of(a) == options);
      CHECK(test::entries_of(a, type) == expected);

      release(a);
      GrB_Matrix_free(&reference);
    });
  }
}

TEST_CASE("a matrix that is moved out goes to the device from where it is") {
  const TestType& type = type_named("fp64");
  for_all_shapes(9, 14, [&](const Shape& shape) {
    INFO(describe(shape, type));
    GrB_Matrix a = make_matrix(shape, type, 17);
    GrB_Matrix reference = make_matrix(shape, type, 17);
    const Entries expected = test::entries_of(reference, type);
    mirror::stress_evict(a);
    CHECK(entries_of(*mirror::read(a)) == expected);
    mirror::stress_evict(a);
    CHECK(mirror::upload_bytes(a) == 0);
    CHECK(mirror::evict(SIZE_MAX) > 0);
    CHECK(entries_of(*mirror::read(a)) == expected);
    CHECK(mirror::to_host(a) == GrB_SUCCESS);
    CHECK(test::entries_of(a, type) == expected);
    release(a);
    GrB_Matrix_free(&reference);
  });
}

TEST_CASE("vectors move out of SuiteSparse and back too", "[no_device]") {
  for (const TestType& type : all_types()) {
    for_all_shapes(23, 1, [&](const Shape& shape) {
      if (!shape.by_column || shape.form == GxB_HYPERSPARSE) return;
      INFO(describe(shape, type));
      GrB_Vector v = make_vector(23, shape, type, 13);
      const Entries expected = test::entries_of(v, type);
      const Options options = options_of(reinterpret_cast<GrB_Matrix>(v));
      mirror::stress_evict(v);
      mirror::stress_evict(v);
      GrB_Index left = 1, held = 0;
      CHECK(GrB_Vector_nvals(&left, v) == GrB_SUCCESS);
      CHECK(left == 0);
      CHECK(mirror::unsettled_nvals(v, &held));
      CHECK(held == expected.size());
      CHECK(mirror::to_host(v) == GrB_SUCCESS);
      CHECK(options_of(reinterpret_cast<GrB_Matrix>(v)) == options);
      CHECK(test::entries_of(v, type) == expected);
      mirror::forget(v);
      GrB_Vector_free(&v);
    });
  }
}

TEST_CASE("objects that are freed or emptied while moved out leave nothing behind", "[no_device]") {
  const TestType& type = type_named("fp64");
  const int64_t before = live_allocations();
  Shape shape;
  shape.rows = shape.columns = 20;
  shape.entries = 50;
  GrB_Matrix a = make_matrix(shape, type, 14);
  mirror::stress_evict(a);
  mirror::host_changed(a);  // a call has replaced the content
  CHECK(mirror::state(a) == State::host);
  CHECK(test::entries_of(a, type).empty());
  mirror::stress_evict(a);
  release(a);
  GrB_Vector v = make_vector(20, shape, type, 15);
  mirror::stress_evict(v);
  mirror::finalize();
  GrB_Vector_free(&v);
  CHECK(live_allocations() == before);
}

TEST_CASE("matrices without rows, columns or entries go up and move out") {
  const TestType& type = type_named("int32");
  const std::pair<uint64_t, uint64_t> sizes[] = {{0, 0}, {0, 5}, {5, 0}, {1, 1}, {7, 1}, {1, 7}};
  for (const auto& [rows, columns] : sizes) {
    for (const int form : {GxB_HYPERSPARSE, GxB_SPARSE, GxB_BITMAP, GxB_FULL}) {
      for (const bool by_column : {false, true}) {
        Shape s;
        s.rows = rows;
        s.columns = columns;
        s.form = form;
        s.by_column = by_column;
        INFO(describe(s, type));
        GrB_Matrix a = make_matrix(s, type, 16);
        const Entries expected = test::entries_of(a, type);
        CHECK(entries_of(*mirror::read(a)) == expected);
        const Options options = options_of(a);
        mirror::stress_evict(a);
        CHECK(mirror::to_host(a) == GrB_SUCCESS);
        CHECK(options_of(a) == options);
        CHECK(test::entries_of(a, type) == expected);
        release(a);
      }
    }
  }
}

TEST_CASE("a hypersparse matrix that would be nothing but offsets is declined, before anything moves") {
  start_graphblas();
  for (const int bits : {25, 30, 40, 60}) {
    INFO(bits);
    const uint64_t rows = uint64_t(1) << bits;
    GrB_Matrix a = nullptr;
    REQUIRE(GrB_Matrix_new(&a, GrB_FP32, rows, rows) == GrB_SUCCESS);
    REQUIRE(GrB_Matrix_setElement_FP32(a, 1, rows / 2, 5) == GrB_SUCCESS);
    CHECK(reason_of([&] { mirror::upload_bytes(a); }).find("hypersparse") != std::string::npos);
    CHECK(reason_of([&] { mirror::read(a); }).find("hypersparse") != std::string::npos);
    mirror::stress_evict(a);
    CHECK(reason_of([&] { mirror::upload_bytes(a); }).find("hypersparse") != std::string::npos);
    CHECK(mirror::to_host(a) == GrB_SUCCESS);
    CHECK(test::entries_of(a, type_named("fp32")).size() == 1);
    release(a);
  }
}

TEST_CASE("an iso full matrix of 2^60 positions is declined; what its reduction needs of it is one value") {
  start_graphblas();
  const uint64_t rows = uint64_t(1) << 30;
  GrB_Matrix a = nullptr;
  REQUIRE(GrB_Matrix_new(&a, GrB_INT32, rows, rows) == GrB_SUCCESS);
  REQUIRE(GrB_Matrix_assign_INT32(a, nullptr, nullptr, 7, GrB_ALL, rows, GrB_ALL, rows, nullptr) ==
          GrB_SUCCESS);
  CHECK(mirror::is_iso(a));
  CHECK(reason_of([&] { mirror::upload_bytes(a); }).find("1073741824x1073741824") != std::string::npos);
  CHECK(reason_of([&] { mirror::read(a); }).find("1073741824x1073741824") != std::string::npos);
  for (const bool moved_out : {false, true}) {
    if (moved_out) mirror::stress_evict(a);
    const auto entries = mirror::iso_entries(a);
    REQUIRE(entries.has_value());
    CHECK(entries->nvals() == rows * rows);
    CHECK(entries->values.read<int32_t>() == 7);
  }
  release(a);
}
