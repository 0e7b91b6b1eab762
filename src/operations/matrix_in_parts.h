// Operations on the entries of matrices in parts (src/formats/matrix_in_parts.h): each part by itself, on its
// device.
#pragma once
#include <functional>
#include <initializer_list>
#include <span>

#include "src/formats/matrix_in_parts.h"
#include "src/operations/matrix_elementwise.h"
#include "src/operations/operations.h"

namespace cugrb::operations {

/// An operation on matrices, and its operands in the order of the call.
using MatrixOperation = std::function<void(const MatrixOutput& c, std::span<const MatrixInput> operands)>;

/// C<M, replace> accum= T where an operand, the mask or a C that the call reads is in parts; T(i,j) is made
/// of what operands have at (i,j), and of nothing else. The first one that is in parts leads: the others are
/// dealt as it is, once for each that lies at home. Each device runs `operation` on its parts, at the same
/// time as the others, and C is left in parts. C is as it was when this throws. False, with nothing done,
/// where all that is read lies on one device.
///
/// O(entries / devices); what is dealt goes between devices, and nothing else.
bool done_in_parts(const MatrixOutput& c, std::initializer_list<MatrixInput> operands,
                   const MatrixOperation& operation);

/// The same of an operation that needs its operands on one device: they are collected for it.
bool done_collected(const MatrixOutput& c, std::initializer_list<MatrixInput> operands,
                    const MatrixOperation& operation);

/// C<M, replace> accum= A(I, J), A in parts, I and J both lists or everything. Where the list of what A is
/// dealt by is everything C is dealt as A is; else a row of C lies where the row of A does that it is of,
/// which takes O(rows of A and C) on the host. Each device takes its rows and columns by `extract`; nothing
/// of A goes between devices. False, with nothing done, where A is not in parts.
using PartExtraction = std::function<void(const MatrixOutput& c, const MatrixInput& a, const Indices& rows,
                                          const Indices& columns)>;
bool extracted_in_parts(const MatrixOutput& c, const MatrixInput& a, const Indices& rows,
                        const Indices& columns, const PartExtraction& extract);

/// work(part) for each part of the split that has positions, all devices at the same time. The first
/// exception is thrown again when all have ended.
void on_each_device(const formats::Split& split, const std::function<void(size_t part)>& work);

}  // namespace cugrb::operations
