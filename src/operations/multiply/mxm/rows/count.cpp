// The first phase of rows of T: the entries of each are counted; some rows are made at once.
#include <algorithm>
#include <utility>

#include "src/formats/launch.h"
#include "src/operations/multiply/mxm/rows/plan.h"
#include "src/operations/template_id.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Width;
using runtime::Buffer;

namespace {

/// What columns that were marked may take until they are stored.
constexpr size_t most_kept_bytes = size_t(2) << 30, kept_bytes_a_product = 8;
/// So many rows a warp has a lane for each.
constexpr uint64_t warp_rows = 32;
uint64_t kept_bytes() { return std::min<uint64_t>(most_kept_bytes, usable_bytes() / 16); }

class RowCount {
 public:
  RowCount(const MatrixMatrixRun& run, RowProfile& profile, const RowsPlan& plan)
      : run_(run), profile_(profile), plan_(plan), left_(run.left()), kernels_(run, plan) {
    counted_.counters = profile.counters ? std::exchange(profile.counters, {}) : zeroed_counters(left_.rows);
    // The profile's list is by the limits that it had.
    const bool as_profiled = !plan.made.merged && !plan.limits.all_by_sort;
    counted_.lists =
        RowLists(looked_at(nullptr, left_.rows), left_.offset_width, plan.counts,
                 counted_.counters.as<RowCounters>()->taken[0], as_profiled ? profile.list : Buffer());
    set_arguments();
  }

  CountedProduct count() {
    const RowLists& lists = counted_.lists;
    list_items();
    keep_row_bits();
    make_room();
    runtime::device().side_by_side([&] {
      kernels_.bitmap_count(lists, counted_.items, {arguments_, counted_.bitmap});
      for (const RanksKernel& kernel : {ranks_512, ranks_128, ranks_32})
        kernels_.ranks(kernel, lists, /*fill=*/false, {arguments_, counted_.ranked});
      for (const CountedRows& rows : plan_.sizes.counting())
        if (rows.first > plan_.made.last)
          kernels_.hash(rows.kernel, rows.first, rows.last, lists, /*fill=*/false, arguments_);
      for (const MergeKernel& kernel : {merge_12, merge_8})
        kernels_.merge(kernel, lists, /*fill=*/false, arguments_);
      make_rows();
    });
    if (counted_.item_entries)
      primitives::exclusive_sum(Width::bits64, counted_.item_entries.data(), counted_.item_entries.data(),
                                counted_.items);
    counted_.pieces = sort_rows(run_, profile_.products, lists.of(RowClass::sort),
                                lists.count(RowClass::sort), arguments_.row_entries, plan_.column_width);
    if (!plan_.sums_as_moved(lists)) sum_entries();
    count_table_rows();
    return std::move(counted_);
  }

 private:
  void set_arguments() {
    arguments_.left = left_.view();
    arguments_.right = run_.right().view();
    arguments_.mask = run_.mask.mask_view(run_.flipped);
    arguments_.products = profile_.products.as<uint64_t>();
    counted_.ranked.windows = profile_.windows.as<RowWindow>();
    counted_.bitmap.window = plan_.sizes.window;
    counted_.bitmap.value_capacity = plan_.value_capacity;
    arguments_.row_entries = counted_.starts();
    if (run_.mask.matrix != nullptr) counted_.columns = Buffer::zeroed(left_.rows * sizeof(uint64_t));
    arguments_.row_columns = counted_.columns.as<uint64_t>();
  }

  MxmProfileArguments looked_at(const uint64_t* rows, uint64_t count) const {
    MxmProfileArguments arguments;
    arguments.left = left_.view();
    arguments.products = profile_.products.as<uint64_t>();
    arguments.windows = profile_.windows.as<RowWindow>();
    arguments.limits = plan_.limits;
    arguments.rows = rows;
    arguments.count = count;
    return arguments;
  }

  /// The windows of the rows of class bitmap.
  void list_items() {
    const MxmBitmapArguments rows = listed(MxmBitmapArguments{arguments_, counted_.bitmap}, counted_.lists,
                                           RowClass::bitmap, RowClass::bitmap);
    counted_.items = rows.count;
    if (rows.count == 0) return;
    if (!plan_.one_item_each) cut_into_items(rows);
    if (!plan_.is_narrow) keep_bits();
  }
  void cut_into_items(MxmBitmapArguments rows) {
    BitmapItems& bitmap = counted_.bitmap;
    counted_.item_starts = Buffer((rows.count + 1) * sizeof(uint64_t));
    bitmap.item_starts = rows.item_starts = counted_.item_starts.as<uint64_t>();
    kernels_.bitmap_items(rows);
    primitives::exclusive_sum(Width::bits64, counted_.item_starts.data(), counted_.item_starts.data(),
                              rows.count);
    counted_.items = counted_.item_starts.read<uint64_t>(rows.count);
    counted_.item_rows = item_owners(counted_.item_starts, rows.count, counted_.items);
    bitmap.item_rows = counted_.item_rows.as<uint64_t>();
    counted_.item_entries = Buffer((counted_.items + 1) * sizeof(uint64_t));
    bitmap.item_entries = counted_.item_entries.as<uint64_t>();
  }
  /// Of rows that take longer to be marked again than their bits to be copied.
  void keep_bits() {
    const uint64_t bytes = plan_.sizes.window / 8, windows = plan_.limits.windows;
    const uint64_t rows = counted_.lists.count_bitmap_from(bytes * windows / kept_bytes_a_product);
    BitmapItems& bitmap = counted_.bitmap;
    bitmap.kept_items = std::min({rows * windows, counted_.items, kept_bytes() / bytes});
    counted_.item_bits = Buffer(bitmap.kept_items * bytes);
    bitmap.item_bits = counted_.item_bits.as<uint32_t>();
  }

  void keep_row_bits() {
    const uint64_t rows = counted_.lists.count(RowClass::ranks_32, RowClass::ranks_512);
    const uint64_t bytes = rows * plan_.words_by_ranks * sizeof(uint32_t);
    if (rows == 0 || bytes > kept_bytes() || rows >= (uint64_t(1) << 32)) return;
    counted_.row_bits = Buffer(bytes);
    counted_.row_slots = Buffer(left_.rows * sizeof(uint32_t));
    RankedRows& ranked = counted_.ranked;
    ranked.row_bits = counted_.row_bits.as<uint32_t>();
    ranked.kept_words = uint32_t(plan_.words_by_ranks);
    ranked.row_slots = counted_.row_slots.as<uint32_t>();
  }

  void make_room() {
    if (counted_.lists.count(RowClass::esc_32, plan_.made.last) == 0) return;
    counted_.made.columns = Buffer(plan_.made.products * formats::bytes_of(plan_.column_width));
    counted_.made.values = Buffer(plan_.made.products * run_.type().size);
    counted_.made.starts = Buffer(left_.rows * sizeof(uint64_t));
  }
  void make_rows() const {
    MxmEscArguments arguments{arguments_};
    arguments.made = arguments_.row_entries + left_.rows + 1 + row_buckets;
    arguments.columns = counted_.made.columns.data();
    arguments.values = counted_.made.values.data();
    arguments.made_starts = counted_.made.starts.as<uint64_t>();
    const auto by = [&](const EscKernel& kernel, RowClass first, RowClass last) {
      if (last > plan_.made.last) return;
      kernels_.esc(kernel, first, last, counted_.lists, /*counted=*/false, arguments);
    };
    // All of a few rows by the kernel of the heaviest: launches that it saves would take longer.
    const bool at_once = plan_.few_rows() && left_.rows <= warp_rows;
    for (const EscKernel& kernel : {esc_8192, esc_4096, esc_2048, esc_1024}) {
      const bool heaviest = at_once && counted_.lists.count(kernel.row_class) > 0;
      if (heaviest && kernel.row_class <= plan_.made.last)
        return by(kernel, RowClass::esc_32, kernel.row_class);
      by(kernel, kernel.row_class, kernel.row_class);
    }
    if (plan_.few_rows() && plan_.made.last >= RowClass::esc_512)
      return by(esc_512, RowClass::esc_32, RowClass::esc_512);
    by(esc_512, esc_512.row_class, esc_512.row_class);
    if (plan_.few_made() && plan_.made.last > RowClass::esc_32) {
      by(esc_256, RowClass::esc_128, RowClass::esc_256);
      by(esc_64, RowClass::esc_32, RowClass::esc_64);
    } else {
      for (const EscKernel& kernel : {esc_256, esc_128, esc_64, esc_32})
        by(kernel, kernel.row_class, kernel.row_class);
    }
  }

  /// Where rows start; T's offsets, too, where a warp has all rows.
  void sum_entries() {
    if (left_.rows > warp_rows)
      return primitives::exclusive_sum(Width::bits64, counted_.starts(), counted_.starts(), left_.rows);
    counted_.offset_width = Csr::offset_width_for(profile_.totals.products);
    counted_.offsets = Buffer((left_.rows + 1) * formats::bytes_of(counted_.offset_width));
    const MxmFewStartsArguments arguments{counted_.starts(), left_.rows, counted_.offsets.data()};
    formats::launch_kernel(
        {"mxm_rows.h", template_id("mxm_few_starts", {formats::index_type(counted_.offset_width)}), {}},
        {1, unsigned(warp_rows)}, arguments);
  }

  /// Rows of each bucket by their entries, behind the rows' starts.
  void count_table_rows() {
    const uint64_t rows = counted_.lists.count(plan_.first_counted(), RowClass::ranks_512);
    if (rows == 0) return;
    const uint64_t* list = counted_.lists.of(plan_.first_counted());
    MxmProfileArguments& table_rows = counted_.table_rows;
    table_rows = looked_at(list, list == nullptr ? left_.rows : rows);
    table_rows.row_starts = counted_.starts();
    table_rows.columns = counted_.columns.as<uint64_t>();
    table_rows.counts = counted_.starts() + left_.rows + 1;
    formats::launch_blocks("mxm_profile.h",
                           template_id("mxm_count_rows", {formats::index_type(left_.offset_width)}),
                           formats::blocks_for(table_rows.count), table_rows);
  }

  const MatrixMatrixRun& run_;
  const RowProfile& profile_;
  const RowsPlan& plan_;
  const Csr& left_;
  const RowKernels kernels_;
  CountedProduct counted_;
  MxmRowsArguments& arguments_ = counted_.arguments;
};

}  // namespace

CountedProduct count_rows(const MatrixMatrixRun& run, RowProfile& profile, const RowsPlan& plan) {
  return RowCount(run, profile, plan).count();
}

}  // namespace cugrb::operations
