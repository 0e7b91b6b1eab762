// Command lines and settings. The input is a word a line; "NAME=VALUE" with a name that begins with CUGRB_ is
// a variable of the environment. Nothing is run: what is wrong must be a Failure with a message and code 2,
// 126 or 127.
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "src/support/settings.h"
#include "src/support/text.h"
#include "tests/fuzz/require.h"
#include "tools/cugrb/command.h"
#include "tools/cugrb/command_line.h"

namespace {

using namespace cugrb;
using fuzz::require;

std::map<std::string, std::string> variables;

const char* variable(const char* name) {
  const auto found = variables.find(name);
  return found == variables.end() ? nullptr : found->second.c_str();
}

std::vector<std::string> words_of(const std::string& input) {
  std::vector<std::string> words;
  std::istringstream lines(input);
  for (std::string line; std::getline(lines, line);) {
    const size_t sign = line.find('=');
    if (line.rfind("CUGRB_", 0) == 0 && sign != line.npos) {
      variables[line.substr(0, sign)] = line.substr(sign + 1).c_str();
    } else {
      words.push_back(line);
    }
  }
  return words;
}

/// The command line was read: what it asks for would come next. (A callback may own its options, so that it
/// cannot be taken away instead.)
struct Understood {};

void parse(const std::vector<std::string>& words) {
  command::CommandLine line;
  line.app().parse_complete_callback([] { throw Understood(); });
  try {
    line.parse(words);
    require(false, "nothing is run");
  } catch (const Understood&) {
  } catch (const CLI::Success&) {
    require(!line.app().help().empty(), "there is a help");
  } catch (const command::Failure& failure) {
    require(*failure.what() != '\0', "a failure has a message");
    require(failure.code() == command::usage, "a command line that is wrong ends with 2");
    for (const char c : printable(failure.what()))
      require(static_cast<unsigned char>(c) >= ' ', "what is shown has no control characters");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  variables.clear();
  const std::vector<std::string> words = words_of({reinterpret_cast<const char*>(data), size});
  parse(words);
  const Settings settings = parse_settings(variable);
  require(!variables.empty() || settings.error.empty(), "without variables nothing is wrong");
  return 0;
}
