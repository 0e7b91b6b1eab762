#include "bench/spmv/suites.h"

#include <map>
#include <stdexcept>

#include "tools/graph_files/generate.h"

namespace cugrb::bench {

namespace {

using Names = std::vector<std::string>;

/// Chung-Lu presets of one paper.
Names presets(const std::string& source) {
  Names names;
  for (const graph_files::ChungLuPreset& preset : graph_files::chung_lu_presets()) {
    if (source == preset.source) names.push_back(std::string("chung_lu:") + preset.name);
  }
  return names;
}

const std::map<std::string, Names>& suites() {
  static const std::map<std::string, Names> all = {
      {"quick",
       {"rmat:16:16:directed", "rmat:16:16", "uniform:65536:16", "chung_lu:webbase:0.1", "poisson2d:256:256",
        "poisson3d:32:32:32:27"}},
      {"rmat",
       {"rmat:18:16:directed", "rmat:18:16", "rmat:20:16:directed", "rmat:20:16", "rmat:22:16:directed",
        "rmat:22:16", "rmat:24:16:directed", "rmat:24:16"}},
      {"regular",
       {"poisson2d:1024:1024", "poisson2d:2048:2048", "poisson2d:2048:2048:9", "poisson3d:128:128:128:7",
        "poisson3d:256:256:256:7", "poisson3d:128:128:128:27", "banded:1048576:2", "banded:1048576:16"}},
      {"uniform",
       {"uniform:262144:16:directed", "uniform:1048576:16:directed", "uniform:4194304:16:directed"}},
      {"pvldb", presets("PVLDB")},
      {"amd", presets("AMD")},
      {"dcsr", presets("DCSR")},
      {"small",
       {"poisson2d:64:64",
        "poisson2d:128:128:9",
        "poisson2d:256:256",
        "poisson3d:24:24:24:27",
        "poisson3d:32:32:32:7",
        "banded:65536:2",
        "banded:8192:32",
        "banded:32768:64",
        "rmat:10:16",
        "rmat:12:16:directed",
        "rmat:14:16",
        "rmat:16:8:directed",
        "uniform:16384:16:directed",
        "uniform:65536:4:directed",
        "uniform:131072:2",
        "chung_lu:4000:170000:2.5",
        "chung_lu:20000:400000:2.5",
        "chung_lu:37700:578000:2.2:9000",
        "chung_lu:82000:950000:2.1:2500",
        "chung_lu:100000:200000:3.0",
        "chung_lu:300000:1600000:2.5:240"}},
      {"more",
       {"rmat:19:16:directed",
        "rmat:21:16:directed",
        "rmat:23:16:directed",
        "rmat:19:16",
        "rmat:21:16",
        "rmat:20:4:directed",
        "rmat:20:64:directed",
        "rmat:22:8:directed",
        "rmat:18:64",
        "uniform:1048576:4:directed",
        "uniform:1048576:64:directed",
        "uniform:2097152:8",
        "chung_lu:2000000:20000000:1.8",
        "chung_lu:2000000:20000000:2.5",
        "chung_lu:2000000:20000000:3.0",
        "chung_lu:1000000:30000000:2.1:100000",
        "chung_lu:4000000:40000000:2.1:5000:1:undirected",
        "chung_lu:100000:10000000:2.2",
        "poisson2d:512:512:9",
        "poisson2d:4096:4096",
        "poisson3d:64:64:64:27",
        "poisson3d:192:192:192:27",
        "banded:4194304:1",
        "banded:262144:64"}}};
  return all;
}

}  // namespace

Names suite(const std::string& name) {
  if (name == "all") {
    Names names;
    for (const char* part : {"rmat", "regular", "uniform", "pvldb", "amd", "dcsr", "more", "small"}) {
      for (const std::string& graph : suites().at(part)) names.push_back(graph);
    }
    return names;
  }
  const auto found = suites().find(name);
  if (found == suites().end()) {
    std::string known = "all";
    for (const auto& [key, names] : suites()) known += ", " + key;
    throw std::invalid_argument("--set " + name + ": expected one of " + known);
  }
  return found->second;
}

}  // namespace cugrb::bench
