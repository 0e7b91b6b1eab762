// SuiteSparse:GraphBLAS's matrix product on all cores.
#include "bench/common/suitesparse.h"

#include "bench/spgemm/bench.h"

namespace cugrb::bench {

namespace {

using suitesparse::check;

struct Result {
  GrB_Matrix c = nullptr;
  ~Result() { GrB_Matrix_free(&c); }
};

GrB_Descriptor descriptor(const Problem& problem) {
  if (!problem.masked) return problem.b_is_transposed ? GrB_DESC_T1 : nullptr;
  if (problem.complement) return GrB_DESC_SC;
  return GrB_DESC_ST1;
}

void multiply(Result& result, const Problem& problem, const suitesparse::Known& known, GrB_Matrix a,
              GrB_Matrix b) {
  GrB_Matrix_free(&result.c);
  check(GrB_Matrix_new(&result.c, known.result, problem.a->rows(), problem.b->columns()), "GrB_Matrix_new");
  check(GrB_mxm(result.c, problem.masked ? a : nullptr, nullptr, known.semiring, a, b, descriptor(problem)),
        "GrB_mxm");
  check(GrB_Matrix_wait(result.c, GrB_MATERIALIZE), "GrB_Matrix_wait");
}

Checksum checksum(GrB_Matrix c) {
  Checksum found;
  GrB_Index entries = 0;
  check(GrB_Matrix_nvals(&entries, c), "GrB_Matrix_nvals");
  check(GrB_Matrix_reduce_FP64(&found.sum, nullptr, GrB_PLUS_MONOID_FP64, c, nullptr), "GrB_Matrix_reduce");
  found.entries = entries;
  return found;
}

suitesparse::Matrix matrix_of(suitesparse::Pattern& pattern, const Factor& factor, GrB_Type type, bool iso) {
  return {pattern, factor.entries(), type, iso, [&](uint64_t p) { return factor.numbers[p]; }};
}

}  // namespace

nlohmann::json bench_suitesparse(Product& product, const Options& options) {
  const Problem& problem = product.problem;
  const suitesparse::Known* known = suitesparse::find_semiring(product.semiring.name);
  if (known == nullptr || problem.a->entries() == 0 || problem.b->entries() == 0)
    return nlohmann::json::array();
  nlohmann::json row{{"semiring", product.semiring.name}, {"library", "suitesparse"}, {"kernel", "mxm"}};
  if (problem.products > options.suitesparse_products) {
    row["skipped"] = "more products than --suitesparse-products";
    return nlohmann::json::array({row});
  }
  const Factor& right = problem.b_is_transposed ? *problem.a : *problem.b;
  suitesparse::Pattern left_pattern(problem.a->pattern), right_pattern(right.pattern);
  const suitesparse::Matrix a = matrix_of(left_pattern, *problem.a, known->left, known->left_iso);
  const suitesparse::Matrix b = matrix_of(right_pattern, right, known->right, known->right_iso);
  product.account.charge("suitesparse: making");
  Result result;
  double best = product.best_seconds;
  const Timing timing = sample(
      std::min(options.repeat, 10), options.limit_seconds, [&] { multiply(result, problem, *known, a, b); },
      host_elapsed, best);
  product.account.charge("suitesparse: timing");
  const Checksum found = checksum(result.c);
  row["threads"] = suitesparse::threads();
  row["median_seconds"] = timing.median;
  row["least_seconds"] = timing.least;
  row["samples"] = timing.samples;
  row["entries"] = found.entries;
  row["same_result"] = product.agrees(found);
  product.account.charge("comparing");
  return nlohmann::json::array({row});
}

}  // namespace cugrb::bench
