// One matrix-matrix product as numbers, from which its kernels' times and workspaces are predicted: its
// products, the entries that they make, and what is stored.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "src/selector/decision.h"
#include "src/selector/mxm_entries.h"

namespace cugrb::selector {

/// What making T one way needs of the factors' stored forms.
struct MxmCandidate {
  std::string refusal;              ///< why it cannot run; empty when it can
  uint64_t transposed_entries = 0;  ///< entries of the matrices that must be transposed first
};

/// Products of the rows of T that have many (light_row_products, medium_row_products of cuda/views/mxm.h) or
/// few.
struct RowWeights {
  double medium = 0, heavy = 0;
  double heavy_rows = 0;
  double heaviest = 0;  ///< products of the row that has most, where there are heavy ones
  double of_short = 0;  ///< products of the rows that have few (short_row_products): they are no weight
  double merged = 0;    ///< products of the rows that are merged: light ones, too
};

/// What the dot products for a mask's entries take (cuda/kernels/mxm_dot_steps.h).
struct DotWork {
  double searched = 0;       ///< steps of binary searches
  double streamed = 0;       ///< entries looked up in a table
  double longest_chain = 0;  ///< loads that one dot product waits for, one after the other
};

/// How `rows_by_hash` makes T where no row of it can have many products (cuda/kernels/mxm_bounded.h).
enum class BoundedUse : uint8_t { none, merged, sorted };

/// One product T = left * right as numbers: the choice is a pure function of this.
struct MxmProblem {
  std::string operation;  ///< for the decision's text: "mxm PLUS_TIMES_FP32"
  uint64_t rows = 0, inner = 0, columns = 0;
  uint64_t left_entries = 0, right_entries = 0;
  double products = 0;            ///< terms of T without the mask
  bool products_counted = false;  ///< else they are estimated from mean lengths
  RowWeights weights;             ///< of T's rows without the mask
  ResultEntries entries;          ///< of T
  double met = 0;                 ///< products of an entry in a few rows that are not heavy; 0: not known
  double made_at_once = 0;        ///< products of rows that `rows_by_hash` makes without counting them
  BoundedUse bounded = BoundedUse::none;
  uint64_t bounded_products = 0;  ///< of a row of T, at most, by the longest rows of both factors
  double bounded_room = 0;        ///< of all rows, at most
  bool has_windows = false;       ///< the windows of rows' columns were looked at
  MaskUse mask = MaskUse::none;
  uint64_t mask_entries = 0;  ///< of a mask that is not complemented
  DotWork dot_work;           ///< where `dot` can run
  size_t column_bytes = 4;
  size_t value_bytes = 0;  ///< of both factors' values, as far as they are read per product
  size_t result_bytes = 4;
  double usable_bytes = 1e18;         ///< device memory that sorting may use half of
  bool stops_at_once = false;         ///< a dot product mostly ends at its first terms
  uint64_t vector_rows = 0;           ///< rows of T when it is made by vectors
  uint64_t vector_right_entries = 0;  ///< entries that each of them may have to read
  MxmCandidate dot, rows_by_hash, sort, outer, vectors;
  MxmCandidate scale{"neither factor is diagonal"};
  // T's few rows or columns together; `vector_` as above.
  MxmCandidate dense{"many rows"}, dense_push{"many rows"};
  MxmCandidate parts{"there is one device (CUGRB_DEVICES)"};
  bool result_stays = false;         ///< T is left in these parts
  unsigned devices = 1;              ///< that a product can be shared out to
  std::vector<double> device_paces;  ///< of each, the first one's being 1; empty: all are alike
  bool left_is_dealt = false, right_is_there = false;  ///< the devices have what they need of the factors
  uint64_t right_pieces = 1;  ///< in which the right factor goes to devices that have no room for all of it
  MxmCandidate cusparse{"not asked for"};
  std::map<const Kernel*, std::string> failures;          ///< what could not make it after all, and why
  bool cusparse_open = true;                              ///< the library has been loaded
  uint64_t vector_entries = 0;                            ///< of the factor that has few rows
  uint64_t vector_mask_entries = 0;                       ///< of the mask, complemented or not
  size_t vector_value_bytes = 0, matrix_value_bytes = 0;  ///< of that factor's and the other's values
};

/// Entries by the mean row alone: products that fall into T's columns independently (balls into bins).
ResultEntries entries_by_means(const MxmProblem& problem);
/// Where some rows were drawn, as many as if products met in all rows as they do in these; entries_by_means
/// where that is fewer, or nothing is known.
ResultEntries uncounted_entries(const MxmProblem& problem);

/// Every row of the mean weight, where they are not counted.
RowWeights weights_by_means(const MxmProblem& problem);

}  // namespace cugrb::selector
