// Expression: what T is, as the host knows it. cuda/kernels/expressions.h holds the device side under the
// same names.
#pragma once
#include <string>

#include "cuda/views/write_back.h"
#include "src/operations/operations.h"

namespace cugrb::operations {

/// Where T has entries, by where its operands u (and v) have.
enum class Pattern : uint8_t {
  everywhere,    ///< at every position: an assigned scalar
  intersection,  ///< where all operands have one
  any,           ///< where at least one operand has one
  part,          ///< at some of u's positions: select
  elsewhere,     ///< T(i) reads positions of u other than i: extract
};

/// T = expression(u, v, x, y). Operands are looked at, not owned.
struct Expression {
  std::string name;      ///< "expression_ewise_mult"
  std::string argument;  ///< its first template argument: the functor's template-id, or a type; empty when it
                         ///< has none
  Type type;             ///< of T's values
  Pattern pattern = Pattern::everywhere;
  const DeviceVector* u = nullptr;
  const DeviceVector* v = nullptr;
  ScalarView x, y;
  const uint64_t* list = nullptr;       ///< elsewhere: device memory
  bool reads_u = true, reads_v = true;  ///< T's values depend on theirs
  bool reads_position = false;       ///< T(i) depends on i itself: equal operands do not give equal results
  bool selects_by_position = false;  ///< whether T(i) is there depends on i itself
  std::optional<Value> constant;     ///< every T(i), where that is known: a scalar, the 1 of PAIR
  std::string preamble;              ///< the definitions of user-defined operators
};

/// The bytes of a value for a kernel. Throws Declined when the type is larger than a ScalarView.
ScalarView scalar_view(const Value& value);
/// The value typecast to `to` (C API rules). Throws Declined between user-defined and other types.
Value typecast(const Value& value, const Type& to);

/// Whether select keeps the entries of an iso `u`, by an operator that looks at values only. Waits for the
/// device.
bool selects_one_value(const IndexUnaryOp& op, const DeviceVector& u, const Value& thunk);

/// The value that all selected entries have, iso or not, because it is what the operator asks for; nothing
/// where it is none.
std::optional<Value> selected_value(const IndexUnaryOp& op, const Type& type, const Value& thunk);

/// The value of all entries of u (+) v, where they have one and the host can tell: both are iso, and an entry
/// alone has what two that meet give. The same of eWiseUnion, where a scalar stands in for the missing one.
/// Waits for the device.
std::optional<Value> one_sum(const BinaryOp& op, const DeviceVector& u, const DeviceVector& v);
std::optional<Value> one_union(const BinaryOp& op, const DeviceVector& u, const Value& alpha,
                               const DeviceVector& v, const Value& beta);

/// T = u.
Expression copy_of(const DeviceVector& u);

/// All entries of T have one value: those of its operands that it reads are iso.
inline bool has_one_value(const Expression& t) {
  if (t.constant) return true;
  if (t.pattern == Pattern::any || t.reads_position) return false;
  return (t.u == nullptr || !t.reads_u || t.u->iso) && (t.v == nullptr || !t.reads_v || t.v->iso);
}

/// The one value of an iso vector. Waits for the device.
Value value_of_iso(const DeviceVector& vector);

/// w<mask, replace> accum= T: the one exit of every operation. `w` is untouched when it throws. Chooses
/// between a launch over all positions and one over the positions of a sparse operand
/// (src/operations/domain.h), updates in place where it may, and launches nothing where the result can share
/// memory with an operand or is iso.
void execute(const VectorOutput& w, const Expression& t);

}  // namespace cugrb::operations
