// Several matrices as a table: a line each and each semiring, and what predictions and choices are worth.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace cugrb::command {

/// How many kernels were measured, and how many of them as predicted.
struct Tally {
  size_t kernels = 0, within_20_percent = 0, failures = 0;
  void add(const Tally& other);
  std::string text() const;  ///< "predicted within 20 %: X of Y kernels"
};
Tally tally_of(const nlohmann::json& product);

/// Printed as soon as a matrix is known; at the end, what the regrets and the errors of the predictions come
/// to.
void print_table_head(bool measured);
void print_table_lines(const nlohmann::json& report, bool measured);
void print_table_end(const nlohmann::json& reports);

/// The table as JSON, a line a matrix: `run` (device, commit, date ...), the sums, and of each matrix what
/// the printed line says and the candidates' times, but not the distributions of lengths.
std::string table_json(const nlohmann::json& run, const nlohmann::json& reports);

}  // namespace cugrb::command
