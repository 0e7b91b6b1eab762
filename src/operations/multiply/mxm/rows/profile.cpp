#include "src/operations/multiply/mxm/rows/profile.h"

#include <algorithm>

#include "src/formats/element_kernels.h"
#include "src/operations/matrix_compact.h"
#include "src/operations/template_id.h"

namespace cugrb::operations {

using formats::Csr;
using runtime::Buffer;

namespace {

constexpr char row_profile_header[] = "mxm_profile.h";

/// From so many entries a row on, the left factor's rows (a few, then) keep a block each for too long.
constexpr uint64_t long_left_rows = 2048;

/// Rows are sorted and put down without having been counted, and moved, where an entry has at most so many
/// products: then little is put down that is not an entry, and sorting is what would be done anyway. A column
/// and a value for each product are held meanwhile.
constexpr double most_met = 1.35;

/// By the mean lengths.
double expected_products(const Csr& left, const Csr& right) {
  return double(left.entries) * double(right.entries) / double(std::max<uint64_t>(right.rows, 1));
}

/// Rows' windows are looked for, two loads a left entry, where a bitmap of all columns would be too long, and
/// rows have so many left entries and products that hashing or sorting them would not be better anyway.
bool looks_for_windows(const Csr& left, const Csr& right) {
  constexpr uint64_t least_left = 12;
  constexpr uint64_t most_windowed_columns = uint64_t(31) << 32;  // a window's words have 32 bits
  const double products = expected_products(left, right);
  return left.entries >= least_left * left.rows && products > double(few_products()) &&
         products >= double(least_windowed_products * left.rows) && right.columns > most_ranked_columns &&
         right.columns <= most_windowed_columns;
}

}  // namespace

RowSizes sizes_for(const MatrixMatrixRun& run) {
  const Csr& right = run.right();
  return RowSizes(run.left().rows, right.columns, formats::bytes_of(right.column_width), run.type().size);
}

RowLimits limits_for(const MatrixMatrixRun& run, const RowSizes& sizes, bool windows) {
  const Csr& right = run.right();
  RowLimits limits = sizes.limits(windows);
  if (right.columns * run.type().size <= sizes.value_bytes && right.entries < 16 * right.rows)
    limits.ranks_least = ~uint64_t(0);
  return limits;
}

uint64_t few_products() {
  return (uint64_t(1) << 15) * uint64_t(runtime::device().properties().multiprocessors);
}

size_t entry_bytes(const MatrixMatrixRun& run) {
  return formats::bytes_of(formats::index_width(run.right().columns)) + run.type().size;
}

uint64_t most_put_down(const MatrixMatrixRun& run) { return usable_bytes() / 8 / entry_bytes(run); }

MadeAtOnce made_at_once(const MatrixMatrixRun& run, const RowProfile& profile) {
  const RowTotals& totals = profile.totals;
  const double met = profile.met();
  const bool hardly_meet = met > 0 && met <= most_met;
  const uint64_t room = most_put_down(run);
  const uint64_t most = hardly_meet ? room : std::min(room, few_products());
  MadeAtOnce made;
  made.products = totals.of_short;
  if (totals.of_bins > most) return made;
  made.last = RowClass::esc_8192;
  made.products += totals.of_bins;
  if (!hardly_meet || totals.of_bins + totals.merged > most) return made;
  made.merged = true;
  made.products += totals.merged;
  return made;
}

Buffer zeroed_counters(uint64_t rows) {
  return Buffer::zeroed(sizeof(RowCounters) + (rows + 1 + row_buckets + 1) * sizeof(uint64_t));
}

RowProfile profile_rows(const MatrixMatrixRun& run) {
  const Csr& left = run.left();
  const Csr& right = run.right();
  const uint64_t mean = left.entries / std::max<uint64_t>(left.rows, 1);
  const bool by_tiles = mean >= long_left_rows;
  RowProfile profile;
  const size_t bytes = left.rows * sizeof(uint64_t);
  profile.products = by_tiles ? Buffer::zeroed(bytes) : Buffer(bytes);
  profile.counters = zeroed_counters(left.rows);
  RowCounters* counters = profile.counters.as<RowCounters>();
  MxmProfileArguments arguments;
  arguments.left = left.view();
  arguments.right = right.view();
  arguments.products = profile.products.as<uint64_t>();
  arguments.totals = &counters->totals;
  arguments.counts = counters->counts;
  const bool windows = !by_tiles && looks_for_windows(left, right);
  if (windows) profile.windows = Buffer(left.rows * sizeof(RowWindow));
  arguments.windows = profile.windows.as<RowWindow>();
  arguments.limits = limits_for(run, sizes_for(run), windows);
  const std::string pattern = run.pattern_id(left, right);
  if (by_tiles) {
    formats::launch_blocks(row_profile_header, template_id("mxm_tile_products", {pattern}),
                           formats::entry_tiles(left.entries), arguments);
    formats::launch_blocks(row_profile_header,
                           template_id("mxm_weigh_rows", {formats::index_type(left.offset_width)}),
                           formats::blocks_for(left.rows), arguments);
  } else {
    const unsigned lanes = mean < 4 ? 1 : mean < 8 ? 2 : mean < 16 ? 4 : mean < 64 ? 8 : 32;
    const uint64_t turns = formats::blocks_for(left.rows, profiled_rows(lanes));
    if (expected_products(left, right) > double(few_products()) / 2)
      arguments.samples = unsigned(runtime::device().properties().multiprocessors);
    if (turns == 1 && arguments.samples == 0) profile.list = Buffer(left.rows * sizeof(uint64_t));
    arguments.list = profile.list.as<uint64_t>();
    formats::launch_blocks(
        row_profile_header,
        template_id("mxm_row_products", {pattern, std::to_string(lanes), windows ? "true" : "false"}),
        arguments.samples + std::min(turns, 4 * formats::resident_blocks()), arguments);
  }
  const RowCounters host = profile.counters.read<RowCounters>();
  profile.totals = host.totals;
  std::copy(std::begin(host.counts), std::end(host.counts), profile.counts.begin());
  std::copy(std::begin(host.merged), std::end(host.merged), profile.merged.begin());
  return profile;
}

}  // namespace cugrb::operations
