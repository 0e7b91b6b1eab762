#include "semirings/types.h"

#include <array>

namespace cugrb {
namespace {

/// A built-in type's name in device source: complex numbers are a template of semirings/device/types.h.
std::string device_name(const std::string& ctype) {
  const std::string complex = "std::complex";
  return ctype.rfind(complex, 0) == 0 ? "complex_of" + ctype.substr(complex.size()) : ctype;
}

const std::array<Type, size_t(TypeCode::User)>& built_in_types() {
  static const std::array<Type, size_t(TypeCode::User)> types = {{
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code) Type{TypeCode::Code, sizeof(ctype), device_name(#ctype), ""},
#include "semirings/types.def"
#undef CUGRB_TYPE
  }};
  return types;
}

}  // namespace

const Type& Type::of(TypeCode code) { return built_in_types().at(size_t(code)); }

const Type& Type::real() const {
  if (code == TypeCode::Fc32) return of(TypeCode::Fp32);
  return code == TypeCode::Fc64 ? of(TypeCode::Fp64) : *this;
}

std::string Type::suffix() const {
  switch (code) {
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code) \
  case TypeCode::Code:                          \
    return #SUFFIX;
#include "semirings/types.def"
#undef CUGRB_TYPE
    case TypeCode::User:
      return "UDT";
  }
  return "UDT";
}

std::string Type::handle_name() const {
  switch (code) {
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code) \
  case TypeCode::Code:                          \
    return #PREFIX "_" #SUFFIX;
#include "semirings/types.def"
#undef CUGRB_TYPE
    case TypeCode::User:
      return "";
  }
  return "";
}

}  // namespace cugrb
