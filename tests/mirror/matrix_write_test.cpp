// Matrices as outputs: written on the device, brought back to SuiteSparse.
#include <sys/wait.h>
#include <unistd.h>

#include "cuda/runtime/injection.h"
#include "src/support/settings.h"
#include "tests/mirror/matrices.h"

using namespace cugrb;
using namespace cugrb::test;
using formats::DeviceMatrix;
using mirror::State;

namespace {

/// The same matrix held the other way round.
DeviceMatrix turned(const DeviceMatrix& matrix) {
  DeviceMatrix result;
  result.type = matrix.type;
  result.rows = matrix.rows;
  result.columns = matrix.columns;
  result.by_column = !matrix.by_column;
  result.stored = formats::transpose(matrix.stored);
  return result;
}

/// As an operation that overwrites `to`: it becomes a copy of `from`, on the device, in either orientation.
void overwrite(GrB_Matrix to, GrB_Matrix from, bool by_column) {
  const auto source = mirror::read(from);
  auto use = mirror::write(to, false);
  CHECK(use->nvals() == 0);
  CHECK(formats::check(use->stored).empty());
  CHECK(use->rows == source->rows);
  CHECK(use->columns == source->columns);
  *use = source->by_column == by_column ? *source : turned(*source);
  use.commit();
}

/// A matrix whose truth is on the device only, held there `by_column`, and what is in it. The host's content
/// is another one.
GrB_Matrix device_matrix(const Shape& shape, const TestType& type, bool by_column, Entries& expected) {
  GrB_Matrix other = make_matrix(shape, type, 41);
  GrB_Matrix a = make_matrix(shape, type, 42);
  expected = test::entries_of(other, type);
  overwrite(a, other, by_column);
  release(other);
  return a;
}

Shape plain(uint64_t rows, uint64_t columns, uint64_t entries, bool by_column = false) {
  Shape s;
  s.rows = rows;
  s.columns = columns;
  s.entries = entries;
  s.by_column = by_column;
  return s;
}

/// A shape's form is what its one-form sparsity control says, so it must come back too.
void check_restored(GrB_Matrix a, const Options& before, const Entries& expected, const TestType& type) {
  CHECK(mirror::to_host(a) == GrB_SUCCESS);
  CHECK(test::entries_of(a, type) == expected);
  const Options after = options_of(a);
  CHECK(after.sparsity_control == before.sparsity_control);
  CHECK(after.hyper_switch == before.hyper_switch);
  CHECK(after.bitmap_switch == before.bitmap_switch);
  CHECK(after.format == before.format);
}

}  // namespace

TEST_CASE("a matrix changed on the device comes back with its entries and settings") {
  for (const TestType& type : all_types()) {
    for_all_shapes(11, 17, [&](const Shape& shape) {
      if (shape.work == Shape::Work::jumbled) return;
      for (const bool by_column : {false, true}) {
        INFO(describe(shape, type) << (by_column ? ", by column on the device" : ", by row on the device"));
        GrB_Matrix a = make_matrix(shape, type, 2);
        GrB_Matrix other = make_matrix(shape, type, 3);
        GrB_Matrix reference = make_matrix(shape, type, 3);
        const Entries expected = test::entries_of(reference, type);
        REQUIRE(GxB_Matrix_Option_set(a, GxB_BITMAP_SWITCH, 0.0625) == GrB_SUCCESS);
        REQUIRE(GxB_Matrix_Option_set(a, GxB_HYPER_SWITCH, 0.375) == GrB_SUCCESS);
        const Options before = options_of(a);
        overwrite(a, other, by_column);
        CHECK(mirror::state(a) == State::device);
        GrB_Index nvals = 0;
        CHECK(mirror::unsettled_nvals(a, &nvals));
        CHECK(nvals == expected.size());
        CHECK(mirror::upload_bytes(a) == 0);
        check_restored(a, before, expected, type);
        CHECK(mirror::state(a) == State::both);
        CHECK_FALSE(mirror::unsettled_nvals(a, &nvals));
        CHECK(entries_of(*mirror::read(a)) == expected);
        release(a);
        release(other);
        GrB_Matrix_free(&reference);
      }
    });
  }
}

TEST_CASE("SuiteSparse chooses the form that comes back, by the matrix's settings") {
  const TestType& type = type_named("int32");
  struct Case {
    const char* name;
    Shape source;
    int32_t control;
    int status;
  };
  Shape full = plain(20, 30, 0);
  full.form = GxB_FULL;
  Shape iso = full;
  iso.iso = true;
  const Case cases[] = {{"few vectors", plain(2000, 30, 5), GxB_AUTO_SPARSITY, GxB_HYPERSPARSE},
                        {"many vectors", plain(20, 3000, 500), GxB_AUTO_SPARSITY, GxB_SPARSE},
                        {"no entries", plain(20, 30, 0), GxB_AUTO_SPARSITY, GxB_HYPERSPARSE},
                        {"all entries", full, GxB_AUTO_SPARSITY, GxB_FULL},
                        {"all entries, one value", iso, GxB_AUTO_SPARSITY, GxB_FULL},
                        {"not hypersparse", plain(2000, 30, 5), GxB_SPARSE + GxB_BITMAP, GxB_SPARSE},
                        {"not full", full, GxB_SPARSE + GxB_HYPERSPARSE, GxB_SPARSE},
                        {"bitmap only", plain(20, 30, 100), GxB_BITMAP, GxB_BITMAP},
                        {"full only, and is not", plain(20, 30, 100), GxB_FULL, GxB_BITMAP}};
  for (const Case& c : cases) {
    for (const bool by_column : {false, true}) {
      for (const bool deferred : {false, true}) {
        INFO(c.name << (by_column ? " by column" : " by row") << (deferred ? ", deferred" : ""));
        GrB_Matrix source = make_matrix(c.source, type, 51);
        const Entries expected = test::entries_of(source, type);
        GrB_Matrix a = nullptr;
        REQUIRE(GrB_Matrix_new(&a, GrB_INT32, c.source.rows, c.source.columns) == GrB_SUCCESS);
        if (!deferred) REQUIRE(GxB_Matrix_Option_set(a, GxB_SPARSITY_CONTROL, c.control) == GrB_SUCCESS);
        CHECK_FALSE(mirror::defer_sparsity_control(a, c.control));
        overwrite(a, source, by_column);
        int32_t control = 0;
        CHECK_FALSE(mirror::deferred_sparsity_control(a, &control));
        if (deferred) {
          CHECK(mirror::defer_sparsity_control(a, c.control));
          CHECK(mirror::deferred_sparsity_control(a, &control));
          CHECK(control == c.control);
        }
        CHECK(mirror::to_host(a) == GrB_SUCCESS);
        const Options options = options_of(a);
        CHECK(options.status == c.status);
        CHECK(options.sparsity_control == c.control);
        CHECK(options.iso == (c.source.iso && !expected.empty()));
        CHECK(test::entries_of(a, type) == expected);
        release(a);
        release(source);
      }
    }
  }
}

TEST_CASE("the host turns a matrix that the device has no memory to turn") {
  for (const char* name : {"bool", "fp64", "Point"}) {
    const TestType& type = type_named(name);
    for_all_shapes(9, 14, [&](const Shape& shape) {
      if (shape.work != Shape::Work::none) return;
      INFO(describe(shape, type));
      Entries expected;
      GrB_Matrix a = device_matrix(shape, type, !shape.by_column, expected);
      const Options before = options_of(a);
      runtime::injection::reset("allocation:1+");
      const GrB_Info info = mirror::to_host(a);
      runtime::injection::reset("");
      CHECK(info == GrB_SUCCESS);
      check_restored(a, before, expected, type);
      release(a);
    });
  }
}

TEST_CASE("matrices without rows, columns or entries are written too") {
  const TestType& type = type_named("int32");
  const std::pair<uint64_t, uint64_t> sizes[] = {{0, 0}, {0, 5}, {5, 0}, {1, 1}, {7, 1}, {1, 7}};
  for (const auto& [rows, columns] : sizes) {
    for (const bool by_column : {false, true}) {
      for (const bool held : {false, true}) {
        INFO(rows << " x " << columns << by_column << held);
        Entries expected;
        GrB_Matrix a = device_matrix(plain(rows, columns, 3, by_column), type, held, expected);
        check_restored(a, options_of(a), expected, type);
        release(a);
      }
    }
  }
}

TEST_CASE("without commit nothing has happened; a stale host content is never seen again") {
  const TestType& type = type_named("fp32");
  GrB_Matrix a = make_matrix(plain(8, 9, 20), type, 4), b = make_matrix(plain(8, 9, 30), type, 5);
  const Entries old = test::entries_of(a, type), expected = test::entries_of(b, type);
  {
    auto use = mirror::write(a, false);
    CHECK(entries_of(*mirror::read(a)) == old);  // an operation whose input is its output
  }
  CHECK(mirror::state(a) == State::both);
  { const auto use = mirror::write(a); }  // failed half-way: the copy is not worth a doubt
  CHECK(mirror::state(a) == State::host);
  for (int round = 0; round < 3; ++round) {
    const auto mask = mirror::read(a), left = mirror::read(a), right = mirror::read(b);
    auto use = mirror::write(a, true);
    *use = *right;
    use.commit();
    CHECK(entries_of(*mirror::read(a)) == expected);
  }
  { const auto use = mirror::write(a); }
  CHECK(mirror::state(a) == State::device);
  CHECK(mirror::to_host(a) == GrB_SUCCESS);
  CHECK(test::entries_of(a, type) == expected);
  mirror::host_changed(a);
  CHECK(mirror::state(a) == State::host);
  release(a);
  release(b);
}

TEST_CASE("a large stale content is freed when the matrix stays on the device") {
  const TestType& type = type_named("fp64");
  Shape shape = plain(400, 400, 0);
  shape.form = GxB_FULL;
  Entries expected;
  GrB_Matrix a = device_matrix(shape, type, false, expected);
  size_t before = 0, after = 0;
  REQUIRE(GxB_Matrix_memoryUsage(&before, a) == GrB_SUCCESS);
  CHECK(before > 400 * 400 * 8);
  {
    auto use = mirror::write(a);
    use.commit();
  }
  REQUIRE(GxB_Matrix_memoryUsage(&after, a) == GrB_SUCCESS);
  CHECK(after < 10000);
  check_restored(a, options_of(a), expected, type);
  release(a);
}

TEST_CASE("a matrix's write-back without host memory loses nothing, whichever allocation fails") {
  const TestType& type = type_named("fp64");
  for (const int form : {GxB_HYPERSPARSE, GxB_SPARSE, GxB_BITMAP, GxB_FULL}) {
    for (const bool turn : {false, true}) {
      for (const bool forever : {false, true}) {
        bool failed_once = false, succeeded = false;
        for (uint64_t n = 1; n < 60 && !succeeded; ++n) {
          INFO(form << " allocation " << n << (forever ? " and all later" : "") << (turn ? ", turned" : ""));
          Shape shape = plain(11, 12, 40);
          shape.form = form;
          Entries expected;
          GrB_Matrix a = device_matrix(shape, type, turn, expected);
          const Options before = options_of(a);
          fail_allocation(n, forever);
          if (turn) runtime::injection::reset("allocation:1+");
          const GrB_Info info = mirror::to_host(a);
          runtime::injection::reset("");
          succeeded = allocation_count() < n;
          fail_allocation(0);
          if (info == GrB_OUT_OF_MEMORY) {
            failed_once = true;
            CHECK(mirror::state(a) == State::device);
            GrB_Index nvals = 0;
            CHECK(mirror::unsettled_nvals(a, &nvals));
            CHECK(nvals == expected.size());
          } else {
            CHECK(info == GrB_SUCCESS);
          }
          check_restored(a, before, expected, type);
          release(a);
        }
        CHECK(failed_once);
        CHECK(succeeded);
      }
    }
  }
}

TEST_CASE("a matrix that only the device has is evicted to host memory, and comes back from there") {
  const TestType& type = type_named("int32");
  for (const bool held : {false, true}) {
    for_all_shapes(9, 14, [&](const Shape& shape) {
      if (shape.work != Shape::Work::none) return;
      INFO(describe(shape, type));
      mirror::finalize();
      Entries expected;
      GrB_Matrix a = device_matrix(shape, type, held, expected);
      const Options before = options_of(a);
      CHECK(mirror::evict(SIZE_MAX) > 0);
      CHECK(mirror::statistics().resident == 0);
      CHECK(mirror::state(a) == State::device);
      GrB_Index nvals = 0;
      CHECK(mirror::unsettled_nvals(a, &nvals));
      CHECK(nvals == expected.size());
      CHECK(mirror::upload_bytes(a) > 0);
      CHECK(entries_of(*mirror::read(a)) == expected);
      CHECK(mirror::evict(SIZE_MAX) > 0);
      check_restored(a, before, expected, type);
      CHECK(mirror::state(a) == State::host);
      release(a);
    });
  }
}

TEST_CASE("what was learnt of a matrix comes back with it after an eviction, until its content changes") {
  const TestType& type = type_named("int32");
  for (const bool on_device_alone : {false, true}) {
    INFO(on_device_alone);
    Shape shape;
    shape.rows = 9;
    shape.columns = 14;
    shape.entries = 30;
    Entries expected;
    GrB_Matrix a =
        on_device_alone ? device_matrix(shape, type, false, expected) : make_matrix(shape, type, 42);
    if (!on_device_alone) expected = entries_of(*mirror::read(a));
    const auto lengths = [&] { return &mirror::read(a)->row_distribution(false); };
    const formats::LengthDistribution* const learnt = lengths();
    mirror::read(a)->by_rows(false);
    mirror::read(a)->merge_plan(false);
    for (int time = 0; time < 2; ++time) {
      CHECK(mirror::evict(SIZE_MAX) > 0);
      CHECK(mirror::statistics().resident_bytes == 0);
      CHECK(mirror::state(a) == (on_device_alone ? State::device : State::host));
      CHECK(lengths() == learnt);
      CHECK(mirror::read(a)->uses(false) == 1);
      CHECK(entries_of(*mirror::read(a)) == expected);
    }
    const std::shared_ptr<const formats::Pattern> held = mirror::read(a)->held_pattern().pattern;
    CHECK(mirror::evict(SIZE_MAX) > 0);
    if (on_device_alone) REQUIRE(mirror::to_host(a) == GrB_SUCCESS);
    mirror::host_changed(a);
    CHECK(&mirror::read(a)->pattern() != held.get());
    release(a);
  }
}

TEST_CASE("a matrix's shared copy costs no memory, and takes orientation and settings") {
  const TestType& type = type_named("fp64");
  for (const bool by_column : {false, true}) {
    Entries expected;
    GrB_Matrix a = device_matrix(plain(10, 12, 50, by_column), type, !by_column, expected);
    REQUIRE(GxB_Matrix_Option_set(a, GxB_HYPER_SWITCH, 0.25) == GrB_SUCCESS);
    REQUIRE(GxB_Matrix_Option_set(a, GxB_BITMAP_SWITCH, 0.75) == GrB_SUCCESS);
    GrB_Matrix copy = nullptr;
    REQUIRE(GrB_Matrix_new(&copy, GrB_FP64, 10, 12) == GrB_SUCCESS);
    REQUIRE(mirror::share(a, copy));
    GrB_Matrix twin = nullptr;
    REQUIRE(GrB_Matrix_dup(&twin, a) == GrB_SUCCESS);  // of the hollow object: what SuiteSparse takes over
    const Options as_dup = options_of(twin);
    GrB_Matrix_free(&twin);
    CHECK(mirror::state(copy) == State::device);
    CHECK(mirror::read(copy)->stored.values.data() == mirror::read(a)->stored.values.data());
    const Options before = options_of(a);
    {
      auto use = mirror::write(a, false);  // cleared: the copy keeps what it has
      use.commit();
    }
    check_restored(a, before, {}, type);
    check_restored(copy, as_dup, expected, type);
    release(a);
    release(copy);
  }
}

TEST_CASE("with CUGRB_FORK=leave a forked child does not get a matrix that only the device has") {
  const SettingsGuard settings_as_before;
  Settings leave = settings();
  leave.fork = ForkPolicy::leave;
  override_settings(leave);
  const TestType& type = type_named("fp32");
  Entries expected;
  GrB_Matrix held = device_matrix(plain(8, 8, 20), type, false, expected);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    runtime::mark_forked();
    int wrong = 0;
    if (mirror::to_host(held) != GrB_PANIC) wrong |= 1;
    if (mirror::state(held) != State::device) wrong |= 2;
    mirror::forget(held);
    _exit(wrong);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  check_restored(held, options_of(held), expected, type);
  release(held);
}

TEST_CASE("stress modes leave a matrix that only the device has alone") {
  const TestType& type = type_named("fp32");
  Entries expected;
  GrB_Matrix a = device_matrix(plain(8, 8, 20), type, false, expected);
  mirror::stress_evict(a);
  CHECK(entries_of(*mirror::read(a)) == expected);
  CHECK(mirror::to_host(a) == GrB_SUCCESS);
  mirror::stress_evict(a);
  CHECK(mirror::state(a) == State::device);
  check_restored(a, options_of(a), expected, type);
  release(a);
}

TEST_CASE("element accesses between offloaded calls keep a matrix on the host") {
  const TestType& type = type_named("int32");
  GrB_Matrix a = make_matrix(plain(8, 8, 20), type, 6);
  set_offload(Offload::automatic);
  CHECK_FALSE(mirror::prefers_host(a));
  for (int k = 0; k < 4; ++k) {
    CHECK_FALSE(mirror::prefers_host(a));
    {
      auto use = mirror::write(a);
      use.commit();
    }
    mirror::note_element_access(a);
    REQUIRE(mirror::to_host(a) == GrB_SUCCESS);
    REQUIRE(GrB_Matrix_setElement_INT32(a, 1, 2, 3) == GrB_SUCCESS);
    mirror::host_changed(a);
  }
  CHECK(mirror::prefers_host(a));
  set_offload(Offload::always);
  CHECK_FALSE(mirror::prefers_host(a));
  set_offload(Offload::automatic);
  release(a);
}

TEST_CASE("an output too tall for plain offsets is declined") {
  start_graphblas();
  GrB_Matrix a = nullptr;
  REQUIRE(GrB_Matrix_new(&a, GrB_FP32, uint64_t(1) << 40, uint64_t(1) << 40) == GrB_SUCCESS);
  CHECK(reason_of([&] { mirror::write(a, false); }).find("2^31") != std::string::npos);
  CHECK(mirror::state(a) == State::host);
  release(a);
}
