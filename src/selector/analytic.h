// The analytic model of SpMV: storage, transfer, memory and computing time of COO, CSR, ELL and HYB from the
// distribution of row lengths and a table of device parameters.
//
// Source: K. Li, W. Yang, K. Li, "Performance Analysis and Optimization for SpMV on GPU Using Probabilistic
// Modeling", IEEE TPDS 26(1), 2015, Eq. 15-50, Algorithms 1 and 2. It is kept as published, as the reference
// that newer models are measured against; each term cites its equation. Where the text leaves room, it is
// read so:
//   - The brackets of Eq. 28, 46, 49 are ceilings: a warp adds W terms at a time.
//   - K - BS (Eq. 39, 42, 47) is 0 when a row fits in the block's shared memory, never negative.
//   - Eq. 11 asks for P(X <= a) = i/W; see LengthDistribution::fractile.
//   - Q (Eq. 32) has W elements, the last being the longest row, since Eq. 11 has i = W as well. "Break
//   points
//     that divide X into W subsets" could be the W - 1 before it (Fractiles::break_points). Only statement 4
//     of section 6.2 can be held against them: docs/papers.md.
//   - F of 64-bit integers, which the paper does not have, is F_i / 2: an addition is two instructions.
//   - Eq. 24 counts N elements of the vector and N of the result, for rectangular matrices, too.
#pragma once
#include <cstdint>
#include <vector>

#include "cuda/runtime/device.h"
#include "semirings/types.h"
#include "src/formats/length_distribution.h"

namespace cugrb::selector::analytic {

using formats::LengthDistribution;

/// Which elements Q has (Eq. 32).
enum class Fractiles : uint8_t { with_longest, break_points };

/// Table 1's variables with Table 2's values, an NVIDIA GeForce GT 645M in single precision.
struct Parameters {
  uint64_t index_bytes = 4;      ///< S_i
  uint64_t value_bytes = 4;      ///< S_s; S_d for double precision
  double transfer_rate = 16e9;   ///< B, bytes a second between host and device
  double value_rate = 0.76e9;    ///< F_s, F_d or F_i by the values: operations a second of one processor
  double integer_rate = 0.76e9;  ///< F_i, of indices
  uint64_t bus_bytes = 128 / 8;  ///< BW, width of the global memory's bus
  double memory_clock = 900e6;   ///< CR, Hz
  double processors = 384;       ///< C, stream processors
  uint64_t warp_threads = 32;    ///< W
  uint64_t block_threads = 256;  ///< BS; not in Table 2
  Fractiles fractiles = Fractiles::with_longest;

  /// Of a device, for values of this built-in type; B is Hardware::bus_bytes_per_second of the device's
  /// profile. What the device does not tell (the emulated device tells nothing) is an NVIDIA H200's. F_s, F_d
  /// and F_i are its clock, a share each of what CUDA's table of arithmetic throughput says of a
  /// multiprocessor.
  static Parameters of(const runtime::Properties& properties, const Type& values, double transfer_rate);
};

/// One format's estimate.
struct Estimate {
  double storage_bytes = 0;
  double transfer_seconds = 0;  ///< DTT, matrix and vector up, result down
  double memory_seconds = 0;    ///< AM
  double multiply_seconds = 0;  ///< CTC_m
  double add_seconds = 0;       ///< CTC_a
  /// CT = AM + CTC_m + CTC_a: all there is when matrix and vectors live on the device.
  double compute_seconds() const { return memory_seconds + multiply_seconds + add_seconds; }
  double total_seconds() const { return transfer_seconds + compute_seconds(); }  ///< T, Eq. 21
};

/// Which part of the time a choice minimises: the published T, or what is left of it on resident data.
enum class Counted : uint8_t { transfer_and_compute, compute };
double seconds(const Estimate& estimate, Counted counted);

// ---- storage, bytes -----------------------------------------------------------------------------------

double coo_bytes(double entries, const Parameters& p);                     ///< Eq. 15, 19
double csr_bytes(const LengthDistribution& d, const Parameters& p);        ///< Eq. 16
double ell_bytes_of_all_rows(double rows, double k, const Parameters& p);  ///< Eq. 17
/// Eq. 18: rows that hold entries only, each with its index.
double ell_bytes(const LengthDistribution& d, double k, const Parameters& p);
double hyb_bytes(const LengthDistribution& d, uint64_t k, const Parameters& p);  ///< Eq. 20

// ---- time ---------------------------------------------------------------------------------------------

Estimate coo(const LengthDistribution& d, const Parameters& p);  ///< Eq. 25-29
Estimate csr(const LengthDistribution& d, const Parameters& p);  ///< a thread a row: Eq. 31-36
Estimate ell(const LengthDistribution& d, const Parameters& p);  ///< K = the longest row: Eq. 38-42
/// The first k entries of a row in ELL, the rest in COO: Eq. 45-50. O(log(distinct lengths)).
Estimate hyb(const LengthDistribution& d, uint64_t k, const Parameters& p);

/// The threshold K in [E(X), longest] that minimises the counted time (Algorithm 2; the smallest of equal
/// ones).
///
/// Not by trying all of them: between two lengths that occur, the time is a linear function of K plus three
/// staircases whose common period L is a constant of the parameters (32 for Table 2). If the linear part does
/// not fall, only the left end and the points where the COO part's staircase drops can be minima; if it
/// falls, only the right end and the points before the ELL part's staircases rise. Points a multiple of L
/// apart differ by a linear function, so the first and the last L of each kind suffice. Evaluations:
/// O(distinct lengths), however long the longest row.
struct HybChoice {
  uint64_t threshold = 0;
  Estimate estimate;
  uint64_t evaluations = 0;  ///< of hyb()
};
HybChoice optimal_hyb(const LengthDistribution& d, const Parameters& p, Counted counted);

enum class Format : uint8_t { coo, csr, ell, hyb };
const char* name(Format format);
struct FormatEstimate {
  Format format = Format::coo;
  uint64_t threshold = 0;  ///< HYB's K; ELL's width
  Estimate estimate;
};
/// COO, CSR and ELL: the candidates of Algorithm 1.
std::vector<FormatEstimate> estimates(const LengthDistribution& d, const Parameters& p);
/// The one of least counted time; the first of equal ones. Of estimates(): the choice of Algorithm 1.
const FormatEstimate& best_of(const std::vector<FormatEstimate>& all, Counted counted);

}  // namespace cugrb::selector::analytic
