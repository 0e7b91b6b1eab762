#include "src/formats/row_parts.h"

#include <algorithm>
#include <optional>

#include "cuda/views/matrix_parts.h"
#include "cuda/views/row_parts.h"
#include "src/formats/block_locality.h"
#include "src/formats/element_kernels.h"
#include "src/formats/host_copy.h"
#include "src/support/number_text.h"

namespace cugrb::formats {

using runtime::Buffer;

namespace {

constexpr char row_parts_header[] = "row_parts.h";

std::string rows_id(const Csr& matrix) {
  return std::string("csr_rows<") + index_type(matrix.offset_width) + ", " + index_type(matrix.column_width) +
         ", values_none>";
}

/// Blocks of rows, from the one with most entries to the one with fewest.
struct SortedBlocks {
  uint64_t block_rows = 1, count = 0;
  Buffer keys, order;  ///< complements of the blocks' entries; their numbers
};

RowPartsDealArguments deal_arguments(const Csr& matrix, uint64_t block_rows) {
  RowPartsDealArguments arguments;
  arguments.matrix = matrix.view();
  arguments.block_rows = block_rows;
  arguments.blocks = blocks_for(matrix.rows, block_rows);
  return arguments;
}

SortedBlocks sort_blocks(const Csr& matrix, uint64_t block_rows) {
  RowPartsDealArguments arguments = deal_arguments(matrix, block_rows);
  const uint64_t blocks = arguments.blocks;
  const Buffer keys(blocks * 8), ordinals(blocks * 8);
  SortedBlocks sorted{block_rows, blocks, Buffer(blocks * 8), Buffer(blocks * 8)};
  arguments.keys = keys.as<uint64_t>();
  arguments.ordinals = ordinals.as<uint64_t>();
  launch_per_element(row_parts_header, "row_parts_keys<" + rows_id(matrix) + ">", blocks, arguments);
  primitives::sort_pairs(Width::bits64, keys.data(), sorted.keys.data(), ordinals.as<uint64_t>(),
                         sorted.order.as<uint64_t>(), blocks);
  return sorted;
}

/// The greatest of what parts have over what they should have.
double worst(const std::vector<uint64_t>& entries, const std::vector<double>& shares) {
  double all = 0, most = 1;
  for (const uint64_t of_part : entries) all += double(of_part);
  for (size_t p = 0; p < entries.size(); ++p) {
    if (shares[p] > 0 && all > 0) most = std::max(most, double(entries[p]) / (all * shares[p]));
  }
  return most;
}

double imbalance_of(const SortedBlocks& blocks, const RowPartTurns& turns,
                    const std::vector<double>& shares) {
  const std::vector<uint64_t> keys = blocks.keys.to_host<uint64_t>(blocks.count);
  std::vector<uint64_t> entries(shares.size(), 0);
  for (uint64_t k = 0; k < keys.size(); ++k) entries[turns.owner(k)] += ~keys[k];
  return worst(entries, shares);
}

constexpr double even_enough = 1.02;

/// A block for each part, if that is a good way to deal.
std::optional<SortedBlocks> one_block_each(const Csr& matrix, const RowDealing& dealing,
                                           const RowPartTurns& turns) {
  const uint64_t parts = dealing.shares.size();
  const bool equal_turns = turns.count == parts;
  if (parts < 2 || !equal_turns || matrix.rows < parts * RowParts::usual_block_rows ||
      !begin_block_sample(matrix, parts).take().is_near_diagonal())
    return std::nullopt;
  const uint64_t block_rows = blocks_for(matrix.rows, parts);
  SortedBlocks blocks = sort_blocks(matrix, block_rows);
  if (imbalance_of(blocks, turns, dealing.shares) > even_enough) return std::nullopt;
  return blocks;
}

/// In blocks where that is possible and parts come out even.
SortedBlocks blocks_to_deal(const Csr& matrix, const RowDealing& dealing, const RowPartTurns& turns) {
  constexpr uint64_t least_rounds = 64;
  if (dealing.block_rows > 0) return sort_blocks(matrix, dealing.block_rows);
  if (std::optional<SortedBlocks> blocks = one_block_each(matrix, dealing, turns)) return *std::move(blocks);
  if (matrix.rows >= RowParts::usual_block_rows * turns.count * least_rounds) {
    SortedBlocks blocks = sort_blocks(matrix, RowParts::usual_block_rows);
    if (imbalance_of(blocks, turns, dealing.shares) <= even_enough) return blocks;
  }
  return sort_blocks(matrix, 1);
}

/// flags[p * rows + i]: part p gets row i.
struct DealtFlags {
  Buffer with_entries, empty;  ///< none of the latter where such rows are nobody's
};

DealtFlags deal(const Csr& matrix, const RowDealing& dealing, const SortedBlocks& blocks,
                const RowPartTurns& turns) {
  const uint64_t bytes = dealing.shares.size() * matrix.rows;
  DealtFlags flags{Buffer::zeroed(bytes), Buffer::zeroed(dealing.deals_empty_rows ? bytes : 0)};
  RowPartsDealArguments arguments = deal_arguments(matrix, blocks.block_rows);
  arguments.turns = turns;
  arguments.order = blocks.order.as<uint64_t>();
  arguments.flags = flags.with_entries.as<uint8_t>();
  arguments.empties = flags.empty.as<uint8_t>();
  launch_per_element(row_parts_header, "row_parts_deal<" + rows_id(matrix) + ">",
                     blocks.count * blocks.block_rows, arguments);
  return flags;
}

/// A part's rows: those with entries, and how many these are; the others behind them.
struct PartRows {
  Buffer list;
  uint64_t with_entries = 0, count = 0;
};

PartRows rows_of_part(const DealtFlags& flags, size_t part, uint64_t rows, Width width) {
  const auto positions = [&](const Buffer& of) {
    return positions_of(of.as<uint8_t>() + part * rows, rows, width);
  };
  const auto [list, count] = positions(flags.with_entries);
  if (!flags.empty) return {list, count, count};
  const auto [empty, empty_count] = positions(flags.empty);
  const Buffer both(list.bytes() + empty.bytes());
  both.copy_bytes(0, list, 0, list.bytes());
  both.copy_bytes(list.bytes(), empty, 0, empty.bytes());
  return {both, count, count + empty_count};
}

/// Columns without entries are left out where they are many; the list of the others, or nothing.
Buffer list_columns(Csr& part) {
  constexpr double many = 0.85;
  RowPartColumnsArguments arguments;
  const Buffer used = Buffer::zeroed(part.columns);
  const auto launch = [&](const char* stem, uint64_t threads) {
    launch_per_element(row_parts_header, stem + ("<" + std::string(index_type(part.column_width)) + ">"),
                       threads, arguments);
  };
  arguments.columns = part.column_indices.data();
  arguments.entries = part.entries;
  arguments.used = used.as<uint8_t>();
  launch("row_part_used", part.entries);
  const auto [list, count] = positions_of(used.as<uint8_t>(), part.columns, part.column_width);
  if (double(count) > many * double(part.columns)) return {};
  const Buffer places(part.columns * bytes_of(part.column_width));
  arguments.list = list.data();
  arguments.count = count;
  arguments.places = places.data();
  launch("row_part_places", count);
  launch("row_part_renumber", part.entries);
  part.columns = count;
  return list;
}

}  // namespace

std::pair<Buffer, uint64_t> positions_of(const uint8_t* flags, uint64_t count, Width width) {
  const Buffer positions(count * bytes_of(width)), counted(8);
  primitives::positions_of_flags(width, flags, count, positions.data(), counted.as<uint64_t>());
  const uint64_t set = counted.read<uint64_t>();
  return {positions.first_bytes(set * bytes_of(width)), set};
}

RowPartTurns turns_of(std::span<const double> shares) {
  RowPartTurns turns;
  const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
  const bool equal = *most - *least < 0.5 / RowPartTurns::most;
  turns.count = equal ? uint32_t(shares.size()) : RowPartTurns::most;
  std::vector<double> due(shares.size(), 0);
  for (uint32_t turn = 0; turn < turns.count; ++turn) {
    for (size_t p = 0; p < shares.size(); ++p) due[p] += equal ? 1 / double(shares.size()) : shares[p];
    const auto next = std::max_element(due.begin(), due.end());  // the first of several
    *next -= 1;
    turns.owners[turn] = uint8_t(next - due.begin());
  }
  return turns;
}

Csr rows_listed(const Csr& from, const Buffer& list, uint64_t count, Width row_width) {
  SparseShape shape = from;
  shape.rows = count;
  Csr part(shape, from.offset_width);
  part.offsets = Buffer((count + 1) * bytes_of(part.offset_width));
  const Buffer begins(count * bytes_of(part.offset_width));
  RowPartLengthsArguments lengths;
  lengths.from = from.view();
  lengths.list = list.data();
  lengths.count = count;
  lengths.offsets = part.offsets.data();
  lengths.begins = begins.data();
  launch_per_element(row_parts_header,
                     "row_part_lengths<" + rows_id(from) + ", " + index_type(row_width) + ">", count,
                     lengths);
  primitives::exclusive_sum(part.offset_width, part.offsets.data(), part.offsets.data(), count);
  part.entries = index_at(part.offsets, part.offset_width, count);
  part.iso = from.iso && part.entries > 0;
  part.column_indices = Buffer(part.entries * bytes_of(part.column_width));
  part.values = part.iso ? from.values : Buffer(part.entries * part.type.size);
  MatrixPartArguments entries;
  entries.from = from.view();
  entries.rows = count;
  entries.columns = from.columns;
  entries.offsets = part.offsets.data();
  entries.begins = begins.data();
  entries.entries = part.entries;
  entries.out_columns = part.column_indices.data();
  entries.out_values = part.values.data();
  launch_blocks("matrix_parts.h",
                "part_entries<" + rows_id(from) + ", " + index_type(part.offset_width) + ", " +
                    index_type(part.column_width) + ", " +
                    (part.iso ? "void" : element_of_bytes(part.type.size)) + ">",
                move_blocks(part.entries), entries);
  return part;
}

Csr moved(Csr matrix, runtime::Device& device) {
  if (&device == &matrix.offsets.device()) return matrix;
  matrix.offsets = matrix.offsets.copy_on(device);
  matrix.column_indices = matrix.column_indices.copy_on(device);
  matrix.values = matrix.values.copy_on(device);
  return matrix;
}

uint64_t RowParts::rows() const {
  uint64_t sum = 0;
  for (const RowPart& part : parts) sum += part.with_entries;
  return sum;
}

uint64_t RowParts::entries() const {
  uint64_t sum = 0;
  for (const RowPart& part : parts) sum += part.matrix.nvals();
  return sum;
}

double RowParts::imbalance() const {
  std::vector<uint64_t> of_parts;
  for (const RowPart& part : parts) of_parts.push_back(part.matrix.nvals());
  return worst(of_parts, shares);
}

size_t RowParts::bytes() const {
  size_t sum = 0;
  for (const RowPart& part : parts) sum += part.matrix.bytes() + part.rows.bytes() + part.columns.bytes();
  return sum;
}

std::string RowParts::text() const {
  const std::string dealt =
      block_rows == 1 ? "single rows" : "blocks of " + std::to_string(block_rows) + " rows";
  return dealt + ", imbalance " + fixed_text(imbalance(), 3);
}

namespace {

std::shared_ptr<const Split> split_of(const RowParts& dealt, const Csr& matrix) {
  auto split = std::make_shared<Split>();
  split->length = matrix.rows;
  split->width = dealt.row_width;
  split->home = &matrix.offsets.device();
  for (const RowPart& part : dealt.parts) split->parts.push_back({part.device, part.rows, part.matrix.rows});
  return split;
}

/// What goes to each part, and how it was dealt.
struct Dealt {
  std::vector<PartRows> rows;
  uint64_t block_rows = 1;
};

Dealt dealt_by_length(const Csr& matrix, size_t parts, const RowDealing& dealing, Width width) {
  const RowPartTurns turns = turns_of(dealing.shares);
  const SortedBlocks blocks = blocks_to_deal(matrix, dealing, turns);
  const DealtFlags flags = deal(matrix, dealing, blocks, turns);
  Dealt dealt{{}, blocks.block_rows};
  for (size_t p = 0; p < parts; ++p) dealt.rows.push_back(rows_of_part(flags, p, matrix.rows, width));
  return dealt;
}

RowParts parts_of(const Csr& matrix, std::span<runtime::Device* const> devices, const RowDealing& dealing,
                  const Dealt& dealt) {
  RowParts made;
  made.shares = dealing.shares;
  made.block_rows = dealt.block_rows;
  made.row_width = index_width(matrix.rows);
  made.column_width = matrix.column_width;
  for (size_t p = 0; p < devices.size(); ++p) {
    const PartRows& own = dealt.rows[p];
    Csr rows = rows_listed(matrix, own.list, own.count, made.row_width);
    const uint64_t with_entries = rows.entries == 0 ? 0 : own.with_entries;
    const bool away = devices[p] != &matrix.offsets.device();
    const bool lists = dealing.lists_columns && (away || dealing.lists_home_columns);
    const Buffer columns = lists ? list_columns(rows) : Buffer();
    made.parts.push_back(
        {devices[p], matrix_by(moved(std::move(rows), *devices[p]), false), own.list, with_entries, columns});
    made.parts.back().matrix.expect_uses(false, RowParts::expected_uses);
  }
  return made;
}

/// By a split that is there; nothing where some device would have much more than its share.
std::optional<RowParts> parts_as(const Csr& matrix, std::span<runtime::Device* const> devices,
                                 const RowDealing& dealing) {
  constexpr double even_enough = 1.05;
  const Split& split = *dealing.as;
  if (split.length != matrix.rows || split.parts.size() != devices.size()) return std::nullopt;
  Dealt dealt;
  for (const Split::Part& part : split.parts) dealt.rows.push_back({part.positions, part.count, part.count});
  RowParts made = parts_of(matrix, devices, dealing, dealt);
  if (made.imbalance() > even_enough) return std::nullopt;
  made.split = dealing.as;
  made.in_order_of_split = true;
  return made;
}

}  // namespace

RowParts make_row_parts(const Csr& matrix, std::span<runtime::Device* const> devices,
                        const RowDealing& dealing) {
  if (dealing.as != nullptr) {
    if (std::optional<RowParts> made = parts_as(matrix, devices, dealing)) return *std::move(made);
  }
  RowParts made = parts_of(matrix, devices, dealing,
                           dealt_by_length(matrix, devices.size(), dealing, index_width(matrix.rows)));
  if (dealing.deals_empty_rows) made.split = split_of(made, matrix);
  return made;
}

const RowParts& rows_with_all_columns(const DeviceMatrix& matrix, bool transposed,
                                      std::span<runtime::Device* const> devices,
                                      const std::vector<double>& shares) {
  return matrix.derived(transposed, RowParts::Key{false}, [&](const Csr& rows) {
    return make_row_parts(rows, devices, {shares, 1, false, nullptr, true});
  });
}

namespace {

/// The columns of a part's entries, by their numbers in the whole.
std::vector<uint64_t> columns_in_whole(const RowPart& part) {
  const Csr& rows = part.matrix.stored;
  std::vector<uint64_t> columns = widened(rows.column_indices, rows.column_width, rows.entries);
  if (!part.columns) return columns;
  const std::vector<uint64_t> list = widened(part.columns, rows.column_width, rows.columns);
  for (uint64_t& column : columns) column = list[column];
  return columns;
}

/// A part's rows against those of the whole; notes in `seen` which there are.
std::string check_part(const RowPart& part, const RowParts& parts, const Csr& matrix,
                       const std::vector<uint64_t>& offsets, const std::vector<uint64_t>& columns,
                       std::vector<uint8_t>& seen) {
  const Csr& rows = part.matrix.stored;
  if (std::string wrong = check(rows); !wrong.empty()) return wrong;
  const std::vector<uint64_t> part_offsets = widened(rows.offsets, rows.offset_width, rows.rows + 1),
                              part_columns = columns_in_whole(part),
                              numbers = widened(part.rows, parts.row_width, rows.rows);
  for (uint64_t n = 0; n < numbers.size(); ++n) {
    const std::string place = "row " + std::to_string(n) + " of a part";
    const uint64_t i = numbers[n];
    if (i >= matrix.rows || seen[i]++ > 0) return place + ": its number is wrong or taken";
    if (n >= part.with_entries && offsets[i + 1] > offsets[i])
      return place + " is among those without entries";
    const bool ascends = n == 0 || n == part.with_entries || i > numbers[n - 1];
    if (!parts.in_order_of_split && !ascends) return place + ": its number does not ascend";
    const auto begin = columns.begin() + ptrdiff_t(offsets[i]);
    if (part_offsets[n + 1] - part_offsets[n] != offsets[i + 1] - offsets[i] ||
        !std::equal(begin, columns.begin() + ptrdiff_t(offsets[i + 1]),
                    part_columns.begin() + ptrdiff_t(part_offsets[n])))
      return place + " is not row " + std::to_string(i);
  }
  return {};
}

}  // namespace

std::string check(const RowParts& parts, const Csr& matrix) {
  const std::vector<uint64_t> offsets = widened(matrix.offsets, matrix.offset_width, matrix.rows + 1),
                              columns = widened(matrix.column_indices, matrix.column_width, matrix.entries);
  std::vector<uint8_t> seen(matrix.rows);
  for (const RowPart& part : parts.parts) {
    if (std::string wrong = check_part(part, parts, matrix, offsets, columns, seen); !wrong.empty())
      return wrong;
  }
  for (uint64_t i = 0; i < matrix.rows; ++i) {
    const bool has_entries = offsets[i + 1] > offsets[i];
    if ((has_entries || parts.split != nullptr) != (seen[i] > 0))
      return "row " + std::to_string(i) +
             (has_entries ? " is in no part" : " has no entries, and is in a part");
  }
  return parts.split == nullptr ? "" : check(*parts.split);
}

}  // namespace cugrb::formats
