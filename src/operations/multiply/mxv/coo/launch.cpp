// The matrix-vector kernels on a list of entries, on HYB storage, whose second part is one, and on TILE-COO,
// several of them.
#include "cuda/views/coo.h"
#include "src/formats/coo.h"
#include "src/formats/hyb.h"
#include "src/formats/tile_coo.h"
#include "src/operations/multiply/mxv/coo/coo.h"
#include "src/operations/multiply/mxv/ell/ell.h"
#include "src/operations/multiply/registry.h"

namespace cugrb::operations {

using formats::Coo;
using formats::Csr;
using formats::Hyb;
using formats::Only;
using formats::TileCoo;
using runtime::Buffer;

namespace {

constexpr char mxv_coo_header[] = "mxv_coo.h";

/// t, or with `accumulate` t plus, the list's sums; its columns name positions of u. Two launches; none for a
/// list without entries.
void run_coo(const MatrixVectorRun& run, const Coo& coo, const DeviceVector& u, const DeviceVector& t,
             bool full_result, bool accumulate) {
  const int items = formats::coo_items(t.type.size);
  const uint64_t tiles = formats::blocks_for(coo.entries, formats::block_threads * uint64_t(items));
  const Buffer carry_values(tiles * t.type.size), carry_has(tiles);
  const auto product = [&] {
    const std::string matrix =
        template_id("coo_entry", {formats::index_type(coo.row_width), formats::index_type(coo.column_width),
                                  values_id(coo.type, run.reads_matrix(), coo.iso)});
    return product_id(run, matrix, operand_id(u, run.reads_vector()));
  };
  MxvCooArguments arguments;
  const uint64_t entries = run.call.matrix.nvals();  // of all parts
  arguments.operands = operands_of(run, coo.view(), u, t,
                                   entry_bytes(run, entries) + entries * formats::bytes_of(coo.row_width));
  arguments.rows = coo.row_indices.data();
  arguments.tiles = tiles;
  arguments.carry_values = carry_values.data();
  arguments.carry_has = carry_has.as<uint8_t>();
  const std::string full = text_of(full_result), adds = text_of(accumulate), tile = std::to_string(items);
  launch_product(run, mxv_coo_header, "mxv_coo", tiles, arguments, [&](const std::string& stem) {
    return template_id(stem, {product(), run.mask.name(), full, adds, tile});
  });
  launch_product(run, mxv_coo_header, "mxv_coo_carries",
                 formats::blocks_for(tiles, formats::block_threads / 32), arguments,
                 [&](const std::string& stem) {
                   return template_id(stem, {product(), full, adds, tile});
                 });
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
  launch_product(run, "mxv_tile_composite.h", "tile_gather",
                 formats::blocks_for(a.gathered, TileGatherArguments::block_places), a,
                 [&](const std::string& stem) {
                   return template_id(stem, {values_id(u.type, true, false), u.type.name});
                 });
  return popular;
}

/// Two launches.
DeviceVector pull_by_coo(const MatrixVectorRun& run) {
  Pull pull(run);
  const Coo& coo = run.call.matrix.derived(run.call.transpose_matrix, Only<Coo>(),
                                           [](const Csr& rows) { return formats::make_coo(rows); });
  if (!pull.full_result) pull.t.present.fill(0);
  run_coo(run, coo, pull.vector, pull.t, pull.full_result, /*accumulate=*/false);
  return std::move(pull.t);
}

}  // namespace

DeviceVector pull_by_hyb(const MatrixVectorRun& run, uint64_t threshold) {
  Pull pull(run);
  const Hyb& hyb =
      run.call.matrix.derived(run.call.transpose_matrix, Hyb::Key{threshold},
                              [&](const Csr& rows) { return formats::make_hyb(rows, threshold); });
  pull_ell(run, pull, hyb.ell);
  run_coo(run, hyb.coo, pull.vector, pull.t, pull.full_result, /*accumulate=*/true);
  return std::move(pull.t);
}

namespace {

/// T from HYB storage of the columns that are in no tile, then from a list of entries for each tile; u is
/// full. Four launches, and two for each tile.
DeviceVector pull_by_tile_coo(const MatrixVectorRun& run, uint32_t tile_columns) {
  Pull pull(run);
  pull.full_result = false;  // HYB alone does not reach all of T's rows
  pull.t = new_result(run, false);
  const TileCoo& matrix =
      run.call.matrix.derived(run.call.transpose_matrix, TileCoo::Key{tile_columns},
                              [&](const Csr& rows) { return formats::make_tile_coo(rows, tile_columns); });
  const DeviceVector popular = gather_popular(run, matrix);
  const MatrixVectorRun a_part{run.call, run.mask};  // without the memo: parts differ in their kernels
  pull_ell(a_part, pull, matrix.others.ell);
  run_coo(a_part, matrix.others.coo, pull.vector, pull.t, /*full_result=*/false, /*accumulate=*/true);
  for (const Coo& tile : matrix.tiles)
    run_coo(a_part, tile, popular, pull.t, /*full_result=*/false, /*accumulate=*/true);
  return std::move(pull.t);
}

}  // namespace

const MxvKernel mxv_coo = {{"mxv_coo", Role::reference},
                           {.cost = cost_of_coo,
                            .plan = always(pull_by_coo),
                            .numbers = NumbersId("coo"),
                            .format = "coo",
                            .derives = {typeid(Only<Coo>)}}};

const MxvKernel mxv_hyb = {
    {"mxv_hyb"},
    {.cost = cost_of_hyb,
     .plan = [](const MxvProblem& p, const Hardware&) -> MxvLaunch {
       return {
           [threshold = p.hyb_threshold](const MatrixVectorRun& run) { return pull_by_hyb(run, threshold); }};
     },
     .numbers = NumbersId("hyb"),
     .format = "hyb",
     .derives = {typeid(Hyb::Key)},
     .describe =
         [](const MatrixVectorRun& run, bool, MxvProblem& p) {
           if (run.call.matrix.find_derived(run.call.transpose_matrix, Hyb::Key{p.hyb_threshold}) != nullptr)
             p.ready_formats.insert(&mxv_hyb);
         }}};

const MxvKernel mxv_tile_coo = {
    {"mxv_tile_coo", Role::reference},
    {.cost = cost_of_tile_coo,
     .plan = [](const MxvProblem& p, const Hardware&) -> MxvLaunch {
       return {
           [columns = p.tile_columns](const MatrixVectorRun& run) { return pull_by_tile_coo(run, columns); }};
     },
     .numbers = NumbersId("tile_coo"),
     .format = "tile_coo",
     .derives = {typeid(TileCoo::Key)},
     .samples_columns = true,
     .describe =
         [](const MatrixVectorRun& run, bool, MxvProblem& p) {
           if (run.call.matrix.find_derived(run.call.transpose_matrix, TileCoo::Key{p.tile_columns}) !=
               nullptr)
             p.ready_formats.insert(&mxv_tile_coo);
         }}};

}  // namespace cugrb::operations
