// What the kernels over rows in bins have in common.
#pragma once
#include <functional>
#include <initializer_list>
#include <string>

#include "src/formats/row_bins.h"
#include "src/operations/multiply/mxv/pull.h"

namespace cugrb::operations {

/// Rows in bins (formats::RowBins): a span of rows by length for each class of lanes.
struct BinClass {
  uint64_t longest;
  double lanes;
};
/// The demand of a product by rows in bins; `row_bytes` are read for every row with entries.
selector::Demand demand_of_bins(const MxvProblem& p, const Hardware& h, const std::vector<BinClass>& classes,
                                double row_bytes);
double on_emulated_bins(const MxvProblem& p);

/// The spans of the bins: bin n + 1 belongs to class classes[n] (cuda/views/row_bins.h). The number of
/// blocks.
uint64_t lay_out_spans(const formats::RowBins& bins, std::initializer_list<int> classes, uint64_t chunks,
                       MxvBinsArguments& arguments);
/// Templates of one family.
struct BinKernels {
  const char *header, *rows, *carries;
};
/// Its kernel on the rows, and the one on carries when rows are cut into chunks; `matrix`: the template-id of
/// the rows. One or two launches.
void run_bins(const MatrixVectorRun& run, const Pull& pull, const BinKernels& kernels,
              const std::function<std::string()>& matrix, uint64_t blocks, uint64_t chunks,
              MxvBinsArguments& arguments);

}  // namespace cugrb::operations
