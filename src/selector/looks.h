// What choosing a matrix-vector kernel looks at beside the lengths of rows, and how often a matrix must have
// been used before looking is worth it: choosing is to take less than the products themselves.
#pragma once
#include "src/selector/hardware.h"
#include "src/selector/mxv_problem.h"

namespace cugrb::selector {

/// From so many uses of a matrix on its columns may be sampled and tiles forecast: before, no decision is
/// final.
constexpr uint64_t least_settled_uses = 8;

/// Of fewer entries no tile would win, and columns are not looked at.
constexpr uint64_t least_tiled_entries = 1 << 20;

/// Uses before which it is not done.
struct Looks {
  /// How neighbouring entries gather, and the widths of slices: once the products so far have taken as long
  /// as the look does, not for the first. Formats that are not there are no candidates before: none
  /// pays by then (docs/selector.md, "What choosing costs"), and predicting them all takes the host as long.
  uint64_t neighbours = 1;
  /// The sample of gathers is asked for with the lengths of rows already: the device makes it while the host
  /// waits for those and makes its first decision.
  bool sampled_with_lengths = false;
  /// How the entries spread over the columns, and what tiles of them would be: twice as long, since a format
  /// that takes a fifth of a millisecond to make, or far more, has to follow. never: nothing could.
  uint64_t columns = least_settled_uses;
  static constexpr uint64_t never = ~uint64_t(0);
  /// Neither look is waited for until so many more products have been queued behind it: while the device is
  /// at those the host can think about what it saw, and the products do not wait for the host.
  uint64_t neighbours_patience = 4, columns_patience = 4;

  /// The least of them that is yet to come after so many uses; `never` when there is none.
  uint64_t next_after(uint64_t uses) const;
};

/// Of p, in which rows, columns, entries, their bytes, tile_columns and tile_refusal are known. Products are
/// taken to last as long as reading the CSR once at the copy bandwidth: less than any does.
Looks looks_of(const MxvProblem& p, const Hardware& h);

}  // namespace cugrb::selector
