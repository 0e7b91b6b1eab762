#include "src/operations/multiply/mxm/scale/scale.h"

#include "cuda/views/mxm.h"
#include "src/formats/launch.h"
#include "src/operations/matrix_compact.h"
#include "src/operations/multiply/mxm/costs.h"
#include "src/operations/multiply/mxm/ways.h"
#include "src/operations/multiply/registry.h"
#include "src/operations/template_id.h"

namespace cugrb::operations {

using formats::Csr;
using runtime::Buffer;

namespace {

constexpr char mxm_scale_header[] = "mxm_scale.h";

struct DiagonalCheck {
  bool holds = false;
};

DiagonalCheck check_diagonal(const Csr& matrix) {
  const Buffer found = Buffer::zeroed(sizeof(uint32_t));
  MxmScaleArguments arguments;
  arguments.left = matrix.view();
  arguments.not_diagonal = found.as<uint32_t>();
  formats::launch_blocks(mxm_scale_header, template_id("mxm_scale_check", {csr_id(matrix, false)}),
                         formats::blocks_for(matrix.rows), arguments);
  DiagonalCheck check;
  check.holds = found.read<uint32_t>() == 0;
  return check;
}

bool is_diagonal(const DeviceMatrix& matrix) {
  if (matrix.rows != matrix.columns || matrix.nvals() != matrix.rows) return false;
  return matrix.derived(matrix.by_column, formats::OfPattern<DiagonalCheck>(), check_diagonal).holds;
}

}  // namespace

void note_diagonal(const DeviceMatrix& matrix) {
  matrix.derived(matrix.by_column, formats::OfPattern<DiagonalCheck>(),
                 [](const Csr&) { return DiagonalCheck{.holds = true}; });
}

Scaling::Scaling(const PreparedMatrixMask& mask, const MatrixMatrix& call, bool c_by_column)
    : run{call, mask, c_by_column} {
  const bool a_is_diagonal = is_diagonal(call.a);
  if (!a_is_diagonal && !is_diagonal(call.b)) {
    refusal = "neither factor is diagonal";
    return;
  }
  const auto orient = [&](bool flipped) {
    run.flipped = flipped;
    left_is_diagonal = a_is_diagonal != flipped;
  };
  orient(c_by_column);
  if (scaled().has_rows(scaled_transposed())) return;
  orient(!c_by_column);
  if (!scaled().has_rows(scaled_transposed())) orient(c_by_column);
}

uint64_t Scaling::transposed_entries() const {
  return refusal.empty() && !scaled().has_rows(scaled_transposed()) ? entries() : 0;
}

Csr multiply_scaling(const Scaling& scaling) {
  const MatrixMatrixRun& run = scaling.run;
  const Csr& scaled = scaling.scaled().by_rows(scaling.scaled_transposed());
  // A diagonal matrix is its own transpose.
  const Csr& left = scaling.left_is_diagonal ? run.left_matrix().stored : scaled;
  const Csr& right = scaling.left_is_diagonal ? scaled : run.right_matrix().stored;
  Csr t(scaled, scaled.offset_width);
  t.type = run.type();
  t.iso = false;
  t.offsets = scaled.offsets;
  t.column_indices = scaled.column_indices;
  t.values = Buffer(t.entries * t.type.size);
  MxmScaleArguments arguments;
  arguments.left = left.view();
  arguments.right = right.view();
  arguments.values = t.values.data();
  formats::launch_blocks(
      mxm_scale_header,
      template_id("mxm_scale", {run.product_id(left, right), text_of(scaling.left_is_diagonal)}),
      formats::entry_tiles(t.entries), arguments, run.preamble());
  return t;
}

namespace {

/// A diagonal factor: the other one's entries, read and written once.
double scale_seconds(const MxmProblem& p, const Hardware& h) {
  const double bytes = 2 * double(p.column_bytes) + double(p.value_bytes) + double(p.result_bytes);
  return 2 * h.launch_seconds + p.products * bytes / h.copy_bytes_per_second;
}

}  // namespace

const MxmKernel mxm_scale = {
    {"mxm_scale"},
    {.cost = [](const MxmProblem& p, const Hardware& h) -> Cost {
       return {.seconds = h.emulated ? p.products * selector::emulated_plain_thread : scale_seconds(p, h)};
     },
     .run = [](Ways& ways, bool) -> OrientedCsr {
       return {multiply_scaling(ways.scale), ways.scale.run.flipped};
     },
     .known = &MxmProblem::scale,
     .describe =
         [](const Ways& ways, const Hardware&, MxmProblem& p) {
           p.scale = {ways.scale.refusal, ways.scale.transposed_entries()};
         },
     .asks_mask = false}};

}  // namespace cugrb::operations
