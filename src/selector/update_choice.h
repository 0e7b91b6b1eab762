// How a batch of updates gets into a matrix, and whether products read a fragmented one as it is: decisions
// by predicted times (docs/dynamic.md).
#pragma once
#include <string>
#include <vector>

#include "src/selector/decision.h"
#include "src/selector/hardware.h"

namespace cugrb::selector {

/// The ways, as CUGRB_FORCE names them: into dynamic CSR, into a new CSR, by sorting all entries anew.
extern const Kernel update_insert, update_merge, update_rebuild;
const std::vector<const Kernel*>& update_ways();

struct UpdateProblem {
  uint64_t rows = 0, entries = 0;  ///< of the matrix, by rows as it is stored
  size_t entry_bytes = 0;          ///< a column index, and a value where each entry has its own
  size_t offset_bytes = 0;
  uint64_t slots = 0;  ///< segments that a row of a dynamic CSR can have
  uint64_t updates = 0;
  bool fragmented = false;
  bool shared = false;  ///< its fragments are a copy's, too: insertion takes memory of its own
  /// So many batches can be expected, this one included, before an operation reads the CSR.
  double batches = 1;
  /// So many products with vectors can be expected before the next batch.
  double products = 0;
  uint64_t longest_row = 0;                     ///< entries, about; 0: not known
  std::string insert_refusal, rebuild_refusal;  ///< why that way is closed; empty: it is not
};

/// Least predicted time of this batch and of what it makes of the products that follow: on fragments each
/// takes longer; of a new CSR rows are counted and a kernel is chosen anew. A change of form is shared by the
/// batches to come. `forced` may be null, or one that is no way to update.
Decision choose_update(const UpdateProblem& problem, const Hardware& hardware, const Kernel* forced);

/// Whether products of a matrix that becomes dynamic CSR go along the merge path of its rows as they are laid
/// out: where the longest rows are far from the mean, rows are short, so that what bins read of each row
/// counts, and there is more to do than to launch.
bool merge_path_pays(const UpdateProblem& problem);

/// Whether rows of dynamic CSR are to be put into bins of size (formats::DcsrBins): what products gain until
/// the CSR is read is more than what that takes. Only where the longest rows are far from the mean.
bool bins_pay(const UpdateProblem& problem, const Hardware& hardware);

/// What a product pays for `segments` that lie apart from the rest of their rows.
double apart_seconds(double segments, const Hardware& hardware);
/// Whether rows are to be laid out anew ahead of a batch: products have paid as much for segments apart as
/// that takes. So they never pay more than twice what they would have if that had been known ahead.
bool laying_out_pays(const UpdateProblem& problem, double paid_seconds, const Hardware& hardware);

/// Before an operation that needs the CSR of a fragmented matrix: whether the matrix becomes CSR, for the
/// `reads` such operations that are expected before the next batch, this one included. Else each makes one
/// for itself, and the batches that follow find the segments that there are.
bool csr_pays(const UpdateProblem& problem, double reads, const Hardware& hardware);

/// Products of a fragmented matrix with vectors.
struct FragmentsProblem {
  uint64_t rows = 0, entries = 0;
  size_t entry_bytes = 0, offset_bytes = 0;
  bool pushes = false;  ///< they need the rows of the other orientation, and push along those that it has
  double products = 1;  ///< so many can be expected, this one included, before it changes again
  std::string refusal = {};  ///< why no kernel reads the fragments; empty: one does
};
struct FragmentsChoice {
  bool defragments = false;
  double extra_seconds = 0;    ///< of a product on fragments, over one on CSR
  double convert_seconds = 0;  ///< to CSR, and where products push to its transpose
};
FragmentsChoice choose_form(const FragmentsProblem& problem, const Hardware& hardware);
/// For the trace: "read as fragments: 3 products expected, ...".
std::string to_text(const FragmentsProblem& problem, const FragmentsChoice& choice);

}  // namespace cugrb::selector
