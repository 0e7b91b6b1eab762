#include "src/operations/multiply/mxm/rows/plan.h"

#include <algorithm>

#include "src/formats/element_kernels.h"
#include "src/operations/template_id.h"

namespace cugrb::operations {

using formats::Csr;

namespace {

constexpr char esc_header[] = "mxm_esc.h", hash_header[] = "mxm_hash.h", bitmap_header[] = "mxm_bitmap.h",
               narrow_header[] = "mxm_narrow.h", merge_header[] = "mxm_merge.h",
               ranks_header[] = "mxm_ranks.h";

/// Rows that might be merged are made at once with the others, or all are sorted, where the plan says so.
RowCounts counts_of(const RowProfile& profile, const RowsPlan& plan) {
  RowCounts counts = profile.counts;
  if (plan.made.merged) {
    counts[size_t(RowClass::merge_8)] = counts[size_t(RowClass::merge_12)] = 0;
    for (size_t bin = 0; bin < merged_bins; ++bin)
      counts[size_t(RowClass::esc_32) + bin] += profile.merged[bin];
  }
  if (plan.limits.all_by_sort) {
    counts.fill(0);
    counts[size_t(RowClass::none)] = profile.counts[size_t(RowClass::none)];
    counts[sort_bucket] = plan.rows - counts[size_t(RowClass::none)];
  }
  return counts;
}

int right_entries_at_once(const Csr& left, const Csr& right, const RowProfile& profile) {
  const double met = double(profile.totals.products) / double(std::max<uint64_t>(left.entries, 1));
  const double of_all = double(right.entries) / double(std::max<uint64_t>(right.rows, 1));
  return met < 24 || met > 8 * of_all ? 0 : met <= 32 ? 1 : met < 64 ? 2 : 4;
}

/// The one of most threads of which so many blocks are resident at once: each waits for its own loads.
const RanksKernel& widest_resident(const RanksKernel& least, uint64_t blocks) {
  const uint64_t threads = 2048 * uint64_t(runtime::device().properties().multiprocessors);
  for (const RanksKernel* kernel : {&ranks_512, &ranks_128})
    if (kernel->threads > least.threads && blocks * uint64_t(kernel->threads) <= threads) return *kernel;
  return least;
}

}  // namespace

bool RowsPlan::moves_in_order(const RowLists& lists) const {
  return lists.count(RowClass::esc_32, made.last) > 0 && lists.count(first_counted(), RowClass::sort) == 0 &&
         (few_made() || made.products >= 32 * rows || only_short(lists));
}

RowsPlan plan_rows(const MatrixMatrixRun& run, const RowProfile& profile, bool all_by_sort) {
  const Csr& left = run.left();
  const Csr& right = run.right();
  const bool windows = bool(profile.windows);
  const RowSizes sizes = sizes_for(run);
  RowsPlan plan{run.product_id(left, right),
                run.pattern_id(left, right),
                run.mask.mask_id(run.flipped),
                formats::index_type(formats::index_width(right.columns)),
                formats::index_width(right.columns),
                sizes,
                limits_for(run, sizes, windows),
                all_by_sort ? MadeAtOnce() : made_at_once(run, profile),
                left.rows};
  plan.limits.all_by_sort = all_by_sort;
  if (plan.made.merged) plan.limits.merge_8 = plan.limits.merge_12 = 0;
  plan.counts = counts_of(profile, plan);
  plan.words_by_ranks = windows ? profile.totals.widest : sizes.words();
  plan.right_entries_at_once = right_entries_at_once(left, right, profile);
  plan.value_capacity = sizes.value_bytes / run.type().size;
  plan.is_narrow = right.columns <= plan.value_capacity;
  plan.one_item_each = plan.limits.windows == 1 &&
                       (sizes.window <= 8192 || profile.totals.heaviest <= 8 * plan.value_capacity);
  return plan;
}

template <class Arguments>
void RowKernels::launch(const char* header, std::string name, uint64_t blocks, unsigned threads,
                        size_t shared_bytes, const Arguments& arguments) const {
  formats::launch_kernel({header, std::move(name), run_.preamble()}, {blocks, threads, shared_bytes},
                         arguments);
}

void RowKernels::esc(const EscKernel& kernel, RowClass first, RowClass last, const RowLists& lists,
                     bool counted, const MxmEscArguments& base) const {
  const MxmEscArguments arguments = listed(base, lists, first, last);
  if (arguments.count == 0) return;
  std::string name = template_id(
      "mxm_esc_fill", {plan_.product, plan_.mask, plan_.new_column, plan_.sizes.item_id(kernel.products()),
                       std::to_string(kernel.lanes), std::to_string(kernel.each), text_of(counted)});
  launch(esc_header, std::move(name), formats::blocks_for(arguments.count, kernel.block_rows()),
         kernel.threads(), plan_.sizes.esc_bytes(kernel), arguments);
}

void RowKernels::hash(const HashKernel& kernel, RowClass first, RowClass last, const RowLists& lists,
                      bool fill, const MxmRowsArguments& base) const {
  const MxmRowsArguments arguments = listed(base, lists, first, last);
  if (arguments.count == 0) return;
  const std::string lanes = std::to_string(kernel.lanes), slots = std::to_string(kernel.slots);
  std::string name =
      fill ? template_id("mxm_hash_fill", {plan_.product, plan_.mask, plan_.new_column,
                                           plan_.sizes.item_id(int(kernel.slots)), lanes, slots})
           : template_id("mxm_hash_count", {plan_.pattern, plan_.mask, lanes, slots});
  launch(hash_header, std::move(name), formats::blocks_for(arguments.count, 256 / kernel.lanes), 256,
         plan_.sizes.hash_bytes(kernel, fill), arguments);
}

void RowKernels::merge(const MergeKernel& kernel, const RowLists& lists, bool fill,
                       const MxmRowsArguments& base) const {
  const MxmRowsArguments arguments = listed(base, lists, kernel.row_class, kernel.row_class);
  if (arguments.count == 0) return;
  const std::string ways = std::to_string(kernel.ways);
  std::string name = fill ? template_id("mxm_merge_fill", {plan_.product, plan_.mask, plan_.new_column, ways})
                          : template_id("mxm_merge_count", {plan_.pattern, plan_.mask, ways});
  launch(merge_header, std::move(name), formats::blocks_for(arguments.count), 256, 0, arguments);
}

void RowKernels::ranks(const RanksKernel& for_class, const RowLists& lists, bool fill,
                       MxmRanksArguments arguments) const {
  arguments = listed(arguments, lists, for_class.row_class, for_class.row_class);
  if (arguments.count == 0) return;
  arguments.first_slot = unsigned(lists.before(for_class.row_class) - lists.before(RowClass::ranks_32));
  const RanksKernel& kernel = widest_resident(for_class, arguments.count);
  arguments.value_capacity = plan_.sizes.ranks_sums(kernel);
  const std::string threads = std::to_string(kernel.threads),
                    each = std::to_string(plan_.right_entries_at_once);
  std::string name =
      fill ? template_id("mxm_ranks_fill", {plan_.product, plan_.mask, plan_.new_column, threads, each})
           : template_id("mxm_ranks_count", {plan_.pattern, plan_.mask, threads, each});
  launch(ranks_header, std::move(name), arguments.count, unsigned(kernel.threads),
         plan_.sizes.ranks_bytes(kernel, plan_.words_by_ranks, fill), arguments);
}

void RowKernels::bitmap_items(const MxmBitmapArguments& arguments) const {
  launch(bitmap_header, template_id("mxm_bitmap_items", {"uint64_t"}), formats::blocks_for(arguments.count),
         256, 0, arguments);
}

void RowKernels::bitmap_count(const RowLists& lists, uint64_t items,
                              const MxmBitmapArguments& arguments) const {
  if (items == 0) return;
  launch(bitmap_header, template_id("mxm_bitmap_count", {plan_.pattern, plan_.mask}), items, bitmap_threads,
         plan_.sizes.bitmap_bytes(false), listed(arguments, lists, RowClass::bitmap, RowClass::bitmap));
}

void RowKernels::bitmap_fill(const RowLists& lists, uint64_t items, MxmBitmapArguments arguments) const {
  if (items == 0) return;
  const uint64_t widest = std::min(plan_.sizes.window, run_.right().columns);
  // Where the device is full by itself, blocks of single passes would only have their bits ranked again.
  const bool fills = arguments.kept_items >= formats::resident_blocks();
  arguments.passes =
      plan_.is_narrow || fills ? 1 : unsigned(formats::blocks_for(widest, arguments.value_capacity));
  launch(plan_.is_narrow ? narrow_header : bitmap_header,
         template_id(plan_.is_narrow ? "mxm_narrow_fill" : "mxm_bitmap_fill",
                     {plan_.product, plan_.mask, plan_.new_column}),
         items + arguments.kept_items * (arguments.passes - 1), bitmap_threads,
         plan_.sizes.bitmap_bytes(true), listed(arguments, lists, RowClass::bitmap, RowClass::bitmap));
}

void RowKernels::move(const MxmMoveArguments& arguments, unsigned lanes, formats::Width offset_width) const {
  if (arguments.count == 0) return;
  std::string name =
      template_id("mxm_move_rows", {plan_.new_column, formats::element_of_bytes(run_.type().size),
                                    formats::index_type(offset_width), std::to_string(lanes)});
  formats::launch_blocks(esc_header, name, formats::blocks_for(arguments.count, moved_rows(lanes)),
                         arguments);
}

}  // namespace cugrb::operations
