// The catalogue's lists against the library's data symbols, monoids' identities and terminals, composition.
#include <fstream>
#include <regex>
#include <set>

#include "semirings/definition.h"
#include "semirings/symbols.h"
#include "src/support/declined.h"
#include "tests/catch.h"
#include "tests/semirings/device_functors.h"
#include "tests/semirings/library.h"

using namespace cugrb;

namespace {

/// Names that look like data symbols, in the installed header.
std::set<std::string> names_in_header() {
  std::ifstream file(CUGRB_GRAPHBLAS_HEADER);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::regex pattern("\\bG[rx]B_[A-Z][A-Z0-9_]+\\b");
  std::set<std::string> names;
  for (auto match = std::sregex_iterator(text.begin(), text.end(), pattern); match != std::sregex_iterator();
       ++match) {
    names.insert(match->str());
  }
  return names;
}

template <class Item>
void add_handles(std::set<void*>& handles, const std::vector<Item>& items) {
  for (const Item& item : items) {
    for (const std::string& symbol : catalogue::symbols(item)) {
      if (void* handle = library::predefined(symbol)) handles.insert(handle);
    }
  }
}

bool no_operator(const std::string& name) {
  static const std::regex others(
      "GrB_DESC_.*|GrB_ALL|GxB_IGNORE_DUP|GrB_(BOOL|U?INT(8|16|32|64)|FP(32|64))|GxB_FC(32|64)|"
      "GxB_(HYPER_DEFAULT|ALWAYS_HYPER|NEVER_HYPER|FORMAT_DEFAULT)");
  return std::regex_match(name, others);
}

}  // namespace

TEST_CASE("every predefined operator, monoid and semiring of the header is in the catalogue") {
  library::start();
  std::set<void*> known;
  add_handles(known, catalogue::unary_ops());
  add_handles(known, catalogue::binary_ops());
  add_handles(known, catalogue::index_unary_ops());
  add_handles(known, catalogue::monoids());
  add_handles(known, catalogue::semirings());
  for (const std::string& name : catalogue::positional_unary_names())
    known.insert(library::predefined("GxB_" + name));
  for (const std::string& name : catalogue::select_op_names())
    known.insert(library::predefined("GxB_" + name));
  size_t found = 0;
  for (const std::string& name : names_in_header()) {
    void* handle = library::predefined(name);
    if (handle == nullptr || no_operator(name)) continue;
    INFO(name);
    CHECK(known.count(handle) == 1);
    ++found;
  }
  CHECK(found > 2000);
}

TEST_CASE("every semiring of the catalogue is the library's: its monoid and its operator") {
  library::start();
  CHECK(catalogue::semirings().size() == 1000 + 300 + 55 + 64 + 80 + 54);
  for (const Semiring& semiring : catalogue::semirings()) {
    INFO(semiring.name);
    const auto handle = static_cast<GrB_Semiring>(library::predefined(catalogue::symbols(semiring)));
    REQUIRE(handle != nullptr);
    GrB_Monoid add = nullptr;
    GrB_BinaryOp multiply = nullptr;
    GxB_Semiring_add(&add, handle);
    GxB_Semiring_multiply(&multiply, handle);
    CHECK(add == library::predefined(catalogue::symbols(semiring.add)));
    CHECK(multiply == library::predefined(catalogue::symbols(semiring.multiply)));
    CHECK(semiring.multiply.z == semiring.add.type());
    CHECK(catalogue::semiring(semiring.name)->source == semiring.source);
  }
}

TEST_CASE("monoids have the library's operator, identity and terminal, on the host and on the device") {
  library::start();
  for (const Monoid& monoid : catalogue::monoids()) {
    INFO(monoid.name);
    const auto handle = static_cast<GrB_Monoid>(library::predefined(catalogue::symbols(monoid)));
    REQUIRE(handle != nullptr);
    GrB_BinaryOp op = nullptr;
    GxB_Monoid_operator(&op, handle);
    CHECK(op == library::predefined(catalogue::symbols(monoid.op)));
    const auto facts = device_functors::monoid(monoid.source);
    CHECK(facts.is_any == monoid.is_any);
    CHECK(facts.has_identity == monoid.identity.has_value());
    std::string identity(monoid.type().size, '\0'), terminal = identity;
    bool has_terminal = false;
    GxB_Monoid_identity(identity.data(), handle);
    GxB_Monoid_terminal(&has_terminal, terminal.data(), handle);
    if (monoid.is_any) continue;  // SuiteSparse gives it 0 and 0, which mean nothing
    CHECK(facts.identity == monoid.identity->bytes);
    CHECK(monoid.identity->bytes == identity);
    CHECK(has_terminal == monoid.terminal.has_value());
    CHECK(facts.has_terminal == has_terminal);
    if (has_terminal) CHECK(monoid.terminal->bytes == terminal);
    for (const Value& x : library::samples(monoid.type())) {
      INFO(library::to_text(x));
      // fmin and fmax drop a NaN: for them infinity is the identity of everything else.
      const std::string text = library::to_text(x);
      const bool infinite = monoid.type().is_complex() &&  // times (1, 0): 0 times infinity is NaN
                            (text.find("inf") != std::string::npos || text.find("nan") != std::string::npos);
      const bool dropped =
          infinite || (monoid.type().is_float() && text == "nan" && monoid.op.name[0] == 'M');
      if (!dropped) CHECK(library::same(reference::apply(monoid.op, *monoid.identity, x), x));
      CHECK(facts.is_terminal(x.bytes.data()) == (has_terminal && x.bytes == terminal));
      if (has_terminal) CHECK(reference::apply(monoid.op, *monoid.terminal, x).bytes == terminal);
    }
  }
}

TEST_CASE("names have aliases, unknown names are unknown") {
  CHECK(catalogue::binary_op("ONEB_FP32")->name == "PAIR_FP32");
  CHECK(catalogue::binary_op("LAND")->name == "LAND_BOOL");
  CHECK(catalogue::binary_op("LXNOR")->name == "EQ_BOOL");
  CHECK(catalogue::monoid("LXNOR_BOOL")->name == "EQ_BOOL");
  CHECK(catalogue::semiring("LXNOR_LOR_BOOL")->name == "EQ_LOR_BOOL");
  CHECK(catalogue::semiring("PLUS_PAIR_INT64")->name == "PLUS_PAIR_INT64");
  CHECK(catalogue::unary_op("LNOT")->name == "LNOT_BOOL");
  CHECK_FALSE(catalogue::binary_op("PLUS").has_value());
  CHECK_FALSE(catalogue::binary_op("BOR_FP32").has_value());
  CHECK_FALSE(catalogue::semiring("PLUS_TIMES").has_value());
  CHECK_FALSE(catalogue::unary_op("SQRT_INT32").has_value());
}

TEST_CASE("a monoid on a built-in monoid's operator is that monoid, whatever identity was given") {
  const BinaryOp plus = *catalogue::binary_op("PLUS_FP32");
  const Value seven{plus.z, std::string("\0\0\xe0\x40", 4)};
  CHECK(catalogue::make_monoid(plus, seven, std::nullopt).source == "monoid<plus<float>>");
  const BinaryOp minus = *catalogue::binary_op("MINUS_FP32");
  const Monoid own = catalogue::make_monoid(minus, seven, seven);
  CHECK(own.identity->bytes == seven.bytes);
  CHECK(own.source.rfind("monoid_", 0) == 0);
  CHECK(own.preamble.find("struct " + own.source) != std::string::npos);
  // Another identity is another struct.
  CHECK(catalogue::make_monoid(minus, Value{minus.z, std::string(4, '\0')}, seven).source != own.source);
}

TEST_CASE("a definition's macros end with it, and an operator's text sees those of its types") {
  const Type& fp64 = Type::of(TypeCode::Fp64);
  const Type vec{TypeCode::User, 32, "vec", "#define N 4\ntypedef struct { double x [N] ; } vec ;"};
  CHECK(catalogue::type_preamble(vec).find("vec ;\n\n#undef N\n") != std::string::npos);
  const std::string text =
      "#define float int\nvoid sum (double *z, const vec *x) { float k ; for (k = 0 ; k < N ; k++) *z += "
      "x->x [k] ; }";
  const std::string preamble = catalogue::user_unary_op("sum", text, fp64, vec).preamble;
  const size_t own = preamble.find("namespace cugrb_user_"), functor = preamble.find("struct user_op_");
  INFO(preamble);
  for (const std::string macro : {"N", "float"}) {
    const size_t defined = preamble.find("#define " + macro + " ", own);
    const size_t ended = preamble.find("#undef " + macro + "\n", own);
    REQUIRE(defined != std::string::npos);
    REQUIRE(ended != std::string::npos);
    CHECK(defined < ended);
    CHECK(ended < functor);
  }
}

TEST_CASE("a definition is read as the preprocessor reads it") {
  const auto read = [](const std::string& text) { return catalogue::read_definition(text); };
  const catalogue::Definition all = read(
      "#include <math.h>\n  # /* a\nb */ define M\\\nIN(a,b) ((a)<(b)?(a):(b)) // c \\\n d\n%:undef MAX\n"
      "#ifdef X\n#elif 1\n#else\n#endif\n#\n#pragma unroll\nchar c = '\"', *s = \"/* // \\\" #define no\"; "
      "int k = 1'000;");
  CHECK(all.macros == std::vector<std::string>{"MIN", "MAX"});
  CHECK(all.text ==
        "\n  #   define MIN(a,b) ((a)<(b)?(a):(b)) \n\n\n\n%:undef MAX\n"
        "#ifdef X\n#elif 1\n#else\n#endif\n#\n#pragma unroll\nchar c = '\"', *s = \"/* // \\\" #define no\"; "
        "int k = 1'000;\n");
  CHECK(all.directives ==
        "  #   define MIN(a,b) ((a)<(b)?(a):(b)) \n%:undef MAX\n"
        "#ifdef X\n#elif 1\n#else\n#endif\n#\n#pragma unroll\n");
  CHECK(read("int a;\r\nint b;").text == "int a;\nint b;\n");
  CHECK(read("").text.empty());
}

TEST_CASE("what would reach beyond a definition is declined, with its line") {
  const std::pair<std::string, std::string> cases[] = {
      {"int a;\n#if 1\n", "line 2 of the definition begins a conditional that has no #endif"},
      {"\n\n#endif", "line 3 of the definition has #endif without #if"},
      {"#if 0\n#else\n#else\n#endif", "line 3 of the definition has #else without #if"},
      {"#pragma pack(1)", "has #pragma pack, which would hold for the kernel, too"},
      {"#pragma push_macro(\"float\")", "has #pragma push_macro"},
      {"#define U _Pragma(\"x\")", "holds _Pragma"},
      {"#define CUGRB_DEVICE", "defines CUGRB_DEVICE, which is not the program's"},
      {"# undef __CUDACC_RTC__", "defines __CUDACC_RTC__"},
      {"/**/#/**/define/**/__x", "defines __x"},
      {"#de\\\nfine __x", "defines __x"},
      {"#define", "defines a macro without a name"},
      {"#import \"x\"", "has #import, which a definition may not hold"},
      {"/* a", "begins a comment that has no end"},
      {"char c = '", "holds a quote without its other end"},
      {"char *s = \"a\\", "holds a quote without its other end"},
      {"int a; // b\n#define A \\", "line 2 of the definition ends with a backslash"},
      {"int a;\n\\\r\n", "ends with a backslash"},  // a finding of fuzz_definitions
      {"#define A \\/* b */\nint c;", "line 1 of the definition ends with a backslash"},
      {"char *s = R\"(\n#define a\n)\";", "holds a raw string"},
      {std::string("?\?") + "=define a", "holds a trigraph"},
      {"int a;\rint b;", "holds a carriage return"}};
  for (const auto& [text, says] : cases) {
    std::string said = "nothing";
    try {
      catalogue::read_definition(text);
    } catch (const Declined& declined) {
      said = declined.what();
    }
    INFO(text << "\n" << said);
    CHECK(said.find(says) != std::string::npos);
  }
}

TEST_CASE("names that are no identifiers are declined") {
  const Type& fp64 = Type::of(TypeCode::Fp64);
  for (const char* name : {"", "a b", "f(", "1f", "f\n#define g", "a-b"}) {
    CHECK_THROWS_AS(catalogue::user_unary_op(name, "int a;", fp64, fp64), Declined);
    CHECK_THROWS_AS(catalogue::type_preamble(Type{TypeCode::User, 8, name, "typedef double a;"}), Declined);
  }
}

TEST_CASE("a user operator's preamble drops includes and guards itself") {
  const Type& fp64 = Type::of(TypeCode::Fp64);
  const std::string text = "#include <math.h>\nvoid f (double *z, const double *x) { *z = sqrt (*x) ; }";
  const UnaryOp op = catalogue::user_unary_op("f", text, fp64, fp64);
  CHECK(op.preamble.find("math.h") == std::string::npos);
  CHECK(op.preamble.find("void f (double *z") != std::string::npos);
  CHECK(op.preamble.find("#ifndef") != std::string::npos);
  CHECK(op.source == catalogue::user_unary_op("f", text, fp64, fp64).source);
  CHECK(op.source != catalogue::user_unary_op("f", text + " ", fp64, fp64).source);
}
