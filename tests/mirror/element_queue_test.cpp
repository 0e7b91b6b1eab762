// Changes of a matrix's elements that wait: where they are seen, that nothing comes down for them, and that
// no failure loses one.
#include <random>

#include "cuda/runtime/injection.h"
#include "src/formats/dcsr.h"
#include "src/mirror/hysteresis.h"
#include "src/support/settings.h"
#include "src/support/trace.h"
#include "tests/mirror/matrices.h"

using namespace cugrb;
using namespace cugrb::test;
using mirror::State;

namespace {

Shape shape_of(bool by_column) {
  Shape shape;
  shape.rows = 9;
  shape.columns = 14;
  shape.entries = 40;
  shape.by_column = by_column;
  return shape;
}

/// The matrix with its content on the device: there alone, or there too.
GrB_Matrix matrix_on_device(bool by_column, bool alone, const TestType& type, Entries& expected) {
  GrB_Matrix a = make_matrix(shape_of(by_column), type, 42);
  expected = entries_of(a, type);
  if (alone) {
    auto use = mirror::write(a);
    use.commit();
  } else {
    mirror::read(a);
  }
  return a;
}

using Random = std::mt19937;

/// Queues `count` changes of few places.
void change(GrB_Matrix a, const TestType& type, Random& random, unsigned count, Entries& expected) {
  for (unsigned n = 0; n < count; ++n) {
    const Position place{random() % 9, random() % 5};
    if (random() % 3 == 0) {
      REQUIRE(mirror::queue_element(a, place.first, place.second, nullptr));
      expected.erase(place);
    } else {
      const Value value{{}, type.bytes_of(int(random() % 50))};
      REQUIRE(mirror::queue_element(a, place.first, place.second, &value));
      expected[place] = value.bytes;
    }
  }
}

/// While it lives, batches are inserted.
struct Inserting {
  Inserting() { force_kernel("update_insert"); }
  ~Inserting() { force_kernel(""); }
};

/// Makes the device's copy a fragmented one.
void fragment(GrB_Matrix a, const TestType& type, Random& random, Entries& expected) {
  const Inserting inserting;
  change(a, type, random, 30, expected);
  const auto use = mirror::read(a, mirror::Reads::any_form);
  REQUIRE(use->fragments != nullptr);
  REQUIRE(formats::check(*use->fragments) == "");
}

}  // namespace

TEST_CASE("changes that wait are seen by every use, and no matrix comes down for them") {
  Random random(61);
  for (const char* name : {"int32", "fp64", "bool"}) {
    const TestType& type = type_named(name);
    for (const bool by_column : {false, true}) {
      for (const bool alone : {false, true}) {
        INFO(name << (by_column ? " by column" : "") << (alone ? " on the device alone" : ""));
        Entries expected;
        GrB_Matrix a = matrix_on_device(by_column, alone, type, expected);
        const trace::Totals before = trace::totals();
        for (int round = 0; round < 5; ++round) {
          change(a, type, random, 1 + 10 * round, expected);
          for (const auto& [place, bytes] : expected) {
            const mirror::Element found = mirror::element_of(a, place.first, place.second);
            if (found.served) CHECK(found.value->bytes == bytes);
          }
          if (round == 3) {
            GrB_Index entries = 0;
            CHECK(mirror::unsettled_nvals(a, &entries));
            CHECK(entries == expected.size());
          }
          CHECK(entries_of(*mirror::read(a)) == expected);
          CHECK(mirror::state(a) == State::device);
        }
        CHECK(trace::totals().downloads == before.downloads);
        CHECK(trace::totals().uploads == before.uploads);
        change(a, type, random, 20, expected);
        CHECK(mirror::to_host(a) == GrB_SUCCESS);
        CHECK(mirror::state(a) == State::both);  // the device has them, too
        CHECK(test::entries_of(a, type) == expected);
        CHECK(entries_of(*mirror::read(a)) == expected);
        change(a, type, random, 20, expected);
        CHECK(mirror::to_host(a) == GrB_SUCCESS);
        CHECK(mirror::state(a) == State::both);
        CHECK(test::entries_of(a, type) == expected);
        CHECK(entries_of(*mirror::read(a)) == expected);
        release(a);
      }
    }
  }
}

TEST_CASE("changes wait through evictions, and go with what overwrites the matrix") {
  Random random(62);
  const TestType& type = type_named("int32");
  for (const bool alone : {false, true}) {
    for (const bool to_host : {false, true}) {
      INFO(alone << to_host);
      Entries expected;
      GrB_Matrix a = matrix_on_device(false, alone, type, expected);
      change(a, type, random, 30, expected);
      CHECK(mirror::evict(SIZE_MAX) > 0);
      CHECK_FALSE(mirror::is_on_host_alone(a));
      CHECK_FALSE(mirror::queue_element(a, 1, 1, nullptr));  // SuiteSparse's now
      if (to_host) {
        CHECK(mirror::to_host(a) == GrB_SUCCESS);
        CHECK(mirror::state(a) == State::host);
        CHECK(test::entries_of(a, type) == expected);
      }
      CHECK(entries_of(*mirror::read(a)) == expected);
      change(a, type, random, 10, expected);
      { auto use = mirror::write(a, false); }
      CHECK(entries_of(*mirror::read(a)) == expected);  // nothing was committed
      change(a, type, random, 10, expected);
      {
        auto use = mirror::write(a, false);
        use.commit();
      }
      CHECK(entries_of(*mirror::read(a)).empty());
      mirror::queue_element(a, 1, 1, nullptr);
      mirror::host_changed(a);
      CHECK(mirror::is_on_host_alone(a));
      release(a);
    }
  }
}

TEST_CASE(
    "a matrix that is read element by element comes to the host, and changes there until the device uses "
    "it") {
  Random random(64);
  const TestType& type = type_named("int32");
  const Value seven{{}, type.bytes_of(7)};
  for (const Offload offload : {Offload::automatic, Offload::always}) {
    for (const bool alone : {false, true}) {
      set_offload(offload);
      Entries expected;
      GrB_Matrix a = matrix_on_device(false, alone, type, expected);
      change(a, type, random, 5, expected);
      int served = 0;
      for (int n = 0; n < 20; ++n) served += mirror::element_of(a, 8, 13).served ? 1 : 0;
      CHECK(served == int(mirror::Hysteresis::run_limit) - 1);
      CHECK(mirror::to_host(a) == GrB_SUCCESS);
      CHECK(mirror::state(a) == State::both);
      CHECK_FALSE(mirror::queue_element(a, 3, 3, &seven));
      mirror::read(a);
      CHECK(mirror::queue_element(a, 3, 3, &seven));
      expected[{3, 3}] = seven.bytes;
      CHECK(entries_of(*mirror::read(a)) == expected);
      release(a);
    }
  }
}

TEST_CASE("a matrix that the program makes anew, element by element, comes to the host") {
  Random random(65);
  const TestType& type = type_named("int32");
  const Value seven{{}, type.bytes_of(7)};
  for (const Offload offload : {Offload::automatic, Offload::always}) {
    set_offload(offload);
    Entries expected;
    GrB_Matrix a = matrix_on_device(false, true, type, expected);
    change(a, type, random, 1023, expected);
    CHECK(mirror::queue_element(a, 3, 3, &seven));
    expected[{3, 3}] = seven.bytes;
    CHECK(mirror::queue_element(a, 4, 4, &seven) == (offload == Offload::always));
    if (offload == Offload::always) expected[{4, 4}] = seven.bytes;
    CHECK(mirror::to_host(a) == GrB_SUCCESS);
    CHECK(entries_of(*mirror::read(a)) == expected);
    release(a);
  }
}

TEST_CASE("a copy has the changes that waited, and its own from then on") {
  Random random(63);
  const TestType& type = type_named("int32");
  Entries expected;
  GrB_Matrix a = matrix_on_device(true, true, type, expected), copy = nullptr;
  REQUIRE(GrB_Matrix_new(&copy, GrB_INT32, 9, 14) == GrB_SUCCESS);
  change(a, type, random, 25, expected);
  REQUIRE(mirror::share(a, copy));
  Entries of_copy = expected;
  change(a, type, random, 25, expected);
  change(copy, type, random, 25, of_copy);
  CHECK(entries_of(*mirror::read(a)) == expected);
  CHECK(entries_of(*mirror::read(copy)) == of_copy);
  release(a);
  release(copy);
}

TEST_CASE("a fragmented matrix takes changes, answers, is copied and evicted, and comes to the host whole") {
  Random random(65);
  for (const char* name : {"int32", "fp64", "bool"}) {
    const TestType& type = type_named(name);
    for (const bool by_column : {false, true}) {
      INFO(name << (by_column ? " by column" : ""));
      Entries expected;
      GrB_Matrix a = matrix_on_device(by_column, true, type, expected), copy = nullptr;
      const trace::Totals before = trace::totals();
      fragment(a, type, random, expected);
      fragment(a, type, random, expected);
      for (const auto& [place, bytes] : expected) {
        const mirror::Element found = mirror::element_of(a, place.first, place.second);
        if (found.served) CHECK(found.value->bytes == bytes);
      }
      CHECK(trace::totals().downloads == before.downloads);
      GrB_Type handle = nullptr;
      REQUIRE(GxB_Matrix_type(&handle, a) == GrB_SUCCESS);
      REQUIRE(GrB_Matrix_new(&copy, handle, 9, 14) == GrB_SUCCESS);
      REQUIRE(mirror::share(a, copy));
      const Entries of_copy = expected;
      fragment(a, type, random, expected);
      CHECK(mirror::to_host(copy) == GrB_SUCCESS);
      CHECK(test::entries_of(copy, type) == of_copy);
      // The device has no memory to put the rows together: the host does.
      runtime::injection::reset("allocation:1+");
      CHECK(mirror::to_host(a) == GrB_SUCCESS);
      runtime::injection::reset("");
      CHECK(test::entries_of(a, type) == expected);
      fragment(a, type, random, expected);
      CHECK(mirror::evict(SIZE_MAX) > 0);
      CHECK(entries_of(*mirror::read(a)) == expected);
      fragment(a, type, random, expected);
      CHECK(entries_of(*mirror::read(a)) == expected);
      CHECK(mirror::read(a, mirror::Reads::any_form)->fragments == nullptr);
      release(a);
      release(copy);
    }
  }
}

TEST_CASE("no change is lost, whichever allocation or launch fails on the device or on the host") {
  const TestType& type = type_named("fp64");
  unsigned failures = 0;
  for (const bool alone : {false, true}) {
    for (const char* point : {"allocation:", "launch:", "host"}) {
      for (const bool to_host : {false, true}) {
        for (const unsigned variant : {0, 1, 2, 3}) {
          const bool forever = variant % 2 == 1, fragmented = variant >= 2;
          bool failed = true;
          for (unsigned n = 1; n < 40 && failed; ++n) {
            INFO(point << n << (forever ? " and all later" : "") << alone << to_host << fragmented);
            Random random(n);
            Entries expected;
            GrB_Matrix a = matrix_on_device(false, alone, type, expected);
            if (fragmented) fragment(a, type, random, expected);
            if (fragmented) force_kernel("update_insert");
            change(a, type, random, 30, expected);
            const bool on_host = std::string(point) == "host";
            if (on_host) {
              fail_allocation(n, forever);
            } else {
              runtime::injection::reset(point + std::to_string(n) + (forever ? "+" : ""));
            }
            failed = false;
            try {
              if (to_host) {
                failed = mirror::to_host(a) != GrB_SUCCESS;
              } else {
                mirror::read(a);
              }
            } catch (const std::exception&) {
              failed = true;
            }
            if (on_host) {
              failed = allocation_count() >= n;
            } else if (to_host) {  // SuiteSparse takes what the device cannot
              failed = runtime::injection::count(point[0] == 'a' ? runtime::injection::Point::allocation
                                                                 : runtime::injection::Point::launch) >= n;
            }
            runtime::injection::reset("");
            fail_allocation(0);
            force_kernel("");
            failures += failed ? 1 : 0;
            if (n % 2 == 0) CHECK(entries_of(*mirror::read(a)) == expected);
            REQUIRE(mirror::to_host(a) == GrB_SUCCESS);
            CHECK(test::entries_of(a, type) == expected);
            release(a);
          }
          CHECK_FALSE(failed);
        }
      }
    }
  }
  CHECK(failures > 40);
}
