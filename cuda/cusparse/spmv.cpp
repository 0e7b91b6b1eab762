#include <vector>

#include "cuda/cusparse/cusparse.h"

namespace cugrb::cusparse {

namespace {

Description describe(Real real, const SellArrays& sell) {
  SparseMatrix matrix = nullptr;
  check(library().create_sell(&matrix, int64_t(sell.rows), int64_t(sell.columns), int64_t(sell.entries),
                              int64_t(sell.positions), int64_t(sell.slice_rows), sell.offsets.data(),
                              sell.column_indices.data(), sell.values.data(), index_32, index_32, from_zero,
                              int(real)),
        "cusparseCreateSlicedEll");
  return Description(matrix);
}

/// cuSPARSE's description of a full vector.
class Vector {
 public:
  Vector(Real real, uint64_t length, void* somewhere) {
    check(library().create_vector(&vector_, int64_t(length), somewhere, int(real)), "cusparseCreateDnVec");
  }
  ~Vector() { library().destroy_vector(vector_); }
  Vector(const Vector&) = delete;
  Vector& operator=(const Vector&) = delete;

  DenseVector at(void* values) const {
    check(library().vector_set_values(vector_, values), "cusparseDnVecSetValues");
    return vector_;
  }
  DenseVector get() const { return vector_; }

 private:
  DenseVector vector_ = nullptr;
};

}  // namespace

class Spmv::Prepared {
 public:
  /// `arrays` are what the description refers to, `rows` long the vector that it makes.
  Prepared(Real real, SpmvAlgorithm algorithm, Description description, uint64_t rows, uint64_t columns,
           std::vector<runtime::Buffer> arrays)
      : real_(real),
        algorithm_(int(algorithm)),
        scalars_(real),
        arrays_(std::move(arrays)),
        matrix_(std::move(description)),
        x_(real, columns, arrays_.back().data()),  // until there is a vector, some place in device memory
        y_(real, rows, arrays_.back().data()) {
    with_handle([&](Handle handle) {
      size_t bytes = 0;
      check(library().spmv_buffer_size(handle, not_transposed, scalars_.one(), matrix_.get(), x_.get(),
                                       scalars_.zero(), y_.get(), int(real_), algorithm_, &bytes),
            "cusparseSpMV_bufferSize");
      workspace_ = runtime::Buffer(bytes > 0 ? bytes : 1);
      const int status =
          library().spmv_preprocess(handle, not_transposed, scalars_.one(), matrix_.get(), x_.get(),
                                    scalars_.zero(), y_.get(), int(real_), algorithm_, workspace_.data());
      if (status != not_supported) check(status, "cusparseSpMV_preprocess");  // there is none for SELL
    });
  }

  void run(const void* x, void* y) const {
    with_handle([&](Handle handle) {
      check(library().spmv(handle, not_transposed, scalars_.one(), matrix_.get(), x_.at(const_cast<void*>(x)),
                           scalars_.zero(), y_.at(y), int(real_), algorithm_, workspace_.data()),
            "cusparseSpMV");
    });
  }
  size_t workspace_bytes() const { return workspace_.bytes(); }

 private:
  Real real_;
  int algorithm_;
  Scalars scalars_;
  std::vector<runtime::Buffer> arrays_;
  Description matrix_;
  Vector x_, y_;
  runtime::Buffer workspace_;
};

Spmv::Spmv(Real real, SpmvAlgorithm algorithm, const CsrArrays& csr) {
  require();
  prepared_ =
      std::make_shared<Prepared>(real, algorithm, describe(real, csr), csr.rows, csr.columns,
                                 std::vector<runtime::Buffer>{csr.offsets, csr.column_indices, csr.values});
}

Spmv::Spmv(Real real, const SellArrays& sell) {
  require();
  prepared_ = std::make_shared<Prepared>(
      real, SpmvAlgorithm::sell, describe(real, sell), sell.rows, sell.columns,
      std::vector<runtime::Buffer>{sell.offsets, sell.column_indices, sell.values});
}

void Spmv::run(const void* x, void* y) const { prepared_->run(x, y); }
size_t Spmv::workspace_bytes() const { return prepared_->workspace_bytes(); }

}  // namespace cugrb::cusparse
