// What the reports of several algorithms print in the same way.
#pragma once
#include <nlohmann/json.hpp>

#include <string>

namespace cugrb::command {

/// The vertex of {"vertex", "name"}: its name, or "vertex N".
std::string name_of(const nlohmann::json& entry);
/// "NAME: converged after 3 iterations, residual 1.00e-05".
void print_convergence(const std::string& name, const nlohmann::json& result);
/// A line for each vertex of `top`, under a title; a real number has six places. Nothing for an empty list.
void print_scores(const char* title, const nlohmann::json& top);
/// The same for whole numbers.
void print_numbers(const char* title, const nlohmann::json& top);

}  // namespace cugrb::command
