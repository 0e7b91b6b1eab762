// The process's environment, as far as it may be trusted.
#pragma once

namespace cugrb {

/// Whether the program runs with rights that its user does not have (set-user-ID, file capabilities): then
/// the environment is somebody else's wish, and so is every path in it.
bool runs_with_foreign_rights();

/// The variable's value; null when it is not set, or the program runs with foreign rights.
const char* environment_variable(const char* name);

}  // namespace cugrb
