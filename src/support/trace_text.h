// Text forms of trace records.
#pragma once
#include <string>

#include "src/support/trace.h"

namespace cugrb::trace {

std::string seconds_text(double seconds);  ///< "1.234 ms"
std::string bytes_text(uint64_t bytes);    ///< "12.3 MB" (powers of ten)
/// One complete event ("ph":"X") of Chrome's trace format.
std::string to_chrome_event(const Record& record, unsigned process, unsigned thread);

}  // namespace cugrb::trace
