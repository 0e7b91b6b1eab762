#include "src/operations/mxm_rows.h"

#include <algorithm>
#include <bit>

#include "src/formats/launch.h"
#include "src/operations/template_id.h"
#include "src/support/settings.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Width;
using runtime::Buffer;

bool RowLists::one_light_class() const {
  const RowClass light[] = {RowClass::esc_32,  RowClass::esc_64, RowClass::esc_128, RowClass::esc_256,
                            RowClass::esc_512, RowClass::hash_8, RowClass::hash_16, RowClass::hash_32};
  const RowClass others[] = {RowClass::esc_2048, RowClass::hash_256, RowClass::bitmap, RowClass::sort};
  const auto has_rows = [&](RowClass row_class) { return count(row_class) > 0; };
  return std::none_of(std::begin(others), std::end(others), has_rows) &&
         std::count_if(std::begin(light), std::end(light), has_rows) <= 1;
}

const uint64_t* RowLists::of(RowClass row_class) const {
  if (!rows) return nullptr;
  uint64_t before = 0;
  for (size_t n = 0; n < size_t(row_class); ++n) before += counts[n];
  return rows.as<uint64_t>() + before;
}

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

constexpr char profile_header[] = "mxm_rows.h", esc_header[] = "mxm_esc.h", hash_header[] = "mxm_hash.h",
               bitmap_header[] = "mxm_bitmap.h";

/// The kernels that take the rows of one class by expansion, sorting and compression.
struct EscKernel {
  RowClass row_class;
  int lanes, each;  ///< items that a lane holds
  int products() const { return lanes * each; }
};
constexpr EscKernel esc_32{RowClass::esc_32, 8, 4}, esc_64{RowClass::esc_64, 16, 4},
    esc_128{RowClass::esc_128, 32, 4}, esc_256{RowClass::esc_256, 32, 8}, esc_512{RowClass::esc_512, 32, 16},
    esc_2048{RowClass::esc_2048, 256, 8};

/// The same by hashing.
struct HashKernel {
  RowClass row_class;
  int lanes;
  unsigned slots;
};

/// Sizes that depend on the device's shared memory.
struct Sizes {
  HashKernel hash_8{RowClass::hash_8, 8, 64}, hash_16{RowClass::hash_16, 16, 128},
      hash_32{RowClass::hash_32, 32, 512}, hash_256{RowClass::hash_256, 256, 4096};
  HashKernel count_512{RowClass::esc_512, 32, 1024};  ///< counts only
  size_t value_bytes = 54 * 1024;  ///< of sums in mxm_bitmap_fill, less where three blocks would not fit
  uint64_t window = uint64_t(1) << 18;
};

class RowsRun {
 public:
  explicit RowsRun(const MatrixMatrixRun& run, bool all_by_sort)
      : run_(run),
        left_(run.left()),
        right_(run.right()),
        value_size_(run.type().size),
        column_bytes_(formats::bytes_of(right_.column_width)),
        product_(run.product_id(left_, right_)),
        pattern_(run.pattern_id(left_, right_)),
        mask_(run.mask.mask_id(run.flipped)),
        column_width_(formats::index_width(right_.columns)) {
    fit_shared_memory();
    limits_.counted_512 = hash_bytes(sizes_.count_512, false) <= shared_bytes() ? 512 : 0;
    limits_.hash_8 = sizes_.hash_8.slots / 2;
    limits_.hash_16 = sizes_.hash_16.slots / 2;
    limits_.hash_32 = sizes_.hash_32.slots / 2;
    limits_.hash_256 = sizes_.hash_256.slots / 2;
    limits_.esc_512 = column_bytes_ < 8 && esc_bytes(esc_512, true) <= shared_bytes() ? 512 : 0;
    limits_.esc_2048 = esc_bytes(esc_2048, true) <= shared_bytes() ? uint64_t(esc_2048.products()) : 0;
    limits_.windows = (right_.columns + sizes_.window - 1) / sizes_.window;
    limits_.all_by_sort = all_by_sort;
    arguments_.left = left_.view();
    arguments_.right = right_.view();
    arguments_.mask = run.mask.mask_view(run.flipped);
    arguments_.window = sizes_.window;
    arguments_.value_capacity = sizes_.value_bytes / value_size_;
  }

  /// T's entries, without making them.
  uint64_t count(const Buffer& products) { return count_entries(products, /*keep=*/false).total; }

  Csr run(const Buffer& products) {
    const Counted counted = count_entries(products, /*keep=*/true);
    arguments_.row_starts = counted.starts.as<uint64_t>();
    const bool same = counted.lists.count(RowClass::hash_32) + counted.lists.count(RowClass::esc_512) +
                          counted.lists.count(RowClass::hash_256) ==
                      0;
    const RowLists filled = same ? counted.lists : classify(products, counted.columns.as<uint64_t>());
    const Csr t = allocate(counted.total);
    arguments_.columns = t.column_indices.data();
    arguments_.values = t.values.data();
    fill_by_bitmap(counted.lists, counted.items);  // the heaviest rows first
    esc_rows(esc_2048, filled, /*fill=*/true);
    for (const HashKernel& kernel : {sizes_.hash_256, sizes_.hash_32, sizes_.hash_16, sizes_.hash_8})
      hash_rows(kernel, filled, /*fill=*/true);
    for (const EscKernel& kernel : {esc_512, esc_256, esc_128, esc_64, esc_32})
      esc_rows(kernel, filled, /*fill=*/true);
    for (const SortedPiece& piece : counted.pieces) store_piece(piece, t, counted.starts.as<uint64_t>());
    return t;
  }

 private:
  struct BitmapItems {
    uint64_t count = 0;
    Buffer starts, rows, entries;
  };
  /// What the first phase leaves to the second.
  struct Counted {
    RowLists lists;
    BitmapItems items;
    std::vector<SortedPiece> pieces;
    Buffer entries, starts;  ///< of each row; rows + 1
    Buffer columns;          ///< what each row needs room for in a table: also what the mask forbids
    uint64_t total = 0;
  };

  /// `keep`: rows made by sorting stay; else they are only counted.
  Counted count_entries(const Buffer& products, bool keep) {
    Counted counted;
    counted.lists = classify(products, nullptr);
    counted.entries = Buffer::zeroed(left_.rows * sizeof(uint64_t));
    arguments_.products = products.as<uint64_t>();
    arguments_.row_entries = counted.entries.as<uint64_t>();
    counted.columns =
        run_.mask.matrix == nullptr ? counted.entries : Buffer::zeroed(left_.rows * sizeof(uint64_t));
    arguments_.row_columns = counted.columns.as<uint64_t>();
    for (const HashKernel& kernel : {sizes_.hash_256, sizes_.count_512, sizes_.hash_32})
      hash_rows(kernel, counted.lists, /*fill=*/false);
    for (const EscKernel& kernel : {esc_64, esc_32}) esc_rows(kernel, counted.lists, /*fill=*/false);
    counted.items = count_by_bitmap(counted.lists);
    counted.pieces =
        sort_rows(run_, products, counted.lists.of(RowClass::sort), counted.lists.count(RowClass::sort),
                  counted.entries.as<uint64_t>(), column_width_, keep);
    counted.starts = Buffer((left_.rows + 1) * sizeof(uint64_t));
    primitives::exclusive_sum(Width::bits64, counted.entries.data(), counted.starts.data(), left_.rows);
    counted.total = counted.starts.read<uint64_t>(left_.rows);
    return counted;
  }

  /// Bits of a product's number among at most so many.
  static int number_bits(int products) { return std::countr_zero(unsigned(products)); }
  /// Whether a column and one of so many numbers fit 32 bits.
  bool is_narrow(int numbers) const {
    return column_bytes_ == 4 && right_.columns <= uint64_t(1) << (32 - number_bits(numbers));
  }
  /// An item of cuda/kernels/sort_items.h for the columns and so many numbers: its type, its bytes.
  std::string item_id(int numbers) const {
    if (column_bytes_ == 8) return "wide_item";
    return is_narrow(numbers) ? template_id("packed_item", {"uint32_t", std::to_string(number_bits(numbers))})
                              : template_id("packed_item", {"uint64_t", "32"});
  }
  size_t item_bytes(int numbers) const { return column_bytes_ == 8 ? 16 : is_narrow(numbers) ? 4 : 8; }
  static size_t padded(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

  /// esc_row of cuda/kernels/mxm_esc.h for each row.
  size_t esc_bytes(const EscKernel& kernel, bool fill) const {
    const size_t item = item_bytes(kernel.products());
    const size_t items = item * size_t(kernel.products() + (kernel.lanes >= 32 ? 32 : 0));
    const size_t terms = fill ? size_t(kernel.products()) * value_size_ : 0;
    return 256 / kernel.lanes * padded(items + terms, 16);
  }
  /// hash_fill_ranks, hash_fill_sorted of cuda/kernels/mxm_hash.h, or the table alone.
  size_t hash_bytes(const HashKernel& kernel, bool fill) const {
    const size_t table = kernel.slots * column_bytes_;
    if (!fill) return 256 / kernel.lanes * table;
    const size_t entries = kernel.slots / 2, sorted = 256 * (entries <= 1024 ? 4 : 8) + 32;
    const size_t listed =
        kernel.lanes <= 32 ? entries * (column_bytes_ + 2) : sorted * item_bytes(int(kernel.slots));
    return 256 / kernel.lanes * padded(table + kernel.slots * value_size_ + listed, 16);
  }
  size_t bitmap_bytes(bool fill) const {
    const size_t bits = sizes_.window / 8;
    return fill ? sizes_.value_bytes + bits + sizes_.window / 32 + (sizes_.window / 128 + 1) * 4 : bits;
  }
  /// What a block may have beside what the kernels declare themselves.
  static constexpr size_t own_static = 9 * 1024;
  static size_t shared_bytes() { return runtime::device().properties().shared_bytes_per_block - own_static; }
  void fit_shared_memory() {
    const size_t most = shared_bytes();
    sizes_.window = std::min(sizes_.window, std::bit_ceil(std::max<uint64_t>(right_.columns, 128)));
    const size_t third = runtime::device().properties().shared_bytes_per_block / 3 - own_static;
    const size_t bits = bitmap_bytes(true) - sizes_.value_bytes;
    if (third > bits + 8 * 1024)
      sizes_.value_bytes = std::min(sizes_.value_bytes, (third - bits) / 1024 * 1024);
    while (bitmap_bytes(true) > most) {
      sizes_.value_bytes /= 2;
      sizes_.window = std::max<uint64_t>(sizes_.window / 2, 128);
    }
    for (HashKernel* kernel : {&sizes_.hash_8, &sizes_.hash_16, &sizes_.hash_32, &sizes_.hash_256}) {
      while (hash_bytes(*kernel, true) > most) kernel->slots /= 2;
    }
  }

  template <class Arguments>
  void launch(const char* header, const std::string& name, uint64_t blocks, unsigned threads,
              size_t shared_bytes, const Arguments& arguments) const {
    if (blocks == 0) return;
    runtime::LaunchShape shape;
    shape.blocks = blocks;
    shape.threads = threads;
    shape.shared_bytes = shared_bytes;
    runtime::launch(runtime::device(), jit::kernel({header, name, run_.preamble()}), shape, arguments);
  }

  RowLists classify(const Buffer& products, const uint64_t* entries) const {
    const uint64_t rows = left_.rows;
    const Buffer keys(rows * 4), sorted_keys(rows * 4), ordinals(rows * 8);
    const Buffer counts = Buffer::zeroed(row_classes * sizeof(uint64_t));
    RowLists lists;
    MxmProfileArguments arguments;
    arguments.left = left_.view();
    arguments.products = products.as<uint64_t>();
    arguments.entries = entries;
    arguments.limits = limits_;
    arguments.keys = keys.as<uint32_t>();
    arguments.ordinals = ordinals.as<uint64_t>();
    arguments.counts = counts.as<uint64_t>();
    formats::launch_blocks(profile_header, template_id("mxm_row_classes", {"uint64_t"}),
                           formats::blocks_for(rows), arguments);
    const std::vector<uint64_t> host = counts.to_host<uint64_t>(row_classes);
    std::copy(host.begin(), host.end(), lists.counts.begin());
    if (lists.one_light_class()) return lists;
    lists.rows = Buffer(rows * sizeof(uint64_t));
    primitives::sort_pairs(Width::bits32, keys.data(), sorted_keys.data(), ordinals.as<uint64_t>(),
                           lists.rows.as<uint64_t>(), rows, row_key_bits);
    return lists;
  }

  void list_rows(RowClass row_class, const RowLists& lists) {
    arguments_.list = lists.of(row_class);
    arguments_.count = lists.count(row_class);
    if (arguments_.list == nullptr && arguments_.count > 0) arguments_.count = left_.rows;  // empty ones, too
  }
  void esc_rows(const EscKernel& kernel, const RowLists& lists, bool fill) {
    list_rows(kernel.row_class, lists);
    const std::string item = item_id(kernel.products()), lanes = std::to_string(kernel.lanes),
                      each = std::to_string(kernel.each);
    const std::string name =
        fill ? template_id("mxm_esc_fill", {product_, mask_, new_column(), item, lanes, each})
             : template_id("mxm_esc_count", {pattern_, mask_, item, lanes, each});
    launch(esc_header, name, formats::blocks_for(arguments_.count, 256 / kernel.lanes), 256,
           esc_bytes(kernel, fill), arguments_);
  }
  void hash_rows(const HashKernel& kernel, const RowLists& lists, bool fill) {
    list_rows(kernel.row_class, lists);
    const std::string lanes = std::to_string(kernel.lanes), slots = std::to_string(kernel.slots);
    const std::string name = fill ? template_id("mxm_hash_fill", {product_, mask_, new_column(),
                                                                  item_id(int(kernel.slots)), lanes, slots})
                                  : template_id("mxm_hash_count", {pattern_, mask_, lanes, slots});
    launch(hash_header, name, formats::blocks_for(arguments_.count, 256 / kernel.lanes), 256,
           hash_bytes(kernel, fill), arguments_);
  }

  BitmapItems count_by_bitmap(const RowLists& lists) {
    BitmapItems items;
    arguments_.list = lists.of(RowClass::bitmap);
    arguments_.count = lists.count(RowClass::bitmap);
    if (arguments_.count == 0) return items;
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
    launch(bitmap_header, template_id("mxm_bitmap_count", {pattern_, mask_}), items.count, bitmap_threads,
           bitmap_bytes(false), arguments_);
    primitives::exclusive_sum(Width::bits64, items.entries.data(), items.entries.data(), items.count);
    return items;
  }

  void fill_by_bitmap(const RowLists& lists, const BitmapItems& items) {
    arguments_.list = lists.of(RowClass::bitmap);
    arguments_.count = lists.count(RowClass::bitmap);
    launch(bitmap_header, template_id("mxm_bitmap_fill", {product_, mask_, new_column()}), items.count,
           bitmap_threads, bitmap_bytes(true), arguments_);
  }

  Csr allocate(uint64_t entries) {
    Csr t;
    t.type = run_.type();
    t.rows = left_.rows;
    t.columns = right_.columns;
    t.entries = entries;
    t.offset_width = Csr::offset_width_for(entries);
    t.column_width = column_width_;
    t.offsets = Buffer((t.rows + 1) * formats::bytes_of(t.offset_width));
    t.column_indices = Buffer(entries * formats::bytes_of(t.column_width));
    t.values = Buffer(entries * value_size_);
    arguments_.columns = t.offsets.data();
    launch(profile_header, template_id("mxm_offsets", {formats::index_type(t.offset_width)}),
           formats::blocks_for(t.rows + 1), 256, 0, arguments_);
    return t;
  }

  std::string new_column() const { return formats::index_type(column_width_); }

  const MatrixMatrixRun& run_;
  const Csr& left_;
  const Csr& right_;
  size_t value_size_, column_bytes_;
  std::string product_, pattern_, mask_;
  Width column_width_;
  Sizes sizes_;
  RowLimits limits_;
  MxmRowsArguments arguments_;
};

}  // namespace

RowProfile profile_rows(const MatrixMatrixRun& run) {
  const Csr& left = run.left();
  const Csr& right = run.right();
  RowProfile profile;
  profile.products = Buffer(left.rows * sizeof(uint64_t));
  const Buffer totals = Buffer::zeroed(sizeof(RowTotals));
  MxmProfileArguments arguments;
  arguments.left = left.view();
  arguments.right = right.view();
  arguments.products = profile.products.as<uint64_t>();
  arguments.totals = totals.as<RowTotals>();
  const std::string name = template_id("mxm_row_products", {run.pattern_id(left, right)});
  formats::launch_blocks(profile_header, name, formats::blocks_for(left.rows, profiled_rows), arguments);
  profile.totals = totals.read<RowTotals>();
  return profile;
}

Csr multiply_rows(const MatrixMatrixRun& run, const RowProfile& profile, bool all_by_sort) {
  return RowsRun(run, all_by_sort).run(profile.products);
}

uint64_t count_rows(const MatrixMatrixRun& run, const RowProfile& profile, bool all_by_sort) {
  return RowsRun(run, all_by_sort).count(profile.products);
}

}  // namespace cugrb::operations
