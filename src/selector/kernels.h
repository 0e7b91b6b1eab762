// The kernels that the selector chooses between, by the names that CUGRB_FORCE takes and the trace shows.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cugrb::selector {

/// What a kernel reads, and how. One stem: the format in src/formats, the kernel in
/// cuda/kernels/mxv_<stem>.h, its launch in src/operations/mxv_<stem>.cpp, its cost in
/// src/selector/mxv_cost_<stem>.cpp.
enum class Family : uint8_t {
  rows,            ///< CSR, `lanes` lanes a row (256: mxv_row_block)
  few_lanes,       ///< the same with one lane or two: threads wait for their own loads
  merge,           ///< CSR, merge path
  push,            ///< CSR of the transpose, by u's entries
  ell,             ///< ELLPACK, whole
  sell,            ///< ELLPACK in slices of 32 rows
  coo,             ///< a list of entries
  hyb,             ///< slices of the rows' first entries, a list of the others
  binned_csr,      ///< CSR with its rows sorted into bins of size
  blocked,         ///< entries by column tile and bin: all products, then all sums
  csb,             ///< entries of a band of rows by column, its sums in shared memory
  dcsr,            ///< dynamic CSR: rows in segments
  adcsr,           ///< the same with its rows in bins of size
  tile_coo,        ///< a list of entries for each tile of popular columns, one for the others
  tile_composite,  ///< popular columns in tiles that fit shared memory, the others in place
  // By cuSPARSE (cuda/cusparse, src/operations/mxv_cusparse.cpp, mxv_cost_cusparse.cpp).
  cusparse_csr_alg1,  ///< CSR
  cusparse_csr_alg2,  ///< CSR, sums in a fixed order
  cusparse_sell,      ///< ELLPACK in slices of 32 rows
};

constexpr size_t families = size_t(Family::cusparse_sell) + 1;  // the last one

inline bool is_cusparse(Family family) { return family >= Family::cusparse_csr_alg1; }

/// The stem: "rows", "tile_composite".
const char* family_name(Family family);

struct KernelName {
  const char* name;
  Family family;
  int lanes;
};

/// All of them, in the order in which a decision lists them.
const std::vector<KernelName>& kernels();
/// Null when there is no kernel of that name.
const KernelName* find_kernel(const std::string& name);
/// For the validation of CUGRB_FORCE: anything else is an error.
bool is_kernel_name(const std::string& name);
/// All names, separated by commas, for that error's text.
std::string kernel_names();

}  // namespace cugrb::selector
