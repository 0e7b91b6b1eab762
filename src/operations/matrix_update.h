// Batches of changed entries, in whichever form a matrix is; the form in which products read it.
#pragma once
#include "src/formats/csr_update.h"
#include "src/operations/operations.h"
#include "src/operations/output.h"

namespace cugrb::operations {

/// A(i,j) = x for every update ((i,j), x) that sets, or op(A(i,j), x) with `combine` where A has that entry;
/// removals take entries away (src/formats/csr_update.h). By the way that is predicted to be the fastest:
/// insertion into dynamic CSR, after which A is fragmented; merging into a new CSR; sorting all entries anew
/// (src/selector/update_choice.h). What was done, for the trace. A is as it was when it throws Declined,
/// runtime::OutOfMemory, jit::CompilationFailure.
std::string update(DeviceMatrix& a, const formats::EntryUpdates& updates,
                   const std::optional<BinaryOp>& combine = {});

/// The same of a batch that an output takes, which the trace tells of.
void take_batch(DeviceMatrix& a, const formats::EntryUpdates& updates,
                const std::optional<BinaryOp>& combine = {});

/// Whether so many entries of T's type are worth to be a batch of updates of C: not where they are many
/// beside C's, or none, nor where C has another type or may not have any form. A new C is as good then.
bool takes_batch(const MatrixOutput& c, const Type& t, uint64_t entries);
/// C(i,j) accum= T(i,j), or = without accumulator, for the entries of T, which has C's shape, as a batch of
/// updates. C keeps its orientation. `flipped`: T is by columns. False, with nothing done, where C's columns
/// are numbered more widely than T's. `one_value`: C and T have the same for all entries, and so has the
/// result.
bool updated_by(const MatrixOutput& c, const formats::Csr& t, bool flipped, bool one_value);

/// Before a product with a vector: a fragmented matrix stays as it is where a kernel reads it so, and CSR is
/// predicted to cost more than it gains over the products to come. Says so in the trace. A matrix that is CSR
/// counts as read by rows where it would have been defragmented.
void settle_form(DeviceMatrix& a, const Semiring& semiring, bool transpose);

/// The same before another operation that reads each entry once, from segments as from CSR.
void settle_reading(DeviceMatrix& a);

/// Before an operation that needs all of the CSR. A fragmented matrix becomes CSR, or stays as it is for the
/// operation to make a CSR for itself (selector::csr_pays). Whether it stays.
bool settle_copy(DeviceMatrix& a);

}  // namespace cugrb::operations
