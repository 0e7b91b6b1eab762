// Sparsity controls that wait while the object is on the host.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "tests/mirror/matrices.h"

using namespace cugrb;
using namespace cugrb::test;
using mirror::State;

namespace {

constexpr int32_t bitmap_or_full = GxB_BITMAP + GxB_FULL;
constexpr uint64_t rows = 4, columns = 4096;
constexpr uint64_t elements_waited_for = rows * columns / 64;

/// A new matrix with four different entries, which are pending tuples, and whose control waits.
GrB_Matrix waiting_matrix(const TestType& type, Entries& expected) {
  start_graphblas();
  GrB_Matrix a = nullptr;
  REQUIRE(GrB_Matrix_new(&a, type.handle, rows, columns) == GrB_SUCCESS);
  REQUIRE(mirror::defer_sparsity_control(a, bitmap_or_full));
  expected.clear();
  for (uint64_t i = 0; i < rows; ++i) {
    set_entry(a, i, 500 * i, type, int(i) + 1);
    expected[{i, 500 * i}] = type.bytes_of(int(i) + 1);
  }
  return a;
}

GrB_Vector waiting_vector(const TestType& type, Entries& expected) {
  start_graphblas();
  GrB_Vector v = nullptr;
  REQUIRE(GrB_Vector_new(&v, type.handle, rows * columns) == GrB_SUCCESS);
  REQUIRE(mirror::defer_sparsity_control(v, GxB_BITMAP));
  for (uint64_t i = 0; i < 3; ++i) {
    set_entry(reinterpret_cast<GrB_Matrix>(v), 1000 * i, 0, type, int(i) + 1);
  }
  expected = test::entries_of(v, type);
  CHECK(expected.size() == 3);
  return v;
}

bool waits(GrB_Matrix a) {
  int32_t control = 0;
  return mirror::deferred_sparsity_control(a, &control);
}

bool is_bitmap(GrB_Matrix a) { return options_of(a).status == GxB_BITMAP; }

void check_bitmap(GrB_Matrix a, const Entries& expected, const TestType& type) {
  CHECK_FALSE(waits(a));
  CHECK(is_bitmap(a));
  CHECK(options_of(a).sparsity_control == bitmap_or_full);
  CHECK(test::entries_of(a, type) == expected);
}

}  // namespace

TEST_CASE("a bitmap waits until the host makes it, or the device has the content") {
  const TestType& type = type_named("int32");
  Entries expected;
  GrB_Matrix a = waiting_matrix(type, expected);
  CHECK(mirror::bitmap_waits(a));
  REQUIRE(mirror::control_to_host(a) == GrB_SUCCESS);
  CHECK_FALSE(mirror::bitmap_waits(a));
  mirror::forget(a);
  GrB_Matrix_free(&a);
  a = waiting_matrix(type, expected);
  mirror::write(a).commit();
  CHECK_FALSE(mirror::bitmap_waits(a));
  mirror::forget(a);
  GrB_Matrix_free(&a);
}

TEST_CASE("a sparsity control waits where SuiteSparse would make a large bitmap with few entries") {
  const TestType& type = type_named("fp64");
  start_graphblas();
  struct Case {
    const char* name;
    uint64_t rows, columns, entries;
    int form;
    int32_t control;
    bool waits;
  };
  const Case cases[] = {
      {"bitmap", 4, 4096, 30, GxB_SPARSE, GxB_BITMAP, true},
      {"bitmap or full", 4, 4096, 30, GxB_HYPERSPARSE, bitmap_or_full, true},
      {"full", 4, 4096, 0, GxB_HYPERSPARSE, GxB_FULL, true},
      {"small", 4, 4095, 30, GxB_SPARSE, GxB_BITMAP, false},
      {"many entries", 4, 4096, 4000, GxB_SPARSE, GxB_BITMAP, false},
      {"is a bitmap", 4, 4096, 30, GxB_BITMAP, bitmap_or_full, false},
      {"is full", 4, 4096, 0, GxB_FULL, GxB_BITMAP, false},
      {"sparse is allowed", 4, 4096, 30, GxB_HYPERSPARSE, GxB_SPARSE + GxB_BITMAP, false},
      {"hypersparse is allowed", 4, 4096, 30, GxB_SPARSE, GxB_HYPERSPARSE + GxB_FULL, false},
      {"more than memory holds", uint64_t(1) << 20, uint64_t(1) << 20, 5, GxB_HYPERSPARSE, GxB_BITMAP, false},
      {"more than 64 bits count", uint64_t(1) << 40, uint64_t(1) << 40, 5, GxB_HYPERSPARSE, GxB_BITMAP,
       false},
      {"no columns", 8000, 0, 0, GxB_SPARSE, GxB_BITMAP, false}};
  for (const Case& c : cases) {
    for (const bool by_column : {false, true}) {
      INFO(c.name << (by_column ? " by column" : " by row"));
      Shape shape;
      shape.rows = by_column ? c.columns : c.rows;
      shape.columns = by_column ? c.rows : c.columns;
      shape.form = c.form;
      shape.by_column = by_column;
      shape.entries = c.entries;
      GrB_Matrix a = make_matrix(shape, type, 3);
      const Options before = options_of(a);
      CHECK(mirror::defer_sparsity_control(a, c.control) == c.waits);
      CHECK(waits(a) == c.waits);
      CHECK(options_of(a) == before);
      release(a);
    }
  }
}

TEST_CASE("to_host sets the control that waits, once") {
  for (const TestType& type : all_types()) {
    INFO(type.name);
    Entries expected;
    GrB_Matrix a = waiting_matrix(type, expected);
    CHECK(mirror::state(a) == State::host);
    GrB_Index nvals = 0;
    CHECK(mirror::unsettled_nvals(a, &nvals));
    CHECK(nvals == expected.size());
    CHECK_FALSE(is_bitmap(a));
    CHECK(mirror::to_host(a) == GrB_SUCCESS);
    check_bitmap(a, expected, type);
    CHECK_FALSE(mirror::unsettled_nvals(a, &nvals));
    REQUIRE(GxB_Matrix_Option_set(a, GxB_SPARSITY_CONTROL, GxB_SPARSE) == GrB_SUCCESS);
    CHECK(mirror::to_host(a) == GrB_SUCCESS);
    CHECK(options_of(a).sparsity_control == GxB_SPARSE);
    release(a);
  }
}

TEST_CASE("an upload reads the sparse form, and the control goes on waiting") {
  const TestType& type = type_named("fp64");
  Entries expected;
  GrB_Matrix a = waiting_matrix(type, expected);
  const uint64_t bytes = mirror::upload_bytes(a);
  CHECK(bytes < 200);
  CHECK(entries_of(*mirror::read(a)) == expected);
  CHECK(mirror::state(a) == State::both);
  CHECK(waits(a));
  CHECK_FALSE(is_bitmap(a));
  set_entry(a, 3, 3, type,
            5);  // behind the mirror's back, as a forwarded setElement after control_waits_for_element
  CHECK(mirror::control_waits_for_element(a));
  mirror::host_changed(a);
  expected[{3, 3}] = type.bytes_of(5);
  CHECK(mirror::state(a) == State::host);
  CHECK(waits(a));
  CHECK(entries_of(*mirror::read(a)) == expected);
  CHECK(mirror::to_host(a) == GrB_SUCCESS);
  CHECK(mirror::state(a) == State::both);  // the device copy is as good as before
  check_bitmap(a, expected, type);
  release(a);
}

TEST_CASE("on the device a vector whose control waits is a bitmap") {
  for (const char* name : {"bool", "fp64", "Point"}) {
    const TestType& type = type_named(name);
    Entries expected;
    GrB_Vector v = waiting_vector(type, expected);
    CHECK(mirror::upload_bytes(v) < 200);
    {
      const auto use = mirror::read(v);
      CHECK(use->form == Form::bitmap);
      CHECK(use->nvals() == expected.size());
    }
    CHECK_FALSE(is_bitmap(reinterpret_cast<GrB_Matrix>(v)));
    {
      auto use = mirror::write(v);
      use.commit();
    }
    CHECK(mirror::to_host(v) == GrB_SUCCESS);
    CHECK(is_bitmap(reinterpret_cast<GrB_Matrix>(v)));
    CHECK(test::entries_of(v, type) == expected);
    mirror::forget(v);
    GrB_Vector_free(&v);
  }
}

TEST_CASE("what the device makes of the object comes back under the control that waits") {
  const TestType& type = type_named("int32");
  for (const bool keep : {false, true}) {
    Entries expected;
    GrB_Matrix a = waiting_matrix(type, expected);
    {
      auto use = mirror::write(a, keep);
      use.commit();
    }
    CHECK(mirror::state(a) == State::device);
    CHECK(waits(a));
    CHECK_FALSE(mirror::control_waits_for_element(a));  // its content must come to the host
    CHECK(mirror::to_host(a) == GrB_SUCCESS);
    check_bitmap(a, keep ? expected : Entries{}, type);
    release(a);
  }
}

TEST_CASE("a control waits for some elements, not for all") {
  const TestType& type = type_named("bool");
  Entries expected;
  GrB_Matrix a = waiting_matrix(type, expected);
  for (uint64_t k = 0; k < elements_waited_for; ++k) REQUIRE(mirror::control_waits_for_element(a));
  CHECK_FALSE(mirror::control_waits_for_element(a));
  CHECK(waits(a));  // for to_host(), which is called then
  CHECK(mirror::to_host(a) == GrB_SUCCESS);
  CHECK_FALSE(mirror::control_waits_for_element(a));
  CHECK_FALSE(mirror::control_waits_for_element(nullptr));
  release(a);
}

TEST_CASE("control_to_host sets the control of a hollow object and leaves the content") {
  const TestType& type = type_named("fp32");
  Entries expected;
  GrB_Matrix a = waiting_matrix(type, expected);
  {
    auto use = mirror::write(a);
    use.commit();
  }
  CHECK(mirror::control_to_host(a) == GrB_SUCCESS);
  CHECK_FALSE(waits(a));
  CHECK(mirror::state(a) == State::device);
  CHECK(options_of(a).sparsity_control == bitmap_or_full);
  CHECK(mirror::to_host(a) == GrB_SUCCESS);
  check_bitmap(a, expected, type);
  CHECK(mirror::control_to_host(a) == GrB_SUCCESS);
  release(a);
}

TEST_CASE("to remember a control clears the error text, as to set it would") {
  Entries expected;
  GrB_Matrix a = waiting_matrix(type_named("fp64"), expected);
  const auto text = [&] {
    const char* result = nullptr;
    REQUIRE(GrB_Matrix_error(&result, a) == GrB_SUCCESS);
    return std::string(result == nullptr ? "" : result);
  };
  REQUIRE(GrB_Matrix_setElement_FP64(a, 1, rows, 0) == GrB_INVALID_INDEX);
  REQUIRE(!text().empty());
  CHECK(mirror::defer_sparsity_control(a, GxB_BITMAP));
  CHECK(text().empty());
  release(a);
}

TEST_CASE("a control that waits is forgotten with its object") {
  const TestType& type = type_named("fp64");
  Entries expected;
  GrB_Matrix a = waiting_matrix(type, expected);
  mirror::forget(a);
  CHECK_FALSE(waits(a));
  CHECK(mirror::to_host(a) == GrB_SUCCESS);
  CHECK_FALSE(is_bitmap(a));
  GrB_Matrix_free(&a);
  a = waiting_matrix(type, expected);
  mirror::finalize();
  CHECK_FALSE(waits(a));
  CHECK(mirror::to_host(a) == GrB_SUCCESS);
  CHECK_FALSE(is_bitmap(a));
  GrB_Matrix_free(&a);
}

TEST_CASE("the stress modes move an object out whose control waits, and it comes back as a bitmap") {
  const TestType& type = type_named("fp64");
  Entries expected;
  GrB_Matrix a = waiting_matrix(type, expected);
  mirror::stress_evict(a);
  CHECK(mirror::state(a) == State::device);
  CHECK(waits(a));
  CHECK(mirror::to_host(a) == GrB_SUCCESS);
  check_bitmap(a, expected, type);
  release(a);
}

TEST_CASE("without host memory for the bitmap the control goes on waiting and nothing is lost") {
  const TestType& type = type_named("fp64");
  bool failed_once = false, succeeded = false;
  for (uint64_t n = 1; n < 40 && !succeeded; ++n) {
    INFO("allocation " << n);
    Entries expected;
    GrB_Matrix a = waiting_matrix(type, expected);
    GrB_Index nvals = 0;
    REQUIRE(GrB_Matrix_nvals(&nvals, a) ==
            GrB_SUCCESS);  // tuples without memory are lost in SuiteSparse, too
    fail_allocation(n);
    const GrB_Info info = mirror::to_host(a);
    succeeded = allocation_count() < n;
    fail_allocation(0);
    if (info == GrB_OUT_OF_MEMORY) {
      failed_once = true;
      CHECK(waits(a));
      CHECK(mirror::to_host(a) == GrB_SUCCESS);
    } else {
      CHECK(info == GrB_SUCCESS);
    }
    check_bitmap(a, expected, type);
    release(a);
  }
  CHECK(failed_once);
  CHECK(succeeded);
}

TEST_CASE("a forked child sets the control that waits") {
  const TestType& type = type_named("fp32");
  Entries expected;
  GrB_Matrix a = waiting_matrix(type, expected);
  { const auto use = mirror::read(a); }
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    runtime::mark_forked();
    int wrong = 0;
    if (mirror::to_host(a) != GrB_SUCCESS) wrong |= 1;
    if (options_of(a).status != GxB_BITMAP) wrong |= 2;
    if (test::entries_of(a, type) != expected) wrong |= 4;
    _exit(wrong);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(waits(a));
  release(a);
}

TEST_CASE("threads that read an object whose control waits see it in one form or the other") {
  const TestType& type = type_named("fp64");
  for (int round = 0; round < 20; ++round) {
    Entries expected;
    GrB_Matrix a = waiting_matrix(type, expected);
    std::atomic<int> wrong{0};
    const auto ask = [&](int number) {
      const mirror::MetadataGuard guard(number == 0 ? a : nullptr);
      GrB_Index nvals = 0;
      if (number == 1 && mirror::to_host(a) != GrB_SUCCESS) ++wrong;
      if (number == 2 && mirror::read(a)->nvals() != expected.size()) ++wrong;
      if (!mirror::unsettled_nvals(a, &nvals) && GrB_Matrix_nvals(&nvals, a) != GrB_SUCCESS) ++wrong;
      if (nvals != expected.size()) ++wrong;
      if (mirror::upload_bytes(a) > 9 * rows * columns) ++wrong;
    };
    std::vector<std::thread> threads;
    for (int number = 0; number < 4; ++number) threads.emplace_back(ask, number);
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
    check_bitmap(a, expected, type);
    release(a);
  }
}
