// T(i,j) for the entries of a mask, by dot products.
#include "cuda/views/mxm.h"
#include "src/formats/element_kernels.h"
#include "src/operations/mxm_run.h"
#include "src/operations/template_id.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Width;
using runtime::Buffer;

namespace {

constexpr char header[] = "mxm_dot.h";

std::string values_id(const Type& type, bool read, bool iso) {
  if (!read) return "values_none";
  return template_id(iso ? "values_iso" : "values_array", {type.name});
}

std::string csr_id(const Csr& matrix, bool read) {
  return template_id("csr_rows",
                     {formats::index_type(matrix.offset_width), formats::index_type(matrix.column_width),
                      values_id(matrix.type, read, matrix.iso)});
}

/// The rows that one hash kernel takes, by the length of the left row.
struct HashBin {
  uint64_t longer_than, up_to;
  unsigned slots, threads;
  int lanes;
};

/// Rows up to this length are searched: fewer steps than a table costs.
constexpr uint64_t longest_searched = 64;
constexpr int search_lanes = 8;

void run_bin(const HashBin& bin, MxmDotArguments arguments, const MatrixMatrixRun& run,
             const std::string& product, const std::string& pattern, const std::string& select,
             size_t slot_bytes) {
  const uint64_t rows = arguments.mask.rows;
  const Buffer starts((rows + 1) * sizeof(uint64_t));
  arguments.longest_searched = bin.longer_than;
  arguments.longest_hashed = bin.up_to;
  arguments.block_starts = starts.as<uint64_t>();
  formats::launch_blocks(header, template_id("mxm_dot_blocks", {pattern, select}), formats::blocks_for(rows),
                         arguments, run.preamble());
  primitives::exclusive_sum(Width::bits64, starts.data(), starts.data(), rows);
  runtime::LaunchShape shape;
  shape.blocks = starts.read<uint64_t>(rows);
  if (shape.blocks == 0) return;
  shape.threads = bin.threads;
  shape.shared_bytes = bin.slots * slot_bytes;
  const std::string name = template_id(
      "mxm_dot_hash",
      {product, select, std::to_string(bin.lanes), std::to_string(bin.slots), std::to_string(bin.threads)});
  runtime::launch(runtime::device(), jit::kernel({header, name, run.preamble()}), shape, arguments);
}

template <class Position>
uint64_t keep(const Buffer& has, uint64_t entries, Buffer& positions, Width width) {
  const Buffer count(sizeof(uint64_t));
  positions = Buffer(entries * sizeof(Position));
  primitives::positions_of_flags(width, has.as<uint8_t>(), entries, positions.data(), count.as<uint64_t>());
  return count.read<uint64_t>();
}

}  // namespace

std::string MatrixMatrixRun::product_id(const Csr& left, const Csr& right) const {
  return template_id("matrix_matrix", {call.semiring.source, csr_id(left, reads_left()),
                                       csr_id(right, reads_right()), text_of(flipped)});
}

std::string MatrixMatrixRun::pattern_id(const Csr& left, const Csr& right) {
  return template_id("factor_patterns", {csr_id(left, false), csr_id(right, false)});
}

std::string MatrixMatrixRun::preamble() const {
  std::string text = call.semiring.preamble;
  if (reads_left()) text += catalogue::type_preamble(left_matrix().type);
  if (reads_right()) text += catalogue::type_preamble(right_matrix().type);
  return text;
}

MaskedDots masked_dots(const MatrixMatrixRun& run) {
  const Csr& left = run.left();
  const Csr& right = run.right_columns();
  const Csr& mask = run.mask.rows(run.flipped);
  MaskedDots dots{&mask, Buffer(mask.entries * run.type().size), Buffer(mask.entries)};
  MxmDotArguments arguments;
  arguments.left = left.view();
  arguments.right = right.view();
  arguments.mask = mask.view();
  arguments.values = dots.values.data();
  arguments.has = dots.has.as<uint8_t>();
  arguments.longest_searched = longest_searched;
  const std::string product = run.product_id(left, right), select = run.mask.select_id(mask);
  const uint64_t longest = run.left_matrix().row_lengths(run.left_transposed()).longest;
  const size_t slot_bytes = formats::bytes_of(left.column_width) + (run.reads_left() && !left.iso ? 4 : 0);
  const size_t most_shared = runtime::device().properties().shared_bytes_per_block;
  unsigned most_slots = 16384;  // two blocks of 1024 threads a multiprocessor for 4-byte keys on most GPUs
  while (most_slots * slot_bytes + 1024 > most_shared) most_slots /= 2;
  // The heaviest first.
  const HashBin bins[] = {{1024, ~uint64_t(0), most_slots, 1024, 16},
                          {longest_searched, 1024, 2048, 256, 16}};
  for (const HashBin& bin : bins) {
    if (longest > bin.longer_than)
      run_bin(bin, arguments, run, product, run.pattern_id(left, right), select, slot_bytes);
  }
  formats::launch_blocks(
      header, template_id("mxm_dot_search", {product, select, std::to_string(search_lanes)}),
      formats::blocks_for(mask.entries, 8 * 256 / search_lanes), arguments, run.preamble());
  return dots;
}

Csr compact(const MatrixMatrixRun& run, MaskedDots&& dots) {
  const MaskedDots own = std::move(dots);
  const Csr& mask = *own.mask;
  Csr t;
  t.type = run.type();
  t.rows = mask.rows;
  t.columns = mask.columns;
  t.column_width = mask.column_width;
  const Width width = Csr::offset_width_for(mask.entries);
  Buffer positions;
  t.entries = width == Width::bits32 ? keep<uint32_t>(own.has, mask.entries, positions, width)
                                     : keep<uint64_t>(own.has, mask.entries, positions, width);
  if (t.entries == mask.entries) {  // the mask's own pattern
    t.offset_width = mask.offset_width;
    t.offsets = mask.offsets;
    t.column_indices = mask.column_indices;
    t.values = own.values;
    return t;
  }
  t.offset_width = Csr::offset_width_for(t.entries);
  t.offsets = Buffer((t.rows + 1) * formats::bytes_of(t.offset_width));
  t.column_indices = Buffer(t.entries * formats::bytes_of(t.column_width));
  t.values = Buffer(t.entries * t.type.size);
  MxmCompactArguments arguments;
  arguments.mask = mask.view();
  arguments.values = own.values.data();
  arguments.positions = positions.data();
  arguments.kept = t.entries;
  arguments.new_offsets = t.offsets.data();
  arguments.new_columns = t.column_indices.data();
  arguments.new_values = t.values.data();
  const std::string rows = csr_id(mask, false), position = formats::index_type(width);
  formats::launch_blocks(
      header, template_id("mxm_compact_offsets", {rows, position, formats::index_type(t.offset_width)}),
      formats::blocks_for(t.rows + 1), arguments);
  formats::launch_blocks(
      header, template_id("mxm_compact_entries", {rows, position, formats::element_of_bytes(t.type.size)}),
      formats::blocks_for(t.entries), arguments);
  return t;
}

}  // namespace cugrb::operations
