// Types, operators, monoids and semirings by name: SuiteSparse's, and those of a user-defined type.
#pragma once
#include <cstdint>
#include <string>

#include "tests/differential/api.h"

namespace differential::programs {

/// The user-defined type: 12 bytes, which is no power of two. Unsigned, so that sums may wrap.
struct Triple {
  uint32_t x, y, z;
};

struct Symbol {
  void* handle = nullptr;
  std::string text;  ///< the C name
};

/// Makes the user-defined objects, through cuGrB where it stands in front. After GrB_init.
void make_user_symbols();
/// The C text that defines them, and the calls that make them, for a printed program.
std::string user_definitions();
std::string user_calls();
/// Throws std::runtime_error where there is none.
Symbol symbol(const std::string& name);

}  // namespace differential::programs
