// What `cugrb explain` finds out about a matrix, as plain data: shared by the process that looks at the
// matrix and the one that prints.
#pragma once
#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "src/selector/hardware.h"
#include "tools/graph_files/csr.h"

namespace cugrb::command {

struct ExplainRequest {
  std::string graph;  ///< a file, or a generator's name
  bool directed = false;
  std::vector<std::string> semirings;
  uint64_t uses = 1000;  ///< products that a format's conversion is shared out over
  unsigned devices = 0;  ///< predict for 1 ... so many devices, too; 0: for one
  bool measure = false;
  unsigned repeat = 20;
  bool mxm = false;          ///< of the product with `second`, not with a vector
  std::string second, mask;  ///< may be empty: the first one once more; no mask
  bool complement = false, transpose_first = false, transpose_second = false;
  bool assumed = false;  ///< predict for the default hardware profile, not for this process's device
};
nlohmann::json to_json(const ExplainRequest& request);
ExplainRequest explain_request_from_json(const nlohmann::json& json);

/// Loads the matrix onto this process's device and describes it:
///   graph     {name, rows, columns, entries, symmetric}
///   device    {name, assumed, driver, calibrated, profile}
///   lengths   {rows, columns}: each {rows, entries, empty, longest, distinct, mean, deviation, skewness,
///             fractiles: {"50": length, ...}, warp_fractile_mean, histogram: [[length, rows], ...]};
///             measured: counting_seconds: {rows, columns}
///   products  [{semiring, operation, uses, analytic, chosen, forced, candidates, regret, best}], one a
///   semiring
/// With `devices` each has `scale` (explain_scale.h). `analytic` has parameters, the estimates of formats
/// (COO, CSR, ELL, HYB of least total time), of resident_hyb, bell_garland_hyb and kernel_hyb (at mxv_hyb's
/// threshold), choice, resident_choice, fractile_mean, and the same of the other reading of E(Q):
/// break_points {mean, formats, choice, resident_choice}. A candidate: {kernel, format, applicable, reason,
/// predicted_seconds, conversion_seconds, break_even_uses}, analytic_seconds and analytic_optimum_seconds
/// where the model has them, and, measured, {measured_seconds, measured_conversion_seconds} or {failure}:
/// also when another kernel ran than this one. `regret` is the chosen kernel's measured time over the best
/// one's, both in turns, minus 1; `measurement` {what, samples, rounds, host_call_seconds} says what the
/// seconds are. Throws Failure, FileError, runtime errors.
nlohmann::json explain(const ExplainRequest& request);

/// The same of C<mask> = A B, structural:
///   graph, second, mask   as above; the latter two where they were given
///   lengths   {rows, columns}: of the rows of both factors as they are multiplied
///   products  as above, without analytic; and what the predictions rest on: estimate {products, counted,
///   entries,
///             kept, counted_rows, deviation, uncounted_share, by_mean_row}, measured: result_entries
/// and candidates have workspace_bytes and, measured, measured_workspace_bytes.
nlohmann::json explain_mxm(const ExplainRequest& request);

// What both have in common.
graph_files::Csr load(const std::string& graph, bool directed);
nlohmann::json describe_graph(const std::string& name, const graph_files::Csr& csr);
nlohmann::json describe_device(const ExplainRequest& request);
selector::Hardware hardware_of(const ExplainRequest& request);

/// The graph's name without its folder, as it may be shown.
std::string short_name(const nlohmann::json& report);
/// Everything about one matrix, on standard output.
void print_explanation(const nlohmann::json& report);
/// The same about a product of two.
void print_mxm(const nlohmann::json& report);
/// The distributions of row and column lengths, rows of a length over length, both axes logarithmic.
std::string lengths_svg(const nlohmann::json& report);

}  // namespace cugrb::command
