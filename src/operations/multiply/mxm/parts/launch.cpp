// T = A*B with the rows of the left factor dealt to all devices. Each has the right factor, whole or a piece
// at a time, and the mask's rows that are its own; the selector chooses a kernel there. T's rows come back to
// the device of the operands, where they are put in place. A row of T is made by one device, in the order of
// that kernel; where the right factor came in pieces, as the sum of theirs, the first rows' first.
#include "src/operations/multiply/mxm/parts/parts.h"

#include <algorithm>
#include <future>
#include <utility>

#include "src/formats/matrix_in_parts.h"
#include "src/formats/row_parts.h"
#include "src/memory/policy.h"
#include "src/operations/matrix_compact.h"
#include "src/operations/matrix_write_back.h"
#include "src/operations/multiply/mxm/parts/right_factor.h"
#include "src/operations/multiply/mxm/rows/rows.h"
#include "src/operations/multiply/mxm/ways.h"
#include "src/operations/multiply/registry.h"
#include "src/support/trace.h"

namespace cugrb::operations {

using formats::Csr;
using formats::RowPart;
using formats::RowParts;
using formats::Width;
using runtime::Buffer;
using runtime::Device;

namespace {

constexpr RowParts::Key all_columns{false};

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
  /// `pieces`: so many of the right factor, one after the other; 1: it is whole on each device.
  PartsProduct(const MatrixMatrixRun& run, const RowParts& left, uint64_t pieces)
      : run_(run), home_(runtime::device()), left_(left), pieces_(pieces) {}

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
    if (pieces_ > 1) return made_in_pieces();
    const Replicas& right = replicas_of(run_.right_matrix(), run_.call.devices);
    const size_t usable = usable_bytes();
    return on_each_part([&](size_t p) {
      Csr made = made_by(p, p == 0 ? run_.right_matrix() : right.of_device[p]);
      const double whole = double(made.bytes()) / std::max(left_.shares[p], 0.01);
      return p > 0 && come && parts_come_at_once(whole, double(usable)) ? formats::moved(made, home_) : made;
    });
  }

  /// make(part) for all, each by a thread of its own but the first.
  template <class Make>
  std::vector<Csr> on_each_part(const Make& make) const {
    std::vector<std::future<Csr>> others;
    for (size_t p = 1; p < left_.parts.size(); ++p) others.push_back(std::async(std::launch::async, make, p));
    std::vector<Csr> made = {make(0)};
    for (std::future<Csr>& other : others) made.push_back(other.get());
    return made;
  }

  /// A piece of the right factor goes to all devices, and what it adds to their rows is added up there. The
  /// device that has a whole one makes its rows at once.
  std::vector<Csr> made_in_pieces() {
    const RightPieces right(run_);
    const bool at_home = run_.right_matrix().parts == nullptr;
    std::vector<DeviceMatrix> sums;
    for (const RowPart& part : left_.parts) {
      const runtime::OnDevice there(*part.device);
      sums.push_back(
          matrix_by(formats::empty_csr(run_.type(), part.matrix.rows, run_.columns()), run_.flipped));
    }
    if (at_home) sums[0] = matrix_by(made_by(0, run_.right_matrix()), run_.flipped);
    const std::vector<formats::Range> cuts = right.cut(pieces_);
    for (const formats::Range& rows : cuts) {
      const DeviceMatrix piece = right.piece(rows);
      std::vector<DeviceMatrix> copies;
      for (const RowPart& part : left_.parts)
        copies.push_back(matrix_by(formats::moved(piece.stored, *part.device), piece.by_column));
      on_each_part([&](size_t p) {
        if (p > 0 || !at_home) add(sums[p], p, copies[p]);
        return Csr();
      });
    }
    if (trace::enabled())
      trace::add_lasting_reason("the right factor came in " + std::to_string(cuts.size()) + " pieces");
    std::vector<Csr> made;
    for (const DeviceMatrix& sum : sums) made.push_back(sum.by_rows(run_.flipped));
    return made;
  }

  void add(DeviceMatrix& sum, size_t p, const DeviceMatrix& right) const {
    Csr terms = made_by(p, right);
    if (terms.entries == 0) return;
    const runtime::OnDevice there(*left_.parts[p].device);
    add_up(sum, run_.call.semiring.add.op, std::move(terms));
    left_.parts[p].device->synchronize();
  }

  /// Of the mask, on the part's device.
  DeviceMatrix mask_rows(const RowPart& part) const {
    if (run_.mask.matrix == nullptr) return {};
    Csr rows =
        formats::rows_listed(run_.mask.rows(run_.flipped), part.rows, part.matrix.rows, left_.row_width);
    return matrix_by(formats::moved(std::move(rows), *part.device), run_.flipped);
  }

  /// A part's rows times that right factor, on the part's device, waited for.
  Csr made_by(size_t p, const DeviceMatrix& right) const {
    const RowPart& part = left_.parts[p];
    const runtime::OnDevice there(*part.device);
    const DeviceMatrix& left = part.matrix;
    PreparedMatrixMask mask = run_.mask;
    if (mask.matrix != nullptr) mask.matrix = &masks_[p];
    const bool none = mask.matrix != nullptr && !mask.complement && mask.matrix->nvals() == 0;
    if (left.nvals() == 0 || right.nvals() == 0 || none)
      return formats::empty_csr(run_.type(), left.rows, run_.columns());
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
  const uint64_t pieces_;
  std::vector<DeviceMatrix> masks_;
};

/// Where the devices' memory does not suffice by these pieces, once more by more of them.
template <class Multiply>
std::optional<std::string> multiplied(const MatrixMatrixRun& run, uint64_t pieces, const Multiply& multiply) {
  constexpr uint64_t smaller = 4;
  const auto missing = memory::shortage([&] { multiply(pieces); });
  if (!missing || !RightPieces::can_cut(run)) return missing;
  forget_replicas(run.right_matrix());
  return memory::shortage([&] { multiply(pieces * smaller); });
}

OrientedCsr run_in_parts(Ways& ways, bool) {
  const selector::Shares shares = shares_of_parts(*ways.problem, *Hardware::of_device());
  OrientedCsr t{{}, ways.rows.flipped};
  const auto missing = multiplied(ways.rows, ways.problem->right_pieces, [&](uint64_t pieces) {
    const RowParts& left = formats::rows_with_all_columns(
        ways.rows.left_matrix(), ways.rows.left_transposed(), ways.rows.call.devices, shares.of_device);
    PartsProduct product(ways.rows, left, pieces);
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

/// In how many pieces the right factor goes to the devices.
uint64_t pieces_of_right(const MatrixMatrixRun& run) {
  const DeviceMatrix& right = run.right_matrix();
  if (has_replicas(right) || !RightPieces::can_cut(run)) return 1;
  return right.parts != nullptr
             ? pieces_for(right.parts->bytes(), run.call.devices, nullptr)
             : pieces_for(right.stored.bytes(), run.call.devices, run.call.devices.front());
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
  p.right_is_there = has_replicas(run.right_matrix());
  p.right_pieces = pieces_of_right(run);
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

/// Whether the left factor, which lies at home, is to be dealt because no device has room for all of the
/// right one.
bool right_is_too_large(const MatrixMatrixRun& run) {
  return run.right_matrix().parts != nullptr && run.left_matrix().parts == nullptr &&
         run.left_matrix().fragments == nullptr && !asks_for_row(run) && run.call.devices.size() > 1 &&
         run.rows() >= run.call.devices.size() && pieces_of_right(run) > 1;
}

RowParts dealt_left(const MatrixMatrixRun& run) {
  if (run.left_matrix().parts != nullptr) return left_as_it_lies(run);
  const std::span<Device* const> devices = run.call.devices;
  return formats::rows_with_all_columns(run.left_matrix(), run.left_transposed(), devices,
                                        formats::RowDealing::even(devices.size()).shares);
}

}  // namespace

std::optional<DeviceMatrix> product_of_dealt(const MatrixMatrix& call) {
  check_factors(call);
  const PreparedMatrixMask no_mask;
  for (const bool flipped : {false, true}) {
    const MatrixMatrixRun run{call, no_mask, flipped};
    if (!left_lies_in_parts(run) && !right_is_too_large(run)) continue;
    const RowParts left = dealt_left(run);
    DeviceMatrix t;
    const auto missing = multiplied(run, pieces_of_right(run), [&](uint64_t pieces) {
      const DeviceMatrix right = pieces == 1 ? formats::whole_of(run.right_matrix()) : run.right_matrix();
      const MatrixMatrix with_right{call.semiring,    flipped ? right : call.a, flipped ? call.b : right,
                                    call.transpose_a, call.transpose_b,         call.devices};
      t = PartsProduct({with_right, no_mask, flipped}, left, pieces).compute_in_parts();
    });
    if (missing) throw runtime::OutOfMemory(*missing);
    return t;
  }
  return std::nullopt;
}

const MxmKernel mxm_parts = {
    {"mxm_parts"},
    {.cost = cost_of_parts, .run = run_in_parts, .known = &MxmProblem::parts, .describe = describe}};

}  // namespace cugrb::operations
