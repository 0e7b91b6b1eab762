// The kernels that multiply, by the names that CUGRB_FORCE takes and the trace shows.
#pragma once
#include "src/operations/multiply/kernel.h"

namespace cugrb::operations {

#define MXV(name) extern const MxvKernel name;
#define MXM(name) extern const MxmKernel name;
#include "src/operations/multiply/kernels.def"
#undef MXV
#undef MXM

/// All of them, in the order in which a decision lists them.
const std::vector<const MxvKernel*>& mxv_kernels();
const std::vector<const MxmKernel*>& mxm_kernels();
/// Of that name; null when there is none.
const MxvKernel* find_mxv_kernel(const std::string& name);
/// The same of any product's, or a way to update a matrix; anything else as CUGRB_FORCE is an error.
const Kernel* find_kernel(const std::string& name);
/// The one that CUGRB_FORCE names; null when it names none. "mxv_parts:mxv_csb" names another one for parts,
/// of a matrix whose products with vectors are made in parts.
const Kernel* forced_kernel(bool of_part = false);
/// Whether CUGRB_FORCE can have that value.
bool can_be_forced(const std::string& names);
/// All names, separated by commas, for that error's text.
std::string kernel_names();

}  // namespace cugrb::operations
