// How the arguments of a call are spelt, and the call itself.
#pragma once
#include "tests/differential/programs/executor.h"
#include "tests/differential/programs/values.h"

namespace differential::programs {

template <class T>
Named<T> null() {
  return {nullptr, "NULL"};
}
inline Named<GrB_Index> number(GrB_Index n) { return {n, std::to_string(n) + "u"}; }
inline Named<int64_t> integer(int64_t n) { return {n, integer_text(n)}; }
inline Named<double> real(double x) { return {x, real_text(x)}; }
inline Named<GxB_FC64_t> complex(int64_t n) { return {complex_value(n), complex_text(complex_value(n))}; }
template <class T>
Named<T> named(const std::string& name) {
  const Symbol found = symbol(name);
  return {static_cast<T>(found.handle), found.text};
}

inline Named<const GrB_Index*> indices(const std::vector<GrB_Index>& list) {
  std::string text = "(GrB_Index[]){";
  for (size_t k = 0; k < list.size(); ++k) text += (k == 0 ? "" : ", ") + std::to_string(list[k]) + "u";
  return {list.data(), text + (list.empty() ? "0}" : "}")};
}
inline Named<const GrB_Index*> indices(const List& list) {
  if (list.kind == List::Kind::all) return {GrB_ALL, "GrB_ALL"};
  return indices(list.values);
}
inline Named<GrB_Index> count(const List& list) {
  switch (list.kind) {
    case List::Kind::range:
      return {GrB_Index(GxB_RANGE), "GxB_RANGE"};
    case List::Kind::stride:
      return {GrB_Index(GxB_STRIDE), "GxB_STRIDE"};
    case List::Kind::backwards:
      return {GrB_Index(GxB_BACKWARDS), "GxB_BACKWARDS"};
    default:
      return number(list.length);
  }
}

template <class Function, class... Arguments>
GrB_Info Executor::call(const char* name, Function function, const Named<Arguments>&... arguments) {
  std::string list;
  ((list += (list.empty() ? "" : ", ") + arguments.text), ...);
  write("TRY(" + std::string(name) + "(" + list + "));");
  return function(arguments.value...);
}
#define CALL(function, ...) call(#function, api_.function, __VA_ARGS__)
/// For calls that make objects, which always succeed.
#define MAKE(function, ...) require(CALL(function, __VA_ARGS__), #function)

}  // namespace differential::programs
