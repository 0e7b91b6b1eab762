// How an operation becomes one GraphBLAS call: mxv(A, u, s) only describes; the assignment to an output runs
// it.
//
//   w = mxv(A, u, s);                              GrB_mxv (w, NULL, NULL, s, A, u, NULL)
//   w(structure(m), replace) = mxv(A, u, s);       GrB_mxv (w, m, NULL, s, A, u, GrB_DESC_RS)
//   w += mxv(A, u, s);                             GrB_mxv (w, NULL, GrB_PLUS, s, A, u, NULL)
//   w(accumulate(op::min<int>)) = mxv(A, u, s);    GrB_mxv (w, NULL, GrB_MIN_INT32, s, A, u, NULL)
//   Vector<float> w = mxv(A, u, s);                a new w of the right size, then the first form
//
// Exactly one C call an assignment, nothing is fused or reordered, so the API costs nothing and means what
// the C API means. An expression holds plain handles of its operands: assign it in the statement that makes
// it.
#pragma once
#include <string>

#include "cugrb/detail/calls.hpp"
#include "cugrb/mask.hpp"
#include "cugrb/operators.hpp"

namespace cugrb {
namespace detail {

/// An operand, for the text of an error.
struct Operand {
  const char* name = nullptr;
  GrB_Vector vector = nullptr;
  GrB_Matrix matrix = nullptr;
  Operand() = default;
  Operand(const char* n, GrB_Vector v) : name(n), vector(v) {}
  Operand(const char* n, GrB_Matrix m) : name(n), matrix(m) {}
  std::string text() const {
    Index rows = 0, columns = 0;
    if (vector != nullptr) {
      GrB_Vector_size(&rows, vector);
      return std::string(name) + ": " + std::to_string(rows);
    }
    if (matrix == nullptr) return std::string(name) + ": invalid";
    GrB_Matrix_nrows(&rows, matrix);
    GrB_Matrix_ncols(&columns, matrix);
    return std::string(name) + ": " + std::to_string(rows) + "x" + std::to_string(columns);
  }
};

/// Size of a result; columns is 1 for a vector.
struct Shape {
  Index rows, columns;
};

/// A described operation. Call is GrB_Info(Handle out, Handle mask, GrB_BinaryOp accum, GrB_Descriptor).
template <class Handle, class T, class Call, class Sizer>
struct [[nodiscard]] Expression {
  using handle_type = Handle;
  using value_type = T;
  const char* function;
  unsigned transposes;
  Operand first, second;
  Call call;
  Sizer shape;
};

template <class Handle, class T, class Call, class Sizer>
auto expression(const char* function, unsigned transposes, Operand first, Operand second, Call call,
                Sizer shape) {
  return Expression<Handle, T, Call, Sizer>{function, transposes, first, second, call, shape};
}

template <class E, class Handle, class = void>
struct is_expression : std::false_type {};
template <class Handle, class T, class Call, class Sizer>
struct is_expression<Expression<Handle, T, Call, Sizer>, Handle> : std::true_type {};

[[noreturn]] inline void fail(GrB_Info info, const char* function, const std::string& operands,
                              const std::string& text) {
  throw Error(info, std::string(function) + " (" + operands + ")", text);
}

template <class Handle>
std::string shapes(Handle out, Handle mask, const Operand& first, const Operand& second) {
  std::string text = Operand("output", out).text();
  if (mask != nullptr) text += ", " + Operand("mask", mask).text();
  if (first.name != nullptr) text += ", " + first.text();
  if (second.name != nullptr) text += ", " + second.text();
  return text;
}

/// Runs an expression into an output with options.
template <class Handle, class E>
void run(Handle out, const Options<Handle>& options, const E& e) {
  const GrB_Info info =
      e.call(out, options.mask.handle, options.accumulator, descriptor(options.settings() | e.transposes));
  if (info == GrB_SUCCESS) return;
  fail(info, e.function, shapes(out, options.mask.handle, e.first, e.second), error_text(out));
}

}  // namespace detail

/// An output with its options, waiting for what is assigned to it. Object is Vector<T> or Matrix<T>. When the
/// options name a part of the output, at(I) or at(I, J), `whole` is false: a part takes scalars, vectors and
/// matrices, not expressions.
template <class Object, bool whole>
class Target {
 public:
  using Handle = typename Object::handle_type;
  using T = typename Object::value_type;
  Target(Handle out, const detail::Options<Handle>& options, const At& part)
      : out_(out), options_(options), part_(part) {}

  /// w<mask,replace> = accum(w, T).
  template <class E, std::enable_if_t<detail::is_expression<E, Handle>::value, int> = 0>
  void operator=(const E& e) const {
    static_assert(
        whole,
        "an operation writes the whole output: put its result in a vector or matrix, then assign that");
    static_assert(is_castable<typename E::value_type, T>,
                  "the result's type does not convert to the output's");
    detail::run(out_, options_, e);
  }
  /// The same with PLUS, MINUS or TIMES as accumulator.
  template <class Right>
  void operator+=(const Right& right) const {
    accumulated(op::plus<T>) = right;
  }
  template <class Right>
  void operator-=(const Right& right) const {
    accumulated(op::minus<T>) = right;
  }
  template <class Right>
  void operator*=(const Right& right) const {
    accumulated(op::times<T>) = right;
  }
  /// GrB_assign of a scalar: every position that part and mask admit gets the value x.
  void operator=(const T& x) const {
    const Index *rows = part_.rows.data(), *columns = part_.columns.data();
    if constexpr (std::is_same_v<Handle, GrB_Vector>) {
      check(detail::assign(out_, mask(), accumulator(), x, rows, part_.rows.count(), descriptor()),
            {"x", out_});
    } else {
      check(detail::assign(out_, mask(), accumulator(), x, rows, part_.rows.count(), columns,
                           part_.columns.count(), descriptor()),
            {"x", out_});
    }
  }
  /// GrB_assign: w(I)<mask,replace> = accum(w(I), u); where u has no entry (and there is no accumulator), w
  /// loses its own.
  template <class U>
  void operator=(const Vector<U>& u) const {
    static_assert(std::is_same_v<Handle, GrB_Vector>, "a vector is assigned to a vector");
    static_assert(is_castable<U, T>, "the vector's type does not convert to the output's");
    check(GrB_Vector_assign(out_, mask(), accumulator(), u.handle(), part_.rows.data(), part_.rows.count(),
                            descriptor()),
          {"u", u.handle()});
  }
  template <class U>
  void operator=(const Matrix<U>& a) const {
    static_assert(std::is_same_v<Handle, GrB_Matrix>, "a matrix is assigned to a matrix");
    static_assert(is_castable<U, T>, "the matrix's type does not convert to the output's");
    check(GrB_Matrix_assign(out_, mask(), accumulator(), a.handle(), part_.rows.data(), part_.rows.count(),
                            part_.columns.data(), part_.columns.count(), descriptor()),
          {"A", a.handle()});
  }
  Target(const Target&) = default;
  Target& operator=(const Target&) = delete;

 private:
  Target accumulated(const Builtin<GrB_BinaryOp, T, T, T>& op) const {
    Target target(*this);
    target.options_.accumulator = op.handle();
    return target;
  }
  Handle mask() const { return options_.mask.handle; }
  GrB_BinaryOp accumulator() const { return options_.accumulator; }
  GrB_Descriptor descriptor() const { return detail::descriptor(options_.settings()); }
  void check(GrB_Info info, const detail::Operand& right) const {
    if (info == GrB_SUCCESS) return;
    const detail::Operand none;
    detail::fail(info, "GrB_assign", detail::shapes(out_, mask(), right, none), detail::error_text(out_));
  }

  Handle out_;
  detail::Options<Handle> options_;
  At part_;
};

namespace detail {

inline void set_part(At& part, const At& given) { part = given; }
template <class Other>
void set_part(At&, const Other&) {}
template <class Handle, class Option>
void set_option(Options<Handle>& options, const Option& option) {
  if constexpr (!std::is_same_v<Option, At>) options.set(option);
}

/// w(option…): the options in any order, the last one of a kind counts.
template <class Object, class... Option>
auto target(typename Object::handle_type out, const Option&... option) {
  Options<typename Object::handle_type> options;
  At part{all, all};
  (set_option(options, option), ...);
  (set_part(part, option), ...);
  return Target<Object, !(std::is_same_v<Option, At> || ...)>(out, options, part);
}

}  // namespace detail
}  // namespace cugrb
