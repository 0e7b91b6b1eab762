// Memory that is not to be had, on either side: nothing is ever lost.
#include <sys/wait.h>
#include <unistd.h>

#include "cuda/runtime/injection.h"
#include "src/mirror/mirror.h"
#include "tests/catch.h"
#include "tests/mirror/objects.h"
#include "tests/mirror/release.h"

using namespace cugrb;
using namespace cugrb::test;
using mirror::State;

namespace {

Shape vector_shape(int form) {
  Shape s;
  s.form = form;
  s.entries = 30;
  return s;
}

/// A vector whose truth is on the device, and what is in it. The host's content is another one.
GrB_Vector device_vector(int form, const TestType& type, int32_t control, Entries& expected) {
  GrB_Vector v = make_vector(80, vector_shape(form), type, 21);
  expected = entries_of(v, type);
  {
    auto use = mirror::write(v);
    use.commit();
  }
  REQUIRE(GrB_Vector_clear(v) == GrB_SUCCESS);
  REQUIRE(GxB_Vector_Option_set(v, GxB_SPARSITY_CONTROL, control) == GrB_SUCCESS);
  return v;
}

}  // namespace

TEST_CASE("a write-back without host memory loses nothing, whichever allocation fails") {
  const TestType& type = type_named("fp64");
  for (const int form : {GxB_SPARSE, GxB_BITMAP, GxB_FULL}) {
    for (const int32_t control : {GxB_AUTO_SPARSITY, GxB_SPARSE, GxB_BITMAP, GxB_FULL}) {
      for (const bool forever : {false, true}) {
        bool failed_once = false, succeeded = false;
        for (uint64_t n = 1; n < 40 && !succeeded; ++n) {
          INFO(form << " control " << control << " allocation " << n << (forever ? " and all later" : ""));
          Entries expected;
          GrB_Vector v = device_vector(form, type, control, expected);
          fail_allocation(n, forever);
          const GrB_Info info = mirror::to_host(v);
          succeeded = allocation_count() < n;
          fail_allocation(0);
          if (info == GrB_OUT_OF_MEMORY) {
            failed_once = true;
            CHECK(mirror::state(v) == State::device);
            GrB_Index nvals = 0;
            CHECK(mirror::unsettled_nvals(v, &nvals));
            CHECK(nvals == expected.size());
            CHECK(mirror::to_host(v) == GrB_SUCCESS);  // the next try
          } else {
            CHECK(info == GrB_SUCCESS);
          }
          CHECK(entries_of(v, type) == expected);
          CHECK(options_of(reinterpret_cast<GrB_Matrix>(v)).sparsity_control == control);
          release(v);
        }
        CHECK(failed_once);
        CHECK(succeeded);
      }
    }
  }
}

TEST_CASE("moving a matrix out and back survives every failed allocation") {
  const TestType& type = type_named("int32");
  for (const int form : {GxB_HYPERSPARSE, GxB_SPARSE, GxB_BITMAP, GxB_FULL}) {
    bool succeeded = false;
    for (uint64_t n = 1; n < 40 && !succeeded; ++n) {
      INFO("form " << form << " allocation " << n);
      Shape shape;
      shape.rows = 11;
      shape.columns = 12;
      shape.form = form;
      shape.entries = 40;
      GrB_Matrix a = make_matrix(shape, type, 22);
      const Entries expected = entries_of(a, type);
      fail_allocation(n, true);
      mirror::stress_evict(a);
      const GrB_Info info = mirror::to_host(a);
      succeeded = allocation_count() < n;
      fail_allocation(0);
      if (info != GrB_SUCCESS) CHECK(mirror::to_host(a) == GrB_SUCCESS);
      CHECK(entries_of(a, type) == expected);
      mirror::forget(a);
      GrB_Matrix_free(&a);
    }
    CHECK(succeeded);
  }
}

TEST_CASE("an upload without device memory leaves the host's content, whichever allocation fails") {
  const TestType& type = type_named("fp32");
  mirror::finalize();
  for (const int form : {GxB_SPARSE, GxB_BITMAP, GxB_FULL}) {
    uint64_t failures = 0;
    for (uint64_t n = 1; n < 10; ++n) {
      GrB_Vector v = make_vector(90, vector_shape(form), type, 23);
      const Entries expected = entries_of(v, type);
      runtime::injection::reset("allocation:" + std::to_string(n) + "+");
      try {
        const auto use = mirror::read(v);
        CHECK(mirror::state(v) == State::both);
      } catch (const runtime::OutOfMemory&) {
        ++failures;
        CHECK(mirror::state(v) == State::host);
      }
      runtime::injection::reset("");
      CHECK(mirror::to_host(v) == GrB_SUCCESS);
      CHECK(entries_of(v, type) == expected);
      release(v);
    }
    CHECK(failures > 0);
    CHECK(failures < 9);
  }
}

TEST_CASE("an upload that does not fit makes room by evicting what is not in use") {
  const TestType& type = type_named("fp32");
  mirror::finalize();
  Entries held_entries, clean_entries, used_entries;
  GrB_Vector held = device_vector(GxB_FULL, type, GxB_AUTO_SPARSITY, held_entries);
  GrB_Vector clean = make_vector(80, vector_shape(GxB_FULL), type, 24);
  GrB_Vector used = device_vector(GxB_FULL, type, GxB_AUTO_SPARSITY, used_entries);
  clean_entries = entries_of(clean, type);
  { const auto use = mirror::read(clean); }
  GrB_Vector fresh = make_vector(80, vector_shape(GxB_FULL), type, 25);
  const auto evictions = mirror::statistics().evictions;
  {
    const auto in_use = mirror::read(used);
    runtime::injection::reset("allocation:1");
    const auto use = mirror::read(fresh);
    runtime::injection::reset("");
    CHECK(mirror::state(fresh) == State::both);
    CHECK(mirror::state(clean) == State::host);  // the copy that was cheapest to lose went first
    CHECK(mirror::state(held) == State::device);
    CHECK(mirror::statistics().evictions == evictions + 1);
    CHECK(mirror::evict(SIZE_MAX) > 0);  // now everything that may go
    CHECK(in_use->values.bytes() > 0);
    CHECK(mirror::state(fresh) == State::both);  // these two are in use
    CHECK(mirror::statistics().resident == 2);
  }
  CHECK(mirror::state(held) == State::device);  // its truth is in the mirror's host memory now
  GrB_Index nvals = 0;
  CHECK(mirror::unsettled_nvals(held, &nvals));
  CHECK(nvals == held_entries.size());
  CHECK(mirror::upload_bytes(held) == 80 * sizeof(float));
  { const auto again = mirror::read(held); }
  CHECK(mirror::evict(SIZE_MAX) > 0);
  CHECK(mirror::statistics().resident == 0);
  for (GrB_Vector* v : {&held, &clean, &used, &fresh}) CHECK(mirror::to_host(*v) == GrB_SUCCESS);
  CHECK(entries_of(held, type) == held_entries);
  CHECK(entries_of(clean, type) == clean_entries);
  CHECK(entries_of(used, type) == used_entries);
  for (GrB_Vector* v : {&held, &clean, &used, &fresh}) release(*v);
}

TEST_CASE("no eviction happens when the host has no memory for it, and nothing is lost") {
  const TestType& type = type_named("fp32");
  mirror::finalize();
  Entries expected;
  GrB_Vector v = device_vector(GxB_FULL, type, GxB_AUTO_SPARSITY, expected);
  fail_allocation(1, true);
  CHECK(mirror::evict(SIZE_MAX) == 0);
  fail_allocation(0);
  CHECK(mirror::statistics().resident == 1);
  CHECK(mirror::to_host(v) == GrB_SUCCESS);
  CHECK(entries_of(v, type) == expected);
  release(v);
}

TEST_CASE("a forked child has every content, but of what a call is using on the device") {
  const TestType& type = type_named("fp32");
  Entries of_held, of_brought;
  GrB_Vector both = make_vector(80, vector_shape(GxB_SPARSE), type, 26);
  const Entries expected = entries_of(both, type);
  { const auto use = mirror::read(both); }
  GrB_Vector brought = device_vector(GxB_FULL, type, GxB_AUTO_SPARSITY, of_brought);
  GrB_Vector held = device_vector(GxB_FULL, type, GxB_AUTO_SPARSITY, of_held);
  auto in_use = std::make_unique<mirror::VectorUse>(mirror::read(held));
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    runtime::mark_forked();
    int wrong = 0;
    if (mirror::state(both) != State::host || mirror::to_host(both) != GrB_SUCCESS) wrong |= 1;
    if (entries_of(both, type) != expected) wrong |= 2;
    if (mirror::to_host(held) != GrB_PANIC) wrong |= 4;
    if (mirror::state(held) != State::device) wrong |= 8;
    if (reason_of([&] { mirror::read(both); }).empty()) wrong |= 16;
    if (mirror::to_host(brought) != GrB_SUCCESS || entries_of(brought, type) != of_brought) wrong |= 32;
    mirror::forget(held);
    _exit(wrong);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  in_use.reset();
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(mirror::state(both) == State::both);
  CHECK(mirror::state(brought) == State::both);
  CHECK(mirror::to_host(held) == GrB_SUCCESS);
  CHECK(entries_of(held, type) == of_held);
  for (GrB_Vector* v : {&both, &brought, &held}) release(*v);
}
