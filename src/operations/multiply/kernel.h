// One interface for every kernel that multiplies: what it is called, what it costs, how it runs. All of a
// kernel's own stands in its folder; src/operations/multiply/kernels.def is the only list of them.
#pragma once
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <typeindex>
#include <vector>

#include "src/formats/csr.h"
#include "src/formats/vector.h"
#include "src/selector/decision.h"
#include "src/selector/mxm_problem.h"
#include "src/selector/mxv_cost_terms.h"

namespace cugrb::operations {

using selector::Hardware;
using selector::Kernel;
using selector::MxmProblem;
using selector::MxvProblem;
using selector::NumbersId;
using selector::Role;

/// What a product costs by one kernel. On the emulated device a CUDA thread is a fiber: threads cost, most of
/// all those that wait for others, and there is neither latency nor bandwidth to speak of: each kernel
/// answers for it too (Hardware::emulated).
struct Cost {
  double seconds = 0;             ///< one product
  double conversion_seconds = 0;  ///< making its format from CSR, when that is not there yet
  std::string refusal = {};       ///< why the kernel cannot run this call; empty when it can
  double workspace_bytes = 0;     ///< device memory at its peak, beside operands and result; 0: not predicted
  std::string note = {};          ///< what a decision says of the prediction

  static Cost refused(std::string why) { return {0, 0, std::move(why)}; }
};

struct MatrixVectorRun;

/// A matrix-vector kernel with what it was planned with: ready to run any product of that plan.
struct MxvLaunch {
  std::function<formats::DeviceVector(const MatrixVectorRun&)> run;
  /// Makes what the kernel reads, where that may turn out to be impossible; why it did, or nothing.
  std::function<std::string(const MatrixVectorRun&)> prepare = nullptr;
};

/// What a matrix-vector kernel brings along.
struct MxvParts {
  /// Of one product; why it cannot run it. Pure.
  std::function<Cost(const MxvProblem&, const Hardware&)> cost;
  /// How it is laid out for products like this one, where it cannot be refused. Pure.
  std::function<MxvLaunch(const MxvProblem&, const Hardware&)> plan;
  std::optional<NumbersId> numbers = {};  ///< none: its products are not bound by the pace of the host
  std::string format = "csr";             ///< as a decision shows it
  /// Types of the keys of all formats that it derives from the matrix (DeviceMatrix::derived), its own one
  /// last; none: it reads the CSR as it is.
  std::vector<std::type_index> derives = {};
  bool reads_transpose = false;  ///< it reads the matrix by columns
  bool samples_columns = false;  ///< its cost asks how the entries spread over the columns
  /// Tells the problem what is there of the format, and what is known of it. `of_device`: the problem is
  /// about the device that holds the matrix. Null: whether its own format is there is all.
  std::function<void(const MatrixVectorRun&, bool of_device, MxvProblem&)> describe = nullptr;
};

struct MxvKernel : Kernel, MxvParts {};

/// The plan of a kernel that has no layout to choose.
template <class Run>
std::function<MxvLaunch(const MxvProblem&, const Hardware&)> always(Run run) {
  return [run](const MxvProblem&, const Hardware&) { return MxvLaunch{run}; };
}

/// T by rows, or (flipped) by columns.
struct OrientedCsr {
  formats::Csr rows;
  bool flipped = false;
  std::shared_ptr<formats::DeviceMatrix> in_parts =
      nullptr;  ///< T where it was left in parts; then nothing else counts
};

/// A kernel that could not make the product after all: another one has to.
struct KernelFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Ways;

/// What a matrix-matrix kernel brings along.
struct MxmParts {
  std::function<Cost(const MxmProblem&, const Hardware&)> cost;  ///< where it can run. Pure
  std::function<OrientedCsr(Ways&, bool c_by_column)> run;       ///< may throw KernelFailure
  /// The problem's part about it, and what fills that in; null: it runs everywhere, nothing is transposed.
  selector::MxmCandidate MxmProblem::*known = nullptr;
  std::function<void(const Ways&, const Hardware&, MxmProblem&)> describe = nullptr;
  bool asks_mask = true;  ///< T has no entry that the mask forbids
};

struct MxmKernel : Kernel, MxmParts {};

}  // namespace cugrb::operations
