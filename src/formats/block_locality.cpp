#include "src/formats/block_locality.h"

#include "cuda/views/row_parts.h"
#include "src/formats/element_kernels.h"

namespace cugrb::formats {

Begun<BlockLocality> begin_block_sample(const Csr& matrix, uint64_t blocks) {
  constexpr uint64_t most_rows = 8192;
  if (matrix.rows != matrix.columns || matrix.entries == 0 || blocks == 0) return Begun(BlockLocality());
  const auto counts = runtime::Buffer::zeroed(sizeof(RowBlockCounts));
  RowBlockSampleArguments arguments;
  arguments.matrix = matrix.view();
  arguments.block_rows = blocks_for(matrix.rows, blocks);
  arguments.stride = blocks_for(matrix.rows, most_rows);
  arguments.counts = counts.as<RowBlockCounts>();
  launch_per_element("row_parts.h",
                     std::string("row_parts_outside<csr_rows<") + index_type(matrix.offset_width) + ", " +
                         index_type(matrix.column_width) + ", values_none>>",
                     blocks_for(matrix.rows, arguments.stride), arguments);
  return {counts.start_reading<RowBlockCounts>(), [](const void* bytes) {
            const auto& found = *static_cast<const RowBlockCounts*>(bytes);
            return found.entries == 0 ? BlockLocality()
                                      : BlockLocality{double(found.outside) / double(found.entries)};
          }};
}

}  // namespace cugrb::formats
