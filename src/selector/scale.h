// What one product costs when processes share it, one device each: balance, communication, memory.
#pragma once
#include <cstdint>
#include <vector>

#include "src/formats/length_distribution.h"
#include "src/selector/hardware.h"

namespace cugrb::selector {

/// What one device gets of a matrix.
struct PartSize {
  uint64_t rows = 0, entries = 0;
};

/// The shares of `parts` devices when rows of such lengths are dealt by the bitonic scheme of X. Yang, S.
/// Parthasarathy, P. Sadayappan, PVLDB 4(4), 2011, section 3.2: sorted by length, one row to each device a
/// round, the longest of a round to the device that got the shortest of the one before. O(bins * parts).
std::vector<PartSize> bitonic_shares(const formats::LengthDistribution& lengths, unsigned parts);

/// The largest share's entries over the mean one's: 1 is perfect balance. 1 without entries.
double imbalance_of(const std::vector<PartSize>& shares);

/// How processes are laid over a matrix: `rows` groups of rows times `columns` groups of columns. One column
/// group is the partition by rows.
struct ProcessGrid {
  unsigned rows = 1, columns = 1;
  unsigned processes() const { return rows * columns; }
  bool operator==(const ProcessGrid&) const = default;
};

/// A product y = A u as it is shared out, in bytes and seconds of one device.
struct SharedProduct {
  uint64_t rows = 0, columns = 0;   ///< of A
  double vector_bytes = 4;          ///< a value of u
  double result_bytes = 4;          ///< a value of y
  double alone_seconds = 0;         ///< the whole product on one device
  double launch_bound_seconds = 0;  ///< what a product takes however small it is
};

/// T(P) = product + gather + reduce, of the slowest process.
struct ScaleForecast {
  ProcessGrid grid;
  double product_seconds = 0;  ///< max(T(1) / P * imbalance + loads of u, what any product takes)
  double gather_seconds = 0;   ///< each process gets the values of u that its columns need
  double reduce_seconds = 0;   ///< partial sums of a row's processes are added and dealt out
  double sent_bytes = 0;       ///< by one process

  double seconds() const { return product_seconds + gather_seconds + reduce_seconds; }
  /// T(1) / (P T(P)); 1 where the product takes no time.
  double efficiency(double alone_seconds) const;
};

/// With ring collectives (P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce algorithms for clusters of
/// workstations", JPDC 69(2), 2009), r x c processes, n columns of x bytes, m rows of y bytes, bandwidth b
/// and latency a:
///   gather = (r - 1) (a + n x / (r c b)),  reduce = (c - 1) (a + m y / (r c b) + additions)
/// u and y lie in r c equal pieces, one a process, in the same order.
ScaleForecast forecast_scale(const SharedProduct& product, const ProcessGrid& grid, double imbalance,
                             const Hardware& hardware);

/// The grid of least predicted time among those of so many processes, rows first where two are equal.
ScaleForecast best_grid(const SharedProduct& product, unsigned processes, double imbalance,
                        const Hardware& hardware);

}  // namespace cugrb::selector
