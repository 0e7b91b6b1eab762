// The ranks that run a test program together, and what tests make of their parts.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "cugrb/distributed.hpp"
#include "tools/distributed/load.h"

namespace distributed_tests {

/// Of the whole program.
cugrb::Distributed& ranks();

/// The values of all ranks' vertices, by vertex; `missing` where there is no entry. On every rank.
template <class T>
std::vector<double> whole(const cugrb::Vector<T>& block, const cugrb::Deal& deal, double missing = -1) {
  struct Named {
    uint64_t vertex;
    double value;
  };
  std::vector<Named> own;
  const auto entries = block.entries();
  for (size_t k = 0; k < entries.indices.size(); ++k)
    own.push_back({deal.vertex(ranks().rank(), entries.indices[k]), static_cast<double>(entries.values[k])});
  const std::vector<std::vector<Named>> to_all(static_cast<size_t>(ranks().size()), own);
  std::vector<double> values(deal.size(), missing);
  for (const Named& named : ranks().all_to_all(to_all)) values[named.vertex] = named.value;
  return values;
}

/// A file in the temporary folder that rank 0 writes and removes, and all read.
class SharedFile {
 public:
  SharedFile(const std::string& ending, const std::string& content);
  ~SharedFile();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace distributed_tests
