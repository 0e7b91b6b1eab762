#include "src/formats/gather_sample.h"

#include "cuda/views/gather_sample.h"
#include "src/formats/launch.h"

namespace cugrb::formats {

GatherSample::GatherSample(const Csr& matrix) {
  if (matrix.entries == 0) return;
  counts_ = runtime::Buffer::zeroed(sizeof(GatherCounts));
  const uint64_t windows = blocks_for(matrix.entries, GatherCounts::window_entries);
  GatherSampleArguments arguments;
  arguments.columns = matrix.column_indices.data();
  arguments.entries = matrix.entries;
  arguments.step = blocks_for(windows, GatherCounts::most_windows);
  arguments.counts = counts_.as<GatherCounts>();
  launch_blocks("gather_sample.h", std::string("gather_sample<") + index_type(matrix.column_width) + ">",
                blocks_for(windows, arguments.step), arguments);
}

GatherLocality GatherSample::read() const {
  GatherLocality locality;
  if (!counts_) return locality;
  const GatherCounts found = counts_.read<GatherCounts>();
  const double entries = double(found.entries);
  locality.lines = double(found.lines) / entries;
  locality.sectors_1 = double(found.sectors[0]) / entries;
  locality.sectors_4 = double(found.sectors[1]) / entries;
  locality.sectors_8 = double(found.sectors[2]) / entries;
  return locality;
}

}  // namespace cugrb::formats
