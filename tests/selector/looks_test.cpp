// When choosing looks at more of a matrix: as soon as the products so far have paid for it.
#include "src/selector/looks.h"

#include "tests/catch.h"

using namespace cugrb;
using selector::Hardware;
using selector::Looks;
using selector::looks_of;
using selector::MxvProblem;

namespace {

MxvProblem square(uint64_t rows, uint64_t entries) {
  MxvProblem p;
  p.rows = p.columns = rows;
  p.entries = entries;
  p.matrix_value_bytes = p.vector_value_bytes = 4;
  p.tile_columns = 57344;
  return p;
}

/// Reading it once.
double least_seconds(const MxvProblem& p, const Hardware& h) {
  return h.launch_seconds + (8.0 * double(p.entries) + 8.0 * double(p.rows)) / h.copy_bytes_per_second;
}

}  // namespace

TEST_CASE("the second product of a large matrix looks at its neighbours, the eighth at its columns") {
  const Looks looks = looks_of(square(1 << 24, 500'000'000), Hardware());
  CHECK(looks.neighbours == 1);
  CHECK(looks.columns == selector::least_settled_uses);
}

TEST_CASE("short products come first: all that is looked at takes no longer than they have taken") {
  const Hardware h;
  for (const uint64_t entries :
       {uint64_t(1000), uint64_t(100'000), uint64_t(2'000'000), uint64_t(20'000'000)}) {
    const MxvProblem p = square(entries / 8, entries);
    const Looks looks = looks_of(p, h);
    const double product = least_seconds(p, h);
    INFO(entries);
    CHECK(double(looks.neighbours) * product >= 50e-6);
    CHECK(double(looks.neighbours - 1) * product < 50e-6);
    if (looks.columns != Looks::never) CHECK(double(looks.columns) * product >= 0.2e-3);
    CHECK(looks.columns >= looks.neighbours);
  }
}

TEST_CASE("the sample of gathers comes with the lengths of rows where a short program would ask for it") {
  const Hardware h;
  CHECK(looks_of(square(1 << 20, 20'000'000), h).sampled_with_lengths);
  CHECK(looks_of(square(1 << 14, 2'000'000), h).sampled_with_lengths);
  CHECK_FALSE(looks_of(square(1000, 10'000), h).sampled_with_lengths);
  MxvProblem p = square(1 << 20, 20'000'000);
  p.pull_ready = false;
  CHECK_FALSE(looks_of(p, h).sampled_with_lengths);
}

TEST_CASE("the device is busy with queued products for as long as the host thinks about a look, or with 64") {
  const Hardware h;
  for (const uint64_t entries : {uint64_t(1000), uint64_t(20'000'000), uint64_t(2'000'000'000)}) {
    const MxvProblem p = square(entries / 8, entries);
    const Looks looks = looks_of(p, h);
    const double product = least_seconds(p, h);
    INFO(entries);
    for (const uint64_t patience : {looks.neighbours_patience, looks.columns_patience}) {
      CHECK(patience >= 1);
      CHECK(patience <= 64);
    }
    CHECK((looks.neighbours_patience == 64 || double(looks.neighbours_patience) * product >= 30e-6));
    if (looks.columns == Looks::never) continue;
    CHECK((looks.columns_patience == 64 || double(looks.columns_patience) * product >= 30e-6));
    CHECK(looks.columns_patience >= looks.neighbours_patience);
  }
}

TEST_CASE("columns are not looked at where no format could follow: few entries, no operands, sums that end") {
  const Hardware h;
  CHECK(looks_of(square(1000, 100'000), h).columns == Looks::never);
  MxvProblem p = square(1 << 20, 10'000'000);
  REQUIRE(looks_of(p, h).columns != Looks::never);
  p.stops_at_once = true;
  CHECK(looks_of(p, h).columns == Looks::never);
  p.stops_at_once = false;
  p.tile_refusal = "the vector is iso";
  CHECK(looks_of(p, h).columns == Looks::never);
  p.tile_refusal.clear();
  p.pull_ready = false;
  CHECK(looks_of(p, h).columns == Looks::never);
  CHECK(looks_of(p, h).neighbours == Looks::never);
}

TEST_CASE("the next look is the least that is still to come") {
  Looks looks;
  looks.neighbours = 5;
  looks.columns = 40;
  CHECK(looks.next_after(0) == 5);
  CHECK(looks.next_after(5) == 40);
  CHECK(looks.next_after(40) == Looks::never);
}
