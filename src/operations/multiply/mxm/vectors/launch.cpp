#include "src/operations/multiply/mxm/vectors/vectors.h"

#include <vector>

#include "src/operations/multiply/mxm/costs.h"
#include "src/operations/multiply/mxm/ways.h"
#include "src/operations/multiply/registry.h"
#include "src/operations/operations.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Width;
using runtime::Buffer;

namespace {

std::vector<uint64_t> offsets_of(const Csr& matrix) {
  if (matrix.offset_width == Width::bits64) return matrix.offsets.to_host<uint64_t>(matrix.rows + 1);
  const std::vector<uint32_t> narrow = matrix.offsets.to_host<uint32_t>(matrix.rows + 1);
  return {narrow.begin(), narrow.end()};
}

/// Elements [first, last) of an array of elements of `size` bytes, in memory of their own.
Buffer elements_of(const Buffer& whole, uint64_t first, uint64_t last, size_t size) {
  const Buffer part((last - first) * size, whole.device());
  part.copy_bytes(0, whole, first * size, part.bytes());
  return part;
}

/// Entries [first, last) of a matrix as a sparse vector. Where values are not needed one stands for all.
DeviceVector row_as_vector(const Csr& matrix, uint64_t first, uint64_t last, bool needs_values) {
  DeviceVector row = DeviceVector::empty(matrix.type, matrix.columns);
  row.indices = elements_of(matrix.column_indices, first, last, formats::bytes_of(matrix.column_width));
  row.iso = matrix.iso || !needs_values;
  row.values = matrix.iso     ? matrix.values
               : needs_values ? elements_of(matrix.values, first, last, matrix.type.size)
                              : Buffer::zeroed(matrix.type.size);
  row.set_nvals(last - first);
  return row;
}

/// The rows one behind the other.
Csr stacked(const MatrixMatrixRun& run, const std::vector<DeviceVector>& rows) {
  Csr t;
  t.type = run.type();
  t.rows = rows.size();
  t.columns = run.columns();
  t.column_width = formats::index_width(t.columns);
  std::vector<uint64_t> offsets = {0};
  for (const DeviceVector& row : rows) offsets.push_back(offsets.back() + row.nvals());
  t.entries = offsets.back();
  t.offset_width = Csr::offset_width_for(t.entries);
  const std::vector<uint32_t> narrow(offsets.begin(), offsets.end());
  t.offsets = t.offset_width == Width::bits64 ? Buffer::from_host(offsets.data(), offsets.size() * 8)
                                              : Buffer::from_host(narrow.data(), narrow.size() * 4);
  const size_t column = formats::bytes_of(t.column_width), value = t.type.size;
  t.column_indices = Buffer(t.entries * column);
  t.values = Buffer(t.entries * value);
  for (size_t r = 0; r < rows.size(); ++r) {
    const uint64_t first = offsets[r], entries = offsets[r + 1] - first;
    t.column_indices.copy_bytes(first * column, rows[r].indices, 0, entries * column);
    t.values.copy_bytes(first * value, rows[r].values, 0, entries * value);
  }
  return t;
}

}  // namespace

std::string vectors_refusal(const MatrixMatrixRun& run) {
  if (run.rows() > most_vectors) return "more than " + std::to_string(most_vectors) + " rows";
  const Positional asks = run.call.semiring.multiply.positional;
  const bool asks_row = run.flipped ? asks == Positional::SecondJ || asks == Positional::SecondJ1
                                    : asks == Positional::FirstI || asks == Positional::FirstI1;
  if (asks_row || asks == Positional::Indices) return "the operator asks for the row";
  // A sparse vector's positions have the width of its length.
  const auto usual = [](const DeviceMatrix& m) {
    return m.stored.column_width == formats::index_width(m.stored.columns);
  };
  if (!usual(run.left_matrix()) || (run.mask.matrix != nullptr && !usual(*run.mask.matrix)))
    return "wide columns";
  return {};
}

Csr multiply_vectors(const MatrixMatrixRun& run) {
  const Csr& left = run.left();
  const std::vector<uint64_t> offsets = offsets_of(left);
  const Csr* mask = run.mask.matrix == nullptr ? nullptr : &run.mask.rows(run.flipped);
  const std::vector<uint64_t> mask_offsets = mask == nullptr ? std::vector<uint64_t>() : offsets_of(*mask);
  std::vector<DeviceVector> rows;
  for (uint64_t r = 0; r < left.rows; ++r) {
    const DeviceVector u = row_as_vector(left, offsets[r], offsets[r + 1], run.reads_left());
    DeviceVector allowed, t = DeviceVector::empty(run.type(), run.columns());
    VectorMask row_mask;
    if (mask != nullptr) {
      allowed = row_as_vector(*mask, mask_offsets[r], mask_offsets[r + 1], !run.mask.structural);
      row_mask = {&allowed, run.mask.structural, run.mask.complement};
    }
    mxv({t, row_mask, std::nullopt, true},
        {run.call.semiring, run.right_matrix(), u, !run.right_transposed(), !run.flipped});
    rows.push_back(expand_iso(to_sparse(t)));
  }
  return stacked(run, rows);
}

namespace {

using selector::emulated_waiting_thread;

/// Each row costs the launches and waits of an mxv, then its products pushed, or the whole right factor
/// pulled.
double vectors_seconds(const MxmProblem& p, const Hardware& h) {
  const double products = p.products / std::max(1.0, double(p.vector_rows));
  const double pushed = products / h.atomics_per_second;
  const double pulled = double(p.vector_right_entries) / h.gathers_per_second(p.inner * 8);
  const double columns = p.vector_rows == 0 ? 0 : double(p.rows) * double(p.columns) / double(p.vector_rows);
  const double dense = 12 * columns * double(p.result_bytes) / h.copy_bytes_per_second;
  return double(p.vector_rows) * (40 * h.launch_seconds + std::min(pushed, pulled) + dense);
}

Cost cost_of_vectors(const MxmProblem& p, const Hardware& h) {
  const double emulated =
      double(p.vector_rows) * 2000 * emulated_waiting_thread + p.products * emulated_waiting_thread;
  const double columns = p.vector_rows == 0 ? 0 : double(p.rows) * double(p.columns) / double(p.vector_rows);
  return {.seconds = h.emulated ? emulated : vectors_seconds(p, h),
          .workspace_bytes = columns * double(p.result_bytes + 1) * 3 +
                             p.entries.kept * double(p.column_bytes + p.result_bytes)};
}

/// Pushing needs the right factor by rows, pulling its transpose: mxv chooses, and makes what it wants.
void describe_vectors(const Ways& ways, const Hardware&, MxmProblem& p) {
  const DeviceMatrix& left = ways.vectors.left_matrix();
  p.vectors = {vectors_refusal(ways.vectors),
               left.has_rows(ways.vectors.left_transposed()) ? 0 : left.nvals()};
}

}  // namespace

const MxmKernel mxm_vectors = {{"mxm_vectors"},
                               {.cost = cost_of_vectors,
                                .run = [](Ways& ways, bool) -> OrientedCsr {
                                  return {multiply_vectors(ways.vectors), ways.vectors.flipped};
                                },
                                .known = &MxmProblem::vectors,
                                .describe = describe_vectors}};

}  // namespace cugrb::operations
