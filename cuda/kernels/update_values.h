// What an update makes of a value: for changes of single entries (csr_update.h, dcsr_update.h).
#pragma once
#include "cuda/kernels/move_element.h"
#include "semirings/device/operators.h"

namespace cugrb {

/// The update's. `Value` may be a type that is moved and not read.
template <class Value>
struct last_wins {
  using type = Value;
  static CUGRB_DEVICE Value apply(const Value&, const Value& update) { return update; }
  static CUGRB_DEVICE Value load(const void* from, uint64_t p) { return static_cast<const Value*>(from)[p]; }
  static CUGRB_DEVICE void store(void* to, uint64_t q, const Value& value) {
    static_cast<Value*>(to)[q] = value;
  }
  static CUGRB_DEVICE void combine(void* to, uint64_t q, const void* updates, uint64_t b) {
    store(to, q, load(updates, b));
  }
};

/// op(entry, update), typecast to the matrix's type.
template <class Op, class Value>
struct combines : last_wins<Value> {
  static CUGRB_DEVICE Value apply(const Value& entry, const Value& update) {
    return cast<Value>(Op::apply(cast<typename Op::x_type>(entry), cast<typename Op::y_type>(update)));
  }
  static CUGRB_DEVICE void combine(void* to, uint64_t q, const void* updates, uint64_t b) {
    using Plain = last_wins<Value>;
    Plain::store(to, q, apply(Plain::load(to, q), Plain::load(updates, b)));
  }
};

/// Of a matrix whose values are one, and stay so.
struct keeps_one_value {
  using type = char;
  static CUGRB_DEVICE char load(const void*, uint64_t) { return 0; }
  static CUGRB_DEVICE void store(void*, uint64_t, char) {}
  static CUGRB_DEVICE void combine(void*, uint64_t, const void*, uint64_t) {}
};

}  // namespace cugrb
