// What may stand in the parentheses of an output: w(structure(m), replace, accumulate(op::min<int>)) = …
//
//   mask(m)          only positions where m has an entry whose value is not zero are written
//   structure(m)     only positions where m has an entry, whatever its value
//   !mask(m), !structure(m)   the complement: only the other positions
//   replace          positions that the mask leaves out are deleted (without it they stay as they are)
//   accumulate(op)   w = w op T, entry by entry, instead of w = T
//   at(I), at(I, J)  the output's part with these indices (assignments of scalars, vectors and matrices)
//
// In the words of the C API: T is the operation's result, Z = accum ? w op T : T, and then w<mask,replace> =
// Z. Source: GraphBLAS C API 2.0, sections 2.5.1, 3.4 (masks), 4.3 (accumulate and replace).
#pragma once
#include <array>
#include <initializer_list>
#include <vector>

#include "cugrb/operator_base.hpp"

namespace cugrb {

template <class T>
class Vector;
template <class T>
class Matrix;

/// A mask: use mask(), structure() and operator! to make one. Handle is GrB_Vector or GrB_Matrix.
template <class Handle>
struct Mask {
  Handle handle;
  bool structural;
  bool complement;
};

/// True where m has an entry and its value, as a bool, is true.
template <class T>
Mask<GrB_Vector> mask(const Vector<T>& m) {
  static_assert(is_builtin<T>, "a valued mask needs a built-in type: use structure(m)");
  return {m.handle(), false, false};
}
template <class T>
Mask<GrB_Matrix> mask(const Matrix<T>& m) {
  static_assert(is_builtin<T>, "a valued mask needs a built-in type: use structure(m)");
  return {m.handle(), false, false};
}
/// True where m has an entry.
template <class T>
Mask<GrB_Vector> structure(const Vector<T>& m) {
  return {m.handle(), true, false};
}
template <class T>
Mask<GrB_Matrix> structure(const Matrix<T>& m) {
  return {m.handle(), true, false};
}
/// The complement of a mask.
template <class Handle>
Mask<Handle> operator!(Mask<Handle> m) {
  m.complement = !m.complement;
  return m;
}

struct Replace {};
/// Entries outside the mask are deleted.
inline constexpr Replace replace{};

struct Accumulator {
  GrB_BinaryOp handle;
};
/// The result is combined with what the output holds, by op: Z = w op T; where only one of them has an entry,
/// Z has it.
template <class Op>
Accumulator accumulate(const Op& op) {
  static_assert(detail::is_binary_op<Op>, "accumulate takes a binary operator, such as op::plus<float>");
  return {op.handle()};
}

/// A list of indices for at(), extract() and assignment: all of them, an arithmetic range, or a list that you
/// keep alive.
class Indices {
 public:
  Indices(const std::vector<Index>& list) : data_(list.data()), count_(list.size()) {}
  Indices(std::initializer_list<Index> list) : owned_(list), data_(nullptr), count_(list.size()) {}
  Indices(const Index* data, Index count) : data_(data), count_(count) {}
  /// Every index.
  static Indices everything() { return Indices(GrB_ALL, 0); }
  /// begin, begin + step, … below end. Throws Error (GrB_INVALID_VALUE) for a step of 0.
  static Indices range(Index begin, Index end, Index step = 1) {
    if (step == 0) throw Error(GrB_INVALID_VALUE, "range", "the step is 0");
    Indices indices(nullptr, end > begin ? GxB_STRIDE : 0);
    indices.range_ = {begin, end > begin ? end - 1 : 0, step};
    return indices;
  }
  const Index* data() const {
    if (data_ != nullptr) return data_;
    return owned_.empty() ? range_.data() : owned_.data();
  }
  Index count() const { return count_; }
  /// How many indices these are, in a dimension of length n.
  Index length(Index n) const {
    if (data_ == GrB_ALL) return n;
    return count_ == GxB_STRIDE ? (range_[GxB_END] - range_[GxB_BEGIN]) / range_[GxB_INC] + 1 : count_;
  }

 private:
  std::vector<Index> owned_;  // a braced list is copied: it dies before the assignment
  const Index* data_;
  Index count_;
  std::array<Index, 3> range_{};
};
/// Every index of a dimension.
inline const Indices all = Indices::everything();
/// begin, begin + step, … below end (end itself is left out). step is at least 1.
inline Indices range(Index begin, Index end, Index step = 1) { return Indices::range(begin, end, step); }

/// The part of an output with these row (and column) indices.
struct At {
  Indices rows, columns;
};
inline At at(Indices rows) { return {rows, all}; }
inline At at(Indices rows, Indices columns) { return {rows, columns}; }

namespace detail {

enum : unsigned {
  transpose_first = 1,
  transpose_second = 2,
  complement_mask = 4,
  structural_mask = 8,
  replace_output = 16
};

/// The predefined descriptor with these settings (a sum of the constants above).
inline GrB_Descriptor descriptor(unsigned settings) {
  const GrB_Descriptor table[32] = {
      nullptr,        GrB_DESC_T0,     GrB_DESC_T1,   GrB_DESC_T0T1,   GrB_DESC_C,    GrB_DESC_CT0,
      GrB_DESC_CT1,   GrB_DESC_CT0T1,  GrB_DESC_S,    GrB_DESC_ST0,    GrB_DESC_ST1,  GrB_DESC_ST0T1,
      GrB_DESC_SC,    GrB_DESC_SCT0,   GrB_DESC_SCT1, GrB_DESC_SCT0T1, GrB_DESC_R,    GrB_DESC_RT0,
      GrB_DESC_RT1,   GrB_DESC_RT0T1,  GrB_DESC_RC,   GrB_DESC_RCT0,   GrB_DESC_RCT1, GrB_DESC_RCT0T1,
      GrB_DESC_RS,    GrB_DESC_RST0,   GrB_DESC_RST1, GrB_DESC_RST0T1, GrB_DESC_RSC,  GrB_DESC_RSCT0,
      GrB_DESC_RSCT1, GrB_DESC_RSCT0T1};
  return table[settings];
}

/// The options of an output, gathered.
template <class Handle>
struct Options {
  Mask<Handle> mask{nullptr, false, false};
  GrB_BinaryOp accumulator = nullptr;
  bool replace = false;

  void set(const Mask<Handle>& m) { mask = m; }
  void set(Accumulator a) { accumulator = a.handle; }
  void set(Replace) { replace = true; }
  unsigned settings() const {
    return (mask.complement ? complement_mask : 0u) | (mask.structural ? structural_mask : 0u) |
           (replace ? replace_output : 0u);
  }
};

}  // namespace detail
}  // namespace cugrb
