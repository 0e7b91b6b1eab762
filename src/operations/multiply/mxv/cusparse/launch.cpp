// The matrix-vector product by cuSPARSE (cuda/cusparse/cusparse.h), for what it can do.
#include "src/operations/multiply/mxv/cusparse/cusparse.h"

#include "cuda/cusparse/cusparse.h"
#include "src/memory/policy.h"
#include "src/operations/cusparse_operands.h"
#include "src/operations/multiply/mxv/ell/ell.h"
#include "src/operations/multiply/registry.h"
#include "src/support/settings.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Ell;

namespace {

/// What is kept with a matrix for one algorithm.
struct CusparseProduct {
  std::shared_ptr<const cusparse::Spmv> spmv;
  runtime::Buffer slice_offsets;  ///< SELL's, as cuSPARSE counts them
  std::string failure;            ///< why there is no spmv
  size_t bytes() const { return (spmv == nullptr ? 0 : spmv->workspace_bytes()) + slice_offsets.bytes(); }
};

/// `make` fills in the product; what goes wrong becomes its failure.
template <class Make>
CusparseProduct attempted(const Make& make) {
  CusparseProduct product;
  try {
    const auto missing = memory::shortage([&] { make(product); });
    if (missing) product.failure = *missing;
  } catch (const cusparse::Failure& failure) {
    product.failure = failure.what();
  }
  return product;
}

/// By which it is kept: one a kernel.
template <const MxvKernel& kernel>
struct Key : formats::Only<CusparseProduct> {};

/// What answers for one algorithm: made at the first call, and kept with the matrix.
using ProductOf = const CusparseProduct& (*)(const MatrixVectorRun& run);

template <const MxvKernel& kernel, cusparse::SpmvAlgorithm algorithm>
const CusparseProduct& product_of_csr(const MatrixVectorRun& run) {
  return run.call.matrix.derived(run.call.transpose_matrix, Key<kernel>(), [&](const Csr& rows) {
    return attempted([&](CusparseProduct& product) {
      const cusparse::Real real = real_of(run.call.semiring.add.type());
      product.spmv = std::make_shared<cusparse::Spmv>(real, algorithm, arrays_of(rows));
    });
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

const CusparseProduct& product_of_sell(const MatrixVectorRun& run) {
  const Ell& sell = sell_of(run.call.matrix, run.call.transpose_matrix);
  return run.call.matrix.derived(run.call.transpose_matrix, Key<mxv_cusparse_sell>(),
                                 [&] { return make_of_sell(real_of(run.call.semiring.add.type()), sell); });
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

/// What failed for one of the kernels is tried by none.
template <const MxvKernel& kernel>
void describe_product(const MatrixVectorRun& run, MxvProblem& p) {
  const CusparseProduct* made = run.call.matrix.find_derived(run.call.transpose_matrix, Key<kernel>());
  if (made == nullptr) return;
  p.ready_formats.insert(&kernel);
  if (!made->failure.empty()) p.cusparse_refusal = made->failure;
}

/// `of_device`: the library of the device is asked for (and, on the emulated device, opened); another device
/// is taken to have it.
void describe_cusparse(const MatrixVectorRun& run, bool of_device, MxvProblem& p) {
  const cusparse::State state = of_device ? cusparse::state() : cusparse::State::closed;
  p.cusparse_open = state != cusparse::State::closed;
  p.cusparse_refusal = cusparse_refusal(run);
  if (p.cusparse_refusal.empty() && state == cusparse::State::unavailable)
    p.cusparse_refusal = cusparse::unavailable_reason();
  if (!p.cusparse_refusal.empty()) return;
  describe_product<mxv_cusparse_csr_alg1>(run, p);
  describe_product<mxv_cusparse_csr_alg2>(run, p);
  describe_product<mxv_cusparse_sell>(run, p);
}

/// u is full, and there is no mask. T has entries where rows have: full, or a bitmap whose presence is made
/// once a matrix.
std::function<MxvLaunch(const MxvProblem&, const Hardware&)> plan_cusparse(ProductOf product_of) {
  return [product_of](const MxvProblem&, const Hardware&) -> MxvLaunch {
    const auto multiply = [product_of](const MatrixVectorRun& run) {
      run.call.matrix.by_rows(run.call.transpose_matrix);  // a use
      DeviceVector t = new_result(run, /*known_pattern=*/true);
      product_of(run).spmv->run(run.call.vector.values.data(), t.values.data());
      return t;
    };
    return {multiply, [product_of](const MatrixVectorRun& run) { return product_of(run).failure; }};
  };
}

template <const MxvKernel& kernel, cusparse::SpmvAlgorithm algorithm>
MxvKernel kernel_of_csr(const Kernel& named, NumbersId numbers, bool fixed_order) {
  return {named,
          {.cost = [=](const MxvProblem& p,
                       const Hardware& h) { return cost_of_cusparse_csr(p, h, numbers, fixed_order); },
           .plan = plan_cusparse(product_of_csr<kernel, algorithm>),
           .numbers = numbers,
           .derives = {typeid(Key<kernel>)},
           .describe = describe_cusparse}};
}

}  // namespace

const MxvKernel mxv_cusparse_csr_alg1 =
    kernel_of_csr<mxv_cusparse_csr_alg1, cusparse::SpmvAlgorithm::csr_alg1>(
        {"mxv_cusparse_csr_alg1"}, "cusparse_csr_alg1", /*fixed_order=*/false);

const MxvKernel mxv_cusparse_csr_alg2 =
    kernel_of_csr<mxv_cusparse_csr_alg2, cusparse::SpmvAlgorithm::csr_alg2>(
        {"mxv_cusparse_csr_alg2", Role::reference}, "cusparse_csr_alg2", /*fixed_order=*/true);

const MxvKernel mxv_cusparse_sell = {{"mxv_cusparse_sell", Role::reference},
                                     {.cost = cost_of_cusparse_sell,
                                      .plan = plan_cusparse(product_of_sell),
                                      .numbers = NumbersId("cusparse_sell"),
                                      .format = "sell",
                                      .derives = {typeid(Ell::Sliced), typeid(Key<mxv_cusparse_sell>)},
                                      .describe = describe_cusparse}};

}  // namespace cugrb::operations
