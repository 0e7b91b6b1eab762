#include "tools/cugrb/algorithms/measurement.h"

#include <algorithm>
#include <numeric>

#include "tools/cugrb/output.h"

namespace cugrb::command {

using nlohmann::json;

void Measurement::compare(const std::vector<double>& values) const {
  if (values_file_.empty()) return;
  write_file(values_file_, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)});
}

json Measurement::named(Index vertex) const {
  json entry = {{"vertex", vertex}};
  if (!loaded.names.empty()) entry["name"] = loaded.names[vertex];
  return entry;
}

json Measurement::largest(const std::vector<double>& values) const {
  std::vector<Index> order(values.size());
  std::iota(order.begin(), order.end(), Index{0});
  const size_t kept = std::min<size_t>(workload.top, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                    [&](Index a, Index b) { return values[a] != values[b] ? values[a] > values[b] : a < b; });
  json list = json::array();
  for (size_t k = 0; k < kept; ++k) {
    list.push_back(named(order[k]));
    list.back()["value"] = values[order[k]];
  }
  return list;
}

}  // namespace cugrb::command
