// Files that the build knew by absolute paths, where they are now: scripts/gpu_test runs the suite on another
// machine and says where the source and the build trees are there (CUGRB_TEST_SOURCE, CUGRB_TEST_BUILD).
#pragma once
#include <cstdlib>
#include <string>

namespace cugrb {

inline std::string place(std::string path) {
  const auto move = [&path](const std::string& from, const char* variable) {
    const char* to = std::getenv(variable);
    if (to == nullptr || path.rfind(from, 0) != 0) return false;
    path = to + path.substr(from.size());
    return true;
  };
  if (!move(CUGRB_BUILD_ROOT, "CUGRB_TEST_BUILD")) move(CUGRB_SOURCE_ROOT, "CUGRB_TEST_SOURCE");
  return path;
}

}  // namespace cugrb
