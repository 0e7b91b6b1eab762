// Which kernel? Predict, charge conversions, correct by trials, choose.
#pragma once
#include "src/operations/multiply/kernel.h"

namespace cugrb::operations {

/// Time of one product by this kernel, its format made; 0 when it cannot run it.
double predicted_seconds(const MxvProblem& problem, const Hardware& hardware, const MxvKernel& kernel);

/// Whether a decision lists what references would cost, too. They are chosen only where they are forced.
enum class References : uint8_t { left_out, listed };

/// The applicable candidate with the smallest predicted time, the cost of making a missing transpose
/// included: that is charged in full at first, and 1/(1 + u) of it once the matrix has been used u times the
/// other way, since as many uses again can be expected; the conversion into another format likewise, by the
/// pulls so far. Kernels that have been tried count with their measured times, those that failed not at all.
/// `forced` (CUGRB_FORCE's; may be null) is taken when it is applicable; when it is not, the choice is free
/// and the reason says so.
selector::Decision choose_mxv(const MxvProblem& problem, const Hardware& hardware, const Kernel* forced,
                              References references = References::left_out);
/// The same of a matrix-matrix product, transpositions included.
selector::Decision choose_mxm(const MxmProblem& problem, const Hardware& hardware, const Kernel* forced,
                              References references = References::left_out);

/// Whether counting some rows of T first can pay: the choice would be another one if T had as few entries as
/// are known of so many products, or as many as it can have, and a wrong one would cost more than counting.
bool depends_on_entries(const MxmProblem& problem, const Hardware& hardware, const Kernel* forced);

/// The kernel that such a decision chose.
const MxvKernel& chosen_mxv(const selector::Decision& decision);
const MxmKernel& chosen_mxm(const selector::Decision& decision);

}  // namespace cugrb::operations
