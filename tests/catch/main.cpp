#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#include <string>
#include <vector>

/// Catch2 3 has another word for --list-test-names-only, which scripts/gpu_test and tools/mutation use.
int main(int argc, char** argv) {
  std::vector<const char*> arguments;
  for (int i = 0; i < argc; ++i) {
    if (std::string(argv[i]) == "--list-test-names-only") {
      arguments.insert(arguments.end(), {"--list-tests", "--verbosity", "quiet"});
    } else {
      arguments.push_back(argv[i]);
    }
  }
  return Catch::Session().run(int(arguments.size()), arguments.data());
}
#else
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
