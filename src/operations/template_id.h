// Template-ids: the text by which the host names a specialisation (jit::Request::name). Built here and
// nowhere else.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

#include "src/formats/vector.h"

namespace cugrb::operations {

/// name<a, b, c>; just the name when there are no arguments.
inline std::string template_id(const std::string& name, std::initializer_list<std::string_view> arguments) {
  size_t length = name.size() + 2;
  for (const std::string_view argument : arguments) length += argument.size() + 2;
  std::string text;
  text.reserve(length);
  text = name;
  const char* separator = "<";
  for (const std::string_view argument : arguments) {
    text += separator;
    text += argument;
    separator = ", ";
  }
  if (arguments.size() > 0) text += ">";
  return text;
}

inline std::string text_of(bool value) { return value ? "true" : "false"; }
inline std::string text_of(Form form) {
  return form == Form::full ? "Form::full" : form == Form::bitmap ? "Form::bitmap" : "Form::sparse";
}

/// The input type of cuda/kernels/inputs.h that reads `vector` in its own form (a sparse one is searched).
inline std::string input_id(const formats::DeviceVector& vector) {
  const std::string iso = text_of(vector.iso);
  switch (vector.form) {
    case Form::full:
      return template_id("vector_full", {vector.type.name, iso});
    case Form::bitmap:
      return template_id("vector_bitmap", {vector.type.name, iso});
    default:
      break;
  }
  return template_id("vector_sparse",
                     {vector.type.name, formats::index_type(formats::index_width(vector.length)), iso});
}

}  // namespace cugrb::operations
