// What the parts of bench_spgemm share: a case, one product of it over one semiring, and its candidates.
#pragma once
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/common/account.h"
#include "bench/common/candidates.h"
#include "bench/common/options.h"
#include "bench/spgemm/factors.h"
#include "src/operations/matrix_operations.h"

namespace cugrb::bench {

/// An external program: its name, and the command that gets a matrix file as its last argument.
struct Peer {
  std::string name, command;
};

struct Options : CommonOptions {
  std::vector<Peer> peers;
  double suitesparse_products = 3e9;  ///< it is left out where there are more
};

/// C = A B, or C<A> = A B with A's pattern as structural mask.
struct Problem {
  std::string what;                    ///< "A*A'<A>"
  std::shared_ptr<const Factor> a, b;  ///< b as it is multiplied by
  bool b_is_transposed = false;        ///< b is A', and the call multiplies by A transposed
  bool masked = false, complement = false;
  double products = 0;  ///< terms, the mask left aside
};

/// Entries of C and the sum of their values, in FP64.
struct Checksum {
  uint64_t entries = 0;
  double sum = 0;
  friend bool operator==(const Checksum&, const Checksum&) = default;
};
Checksum checksum(const formats::DeviceMatrix& c);
/// The most bytes that a run, which makes c, takes beside what is there and c.
size_t workspace_of(formats::DeviceMatrix& c, const std::function<void()>& run);

/// A problem over one semiring on the device; what all candidates compute, and the first one's answer.
struct Product {
  const Problem& problem;
  const Semiring& semiring;
  Account& account;
  formats::DeviceMatrix a, b;  ///< b: A itself where the call transposes it
  bool has_expected = false;
  Checksum expected = {};
  size_t c_bytes = 0;
  double best_seconds = 0;  ///< of the candidates so far

  Product(const Problem& problem, const Semiring& semiring, Account& account);
  /// Notes the first candidate's answer; says whether this one is the same.
  bool agrees(const Checksum& found);
  /// Bytes that must move at least: each factor read once, C written once.
  double least_bytes() const;
};

/// Every kernel of operations::mxm_kernels() that applies, and the free choice ("choice"). Rows: {semiring,
/// library: "cugrb", kernel, chosen, predicted_seconds, median_seconds, ..., entries, workspace_bytes: the
/// most that was in use beside the factors and C, least_bytes, same_result}; with `skipped` or `failed` (why)
/// where it was not measured.
nlohmann::json bench_kernels(Product& product, const Options& options);
/// Products of T's short, medium and heavy rows: with them predictions can be repeated without a device.
nlohmann::json row_weights(const Product& product);
/// cusparseSpGEMM's algorithms, for PLUS_TIMES on FP32 and FP64 without a mask; the same columns. An empty
/// list elsewhere, and where there is no cuSPARSE.
nlohmann::json bench_cusparse(Product& product, const Options& options);
/// SuiteSparse:GraphBLAS on all cores.
nlohmann::json bench_suitesparse(Product& product, const Options& options);
/// External programs on A A over PLUS_TIMES_FP32: README.md says what they must print.
nlohmann::json bench_peers(Product& product, const Options& options);
/// The sum of C<L> = L U' over PLUS_PAIR as LAGraph's triangle count does it (vertices by ascending degree),
/// with and without the matrix in between.
nlohmann::json bench_triangles(const graph_files::Csr& graph, const Options& options);

}  // namespace cugrb::bench
