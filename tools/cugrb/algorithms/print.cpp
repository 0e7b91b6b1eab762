#include "tools/cugrb/algorithms/print.h"

#include <fmt/core.h>

#include "src/support/text.h"

namespace cugrb::command {

using nlohmann::json;

std::string name_of(const json& entry) {
  const std::string number = std::to_string(entry["vertex"].get<uint64_t>());
  return entry.contains("name") ? printable(entry["name"].get<std::string>()) : "vertex " + number;
}

void print_convergence(const std::string& name, const json& result) {
  fmt::print("{}: {} after {} iterations, residual {:.2e}\n", name,
             result["converged"].get<bool>() ? "converged" : "not converged", result["iterations"].get<int>(),
             result["residual"].get<double>());
}

void print_scores(const char* title, const json& top) {
  if (top.empty()) return;
  fmt::print("\n  {:<10} vertex\n", title);
  for (const json& entry : top) fmt::print("  {:.6f}   {}\n", entry["value"].get<double>(), name_of(entry));
}

void print_numbers(const char* title, const json& top) {
  if (top.empty()) return;
  fmt::print("\n  {:>10}   vertex\n", title);
  for (const json& entry : top) fmt::print("  {:>10}   {}\n", entry["value"].get<double>(), name_of(entry));
}

}  // namespace cugrb::command
