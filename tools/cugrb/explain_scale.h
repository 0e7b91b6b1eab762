// `cugrb explain --devices N`: the partition of a matrix, and what a product takes on 1 ... N devices.
#pragma once
#include <nlohmann/json.hpp>

#include "src/formats/length_distribution.h"
#include "tools/cugrb/explain.h"
#include "tools/cugrb/explain_device.h"

namespace cugrb::command {

/// A list of N objects, one a number P of devices, of a product whose candidates are described:
///   {devices, rows: [least, most], entries: [least, most], imbalance, bytes_per_device, seconds,
///   product_seconds, gather_seconds, sent_bytes, efficiency}
/// of P processes with a device each and vectors in parts, rows dealt;
///   {grid: {rows, columns, seconds, product_seconds, gather_seconds, reduce_seconds, sent_bytes,
///   efficiency}}
/// of the partition of least time among those by rows and columns; and of one process with P devices, whose
/// vectors lie on the first, {one_process_seconds} or {one_process_refusal}. With --measure and as many
/// devices in this process {one_process_measured_seconds}, or {one_process_failure}.
nlohmann::json describe_scale(const ExplainRequest& request, const VectorProduct& product,
                              const formats::LengthDistribution& rows, const selector::Hardware& hardware,
                              const nlohmann::json& candidates);
void print_scale(const nlohmann::json& scale);

}  // namespace cugrb::command
