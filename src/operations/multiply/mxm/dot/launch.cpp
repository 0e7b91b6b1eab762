// T(i,j) for the entries of a mask, by dot products.
#include "cuda/views/mxm.h"
#include "src/formats/element_kernels.h"
#include "src/operations/matrix_compact.h"
#include "src/operations/multiply/mxm/costs.h"
#include "src/operations/multiply/mxm/run.h"
#include "src/operations/multiply/mxm/ways.h"
#include "src/operations/multiply/registry.h"
#include "src/operations/template_id.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Width;
using runtime::Buffer;

namespace {

constexpr char mxm_dot_header[] = "mxm_dot.h";

/// The rows that one hash kernel takes, by the length of the left row.
struct HashBin {
  uint64_t longer_than, up_to;
  unsigned slots, threads;
  int lanes;
};

constexpr int search_lanes = 8;

void run_bin(const HashBin& bin, MxmDotArguments arguments, const MatrixMatrixRun& run,
             const std::string& product, const std::string& pattern, const std::string& select,
             size_t slot_bytes) {
  const uint64_t rows = arguments.mask.rows;
  const Buffer starts((rows + 1) * sizeof(uint64_t));
  arguments.longest_searched = bin.longer_than;
  arguments.longest_hashed = bin.up_to;
  arguments.block_starts = starts.as<uint64_t>();
  formats::launch_blocks(mxm_dot_header, template_id("mxm_dot_blocks", {pattern, select}),
                         formats::blocks_for(rows), arguments, run.preamble());
  primitives::exclusive_sum(Width::bits64, starts.data(), starts.data(), rows);
  const auto blocks = starts.read<uint64_t>(rows);
  if (blocks == 0) return;
  const Buffer block_rows = item_owners(starts, rows, blocks);
  arguments.block_rows = block_rows.as<uint64_t>();
  const std::string name = template_id(
      "mxm_dot_hash",
      {product, select, std::to_string(bin.lanes), std::to_string(bin.slots), std::to_string(bin.threads)});
  formats::launch_kernel({mxm_dot_header, name, run.preamble()},
                         {blocks, bin.threads, bin.slots * slot_bytes}, arguments);
}

/// Of the table: a column, and where values are read the entry's position.
size_t dot_slot_bytes(const MatrixMatrixRun& run) {
  const Csr& left = run.left();
  return formats::bytes_of(left.column_width) + (run.reads_left() && !left.iso ? 4 : 0);
}

}  // namespace

Buffer item_owners(const Buffer& starts, uint64_t owners, uint64_t items) {
  Buffer owner(items * sizeof(uint64_t));
  MxmItemsArguments arguments;
  arguments.starts = starts.as<uint64_t>();
  arguments.owners = owners;
  arguments.owner = owner.as<uint64_t>();
  formats::launch_blocks("mxm_operands.h", template_id("mxm_item_owners", {"uint64_t"}),
                         formats::blocks_for(owners), arguments);
  return owner;
}

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

unsigned dot_table_slots(const MatrixMatrixRun& run) {
  const size_t most_shared = runtime::device().properties().shared_bytes_per_block;
  unsigned slots = 16384;  // two blocks of 1024 threads a multiprocessor for 4-byte keys on most GPUs
  while (slots * dot_slot_bytes(run) + 1024 > most_shared) slots /= 2;
  return slots;
}

namespace {

/// The sums for the entries of the mask, which is a matrix and not complemented: those that have a term.
Csr masked_dots(const MatrixMatrixRun& run) {
  const Csr& left = run.left();
  const Csr& right = run.right_columns();
  const Csr& mask = run.mask.rows(run.flipped);
  const Buffer values(mask.entries * run.type().size), has(mask.entries);
  MxmDotArguments arguments;
  arguments.left = left.view();
  arguments.right = right.view();
  arguments.mask = mask.view();
  arguments.values = values.data();
  arguments.has = has.as<uint8_t>();
  arguments.longest_searched = longest_searched_row;
  const std::string product = run.product_id(left, right), select = run.mask.select_id(mask);
  const uint64_t longest = run.left_matrix().row_lengths(run.left_transposed()).longest;
  const size_t slot_bytes = dot_slot_bytes(run);
  const unsigned most_slots = dot_table_slots(run);
  // The heaviest first.
  const HashBin bins[] = {{1024, ~uint64_t(0), most_slots, 1024, 16},
                          {longest_searched_row, 1024, 2048, 256, 16}};
  for (const HashBin& bin : bins) {
    if (longest > bin.longer_than)
      run_bin(bin, arguments, run, product, run.pattern_id(left, right), select, slot_bytes);
  }
  formats::launch_blocks(
      mxm_dot_header, template_id("mxm_dot_search", {product, select, std::to_string(search_lanes)}),
      formats::blocks_for(mask.entries, 8 * 256 / search_lanes), arguments, run.preamble());
  return kept_entries(mask, run.type(), values, /*iso=*/false, has);
}

void describe_dot(const Ways& ways, const Hardware&, MxmProblem& p) {
  if (p.mask != selector::MaskUse::selects) {
    p.dot.refusal = ways.mask.matrix == nullptr ? "there is no mask" : "the mask is complemented";
    return;
  }
  p.dot.transposed_entries = transposed_entries(ways.dot, Way::dot);
  // Few products take what their launches take, by whichever kernel: nothing is counted for that.
  constexpr uint64_t few = 4096;
  constexpr double usual_search = 8;
  const bool are_few = ways.profile.products && ways.profile.totals.products <= few;
  p.dot_work = are_few ? selector::DotWork{double(p.mask_entries) * usual_search, 0, usual_search}
                       : work_of_dots(ways.dot);
}

}  // namespace

const MxmKernel mxm_dot = {{"mxm_dot"},
                           {.cost = cost_of_dot,
                            .run = [](Ways& ways, bool) -> OrientedCsr {
                              return {masked_dots(ways.dot), ways.dot.flipped};
                            },
                            .known = &MxmProblem::dot,
                            .describe = describe_dot}};

}  // namespace cugrb::operations
