#include "src/formats/tile_rectangles.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>

#include "src/formats/host_copy.h"
#include "src/formats/host_entries.h"
#include "src/support/declined.h"

namespace cugrb::formats {

using runtime::Buffer;

namespace {

/// A workload of so many places would start all workloads in one memory partition, so as many are left empty.
constexpr uint64_t camping_places = 512, camping_gap = 64;

/// 0, 1, 2, ... by descending lengths, equal ones in their order. A counting sort.
std::vector<uint32_t> by_length(const std::vector<uint32_t>& lengths) {
  const uint32_t longest = lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
  std::vector<uint64_t> starts(uint64_t(longest) + 2, 0);
  for (const uint32_t length : lengths) ++starts[longest - length + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<uint32_t> order(lengths.size());
  for (uint64_t n = 0; n < lengths.size(); ++n) order[starts[longest - lengths[n]]++] = uint32_t(n);
  return order;
}

/// An entry of a part: its row, its column's rank, its place in the CSR.
struct PartEntry {
  uint32_t row, rank;
  uint64_t place;
};

class TileRectanglesBuilder {
 public:
  TileRectanglesBuilder(const Csr& matrix, const TileRectanglesParameters& parameters)
      : matrix_(matrix), parameters_(parameters), made_(matrix) {
    if (std::max(matrix.rows, matrix.columns) >> 32 != 0)
      throw Declined("tiles of packed rows: more than 2^32 rows or columns");
    made_.tile_columns = parameters.tile_columns;
    offsets_ = widened(matrix.offsets, matrix.offset_width, matrix.rows + 1);
    columns_ = widened(matrix.column_indices, matrix.column_width, matrix.entries);
    value_bytes_ = matrix.iso ? 0 : matrix.type.size;
    if (value_bytes_ > 0) stored_ = matrix.values.to_host<char>(matrix.entries * value_bytes_);
  }

  TileRectangles make() {
    order_columns();
    made_.first_workload.push_back(0);
    for (const std::vector<PartEntry>& part : parts()) {
      add_part(part);
      made_.first_workload.push_back(workloads_.size());
    }
    made_.places = ranks_.size();
    made_.workloads = Buffer::from_host(workloads_.data(), workloads_.size() * sizeof(TileRectangle));
    made_.packed_rows = Buffer::from_host(rows_.data(), rows_.size() * sizeof(uint32_t));
    made_.column_ranks = Buffer::from_host(ranks_.data(), ranks_.size() * sizeof(uint32_t));
    made_.values = matrix_.iso ? matrix_.values : Buffer::from_host(values_.data(), values_.size());
    return std::move(made_);
  }

 private:
  void order_columns() {
    std::vector<uint32_t> lengths(matrix_.columns, 0);
    for (const uint64_t column : columns_) ++lengths[column];
    const std::vector<uint32_t> order = by_length(lengths);
    rank_of_.resize(order.size());
    std::vector<uint32_t> sorted(order.size());
    for (uint64_t r = 0; r < order.size(); ++r) {
      rank_of_[order[r]] = uint32_t(r);
      sorted[r] = lengths[order[r]];
    }
    tiles_ = count_tiles(sorted, parameters_.tile_columns);
    made_.order = Buffer::from_host(order.data(), order.size() * sizeof(uint32_t));
  }

  /// The tiles' entries, and those of the sparser sub-matrix, each in the order of rows.
  std::vector<std::vector<PartEntry>> parts() const {
    std::vector<std::vector<PartEntry>> parts(tiles_ + 1);
    for (uint64_t i = 0; i < matrix_.rows; ++i) {
      for (uint64_t p = offsets_[i]; p < offsets_[i + 1]; ++p) {
        const uint32_t rank = rank_of_[columns_[p]];
        parts[std::min<uint64_t>(rank / parameters_.tile_columns, tiles_)].push_back({uint32_t(i), rank, p});
      }
    }
    return parts;
  }

  void add_part(const std::vector<PartEntry>& entries) {
    std::vector<uint64_t> starts;  // of each row with entries
    for (uint64_t e = 0; e < entries.size(); ++e) {
      if (e == 0 || entries[e].row != entries[e - 1].row) starts.push_back(e);
    }
    starts.push_back(entries.size());
    std::vector<uint32_t> lengths(starts.size() - 1);
    for (uint64_t n = 0; n < lengths.size(); ++n) lengths[n] = uint32_t(starts[n + 1] - starts[n]);
    const std::vector<uint32_t> order = by_length(lengths);
    std::vector<uint32_t> sorted(order.size());
    for (uint64_t n = 0; n < order.size(); ++n) sorted[n] = lengths[order[n]];
    made_.workload_sizes.push_back(best_workload_size(sorted, parameters_.device));
    const auto packed = pack_rows(sorted, made_.workload_sizes.back(), parameters_.device.warp_lanes);
    for (const PackedRows& workload : packed) add_workload(workload, entries, starts, order);
  }

  void add_workload(const PackedRows& packed, const std::vector<PartEntry>& entries,
                    const std::vector<uint64_t>& starts, const std::vector<uint32_t>& order) {
    TileRectangle rectangle;
    rectangle.start = ranks_.size();
    rectangle.first_row = rows_.size();
    rectangle.rows = uint32_t(packed.rows);
    rectangle.width = uint32_t(packed.width);
    rectangle.height = uint32_t(packed.height);
    workloads_.push_back(rectangle);
    const uint64_t gap = packed.size() % camping_places == 0 ? camping_gap : 0;
    ranks_.resize(ranks_.size() + packed.size() + gap, no_rectangle_column);
    values_.resize(ranks_.size() * value_bytes_);
    for (uint64_t row = 0; row < packed.rows; ++row) {
      const uint32_t n = order[packed.first_row + row];
      rows_.push_back(entries[starts[n]].row);
      for (uint64_t e = starts[n]; e < starts[n + 1]; ++e) {
        const uint64_t k = e - starts[n];
        const uint64_t place =
            rectangle.start + (packed.by_rows() ? row * packed.width + k : k * packed.height + row);
        ranks_[place] = entries[e].rank;
        if (value_bytes_ == 0) continue;
        std::memcpy(&values_[place * value_bytes_], &stored_[entries[e].place * value_bytes_], value_bytes_);
      }
    }
  }

  const Csr& matrix_;
  const TileRectanglesParameters& parameters_;
  TileRectangles made_;
  uint64_t tiles_ = 0;
  size_t value_bytes_ = 0;
  std::vector<uint64_t> offsets_, columns_;
  std::vector<char> stored_, values_;
  std::vector<uint32_t> rank_of_, ranks_, rows_;
  std::vector<TileRectangle> workloads_;
};

/// The entries of one workload, appended.
std::string read_workload(const TileRectangles& matrix, const TileRectangle& r,
                          const std::vector<uint32_t>& rows, const std::vector<uint32_t>& ranks,
                          const std::vector<uint32_t>& order, const std::vector<char>& values,
                          std::vector<HostEntry>& entries) {
  const size_t size = matrix.iso ? 0 : matrix.type.size;
  if (r.start + uint64_t(r.width) * r.height > ranks.size() || r.first_row + r.rows > rows.size())
    return "is out of range";
  for (uint32_t row = 0; row < r.rows; ++row) {
    for (uint32_t k = 0; k < r.width; ++k) {
      const uint64_t place =
          r.start + (r.width >= r.height ? uint64_t(row) * r.width + k : uint64_t(k) * r.height + row);
      const uint32_t rank = ranks[place];
      if (rank == no_rectangle_column) continue;
      if (rank >= order.size() || rows[r.first_row + row] >= matrix.rows) return "names no column or no row";
      entries.push_back(
          {rows[r.first_row + row], order[rank], std::string(values.data() + place * size, size)});
    }
  }
  return {};
}

/// All entries; what is wrong with the workloads.
std::string read_entries(const TileRectangles& m, std::vector<HostEntry>& entries) {
  const uint64_t count = m.first_workload.back();
  const auto workloads = m.workloads.to_host<TileRectangle>(count);
  const auto rows = m.packed_rows.to_host<uint32_t>(m.packed_rows.bytes() / sizeof(uint32_t));
  const auto ranks = m.column_ranks.to_host<uint32_t>(m.places);
  const auto order = m.order.to_host<uint32_t>(m.columns);
  const auto values = m.iso ? std::vector<char>() : m.values.to_host<char>(m.places * m.type.size);
  for (size_t part = 0; part + 1 < m.first_workload.size(); ++part) {
    for (uint64_t n = m.first_workload[part]; n < m.first_workload[part + 1]; ++n) {
      const std::string place = "workload " + std::to_string(n) + " ";
      const size_t before = entries.size();
      const std::string wrong = read_workload(m, workloads[n], rows, ranks, order, values, entries);
      if (!wrong.empty()) return place + wrong;
      const TileRectangle& r = workloads[n];
      if ((r.width >= r.height ? r.width : r.height) % 32 != 0) return place + "is not padded to a warp";
      if (entries.size() == before) return place + "holds nothing";
    }
  }
  return {};
}

}  // namespace

size_t TileRectangles::bytes() const {
  return order.bytes() + workloads.bytes() + packed_rows.bytes() + column_ranks.bytes() +
         (iso ? 0 : values.bytes());
}

TileRectangles make_tile_rectangles(const Csr& matrix, const TileRectanglesParameters& parameters) {
  return TileRectanglesBuilder(matrix, parameters).make();
}

Csr to_csr(const TileRectangles& matrix) {
  std::vector<HostEntry> entries;
  const std::string wrong = read_entries(matrix, entries);
  if (!wrong.empty()) throw std::invalid_argument(wrong);
  return csr_of_entries(matrix, std::move(entries), matrix.iso ? matrix.values : Buffer());
}

std::string check(const TileRectangles& matrix) {
  std::vector<HostEntry> entries;
  const std::string wrong = read_entries(matrix, entries);
  if (!wrong.empty()) return wrong;
  if (entries.size() != matrix.entries)
    return "the workloads have " + std::to_string(entries.size()) + " entries in all";
  return check(csr_of_entries(matrix, std::move(entries), matrix.iso ? matrix.values : Buffer()));
}

}  // namespace cugrb::formats
