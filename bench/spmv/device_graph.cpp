#include <vector>

#include "bench/spmv/bench.h"
#include "src/support/settings.h"
#include "tools/graph_files/parallel.h"

namespace cugrb::bench {

namespace {

runtime::Buffer upload(const graph_files::Buffer<uint64_t>& values, uint64_t count, formats::Width width) {
  if (width == formats::Width::bits64) return runtime::Buffer::from_host(values.data(), count * 8);
  std::vector<uint32_t> narrow(count);
  graph_files::parallel_for(count, 1 << 20, [&](uint64_t begin, uint64_t end) {
    for (uint64_t n = begin; n < end; ++n) narrow[n] = uint32_t(values.data()[n]);
  });
  return runtime::Buffer::from_host(narrow.data(), count * 4);
}

}  // namespace

formats::DeviceMatrix to_device(const graph_files::Csr& graph) {
  formats::DeviceMatrix matrix;
  matrix.type = Type::of(TypeCode::Bool);
  matrix.rows = graph.nrows;
  matrix.columns = graph.ncols;
  formats::Csr& csr = matrix.stored;
  csr.type = matrix.type;
  csr.rows = graph.nrows;
  csr.columns = graph.ncols;
  csr.entries = graph.entries();
  csr.iso = true;
  csr.offset_width = formats::Csr::offset_width_for(csr.entries);
  csr.column_width = formats::index_width(csr.columns);
  csr.offsets = upload(graph.offsets, graph.nrows + 1, csr.offset_width);
  csr.column_indices = upload(graph.columns, csr.entries, csr.column_width);
  const bool one = true;
  csr.values = runtime::Buffer::from_host(&one, 1);
  return matrix;
}

void force(const std::string& kernel) {
  Settings changed = settings();
  changed.force = kernel;
  override_settings(changed);
}

}  // namespace cugrb::bench
