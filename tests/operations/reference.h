// The slow, obvious meaning of vector operations, written from the GraphBLAS C API 2.0 specification: a
// vector is a map from position to value. Everything the device computes is compared with this.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "semirings/operators.h"

namespace cugrb::test {

struct RefVector {
  Type type;
  uint64_t length = 0;
  std::map<uint64_t, Value> entries;
};

struct RefMask {
  const RefVector* vector = nullptr;
  bool structural = false, complement = false;
  bool allows(uint64_t i) const;
};

/// C<M, replace> accum= T (section 3 of the mathematics: T -> Z -> C<M>). Returns the new C.
RefVector ref_write_back(const RefVector& c, const RefMask& mask, const std::optional<BinaryOp>& accumulate,
                         bool replace, const RefVector& t);
/// C<M, replace>(I) accum= T: `inside` tells which positions of C the list I names; T is aligned to C
/// already.
RefVector ref_assign_list(const RefVector& c, const RefMask& mask, const std::optional<BinaryOp>& accumulate,
                          bool replace, const RefVector& t, const std::vector<bool>& inside);

RefVector ref_ewise_add(const BinaryOp& op, const RefVector& u, const RefVector& v);
RefVector ref_ewise_union(const BinaryOp& op, const RefVector& u, const Value& alpha, const RefVector& v,
                          const Value& beta);
RefVector ref_ewise_mult(const BinaryOp& op, const RefVector& u, const RefVector& v);
RefVector ref_apply(const UnaryOp& op, const RefVector& u);
RefVector ref_bind_first(const BinaryOp& op, const Value& x, const RefVector& u);
RefVector ref_bind_second(const BinaryOp& op, const RefVector& u, const Value& y);
RefVector ref_apply_index(const IndexUnaryOp& op, const RefVector& u, const Value& thunk);
RefVector ref_select(const IndexUnaryOp& op, const RefVector& u, const Value& thunk);
RefVector ref_scalar(const Value& value, uint64_t length);
RefVector ref_extract(const RefVector& u, const std::vector<uint64_t>& list);
std::optional<Value> ref_reduce(const Monoid& monoid, const RefVector& u);

/// Empty when equal; else the first difference in words. NaN equals NaN, -0 equals +0.
std::string difference(const RefVector& expected, const RefVector& found);
std::string to_text(const Value& value);
bool same_value(const Value& a, const Value& b);

}  // namespace cugrb::test
