// What C<M, replace> accum= T comes to before anything is computed: one rule for vectors and for matrices.
// What is left of it is computed by write_back.cpp and matrix_write_back.cpp.
#pragma once
#include "src/operations/mask.h"

namespace cugrb::operations {

/// Throws Declined for what no kernel can do: typecasts of user-defined types, positional accumulators.
void check_types(const Type& c, const std::optional<BinaryOp>& accumulate, const Type& t);
template <class Object>
void check_types(const Output<Object>& c, const Type& t) {
  check_types(c.object.type, c.accumulate, t);
}

/// Throws Declined where an operand of that type cannot be the operator's, which reads it.
void check_operands(const BinaryOp& op, const Type& first, const Type& second);

/// For a T that has no entry outside the mask. The mask decides nothing where all outside goes anyway, nor
/// where all outside stays with or without it.
bool mask_is_spent(bool accumulate, bool replace, bool old_empty);

/// A call as its write-back sees it. "Empty" is what is known to be so; false where nobody has counted.
struct WriteBackFacts {
  const MaskRule& mask;
  bool accumulate = false, replace = false;  ///< as asked for
  bool old_empty = false, t_empty = false;   ///< C, T have no entries
  bool of_region = false;                    ///< C stays as it is outside a region
  bool region_bounds_mask = false;           ///< so mask and replace act on the region alone
};

struct WriteBackPlan {
  enum class Kind : uint8_t {
    keep,   ///< C stays as it is
    clear,  ///< C loses its entries
    take,   ///< T becomes C, typecast
    join,   ///< T, C and the mask are looked at together
  };
  Kind kind = Kind::join;
  bool mask = false;        ///< some positions are excluded
  bool accumulate = false;  ///< C has entries that T's are accumulated into
  bool replace = false;     ///< old entries outside the mask go, or there are none; false without mask

  /// Old entries may be part of the result.
  bool reads_old() const { return accumulate || (mask && !replace); }
};

/// An empty C counts as "no accumulator" and as "replace": no old entry can survive.
WriteBackPlan plan_write_back(const WriteBackFacts& facts);

}  // namespace cugrb::operations
