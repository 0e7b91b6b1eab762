// What the parts of bench_spmv share: a matrix in host memory, its typed forms on the device, and how one
// product is measured.
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/common/account.h"
#include "bench/common/candidates.h"
#include "bench/common/device_values.h"
#include "bench/common/options.h"
#include "src/operations/operations.h"
#include "src/selector/mxv_problem.h"
#include "tools/graph_files/generate.h"

namespace cugrb::bench {

namespace suitesparse {
class Pattern;
}

struct Options : CommonOptions {
  bool bfs = false;
};

/// A pattern on the device once, and matrices of several types that share it.
class Workbench {
 public:
  explicit Workbench(graph_files::Csr&& host);
  ~Workbench();
  const graph_files::Csr& host() const { return host_; }
  /// BOOL and iso (true) when the semiring does not read the matrix or is over BOOL; else entry_value(p) in
  /// the type that the semiring reads.
  formats::DeviceMatrix matrix(const Semiring& semiring) const;
  formats::DeviceMatrix pattern() const;
  /// SuiteSparse's copy of the pattern, made at the first call.
  suitesparse::Pattern& host_pattern() const;
  double upload_seconds() const { return upload_seconds_; }

 private:
  graph_files::Csr host_;
  formats::Csr pattern_;
  mutable std::unique_ptr<suitesparse::Pattern> host_pattern_;
  double upload_seconds_ = 0;
};

/// One product T = A u over one semiring: what all candidates compute, and the first one's answer.
struct Product {
  const Workbench& bench;
  const Semiring& semiring;
  const formats::DeviceMatrix& matrix;
  const formats::DeviceVector& u;
  Account& account;
  formats::DeviceVector expected = {};
  double best_seconds = 0;  ///< of the candidates so far
  std::string chosen = {};  ///< the kernel of the free choice, once it has been measured
};

/// The product, into a new w.
void multiply(const Product& product, formats::DeviceVector& w);

/// Bytes of the CSR, with x read and y written once: what must move at least.
double csr_bytes(const Product& product);

/// What the selector knows of the product when it may count all that it asks for; the tiles are those that
/// mxv_tile_composite would be made with.
selector::MxvProblem describe_product(const Product& product);
/// Every kernel of operations::mxv_kernels() and the free choice ("choice"); the first sets product.expected.
/// Rows: {semiring, library: "cugrb", kernel, median_seconds, ..., predicted_seconds, conversion_seconds,
/// bytes, same_result}; with `skipped` or `failed` (why) where it was not measured.
nlohmann::json bench_kernels(Product& product, const Options& options);
/// HYB with the threshold of Bell and Garland ("hyb_bell_garland") and with the published model's optimum
/// ("hyb_analytic"), and, where they are named, binned CSR with 16 lanes for rows of up to so many entries
/// ("binned_csr_48", _64, _96, _128, _160, _192), for PLUS_TIMES.
nlohmann::json bench_thresholds(const Product& product, const Options& options);
/// The published model's compute times, {"FP32": {"COO": seconds, ..., "HYB", "threshold"}, "FP64": ...},
/// with the device's parameters.
nlohmann::json analytic_estimates(const formats::LengthDistribution& lengths);
/// cuSPARSE's algorithms for PLUS_TIMES on FP32 and FP64; an empty list for other semirings and where there
/// is no cuSPARSE.
nlohmann::json bench_cusparse(const Product& product, const Options& options);
/// SuiteSparse:GraphBLAS on all cores.
nlohmann::json bench_suitesparse(const Product& product, const Options& options);

/// Whether w and the expected result have the same entries; compared on the device.
bool same(const formats::DeviceVector& w, const formats::DeviceVector& expected);

/// A whole breadth-first search, level by level, from the vertex of most edges.
nlohmann::json bench_breadth_first(const Workbench& bench, int repeat);

}  // namespace cugrb::bench
