// cugrb: run GraphBLAS programs on the GPU.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <system_error>

#include "tools/cugrb/command.h"
#include "tools/cugrb/command_line.h"
#include "tools/cugrb/output.h"
#include "tools/cugrb/signals.h"

namespace cugrb::command {
namespace {

int work(const std::vector<std::string>& words) {
  CommandLine line;
  try {
    line.parse(words);
  } catch (const CLI::Success& asked) {  // help, version
    std::ostringstream text;
    line.app().exit(asked, text, text);
    fmt::print("{}", text.str());
  }
  flush_standard_output();
  return line.exit_code();
}

}  // namespace
}  // namespace cugrb::command

int main(int argc, char** argv) {
  using namespace cugrb::command;
  reserve_standard_descriptors();
  handle_signals();
  std::string message;
  int code = failed;
  try {
    return work({argv + std::min(argc, 1), argv + argc});
  } catch (const Failure& failure) {
    message = failure.what();
    code = failure.code();
  } catch (const std::bad_alloc&) {
    message = "out of memory";
  } catch (const std::system_error& error) {  // fmt's, when a line does not go out
    message =
        std::ferror(stdout) ? "standard output cannot be written: " + error.code().message() : error.what();
  } catch (const std::exception& error) {
    message = error.what();
  }
  fmt::print(stderr, "cugrb: {}\n", printable_lines(message));
  return code;
}
