// The names of triangle counting's methods and orders on the command line.
#pragma once
#include <map>
#include <string>

#include "algorithms/triangle_count.hpp"

namespace cugrb::command {

inline const std::map<std::string, TriangleMethod>& triangle_methods() {
  static const std::map<std::string, TriangleMethod> names = {
      {"burkhardt", TriangleMethod::burkhardt},   {"cohen", TriangleMethod::cohen},
      {"sandia_ll", TriangleMethod::sandia_ll},   {"sandia_uu", TriangleMethod::sandia_uu},
      {"sandia_lut", TriangleMethod::sandia_lut}, {"sandia_ult", TriangleMethod::sandia_ult}};
  return names;
}

inline const std::map<std::string, Presort>& presorts() {
  static const std::map<std::string, Presort> names = {{"automatic", Presort::automatic},
                                                       {"none", Presort::none},
                                                       {"ascending", Presort::ascending},
                                                       {"descending", Presort::descending}};
  return names;
}

inline std::string name_of(Presort presort) {
  for (const auto& [name, value] : presorts()) {
    if (value == presort) return name;
  }
  return {};
}

}  // namespace cugrb::command
