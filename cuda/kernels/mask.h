// Masks as kernels see them: one question, "may the result have an entry at position i?".
//
// Every type here has
//     static CUGRB_DEVICE bool allows(const MaskView& mask, uint64_t i, uint64_t p = 0);
//     static constexpr bool allows_all;    // the answer is true for every position: no test is needed
// where p is the ordinal of i in the list that drives the launch; only the `listed` masks read it. (Only
// masks of all positions have `allows_all`: matrix products take no others.)
//
// A structural mask holds where its vector has an entry; a valued one where the entry also is true when
// typecast to bool. The loads are plain ones: the mask may be the very vector that the kernel updates. A
// complemented mask holds exactly where the plain one does not (GraphBLAS C API 2.0, section 2.5.4).
#pragma once
#include "cuda/kernels/base.h"
#include "cuda/kernels/inputs.h"
#include "cuda/views/mask.h"
#include "semirings/device/types.h"

namespace cugrb {

/// No mask: everything is allowed; complemented: nothing is.
template <bool complement>
struct mask_none {
  static constexpr bool allows_all = !complement;
  static CUGRB_DEVICE bool allows(const MaskView&, uint64_t, uint64_t = 0) { return !complement; }
};

/// The pattern of a bitmap vector. (A full one is mask_none.)
template <bool complement>
struct mask_structural {
  static constexpr bool allows_all = false;
  static CUGRB_DEVICE bool allows(const MaskView& mask, uint64_t i, uint64_t = 0) {
    return (mask.present[i] != 0) != complement;
  }
};

/// The pattern of a sparse vector: O(log entries) per question.
template <class Index, bool complement>
struct mask_structural_sparse {
  static CUGRB_DEVICE bool allows(const MaskView& mask, uint64_t i, uint64_t = 0) {
    uint64_t p;
    return find_position(static_cast<const Index*>(mask.indices), mask.entries, i, p) != complement;
  }
};

/// The true values of a full or bitmap vector of element type T.
template <class T, bool complement, Form form, bool iso>
struct mask_valued {
  static_assert(form != Form::sparse, "a sparse valued mask is mask_valued_sparse");
  static constexpr bool allows_all = false;
  static CUGRB_DEVICE bool allows(const MaskView& mask, uint64_t i, uint64_t = 0) {
    bool holds = true;
    if constexpr (form == Form::bitmap) holds = mask.present[i] != 0;
    if (holds) holds = cast<bool>(static_cast<const T*>(mask.values)[iso ? 0 : i]);
    return holds != complement;
  }
};

/// The true values of a sparse vector: O(log entries) per question.
template <class T, class Index, bool complement, bool iso>
struct mask_valued_sparse {
  static CUGRB_DEVICE bool allows(const MaskView& mask, uint64_t i, uint64_t = 0) {
    uint64_t p;
    bool holds = find_position(static_cast<const Index*>(mask.indices), mask.entries, i, p);
    if (holds) holds = cast<bool>(static_cast<const T*>(mask.values)[iso ? 0 : p]);
    return holds != complement;
  }
};

/// The values of the sparse vector whose positions drive the launch: entry p is the one at position i. (Its
/// pattern needs no test there: mask_none<false>.)
template <class T, bool iso>
struct mask_valued_listed {
  static CUGRB_DEVICE bool allows(const MaskView& mask, uint64_t, uint64_t p) {
    return cast<bool>(static_cast<const T*>(mask.values)[iso ? 0 : p]);
  }
};

}  // namespace cugrb
