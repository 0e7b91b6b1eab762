#include "src/formats/gather_sample.h"

#include "cuda/views/gather_sample.h"
#include "src/formats/launch.h"

namespace cugrb::formats {

namespace {

GatherLocality locality_of(const GatherCounts& found) {
  const double entries = double(found.entries);
  GatherLocality locality;
  locality.lines = double(found.lines) / entries;
  locality.sectors_1 = double(found.sectors[0]) / entries;
  locality.sectors_4 = double(found.sectors[1]) / entries;
  locality.sectors_8 = double(found.sectors[2]) / entries;
  return locality;
}

}  // namespace

Begun<GatherLocality> begin_gather_sample(const Csr& matrix) {
  if (matrix.entries == 0) return Begun(GatherLocality());
  const auto counts = runtime::Buffer::zeroed(sizeof(GatherCounts));
  const uint64_t windows = blocks_for(matrix.entries, GatherCounts::window_entries);
  GatherSampleArguments arguments;
  arguments.columns = matrix.column_indices.data();
  arguments.entries = matrix.entries;
  arguments.step = blocks_for(windows, GatherCounts::most_windows);
  arguments.counts = counts.as<GatherCounts>();
  launch_blocks("gather_sample.h", std::string("gather_sample<") + index_type(matrix.column_width) + ">",
                blocks_for(windows, arguments.step), arguments);
  return {counts.start_reading<GatherCounts>(),
          [](const void* bytes) { return locality_of(*static_cast<const GatherCounts*>(bytes)); }};
}

}  // namespace cugrb::formats
