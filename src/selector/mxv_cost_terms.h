// Terms that the costs of matrix-vector kernels share.
#pragma once
#include <string>
#include <vector>

#include "src/selector/mxv_problem.h"

namespace cugrb::selector {

/// The emulated device, measured on one core: a thread that never waits, one that does, a load and its use.
constexpr double emulated_plain_thread = 0.1e-6, emulated_waiting_thread = 1.7e-6, emulated_load = 5e-9;

/// Whether pull_lengths means something.
inline bool lengths_known(const MxvProblem& p) { return p.pull_lengths.rows == p.rows && p.rows > 0; }
double mean_length(const MxvProblem& p);
/// Why a format of so many bytes is not made; empty when there is room for it.
std::string memory_refusal(const MxvProblem& p, double bytes);
/// Why nothing can be said of tiles of columns, or empty.
std::string tiles_refusal(const MxvProblem& p);
/// Entries that a pull reads: rows that the mask allows, each up to its first final term.
double entries_read(const MxvProblem& p);
/// Where a term ends most sums (MxvProblem::stops_at_once): the share of terms that do not.
constexpr double open_share = 0.25;
/// The same by groups of lanes: the first entry of each lane, then four more if none of these ended the row.
double entries_read_by_lanes(const MxvProblem& p, double lanes);
/// Entries among the first `length` of each row; needs the distribution.
double read_up_to(const MxvProblem& p, uint64_t length);
/// Whether it is not known beforehand which entries T has: its presence is cleared before rows with entries
/// are stored.
bool has_gaps(const MxvProblem& p);
/// Bytes gathered for an entry: of the vector's values, and of its presence where that is asked for.
size_t gathered_bytes(const MxvProblem& p);
/// The share of gathers that name another sector of u than the entries before them: far below 1 where
/// neighbouring rows name neighbouring columns.
double gathers_apart(const MxvProblem& p);
/// Time of so many gathers from the vector, at the device's own rates: what entries before named and popular
/// columns are in L1, by line; others are in L2 as far as it holds them.
double gather_seconds(const MxvProblem& p, const Hardware& h, double gathers);
/// The share of the gathers that name one of the columns that so many bytes hold, the most popular ones. By
/// the sample of the columns, where decisions have one; else columns are taken to be as uneven as the rows
/// are, which is so where the pattern is symmetric; else all alike. O(log(distinct lengths)).
double share_of_popular(const MxvProblem& p, double cache_bytes);
/// The share of gathers that L1 has not.
double gathers_past_l1(const MxvProblem& p, const Hardware& h);
/// Rows of one mean length, each by so many lanes.
struct RowGroup {
  double rows, mean_length, lanes;
};
/// Loads, one after the other, of the waves of threads that take these rows: offsets, column, operand,
/// result, and once more the columns for each `unroll` entries a lane.
double wave_loads(const MxvProblem& p, const Hardware& h, const std::vector<RowGroup>& groups);
/// How often a sector of columns and values is loaded by rows of few lanes, whose threads are in other
/// sectors each: L1 forgets it before its next entry is asked for, the sooner the more threads are resident,
/// the wider the entries and the longer the rows. 1 where lanes read side by side.
double sector_loads(const MxvProblem& p, const Hardware& h, double typical_length, double lanes);

/// What a product asks of the device.
struct Demand {
  double streamed_bytes = 0;
  double gathers = 0;
  double entries = 0;          ///< whose instructions count
  double wave_loads = 0;       ///< waves of threads times loads that depend on each other
  double tail_loads = 0;       ///< of the longest row
  double tail_seconds = 0;     ///< of the longest row, where that is reckoned otherwise
  double slower = 1;           ///< streams and gathers: lanes that wait for others have none under way
  bool longest_first = false;  ///< it begins with the product
  int more_launches = 0;       ///< than the family's products have at least
};
/// Of what a product reads of the matrix, the share that L2 keeps until the next one.
double kept_share(const MxvProblem& p, const Hardware& h, double streamed_bytes);
/// From call to call of a loop of these kernels' products, at this host's pace.
double seconds_of_call(const MxvProblem& p, const Hardware& h, NumbersId kernels);
/// The formula at KernelNumbers.
double product_seconds(const MxvProblem& p, const Hardware& h, NumbersId kernels, const Demand& demand);

/// A bitmap of a sparse vector must be made before a pull.
double bitmap_seconds(const MxvProblem& p, const Hardware& h);
/// A transposition: sort the columns with 64-bit payloads, move the rest.
double transpose_seconds(const MxvProblem& p, const Hardware& h);

}  // namespace cugrb::selector
