#include "src/operations/multiply/mxm/rows/rows.h"

#include <algorithm>
#include <utility>

#include "src/formats/element_kernels.h"
#include "src/formats/launch.h"
#include "src/operations/multiply/mxm/costs.h"
#include "src/operations/multiply/mxm/rows/lists.h"
#include "src/operations/multiply/mxm/rows/profile.h"
#include "src/operations/multiply/mxm/ways.h"
#include "src/operations/multiply/registry.h"
#include "src/operations/template_id.h"
#include "src/support/settings.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Width;
using runtime::Buffer;

std::string rows_refusal(const MatrixMatrixRun& run) {
  const Monoid& add = run.call.semiring.add;
  const size_t bytes = add.type().size;
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) {
    return "values of " + std::to_string(bytes) + " bytes have no atomic update";
  }
  if (settings().deterministic && (add.is_any || add.type().is_float() || add.type().is_user())) {
    return "CUGRB_DETERMINISTIC: its sums depend on the order of updates";
  }
  return {};
}

namespace {

constexpr char rows_header[] = "mxm_rows.h", profile_header[] = "mxm_profile.h", esc_header[] = "mxm_esc.h",
               hash_header[] = "mxm_hash.h", bitmap_header[] = "mxm_bitmap.h",
               narrow_header[] = "mxm_narrow.h", merge_header[] = "mxm_merge.h",
               ranks_header[] = "mxm_ranks.h";

/// What columns that were marked may take until they are stored.
constexpr size_t most_kept_bytes = size_t(2) << 30, kept_bytes_a_product = 8;

class RowsRun {
 public:
  RowsRun(const MatrixMatrixRun& run, RowProfile& profile, bool all_by_sort)
      : run_(run),
        profile_(profile),
        counters_(profile.counters ? std::exchange(profile.counters, {}) : zeroed_counters(run.left().rows)),
        left_(run.left()),
        right_(run.right()),
        product_(run.product_id(left_, right_)),
        pattern_(run.pattern_id(left_, right_)),
        mask_(run.mask.mask_id(run.flipped)),
        column_width_(formats::index_width(right_.columns)),
        sizes_(sizes_for(run)),
        limits_(limits_for(run, sizes_, bool(profile.windows))),
        made_(made_at_once(run, profile)) {
    limits_.all_by_sort = all_by_sort;
    if (all_by_sort) made_ = {};
    if (made_.merged) limits_.merge_8 = limits_.merge_12 = 0;
    arguments_.left = left_.view();
    arguments_.right = right_.view();
    arguments_.mask = run.mask.mask_view(run.flipped);
    arguments_.products = profile.products.as<uint64_t>();
    arguments_.windows = profile.windows.as<RowWindow>();
    arguments_.window = sizes_.window;
    arguments_.value_capacity = sizes_.value_bytes / run.type().size;
  }

  Csr run() {
    Counted counted = count_entries();
    if (few_made() && move_in_order(counted.lists)) return move_all(counted.lists, counted.made);
    wait_for_counts(counted);
    const RowLists by_entries(counted.table_rows, left_.offset_width, counted.table_counts,
                              counters().taken[1]);
    arguments_.row_starts = starts();
    arguments_.row_columns = counted.columns.as<uint64_t>();
    const Csr t = room_for_rows(run_, counted.total, Csr::offset_width_for(counted.total));
    arguments_.columns = t.column_indices.data();
    arguments_.values = t.values.data();
    runtime::device().side_by_side([&] {
      fill_by_bitmap(counted.lists, counted.items);  // the heaviest rows first
      for (const RanksKernel& kernel : {ranks_512, ranks_128, ranks_32})
        ranks_rows(kernel, by_entries, /*fill=*/true);
      for (const EscKernel& kernel : {esc_8192, esc_4096, esc_2048, esc_1024}) esc_rows(kernel, by_entries);
      for (const HashKernel& kernel : {sizes_.hash_256, sizes_.hash_32, sizes_.hash_16, sizes_.hash_8})
        hash_fill(kernel, by_entries);
      for (const EscKernel& kernel : {esc_512, esc_256, esc_128, esc_64}) esc_rows(kernel, by_entries);
      for (const MergeKernel& kernel : {merge_12, merge_8}) merge_rows(kernel, by_entries, /*fill=*/true);
      move_made_rows(counted.lists, counted.made, t);
      if (!move_in_order(counted.lists)) store_offsets(t);
    });
    for (const SortedPiece& piece : counted.pieces) store_piece(piece, t, starts());
    return t;
  }

 private:
  struct BitmapItems {
    uint64_t count = 0;
    Buffer starts, rows, entries;  ///< none where each row is one
    Buffer bits;
  };
  /// The columns of rows by ranks, none where there is no room.
  struct KeptRows {
    Buffer bits, slots;
  };
  /// Rows that were made before all others were counted (mxm_esc_fill).
  struct MadeRows {
    Buffer columns, values;
    Buffer starts;  ///< of each row
  };
  using Counts = std::array<uint64_t, row_buckets>;
  /// What the first phase leaves to the second.
  struct Counted {
    RowLists lists;
    MxmProfileArguments table_rows;  ///< those that were counted by tables: their entries say who makes them
    Counts table_counts{};
    BitmapItems items;
    KeptRows kept;
    MadeRows made;
    std::vector<SortedPiece> pieces;
    Buffer columns;  ///< with a mask: what each row needs room for in a table, also what the mask forbids
    uint64_t total = 0;
  };

  Counted count_entries() {
    Counted counted;
    counted.lists = list_by_products();
    arguments_.row_entries = starts();
    arguments_.made = arguments_.row_entries + left_.rows + 1 + row_buckets;
    if (run_.mask.matrix != nullptr) counted.columns = Buffer::zeroed(left_.rows * sizeof(uint64_t));
    arguments_.row_columns = counted.columns.as<uint64_t>();
    counted.items = list_items(counted.lists);
    counted.kept = keep_row_bits(counted.lists);
    counted.made = room_for_made_rows(counted.lists);
    runtime::device().side_by_side([&] {
      count_by_bitmap(counted.lists, counted.items);
      for (const RanksKernel& kernel : {ranks_512, ranks_128, ranks_32})
        ranks_rows(kernel, counted.lists, /*fill=*/false);
      for (const CountedRows& rows : sizes_.counting())
        if (rows.first > made_.last) hash_count(rows, counted.lists);
      for (const MergeKernel& kernel : {merge_12, merge_8}) merge_rows(kernel, counted.lists, /*fill=*/false);
      make_rows(counted.lists, counted.made);
    });
    if (counted.items.entries)
      primitives::exclusive_sum(Width::bits64, counted.items.entries.data(), counted.items.entries.data(),
                                counted.items.count);
    counted.pieces = sort_rows(run_, profile_.products, counted.lists.of(RowClass::sort),
                               counted.lists.count(RowClass::sort), arguments_.row_entries, column_width_);
    primitives::exclusive_sum(Width::bits64, starts(), starts(), left_.rows);
    count_table_rows(counted);
    return counted;
  }
  void wait_for_counts(Counted& counted) const {
    struct {
      uint64_t total;
      Counts table_counts;
    } host;
    runtime::device().copy_to_host(&host, starts() + left_.rows, sizeof host);
    counted.total = host.total;
    counted.table_counts = host.table_counts;
  }
  /// T has room for an entry a product, so that its rows are moved before anybody waits for their number. It
  /// does not keep much more than it needs.
  Csr move_all(const RowLists& lists, const MadeRows& made) {
    arguments_.row_starts = starts();
    Csr t = room_for_rows(run_, made_.products, Csr::offset_width_for(made_.products));
    move_made_rows(lists, made, t);
    runtime::device().copy_to_host(&t.entries, starts() + left_.rows, sizeof t.entries);
    constexpr uint64_t most_room = 3;
    if (made_.products > most_room * t.entries) give_back_room(t);
    return t;
  }

  MxmProfileArguments looked_at(const uint64_t* rows, uint64_t count) const {
    MxmProfileArguments arguments;
    arguments.left = left_.view();
    arguments.products = profile_.products.as<uint64_t>();
    arguments.windows = profile_.windows.as<RowWindow>();
    arguments.limits = limits_;
    arguments.rows = rows;
    arguments.count = count;
    return arguments;
  }

  RowLists list_by_products() const {
    Counts counts = profile_.counts;
    if (made_.merged) {
      counts[size_t(RowClass::merge_8)] = counts[size_t(RowClass::merge_12)] = 0;
      for (size_t bin = 0; bin < merged_bins; ++bin)
        counts[size_t(RowClass::esc_32) + bin] += profile_.merged[bin];
    }
    if (limits_.all_by_sort) {
      counts.fill(0);
      counts[size_t(RowClass::none)] = profile_.counts[size_t(RowClass::none)];
      counts[sort_bucket] = left_.rows - counts[size_t(RowClass::none)];
    }
    return RowLists(looked_at(nullptr, left_.rows), left_.offset_width, counts, counters().taken[0]);
  }

  RowCounters& counters() const { return *counters_.as<RowCounters>(); }
  /// rows + 1: first the entries of each row. Behind them the rows of each bucket by their entries, and how
  /// many entries were made at once.
  uint64_t* starts() const { return reinterpret_cast<uint64_t*>(counters_.as<RowCounters>() + 1); }

  /// Rows of each bucket by their entries, behind the rows' starts.
  void count_table_rows(Counted& counted) const {
    const RowClass first = RowClass(uint32_t(made_.last) + 1);
    const uint64_t rows = counted.lists.count(first, RowClass::ranks_512);
    const uint64_t* list = counted.lists.of(first);
    if (rows == 0) return;
    counted.table_rows = looked_at(list, list == nullptr ? left_.rows : rows);
    counted.table_rows.row_starts = starts();
    counted.table_rows.columns = counted.columns.as<uint64_t>();
    counted.table_rows.counts = starts() + left_.rows + 1;
    formats::launch_blocks(profile_header,
                           template_id("mxm_count_rows", {formats::index_type(left_.offset_width)}),
                           formats::blocks_for(counted.table_rows.count), counted.table_rows);
  }

  // Kernels that have no rows are not even named: most classes have none, and a name takes half a
  // microsecond.
  template <class Arguments>
  void launch(const char* header, std::string name, uint64_t blocks, unsigned threads, size_t shared_bytes,
              const Arguments& arguments) const {
    runtime::LaunchShape shape;
    shape.blocks = blocks;
    shape.threads = threads;
    shape.shared_bytes = shared_bytes;
    runtime::launch(runtime::device(), jit::kernel({header, std::move(name), run_.preamble()}), shape,
                    arguments);
  }

  void list_rows(RowClass first, RowClass last, const RowLists& lists) {
    arguments_.list = lists.of(first);
    arguments_.count = lists.launched(first, last);
  }
  void list_rows(RowClass row_class, const RowLists& lists) { list_rows(row_class, row_class, lists); }

  void esc_rows(const EscKernel& kernel, const RowLists& lists) {
    list_rows(kernel.row_class, lists);
    sort_listed_rows(kernel, /*counted=*/true);
  }
  void sort_listed_rows(const EscKernel& kernel, bool counted) const {
    if (arguments_.count == 0) return;
    std::string name =
        template_id("mxm_esc_fill",
                    {product_, mask_, new_column(), sizes_.item_id(kernel.products()),
                     std::to_string(kernel.lanes), std::to_string(kernel.each), counted ? "true" : "false"});
    launch(esc_header, std::move(name), formats::blocks_for(arguments_.count, kernel.block_rows()),
           kernel.threads(), sizes_.esc_bytes(kernel), arguments_);
  }

  MadeRows room_for_made_rows(const RowLists& lists) const {
    MadeRows made;
    if (lists.count(RowClass::esc_32, made_.last) == 0) return made;
    made.columns = Buffer(made_.products * formats::bytes_of(column_width_));
    made.values = Buffer(made_.products * run_.type().size);
    made.starts = Buffer(left_.rows * sizeof(uint64_t));
    return made;
  }
  void make_rows(const RowLists& lists, const MadeRows& made) {
    arguments_.columns = made.columns.data();
    arguments_.values = made.values.data();
    arguments_.made_starts = made.starts.as<uint64_t>();
    const auto by = [&](const EscKernel& kernel, RowClass first, RowClass last) {
      if (last > made_.last) return;
      list_rows(first, last, lists);
      sort_listed_rows(kernel, /*counted=*/false);
    };
    for (const EscKernel& kernel : {esc_8192, esc_4096, esc_2048, esc_1024, esc_512})
      by(kernel, kernel.row_class, kernel.row_class);
    if (few_made() && made_.last > RowClass::esc_32) {
      by(esc_256, RowClass::esc_128, RowClass::esc_256);
      by(esc_64, RowClass::esc_32, RowClass::esc_64);
    } else {
      for (const EscKernel& kernel : {esc_256, esc_128, esc_64, esc_32})
        by(kernel, kernel.row_class, kernel.row_class);
    }
  }
  /// Then every launch counts.
  bool few_made() const { return made_.products <= few_products(); }
  static bool only_short(const RowLists& lists) { return lists.count(RowClass::esc_64, RowClass::sort) == 0; }
  /// All rows were made at once, and as many lanes for each of them do: in their own order neighbours
  /// complete each other's sectors before these leave the cache.
  bool move_in_order(const RowLists& lists) const {
    return lists.count(RowClass::esc_32, made_.last) > 0 &&
           lists.count(RowClass(uint32_t(made_.last) + 1), RowClass::sort) == 0 &&
           (few_made() || made_.products >= 32 * left_.rows || only_short(lists));
  }
  void move_made_rows(const RowLists& lists, const MadeRows& made, const Csr& t) const {
    if (!made.starts) return;
    const unsigned lanes = only_short(lists) && made_.products < 32 * left_.rows ? 8 : 32;
    if (move_in_order(lists)) return move_rows(made, t, lanes, nullptr, left_.rows, t.offsets.data());
    const auto by = [&](unsigned each, RowClass first, RowClass last) {
      move_rows(made, t, each, lists.of(first), lists.launched(first, last), nullptr);
    };
    if (few_made() && made_.last > RowClass::esc_32) return by(32, RowClass::esc_32, made_.last);
    by(32, RowClass::esc_64, made_.last);
    by(8, RowClass::esc_32, RowClass::esc_32);
  }
  void move_rows(const MadeRows& made, const Csr& t, unsigned lanes, const uint64_t* list, uint64_t count,
                 void* offsets) const {
    if (count == 0) return;
    MxmMoveArguments arguments;
    arguments.list = list;
    arguments.count = count;
    arguments.made_columns = made.columns.data();
    arguments.made_values = made.values.data();
    arguments.made_starts = made.starts.as<uint64_t>();
    arguments.row_starts = arguments_.row_starts;
    arguments.columns = t.column_indices.data();
    arguments.values = t.values.data();
    arguments.offsets = offsets;
    std::string name =
        template_id("mxm_move_rows", {new_column(), formats::element_of_bytes(run_.type().size),
                                      formats::index_type(t.offset_width), std::to_string(lanes)});
    formats::launch_blocks(esc_header, name, formats::blocks_for(count, moved_rows(lanes)), arguments);
  }

  void hash_count(const CountedRows& rows, const RowLists& lists) {
    list_rows(rows.first, rows.last, lists);
    hash_rows(rows.kernel, /*fill=*/false);
  }
  void hash_fill(const HashKernel& kernel, const RowLists& lists) {
    list_rows(kernel.row_class, lists);
    hash_rows(kernel, /*fill=*/true);
  }
  void hash_rows(const HashKernel& kernel, bool fill) const {
    if (arguments_.count == 0) return;
    const std::string lanes = std::to_string(kernel.lanes), slots = std::to_string(kernel.slots);
    std::string name = fill ? template_id("mxm_hash_fill", {product_, mask_, new_column(),
                                                            sizes_.item_id(int(kernel.slots)), lanes, slots})
                            : template_id("mxm_hash_count", {pattern_, mask_, lanes, slots});
    launch(hash_header, std::move(name), formats::blocks_for(arguments_.count, 256 / kernel.lanes), 256,
           sizes_.hash_bytes(kernel, fill), arguments_);
  }

  void merge_rows(const MergeKernel& kernel, const RowLists& lists, bool fill) {
    MxmRowsArguments arguments = arguments_;
    arguments.list = lists.of(kernel.row_class);
    arguments.count = lists.launched(kernel.row_class);
    if (arguments.count == 0) return;
    const std::string ways = std::to_string(kernel.ways);
    std::string name = fill ? template_id("mxm_merge_fill", {product_, mask_, new_column(), ways})
                            : template_id("mxm_merge_count", {pattern_, mask_, ways});
    launch(merge_header, std::move(name), formats::blocks_for(arguments.count), 256, 0, arguments);
  }

  void ranks_rows(const RanksKernel& for_class, const RowLists& lists, bool fill) {
    MxmRowsArguments arguments = arguments_;
    arguments.list = lists.of(for_class.row_class);
    arguments.count = lists.launched(for_class.row_class);
    if (arguments.count == 0) return;
    arguments.first_slot = unsigned(lists.before(for_class.row_class) - lists.before(RowClass::ranks_32));
    const RanksKernel& kernel = widest_resident(for_class, arguments.count);
    arguments.value_capacity = sizes_.ranks_sums(kernel);
    const std::string threads = std::to_string(kernel.threads),
                      each = std::to_string(right_entries_at_once());
    std::string name = fill ? template_id("mxm_ranks_fill", {product_, mask_, new_column(), threads, each})
                            : template_id("mxm_ranks_count", {pattern_, mask_, threads, each});
    launch(ranks_header, std::move(name), arguments.count, unsigned(kernel.threads),
           sizes_.ranks_bytes(kernel, words_by_ranks(), fill), arguments);
  }
  /// Words of the widest row by ranks.
  uint64_t words_by_ranks() const { return profile_.windows ? profile_.totals.widest : sizes_.words(); }
  /// The one of most threads of which so many blocks are resident at once: each waits for its own loads.
  static const RanksKernel& widest_resident(const RanksKernel& least, uint64_t blocks) {
    const uint64_t threads = 2048 * uint64_t(runtime::device().properties().multiprocessors);
    for (const RanksKernel* kernel : {&ranks_512, &ranks_128})
      if (kernel->threads > least.threads && blocks * uint64_t(kernel->threads) <= threads) return *kernel;
    return least;
  }
  /// Right entries that a lane has under way: about as many as a left entry meets in the mean. None, and
  /// products are dealt out, where these are few, or heavy rows are met much more often than others: then
  /// most are few.
  int right_entries_at_once() const {
    const double met = double(profile_.totals.products) / double(std::max<uint64_t>(left_.entries, 1));
    const double of_all = double(right_.entries) / double(std::max<uint64_t>(right_.rows, 1));
    return met < 24 || met > 8 * of_all ? 0 : met <= 32 ? 1 : met < 64 ? 2 : 4;
  }

  /// The windows of the rows of class bitmap.
  BitmapItems list_items(const RowLists& lists) {
    BitmapItems items;
    list_rows(RowClass::bitmap, lists);
    if (arguments_.count == 0) return items;
    items.count = arguments_.count;
    if (!one_item_each()) cut_into_items(items);
    keep_bits(lists, items);
    return items;
  }
  /// window_of_row: no row is heavy enough for narrower windows.
  bool one_item_each() const {
    return limits_.windows == 1 &&
           (sizes_.window <= 8192 || profile_.totals.heaviest <= 8 * arguments_.value_capacity);
  }
  void cut_into_items(BitmapItems& items) {
    items.starts = Buffer((arguments_.count + 1) * sizeof(uint64_t));
    arguments_.item_starts = items.starts.as<uint64_t>();
    launch(bitmap_header, template_id("mxm_bitmap_items", {"uint64_t"}),
           formats::blocks_for(arguments_.count), 256, 0, arguments_);
    primitives::exclusive_sum(Width::bits64, items.starts.data(), items.starts.data(), arguments_.count);
    items.count = items.starts.read<uint64_t>(arguments_.count);
    items.rows = item_owners(items.starts, arguments_.count, items.count);
    arguments_.item_rows = items.rows.as<uint64_t>();
    items.entries = Buffer((items.count + 1) * sizeof(uint64_t));
    arguments_.item_entries = items.entries.as<uint64_t>();
  }
  /// So few columns that each has a sum of its own.
  bool is_narrow() const { return right_.columns <= arguments_.value_capacity; }
  /// Of rows that take longer to be marked again than their bits to be copied.
  void keep_bits(const RowLists& lists, BitmapItems& items) {
    if (is_narrow()) return;
    const uint64_t bytes = sizes_.window / 8;
    const uint64_t rows = lists.count_bitmap_from(bytes * limits_.windows / kept_bytes_a_product);
    arguments_.kept_items = std::min({rows * limits_.windows, items.count, kept_bytes() / bytes});
    items.bits = Buffer(arguments_.kept_items * bytes);
    arguments_.item_bits = items.bits.as<uint32_t>();
  }
  static uint64_t kept_bytes() { return std::min<uint64_t>(most_kept_bytes, usable_bytes() / 16); }

  KeptRows keep_row_bits(const RowLists& lists) {
    const uint64_t rows = lists.count(RowClass::ranks_32, RowClass::ranks_512);
    const uint64_t bytes = rows * words_by_ranks() * sizeof(uint32_t);
    KeptRows kept;
    if (rows == 0 || bytes > kept_bytes() || rows >= (uint64_t(1) << 32)) return kept;
    kept.bits = Buffer(bytes);
    kept.slots = Buffer(left_.rows * sizeof(uint32_t));
    arguments_.row_bits = kept.bits.as<uint32_t>();
    arguments_.kept_words = uint32_t(words_by_ranks());
    arguments_.row_slots = kept.slots.as<uint32_t>();
    return kept;
  }

  void count_by_bitmap(const RowLists& lists, const BitmapItems& items) {
    if (items.count == 0) return;
    list_rows(RowClass::bitmap, lists);
    launch(bitmap_header, template_id("mxm_bitmap_count", {pattern_, mask_}), items.count, bitmap_threads,
           sizes_.bitmap_bytes(false), arguments_);
  }

  void fill_by_bitmap(const RowLists& lists, const BitmapItems& items) {
    if (items.count == 0) return;
    list_rows(RowClass::bitmap, lists);
    const bool narrow = is_narrow();
    const uint64_t widest = std::min(sizes_.window, right_.columns);
    // Where the device is full by itself, blocks of single passes would only have their bits ranked again.
    const bool fills = arguments_.kept_items >= formats::resident_blocks();
    arguments_.passes =
        narrow || fills ? 1 : unsigned(formats::blocks_for(widest, arguments_.value_capacity));
    launch(narrow ? narrow_header : bitmap_header,
           template_id(narrow ? "mxm_narrow_fill" : "mxm_bitmap_fill", {product_, mask_, new_column()}),
           items.count + arguments_.kept_items * (arguments_.passes - 1), bitmap_threads,
           sizes_.bitmap_bytes(true), arguments_);
  }

  void store_offsets(const Csr& t) const {
    MxmRowsArguments arguments = arguments_;
    arguments.columns = t.offsets.data();
    launch(rows_header, template_id("mxm_offsets", {formats::index_type(t.offset_width)}),
           formats::blocks_for(t.rows + 1), 256, 0, arguments);
  }

  std::string new_column() const { return formats::index_type(column_width_); }

  const MatrixMatrixRun& run_;
  const RowProfile& profile_;
  Buffer counters_;
  const Csr& left_;
  const Csr& right_;
  std::string product_, pattern_, mask_;
  Width column_width_;
  RowSizes sizes_;
  RowLimits limits_;
  MadeAtOnce made_;
  MxmRowsArguments arguments_;
};

}  // namespace

Csr room_for_rows(const MatrixMatrixRun& run, uint64_t entries, Width offset_width) {
  Csr t;
  t.type = run.type();
  t.rows = run.left().rows;
  t.columns = run.right().columns;
  t.entries = entries;
  t.offset_width = offset_width;
  t.column_width = formats::index_width(t.columns);
  t.offsets = Buffer((t.rows + 1) * formats::bytes_of(t.offset_width));
  t.column_indices = Buffer(entries * formats::bytes_of(t.column_width));
  t.values = Buffer(entries * t.type.size);
  return t;
}

void give_back_room(Csr& t) {
  t.column_indices = t.column_indices.first_bytes(t.entries * formats::bytes_of(t.column_width));
  t.values = t.values.first_bytes(t.entries * t.type.size);
}

Csr multiply_rows(const MatrixMatrixRun& run, RowProfile& profile, bool all_by_sort) {
  return RowsRun(run, profile, all_by_sort).run();
}

namespace {

Csr make_rows(Ways& ways) {
  if (!ways.bounded && !ways.profile.products) ways.look_at_rows(RowsCounted::where_it_matters);
  return ways.bounded ? multiply_bounded(ways.rows, *ways.bounded)
                      : multiply_rows(ways.rows, ways.profile, /*all_by_sort=*/false);
}

void describe_rows(const Ways& ways, const Hardware&, MxmProblem& p) {
  p.rows_by_hash = {rows_refusal(ways.rows), transposed_entries(ways.rows, Way::rows)};
  if (ways.bounded) {
    p.bounded = ways.bounded->merged ? selector::BoundedUse::merged : selector::BoundedUse::sorted;
    p.bounded_products = ways.bounded->most_products();
    p.bounded_room = double(ways.bounded->room);
  }
  p.has_windows = bool(ways.profile.windows);
  p.made_at_once =
      ways.profile.products ? double(made_at_once(ways.rows, ways.profile).products) : p.weights.of_short;
}

}  // namespace

const MxmKernel mxm_rows = {{"mxm_rows"},
                            {.cost = cost_of_rows,
                             .run = [](Ways& ways, bool) -> OrientedCsr {
                               return {make_rows(ways), ways.rows.flipped};
                             },
                             .known = &MxmProblem::rows_by_hash,
                             .describe = describe_rows}};

}  // namespace cugrb::operations
