// Write-backs of vectors in parts (src/formats/vector_parts.h): each part by itself, on its device.
#pragma once
#include "src/formats/vector_parts.h"
#include "src/operations/expression.h"

namespace cugrb::operations {

/// Whether an operand that the call reads, the old w among them, is in parts.
bool reads_parts(const VectorOutput& w, const Expression& t);

/// w<mask, replace> accum= T, where operands are in parts. Those that are not, or are in other ones, are
/// dealt for the call. A T that reads other positions than its own, or the position itself, is computed at
/// home: what is in parts is collected first. Each device makes its part of the result in memory that nobody
/// has; w is as it was until all have.
void execute_in_parts(const VectorOutput& w, const Expression& t);

/// The vector of what a call has written in parts, or a product has left there. Its exchange begins where the
/// split's rhythm tells that a product will gather it, and its sum where that will be asked for; as far as
/// memory suffices. `what` it is: formats::LoopRhythm.
DeviceVector kept_in_parts(const Type& type, formats::VectorParts made, uint64_t what);

/// Begins the sum of what a call has written, where the rhythm tells that it will be asked for: the host then
/// waits for all sums of a round together. Throws runtime::OutOfMemory and jit::NotCompiled, and the vector
/// is as it was.
void start_sum(DeviceVector& written);

/// body(w) with w's mask, which is in parts, on one device.
template <class Body>
void with_whole_mask(const VectorOutput& w, const Body& body) {
  const DeviceVector whole = formats::collected(*w.mask.object);
  body({w.object, {&whole, w.mask.structural, w.mask.complement}, w.accumulate, w.replace});
}

}  // namespace cugrb::operations
