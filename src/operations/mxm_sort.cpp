// Rows of T by expansion, sorting and compression.
#include <bit>

#include "src/formats/element_kernels.h"
#include "src/operations/mxm_rows.h"
#include "src/operations/template_id.h"
#include "src/support/settings.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Width;
using runtime::Buffer;

namespace {

constexpr char header[] = "mxm_sort.h";
constexpr uint64_t tile = 1024;  // mxm_sort_tile

/// Products that one slice may have: keys and payload, twice, the sort's own workspace, flags and positions.
uint64_t most_products(size_t value_size) {
  const size_t per_product = 64 + (value_size > 8 ? value_size : 0);
  size_t bytes = runtime::device().memory().free_bytes / 2;
  if (settings().memory_limit_bytes > 0) bytes = std::min<size_t>(bytes, settings().memory_limit_bytes / 2);
  return std::max<uint64_t>(bytes / per_product, 1);
}

class Slice {
 public:
  Slice(const MatrixMatrixRun& run, const Csr& left, const Csr& right, const uint64_t* products,
        const uint64_t* list, uint64_t count, uint64_t total)
      : run_(run), product_(run.product_id(left, right)), preamble_(run.preamble()) {
    arguments_.left = left.view();
    arguments_.right = right.view();
    arguments_.products = products;
    arguments_.list = list;
    arguments_.count = count;
    arguments_.total = total;
    arguments_.column_bits = unsigned(std::bit_width(right.columns - 1));
    left_id_ = template_id("csr_rows", {formats::index_type(left.offset_width),
                                        formats::index_type(left.column_width), "values_none"});
  }

  SortedPiece run(uint64_t* row_entries, Width column_width) {
    expand();
    sort();
    return compress(row_entries, column_width);
  }

 private:
  void launch(const std::string& name, uint64_t blocks) {
    formats::launch_blocks(header, name, blocks, arguments_, preamble_);
  }
  void per_element(const std::string& name, uint64_t count) { launch(name, formats::blocks_for(count)); }

  void expand() {
    const uint64_t count = arguments_.count, total = arguments_.total;
    const Buffer entry_starts((count + 1) * 8), list_products(count * 8);
    arguments_.entry_starts = entry_starts.as<uint64_t>();
    arguments_.list_products = list_products.as<uint64_t>();
    per_element(template_id("mxm_sort_rows", {left_id_}), count);
    primitives::exclusive_sum(Width::bits64, entry_starts.data(), entry_starts.data(), count);
    arguments_.entries = entry_starts.read<uint64_t>(count);
    const Buffer product_starts((arguments_.entries + 1) * 8);
    arguments_.product_starts = product_starts.as<uint64_t>();
    launch(template_id("mxm_sort_lengths", {product_}), formats::blocks_for(arguments_.entries, tile));
    primitives::exclusive_sum(Width::bits64, product_starts.data(), product_starts.data(),
                              arguments_.entries);
    keys_ = Buffer(total * 8);
    payload_ = Buffer(total * 8);
    if (run_.type().size > 8) terms_ = Buffer(total * run_.type().size);
    use_products();
    launch(template_id("mxm_sort_expand", {product_}), formats::blocks_for(total, tile));
  }

  void use_products() {
    arguments_.keys = keys_.as<uint64_t>();
    arguments_.payload = payload_.as<uint64_t>();
    arguments_.terms = terms_.data();
  }

  void sort() {
    const uint64_t total = arguments_.total;
    const Buffer sorted_keys(total * 8), sorted_payload(total * 8);
    const unsigned row_bits = unsigned(std::bit_width(arguments_.count - 1));
    primitives::sort_pairs(Width::bits64, keys_.data(), sorted_keys.data(), payload_.as<uint64_t>(),
                           sorted_payload.as<uint64_t>(), total,
                           std::max(1u, std::min(64u, arguments_.column_bits + row_bits)));
    keys_ = sorted_keys;
    payload_ = sorted_payload;
    use_products();
  }

  SortedPiece compress(uint64_t* row_entries, Width column_width) {
    const uint64_t total = arguments_.total, count = arguments_.count;
    const Buffer heads(total), positions(total * 8), kept(8);
    arguments_.heads = heads.as<uint8_t>();
    per_element(template_id("mxm_sort_heads", {"uint64_t"}), total);
    primitives::positions_of_flags(Width::bits64, heads.as<uint8_t>(), total, positions.data(),
                                   kept.as<uint64_t>());
    SortedPiece piece;
    piece.list = arguments_.list;
    piece.count = count;
    piece.entries = kept.read<uint64_t>();
    piece.starts = Buffer((count + 1) * 8);
    piece.columns = Buffer(piece.entries * formats::bytes_of(column_width));
    piece.values = Buffer(piece.entries * run_.type().size);
    arguments_.head_positions = positions.as<uint64_t>();
    arguments_.kept = piece.entries;
    arguments_.row_entries = row_entries;
    arguments_.piece_starts = piece.starts.as<uint64_t>();
    arguments_.piece_columns = piece.columns.data();
    arguments_.piece_values = piece.values.data();
    per_element(template_id("mxm_sort_piece_rows", {"uint64_t"}), count + 1);
    per_element(template_id("mxm_sort_row_entries", {"uint64_t"}), count);
    per_element(
        template_id("mxm_sort_reduce", {run_.call.semiring.add.source, formats::index_type(column_width)}),
        piece.entries * 8);
    return piece;
  }

  const MatrixMatrixRun& run_;
  std::string product_, preamble_, left_id_;
  Buffer keys_, payload_, terms_;
  MxmSortArguments arguments_;
};

std::vector<uint64_t> products_of(const Csr& left, const Buffer& products, const uint64_t* list,
                                  uint64_t count) {
  const Buffer lengths((count + 1) * 8), in_order(count * 8);
  MxmSortArguments arguments;
  arguments.left = left.view();
  arguments.products = products.as<uint64_t>();
  arguments.list = list;
  arguments.count = count;
  arguments.entry_starts = lengths.as<uint64_t>();
  arguments.list_products = in_order.as<uint64_t>();
  const std::string left_id = template_id(
      "csr_rows",
      {formats::index_type(left.offset_width), formats::index_type(left.column_width), "values_none"});
  formats::launch_blocks(header, template_id("mxm_sort_rows", {left_id}), formats::blocks_for(count),
                         arguments);
  return in_order.to_host<uint64_t>(count);
}

}  // namespace

std::vector<SortedPiece> sort_rows(const MatrixMatrixRun& run, const Buffer& products, const uint64_t* list,
                                   uint64_t count, uint64_t* row_entries, Width column_width) {
  std::vector<SortedPiece> pieces;
  if (count == 0) return pieces;
  const Csr& left = run.left();
  const Csr& right = run.right();
  const std::vector<uint64_t> weights = products_of(left, products, list, count);
  const unsigned column_bits = unsigned(std::bit_width(right.columns - 1));
  const uint64_t most_rows = column_bits >= 64  ? 1
                             : column_bits <= 1 ? ~uint64_t(0)
                                                : uint64_t(1) << (64 - column_bits);
  const uint64_t most = most_products(run.type().size);
  for (uint64_t first = 0; first < count;) {
    uint64_t last = first, total = 0;
    while (last < count && last - first < most_rows && (last == first || total + weights[last] <= most)) {
      total += weights[last++];
    }
    Slice slice(run, left, right, products.as<uint64_t>(), list + first, last - first, total);
    pieces.push_back(slice.run(row_entries, column_width));
    first = last;
  }
  return pieces;
}

void store_piece(const SortedPiece& piece, const Csr& t, const uint64_t* row_starts) {
  MxmSortArguments arguments;
  arguments.list = piece.list;
  arguments.count = piece.count;
  arguments.kept = piece.entries;
  arguments.piece_starts = piece.starts.as<uint64_t>();
  arguments.piece_columns = piece.columns.data();
  arguments.piece_values = piece.values.data();
  arguments.row_starts = row_starts;
  arguments.columns = t.column_indices.data();
  arguments.values = t.values.data();
  const std::string element = formats::element_of_bytes(t.type.size);
  formats::launch_blocks(header,
                         template_id("mxm_sort_store", {formats::index_type(t.column_width), element}),
                         formats::blocks_for(piece.entries, tile), arguments);
}

}  // namespace cugrb::operations
