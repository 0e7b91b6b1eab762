// The matrix-vector kernels on a list of entries, and on HYB storage, whose second part is one.
#include "cuda/views/coo.h"
#include "src/formats/coo.h"
#include "src/formats/hyb.h"
#include "src/operations/mxv_pull.h"

namespace cugrb::operations {

using formats::Coo;
using formats::Csr;
using formats::Hyb;
using runtime::Buffer;

namespace {

/// `kernel` over the list's tiles, then its carries. Two launches; none for a list without entries.
void run_coo(const MatrixVectorRun& run, const Pull& pull, const Coo& coo, const std::string& kernel) {
  const int items = formats::merge_items(pull.t.type.size);
  const uint64_t tiles = formats::blocks_for(coo.entries, formats::block_threads * uint64_t(items));
  const Buffer carry_values(tiles * pull.t.type.size), carry_has(tiles);
  const std::string matrix =
      template_id("coo_entry", {formats::index_type(coo.row_width), formats::index_type(coo.column_width),
                                values_id(coo.type, run.reads_matrix(), coo.iso)});
  const std::string product = product_id(run, matrix, operand_id(pull.vector, run.reads_vector()));
  MxvCooArguments arguments;
  arguments.operands = operands_of(run, coo.view(), pull.vector, pull.t);
  arguments.rows = coo.row_indices.data();
  arguments.tiles = tiles;
  arguments.carry_values = carry_values.data();
  arguments.carry_has = carry_has.as<uint8_t>();
  const std::string full = text_of(pull.full_result), tile = std::to_string(items), header = kernel + ".h";
  formats::launch_blocks(header, template_id(kernel, {product, run.mask.name, full, tile}), tiles, arguments,
                         preamble_of(run));
  formats::launch_blocks(header, template_id(kernel + "_carries", {product, full, tile}),
                         formats::blocks_for(tiles, formats::block_threads / 32), arguments,
                         preamble_of(run));
}

}  // namespace

DeviceVector pull_by_coo(const MatrixVectorRun& run) {
  Pull pull(run);
  const Coo& coo = run.call.matrix.derived<Coo>(run.call.transpose_matrix, "coo",
                                                [](const Csr& rows) { return formats::make_coo(rows); });
  if (!pull.full_result && pull.t.length > 0) {
    runtime::device().fill_bytes(pull.t.present.data(), 0, pull.t.length);
  }
  run_coo(run, pull, coo, "mxv_coo");
  return std::move(pull.t);
}

DeviceVector pull_by_hyb(const MatrixVectorRun& run, uint64_t threshold) {
  Pull pull(run);
  const Hyb& hyb =
      run.call.matrix.derived<Hyb>(run.call.transpose_matrix, hyb_key(threshold),
                                   [&](const Csr& rows) { return formats::make_hyb(rows, threshold); });
  pull_ell(run, pull, hyb.ell);
  run_coo(run, pull, hyb.coo, "mxv_hyb");
  return std::move(pull.t);
}

}  // namespace cugrb::operations
