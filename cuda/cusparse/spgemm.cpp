#include "cuda/cusparse/cusparse.h"

namespace cugrb::cusparse {

namespace {

/// One product's description, destroyed with it.
class Product {
 public:
  Product(Handle handle, Real real, const CsrArrays& a, const CsrArrays& b)
      : handle_(handle), real_(real), scalars_(real), a_(describe(real, a)), b_(describe(real, b)) {
    c_.rows = a.rows;
    c_.columns = b.columns;
    description_ = describe(real, c_);
    check(library().spgemm_create(&state_), "cusparseSpGEMM_createDescr");
  }
  ~Product() {
    if (state_ != nullptr) library().spgemm_destroy(state_);
  }
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;

  CsrArrays compute() {
    // Both phases say first, without workspace, how much they need.
    size_t bytes = 0;
    estimate(&bytes, nullptr);
    const runtime::Buffer estimation = workspace(bytes);
    estimate(&bytes, estimation.data());
    multiply(&bytes, nullptr);
    const runtime::Buffer multiplication = workspace(bytes);
    multiply(&bytes, multiplication.data());
    return copy();
  }

 private:
  /// Null would ask for the size once more.
  static runtime::Buffer workspace(size_t bytes) { return runtime::Buffer(bytes > 0 ? bytes : 1); }

  void estimate(size_t* bytes, void* work) {
    check(library().spgemm_work_estimation(handle_, not_transposed, not_transposed, scalars_.one(), a_.get(),
                                           b_.get(), scalars_.zero(), description_.get(), int(real_),
                                           spgemm_alg1, state_, bytes, work),
          "cusparseSpGEMM_workEstimation");
  }
  void multiply(size_t* bytes, void* work) {
    check(library().spgemm_compute(handle_, not_transposed, not_transposed, scalars_.one(), a_.get(),
                                   b_.get(), scalars_.zero(), description_.get(), int(real_), spgemm_alg1,
                                   state_, bytes, work),
          "cusparseSpGEMM_compute");
  }
  CsrArrays copy() {
    int64_t rows = 0, columns = 0, entries = 0;
    check(library().matrix_size(description_.get(), &rows, &columns, &entries), "cusparseSpMatGetSize");
    c_.entries = uint64_t(entries);
    c_.offsets = runtime::Buffer((c_.rows + 1) * sizeof(int32_t));
    c_.column_indices = runtime::Buffer(c_.entries * sizeof(int32_t));
    c_.values = runtime::Buffer(c_.entries * bytes_of(real_));
    check(library().csr_set_pointers(description_.get(), c_.offsets.data(), c_.column_indices.data(),
                                     c_.values.data()),
          "cusparseCsrSetPointers");
    check(library().spgemm_copy(handle_, not_transposed, not_transposed, scalars_.one(), a_.get(), b_.get(),
                                scalars_.zero(), description_.get(), int(real_), spgemm_alg1, state_),
          "cusparseSpGEMM_copy");
    return c_;
  }

  Handle handle_;
  Real real_;
  Scalars scalars_;
  CsrArrays c_;
  Description a_, b_, description_;
  ProductState state_ = nullptr;
};

}  // namespace

CsrArrays multiply(Real real, const CsrArrays& a, const CsrArrays& b) {
  require();
  CsrArrays c;
  with_handle([&](Handle handle) { c = Product(handle, real, a, b).compute(); });
  return c;
}

}  // namespace cugrb::cusparse
