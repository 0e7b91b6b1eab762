#include "src/selector/kernels.h"

#include <algorithm>
#include <iterator>

#include "src/selector/mxm_model.h"

namespace cugrb::selector {

const std::vector<KernelName>& kernels() {
  static const std::vector<KernelName> names = {{"mxv_row_thread", Family::few_lanes, 1},
                                                {"mxv_row_2", Family::few_lanes, 2},
                                                {"mxv_row_4", Family::rows, 4},
                                                {"mxv_row_8", Family::rows, 8},
                                                {"mxv_row_16", Family::rows, 16},
                                                {"mxv_row_warp", Family::rows, 32},
                                                {"mxv_row_block", Family::rows, 256},
                                                {"mxv_merge", Family::merge, 0},
                                                {"vxm_push", Family::push, 0},
                                                {"mxv_ell", Family::ell, 1},
                                                {"mxv_sell", Family::sell, 1},
                                                {"mxv_coo", Family::coo, 0},
                                                {"mxv_hyb", Family::hyb, 0},
                                                {"mxv_binned_csr", Family::binned_csr, 0},
                                                {"mxv_blocked", Family::blocked, 0},
                                                {"mxv_csb", Family::csb, 0},
                                                {"mxv_dcsr", Family::dcsr, 0},
                                                {"mxv_adcsr", Family::adcsr, 0},
                                                {"mxv_tile_coo", Family::tile_coo, 0},
                                                {"mxv_tile_composite", Family::tile_composite, 0},
                                                {"mxv_cusparse_csr_alg1", Family::cusparse_csr_alg1, 0},
                                                {"mxv_cusparse_csr_alg2", Family::cusparse_csr_alg2, 0},
                                                {"mxv_cusparse_sell", Family::cusparse_sell, 1}};
  return names;
}

const char* family_name(Family family) {
  constexpr const char* names[] = {"rows",
                                   "few_lanes",
                                   "merge",
                                   "push",
                                   "ell",
                                   "sell",
                                   "coo",
                                   "hyb",
                                   "binned_csr",
                                   "blocked",
                                   "csb",
                                   "dcsr",
                                   "adcsr",
                                   "tile_coo",
                                   "tile_composite",
                                   "cusparse_csr_alg1",
                                   "cusparse_csr_alg2",
                                   "cusparse_sell"};
  static_assert(std::size(names) == families);
  return names[size_t(family)];
}

const KernelName* find_kernel(const std::string& name) {
  for (const KernelName& kernel : kernels()) {
    if (name == kernel.name) return &kernel;
  }
  return nullptr;
}

bool is_kernel_name(const std::string& name) {
  const std::vector<std::string>& products = mxm_kernels();
  return find_kernel(name) != nullptr || std::find(products.begin(), products.end(), name) != products.end();
}

std::string kernel_names() {
  std::string text;
  for (const KernelName& kernel : kernels()) text += (text.empty() ? "" : ", ") + std::string(kernel.name);
  for (const std::string& kernel : mxm_kernels()) text += ", " + kernel;
  return text;
}

}  // namespace cugrb::selector
