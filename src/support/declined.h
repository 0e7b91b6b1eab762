// Declined: the device path cannot (or should not) run this call. The interposer forwards it and traces the
// reason.
#pragma once
#include <stdexcept>
#include <string>

namespace cugrb {

class Declined : public std::runtime_error {
 public:
  explicit Declined(const std::string& reason) : std::runtime_error(reason) {}
};

}  // namespace cugrb
