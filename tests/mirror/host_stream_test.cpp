// Matrices that stay on the host: parts of them come to the device from every form that SuiteSparse holds,
// and a result's rows become a matrix's content.
#include "src/mirror/host_result.h"
#include "src/mirror/host_source.h"
#include "src/mirror/mirror.h"
#include "tests/catch.h"
#include "tests/mirror/matrices.h"
#include "tests/mirror/narrow_integers.h"
#include "tests/mirror/objects.h"

using namespace cugrb;
using namespace cugrb::test;
using formats::Csr;
using formats::Range;
using runtime::Buffer;

namespace {

/// The entries in these rows and columns of the matrix, or of its transpose, counted from there on.
Entries cut(const Entries& whole, bool transposed, Range rows, Range columns) {
  Entries part;
  for (const auto& [place, value] : whole) {
    const auto [i, j] = transposed ? Position{place.second, place.first} : place;
    if (i < rows.first || i >= rows.last || j < columns.first || j >= columns.last) continue;
    part[{i - rows.first, j - columns.first}] = value;
  }
  return part;
}

Entries entries_of_rows(Csr&& rows) {
  REQUIRE(formats::check(rows) == "");
  return entries_of(formats::matrix_by(std::move(rows), /*by_column=*/false));
}

std::vector<uint64_t> sums_of(const Entries& whole, bool transposed, uint64_t rows,
                              const std::vector<uint64_t>* weights) {
  std::vector<uint64_t> sums(rows);
  for (const auto& [place, value] : whole) {
    const auto [i, j] = transposed ? Position{place.second, place.first} : place;
    sums[i] += weights != nullptr ? (*weights)[j] : 1;
  }
  return sums;
}

void check_parts(const formats::MatrixSource& source, const Entries& whole) {
  CHECK(source.entries() == whole.size());
  for (const bool transposed : {false, true}) {
    const uint64_t rows = transposed ? source.columns() : source.rows();
    const uint64_t columns = transposed ? source.rows() : source.columns();
    for (const Range r : {Range{0, rows}, Range{2, 5}, Range{rows - 1, rows}, Range{3, 3}}) {
      for (const Range c : {Range{0, columns}, Range{1, columns - 2}, Range{4, 5}}) {
        Csr part = source.by_rows(transposed, r, c);
        CHECK(part.rows == r.length());
        CHECK(part.columns == c.length());
        CHECK(part.first_row == r.first);
        CHECK(entries_of_rows(std::move(part)) == cut(whole, transposed, r, c));
      }
    }
    CHECK(source.row_weights(transposed, nullptr) == sums_of(whole, transposed, rows, nullptr));
    std::vector<uint64_t> weights(columns);
    for (uint64_t j = 0; j < columns; ++j) weights[j] = j * j + 1;
    CHECK(source.row_weights(transposed, &weights) == sums_of(whole, transposed, rows, &weights));
  }
}

/// Rows of a matrix with `length` entries each, all of one value where `iso`.
Csr some_rows(uint64_t count, uint64_t length, uint64_t columns, bool iso) {
  formats::SparseShape shape{Type::of(TypeCode::Fp64), count, columns, count * length,
                             formats::Width::bits32,   iso};
  std::vector<uint32_t> offsets, indices;
  std::vector<double> values;
  for (uint64_t r = 0; r <= count; ++r) offsets.push_back(uint32_t(r * length));
  for (uint64_t p = 0; p < shape.entries; ++p) {
    indices.push_back(uint32_t(p % length));
    values.push_back(iso ? 7 : double(p));
  }
  if (iso) values.resize(1);
  Csr rows(shape);
  rows.offsets = Buffer::from_host(offsets.data(), offsets.size() * 4);
  rows.column_indices = Buffer::from_host(indices.data(), indices.size() * 4);
  rows.values = Buffer::from_host(values.data(), values.size() * 8);
  return rows;
}

}  // namespace

TEST_CASE("parts of matrices come from every form, orientation and kind of pending work") {
  start_graphblas();
  for (const char* name : {"fp64", "int16", "Point"}) {
    const TestType& type = type_named(name);
    for_all_shapes(11, 8, [&](const Shape& shape) {
      INFO(describe(shape, type));
      GrB_Matrix a = make_matrix(shape, type, 5);
      {
        const mirror::HostUse use(a);
        check_parts(*use, entries_of(a, type));
        const NarrowIntegers narrow(mirror::view(a));
        check_parts(mirror::HostSource(narrow.view(), (*use).type()), entries_of(a, type));
      }
      release(a);
    });
  }
}

TEST_CASE("parts of a matrix whose truth is on the device, or in the mirror's memory") {
  start_graphblas();
  const TestType& type = type_named("fp64");
  Shape shape;
  shape.rows = 11;
  shape.columns = 8;
  shape.entries = 30;
  for (const auto work : {Shape::Work::none, Shape::Work::jumbled}) {
    for (const bool on_device : {false, true}) {
      shape.work = work;
      GrB_Matrix a = make_matrix(shape, type, 6);
      GrB_Matrix same = make_matrix(shape, type, 6);
      const Entries expected = entries_of(same, type);
      if (on_device) {
        mirror::write(a).commit();
        REQUIRE(GrB_Matrix_clear(a) == GrB_SUCCESS);  // behind the mirror's back: the host has nothing
      } else {
        mirror::stress_evict(a);
      }
      REQUIRE(mirror::state(a) == mirror::State::device);
      {
        const mirror::HostUse use(a);
        check_parts(*use, expected);
      }
      release(a);
      release(same);
    }
  }
}

TEST_CASE("rows of a result become a matrix's content, more of them than were announced, too") {
  start_graphblas();
  const TestType& type = type_named("fp64");
  for (const uint64_t announced : {0, 50, 5000}) {
    for (const bool by_column : {false, true}) {
      GrB_Matrix a = nullptr;
      REQUIRE(GrB_Matrix_new(&a, GrB_FP64, by_column ? 20 : 60, by_column ? 60 : 20) == GrB_SUCCESS);
      mirror::HostResult result;
      result.begin({Type::of(TypeCode::Fp64), 60, 20, announced, formats::Width::bits32, false}, by_column);
      Entries expected;
      for (uint64_t slice = 0; slice < 6; ++slice) {
        const bool iso = slice == 2;
        const uint64_t length = slice == 4 ? 0 : slice + 1;
        Csr rows = some_rows(10, length, 20, iso && length > 0);
        result.append(rows);
        for (const auto& [place, value] : entries_of_rows(std::move(rows))) {
          const uint64_t i = slice * 10 + place.first;
          expected[by_column ? Position{place.second, i} : Position{i, place.second}] = value;
        }
      }
      mirror::give_result(a, result.take());
      CHECK(mirror::state(a) == mirror::State::device);
      GrB_Index entries = 0;
      CHECK(mirror::unsettled_nvals(a, &entries));
      CHECK(entries == expected.size());
      REQUIRE(mirror::to_host(a) == GrB_SUCCESS);
      CHECK(entries_of(a, type) == expected);
      release(a);
    }
  }
}

TEST_CASE(
    "a result for which host memory runs out is none, and nothing leaks; without room for what was announced "
    "it goes on") {
  start_graphblas();
  const int64_t before = live_allocations();
  unsigned refused = 0;
  bool succeeded = false;
  const uint64_t announced = GENERATE(0, 180);
  for (uint64_t n = 1; n < 40 && !succeeded; ++n) {
    fail_allocation(n);
    try {
      mirror::HostResult result;
      result.begin({Type::of(TypeCode::Fp64), 60, 20, announced, formats::Width::bits32, false}, false);
      for (int slice = 0; slice < 6; ++slice) result.append(some_rows(10, 3, 20, false));
      result.take();
      succeeded = allocation_count() < n;
    } catch (const std::bad_alloc&) {
      ++refused;
    }
    fail_allocation(0);
    CHECK(live_allocations() == before);
  }
  CHECK(succeeded);
  // The offsets, and then the arrays whenever they grow; those that were announced may be smaller.
  CHECK((announced == 0 ? refused > 3 : refused == 1));
}
