// Dynamic CSR: made from CSR with segments and slack, turned back, sizes, invariant checks; its kernels over
// rows of several segments.
#include "src/formats/dcsr.h"

#include "src/operations/operations.h"
#include "tests/catch.h"
#include "tests/formats/format_cases.h"
#include "tests/operations/mxv_cases.h"

using namespace cugrb;
using formats::Csr;
using formats::Dcsr;
using formats::DcsrShape;
using formats::Width;
using test::RefMatrix;

TEST_CASE("CSR to DCSR and back keeps every entry, for every shape, width, iso-ness and size of value") {
  test::for_every_matrix(41, [&](const RefMatrix& matrix, const Csr& csr, const std::string& text) {
    for (const DcsrShape& shape : {DcsrShape(), DcsrShape{4, 1, 3}, DcsrShape{5, 3, 0}, DcsrShape{2, 2, 2}}) {
      INFO(text << ", " << shape.segments << " of " << shape.slots << " segments, slack " << shape.slack);
      const Dcsr dcsr = make_dcsr(csr, shape);
      REQUIRE(formats::check(dcsr) == "");
      const Csr back = to_csr(dcsr);
      REQUIRE(formats::check(back) == "");
      CHECK(test::same(test::from_device(back), matrix));
      CHECK(dcsr.used == matrix.entries.size() + shape.slack * matrix.rows);
      const size_t offset = formats::bytes_of(csr.offset_width), pitch = (2 * matrix.rows + 31) / 32 * 32;
      const size_t element = formats::bytes_of(csr.column_width) + (csr.iso ? 0 : csr.type.size);
      const bool shared = shape.segments == 1 && shape.slack == 0, starts = shape.segments == 1 && !shared;
      CHECK(dcsr.bytes() == (shape.slots * pitch + matrix.rows + (starts ? matrix.rows + 1 : 0)) * offset +
                                (shared ? 0 : dcsr.used * element));
    }
  });
}

TEST_CASE("segments of a row share its entries evenly, the last one has the slack") {
  test::Random random(42);
  const RefMatrix matrix = test::matrix_of_lengths(random, Type::of(TypeCode::Bool), {7, 0, 1, 3}, 7);
  const Dcsr dcsr = make_dcsr(test::csr_to_device(matrix, false, false), {4, 3, 2});
  CHECK(formats::check(dcsr) == "");
  const std::vector<uint32_t> table = dcsr.segments.to_host<uint32_t>(4 * 32);
  const auto capacity = [&](size_t row, size_t s) {
    return table[2 * row + s * 32 + 1] - table[2 * row + s * 32];
  };
  const uint32_t expected[4][4] = {{3, 3, 1 + 2, 0}, {0, 0, 2, 0}, {1, 0, 2, 0}, {1, 1, 1 + 2, 0}};
  for (size_t row = 0; row < 4; ++row) {
    for (size_t s = 0; s < 4; ++s) CHECK(capacity(row, s) == expected[row][s]);
  }
}

TEST_CASE("kernels on dynamic CSR read rows of several segments with slack, in bins and not") {
  const test::MeantSemiring s = test::built_in_semiring("PLUS_MINUS_INT64");
  const Type& type = Type::of(TypeCode::Int64);
  test::Random random(43);
  const std::vector<std::vector<uint64_t>> shapes = {
      {5, 0, 9, 17, 33, 65, 2, 1, 120, 4, 8, 16, 32, 64, 0, 3}, {2048, 2049, 3}, {40000, 1, 70, 33000}};
  for (const std::vector<uint64_t>& lengths : shapes) {
    const uint64_t columns = *std::max_element(lengths.begin(), lengths.end()) + 1;
    const RefMatrix reference = test::matrix_of_lengths(random, type, lengths, columns);
    for (const DcsrShape& shape : {DcsrShape{4, 1, 2}, DcsrShape{4, 3, 1}, DcsrShape{7, 7, 0}}) {
      for (const Form form : {Form::full, Form::bitmap}) {
        for (const char* kernel : {"mxv_dcsr", "mxv_adcsr"}) {
          const test::RefVector u =
              test::random_vector(random, type, columns, form == Form::full ? 1 : 0.3, false);
          const formats::DeviceMatrix matrix = test::to_device(reference, false, false);
          matrix.derived(false, formats::Only<Dcsr>(),
                         [&](const Csr& rows) { return formats::make_dcsr(rows, shape); });
          const formats::DeviceVector vector = test::to_device(u, form, false);
          formats::DeviceVector w = formats::DeviceVector::empty(type, reference.rows);
          {
            const test::Forced forced(kernel);
            operations::mxv({w, {}, std::nullopt, false}, {s.semiring, matrix, vector, false, false});
          }
          test::RefVector t{type, reference.rows, {}};
          for (const auto& [i, values] : test::terms_of(reference, u, false, s.multiply)) {
            t.entries[i] = values[0];
            for (size_t n = 1; n < values.size(); ++n) t.entries[i] = s.add(t.entries[i], values[n]);
          }
          INFO(kernel << ", " << shape.segments << " segments, slack " << shape.slack << ", first row of "
                      << lengths[0]);
          CHECK(test::difference(t, test::from_device(w)) == "");
        }
      }
    }
  }
}

TEST_CASE("the check of dynamic CSR names what is wrong") {
  test::Random random(44);
  const RefMatrix matrix =
      test::random_matrix(random, Type::of(TypeCode::Fp32), 20, 15, test::Spread::no_empty_row, 5, false);
  const Dcsr good = make_dcsr(test::csr_to_device(matrix, false, false), {3, 2, 1});
  const auto with = [&](auto change) {
    Dcsr dcsr = good;
    change(dcsr);
    return formats::check(dcsr);
  };
  const uint32_t size = good.sizes.read<uint32_t>(0);
  CHECK(with([](Dcsr&) {}) == "");
  CHECK(with([](Dcsr& d) { d.segments = test::with_word(d.segments, 2, 0); }).find("overlaps") !=
        std::string::npos);
  Dcsr tight = make_dcsr(test::csr_to_device(matrix, false, false), {3, 2, 0});
  tight.segments = test::with_word(tight.segments, 1, 0);  // row 0's first segment is lost
  CHECK(formats::check(tight).find("too small") != std::string::npos);
  CHECK(with([](Dcsr& d) { --d.used; }).find("beyond the allocated") != std::string::npos);
  CHECK(with([](Dcsr& d) { ++d.used; }).find("more positions") != std::string::npos);
  CHECK(with([&](Dcsr& d) { d.sizes = test::with_word(d.sizes, 0, size + 1); }).find("hold") !=
        std::string::npos);
  CHECK(with([](Dcsr& d) { d.column_indices = test::with_word(d.column_indices, 0, 15); }).find("range") !=
        std::string::npos);
  CHECK(with([](Dcsr& d) { d.pitch = 30; }).find("pitch") != std::string::npos);
}
