// The matrix-vector product by cuSPARSE (cuda/cusparse/cusparse.h), for what it can do.
#include "src/operations/mxv_cusparse.h"

#include "cuda/cusparse/cusparse.h"
#include "src/formats/ell.h"
#include "src/operations/cusparse_operands.h"
#include "src/operations/mxv_pull.h"
#include "src/support/settings.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Ell;
using selector::Family;

namespace {

/// What is kept with a matrix for one algorithm.
struct CusparseProduct final : formats::Derived {
  std::shared_ptr<const cusparse::Spmv> spmv;
  runtime::Buffer slice_offsets;  ///< SELL's, as cuSPARSE counts them
  std::string failure;            ///< why there is no spmv
  size_t bytes() const override {
    return (spmv == nullptr ? 0 : spmv->workspace_bytes()) + slice_offsets.bytes();
  }
};

/// `make` fills in the product; what goes wrong becomes its failure.
template <class Make>
CusparseProduct attempted(const Make& make) {
  CusparseProduct product;
  try {
    make(product);
  } catch (const cusparse::Failure& failure) {
    product.failure = failure.what();
  } catch (const runtime::OutOfMemory& failure) {
    product.failure = failure.what();
  }
  return product;
}

CusparseProduct make_of_csr(cusparse::Real real, Family family, const Csr& rows) {
  const auto algorithm = family == Family::cusparse_csr_alg1 ? cusparse::SpmvAlgorithm::csr_alg1
                                                             : cusparse::SpmvAlgorithm::csr_alg2;
  return attempted([&](CusparseProduct& product) {
    product.spmv = std::make_shared<cusparse::Spmv>(real, algorithm, arrays_of(rows));
  });
}

CusparseProduct make_of_sell(cusparse::Real real, const Ell& sell) {
  return attempted([&](CusparseProduct& product) {
    if (sell.positions >= cusparse_limit) throw cusparse::Failure("2^31 positions or more");
    product.slice_offsets = formats::position_offsets(sell);
    product.spmv = std::make_shared<cusparse::Spmv>(
        real, cusparse::SellArrays{sell.rows, sell.columns, sell.entries, sell.positions, ell_slice_rows,
                                   product.slice_offsets, sell.column_indices, sell.values});
  });
}

const CusparseProduct& product_of(const MatrixVectorRun& run, Family family) {
  const DeviceMatrix& matrix = run.call.matrix;
  const bool transposed = run.call.transpose_matrix;
  const cusparse::Real real = real_of(run.call.semiring.add.type());
  const Ell* sell = family == Family::cusparse_sell ? &sell_of(matrix, transposed) : nullptr;
  return matrix.derived<CusparseProduct>(transposed, selector::family_name(family), [&](const Csr& rows) {
    return sell == nullptr ? make_of_csr(real, family, rows) : make_of_sell(real, *sell);
  });
}

std::string cusparse_refusal(const MatrixVectorRun& run) {
  const MatrixVector& call = run.call;
  if (!is_plus_times(call.semiring)) return "not PLUS_TIMES of FP32 or FP64";
  if (!run.mask.allows_all) return "it would make what the mask forbids";
  if (call.vector.form != Form::full) return "the vector is not full";
  if (call.vector.iso) return "the vector is iso";
  if (call.vector.type != call.semiring.add.type()) return "the vector would have to be typecast";
  return factor_refusal(call.matrix, call.semiring.add.type());
}

}  // namespace

void describe_cusparse(const MatrixVectorRun& run, bool of_device, selector::MxvProblem& p) {
  const cusparse::State state = of_device ? cusparse::state() : cusparse::State::closed;
  p.cusparse_open = state != cusparse::State::closed;
  p.cusparse_refusal = cusparse_refusal(run);
  if (p.cusparse_refusal.empty() && state == cusparse::State::unavailable)
    p.cusparse_refusal = cusparse::unavailable_reason();
  if (!p.cusparse_refusal.empty()) return;
  for (const Family family : {Family::cusparse_csr_alg1, Family::cusparse_csr_alg2, Family::cusparse_sell}) {
    const auto* made = run.call.matrix.find_derived<CusparseProduct>(run.call.transpose_matrix,
                                                                     selector::family_name(family));
    if (made == nullptr) continue;
    p.ready_formats.insert(family);
    if (!made->failure.empty()) p.cusparse_refusal = made->failure;
  }
}

std::string prepare_cusparse(const MatrixVectorRun& run, Family family) {
  return product_of(run, family).failure;
}

DeviceVector pull_by_cusparse(const MatrixVectorRun& run, Family family) {
  const DeviceMatrix& matrix = run.call.matrix;
  const bool transposed = run.call.transpose_matrix;
  matrix.by_rows(transposed);  // a use
  DeviceVector t = new_result(run, /*known_pattern=*/true);
  product_of(run, family).spmv->run(run.call.vector.values.data(), t.values.data());
  return t;
}

}  // namespace cugrb::operations
