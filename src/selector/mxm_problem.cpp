#include "src/selector/mxm_problem.h"

#include <algorithm>

#include "cuda/views/mxm.h"

namespace cugrb::selector {

ResultEntries entries_by_means(const MxmProblem& p) {
  ResultEntries entries;
  const double rows = std::min(double(p.rows), std::max(1.0, double(p.left_entries)));
  entries.all = std::min(p.products, rows * reached_columns(p.products / rows, double(p.columns)));
  entries.kept = p.mask == MaskUse::selects ? std::min(entries.all, double(p.mask_entries)) : entries.all;
  return entries;
}

ResultEntries uncounted_entries(const MxmProblem& p) {
  ResultEntries entries = entries_by_means(p);
  if (p.met <= 0 || p.products / p.met >= entries.all) return entries;
  entries.source = ResultEntries::Source::drawn;
  entries.kept *= p.products / p.met / entries.all;
  entries.all = p.products / p.met;
  return entries;
}

RowWeights weights_by_means(const MxmProblem& p) {
  const double rows = std::min(double(p.rows), std::max(1.0, double(p.left_entries)));
  const double mean = p.products / rows;
  if (mean <= double(short_row_products)) return {0, 0, 0, 0, p.products};
  if (mean <= double(light_row_products)) return {};
  if (mean <= double(medium_row_products)) return {p.products, 0, 0, 0};
  return {0, p.products, rows, mean};
}

}  // namespace cugrb::selector
