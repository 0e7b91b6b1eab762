// T = A*B with the rows of the left factor dealt to all devices. Each has the right factor whole, and the
// mask's rows that are its own; the selector chooses a kernel there. T's rows come back to the device of the
// operands, where they are put in place. A row of T is made by one device, in the order of that kernel.
#include "src/operations/multiply/mxm/parts/parts.h"

#include <algorithm>
#include <future>
#include <utility>

#include "src/formats/matrix_in_parts.h"
#include "src/formats/row_parts.h"
#include "src/memory/policy.h"
#include "src/operations/matrix_compact.h"
#include "src/operations/multiply/mxm/rows/rows.h"
#include "src/operations/multiply/mxm/ways.h"
#include "src/operations/multiply/registry.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Only;
using formats::RowPart;
using formats::RowParts;
using formats::Width;
using runtime::Buffer;
using runtime::Device;

namespace {

constexpr RowParts::Key all_columns{false};

/// A matrix on the other devices, too, as it is stored.
struct Replicas {
  std::vector<DeviceMatrix>
      of_device;  ///< one for each device; the first has the matrix itself, and none here
  size_t bytes() const {
    size_t sum = 0;
    for (const DeviceMatrix& matrix : of_device) sum += matrix.bytes();
    return sum;
  }
};

Replicas replicas_of(const DeviceMatrix& matrix, std::span<Device* const> devices) {
  Replicas replicas{std::vector<DeviceMatrix>(1)};
  for (Device* const device : devices.subspan(1))
    replicas.of_device.push_back(matrix_by(formats::moved(matrix.stored, *device), matrix.by_column));
  return replicas;
}

/// Of a left factor in parts: its own.
RowParts left_as_it_lies(const MatrixMatrixRun& run) {
  const formats::MatrixParts& dealt = *run.left_matrix().parts;
  const Csr& first = dealt.of.front().stored;
  RowParts left;
  left.split = dealt.split;
  left.row_width = dealt.split->width;
  left.column_width = first.column_width;
  left.shares.assign(dealt.of.size(), 1 / double(dealt.of.size()));
  for (size_t p = 0; p < dealt.of.size(); ++p) {
    const formats::Split::Part& part = dealt.split->parts[p];
    left.parts.push_back(
        {part.device, matrix_by(dealt.of[p].stored, false), part.positions, part.count, Buffer()});
  }
  return left;
}

class PartsProduct {
 public:
  PartsProduct(const MatrixMatrixRun& run, const RowParts& left)
      : run_(run),
        home_(runtime::device()),
        left_(left),
        right_(run.right_matrix().derived(
            false, Only<Replicas>(), [&] { return replicas_of(run.right_matrix(), run.call.devices); })) {}

  /// At home.
  Csr compute() { return together(made_by_all(/*come=*/true)); }
  /// Left where it is made.
  DeviceMatrix compute_in_parts() {
    left_.split->note_left();
    return formats::matrix_from_parts(run_.type(), run_.columns(), run_.flipped, left_.split,
                                      made_by_all(/*come=*/false));
  }

 private:
  /// `come`: home as soon as they are made, where home has the room.
  std::vector<Csr> made_by_all(bool come) {
    for (const RowPart& part : left_.parts) masks_.push_back(mask_rows(part));
    const size_t usable = usable_bytes();
    std::vector<std::future<Csr>> others;
    for (size_t p = 1; p < left_.parts.size(); ++p)
      others.push_back(std::async(std::launch::async, [this, p, usable, come] {
        Csr made = made_by(p);
        const double whole = double(made.bytes()) / std::max(left_.shares[p], 0.01);
        return come && parts_come_at_once(whole, double(usable)) ? formats::moved(made, home_) : made;
      }));
    std::vector<Csr> made = {made_by(0)};
    for (std::future<Csr>& other : others) made.push_back(other.get());
    return made;
  }

  /// Of the mask, on the part's device.
  DeviceMatrix mask_rows(const RowPart& part) const {
    if (run_.mask.matrix == nullptr) return {};
    Csr rows =
        formats::rows_listed(run_.mask.rows(run_.flipped), part.rows, part.matrix.rows, left_.row_width);
    return matrix_by(formats::moved(std::move(rows), *part.device), run_.flipped);
  }

  /// On the part's device, waited for.
  Csr made_by(size_t p) const {
    const RowPart& part = left_.parts[p];
    const runtime::OnDevice there(*part.device);
    const DeviceMatrix &left = part.matrix, &right = p == 0 ? run_.right_matrix() : right_.of_device[p];
    PreparedMatrixMask mask = run_.mask;
    if (mask.matrix != nullptr) mask.matrix = &masks_[p];
    const bool none = mask.matrix != nullptr && !mask.complement && mask.matrix->nvals() == 0;
    if (left.nvals() == 0 || none) return formats::empty_csr(run_.type(), left.rows, run_.columns());
    const MatrixMatrix& call = run_.call;
    // By rows T = left * right; by columns T' is, and T = right * left'.
    Csr t = run_.flipped
                ? product_of_part(mask, {call.semiring, right, left, call.transpose_a, true}, true)
                : product_of_part(mask, {call.semiring, left, right, false, call.transpose_b}, false);
    t = formats::written_out(std::move(t));
    part.device->synchronize();
    return t;
  }

  /// The rows of a part as a piece of T, its entries left out.
  SortedPiece rows_of(const RowPart& part, const Csr& made, const Buffer& list) const {
    SortedPiece piece;
    const Buffer offsets = &made.offsets.device() == &home_ ? made.offsets : made.offsets.copy_on(home_);
    piece.starts = formats::shifted(offsets, made.offset_width, Width::bits64, made.rows + 1, 0);
    piece.list = list.as<uint64_t>();
    piece.count = part.matrix.rows;
    piece.entries = made.entries;
    return piece;
  }

  /// Each part goes when it is in place, and the next one comes then if it has not.
  Csr together(std::vector<Csr> made) const {
    const Buffer starts = Buffer::zeroed((run_.rows() + 1) * sizeof(uint64_t));
    std::vector<Buffer> lists;
    std::vector<SortedPiece> pieces;
    uint64_t entries = 0;
    for (size_t p = 0; p < made.size(); ++p) {
      const RowPart& part = left_.parts[p];
      lists.push_back(formats::shifted(part.rows, left_.row_width, Width::bits64, part.matrix.rows, 0));
      pieces.push_back(rows_of(part, made[p], lists.back()));
      count_piece(pieces.back(), starts.as<uint64_t>());
      entries += made[p].entries;
    }
    primitives::exclusive_sum(Width::bits64, starts.data(), starts.data(), run_.rows());
    Csr t = room_for_rows(run_, entries, Csr::offset_width_for(entries));
    store_offsets(t, starts.as<uint64_t>());
    for (size_t p = 0; p < made.size(); ++p) {
      const Csr here = formats::moved(std::exchange(made[p], Csr()), home_);
      pieces[p].columns = here.column_indices;
      pieces[p].values = here.values;
      store_piece(pieces[p], t, starts.as<uint64_t>());
      pieces[p] = {};
    }
    return t;
  }

  const MatrixMatrixRun& run_;
  Device& home_;
  const RowParts& left_;
  const Replicas& right_;
  std::vector<DeviceMatrix> masks_;
};

OrientedCsr run_in_parts(Ways& ways, bool) {
  const selector::Shares shares = shares_of_parts(*ways.problem, *Hardware::of_device());
  OrientedCsr t{{}, ways.rows.flipped};
  const auto missing = memory::shortage([&] {
    const RowParts& left = formats::rows_with_all_columns(
        ways.rows.left_matrix(), ways.rows.left_transposed(), ways.rows.call.devices, shares.of_device);
    PartsProduct product(ways.rows, left);
    if (ways.rows.call.in_parts && left.split->pays()) {
      t.in_parts = std::make_shared<DeviceMatrix>(product.compute_in_parts());
    } else {
      left.split->note_whole();
      t.rows = product.compute();
    }
  });
  if (missing) throw KernelFailure(*missing);
  return t;
}

/// T's row, in the orientation of the run, is another one in a part.
bool asks_for_row(const MatrixMatrixRun& run) {
  const Positional by = run.call.semiring.multiply.positional;
  return run.flipped ? by == Positional::SecondJ || by == Positional::SecondJ1
                     : by == Positional::FirstI || by == Positional::FirstI1;
}

std::string refusal(const Ways& ways) {
  const MatrixMatrixRun& run = ways.rows;
  if (run.call.devices.size() < 2) return "there is one device (CUGRB_DEVICES)";
  if (asks_for_row(run)) return "the operator asks for the row, which is another one in a part";
  if (run.rows() < run.call.devices.size()) return "T has fewer rows than there are devices";
  return {};
}

void describe(const Ways& ways, const Hardware&, MxmProblem& p) {
  const MatrixMatrixRun& run = ways.rows;
  p.parts = {refusal(ways), transposed_entries(run, Way::rows)};
  if (!p.parts.refusal.empty()) return;
  p.devices = unsigned(run.call.devices.size());
  p.device_paces = selector::paces_of(run.call.devices);
  const RowParts* const left = run.left_matrix().find_derived(run.left_transposed(), all_columns);
  p.left_is_dealt = left != nullptr;
  p.result_stays = run.call.in_parts && (left == nullptr || left->split->pays());
  p.right_is_there = run.right_matrix().find_derived(false, Only<Replicas>()) != nullptr;
}

bool lies_on(const formats::Split& split, std::span<Device* const> devices) {
  return std::equal(
      split.parts.begin(), split.parts.end(), devices.begin(), devices.end(),
      [](const formats::Split::Part& part, const Device* device) { return part.device == device; });
}

/// Whether the left factor of a run in that orientation is in parts by T's rows, and the right one can be
/// copied.
bool left_lies_in_parts(const MatrixMatrixRun& run) {
  const DeviceMatrix& left = run.left_matrix();
  return left.parts != nullptr && left.by_column == run.left_transposed() && !asks_for_row(run) &&
         run.right_matrix().fragments == nullptr && lies_on(*left.parts->split, run.call.devices);
}

}  // namespace

std::optional<DeviceMatrix> product_of_dealt(const MatrixMatrix& call) {
  check_factors(call);
  const PreparedMatrixMask no_mask;
  for (const bool flipped : {false, true}) {
    const MatrixMatrixRun run{call, no_mask, flipped};
    if (!left_lies_in_parts(run)) continue;
    const DeviceMatrix right = formats::whole_of(run.right_matrix());
    const MatrixMatrix with_right{call.semiring,    flipped ? right : call.a, flipped ? call.b : right,
                                  call.transpose_a, call.transpose_b,         call.devices};
    const RowParts left = left_as_it_lies(run);
    const MatrixMatrixRun dealt{with_right, no_mask, flipped};
    return PartsProduct(dealt, left).compute_in_parts();
  }
  return std::nullopt;
}

const MxmKernel mxm_parts = {
    {"mxm_parts"},
    {.cost = cost_of_parts, .run = run_in_parts, .known = &MxmProblem::parts, .describe = describe}};

}  // namespace cugrb::operations
