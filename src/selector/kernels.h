// The kernels that the selector chooses between, by the names that CUGRB_FORCE takes and the trace shows.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace cugrb::selector {

enum class Family : uint8_t {
  rows,   ///< cuda/kernels/mxv_rows.h, `lanes` lanes a row (256: mxv_row_block)
  merge,  ///< cuda/kernels/mxv_merge.h
  push    ///< cuda/kernels/vxm_push.h
};

struct KernelName {
  const char* name;
  Family family;
  int lanes;
};

/// mxv_row_thread, mxv_row_2, mxv_row_4, mxv_row_8, mxv_row_16, mxv_row_warp, mxv_row_block, mxv_merge,
/// vxm_push.
const std::vector<KernelName>& kernels();
/// Null when there is no kernel of that name.
const KernelName* find_kernel(const std::string& name);
/// For the validation of CUGRB_FORCE: anything else is an error.
bool is_kernel_name(const std::string& name);
/// All names, separated by commas, for that error's text.
std::string kernel_names();

}  // namespace cugrb::selector
