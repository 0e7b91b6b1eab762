// The analytic model on values worked out by hand. The matrix has five rows, of 6, 1, 0, 2 and 1 entries:
//   N = 5, NNZ = 10, N_e = P(X > 0) N = 4, E(X) = 2, longest 6;
//   2-fractiles: 2.5 of 5 rows are needed, so 3: length 1; and 6. E(Q) = 3.5.
// The device is made of round numbers:
//   S_i = S_s = 4 bytes, B = 10 bytes/s, F_s = 2, F_i = 4 operations/s, BW = 8 bytes, CR = 1 Hz, C = 2, W =
//   2, BS = 4.
#include "src/selector/analytic.h"

#include <cmath>

#include "src/selector/analytic_terms.h"
#include "tests/catch.h"

using namespace cugrb::selector::analytic;
using cugrb::Type;
using cugrb::TypeCode;
using cugrb::formats::LengthDistribution;

namespace {

const LengthDistribution five_rows({{0, 1}, {1, 2}, {2, 1}, {6, 1}});

Parameters round_numbers() {
  Parameters p;
  p.index_bytes = p.value_bytes = 4;
  p.transfer_rate = 10;
  p.value_rate = 2;
  p.integer_rate = 4;
  p.bus_bytes = 8;
  p.memory_clock = 1;
  p.processors = 2;
  p.warp_threads = 2;
  p.block_threads = 4;
  return p;
}

bool agree(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b)); }

}  // namespace

TEST_CASE("the default parameters are the published table") {
  const Parameters p;
  CHECK(p.index_bytes == 4);
  CHECK(p.value_bytes == 4);
  CHECK(p.transfer_rate == 16e9);
  CHECK(p.value_rate == 0.76e9);
  CHECK(p.bus_bytes == 16);  // 128 bits
  CHECK(p.memory_clock == 900e6);
  CHECK(p.processors == 384);
  CHECK(p.warp_threads == 32);
}

TEST_CASE("Eq. 23: an access takes as many clocks as the bus needs") {
  const Parameters p = round_numbers();
  CHECK(terms::access_seconds(0, p) == 0);
  CHECK(terms::access_seconds(8, p) == 1);
  CHECK(terms::access_seconds(9, p) == 2);
  CHECK(terms::element_seconds(3, p) == 3);
}

TEST_CASE("COO") {
  const Estimate e = coo(five_rows, round_numbers());
  CHECK(e.storage_bytes == 120);          // Eq. 15: 4 * 10 + 2 * 4 * 10
  CHECK(agree(e.transfer_seconds, 16));   // Eq. 25: (120 + 2 * 4 * 5) / 10
  CHECK(agree(e.memory_seconds, 20));     // Eq. 26: 10 / 2 * (2 + 2)
  CHECK(agree(e.multiply_seconds, 2.5));  // Eq. 27: 10 / (2 * 2)
  CHECK(agree(e.add_seconds, 2.5));       // Eq. 28: 5 * 2 / 2 * ceil(2 / 2) / 2
  CHECK(agree(e.compute_seconds(), 25));  // Eq. 29
  CHECK(agree(e.total_seconds(), 41));    // Eq. 21
}

TEST_CASE("a warp adds in whole rounds") {  // Eq. 28
  const Parameters p = round_numbers();
  CHECK(agree(terms::coo_add_seconds(5, 2.0, p), 2.5));  // ceil(1) = 1 round
  CHECK(agree(terms::coo_add_seconds(5, 2.1, p), 5));    // ceil(1.05) = 2
  CHECK(agree(terms::coo_add_seconds(5, 0, p), 0));
}

TEST_CASE("CSR") {
  const Estimate e = csr(five_rows, round_numbers());
  CHECK(e.storage_bytes == 104);            // Eq. 16: 4 * 10 + 4 * 10 + 4 * 6
  CHECK(agree(e.transfer_seconds, 14.4));   // Eq. 31: (104 + 40) / 10
  CHECK(agree(e.multiply_seconds, 4.375));  // Eq. 33: 5 / 2 * 3.5 / 2
  CHECK(agree(e.add_seconds, 6.5625));      // Eq. 34: 5 / 2 * (3.5 / 2 + 3.5 / 4)
  // Eq. 35: 5 / 2 * (ceil(4 * 3.5 / 8) + ceil(4 * 3.5 / 8) + 1 + 1 + 3.5) = 2.5 * (2 + 2 + 5.5)
  CHECK(agree(e.memory_seconds, 23.75));
  // Eq. 36: 5 / 2 * (4 + 2 + 3.5 + 3.5 * (2 / 2 + 1 / 4)) = 2.5 * 13.875
  CHECK(agree(e.compute_seconds(), 34.6875));
}

TEST_CASE("ELL") {
  const Estimate e = ell(five_rows, round_numbers());
  CHECK(ell_bytes_of_all_rows(5, 6, round_numbers()) == 240);  // Eq. 17: 4 * 5 * 6 + 4 * 5 * 6
  CHECK(e.storage_bytes == 208);                               // Eq. 18: 4 * 4 * 6 + 4 * 4 * 6 + 4 * 4
  CHECK(agree(e.transfer_seconds, 24.8));  // Eq. 38: 0.8 * 5 * 6 * 8 / 10 + (4 * 4 + 2 * 4 * 5) / 10
  // Eq. 39: 4 / 2 * (ceil(24 / 8) + ceil(24 / 8) + (6 - 4) + 1 + 1)
  CHECK(agree(e.memory_seconds, 20));
  CHECK(agree(e.multiply_seconds, 3.5));  // Eq. 40: 4 / 2 * 3.5 / 2
  CHECK(agree(e.add_seconds, 3.5));       // Eq. 41
  CHECK(agree(e.compute_seconds(), 27));  // Eq. 42: 2 * (6 + 2 + 2 + 2 * 3.5 / 2)
}

TEST_CASE("rows that fit in the block's shared memory read the vector through it") {  // K <= BS in Eq. 39
  Parameters p = round_numbers();
  p.block_threads = 6;
  CHECK(agree(ell(five_rows, p).memory_seconds, 16));  // 4 / 2 * (3 + 3 + 0 + 1 + 1)
  p.block_threads = 100;
  CHECK(agree(ell(five_rows, p).memory_seconds, 16));
}

TEST_CASE("HYB of threshold 2") {
  // Row 6 leaves 4 entries to COO: NNZ(X > 2) = 6, P(X > 2) N = 1, E(X | X > 2) = 6, E(X | X <= 2) = 4 / 4
  // = 1.
  const Estimate e = hyb(five_rows, 2, round_numbers());
  CHECK(coo_bytes(4, round_numbers()) == 48);  // Eq. 19: (6 - 2) * 4 + (6 - 2) * 2 * 4
  CHECK(e.storage_bytes == 128);               // Eq. 20: 48 + 4 * 4 * 2 + 4 * 4 * 2 + 4 * 4
  CHECK(agree(e.transfer_seconds, 16.8));      // Eq. 45: (128 + 40) / 10
  // Eq. 46: 4 / 2 * (4 + 1 / 2) + 1 * 2 / 2 * ceil((6 - 2) / 2) / 2 = 9 + 1
  // Eq. 47: 4 / 2 * (ceil(8 / 8) + ceil(8 / 8) + 0 + 2 + 2 * 1 / 2) = 10
  CHECK(agree(e.compute_seconds(), 20));  // Eq. 49
  CHECK(agree(e.memory_seconds, 8 + 8));  // 4 / 2 * 4; 4 / 2 * (2 + 2)
  CHECK(agree(e.multiply_seconds, 1 + 1));
  CHECK(agree(e.add_seconds, 1 + 1));
  CHECK(agree(e.total_seconds(), 36.8));  // Eq. 50
}

TEST_CASE("HYB of threshold 5, beyond the block's size") {
  const Estimate e = hyb(five_rows, 5, round_numbers());
  CHECK(e.storage_bytes == 188);           // 12 + 4 * 4 * 5 + 4 * 4 * 5 + 4 * 4
  CHECK(agree(e.transfer_seconds, 22.8));  // (188 + 40) / 10
  // Eq. 46: 1 / 2 * (4 + 1 / 2) + 1 * 2 / 2 * ceil((6 - 5) / 2) / 2 = 2.25 + 0.5
  // Eq. 47: 4 / 2 * (ceil(20 / 8) + ceil(20 / 8) + ceil(4 * (5 - 4) / 8) + 2 + 2 * 1 / 2) = 2 * (3 + 3 + 1 +
  // 3)
  CHECK(agree(e.compute_seconds(), 22.75));
  CHECK(agree(e.total_seconds(), 45.55));
}

TEST_CASE("HYB whose threshold is the longest row has no COO part") {
  const Estimate e = hyb(five_rows, 6, round_numbers());
  CHECK(e.storage_bytes == ell(five_rows, round_numbers()).storage_bytes);
  // Eq. 47 with E(X | X <= 6) = 2: 4 / 2 * (3 + 3 + ceil(4 * 2 / 8) + 2 + 2 * 2 / 2) = 2 * 11
  CHECK(agree(e.compute_seconds(), 22));
}

TEST_CASE("integers are multiplied and added at F_i") {
  Parameters p = round_numbers();
  p.value_rate = p.integer_rate;  // 4 operations a second
  const Estimate of_coo = coo(five_rows, p), of_csr = csr(five_rows, p), of_ell = ell(five_rows, p),
                 of_hyb = hyb(five_rows, 2, p);
  CHECK(agree(of_coo.multiply_seconds, 1.25));    // Eq. 27: 10 / (2 * 4)
  CHECK(agree(of_coo.add_seconds, 1.25));         // Eq. 28: 5 * 2 / 2 * ceil(2 / 2) / 4
  CHECK(agree(of_coo.compute_seconds(), 22.5));   // Eq. 29
  CHECK(agree(of_csr.multiply_seconds, 2.1875));  // Eq. 33: 5 / 2 * 3.5 / 4
  CHECK(agree(of_csr.add_seconds, 4.375));        // Eq. 34: 5 / 2 * (3.5 / 4 + 3.5 / 4)
  CHECK(agree(of_csr.compute_seconds(), 30.3125));
  CHECK(agree(of_ell.multiply_seconds, 1.75));   // Eq. 40: 4 / 2 * 3.5 / 4
  CHECK(agree(of_ell.compute_seconds(), 23.5));  // Eq. 42: 2 * (6 + 2 + 2 + 2 * 3.5 / 4)
  // Eq. 46: 4 / 2 * (4 + 1 / 4) + 1 * 2 / 2 * 2 / 4 = 9; Eq. 47: 2 * (1 + 1 + 0 + 2 + 2 * 1 / 4) = 9
  CHECK(agree(of_hyb.compute_seconds(), 18));
}

TEST_CASE("E(Q) of the break points alone leaves the longest row out") {
  Parameters p = round_numbers();
  p.fractiles = Fractiles::break_points;
  CHECK(five_rows.break_point_mean(2) == 1);             // the one point between two halves
  CHECK(agree(five_rows.break_point_mean(4), 4.0 / 3));  // 1, 1 and 2
  CHECK(five_rows.break_point_mean(1) == 0);
  // Eq. 36 with E(Q) = 1: 5 / 2 * (1 + 1 + 2 + 1 + 1 * (2 / 2 + 1 / 4))
  CHECK(agree(csr(five_rows, p).compute_seconds(), 15.625));
  CHECK(agree(ell(five_rows, p).compute_seconds(), 22));  // Eq. 42: 2 * (6 + 2 + 2 + 2 * 1 / 2)
  // The choice of section 5 on resident data goes from COO (25) to CSR.
  CHECK(best_of(estimates(five_rows, p), Counted::compute).format == Format::csr);
}

// Statement 4 of section 6.2: CSR is slower than COO on two of ten matrices. By Eq. 29 and 36 with Table 2 it
// is where E(Q) > 1.026 E(X) + 7.1, which break points, at most 32 / 31 E(X), never reach.
TEST_CASE("with Table 2's values only the longest row makes CSR slower than COO") {
  Parameters with_longest;
  Parameters break_points = with_longest;
  break_points.fractiles = Fractiles::break_points;
  const auto csr_over_coo = [](const LengthDistribution& d, const Parameters& p) {
    return csr(d, p).compute_seconds() / coo(d, p).compute_seconds();
  };
  for (const uint64_t longest : {1, 30, 353, 5000}) {
    for (const uint64_t rows_of_16 : {0, 1000, 99000}) {
      const LengthDistribution d({{2, 100000 - rows_of_16}, {16, rows_of_16}, {longest, 1}});
      CAPTURE(longest, rows_of_16, d.mean());
      CHECK(csr_over_coo(d, break_points) < 1);
    }
  }
  CHECK(csr_over_coo(LengthDistribution({{2, 100000}, {200, 1}}), with_longest) < 1);  // E(Q) = 8.2
  CHECK(csr_over_coo(LengthDistribution({{2, 100000}, {353, 1}}), with_longest) > 1);  // E(Q) = 13
}

TEST_CASE("Algorithm 1 takes the least time, and what counts as time matters") {
  const Parameters p = round_numbers();
  const auto all = estimates(five_rows, p);
  REQUIRE(all.size() == 3);
  CHECK(agree(all[0].estimate.total_seconds(), 41));
  CHECK(agree(all[1].estimate.total_seconds(), 49.0875));
  CHECK(agree(all[2].estimate.total_seconds(), 51.8));
  CHECK(all[2].threshold == 6);
  CHECK(best_of(all, Counted::transfer_and_compute).format == Format::coo);
  CHECK(best_of(all, Counted::compute).format == Format::coo);
  const HybChoice split = optimal_hyb(five_rows, p, Counted::transfer_and_compute);
  CHECK(split.threshold == 2);
  CHECK(agree(split.estimate.total_seconds(), 36.8));
  // Eight rows of 6: E(Q) = E(X) = 6, COO reads four elements an entry, ELL two arrays by the bus.
  const auto even = estimates(LengthDistribution({{6, 8}}), p);
  CHECK(agree(even[0].estimate.compute_seconds(), 120));  // 48 / 2 * (4 + 1 / 2) + 8 * 2 / 2 * 3 / 2
  CHECK(agree(even[1].estimate.compute_seconds(), 86));   // 8 / 2 * (3 + 3 + 2 + 6 + 6 * 1.25)
  CHECK(agree(even[2].estimate.compute_seconds(), 64));   // 8 / 2 * (6 + 2 + 2 + 2 * 6 / 2)
  CHECK(best_of(even, Counted::compute).format == Format::ell);
  CHECK(best_of({even[0], even[1]}, Counted::compute).format == Format::csr);
  // 1000 rows, 10 of them with one entry: CSR carries an offset a row, COO nothing.
  const LengthDistribution sparse({{0, 990}, {1, 10}});
  // COO: S = 120; (120 + 8000) / 10 = 812. CSR: S = 80 + 4004; (4084 + 8000) / 10 = 1208.4.
  // CT: COO 10 / 2 * 4.5 + 1000 * 1 / 2 = 522.5; CSR E(Q) = 1 / 2: 500 * (1 + 1 + 2 + 0.5 + 0.5 * 1.25) =
  // 2562.5.
  const auto both = estimates(sparse, p);
  CHECK(agree(both[0].estimate.total_seconds(), 1334.5));
  CHECK(agree(both[1].estimate.total_seconds(), 3770.9));
  CHECK(best_of({both[0], both[1]}, Counted::transfer_and_compute).format == Format::coo);
}

TEST_CASE("a matrix without rows or without entries costs nothing that is not a number") {
  const Parameters p;
  for (const LengthDistribution& d : {LengthDistribution(), LengthDistribution({{0, 12}})}) {
    for (const FormatEstimate& e : estimates(d, p)) {
      CHECK(std::isfinite(e.estimate.total_seconds()));
      CHECK(e.estimate.multiply_seconds == 0);
    }
  }
}

TEST_CASE("parameters of devices") {
  cugrb::runtime::Properties a100;
  a100.kind = cugrb::runtime::Kind::cuda;
  a100.architecture = "sm_80";
  a100.multiprocessors = 108;
  a100.clock_hertz = 1.41e9;
  a100.memory_clock_hertz = 1.215e9;
  a100.memory_bus_bytes = 640;
  const auto of_type = [&](TypeCode code) { return Parameters::of(a100, Type::of(code), 12e9); };
  const Parameters p = of_type(TypeCode::Fp64);
  CHECK(p.transfer_rate == 12e9);
  CHECK(p.processors == 6912);
  CHECK(p.value_bytes == 8);
  CHECK(p.value_rate == 0.705e9);
  CHECK(p.integer_rate == 1.41e9);
  CHECK(p.bus_bytes == 640);
  CHECK(p.memory_clock == 1.215e9);
  CHECK(of_type(TypeCode::Fp32).value_rate == 1.41e9);
  CHECK(of_type(TypeCode::Int32).value_rate == 1.41e9);  // 64 of 64 results a clock
  CHECK(of_type(TypeCode::Bool).value_rate == 1.41e9);
  CHECK(of_type(TypeCode::Bool).value_bytes == 1);
  CHECK(of_type(TypeCode::UInt64).value_rate == 0.705e9);  // two instructions
  const Parameters unknown =
      Parameters::of({}, Type::of(TypeCode::Int32), 1);  // the emulated device: an H200
  CHECK(unknown.processors == 16896);
  CHECK(unknown.bus_bytes == 768);
  CHECK(unknown.value_rate == 0.99e9);  // 64 of 128 results a clock
  CHECK(unknown.integer_rate == 0.99e9);
  CHECK(Parameters::of({}, Type::of(TypeCode::Fp32), 1).integer_rate == 0.99e9);
}
