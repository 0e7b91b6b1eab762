#include "semirings/types.h"

#include <array>

namespace cugrb {
namespace {

const std::array<Type, 11>& built_in_types() {
  static const std::array<Type, 11> types = {{
#define CUGRB_TYPE(SUFFIX, ctype, Code) Type{TypeCode::Code, sizeof(ctype), #ctype, ""},
#include "semirings/types.def"
#undef CUGRB_TYPE
  }};
  return types;
}

}  // namespace

const Type& Type::of(TypeCode code) { return built_in_types().at(size_t(code)); }

std::string Type::suffix() const {
  switch (code) {
#define CUGRB_TYPE(SUFFIX, ctype, Code) \
  case TypeCode::Code:                  \
    return #SUFFIX;
#include "semirings/types.def"
#undef CUGRB_TYPE
    case TypeCode::User:
      return "UDT";
  }
  return "UDT";
}

}  // namespace cugrb
