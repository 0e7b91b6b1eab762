// One program on all ranks: every rank runs the same tests in the same order.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "tests/distributed/ranks.h"
#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

namespace distributed_tests {

namespace {
cugrb::Distributed* all_ranks = nullptr;
}  // namespace

cugrb::Distributed& ranks() { return *all_ranks; }

SharedFile::SharedFile(const std::string& ending, const std::string& content) {
  struct Name {
    char text[256] = "";
  } name;
  const char* const folder = std::getenv("TMPDIR");
  static int made = 0;
  cugrb::detail::copy_text(std::string(folder == nullptr ? "/tmp" : folder) + "/cugrb-ranks-" +
                               std::to_string(getpid()) + "-" + std::to_string(++made) + ending,
                           name.text, sizeof name.text);
  path_ = ranks().all_values(name)[0].text;
  if (ranks().rank() == 0 && !(std::ofstream(path_, std::ios::binary) << content).flush())
    throw std::runtime_error("cannot write " + path_);
  ranks().barrier("writing a file");
}
SharedFile::~SharedFile() {
  try {
    ranks().barrier("reading a file");
  } catch (const std::exception&) {
    // Another rank has failed, and says so.
  }
  if (ranks().rank() == 0) std::remove(path_.c_str());
}

}  // namespace distributed_tests

int main(int argc, char** argv) {
  cugrb::Distributed ranks;
  distributed_tests::all_ranks = &ranks;
  int failed = 0;
  {
    const cugrb::Context context;
    failed = Catch::Session().run(argc, argv);
  }
  try {
    failed = ranks.all_reduce(
        failed, [](int a, int b) { return a > b ? a : b; }, "the end of the tests");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rank %d: %s\n", ranks.rank(), error.what());
    ranks.abort(1);
  }
  return failed;
}
