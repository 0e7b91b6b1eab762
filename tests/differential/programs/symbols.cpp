#include "tests/differential/programs/symbols.h"

#include <map>
#include <vector>

namespace differential::programs {
namespace {

#define DEFINE(name, text) text const char* const name##_text = #text;

// The definitions are pasted as C texts, in which this is the type's name.
typedef Triple triple;
const char* const triple_definition = "typedef struct { uint32_t x ; uint32_t y ; uint32_t z ; } triple ;";

DEFINE(
    triple_plus, void triple_plus(triple* c, const triple* a, const triple* b) {
      c->x = a->x + b->x;
      c->y = a->y + b->y;
      c->z = a->z + b->z;
    })
DEFINE(
    triple_times, void triple_times(triple* c, const triple* a, const triple* b) {
      uint32_t x = a->x * b->x;
      uint32_t y = a->x * b->y + a->y;
      c->x = x;
      c->y = y;
      c->z = a->z ^ b->z;
    })
DEFINE(
    triple_turn, void triple_turn(triple* c, const triple* a) {
      uint32_t x = a->x;
      c->x = a->y;
      c->y = a->z;
      c->z = x;
    })
DEFINE(
    triple_sum, void triple_sum(uint32_t* c, const triple* a) { *c = a->x + 3 * a->y + 5 * a->z; })
DEFINE(
    triple_of, void triple_of(triple* c, const uint32_t* a) {
      c->x = *a;
      c->y = *a / 2;
      c->z = 1;
    })
DEFINE(
    triple_keep, void triple_keep(bool* keep, const triple* a, GrB_Index i, GrB_Index j, const int64_t* k) {
      *keep = (int64_t)a->x + (int64_t)(i % 7) - (int64_t)(j % 3) > *k;
    })
DEFINE(
    triple_less, void triple_less(bool* less, const triple* a, const triple* b) {
      *less = a->x < b->x || (a->x == b->x && a->y < b->y);
    })
#undef DEFINE

struct UserSymbols {
  GrB_Type type = nullptr;
  GrB_BinaryOp plus = nullptr, times = nullptr, less = nullptr;
  GrB_UnaryOp turn = nullptr, sum = nullptr, of = nullptr;
  GrB_IndexUnaryOp keep = nullptr;
  GrB_Monoid plus_monoid = nullptr;
  GrB_Semiring plus_times = nullptr;
};
UserSymbols user;

template <class Function>
GxB_binary_function binary(Function function) {
  return reinterpret_cast<GxB_binary_function>(function);
}
template <class Function>
GxB_unary_function unary(Function function) {
  return reinterpret_cast<GxB_unary_function>(function);
}

const std::map<std::string, void*>& user_symbols() {
  static const std::map<std::string, void*> all = {{"triple", user.type},
                                                   {"triple_plus", user.plus},
                                                   {"triple_times", user.times},
                                                   {"triple_less", user.less},
                                                   {"triple_turn", user.turn},
                                                   {"triple_sum", user.sum},
                                                   {"triple_of", user.of},
                                                   {"triple_keep", user.keep},
                                                   {"triple_plus_monoid", user.plus_monoid},
                                                   {"triple_plus_times", user.plus_times}};
  return all;
}

}  // namespace

void make_user_symbols() {
  require(GxB_Type_new(&user.type, sizeof(Triple), "triple", triple_definition), "Type_new");
  const auto make_binary = [](GrB_BinaryOp* op, GxB_binary_function function, GrB_Type z, const char* name,
                              const char* text) {
    require(GxB_BinaryOp_new(op, function, z, user.type, user.type, name, text), "BinaryOp_new");
  };
  make_binary(&user.plus, binary(triple_plus), user.type, "triple_plus", triple_plus_text);
  make_binary(&user.times, binary(triple_times), user.type, "triple_times", triple_times_text);
  make_binary(&user.less, binary(triple_less), GrB_BOOL, "triple_less", triple_less_text);
  const auto make_unary = [](GrB_UnaryOp* op, GxB_unary_function function, GrB_Type z, GrB_Type x,
                             const char* name, const char* text) {
    require(GxB_UnaryOp_new(op, function, z, x, name, text), "UnaryOp_new");
  };
  make_unary(&user.turn, unary(triple_turn), user.type, user.type, "triple_turn", triple_turn_text);
  make_unary(&user.sum, unary(triple_sum), GrB_UINT32, user.type, "triple_sum", triple_sum_text);
  make_unary(&user.of, unary(triple_of), user.type, GrB_UINT32, "triple_of", triple_of_text);
  require(GxB_IndexUnaryOp_new(&user.keep, reinterpret_cast<GxB_index_unary_function>(triple_keep), GrB_BOOL,
                               user.type, GrB_INT64, "triple_keep", triple_keep_text),
          "IndexUnaryOp_new");
  Triple zero = {0, 0, 0};
  require(GrB_Monoid_new_UDT(&user.plus_monoid, user.plus, &zero), "Monoid_new");
  require(GrB_Semiring_new(&user.plus_times, user.plus_monoid, user.times), "Semiring_new");
}

std::string user_definitions() {
  std::string text = std::string(triple_definition) + "\n";
  for (const char* definition : {triple_plus_text, triple_times_text, triple_turn_text, triple_sum_text,
                                 triple_of_text, triple_keep_text, triple_less_text})
    text += std::string(definition) + "\n";
  return text;
}

std::string user_calls() {
  std::string text = "  GrB_Type triple_type; GxB_Type_new(&triple_type, sizeof(triple), \"triple\", \"" +
                     std::string(triple_definition) + "\");\n";
  const auto make = [&](const char* kind, const std::string& name, const std::string& function,
                        const std::string& types, const char* definition) {
    text += "  GrB_" + std::string(kind) + " " + name + "_op; GxB_" + kind + "_new(&" + name + "_op, (" +
            function + ")" + name + ", " + types + ", \"" + name + "\", \"" + definition + "\");\n";
  };
  make("BinaryOp", "triple_plus", "GxB_binary_function", "triple_type, triple_type, triple_type",
       triple_plus_text);
  make("BinaryOp", "triple_times", "GxB_binary_function", "triple_type, triple_type, triple_type",
       triple_times_text);
  make("BinaryOp", "triple_less", "GxB_binary_function", "GrB_BOOL, triple_type, triple_type",
       triple_less_text);
  make("UnaryOp", "triple_turn", "GxB_unary_function", "triple_type, triple_type", triple_turn_text);
  make("UnaryOp", "triple_sum", "GxB_unary_function", "GrB_UINT32, triple_type", triple_sum_text);
  make("UnaryOp", "triple_of", "GxB_unary_function", "triple_type, GrB_UINT32", triple_of_text);
  make("IndexUnaryOp", "triple_keep", "GxB_index_unary_function", "GrB_BOOL, triple_type, GrB_INT64",
       triple_keep_text);
  return text +
         "  GrB_Monoid triple_plus_monoid; GrB_Monoid_new_UDT(&triple_plus_monoid, triple_plus_op, "
         "&(triple){0, 0, 0});\n"
         "  GrB_Semiring triple_plus_times; GrB_Semiring_new(&triple_plus_times, triple_plus_monoid, "
         "triple_times_op);\n";
}

Symbol symbol(const std::string& name) {
  const auto found = user_symbols().find(name);
  if (found != user_symbols().end()) {
    const bool whole = name == "triple_plus_monoid" || name == "triple_plus_times";
    return {found->second, name == "triple" ? "triple_type" : whole ? name : name + "_op"};
  }
  for (const char* prefix : {"", "GrB_", "GxB_"}) {
    const std::string full = prefix + name;
    if (full[0] != 'G') continue;
    if (void* handle = predefined_exactly(full)) return {handle, full};
  }
  throw std::runtime_error("no object is called " + name);
}

}  // namespace differential::programs
