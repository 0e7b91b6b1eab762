// Predicted times of the products with few rows or columns in one pass.
#include <algorithm>
#include <cmath>

#include "src/operations/multiply/mxm/costs.h"

namespace cugrb::operations {

using namespace selector;

namespace {

constexpr double sector_bytes = 32;
constexpr double unconfirmed_margin = 1.5;

/// Random loads of neighbouring places: the first sector is a gather, the others stream.
double gather_seconds(const Hardware& h, double gathers, double bytes_each, double footprint_bytes) {
  if (bytes_each <= 0) return 0;
  const double further = std::max(0.0, std::ceil(bytes_each / sector_bytes) - 1) * sector_bytes;
  return gathers / h.gathers_per_second(uint64_t(footprint_bytes)) +
         gathers * further / h.copy_bytes_per_second;
}

/// Laying out the vectors and the mask, and taking T's entries out of its places.
double layout_bytes(const MxmProblem& p) {
  const double inner_places = double(p.inner) * double(p.vector_rows);
  const double places = double(p.rows) * double(p.columns);
  const double left = 1 + double(p.vector_value_bytes), result = 1 + double(p.result_bytes);
  const double operand = 2 * inner_places * left + double(p.vector_entries) * (4 + left);
  const double mask = p.mask != MaskUse::none ? places + double(p.vector_mask_entries) * 5 : 0;
  const double entries = std::min(places, p.products);
  // Stored, turned, counted, listed; then the listed entries' values and columns.
  return operand + mask + places * (3 * result + 2) + entries * (2 * double(p.result_bytes) + 12);
}

double pull_seconds(const MxmProblem& p, const Hardware& h) {
  const double entries = double(p.vector_right_entries), vectors = double(p.vector_rows);
  const double inner_places = double(p.inner) * vectors;
  const bool full = double(p.vector_entries) >= inner_places;
  const double share = std::min(1.0, double(p.vector_entries) / std::max(1.0, double(p.inner)));
  const double present = full ? 0 : gather_seconds(h, entries, vectors, inner_places);
  const double values = gather_seconds(h, entries * share, vectors * double(p.vector_value_bytes),
                                       inner_places * double(p.vector_value_bytes));
  const double stream = entries * double(4 + p.matrix_value_bytes) / h.copy_bytes_per_second;
  return std::max(stream, present + values);
}

double push_seconds(const MxmProblem& p, const Hardware& h) { return p.products / h.atomics_per_second; }

/// A fiber for each lane of a row's group, or of an edge's.
double emulated_dense_seconds(const MxmProblem& p, bool push) {
  constexpr double plain = 0.1e-6, waiting = 1.7e-6;
  const double places = double(p.rows) * double(p.columns) + double(p.inner) * double(p.vector_rows);
  const double rows = double(p.rows) * double(p.columns) / std::max(1.0, double(p.vector_rows));
  return places * 8 * plain + (push ? 2048 * waiting + p.products * plain : rows * 32 * waiting);
}

double dense_seconds(const MxmProblem& p, const Hardware& h, bool push) {
  if (h.emulated) return emulated_dense_seconds(p, push);
  constexpr double launches = 16, push_launches = 3;  // waits for two counts among them
  const double seconds = (launches + (push ? push_launches : 0)) * h.launch_seconds +
                         layout_bytes(p) / h.copy_bytes_per_second +
                         (push ? push_seconds(p, h) : pull_seconds(p, h));
  return unconfirmed_margin * seconds;
}

}  // namespace

Cost cost_of_dense(const MxmProblem& p, const Hardware& h, bool push) {
  // Vectors and T, laid out and turned.
  const double workspace = 2 * (double(p.inner) * double(p.vector_rows) * double(1 + p.vector_value_bytes) +
                                double(p.rows) * double(p.columns) * double(1 + p.result_bytes));
  return {
      .seconds = dense_seconds(p, h, push), .workspace_bytes = workspace, .note = "reckoned, with a margin"};
}

}  // namespace cugrb::operations
