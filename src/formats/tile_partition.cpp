#include "src/formats/tile_partition.h"

#include <algorithm>
#include <numeric>

namespace cugrb::formats {

namespace {

uint64_t padded(uint64_t count, uint64_t multiple) { return (count + multiple - 1) / multiple * multiple; }

}  // namespace

uint64_t count_tiles(const std::vector<uint32_t>& lengths, uint64_t width) {
  uint64_t tiles = 0;
  while (tiles * width < lengths.size() && lengths[tiles * width] > 1) ++tiles;
  return tiles;
}

std::vector<PackedRows> pack_rows(const std::vector<uint32_t>& lengths, uint64_t workload_size,
                                  uint64_t warp_lanes) {
  std::vector<PackedRows> workloads;
  for (uint64_t row = 0; row < lengths.size();) {
    PackedRows packed;
    packed.first_row = row;
    packed.width = lengths[row];
    packed.rows =
        std::min<uint64_t>(std::max<uint64_t>(1, workload_size / packed.width), lengths.size() - row);
    packed.height = packed.rows;
    uint64_t& side = packed.by_rows() ? packed.width : packed.height;
    side = padded(side, warp_lanes);
    workloads.push_back(packed);
    row += packed.rows;
  }
  return workloads;
}

double packed_seconds(const std::vector<PackedRows>& workloads, const PartitionDevice& device) {
  double total = 0;
  for (uint64_t first = 0; first < workloads.size(); first += device.active_warps) {  // Eq. 1, 2
    const uint64_t last = std::min<uint64_t>(workloads.size(), first + device.active_warps);
    double performance = 0, size = 0;
    for (uint64_t j = first; j < last; ++j) {
      performance += device.performance(workloads[j].width, workloads[j].height);
      size += double(workloads[j].size());  // Eq. 4
    }
    total += size / (performance / double(last - first));  // Eq. 3, 5
  }
  return total;
}

uint64_t best_workload_size(const std::vector<uint32_t>& lengths, const PartitionDevice& device) {
  if (lengths.empty()) return 0;
  const uint64_t longest = lengths.front();
  const double most = std::accumulate(lengths.begin(), lengths.end(), 0.0) / double(device.active_warps);
  uint64_t best = longest;
  double least = -1;
  for (uint64_t size = longest; double(size) <= most; size += longest) {
    const double seconds = packed_seconds(pack_rows(lengths, size, device.warp_lanes), device);
    if (least >= 0 && seconds >= least) continue;
    best = size;
    least = seconds;
  }
  return best;
}

}  // namespace cugrb::formats
