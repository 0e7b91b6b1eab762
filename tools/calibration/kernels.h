// A product, measured by kernels that are forced: how the benchmarks, the calibration and `cugrb explain` do
// it. The time is that from product to product of a loop, by device events: where the host is slower than the
// device its part counts, as it does in predictions (selector::slower_of).
#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "src/formats/matrix.h"
#include "src/support/trace.h"
#include "tools/calibration/turns.h"

namespace cugrb::calibration {

struct Product {
  const char* function;          ///< of its trace record: "GrB_mxv"
  std::function<void()> run;     ///< by the kernel that settings().force names
  std::function<void()> forget;  ///< drops everything that was derived from the operands
  /// Makes, by one product, what all kernels on the stored form look at; empty: none does.
  std::string profiling_kernel = {};
  /// Has the operands count as used so often that decisions are settled; may be empty.
  std::function<void()> use_often = {};
};

/// After so many products all that is ever looked at has been looked at.
constexpr int settled_uses = 1000;
/// Kernels on the CSR look at row lengths, long rows, plans: this one, too.
constexpr const char* profiling_kernel = "mxv_row_warp";
/// Uses that are counted, not made.
void count_uses(const formats::DeviceMatrix& matrix, uint64_t uses);
/// A product of this matrix by a vector.
Product vector_product(const formats::DeviceMatrix& matrix, std::function<void()> run);

/// Another kernel ran than the one that was forced.
class AnotherKernel : public std::runtime_error {
 public:
  AnotherKernel(const std::string& forced, const trace::Record& record);
};

/// Runs it, and says what its call was: kernel, reason, prediction.
trace::Record traced(const char* function, const std::function<void()>& run);

/// One product by this kernel, which stays forced (empty: the free choice). Throws AnotherKernel.
trace::Record run_by(const std::string& kernel, const Product& product);

/// Calls it again when kernels had to be compiled for it.
void with_compiled_kernels(const std::function<void()>& call);

/// Seconds of the first product by this kernel with operands that have been profiled, but have nothing else:
/// with a conversion. They count as used often then, and the next product is a warm one. Throws
/// AnotherKernel.
double first_seconds(const std::string& kernel, const Product& product);

/// Kernels in turns.
struct ComparedKernels : Compared {
  double host_call_seconds = 0;  ///< the host's pace meanwhile: the middle one of the turns'
};
/// Kernels that do not run (AnotherKernel, Declined, no memory) are left out.
ComparedKernels compare(const std::vector<std::string>& kernels, const Product& product, int rounds,
                        double limit_seconds);

/// Rows {kernel, median_seconds}: of those near the best one (at most `behind` times as long) the median
/// becomes what they take in turns, with `rounds` and `host_call_seconds`. Rows whose "kernel" is none, or
/// that were not measured, stay as they are.
void time_in_turns(nlohmann::json& rows, double best_seconds, const Product& product, int rounds,
                   double limit_seconds);

}  // namespace cugrb::calibration
