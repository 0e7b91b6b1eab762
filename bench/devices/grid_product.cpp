#include "bench/devices/grid_product.h"

#include <algorithm>
#include <stdexcept>

#include "bench/common/device_values.h"
#include "tools/graph_files/device_pattern.h"
#include "tools/graph_files/parallel.h"

namespace cugrb::bench {

using formats::DeviceVector;
using graph_files::Csr;

namespace {

/// Rows and columns of a pattern from these on, renumbered from 0.
Csr block_of(const Csr& whole, uint64_t first_row, uint64_t rows, uint64_t first_column, uint64_t columns) {
  Csr block;
  block.nrows = rows;
  block.ncols = columns;
  block.offsets = graph_files::Buffer<uint64_t>(rows + 1);
  const auto range = [&](uint64_t i) {
    const uint64_t* begin = &whole.columns[whole.offsets[first_row + i]];
    const uint64_t* end = begin + (whole.offsets[first_row + i + 1] - whole.offsets[first_row + i]);
    return std::pair(std::lower_bound(begin, end, first_column),
                     std::lower_bound(begin, end, first_column + columns));
  };
  graph_files::parallel_for(rows, 1 << 14, [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; ++i) {
      const auto [from, to] = range(i);
      block.offsets[i + 1] = uint64_t(to - from);
    }
  });
  block.offsets[0] = 0;
  for (uint64_t i = 0; i < rows; ++i) block.offsets[i + 1] += block.offsets[i];
  block.columns = graph_files::Buffer<uint64_t>(block.offsets[rows]);
  graph_files::parallel_for(rows, 1 << 14, [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; ++i) {
      const auto [from, to] = range(i);
      uint64_t* out = block.columns.data() + block.offsets[i];
      for (const uint64_t* column = from; column < to; ++column) *out++ = *column - first_column;
    }
  });
  return block;
}

DeviceVector zeros(uint64_t length) {
  DeviceVector vector = DeviceVector::empty(Type::of(TypeCode::Fp32), length);
  vector.form = Form::full;
  vector.values = runtime::Buffer::zeroed(length * sizeof(float));
  vector.set_nvals(length);
  return vector;
}

BinaryOp plus() { return catalogue::binary_op("PLUS_FP32").value(); }

}  // namespace

GridProduct::GridProduct(const Csr& pattern, const Semiring& semiring, selector::ProcessGrid grid,
                         std::span<runtime::Device* const> devices)
    : semiring_(semiring),
      grid_(grid),
      rows_(pattern.nrows / grid.rows),
      columns_(pattern.ncols / grid.columns) {
  if (devices.size() != grid.processes()) throw std::invalid_argument("a device for each place of the grid");
  if (!cuts(pattern, grid))
    throw std::invalid_argument("rows and columns cannot be cut into as many equal pieces");
  for (unsigned row = 0; row < grid.rows; ++row) {
    for (unsigned column = 0; column < grid.columns; ++column)
      blocks_.push_back(made(pattern, row, column, *devices[blocks_.size()]));
  }
}

GridProduct::Block GridProduct::made(const Csr& pattern, unsigned row, unsigned column,
                                     runtime::Device& device) const {
  const runtime::OnDevice there(device);
  Block block;
  block.device = &device;
  block.row = row;
  block.column = column;
  const Csr part = block_of(pattern, row * rows_, rows_, column * columns_, columns_);
  formats::Csr rows =
      graph_files::pattern_on_device(part.nrows, part.ncols, part.offsets.data(), part.columns.data());
  block.matrix = formats::matrix_by(std::move(rows), /*by_column=*/false);
  block.matrix.expect_uses(false, 1000);
  const uint64_t piece = columns_ / grid_.rows, first = column * columns_;
  block.u = values_on_device(Type::of(TypeCode::Fp32), columns_, [&](uint64_t k) {
    return k / piece == row ? element_value(first + k) : uint8_t(0);
  });
  block.y = zeros(rows_);
  block.sum = zeros(rows_ / grid_.columns);
  block.arrived = zeros(rows_ / grid_.columns);
  return block;
}

void GridProduct::gather(Block& block) {
  const uint64_t bytes = columns_ / grid_.rows * sizeof(float);
  for (unsigned row = 0; row < grid_.rows; ++row) {
    if (row == block.row) continue;
    Block& owner = at(row, block.column);
    const uint64_t offset = row * bytes;
    block.device->copy_from_peer(block.u.values.as<char>() + offset, *owner.device,
                                 owner.u.values.as<char>() + offset, bytes);
  }
}

void GridProduct::multiply(Block& block) {
  const runtime::OnDevice there(*block.device);
  if (grid_.columns == 1) {
    DeviceVector& y = block.y;
    operations::mxv({y, {}, std::nullopt, false}, {semiring_, block.matrix, block.u});
    return;
  }
  block.device->fill_bytes(block.y.values.data(), 0, rows_ * sizeof(float));
  operations::mxv({block.y, {}, plus(), false}, {semiring_, block.matrix, block.u});
}

void GridProduct::reduce(Block& block) {
  const runtime::OnDevice there(*block.device);
  const uint64_t bytes = rows_ / grid_.columns * sizeof(float), offset = block.column * bytes;
  block.device->copy_on_device(block.sum.values.data(), block.y.values.as<char>() + offset, bytes);
  for (unsigned column = 0; column < grid_.columns; ++column) {
    if (column == block.column) continue;
    Block& other = at(block.row, column);
    block.device->follow(*other.device);
    block.device->copy_from_peer(block.arrived.values.data(), *other.device,
                                 other.y.values.as<char>() + offset, bytes);
    operations::ewise_add({block.sum, {}, std::nullopt, false}, plus(), block.sum, block.arrived);
  }
}

void GridProduct::run() {
  for (Block& block : blocks_) gather(block);
  for (Block& block : blocks_) multiply(block);
  if (grid_.columns == 1) return;
  for (Block& block : blocks_) reduce(block);
  // The next product overwrites y where others may still be reading it.
  for (const Block& block : blocks_) {
    for (const Block& other : blocks_) {
      if (other.row == block.row && other.device != block.device) block.device->follow(*other.device);
    }
  }
}

void GridProduct::wait() const {
  for (const Block& block : blocks_) block.device->synchronize();
}

std::vector<float> GridProduct::result() const {
  std::vector<float> all;
  for (const Block& block : blocks_) {
    const runtime::OnDevice there(*block.device);
    const DeviceVector& piece = grid_.columns == 1 ? block.y : block.sum;
    const std::vector<float> values = piece.values.to_host<float>(piece.length);
    const std::vector<uint8_t> present =
        piece.form == Form::bitmap ? piece.present.to_host<uint8_t>(piece.length) : std::vector<uint8_t>();
    for (uint64_t i = 0; i < piece.length; ++i)
      all.push_back(present.empty() || present[i] != 0 ? values[i] : 0.0f);
  }
  return all;
}

double GridProduct::imbalance() const {
  std::vector<selector::PartSize> shares;
  for (const Block& block : blocks_) shares.push_back({block.matrix.rows, block.matrix.nvals()});
  return selector::imbalance_of(shares);
}

}  // namespace cugrb::bench
