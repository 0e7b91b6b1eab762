#include "bench/common/graphs.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "tools/graph_files/generate.h"

namespace cugrb::bench {

std::vector<std::string> files_of(const std::string& folder) {
  if (!std::filesystem::is_directory(folder)) throw std::invalid_argument("--data " + folder + ": no folder");
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::filesystem::path name = entry.path().filename();
    if (name.extension() == ".gz" || name.extension() == ".xz") name.replace_extension();
    const bool is_graph =
        name.extension() == ".mtx" || name.extension() == ".txt" || name.extension() == ".el";
    if (entry.is_regular_file() && is_graph) names.push_back(entry.path().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string family_of(const std::string& graph) {
  return graph_files::is_generated(graph) ? graph.substr(0, graph.find(':')) : "file";
}

std::string short_name(const std::string& graph) {
  if (graph_files::is_generated(graph)) return graph;
  const std::string name = std::filesystem::path(graph).filename().string();
  return name.substr(0, name.find(".mtx"));
}

}  // namespace cugrb::bench
