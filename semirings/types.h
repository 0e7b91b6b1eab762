// Types of values: GraphBLAS's 11 built-in ones, SuiteSparse's two complex ones (and user-defined ones that
// carry a C definition string).
#pragma once
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace cugrb {

enum class TypeCode : uint8_t {
  Bool,
  Int8,
  Int16,
  Int32,
  Int64,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  Fp32,
  Fp64,
  Fc32,
  Fc64,
  User
};

/// A value type. Two types are the same when their codes are, and for user types also name and definition.
struct Type {
  TypeCode code = TypeCode::Bool;
  size_t size = 1;  ///< bytes of a value
  std::string
      name;  ///< the C name in device source: "bool", "float", "complex_of<float>"; a user type's own name
  std::string definition;  ///< user types: the `typedef struct {...} name ;` text; empty for built-in ones

  static const Type& of(TypeCode code);  ///< a built-in type; not for User
  bool is_user() const { return code == TypeCode::User; }
  bool is_complex() const { return code == TypeCode::Fc32 || code == TypeCode::Fc64; }
  /// Of floating-point numbers, complex ones among them: sums depend on their order.
  bool is_float() const { return code == TypeCode::Fp32 || code == TypeCode::Fp64 || is_complex(); }
  friend bool operator==(const Type& a, const Type& b) {
    return a.code == b.code && a.size == b.size && a.name == b.name && a.definition == b.definition;
  }
  friend bool operator!=(const Type& a, const Type& b) { return !(a == b); }
  /// The GraphBLAS suffix: "BOOL", "INT32", "FC64", "UDT".
  std::string suffix() const;
  /// The handle's name: "GrB_BOOL", "GxB_FC64"; empty for a user's.
  std::string handle_name() const;
  /// The type of the parts of a complex type; another built-in type itself.
  const Type& real() const;
};

/// A value of some type: its bytes, as the device and GraphBLAS lay them out.
struct Value {
  Type type;
  std::string bytes;  ///< exactly type.size bytes
};

}  // namespace cugrb
