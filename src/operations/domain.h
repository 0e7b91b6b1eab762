// The domain of a write-back: the positions that a launch must visit.
//
// A launch over all n positions is always right. Where one sparse operand bounds what can happen, its list is
// enough:
//   in place  nothing changes outside the list:
//               - the mask is that operand, not complemented, and nothing is deleted outside it (no replace);
//               - or there is an accumulator and T has entries in the list only (and nothing is deleted
//               outside).
//             The output, as bitmap or full, is updated at the listed positions: O(entries) work.
//   new list  the result has entries inside the list only:
//               - the mask is that operand, not complemented, and everything outside it is deleted (replace);
//               - or T has entries in the list only and no old entry survives.
//             The output is a new sparse vector, compacted if entries may be missing: O(entries) work.
#pragma once
#include "src/operations/expression.h"
#include "src/operations/write_back_plan.h"

namespace cugrb::operations {

/// A write-back into a vector, with everything taken away that cannot matter.
struct Exit {
  const VectorOutput& w;
  const Expression& t;
  PreparedMask mask;  ///< sparse masks stay sparse
  WriteBackPlan plan;
  bool owns_values = false, owns_present = false;  ///< no other vector shares this memory of w
  std::optional<runtime::Buffer> one_value;        ///< of all entries of the result, in w's type: it is iso

  bool mask_is_list() const {
    return !mask.allows_all && !mask.allows_none && mask.vector.form == Form::sparse && !w.mask.complement;
  }
};

enum class DomainKind : uint8_t { all, in_place_list, new_list };

struct Domain {
  DomainKind kind = DomainKind::all;
  const DeviceVector* list = nullptr;  ///< the sparse operand whose positions are visited
};

Domain choose_domain(const Exit& exit);

/// The one value of all entries of the result, in w's type, when it has one: T has, and either no old entry
/// survives or w is iso with that value, too (which the accumulator gives then).
std::optional<runtime::Buffer> one_value(const Exit& exit, bool old_survives);

/// Whether `vector` is the list or has the very same positions (shares its index memory).
inline bool is_listed(const DeviceVector& vector, const DeviceVector* list) {
  return list != nullptr && vector.form == Form::sparse &&
         (&vector == list || (vector.indices && vector.indices.data() == list->indices.data()));
}

/// T has an entry at every visited place, operands in the domain's list counting as present.
bool always_present(const Expression& t, const DeviceVector* list);

}  // namespace cugrb::operations
