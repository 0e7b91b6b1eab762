// Operators, monoids and semirings as descriptions: what the host knows of them, and how device source names
// them. The table behind them is semirings/*.def; this header is its only door.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "semirings/types.h"

namespace cugrb {

/// What a positional operator returns instead of reading values. FirstI of mxm's A(i,k) is i, SecondJ of
/// B(k,j) is j, FirstJ = SecondI = k. The 1-based forms (FIRSTI1 ...) add 1. For eWise and apply, k does not
/// exist: see operators' device code. None: an ordinary operator. Indices: a user's GxB_IndexBinaryOp, which
/// reads the values and both places, (i,k) and (k,j) of a product; EntryIndices: the same operator where both
/// entries are at (i,j).
enum class Positional : uint8_t {
  None,
  FirstI,
  FirstI1,
  FirstJ,
  FirstJ1,
  SecondI,
  SecondI1,
  SecondJ,
  SecondJ1,
  Indices,
  EntryIndices
};

/// z = f(x, y).
struct BinaryOp {
  std::string name;  ///< GraphBLAS's name without prefix: "PLUS_FP32", "SECONDI_INT32"; a user op's own name
  std::string stem;  ///< device functor's stem: "plus", "secondi"; "user" for user-defined
  std::string source;    ///< template-id in device source: "plus<float>"; for a user op the struct that
                         ///< `preamble` defines
  std::string preamble;  ///< user op: definition text that must precede the kernel (types it needs included)
  Type x, y, z;
  bool reads_x = true,
       reads_y = true;  ///< false when the value is ignored (FIRST ignores y, PAIR both, positional both)
  Positional positional = Positional::None;
};

/// z = f(x).  Positional unary operators (POSITIONI_INT64 ...) are carried as IndexUnaryOp by the decoder.
struct UnaryOp {
  std::string name, stem, source, preamble;
  Type x, z;
  bool reads_x = true;  ///< false for ONE
};

/// z = f(x, i, j, thunk): apply and select.
struct IndexUnaryOp {
  std::string name, stem, source, preamble;
  Type x, thunk, z;
  bool reads_x = true;  ///< false for ROWINDEX, TRIL, ...
  bool reads_thunk = true;
};

/// A commutative, associative operator with identity. ANY has no identity that kernels may rely on.
struct Monoid {
  std::string name;  ///< "PLUS_FP32"; a user's monoid: the operator's name
  std::string
      source;  ///< template-id in device source: "monoid<plus<float>>"; see semirings/device/monoids.h
  std::string preamble;
  BinaryOp op;
  std::optional<Value> identity;  ///< empty only for ANY
  std::optional<Value> terminal;  ///< reaching it ends a reduction early
  bool is_any = false;
  const Type& type() const { return op.z; }
  /// A sum may end before its last term.
  bool ends_early() const { return is_any || terminal.has_value(); }
  /// And mostly does at its first ones.
  bool ends_at_once() const { return is_any || (terminal.has_value() && type().code == TypeCode::Bool); }
};

/// add: a monoid over multiply's output type.
struct Semiring {
  std::string name;    ///< "PLUS_SECOND_FP32"
  std::string source;  ///< "semiring<monoid<plus<float>>, second<float>>"
  std::string preamble;
  Monoid add;
  BinaryOp multiply;
};

namespace catalogue {

/// Built-in operators by GraphBLAS name without prefix ("PLUS_FP32", "LAND", "TRIL"); std::nullopt when
/// unknown.
std::optional<UnaryOp> unary_op(const std::string& name);
std::optional<BinaryOp> binary_op(const std::string& name);
std::optional<IndexUnaryOp> index_unary_op(const std::string& name);
std::optional<Monoid> monoid(const std::string& name);      ///< "PLUS_FP32", "LOR" -> "LOR_BOOL" too
std::optional<Semiring> semiring(const std::string& name);  ///< "PLUS_SECOND_FP32", GrB's and GxB's names

/// Everything in the table, for tests, precompile and the handle map.
const std::vector<UnaryOp>& unary_ops();
const std::vector<BinaryOp>& binary_ops();
const std::vector<IndexUnaryOp>& index_unary_ops();
const std::vector<Monoid>& monoids();
const std::vector<Semiring>& semirings();

/// A monoid from an operator and an identity (and a terminal): what GrB_Monoid_new / GxB_Monoid_terminal_new
/// give. When the operator is built-in and identity and terminal are the table's own, the result is the
/// table's monoid.
Monoid make_monoid(const BinaryOp& op, const Value& identity, const std::optional<Value>& terminal);
/// A semiring from a monoid and an operator (41 of LAGraph's are of this kind).
Semiring make_semiring(const Monoid& add, const BinaryOp& multiply);

/// User-defined operators from their C definition ("void f (void *z, const void *x, const void *y) {...}" as
/// SuiteSparse takes it). The definition is not compiled here; the JIT's message comes when a kernel first
/// needs it.
UnaryOp user_unary_op(const std::string& name, const std::string& definition, const Type& z, const Type& x);
BinaryOp user_binary_op(const std::string& name, const std::string& definition, const Type& z, const Type& x,
                        const Type& y);
IndexUnaryOp user_index_unary_op(const std::string& name, const std::string& definition, const Type& z,
                                 const Type& x, const Type& thunk);

/// A binary operator from a GxB_IndexBinaryOp's definition ("void f (void *z, const void *x, GrB_Index ix,
/// GrB_Index jx, const void *y, GrB_Index iy, GrB_Index jy, const void *theta) {...}") and the theta that it
/// is bound to. Theta is a constant of the kernel: another value is another kernel.
BinaryOp user_index_binary_op(const std::string& name, const std::string& definition, const Type& z,
                              const Type& x, const Type& y, const Value& theta);

/// The FIRST/SECOND/... of a type: handy for operations that need one.
BinaryOp first(const Type& type);
BinaryOp second(const Type& type);
UnaryOp identity(const Type& type);
/// The 1 of a built-in type: what ONE and PAIR give.
Value one(const Type& type);

/// The definition of a user type as device source, guarded (preambles may be joined); empty for a built-in
/// type.
std::string type_preamble(const Type& type);

/// The operator as element-wise operations must see it. Kernels pass k = i, and j = 0 on vectors: FIRSTJ
/// becomes SECONDJ, and Indices become EntryIndices.
BinaryOp elementwise(const BinaryOp& op);

/// The operator ignores places: VALUEEQ and its like. (Of a user's nobody knows.)
inline bool looks_at_value_only(const IndexUnaryOp& op) { return op.reads_x && op.stem != "user"; }

/// An index-unary operator with its thunk.
struct BoundIndexUnaryOp {
  IndexUnaryOp op;
  Value thunk;
};
/// POSITIONI_INT64 and its like ("POSITIONJ1_INT32"): unary operators that ignore the value.
std::optional<BoundIndexUnaryOp> positional_unary(const std::string& name);
/// A positional binary operator in apply: FIRSTI = SECONDI = the row, FIRSTJ = SECONDJ = the column (0 for
/// vectors).
BoundIndexUnaryOp positional_apply(const BinaryOp& op);

/// GxB_SelectOp by name without prefix ("TRIL", "NONZERO", "GE_THUNK") on a vector or matrix of `type`.
/// `thunk` is set when the operator brings its own (zero); else the caller's thunk, typecast to op.thunk, is
/// used. std::nullopt when unknown, and when values of `type` do not compare so (user-defined ones, and
/// complex ones that would have to be in an order).
struct SelectOp {
  IndexUnaryOp op;
  std::optional<Value> thunk;
};
std::optional<SelectOp> select_op(const std::string& name, const Type& type);

}  // namespace catalogue

/// The host reference: what the device code computes, by the same table, one value at a time. Slow and
/// obvious. Built-in operators only. Bytes in, bytes out; typecasting as the C API rules (SuiteSparse's:
/// saturating float to integer).
namespace reference {
Value cast(const Value& value, const Type& to);
Value apply(const UnaryOp& op, const Value& x);
Value apply(const BinaryOp& op, const Value& x, const Value& y);
Value apply_positional(const BinaryOp& op, uint64_t i, uint64_t k, uint64_t j);
Value apply(const IndexUnaryOp& op, const Value& x, uint64_t i, uint64_t j, const Value& thunk);
}  // namespace reference

}  // namespace cugrb
