// How often a matrix's content can be expected to be asked for: what the price of an upload is shared out
// over.
#include "src/mirror/mirror.h"
#include "src/mirror/presence.h"
#include "tests/catch.h"
#include "tests/mirror/objects.h"

using namespace cugrb;
using namespace cugrb::test;

namespace {

GrB_Matrix small_matrix() {
  Shape shape;
  shape.rows = shape.columns = 8;
  shape.entries = 12;
  return make_matrix(shape, type_named("int32"), 7);
}

}  // namespace

TEST_CASE("a content that was asked for u times is expected to be asked for u times more") {
  GrB_Matrix a = small_matrix();
  for (const double uses : {1, 2, 3, 4}) CHECK(mirror::expected_uses(a) == uses);
  mirror::forget(a);
  CHECK(mirror::expected_uses(a) == 1);  // another object at the same address
  mirror::forget(a);
  GrB_Matrix_free(&a);
}

TEST_CASE("a content is not expected to be asked for more often than those before it, until it is") {
  GrB_Matrix a = small_matrix();
  for (int content = 0; content < 5; ++content) {  // packed, used once, unpacked
    CHECK(mirror::expected_uses(a) == 1);
    mirror::host_changed(a);
    mirror::host_changed(a);
  }
  for (const double uses : {1, 2, 3, 4, 5, 6, 7, 8, 9}) CHECK(mirror::expected_uses(a) == uses);
  mirror::host_changed(a);
  CHECK(mirror::expected_uses(a) == 5);  // 1 before, then 9
  CHECK(mirror::expected_uses(a) == 5);
  mirror::forget(a);
  GrB_Matrix_free(&a);
}

TEST_CASE("an offloaded call that changes the matrix gives it a new content") {
  GrB_Matrix a = small_matrix();
  for (int use = 0; use < 3; ++use) mirror::expected_uses(a);
  mirror::write(a, false).commit();
  CHECK(mirror::expected_uses(a) == 3);
  mirror::write(a).commit();
  CHECK(mirror::expected_uses(a) == 2);  // 3 before, then 1
  mirror::forget(a);
  GrB_Matrix_free(&a);
}

TEST_CASE("what a push meets is counted where matrix and vector are lists on the host") {
  start_graphblas();
  constexpr uint64_t n = 9;
  for (const bool by_column : {false, true}) {
    GrB_Matrix a = nullptr;
    REQUIRE(GrB_Matrix_new(&a, GrB_INT32, n, n) == GrB_SUCCESS);
    REQUIRE(GxB_Matrix_Option_set(a, GxB_FORMAT, by_column ? GxB_BY_COL : GxB_BY_ROW) == GrB_SUCCESS);
    REQUIRE(GxB_Matrix_Option_set(a, GxB_SPARSITY_CONTROL, GxB_SPARSE) == GrB_SUCCESS);
    for (uint64_t i = 0; i < n; ++i) {
      for (uint64_t j = 0; j <= i; ++j) REQUIRE(GrB_Matrix_setElement_INT32(a, 1, i, j) == GrB_SUCCESS);
    }
    GrB_Vector u = nullptr;
    REQUIRE(GrB_Vector_new(&u, GrB_BOOL, n) == GrB_SUCCESS);
    REQUIRE(GxB_Vector_Option_set(u, GxB_SPARSITY_CONTROL, GxB_SPARSE) == GrB_SUCCESS);
    for (const uint64_t i : {7, 2}) REQUIRE(GrB_Vector_setElement_BOOL(u, true, i) == GrB_SUCCESS);
    CHECK_FALSE(mirror::entries_met(a, u));  // the device has no copy of the matrix: its work may wait
    mirror::read(a);
    CHECK(mirror::entries_met(a, u) == (by_column ? (n - 7) + (n - 2) : 8 + 3));
    REQUIRE(GrB_Vector_clear(u) == GrB_SUCCESS);
    CHECK(mirror::entries_met(a, u) == 0);
    REQUIRE(GxB_Vector_Option_set(u, GxB_SPARSITY_CONTROL, GxB_BITMAP) == GrB_SUCCESS);
    REQUIRE(GrB_Vector_setElement_BOOL(u, true, 7) == GrB_SUCCESS);
    CHECK_FALSE(mirror::entries_met(a, u));
    mirror::write(u).commit();
    CHECK_FALSE(mirror::entries_met(a, u));  // the device alone has it
    mirror::forget(u);
    mirror::forget(a);
    GrB_Vector_free(&u);
    GrB_Matrix_free(&a);
  }
}

TEST_CASE("an object is on the host alone until it has a copy, or a control that waits") {
  GrB_Matrix a = small_matrix();
  CHECK(mirror::is_on_host_alone(a));
  mirror::expected_uses(a);  // to be known is not to be anywhere else
  CHECK(mirror::is_on_host_alone(a));
  { const auto use = mirror::read(a); }
  CHECK_FALSE(mirror::is_on_host_alone(a));
  mirror::host_changed(a);
  CHECK(mirror::is_on_host_alone(a));
  mirror::write(a).commit();
  CHECK_FALSE(mirror::is_on_host_alone(a));
  mirror::forget(a);
  CHECK(mirror::is_on_host_alone(a));
  GrB_Matrix_free(&a);
}

TEST_CASE("a matrix is dense on the host when SuiteSparse holds all positions, or will") {
  GrB_Matrix a = small_matrix();
  CHECK_FALSE(mirror::dense_on_host(a));
  REQUIRE(GxB_Matrix_Option_set(a, GxB_SPARSITY_CONTROL, GxB_BITMAP + GxB_FULL) == GrB_SUCCESS);
  CHECK(mirror::dense_on_host(a));
  mirror::write(a).commit();  // the shell's form says nothing now
  CHECK(mirror::dense_on_host(a));
  CHECK(mirror::defer_sparsity_control(a, GxB_SPARSE));
  CHECK_FALSE(mirror::dense_on_host(a));
  REQUIRE(mirror::to_host(a) == GrB_SUCCESS);
  CHECK_FALSE(mirror::dense_on_host(a));
  mirror::forget(a);
  GrB_Matrix_free(&a);
}

TEST_CASE("an edge leads to long rows: what is known once the device has counted them") {
  start_graphblas();
  GrB_Matrix a = nullptr;
  REQUIRE(GrB_Matrix_new(&a, GrB_BOOL, 4, 4) == GrB_SUCCESS);
  for (const GrB_Index j : {0, 1, 2}) REQUIRE(GrB_Matrix_setElement_BOOL(a, true, 1, j) == GrB_SUCCESS);
  REQUIRE(GrB_Matrix_setElement_BOOL(a, true, 3, 0) == GrB_SUCCESS);
  CHECK(mirror::row_length_of_entry(a, false) == 0);
  {
    const mirror::MatrixUse use = mirror::read(a);
    CHECK(mirror::row_length_of_entry(a, false) == 0);
    use->row_distribution(false);
    use->row_distribution(true);
  }
  CHECK(mirror::row_length_of_entry(a, false) == Approx((3.0 * 3 + 1) / 4));
  CHECK(mirror::row_length_of_entry(a, true) == Approx((2.0 * 2 + 1 + 1) / 4));
  mirror::forget(a);
  GrB_Matrix_free(&a);
}

TEST_CASE("entries of a factor say how long the rows are that they meet") {
  start_graphblas();
  constexpr uint64_t n = 1000;
  for (const bool by_column : {false, true}) {
    INFO((by_column ? "by column" : "by row"));
    GrB_Matrix star = nullptr, diagonal = nullptr;
    for (GrB_Matrix* matrix : {&star, &diagonal}) {
      REQUIRE(GrB_Matrix_new(matrix, GrB_BOOL, n, n) == GrB_SUCCESS);
      REQUIRE(GxB_Matrix_Option_set(*matrix, GxB_FORMAT, by_column ? GxB_BY_COL : GxB_BY_ROW) == GrB_SUCCESS);
      REQUIRE(GxB_Matrix_Option_set(*matrix, GxB_SPARSITY_CONTROL, GxB_SPARSE) == GrB_SUCCESS);
    }
    for (uint64_t i = 0; i < n; ++i) {
      REQUIRE(GrB_Matrix_setElement_BOOL(diagonal, true, i, i) == GrB_SUCCESS);
      if (i == 7) continue;
      REQUIRE(GrB_Matrix_setElement_BOOL(star, true, 7, i) == GrB_SUCCESS);
      REQUIRE(GrB_Matrix_setElement_BOOL(star, true, i, 7) == GrB_SUCCESS);
    }
    // Half of the entries lead from the hub to vertices of one edge, half to the hub with its n - 1.
    CHECK(mirror::length_named(star, star, 1024) == Approx(1 + (n - 2) / 2.0).epsilon(0.01));
    CHECK(mirror::length_named(star, diagonal, 1024) == Approx(1));
    CHECK(mirror::length_named(diagonal, star, 1024) == Approx(2 * (n - 1.0) / n));
    { const auto use = mirror::read(star); }
    CHECK(mirror::length_named(star, star, 1024).has_value());
    REQUIRE(GxB_Matrix_Option_set(diagonal, GxB_SPARSITY_CONTROL, GxB_BITMAP) == GrB_SUCCESS);
    CHECK_FALSE(mirror::length_named(star, diagonal, 1024));
    mirror::write(star).commit();
    CHECK_FALSE(mirror::length_named(star, star, 1024));  // the device alone has it
    for (GrB_Matrix* matrix : {&star, &diagonal}) {
      mirror::forget(*matrix);
      GrB_Matrix_free(matrix);
    }
  }
}

TEST_CASE("an object has moved from its first use elsewhere until it is forgotten") {
  GrB_Matrix a = small_matrix(), b = small_matrix();
  mirror::expected_uses(a);
  CHECK(mirror::has_never_moved(a));
  { const mirror::MatrixUse use = mirror::read(a); }
  CHECK_FALSE(mirror::has_never_moved(a));
  CHECK(mirror::evict(SIZE_MAX) > 0);
  CHECK_FALSE(mirror::has_never_moved(a));  // it may go up again at any time
  mirror::write(b).commit();
  CHECK_FALSE(mirror::has_never_moved(b));
  for (GrB_Matrix* matrix : {&a, &b}) {
    mirror::forget(*matrix);
    CHECK(mirror::has_never_moved(*matrix));
    GrB_Matrix_free(matrix);
  }
}

TEST_CASE("a change has nothing to drop where nothing is remembered of the content before it") {
  GrB_Matrix a = small_matrix();
  CHECK(mirror::has_nothing_to_drop(a));
  mirror::expected_uses(a);
  CHECK_FALSE(mirror::has_nothing_to_drop(a));
  mirror::host_changed(a);
  CHECK(mirror::has_nothing_to_drop(a));
  { const mirror::MatrixUse use = mirror::read(a); }
  CHECK_FALSE(mirror::has_nothing_to_drop(a));
  CHECK(mirror::evict(SIZE_MAX) > 0);
  REQUIRE(mirror::is_on_host_alone(a));
  CHECK_FALSE(mirror::has_nothing_to_drop(a));  // what was learnt of it comes back with its copy
  mirror::host_changed(a);
  CHECK(mirror::has_nothing_to_drop(a));
  mirror::write(a).commit();
  CHECK_FALSE(mirror::has_nothing_to_drop(a));  // SuiteSparse has none of it
  mirror::expected_uses(a);
  mirror::forget(a);
  CHECK(mirror::has_nothing_to_drop(a));
  GrB_Matrix_free(&a);
}
