// Where is the real libgraphblas? Four ways to find it, none of which may find this library.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace cugrb::real {

struct Library {
  std::function<void*(const char* name)>
      find;  ///< address of a symbol, null when there is none; empty: not found
  std::string path;
  std::string complaint;  ///< what is wrong although a library was found
};

/// `configured`: the library that the build was configured with, the last resort; `named`: CUGRB_GRAPHBLAS or
/// empty.
Library find_library(const std::string& named, const std::string& configured, const void* caller);

/// Paths of the loaded objects that are named libgraphblas* and are not this library.
std::vector<std::string> loaded_copies();

}  // namespace cugrb::real
