// What a program asked of the JIT, written down: the input of compilations ahead of time and of checks on
// other architectures.
#pragma once
#include <string>

#include "src/jit/jit.h"

namespace cugrb::jit {

/// Appends the request to the file that CUGRB_REQUESTS names, as one line of JSON {"header", "name",
/// "preamble"}; does nothing when it is unset. Called for each kernel that was built or loaded, once a
/// process. Thread-safe.
void log_request(const Request& request);

/// One request as a line of JSON, without the newline.
std::string to_json(const Request& request);

}  // namespace cugrb::jit
