// Running one matrix-vector kernel: from operands to the text of its specialisation, its launches, and T.
#pragma once
#include <string>

#include "src/formats/blocked.h"
#include "src/formats/csb.h"
#include "src/formats/tile_composite.h"
#include "src/operations/mask.h"
#include "src/operations/mxv_memo.h"
#include "src/operations/operations.h"
#include "src/selector/kernels.h"

namespace cugrb::operations {

/// T(i) = sum over k of multiply(A(i,k), u(k)), ready to run: what the kernels have in common.
struct MatrixVectorRun {
  const MatrixVector& call;
  const PreparedMask& mask;
  MxvMemo* memo = nullptr;  ///< where its kernels are remembered, if anywhere

  uint64_t rows() const { return call.transpose_matrix ? call.matrix.columns : call.matrix.rows; }
  uint64_t columns() const { return call.transpose_matrix ? call.matrix.rows : call.matrix.columns; }
  bool reads_matrix() const {
    return call.vector_first ? call.semiring.multiply.reads_y : call.semiring.multiply.reads_x;
  }
  bool reads_vector() const {
    return call.vector_first ? call.semiring.multiply.reads_x : call.semiring.multiply.reads_y;
  }
};

/// T by a row kernel (cuda/kernels/mxv_rows.h) of `lanes` lanes a row; 256: a block a row. T is full when
/// every row surely has a term, else bitmap. One launch.
DeviceVector pull_by_rows(const MatrixVectorRun& run, int lanes);
/// T by merge path (cuda/kernels/mxv_merge.h). Two launches.
DeviceVector pull_by_merge(const MatrixVectorRun& run);
/// T from ELLPACK storage, whole or in slices of 32 rows (cuda/kernels/mxv_ell.h). One launch.
DeviceVector pull_by_ell(const MatrixVectorRun& run, bool sliced);
/// T from a list of entries (cuda/kernels/mxv_coo.h). Two launches.
DeviceVector pull_by_coo(const MatrixVectorRun& run);
/// T from slices of the first `threshold` entries of every row and a list of the others
/// (cuda/kernels/mxv_ell.h, mxv_coo.h). Three launches.
DeviceVector pull_by_hyb(const MatrixVectorRun& run, uint64_t threshold);
/// T from rows sorted into bins of size (cuda/kernels/mxv_binned_csr.h). One launch, two when several blocks
/// share a row.
DeviceVector pull_by_binned_csr(const MatrixVectorRun& run);
/// T by all products, then all sums (cuda/kernels/mxv_blocked.h); u is full. The format is made at the first
/// call. Three launches.
DeviceVector pull_by_blocked(const MatrixVectorRun& run, const formats::BlockedParameters& parameters);
/// T by bands of rows whose sums are in shared memory (cuda/kernels/mxv_csb.h); u is full. The format is made
/// at the first call. Two launches.
DeviceVector pull_by_csb(const MatrixVectorRun& run, const formats::CsbParameters& parameters);
/// Makes the format; why there is none, or nothing.
std::string prepare_csb(const MatrixVectorRun& run, const formats::CsbParameters& parameters);
/// T from a list of entries for each tile of so many popular columns and one for the others
/// (cuda/kernels/mxv_coo.h); u is full. The format is made at the first call. A launch, and two for each
/// list.
DeviceVector pull_by_tile_coo(const MatrixVectorRun& run, uint32_t tile_columns);
/// T by tiles of popular columns (cuda/kernels/mxv_tile_composite.h); u is full. The format is made at the
/// first call. Three launches, four when there is a cold part.
DeviceVector pull_by_tile_composite(const MatrixVectorRun& run,
                                    const formats::TileCompositeParameters& parameters);
/// T from dynamic CSR, a group of lanes a row (cuda/kernels/mxv_dcsr.h). One launch.
DeviceVector pull_by_dcsr(const MatrixVectorRun& run);
/// The same with rows sorted into bins of size (cuda/kernels/mxv_adcsr.h). One or two launches.
DeviceVector pull_by_adcsr(const MatrixVectorRun& run);
/// Makes what the plan's kernel reads, where that may turn out to be impossible; why it did, or nothing.
std::string prepare(const MatrixVectorRun& run, const MxvPlan& plan);
/// T by pushing u's entries (cuda/kernels/vxm_push.h). Bitmap.
DeviceVector push(const MatrixVectorRun& run);

}  // namespace cugrb::operations
