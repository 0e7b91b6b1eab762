// SuiteSparse itself as the oracle: predefined objects by name, vectors of Values.
#pragma once
#include <complex>
#include <string>
#include <vector>

#include "semirings/operators.h"

extern "C" {
#include <GraphBLAS.h>
}

namespace library {

using cugrb::Type;
using cugrb::Value;

/// Calls GrB_init once.
void start();
/// The handle that the data symbol holds; null when the library has no such symbol.
void* predefined(const std::string& symbol);
/// The first of these symbols that the library has.
void* predefined(const std::vector<std::string>& symbols);
GrB_Type type_of(const Type& type);

/// A vector of Values of one type; those given are at positions 0, 1, ...
class Vector {
 public:
  Vector(const Type& type, const std::vector<Value>& values);
  Vector(const Type& type, size_t length);
  ~Vector() { GrB_Vector_free(&handle); }
  Vector(const Vector&) = delete;
  Vector& operator=(const Vector&) = delete;

  Value at(size_t i) const;
  bool has(size_t i) const;

  GrB_Vector handle = nullptr;

 private:
  Type type_;
};

/// 0, 1, -1, small and large values, limits, and for floats infinities, NaN, denormals and fractions.
const std::vector<Value>& samples(const Type& type);
/// Every pair of samples, as two lists.
struct Pairs {
  std::vector<Value> x, y;
};
Pairs pairs(const Type& x, const Type& y);

/// Equal bytes; for floats also both NaN, equal (-0 and 0), or within a few units in the last place.
bool same(const Value& a, const Value& b, int units = 4);
std::string to_text(const Value& value);
/// A quotient that the library gives, as its versions since 9 have it: before, a part of a complex one that
/// is 0/0 was 0 where the other parts of both numbers are 0, too.
Value divided_as_since_9(const Value& given, const Value& wanted);

}  // namespace library
