// What one kernel family would cost for one product: a function each, joined in mxv_model.cpp's table.
#pragma once
#include <string>

#include "src/selector/kernels.h"
#include "src/selector/mxv_model.h"

namespace cugrb::selector {

struct Cost {
  double seconds = 0;             ///< one product
  double conversion_seconds = 0;  ///< making its format from CSR, when that is not there yet
  std::string refusal;            ///< why the kernel cannot run this call; empty when it can

  static Cost refused(std::string why) { return {0, 0, std::move(why)}; }
};

/// On the emulated device a CUDA thread is a fiber: threads cost, most of all those that wait for others, and
/// there is neither latency nor bandwidth to speak of: each function answers for it too (Hardware::emulated).
Cost cost_of_rows(const MxvProblem& p, const Hardware& h, const KernelName& kernel);
Cost cost_of_merge(const MxvProblem& p, const Hardware& h, const KernelName& kernel);
Cost cost_of_push(const MxvProblem& p, const Hardware& h, const KernelName& kernel);
Cost cost_of_ell(const MxvProblem& p, const Hardware& h, const KernelName& kernel);
Cost cost_of_sell(const MxvProblem& p, const Hardware& h, const KernelName& kernel);
Cost cost_of_coo(const MxvProblem& p, const Hardware& h, const KernelName& kernel);
Cost cost_of_hyb(const MxvProblem& p, const Hardware& h, const KernelName& kernel);
Cost cost_of_binned_csr(const MxvProblem& p, const Hardware& h, const KernelName& kernel);
Cost cost_of_blocked(const MxvProblem& p, const Hardware& h, const KernelName& kernel);
Cost cost_of_tile_coo(const MxvProblem& p, const Hardware& h, const KernelName& kernel);
Cost cost_of_tile_composite(const MxvProblem& p, const Hardware& h, const KernelName& kernel);
Cost cost_of_dcsr(const MxvProblem& p, const Hardware& h, const KernelName& kernel);
Cost cost_of_adcsr(const MxvProblem& p, const Hardware& h, const KernelName& kernel);

// ---- shared terms -----------------------------------------------------------------------------------------

/// The emulated device, measured on one core: a thread that never waits, one that does, a load and its use.
constexpr double emulated_plain_thread = 0.1e-6, emulated_waiting_thread = 1.7e-6, emulated_load = 5e-9;

/// Whether pull_lengths means something.
inline bool lengths_known(const MxvProblem& p) { return p.pull_lengths.rows == p.rows && p.rows > 0; }
double mean_length(const MxvProblem& p);
/// Why a format of so many bytes is not made; empty when there is room for it.
std::string memory_refusal(const MxvProblem& p, double bytes);
/// Entries that a pull reads: rows that the mask allows, each up to its first final term.
double entries_read(const MxvProblem& p);
/// Sectors of u that are loaded for each entry: fewer than one where neighbouring rows name neighbouring
/// columns.
double gathered_sectors(const MxvProblem& p);
/// The same by groups of lanes that have `at_once` entries of a row in flight before they look whether they
/// may stop.
double entries_read_by_groups(const MxvProblem& p, uint64_t at_once);
/// Streams and gathers of a pull overlap; the slower one counts, and a share of the other.
double memory_seconds(const MxvProblem& p, const Hardware& h, double entries, double coalescing);
/// The same for `positions` of ELLPACK storage that hold `entries` entries; neighbouring rows share gathers.
double ell_memory_seconds(const MxvProblem& p, const Hardware& h, double positions, double entries);
/// Rows in bins of the given limits (formats::RowBins), each with so many lanes: entries whose columns are
/// not asked for in whole sectors count more; `row_bytes` are read for every row with entries.
double bins_memory_seconds(const MxvProblem& p, const Hardware& h, double row_bytes);
double on_emulated_bins(const MxvProblem& p);
/// A bitmap of a sparse vector must be made before a pull.
double bitmap_seconds(const MxvProblem& p, const Hardware& h);
/// A transposition: sort the columns with 64-bit payloads, move the rest.
double transpose_seconds(const MxvProblem& p, const Hardware& h);

}  // namespace cugrb::selector
