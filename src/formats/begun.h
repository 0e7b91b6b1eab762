// Begun: what the device has been asked for, and the host has not waited for.
#pragma once
#include <functional>
#include <memory>
#include <utility>

#include "cuda/runtime/device.h"

namespace cugrb::formats {

/// An F (a Derived, say) that is made of bytes which are on their way from the device.
template <class F>
class Begun {
 public:
  using Make = std::function<F(const void* bytes)>;
  /// Nothing is to come: there already.
  explicit Begun(F made) : make_([made = std::move(made)](const void*) { return made; }) {}
  /// `make` runs at the end, once.
  Begun(std::unique_ptr<runtime::Reading> reading, Make make)
      : reading_(std::move(reading)), make_(std::move(make)) {}

  /// Whether take() would not wait. Throws runtime::DeviceFailure.
  bool arrived() const { return reading_ == nullptr || reading_->arrived(); }
  /// Waits for the device where it has not arrived. Throws runtime::DeviceFailure.
  F take() { return make_(reading_ == nullptr ? nullptr : reading_->bytes()); }

 private:
  std::unique_ptr<runtime::Reading> reading_;
  Make make_;
};

}  // namespace cugrb::formats
