// What all operators, monoids and semirings of this API have in common: a GraphBLAS handle with its C++
// types.
#pragma once
#include <functional>
#include <type_traits>
#include <utility>

#include "cugrb/context.hpp"
#include "cugrb/types.hpp"

namespace cugrb {

/// An operator that GraphBLAS predefines. Handle is GrB_UnaryOp, GrB_BinaryOp, GrB_IndexUnaryOp, GrB_Monoid
/// or GrB_Semiring; Z is what it returns, In are its inputs. A constant: it holds the address of the
/// library's variable.
template <class Handle, class Z, class... In>
class Builtin {
 public:
  using handle_type = Handle;
  using z_type = Z;
  using signature = Z(In...);
  constexpr explicit Builtin(const Handle* address) : address_(address) {}
  Handle handle() const { return *address_; }

 private:
  const Handle* address_;
};

/// An operator made by the program (a user-defined function, a composed monoid or semiring). The GraphBLAS
/// object is made when it is first used, which may be long after this object, and freed with it or at the end
/// of the Context.
template <class Handle, class Z, class... In>
class Made : private detail::Owned {
 public:
  using handle_type = Handle;
  using z_type = Z;
  using signature = Z(In...);

  /// Errors: Error with GraphBLAS's code when the object cannot be made.
  Handle handle() const {
    auto& list = detail::owned_list();
    std::unique_lock<std::mutex> lock(list.mutex);
    if (handle_ != nullptr) return handle_;
    lock.unlock();
    Handle made = make();  // may make other handles, so not under the lock
    lock.lock();
    if (handle_ == nullptr) {
      handle_ = made;
      list.objects.push_back(const_cast<Made*>(this));
    } else {
      free_handle(&made);
    }
    return handle_;
  }

 protected:
  Made() = default;
  /// Derived classes call it in their destructor.
  void destroy() {
    auto& list = detail::owned_list();
    std::lock_guard<std::mutex> lock(list.mutex);
    if (handle_ != nullptr) detail::forget_owned(this);
    release();
  }
  /// For objects that may outlive GraphBLAS itself (of static storage duration): forgets the handle without
  /// freeing it.
  void abandon() {
    auto& list = detail::owned_list();
    std::lock_guard<std::mutex> lock(list.mutex);
    if (handle_ != nullptr) detail::forget_owned(this);
    handle_ = nullptr;
  }
  ~Made() = default;

 private:
  virtual Handle make() const = 0;
  void release() override {
    if (handle_ != nullptr) free_handle(&handle_);
    handle_ = nullptr;
  }
  static void free_handle(GrB_UnaryOp* op) { GrB_UnaryOp_free(op); }
  static void free_handle(GrB_BinaryOp* op) { GrB_BinaryOp_free(op); }
  static void free_handle(GrB_IndexUnaryOp* op) { GrB_IndexUnaryOp_free(op); }
  static void free_handle(GrB_Monoid* monoid) { GrB_Monoid_free(monoid); }
  static void free_handle(GrB_Semiring* semiring) { GrB_Semiring_free(semiring); }

  mutable Handle handle_ = nullptr;
};

namespace detail {

/// Stands for the x of operators that look at positions only.
struct Unread {};

template <class Op, class Handle, class = void>
struct has_handle : std::false_type {};
template <class Op, class Handle>
struct has_handle<Op, Handle, std::void_t<typename Op::handle_type>>
    : std::is_same<typename Op::handle_type, Handle> {};

template <class Op>
inline constexpr bool is_unary_op = has_handle<Op, GrB_UnaryOp>::value;
template <class Op>
inline constexpr bool is_binary_op = has_handle<Op, GrB_BinaryOp>::value;
template <class Op>
inline constexpr bool is_index_unary_op = has_handle<Op, GrB_IndexUnaryOp>::value;
template <class Op>
inline constexpr bool is_monoid = has_handle<Op, GrB_Monoid>::value;
template <class Op>
inline constexpr bool is_semiring = has_handle<Op, GrB_Semiring>::value;

template <class Signature>
struct argument;
template <class Z, class X>
struct argument<Z(X)> {
  using x_type = X;
};
template <class Z, class X, class Y>
struct argument<Z(X, Y)> {
  using x_type = X;
  using y_type = Y;
};
template <class Op>
using x_of = typename argument<typename Op::signature>::x_type;
template <class Op>
using y_of = typename argument<typename Op::signature>::y_type;

/// How a composed object reaches the handles of its parts: constants by value, made ones by reference.
template <class Handle, class Z, class... In>
std::function<Handle()> part(const Builtin<Handle, Z, In...>& op) {
  return [op] { return op.handle(); };
}
template <class Handle, class Z, class... In>
std::function<Handle()> part(const Made<Handle, Z, In...>& op) {
  return [&op] { return op.handle(); };
}

template <class>
inline constexpr bool always_false = false;

}  // namespace detail
}  // namespace cugrb
