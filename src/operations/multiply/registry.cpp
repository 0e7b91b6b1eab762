#include "src/operations/multiply/registry.h"

#include "src/selector/update_choice.h"
#include "src/support/settings.h"

namespace cugrb::operations {

namespace {

template <class Kernels>
auto named(const Kernels& kernels, const std::string& name) -> typename Kernels::value_type {
  for (const auto* kernel : kernels) {
    if (kernel->name == name) return kernel;
  }
  return nullptr;
}

}  // namespace

#define MXV(name) &name,
#define MXM(name)
const std::vector<const MxvKernel*>& mxv_kernels() {
  static const std::vector<const MxvKernel*> kernels = {
#include "src/operations/multiply/kernels.def"
  };
  return kernels;
}
#undef MXV
#undef MXM

#define MXV(name)
#define MXM(name) &name,
const std::vector<const MxmKernel*>& mxm_kernels() {
  static const std::vector<const MxmKernel*> kernels = {
#include "src/operations/multiply/kernels.def"
  };
  return kernels;
}
#undef MXV
#undef MXM

const MxvKernel* find_mxv_kernel(const std::string& name) { return named(mxv_kernels(), name); }

const Kernel* find_kernel(const std::string& name) {
  const MxvKernel* kernel = find_mxv_kernel(name);
  if (kernel != nullptr) return kernel;
  const Kernel* const way = named(selector::update_ways(), name);
  return way != nullptr ? way : named(mxm_kernels(), name);
}

namespace {

/// The kernel, and that of its parts: both are the one that is named where there is one name.
std::pair<std::string, std::string> forced_names(const std::string& names) {
  const size_t colon = names.find(':');
  if (colon == std::string::npos) return {names, names};
  return {names.substr(0, colon), names.substr(colon + 1)};
}

}  // namespace

const Kernel* forced_kernel(bool of_part) {
  const std::string& force = settings().force;
  if (force.empty()) return nullptr;
  const auto [whole, part] = forced_names(force);
  return find_kernel(of_part ? part : whole);
}

bool can_be_forced(const std::string& names) {
  if (names.find(':') == std::string::npos) return find_kernel(names) != nullptr;
  const auto [whole, part] = forced_names(names);
  return (whole == mxv_parts.name || whole == vxm_parts.name) && find_mxv_kernel(part) != nullptr;
}

std::string kernel_names() {
  std::string text;
  for (const Kernel* kernel : mxv_kernels()) text += (text.empty() ? "" : ", ") + kernel->name;
  for (const Kernel* kernel : mxm_kernels()) text += ", " + kernel->name;
  for (const Kernel* way : selector::update_ways()) text += ", " + way->name;
  return text;
}

}  // namespace cugrb::operations
