// FunctionRef: a callable passed down a call chain without allocation. It must outlive the call that it is
// passed to.
#pragma once
#include <memory>
#include <type_traits>
#include <utility>

namespace cugrb::capi {

template <class Signature>
class FunctionRef;

template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <class Callable, class = std::enable_if_t<!std::is_same_v<std::decay_t<Callable>, FunctionRef>>>
  FunctionRef(const Callable& callable)  // NOLINT: conversion is the point
      : object_(std::addressof(callable)), call_([](const void* object, Arguments... arguments) -> Result {
          return (*static_cast<const Callable*>(object))(std::forward<Arguments>(arguments)...);
        }) {}

  Result operator()(Arguments... arguments) const {
    return call_(object_, std::forward<Arguments>(arguments)...);
  }

 private:
  const void* object_;
  Result (*call_)(const void*, Arguments...);
};

}  // namespace cugrb::capi
