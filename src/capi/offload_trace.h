// What an offloaded call tells the thread's trace record. Nothing is done where no trace is wanted.
#pragma once
#include <string>

#include "src/selector/placement.h"

namespace cugrb::capi::offload {

/// What is computed: the operator's name.
void note_operation(const std::string& op);
/// What the policy said. `sizes` and `basis` tell of the operands.
void note_placement(const selector::Placement& placement, const std::string& sizes, const std::string& basis);
/// Why a call is not for the device.
void note_reason(const std::string& reason);
/// Why a call failed there: what was chosen before did not run.
void note_failure(const std::string& reason);
/// Where the device's answer differs from SuiteSparse's.
void note_difference(const std::string& where);

}  // namespace cugrb::capi::offload
