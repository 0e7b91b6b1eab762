// The device functors, compiled by the host compiler (-DCUGRB_EMULATED), by their template-id.
#pragma once
#include <string>

#include "semirings/operators.h"

namespace device_functors {

using cugrb::Value;

/// Each throws std::out_of_range when there is no functor of that name: then the catalogue names what does
/// not exist.
Value unary(const cugrb::UnaryOp& op, const Value& x);
Value binary(const cugrb::BinaryOp& op, const Value& x, const Value& y);
Value positional(const cugrb::BinaryOp& op, uint64_t i, uint64_t k, uint64_t j);
Value index_unary(const cugrb::IndexUnaryOp& op, const Value& x, uint64_t i, uint64_t j, const Value& thunk);
Value cast(const Value& x, const cugrb::Type& to);

/// A monoid's constants, by template-id.
struct MonoidFacts {
  bool has_identity, has_terminal, is_any;
  std::string identity;  ///< bytes
  bool (*is_terminal)(const void* value);
};
MonoidFacts monoid(const std::string& source);

}  // namespace device_functors
