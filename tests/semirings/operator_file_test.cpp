// The side file of operators: what it takes, and what it says of anything else.
#include <string>

#include "semirings/operator_file.h"
#include "tests/catch.h"

using namespace cugrb::catalogue;

namespace {

std::string complaint(const std::string& text) {
  try {
    read_operators(text);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("an operator file has functions by name, with the line on which each begins") {
  const auto all = read_operators(
      "// one { brace\nstatic inline void f(int *z, const int *x)\n{ if (*x) { *z = '}'; } }\n\n"
      "/* two\n */\nvoid g_2(char* z, const char* x) { *z = \"}{\"[*x]; }");
  REQUIRE(all.size() == 2);
  CHECK(all.at("f").line == 2);
  CHECK(all.at("f").text == "void f(int *z, const int *x)\n{ if (*x) { *z = '}'; } }");
  CHECK(all.at("g_2").line == 7);
  CHECK(all.at("g_2").text == "void g_2(char* z, const char* x) { *z = \"}{\"[*x]; }");
  CHECK(read_operators(" \n // nothing\n").empty());
}

TEST_CASE("an operator file that is none says on which line, and what is expected there") {
  CHECK(complaint("\nint f(int x) { return x; }") == "line 2: expected a definition void NAME(...) { ... }");
  CHECK(complaint("void 2f(int* z) {}") == "line 1: expected a definition void NAME(...) { ... }");
  CHECK(complaint("void f\n;") == "line 2: expected the parameters of f, from ( to )");
  CHECK(complaint("void f(int* z);") == "line 1: expected the body of f, from { to }");
  CHECK(complaint("void f(int* z)\n{ if (*z) {") == "line 2: expected the body of f, from { to }");
  CHECK(complaint("#define N 4\nvoid f(int* z) {}") ==
        "line 1: expected a definition void NAME(...) { ... }");
  CHECK(complaint("void f(int* z) {}\nvoid f(int* z) {}") ==
        "line 2: expected one definition of f; there is another one in line 1");
  CHECK(!complaint("void f(int* z) { *z = 'a; }").empty());
}

TEST_CASE("a function's name ends what a macro makes of it") {
  CHECK(function_name("larger") == "larger");
  CHECK(function_name("(GxB_binary_function) &larger ") == "larger");
  CHECK(function_name("functions[3]").empty());
  CHECK(function_name("").empty());
}
