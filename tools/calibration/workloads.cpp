#include "tools/calibration/workloads.h"

#include <algorithm>

#include "src/operations/multiply/mxv/tile_composite/tile_composite.h"
#include "tools/calibration/timing.h"

namespace cugrb::calibration {

using formats::Csr;
using formats::DeviceMatrix;
using formats::DeviceVector;
using formats::TileComposite;
using runtime::Buffer;
using selector::Hardware;
using selector::WorkloadRates;
using selector::WorkloadShape;

namespace {

Buffer even_offsets(uint64_t rows, uint32_t width) {
  std::vector<uint32_t> offsets(rows + 1);
  for (uint64_t i = 0; i <= rows; ++i) offsets[i] = uint32_t(i * width);
  return Buffer::from_host(offsets.data(), offsets.size() * sizeof(uint32_t));
}

/// Columns that ascend within a row, banks at random.
Buffer spread_columns(uint64_t entries, uint32_t tile_columns) {
  const uint32_t apart = tile_columns / EvenTile::most_width;
  std::vector<uint32_t> columns(entries);
  for (uint64_t n = 0; n < entries; ++n)
    columns[n] = uint32_t(n % EvenTile::most_width) * apart + uint32_t(n * 0x9e3779b97f4a7c15u >> 33) % apart;
  return Buffer::from_host(columns.data(), columns.size() * sizeof(uint32_t));
}

DeviceVector full_vector(const Type& type, uint64_t length) {
  DeviceVector vector = DeviceVector::empty(type, length);
  vector.form = Form::full;
  vector.values = Buffer::zeroed(length * type.size);
  vector.set_nvals(length);
  return vector;
}

/// Measures the shapes with one kind of values.
class Kind {
 public:
  Kind(const char* semiring, bool pattern, const Hardware& hardware, const WorkloadEffort& effort)
      : semiring_(catalogue::semiring(semiring).value()),
        hardware_(hardware),
        effort_(effort),
        tile_columns_(formats::tile_columns_in(hardware.shared_bytes_per_block, semiring_.multiply.y.size)),
        tile_(pattern ? Type::of(TypeCode::Bool) : semiring_.multiply.x, pattern, tile_columns_,
              effort.entries),
        vector_(full_vector(semiring_.multiply.y, tile_columns_)) {}

  double entries_per_second(const WorkloadShape& shape) const {
    const uint64_t few = effort_.entries / 4;
    // Noise on a small device may turn the order round; then the whole time counts.
    const double all = seconds_of(shape, effort_.entries), less = seconds_of(shape, few);
    return all > less ? double(effort_.entries - few) / (all - less) : double(effort_.entries) / all;
  }

 private:
  double seconds_of(const WorkloadShape& shape, uint64_t entries) const {
    constexpr double limit_seconds = 0.02;
    const DeviceMatrix rows = tile_.rows_of(shape, entries);
    const TileComposite matrix = tile_.workloads_of(rows, shape, hardware_);
    const auto run = operations::tiles_alone({semiring_, rows, vector_}, matrix);
    return measure(effort_.repeat, limit_seconds, run, device_elapsed).median;
  }

  Semiring semiring_;
  const Hardware& hardware_;
  WorkloadEffort effort_;
  uint32_t tile_columns_;
  EvenTile tile_;
  DeviceVector vector_;
};

}  // namespace

EvenTile::EvenTile(const Type& type, bool iso, uint32_t tile_columns, uint64_t entries) {
  all_.type = type;
  all_.iso = iso;
  all_.columns = tile_columns;
  all_.column_indices = spread_columns(entries, tile_columns);
  all_.values = Buffer::zeroed((iso ? 1 : entries) * type.size);
}

DeviceMatrix EvenTile::rows_of(const WorkloadShape& shape, uint64_t entries) const {
  Csr rows = all_;
  rows.entries = entries;
  rows.rows = entries / shape.width();
  rows.offsets = even_offsets(rows.rows, shape.width());
  return formats::matrix_by(std::move(rows), /*by_column=*/false);
}

TileComposite EvenTile::workloads_of(const DeviceMatrix& rows, const WorkloadShape& shape,
                                     const Hardware& hardware) const {
  formats::TileCompositeParameters parameters;
  parameters.tile_columns = uint32_t(rows.columns);
  parameters.tiles = 1;
  parameters.gathered = rows.columns;
  parameters.tile_steps = shape.steps;
  parameters.blocks = hardware.emulated ? 2 : uint32_t(hardware.multiprocessors);
  parameters.warps_of_block = hardware.emulated ? 2 : 32;
  return formats::make_tile_composite(rows.stored, parameters);
}

WorkloadEffort WorkloadEffort::of_device() {
  const runtime::Properties& device = runtime::device().properties();
  if (device.kind == runtime::Kind::emulated) return {uint64_t(1) << 13, 1};
  // FP64 entries take 12 bytes in the CSR and 10 in the format; the caches hold none of the smallest ones.
  uint64_t entries = uint64_t(1) << 26;
  while (entries > EvenTile::most_width && entries * 64 > device.memory_bytes) entries /= 2;
  return {entries, 9};
}

WorkloadRates measure_workloads(const Hardware& hardware, const WorkloadEffort& effort) {
  WorkloadRates rates;
  constexpr const char* semirings[WorkloadRates::kinds] = {"PLUS_SECOND_FP32", "LOR_LAND_BOOL",
                                                           "PLUS_TIMES_FP32", "PLUS_TIMES_FP64"};
  for (size_t kind = 0; kind < WorkloadRates::kinds; ++kind) {
    const Kind measured(semirings[kind], kind == 0, hardware, effort);
    for (int c = 0; c < tile_classes; ++c) {
      for (size_t n = 0; n < WorkloadRates::lengths; ++n)
        rates.entries_per_second[kind][size_t(c)][n] =
            measured.entries_per_second(WorkloadRates::shape_of(c, n));
    }
  }
  return rates;
}

}  // namespace cugrb::calibration
