#include "src/operations/multiply/mxm/dense/dense.h"

#include <algorithm>
#include <bit>

#include "cuda/views/mxm_dense.h"
#include "src/formats/element_kernels.h"
#include "src/operations/matrix_compact.h"
#include "src/operations/multiply/mxm/costs.h"
#include "src/operations/multiply/mxm/rows/rows.h"
#include "src/operations/multiply/mxm/vectors/vectors.h"
#include "src/operations/multiply/mxm/ways.h"
#include "src/operations/multiply/registry.h"

namespace cugrb::operations {

using formats::Csr;
using formats::DeviceVector;
using runtime::Buffer;

namespace {

constexpr char mxm_dense_header[] = "mxm_dense.h", push_header[] = "mxm_dense_push.h";

/// A matrix of few rows, the vectors: its CSR by those, or by the positions, whichever is there.
struct PackSource {
  const Csr* rows;
  bool by_vectors;
  uint64_t vectors, places;
  bool full() const { return rows->entries == places; }
};

PackSource source_of(const DeviceMatrix& matrix, bool transposed) {
  const bool by_positions = matrix.has_rows(!transposed);
  const Csr& rows = matrix.by_rows(by_positions ? !transposed : transposed);
  return {&rows, !by_positions, by_positions ? rows.columns : rows.rows, rows.rows * rows.columns};
}

void launch_pack(const PackSource& source, const std::string& name, void* values, uint8_t* present) {
  MxmDensePackArguments arguments;
  arguments.matrix = source.rows->view();
  arguments.vectors = source.vectors;
  arguments.values = values;
  arguments.present = present;
  formats::launch_blocks(mxm_dense_header, name, formats::entry_tiles(source.rows->entries), arguments);
}

/// Values are there only where they are `read`.
DeviceVector pack(const PackSource& source, bool read) {
  const Csr& rows = *source.rows;
  DeviceVector vectors;
  vectors.type = rows.type;
  vectors.length = source.places;
  vectors.iso = rows.iso;
  vectors.form = source.full() ? Form::full : Form::bitmap;
  const bool moves_values = read && !rows.iso && (source.by_vectors || !source.full());
  if (moves_values) vectors.values = Buffer(source.places * rows.type.size);
  if (read && !moves_values) vectors.values = rows.values;
  if (!source.full()) {
    vectors.present = Buffer::zeroed(source.places);
    vectors.set_nvals(rows.entries);
  }
  if (source.full() && !moves_values) return vectors;
  const std::string element = formats::element_of_bytes(moves_values ? rows.type.size : 1);
  launch_pack(source,
              template_id("mxm_dense_pack", {csr_id(rows, false), element, text_of(moves_values),
                                             text_of(!source.full()), text_of(source.by_vectors)}),
              vectors.values.data(), vectors.present.as<uint8_t>());
  return vectors;
}

/// The mask as a bitmap of T's places, and its type in cuda/kernels/mask.h.
struct PackedMask {
  Buffer present;
  std::string name;
};

PackedMask pack_mask(const MatrixMatrixRun& run) {
  const PreparedMatrixMask& mask = run.mask;
  PackedMask packed{{},
                    template_id(mask.matrix == nullptr ? "mask_none" : "mask_structural",
                                {text_of(mask.matrix != nullptr && mask.complement)})};
  if (mask.matrix == nullptr) return packed;
  const PackSource source = source_of(*mask.matrix, run.flipped);
  packed.present = Buffer::zeroed(source.places);
  launch_pack(source,
              template_id("mxm_dense_pack_mask", {mask.select_id(*source.rows), text_of(source.by_vectors)}),
              nullptr, packed.present.as<uint8_t>());
  return packed;
}

/// One product with everything laid out.
struct DenseProduct {
  const MatrixMatrixRun& run;
  const Csr& matrix;
  uint64_t vectors;
  DeviceVector operand, t;
  PackedMask mask;
  bool full_result;
  int vector_lanes, per_lane;

  DenseProduct(const MatrixMatrixRun& product, bool push)
      : run(product),
        matrix(push ? run.right() : run.right_columns()),
        vectors(run.rows()),
        operand(pack(source_of(run.left_matrix(), run.left_transposed()), run.reads_left())),
        mask(pack_mask(run)),
        full_result(!push && run.mask.allows_all && operand.form == Form::full &&
                    run.right_matrix().row_lengths(!run.right_transposed()).empty == 0),
        vector_lanes(int(std::bit_ceil(std::min<uint64_t>(vectors, 32)))),
        per_lane(vectors > 32 ? 2 : 1) {
    t.type = run.type();
    t.length = run.columns() * vectors;
    formats::require_room(t.length, t.type.size);
    t.form = full_result ? Form::full : Form::bitmap;
    t.values =
        Buffer((t.length * t.type.size + 3) / 4 * 4);  // whole words for atomic updates of small values
    if (full_result) return;
    t.present = Buffer(t.length);
    t.forget_nvals();
  }

  MxmDenseArguments arguments() const {
    MxmDenseArguments a;
    a.operands.matrix = matrix.view();
    a.operands.vector = operand.view();
    a.operands.mask.present = mask.present.as<uint8_t>();
    a.operands.result = t.view();
    a.vectors = vectors;
    return a;
  }
  /// matrix_vectors<...> of cuda/kernels/mxm_dense.h.
  std::string product_id() const {
    return template_id("matrix_vectors", {run.call.semiring.source, csr_id(matrix, run.reads_right()),
                                          operand_id(operand, run.reads_left()), text_of(!run.flipped)});
  }
};

void pull(const DenseProduct& product) {
  const DeviceMatrix& matrix = product.run.right_matrix();
  const bool transposed = !product.run.right_transposed();
  const formats::LongRows& long_rows = matrix.long_rows(transposed);
  // The mean row in one step of every lane's dense_unroll entries, as far as a warp goes.
  const auto steps = uint64_t(matrix.row_lengths(transposed).mean / 4) + 1;
  const int entry_lanes = int(std::min(std::bit_ceil(steps), uint64_t(32 / product.vector_lanes)));
  MxmDenseArguments arguments = product.arguments();
  arguments.long_rows = long_rows.rows.as<uint64_t>();
  arguments.long_count = long_rows.count;
  arguments.longest_short = formats::longest_short_row;
  const uint64_t threads = product.matrix.rows * uint64_t(product.vector_lanes * entry_lanes);
  formats::launch_blocks(
      mxm_dense_header,
      template_id("mxm_dense", {product.product_id(), product.mask.name, text_of(product.full_result),
                                std::to_string(product.vector_lanes), std::to_string(product.per_lane),
                                std::to_string(entry_lanes)}),
      long_rows.count + formats::blocks_for(threads), arguments, product.run.preamble());
}

void push(const DenseProduct& product) {
  constexpr int items = 4;
  const Csr& matrix = product.matrix;
  const Buffer edge_starts((matrix.rows + 1) * formats::bytes_of(matrix.offset_width));
  MxmDenseArguments arguments = product.arguments();
  arguments.edge_starts = edge_starts.data();
  const std::string preamble = product.run.preamble();
  formats::launch_blocks(push_header, template_id("mxm_dense_push_begin", {product.product_id()}),
                         formats::blocks_for(std::max(product.t.length, matrix.rows)), arguments, preamble);
  primitives::exclusive_sum(matrix.offset_width, edge_starts.data(), edge_starts.data(), matrix.rows);
  const uint64_t tile_edges = uint64_t(256 / product.vector_lanes * items);
  formats::launch_blocks(
      push_header,
      template_id("mxm_dense_push",
                  {product.product_id(), product.mask.name, std::to_string(product.vector_lanes),
                   std::to_string(product.per_lane), std::to_string(items)}),
      std::min(formats::resident_blocks(), formats::blocks_for(matrix.entries, tile_edges)), arguments,
      preamble);
}

/// From place i * vectors + r to place r * positions + i.
DeviceVector turned(const DeviceVector& t, uint64_t vectors) {
  DeviceVector result = t;
  const bool has_present = t.form == Form::bitmap;
  result.values = Buffer(t.length * t.type.size);
  if (has_present) result.present = Buffer(t.length);
  MxmDenseTurnArguments arguments;
  arguments.values = t.values.data();
  arguments.present = t.present.as<uint8_t>();
  arguments.positions = t.length / vectors;
  arguments.vectors = vectors;
  arguments.turned_values = result.values.data();
  arguments.turned_present = result.present.as<uint8_t>();
  formats::launch_per_element(
      mxm_dense_header,
      template_id("mxm_dense_turn", {formats::element_of_bytes(t.type.size), text_of(has_present)}), t.length,
      arguments);
  return result;
}

/// A dense matrix's entries by rows. Waits for the device unless it is full.
Csr csr_of(const DeviceVector& t, uint64_t rows, uint64_t columns) {
  Csr csr(formats::sparse_shape(t.type, rows, columns, t.nvals()));
  if (csr.entries == t.length) {
    formats::fill_full_pattern(csr);
    csr.values = t.values;
    return csr;
  }
  const DeviceVector listed = to_sparse(t);
  csr.values = listed.values;
  csr.offsets = Buffer((rows + 1) * formats::bytes_of(csr.offset_width));
  csr.column_indices = Buffer(csr.entries * formats::bytes_of(csr.column_width));
  MxmDenseRowsArguments arguments;
  arguments.places = listed.indices.data();
  arguments.entries = csr.entries;
  arguments.rows = rows;
  arguments.columns_count = columns;
  arguments.offsets = csr.offsets.data();
  arguments.columns = csr.column_indices.data();
  formats::launch_per_element(
      mxm_dense_header,
      template_id("mxm_dense_rows",
                  {formats::index_type(formats::index_width(t.length)), formats::index_type(csr.offset_width),
                   formats::index_type(csr.column_width)}),
      std::max(rows + 1, csr.entries), arguments);
  return csr;
}

}  // namespace

OrientedCsr multiply_dense(const MatrixMatrixRun& run, bool pushed, bool c_by_column) {
  const DenseProduct product(run, pushed);
  pushed ? push(product) : pull(product);
  if (c_by_column != run.flipped) return {csr_of(product.t, run.columns(), run.rows()), c_by_column};
  return {csr_of(turned(product.t, run.rows()), run.rows(), run.columns()), c_by_column};
}

std::string dense_refusal(const MatrixMatrixRun& run) {
  if (run.rows() > most_vectors) return "more than " + std::to_string(most_vectors) + " rows";
  const size_t left_bytes = run.reads_left() ? run.left_matrix().type.size : 0;
  const double inner = double(run.call.transpose_a ? run.call.a.rows : run.call.a.columns);
  const double bytes = double(run.rows()) * (inner * double(left_bytes + 1) +
                                             double(run.columns()) * (4 * double(run.type().size) + 8));
  if (bytes > double(usable_bytes())) return "its vectors laid out densely do not fit the memory";
  constexpr size_t largest = 128;  // of a value, for a block's sums in shared memory
  if (run.type().size > largest)
    return "values of " + std::to_string(run.type().size) + " bytes are too large";
  return {};
}

std::string dense_push_refusal(const MatrixMatrixRun& run) {
  const std::string refusal = dense_refusal(run);
  return refusal.empty() ? rows_refusal(run) : refusal;
}

namespace {

/// Neither the vectors nor the mask must be transposed.
uint64_t entries_to_transpose(const DeviceMatrix& right, bool by) {
  return right.has_rows(by) ? 0 : right.nvals();
}

MxmKernel dense_kernel(const char* name, bool push, selector::MxmCandidate MxmProblem::*known,
                       std::function<void(const Ways&, const Hardware&, MxmProblem&)> describe) {
  return {{name},
          {.cost = [push](const MxmProblem& p, const Hardware& h) { return cost_of_dense(p, h, push); },
           .run = [push](Ways& ways,
                         bool c_by_column) { return multiply_dense(ways.vectors, push, c_by_column); },
           .known = known,
           .describe = std::move(describe)}};
}

}  // namespace

const MxmKernel mxm_dense = dense_kernel(
    "mxm_dense", /*push=*/false, &MxmProblem::dense, [](const Ways& ways, const Hardware&, MxmProblem& p) {
      const MatrixMatrixRun& run = ways.vectors;
      p.dense = {dense_refusal(run), entries_to_transpose(run.right_matrix(), !run.right_transposed())};
    });

const MxmKernel mxm_dense_push =
    dense_kernel("mxm_dense_push", /*push=*/true, &MxmProblem::dense_push,
                 [](const Ways& ways, const Hardware&, MxmProblem& p) {
                   const MatrixMatrixRun& run = ways.vectors;
                   p.dense_push = {dense_push_refusal(run),
                                   entries_to_transpose(run.right_matrix(), run.right_transposed())};
                 });

}  // namespace cugrb::operations
