#include "tools/calibration/products.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "src/operations/multiply/registry.h"

namespace cugrb::calibration {

using nlohmann::json;
using selector::MxvProblem;

namespace {

/// visit(name, number) for each number of a problem.
template <class Problem, class Visit>
void visit_numbers(Problem& p, const Visit& visit) {
  visit("rows", p.rows);
  visit("columns", p.columns);
  visit("entries", p.entries);
  visit("offset_bytes", p.offset_bytes);
  visit("column_bytes", p.column_bytes);
  visit("matrix_value_bytes", p.matrix_value_bytes);
  visit("vector_value_bytes", p.vector_value_bytes);
  visit("result_bytes", p.result_bytes);
  visit("vector_entries", p.vector_entries);
  visit("allowed_share", p.allowed_share);
  visit("stops_early", p.stops_early);
  visit("stops_at_once", p.stops_at_once);
  visit("swaps_to_add", p.swaps_to_add);
  visit("memory_bytes", p.memory_bytes);
  visit("slice_columns", p.slice_columns);
  visit("hyb_threshold", p.hyb_threshold);
  visit("hyb_slice_columns", p.hyb_slice_columns);
  visit("gather_lines", p.gathers.lines);
  visit("gather_sectors_1", p.gathers.sectors_1);
  visit("gather_sectors_4", p.gathers.sectors_4);
  visit("gather_sectors_8", p.gathers.sectors_8);
  visit("tile_columns", p.tile_columns);
  visit("tiles_made", p.tiles_made);
  visit("push_refusal", p.push_refusal);
  visit("merge_refusal", p.merge_refusal);
  visit("tile_refusal", p.tile_refusal);
  visit("cusparse_refusal", p.cusparse_refusal);
  visit("push_rows", p.push_lengths.rows);
  visit("push_longest", p.push_lengths.longest);
  visit("push_empty", p.push_lengths.empty);
  visit("push_mean", p.push_lengths.mean);
  visit("push_deviation", p.push_lengths.deviation);
}

double middle_of(std::vector<double> numbers) {
  const auto middle = numbers.begin() + std::ptrdiff_t(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

}  // namespace

json describe_state(const MxvProblem& problem) {
  json state = {{"host_call_seconds", problem.host_call_seconds}};
  if (problem.csb_steps > 0) {
    state["csb_steps"] = problem.csb_steps;
    state["csb_cluster"] = problem.csb_cluster;
  }
  return state;
}

json describe_problem(const MxvProblem& problem) {
  json numbers = json::object();
  visit_numbers(problem, [&numbers](const char* name, const auto& number) { numbers[name] = number; });
  return numbers;
}

json describe_matrix(const MxvProblem& problem) {
  json matrix = json::object();
  if (problem.pull_distribution != nullptr) {
    json lengths = json::array(), rows = json::array();
    for (const formats::LengthDistribution::Bin& bin : problem.pull_distribution->bins()) {
      lengths.push_back(bin.length);
      rows.push_back(bin.rows);
    }
    matrix["lengths"] = std::move(lengths);
    matrix["rows"] = std::move(rows);
  }
  if (problem.popularity != nullptr) {
    matrix["entries_of_first"] = problem.popularity->entries_of_first;
    matrix["popular_columns"] = problem.popularity->popular_columns;
  }
  return matrix;
}

void Measurements::add(const json& results) try {
  const std::set<std::string> outdated = results.value("outdated", std::set<std::string>());
  for (const json& matrix : results.at("matrices")) {
    if (!matrix.contains("profile")) continue;
    const json& profile = matrix["profile"];
    std::vector<std::pair<uint64_t, uint64_t>> histogram;
    for (size_t n = 0; n < profile.at("lengths").size(); ++n)
      histogram.emplace_back(profile["lengths"][n], profile.at("rows").at(n));
    rows_.emplace_back(std::move(histogram));
    const formats::ColumnPopularity* popularity = nullptr;
    if (profile.contains("entries_of_first")) {
      columns_.emplace_back();
      profile["entries_of_first"].get_to(columns_.back().entries_of_first);
      profile.at("popular_columns").get_to(columns_.back().popular_columns);
      popularity = &columns_.back();
    }
    for (const auto& [semiring, numbers] : matrix.at("problems").items()) {
      MeasuredProduct product{matrix.at("name"), matrix.at("family"), semiring, {}, {}};
      MxvProblem& p = product.problem;
      visit_numbers(p, [&numbers = numbers](const char* name, auto& number) {
        // Earlier files, which have no such kernel, do not say it.
        if (name != std::string("cusparse_refusal") || numbers.contains(name))
          numbers.at(name).get_to(number);
      });
      p.pull_distribution = &rows_.back();
      p.pull_lengths = rows_.back().summary();
      p.popularity = popularity;
      if (popularity != nullptr && p.tile_columns > 0) {
        tiles_.push_back(selector::forecast_tiles(p));
        p.tile_forecast = &tiles_.back();
      }
      std::vector<double> paces;
      for (const json& result : matrix.at("results")) {
        const std::string kernel = result.at("kernel");
        const bool measured = result.at("library") == "cugrb" && result.contains("median_seconds") &&
                              operations::find_mxv_kernel(kernel) != nullptr && outdated.count(kernel) == 0;
        if (!measured || result.at("semiring") != semiring) continue;
        product.kernels.push_back({kernel, result["median_seconds"]});
        paces.push_back(result.value("host_call_seconds", 0.0));
        p.csb_steps = result.value("csb_steps", p.csb_steps);
        p.csb_cluster = result.value("csb_cluster", p.csb_cluster);
      }
      if (!paces.empty()) p.host_call_seconds = middle_of(std::move(paces));
      products.push_back(std::move(product));
    }
  }
} catch (const json::exception& error) {
  throw std::invalid_argument(std::string("not a file of bench_spmv: ") + error.what());
}

}  // namespace cugrb::calibration
