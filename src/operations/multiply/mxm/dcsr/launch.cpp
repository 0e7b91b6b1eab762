// T by rows into dynamic CSR, as "Efficient SpMM Using Dynamic-CSR on GPUs", section 3.2, has it: rows are
// binned by their products (1-32, 33-64, ..., 1025-2048, 2049 and more), each bin has a kernel and a stream
// of its own, and a row is written as soon as it is done, wherever the memory allocation pointer stands then.
// Nothing is counted first.
//
// What the call wants is a CSR, so the defragmentation follows: row sizes are summed up, and rows are moved.
// Rows of 2049 products and more are sorted in device memory, as in the paper, but many at once and not by
// dynamic parallelism; they go straight to their places.
#include <algorithm>
#include <array>

#include "src/formats/element_kernels.h"
#include "src/formats/launch.h"
#include "src/formats/row_bins.h"
#include "src/operations/multiply/mxm/costs.h"
#include "src/operations/multiply/mxm/rows/plan.h"
#include "src/operations/multiply/mxm/ways.h"
#include "src/operations/multiply/registry.h"
#include "src/operations/template_id.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Width;
using runtime::Buffer;

namespace {

constexpr std::array<EscKernel, 7> bin_kernels = {esc_32,  esc_64,   esc_128, esc_256,
                                                  esc_512, esc_1024, esc_2048};

/// Listed rows.
struct RowList {
  const uint64_t* rows = nullptr;
  uint64_t count = 0;
};

class IntoDcsr {
 public:
  IntoDcsr(const MatrixMatrixRun& run, const RowProfile& profile)
      : run_(run),
        profile_(profile),
        left_(run.left()),
        right_(run.right()),
        sizes_(sizes_for(run)),
        column_width_(formats::index_width(right_.columns)),
        bins_(formats::bin_rows(profile.products, Width::bits64, left_.rows,
                                {0, 32, 64, 128, 256, 512, 1024, 2048}, Width::bits64)),
        room_(std::min<uint64_t>(profile.totals.products, bins_.starts[bin_kernels.size() + 1] * 2048)),
        columns_(room_ * formats::bytes_of(column_width_)),
        values_(room_ * run.type().size),
        begins_(left_.rows * sizeof(uint64_t)),
        sizes_of_rows_(Buffer::zeroed((left_.rows + 2) * sizeof(uint64_t))) {
    arguments_.left = left_.view();
    arguments_.right = right_.view();
    arguments_.mask = run.mask.mask_view(run.flipped);
    arguments_.columns = columns_.data();
    arguments_.values = values_.data();
    arguments_.row_entries = sizes_of_rows_.as<uint64_t>();
    arguments_.made = arguments_.row_entries + left_.rows + 1;  // the memory allocation pointer
    arguments_.made_starts = begins_.as<uint64_t>();
  }

  Csr multiply() {
    runtime::device().side_by_side([&] {
      for (size_t bin = bin_kernels.size(); bin > 0; --bin) {  // the heaviest rows first
        const EscKernel* kernel = kernel_of(bin);
        if (kernel != nullptr) write_rows(*kernel, rows_of(bin));
      }
    });
    for (size_t bin = 1; bin <= bin_kernels.size() + 1; ++bin) {
      if (kernel_of(bin) == nullptr) sort(rows_of(bin));
    }
    return defragment();
  }

 private:
  RowList rows_of(size_t bin) const {
    return {bins_.rows.as<uint64_t>() + bins_.starts[bin], bins_.starts[bin + 1] - bins_.starts[bin]};
  }

  /// Null: the bin's rows have no room in shared memory.
  const EscKernel* kernel_of(size_t bin) const {
    if (bin > bin_kernels.size()) return nullptr;
    const bool wide = column_width_ == Width::bits64;  // a warp has no registers for 512 of those
    const EscKernel& kernel = bin_kernels[bin - 1];
    const EscKernel& taken = wide && kernel.row_class == RowClass::esc_512 ? bin_kernels[bin] : kernel;
    constexpr size_t own_static = 9 * 1024;
    const size_t most = runtime::device().properties().shared_bytes_per_block - own_static;
    return sizes_.esc_bytes(taken) <= most ? &taken : nullptr;
  }

  void write_rows(const EscKernel& kernel, const RowList& rows) const {
    if (rows.count == 0) return;
    MxmEscArguments arguments = arguments_;
    arguments.list = rows.rows;
    arguments.count = rows.count;
    const std::string name = template_id(
        "mxm_esc_fill", {run_.product_id(left_, right_), run_.mask.mask_id(run_.flipped),
                         formats::index_type(column_width_), sizes_.item_id(kernel.products()),
                         std::to_string(kernel.lanes), std::to_string(kernel.each), text_of(false)});
    formats::launch_kernel(
        {"mxm_esc.h", name, run_.preamble()},
        {formats::blocks_for(rows.count, kernel.block_rows()), kernel.threads(), sizes_.esc_bytes(kernel)},
        arguments);
  }

  void sort(const RowList& rows) {
    for (SortedPiece& piece :
         sort_rows(run_, profile_.products, rows.rows, rows.count, arguments_.row_entries, column_width_))
      pieces_.push_back(std::move(piece));
  }

  /// The paper's, section 3.1: new offsets from the rows' sizes, then every row to its place.
  Csr defragment() {
    uint64_t* const starts = arguments_.row_entries;
    primitives::exclusive_sum(Width::bits64, starts, starts, left_.rows);
    const auto entries = sizes_of_rows_.read<uint64_t>(left_.rows);
    Csr t = room_for_rows(run_, entries, Csr::offset_width_for(entries));
    arguments_.row_starts = starts;
    store_offsets(t, starts);
    for (size_t bin = 1; bin <= bin_kernels.size(); ++bin) {
      if (kernel_of(bin) != nullptr) move_rows(t, rows_of(bin), bin == 1 ? 8 : 32);
    }
    for (const SortedPiece& piece : pieces_) store_piece(piece, t, starts);
    return t;
  }

  void move_rows(const Csr& t, const RowList& rows, unsigned lanes) const {
    MxmMoveArguments arguments;
    arguments.list = rows.rows;
    arguments.count = rows.count;
    arguments.made_columns = columns_.data();
    arguments.made_values = values_.data();
    arguments.made_starts = begins_.as<uint64_t>();
    arguments.row_starts = arguments_.row_starts;
    arguments.columns = t.column_indices.data();
    arguments.values = t.values.data();
    const std::string name = template_id(
        "mxm_move_rows", {formats::index_type(column_width_), formats::element_of_bytes(run_.type().size),
                          formats::index_type(t.offset_width), std::to_string(lanes)});
    formats::launch_blocks("mxm_esc.h", name, formats::blocks_for(rows.count, moved_rows(lanes)), arguments);
  }

  const MatrixMatrixRun& run_;
  const RowProfile& profile_;
  const Csr& left_;
  const Csr& right_;
  const RowSizes sizes_;
  const Width column_width_;
  const formats::RowBins bins_;
  const uint64_t room_;            ///< of the dynamic CSR: an entry for each product of a binned row
  const Buffer columns_, values_;  ///< its
  const Buffer begins_;            ///< of each row's one segment
  const Buffer sizes_of_rows_;     ///< rows + 1, and the memory allocation pointer
  MxmEscArguments arguments_;
  std::vector<SortedPiece> pieces_;
};

}  // namespace

const MxmKernel mxm_dcsr = {{"mxm_dcsr", Role::reference},
                            {.cost = cost_of_dcsr,
                             .run = [](Ways& ways, bool) -> OrientedCsr {
                               return {IntoDcsr(ways.rows, ways.counted()).multiply(), ways.rows.flipped};
                             },
                             .known = &MxmProblem::sort,
                             .describe =
                                 [](const Ways& ways, const Hardware&, MxmProblem& p) {
                                   p.sort.transposed_entries = transposed_entries(ways.rows, Way::rows);
                                 }}};

}  // namespace cugrb::operations
