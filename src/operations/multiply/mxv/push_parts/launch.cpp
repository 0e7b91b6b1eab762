// T = A u with the columns of A dealt to all devices: each has u at its own columns, and sends along them.
// What they make has all positions of T; it comes to the device of A, where the monoid adds it up, the first
// part's first.
#include "cuda/views/row_parts.h"
#include "src/formats/element_kernels.h"
#include "src/formats/row_parts.h"
#include "src/operations/multiply/mxv/parts/parts.h"
#include "src/operations/multiply/mxv/push.h"
#include "src/operations/multiply/mxv/push_parts/push_parts.h"
#include "src/operations/multiply/registry.h"

namespace cugrb::operations {

using formats::RowPart;
using formats::RowParts;
using runtime::Buffer;
using runtime::Device;

namespace {

constexpr RowParts::Key all_columns{false};

/// The columns of A with all of their entries, as rows of A'.
const RowParts& columns_of(const MatrixVector& call) {
  return formats::rows_with_all_columns(call.matrix, !call.transpose_matrix, call.devices,
                                        formats::RowDealing::even(call.devices.size()).shares);
}

class PushInParts {
 public:
  explicit PushInParts(const MatrixVectorRun& run)
      : run_(run),
        home_(runtime::device()),
        columns_(columns_of(run.call)),
        u_(formats::parts_by(run.call.vector, columns_.split)) {}

  DeviceVector compute() const {
    const std::vector<Buffer> masks = masks_by_device();
    std::vector<DeviceVector> sums(columns_.parts.size());
    // Home, the first, is last: the others have begun by then.
    for (size_t p = sums.size(); p-- > 0;) sums[p] = pushed(p, masks);
    return together(std::move(sums));
  }

 private:
  const Type& type() const { return run_.call.semiring.add.type(); }

  /// Whether T may have an entry, for all positions: on each device.
  std::vector<Buffer> masks_by_device() const {
    if (run_.mask.allows_all) return {};
    const Buffer allowed(run_.rows());
    RowPartGatherArguments arguments;
    arguments.count = run_.rows();
    arguments.mask = run_.mask.view;
    arguments.out_present = allowed.as<uint8_t>();
    formats::launch_per_element("row_parts.h", "row_part_allowed<" + run_.mask.name() + ", uint32_t, false>",
                                arguments.count, arguments);
    std::vector<Buffer> masks;
    for (const RowPart& part : columns_.parts)
      masks.push_back(part.device == &home_ ? allowed : allowed.copy_on(*part.device));
    return masks;
  }

  /// The sums over a part's columns, a bitmap on its device.
  DeviceVector pushed(size_t p, const std::vector<Buffer>& masks) const {
    const RowPart& part = columns_.parts[p];
    const runtime::OnDevice there(*part.device);
    if (part.matrix.nvals() == 0 || u_.of[p].known_empty()) return DeviceVector::empty(type(), run_.rows());
    DeviceVector allowed;
    if (!masks.empty()) {
      allowed = DeviceVector::full_of(Type::of(TypeCode::Bool), run_.rows(), masks[p]);
      allowed.iso = false;
    }
    const VectorMask mask{masks.empty() ? nullptr : &allowed, false, false};
    const MatrixVector call = {run_.call.semiring, part.matrix, u_.of[p], /*transpose_matrix=*/true,
                               run_.call.vector_first};
    const DeviceVector t = product_of_part(call, mask, entries_about(p));
    return t.form == Form::sparse && !t.known_empty() ? formats::to_bitmap(t) : t;
  }

  /// About as large a share of the part's columns as of all has entries in u.
  uint64_t entries_about(size_t p) const {
    const DeviceVector& u = run_.call.vector;
    return uint64_t(double(u.nvals()) / double(u.length) * double(u_.of[p].length));
  }

  DeviceVector together(std::vector<DeviceVector> sums) const {
    DeviceVector t = std::move(sums[0]);
    for (size_t p = 1; p < sums.size(); ++p) {
      if (sums[p].known_empty()) continue;
      Device& device = *columns_.parts[p].device;
      home_.follow(device);
      const DeviceVector next = formats::vector_on(home_, device, sums[p]);
      device.follow(home_);
      DeviceVector both = DeviceVector::empty(type(), run_.rows());
      ewise_add(VectorOutput{both, {}, std::nullopt, false}, run_.call.semiring.add.op, t, next);
      t = std::move(both);
    }
    return t;
  }

  const MatrixVectorRun& run_;
  Device& home_;
  const RowParts& columns_;
  const formats::VectorParts u_;
};

DeviceVector push_in_parts(const MatrixVectorRun& run) {
  run.call.matrix.by_rows(!run.call.transpose_matrix);  // a use
  return PushInParts(run).compute();
}

std::string refusal(const MatrixVectorRun& run, bool of_device) {
  if (run.is_part) return "a part is multiplied on one device";
  if (!of_device || run.call.devices.size() < 2) return "there is one device (CUGRB_DEVICES)";
  if (run.call.matrix.fragments != nullptr) return "the matrix is fragmented";
  if (run.call.semiring.multiply.positional != Positional::None)
    return "the operator asks for the column, which is another one in a part";
  if (run.columns() < run.call.devices.size()) return "there are fewer columns than devices";
  return {};
}

void describe(const MatrixVectorRun& run, bool of_device, MxvProblem& p) {
  p.push_parts_refusal = refusal(run, of_device);
  if (!p.push_parts_refusal.empty()) return;
  p.devices = unsigned(run.call.devices.size());
  const RowParts* const dealt = run.call.matrix.find_derived(!run.call.transpose_matrix, all_columns);
  if (dealt == nullptr) return;
  p.ready_formats.insert(&vxm_parts);
  p.push_vector_in_parts = run.call.vector.parts != nullptr && run.call.vector.parts->split == dealt->split;
}

}  // namespace

const MxvKernel vxm_parts = {{"vxm_parts"},
                             {.cost = cost_of_push_parts,
                              .plan = always(push_in_parts),
                              .format = "row_parts",
                              .reads_transpose = true,
                              .describe = describe}};

}  // namespace cugrb::operations
