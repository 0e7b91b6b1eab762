// The second phase of rows of T: those that were counted are made, those that were made at once are moved.
#include "src/operations/multiply/mxm/rows/plan.h"

namespace cugrb::operations {

using formats::Csr;

namespace {

class RowFill {
 public:
  RowFill(const MatrixMatrixRun& run, const RowsPlan& plan, const CountedProduct& counted)
      : run_(run), plan_(plan), counted_(counted), arguments_(counted.arguments), kernels_(run, plan) {
    arguments_.row_starts = counted.starts();
    arguments_.row_columns = counted.columns.as<uint64_t>();
  }

  /// T has room for an entry a product, so that its rows are moved before anybody waits for their number. It
  /// does not keep much more than it needs.
  Csr move_all() {
    const uint64_t products = plan_.made.products;
    Csr t = room_for_rows(run_, products, Csr::offset_width_for(products));
    move_made_rows(t);
    t.entries = counted_.read_at<uint64_t>(plan_.rows);
    constexpr uint64_t most_room = 3;
    if (products > most_room * t.entries) give_back_room(t);
    return t;
  }

  Csr fill() {
    struct Totals {
      uint64_t total;
      RowCounts table_counts;
    };
    const Totals host = counted_.read_at<Totals>(plan_.rows);
    const RowLists by_entries(counted_.table_rows, run_.left().offset_width, host.table_counts,
                              counted_.counters.as<RowCounters>()->taken[1]);
    const bool has_offsets = bool(counted_.offsets);
    Csr t = room_for_rows(run_, host.total,
                          has_offsets ? counted_.offset_width : Csr::offset_width_for(host.total));
    if (has_offsets) t.offsets = counted_.offsets;
    arguments_.columns = t.column_indices.data();
    arguments_.values = t.values.data();
    runtime::device().side_by_side([&] {
      kernels_.bitmap_fill(counted_.lists, counted_.items,
                           {arguments_, counted_.bitmap});  // the heaviest rows first
      fill_by_entries(by_entries);
      move_made_rows(t);
      if (!has_offsets && !plan_.moves_in_order(counted_.lists)) store_offsets(t, arguments_.row_starts);
    });
    for (const SortedPiece& piece : counted_.pieces) store_piece(piece, t, counted_.starts());
    return t;
  }

 private:
  void fill_by_entries(const RowLists& lists) const {
    const auto esc = [&](const EscKernel& kernel) {
      kernels_.esc(kernel, kernel.row_class, kernel.row_class, lists, /*counted=*/true, {arguments_});
    };
    const RowSizes& sizes = plan_.sizes;
    for (const RanksKernel& kernel : {ranks_512, ranks_128, ranks_32})
      kernels_.ranks(kernel, lists, /*fill=*/true, {arguments_, counted_.ranked});
    for (const EscKernel& kernel : {esc_8192, esc_4096, esc_2048, esc_1024}) esc(kernel);
    for (const HashKernel& kernel : {sizes.hash_256, sizes.hash_32, sizes.hash_16, sizes.hash_8})
      kernels_.hash(kernel, kernel.row_class, kernel.row_class, lists, /*fill=*/true, arguments_);
    for (const EscKernel& kernel : {esc_512, esc_256, esc_128, esc_64}) esc(kernel);
    for (const MergeKernel& kernel : {merge_12, merge_8})
      kernels_.merge(kernel, lists, /*fill=*/true, arguments_);
  }

  void move_made_rows(const Csr& t) const {
    const RowLists& lists = counted_.lists;
    if (!counted_.made.starts) return;
    if (plan_.moves_in_order(lists)) {
      const bool short_rows = only_short(lists) && plan_.made.products < 32 * plan_.rows;
      return move_rows(t, short_rows ? 8 : 32, nullptr, plan_.rows, t.offsets.data());
    }
    const auto by = [&](unsigned lanes, RowClass first, RowClass last) {
      move_rows(t, lanes, lists.of(first), lists.launched(first, last), nullptr);
    };
    if (plan_.few_made() && plan_.made.last > RowClass::esc_32)
      return by(32, RowClass::esc_32, plan_.made.last);
    by(32, RowClass::esc_64, plan_.made.last);
    by(8, RowClass::esc_32, RowClass::esc_32);
  }
  void move_rows(const Csr& t, unsigned lanes, const uint64_t* list, uint64_t count, void* offsets) const {
    MxmMoveArguments arguments;
    arguments.list = list;
    arguments.count = count;
    arguments.made_columns = counted_.made.columns.data();
    arguments.made_values = counted_.made.values.data();
    arguments.made_starts = counted_.made.starts.as<uint64_t>();
    arguments.row_starts = arguments_.row_starts;
    arguments.columns = t.column_indices.data();
    arguments.values = t.values.data();
    arguments.offsets = offsets;
    if (plan_.sums_as_moved(counted_.lists)) arguments.total = counted_.starts() + plan_.rows;
    kernels_.move(arguments, lanes, t.offset_width);
  }

  const MatrixMatrixRun& run_;
  const RowsPlan& plan_;
  const CountedProduct& counted_;
  MxmRowsArguments arguments_;
  const RowKernels kernels_;
};

}  // namespace

Csr fill_rows(const MatrixMatrixRun& run, const RowsPlan& plan, const CountedProduct& counted) {
  RowFill filling(run, plan, counted);
  return plan.few_made() && plan.moves_in_order(counted.lists) ? filling.move_all() : filling.fill();
}

}  // namespace cugrb::operations
