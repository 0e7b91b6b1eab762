// User definitions. The input is a kind, a name, a newline and the definition. What is accepted must keep to
// itself: the preamble that is made of it is itself a definition that ends all that it begins, line for line.
#include <algorithm>
#include <string>

#include "semirings/definition.h"
#include "semirings/operators.h"
#include "src/support/declined.h"
#include "tests/fuzz/require.h"

namespace {

using namespace cugrb;
using fuzz::require;

long lines_of(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

/// Reading what was read changes nothing: so a compiler sees what was judged.
void check_definition(const std::string& text) {
  const catalogue::Definition once = catalogue::read_definition(text);
  const catalogue::Definition twice = catalogue::read_definition(once.text);
  require(once.text == twice.text, "a text that was read stays as it is");
  require(once.directives == twice.directives, "its directives stay as they are");
  require(once.macros == twice.macros, "its macros stay the same");
  const long more = lines_of(once.text) - lines_of(text);
  require(more == 0 || more == 1, "every line keeps its number");
}

/// The macros of a definition end before the functor that is made of it.
void check_preamble(const std::string& preamble, const std::string& definition) {
  for (const std::string& macro : catalogue::read_definition(definition).macros) {
    const size_t end = preamble.rfind("#undef " + macro + "\n");
    require(end != preamble.npos, "a macro ends");
    require(preamble.find("struct user_op_", end) != preamble.npos, "before the functor");
  }
}

void make(unsigned kind, const std::string& name, const std::string& text) {
  const Type& fp64 = Type::of(TypeCode::Fp64);
  const Type own{TypeCode::User, 8, name, text};
  if (kind == 0) {
    catalogue::type_preamble(own);
  } else if (kind == 1) {
    check_preamble(catalogue::user_unary_op(name, text, fp64, fp64).preamble, text);
  } else if (kind == 2) {
    check_preamble(catalogue::user_binary_op("f", text, fp64, own, fp64).preamble, text);
  } else {
    check_preamble(catalogue::user_index_unary_op(name, text, fp64, fp64, fp64).preamble, text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string input(reinterpret_cast<const char*>(data + 1), size - 1);
  const size_t end = std::min(input.find('\n'), input.size());
  const std::string text = input.substr(std::min(end + 1, input.size()));
  try {
    check_definition(text);
    make(data[0] % 4, input.substr(0, end), text);
  } catch (const Declined&) {
  }
  return 0;
}
