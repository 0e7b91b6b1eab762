// The matrix-vector kernels on a list of entries, on HYB storage, whose second part is one, and on TILE-COO,
// several of them.
#include "cuda/views/coo.h"
#include "src/formats/coo.h"
#include "src/formats/hyb.h"
#include "src/formats/tile_coo.h"
#include "src/operations/mxv_pull.h"

namespace cugrb::operations {

using formats::Coo;
using formats::Csr;
using formats::Hyb;
using formats::TileCoo;
using runtime::Buffer;

namespace {

constexpr char mxv_coo_header[] = "mxv_coo.h";

/// t, or with `accumulate` t plus, the list's sums; its columns name positions of u. Two launches; none for a
/// list without entries.
void run_coo(const MatrixVectorRun& run, const Coo& coo, const DeviceVector& u, const DeviceVector& t,
             bool accumulate) {
  const int items = formats::merge_items(t.type.size);
  const uint64_t tiles = formats::blocks_for(coo.entries, formats::block_threads * uint64_t(items));
  const Buffer carry_values(tiles * t.type.size), carry_has(tiles);
  const std::string matrix =
      template_id("coo_entry", {formats::index_type(coo.row_width), formats::index_type(coo.column_width),
                                values_id(coo.type, run.reads_matrix(), coo.iso)});
  const std::string product = product_id(run, matrix, operand_id(u, run.reads_vector()));
  MxvCooArguments arguments;
  arguments.operands = operands_of(run, coo.view(), u, t);
  arguments.rows = coo.row_indices.data();
  arguments.tiles = tiles;
  arguments.carry_values = carry_values.data();
  arguments.carry_has = carry_has.as<uint8_t>();
  const std::string full = text_of(t.form == Form::full), adds = text_of(accumulate),
                    tile = std::to_string(items);
  formats::launch_blocks(mxv_coo_header, template_id("mxv_coo", {product, run.mask.name, full, adds, tile}),
                         tiles, arguments, preamble_of(run));
  formats::launch_blocks(mxv_coo_header, template_id("mxv_coo_carries", {product, full, adds, tile}),
                         formats::blocks_for(tiles, formats::block_threads / 32), arguments,
                         preamble_of(run));
}

void clear_presence(const DeviceVector& t) {
  if (t.length > 0) runtime::device().fill_bytes(t.present.data(), 0, t.length);
}

/// u at the columns that are in tiles, by rank.
DeviceVector gather_popular(const MatrixVectorRun& run, const TileCoo& matrix) {
  const DeviceVector& u = run.call.vector;
  DeviceVector popular;
  popular.type = u.type;
  popular.length = matrix.gathered;
  popular.form = Form::full;
  popular.values = Buffer(matrix.gathered * u.type.size);
  TileGatherArguments a;
  a.vector = u.view();
  a.gathered_columns = matrix.gathered_columns.as<uint32_t>();
  a.gathered = matrix.gathered;
  a.reordered = popular.values.data();
  formats::launch_blocks("mxv_tile_composite.h",
                         template_id("tile_gather", {values_id(u.type, true, false), u.type.name}),
                         formats::blocks_for(a.gathered, 1024), a, preamble_of(run));
  return popular;
}

}  // namespace

DeviceVector pull_by_coo(const MatrixVectorRun& run) {
  Pull pull(run);
  const Coo& coo = run.call.matrix.derived<Coo>(run.call.transpose_matrix, "coo",
                                                [](const Csr& rows) { return formats::make_coo(rows); });
  if (!pull.full_result) clear_presence(pull.t);
  run_coo(run, coo, pull.vector, pull.t, /*accumulate=*/false);
  return std::move(pull.t);
}

DeviceVector pull_by_hyb(const MatrixVectorRun& run, uint64_t threshold) {
  Pull pull(run);
  const Hyb& hyb =
      run.call.matrix.derived<Hyb>(run.call.transpose_matrix, hyb_key(threshold),
                                   [&](const Csr& rows) { return formats::make_hyb(rows, threshold); });
  pull_ell(run, pull, hyb.ell);
  run_coo(run, hyb.coo, pull.vector, pull.t, /*accumulate=*/true);
  return std::move(pull.t);
}

DeviceVector pull_by_tile_coo(const MatrixVectorRun& run, uint32_t tile_columns) {
  const DeviceMatrix& a = run.call.matrix;
  const bool transposed = run.call.transpose_matrix;
  a.by_rows(transposed);  // a use
  const auto& matrix =
      a.derived<TileCoo>(transposed, formats::tile_coo_key(tile_columns), [&](const Csr& rows) {
        return formats::make_tile_coo(rows, formats::popularity_of(a, transposed), tile_columns);
      });
  const DeviceVector popular = gather_popular(run, matrix);
  DeviceVector t = new_result(run, false);
  clear_presence(t);
  for (const Coo& part : matrix.parts) {
    const bool in_tile = &part != &matrix.parts.back();
    run_coo(run, part, in_tile ? popular : run.call.vector, t, /*accumulate=*/true);
  }
  return t;
}

}  // namespace cugrb::operations
