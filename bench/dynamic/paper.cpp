#include "bench/dynamic/paper.h"

#include <algorithm>

#include "bench/dynamic/timing.h"
#include "semirings/table.h"
#include "src/formats/dcsr_update.h"
#include "src/formats/hyb.h"

namespace cugrb::bench {

using formats::Csr;
using formats::Dcsr;

namespace {

constexpr uint64_t pieces = 16;

uint64_t mean_of(const Csr& matrix) { return std::max<uint64_t>(1, matrix.entries / matrix.rows); }

nlohmann::json bytes_of_formats(const Csr& matrix) {
  const auto offsets = matrix.offsets.to_host<uint32_t>(matrix.rows + 1);
  const uint64_t width = mean_of(matrix), arrays = matrix.column_indices.bytes() + matrix.values.bytes();
  uint64_t beyond = 0;
  for (uint64_t i = 0; i < matrix.rows; ++i)
    beyond += std::max<uint64_t>(offsets[i + 1] - offsets[i], width) - width;
  nlohmann::json bytes = {{"hyb", matrix.rows * width * 8 + beyond * 12}, {"csr", matrix.bytes()}};
  for (const uint64_t slots : {2, 3, 4}) {
    const Dcsr dcsr = formats::make_dcsr(matrix, {slots});
    bytes["dcsr_" + std::to_string(slots)] = arrays + dcsr.segments.bytes() + dcsr.sizes.bytes();
  }
  return bytes;
}

/// Of a format that shares them, as a conversion that does not would.
template <class Format>
void clone_arrays(const Format& format) {
  format.column_indices.clone();
  format.values.clone();
}

nlohmann::json conversions(const Csr& matrix, int repeat) {
  const formats::Coo coo = formats::make_coo(matrix);
  const Dcsr dcsr = formats::make_dcsr(matrix, {4});
  const uint64_t width = mean_of(matrix);
  const auto time = [&](const auto& work) { return median_seconds(repeat, work); };
  return {{"copy", time([&] { matrix.offsets.clone(), clone_arrays(matrix); })},
          {"coo_to_csr", time([&] { clone_arrays(formats::to_csr(coo)); })},
          {"coo_to_dcsr", time([&] { clone_arrays(formats::make_dcsr(formats::to_csr(coo), {4})); })},
          {"coo_to_hyb", time([&] { formats::make_hyb(formats::to_csr(coo), width); })},
          {"csr_to_dcsr", time([&] { clone_arrays(formats::make_dcsr(matrix, {4})); })},
          {"csr_to_hyb", time([&] { formats::make_hyb(matrix, width); })},
          {"dcsr_to_csr", time([&] { clone_arrays(formats::to_csr(dcsr)); })}};
}

/// The first time takes memory and compiles.
nlohmann::json streaming(const Csr& matrix, const EdgeStream& stream) {
  const BinaryOp plus = *catalogue::binary_op("PLUS_FP32");
  const std::vector<operations::Tuples> batches = stream.pieces_of_matrix(pieces);
  const uint64_t width = mean_of(matrix);
  double seconds = 0;
  uint64_t drawn = 0, entries = 0;
  for (int twice = 0; twice < 2; ++twice) {
    auto built = formats::matrix_by(formats::empty_csr(matrix.type, matrix.rows, matrix.columns), false);
    seconds = drawn = 0;
    for (const operations::Tuples& batch : batches) {
      drawn += batch.count;
      seconds += seconds_of([&] {
        const formats::EntryUpdates updates{operations::built(batch, matrix.rows, matrix.columns, plus), {}};
        formats::insert(built, updates, plus, {4, 1, width, width});
      });
    }
    entries = built.nvals();
  }
  return {{"seconds", seconds}, {"tuples", drawn}, {"entries", entries}};
}

}  // namespace

nlohmann::json measure_as_paper(const Csr& matrix, const EdgeStream& stream, int repeat) {
  nlohmann::json record = {{"bytes", bytes_of_formats(matrix)},
                           {"conversions", conversions(matrix, repeat)},
                           {"streaming", streaming(matrix, stream)}};
  record["same"] = record["streaming"]["entries"] == matrix.entries;
  return record;
}

}  // namespace cugrb::bench
