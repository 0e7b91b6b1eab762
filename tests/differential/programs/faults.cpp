#include "tests/differential/programs/faults.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace differential::programs {
namespace {

/// Operators whose results are the same to the bit wherever they are computed, while their operands are small
/// integers. What divides or has a series is compared with a tolerance by the tests of single calls.
bool is_exact(const std::string& name) {
  static const std::set<std::string> exact = {
      "FIRST",    "SECOND",    "ONEB",     "MIN",       "MAX",       "RMINUS",     "PAIR",       "ISEQ",
      "ISNE",     "ISGT",      "ISLT",     "ISGE",      "ISLE",      "LOR",        "LAND",       "LXOR",
      "EQ",       "NE",        "GT",       "LT",        "GE",        "LE",         "IDENTITY",   "AINV",
      "ABS",      "LNOT",      "ONE",      "PLUS",      "MINUS",     "SIGNUM",     "CEIL",       "FLOOR",
      "ROUND",    "TRUNC",     "ISINF",    "ISNAN",     "TIMES",     "BNOT",       "BOR",        "BAND",
      "BXOR",     "BXNOR",     "FIRSTI",   "FIRSTJ",    "LXNOR",     "FIRSTI1",    "FIRSTJ1",    "SECONDI",
      "SECONDJ",  "SECONDI1",  "SECONDJ1", "POSITIONI", "POSITIONJ", "POSITIONI1", "POSITIONJ1", "ROWINDEX",
      "COLINDEX", "DIAGINDEX", "TRIL",     "TRIU",      "DIAG",      "OFFDIAG",    "ROWLE",      "ROWGT",
      "COLLE",    "COLGT",     "VALUEEQ",  "VALUENE",   "VALUELT",   "VALUELE",    "VALUEGT",    "VALUEGE",
      "ISFINITE", "triple"};
  return exact.count(name) != 0;
}

std::vector<std::string> words(const std::string& name) {
  std::vector<std::string> all;
  for (size_t at = 0; at <= name.size();) {
    const size_t end = std::min(name.find('_', at), name.size());
    all.push_back(name.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

/// Of a semiring the first two words are operators, of everything else the first one.
bool has_exact_operators(const Configuration& c) {
  const bool semiring = c.operation == Operation::mxm || c.operation == Operation::mxv ||
                        c.operation == Operation::vxm || c.operation == Operation::ewise_mult_semiring;
  for (const std::string* name : {&c.op, &c.add, &c.multiply, &c.accumulate}) {
    if (name->empty()) continue;
    std::vector<std::string> parts = words(*name);
    while (!parts.empty() && (parts[0] == "GrB" || parts[0] == "GxB")) parts.erase(parts.begin());
    if (parts.empty()) return false;
    const bool two = semiring && name == &c.op && parts[0] != "triple";
    // Of ANY's terms every one is right; of PAIR's they are all the same.
    const bool any_pair = two && parts[0] == "ANY" && parts.size() > 1 && parts[1] == "PAIR";
    if (any_pair) continue;
    if (!is_exact(parts[0]) || (two && (parts.size() < 2 || !is_exact(parts[1])))) return false;
  }
  return true;
}

/// A product of many small numbers is no small number.
bool multiplies_reals(const Configuration& c) {
  const bool monoid = c.operation == Operation::ewise_add_monoid || c.operation == Operation::reduce ||
                      c.operation == Operation::matrix_reduce || c.operation == Operation::matrix_reduce_rows;
  const auto is_product = [](const std::string& name) {
    return name.find("TIMES_") == (name.rfind("G", 0) == 0 ? 4u : 0u) &&
           (name.find("_FP") != std::string::npos || name.find("_FC") != std::string::npos);
  };
  const bool semiring =
      c.operation == Operation::mxm || c.operation == Operation::mxv || c.operation == Operation::vxm;
  return is_product(c.add) || ((monoid || semiring) && is_product(c.op));
}

bool sums_reals(const Configuration& c) {
  const std::string operators = c.op + " " + c.add + " " + c.multiply + " " + c.accumulate;
  return operators.find("_FP") != std::string::npos || operators.find("_FC") != std::string::npos;
}

/// An integer so small that a product of two of them, summed a thousand times, is one that the type has.
bool is_small(double x, bool single) {
  return std::isnan(x) || std::isinf(x) || (x == std::floor(x) && std::fabs(x) <= (single ? 100 : 1 << 20));
}

}  // namespace

bool avoid_faults(Configuration& c) {
  // order_of_products: they round, by the order of their factors.
  if (!has_exact_operators(c) || multiplies_reals(c)) return false;
  // minus_zero_mask: a mask value of -0.0 is true or false by kernel.
  if (c.mask == MaskKind::valued && (is_real(c.type_mask) || is_complex(c.type_mask) || is_user(c.type_mask)))
    c.mask = MaskKind::structural;
  // select_cast: from 8.0 on, select by a VALUE operator of another type reads beyond the thunk.
  const bool selects = c.operation == Operation::select || c.operation == Operation::matrix_select;
  if (selects && c.op.rfind("VALUE", 0) == 0 && !selects_cast_values()) c.op = compared_as(c.op, c.type_u);
  return true;
}

std::string fault_of(const Step& s) {
  const Configuration& c = s.configuration;
  // own_valued_mask: w<w, replace> accum= T keeps entries at which w is zero.
  if (s.mask >= 0 && s.mask == s.out && c.mask == MaskKind::valued) return "own_valued_mask";
  // concat_into_tile: the specification leaves open what a tile that is C holds.
  if (c.operation == Operation::concat && (s.out == s.first || s.out == s.second)) return "concat_into_tile";
  return "";
}

namespace {

bool assigns(Operation operation) {
  static const std::set<Operation> all = {Operation::assign,
                                          Operation::assign_scalar,
                                          Operation::subassign,
                                          Operation::row_assign,
                                          Operation::column_assign,
                                          Operation::row_subassign,
                                          Operation::column_subassign,
                                          Operation::matrix_assign,
                                          Operation::matrix_assign_scalar,
                                          Operation::matrix_assign_part,
                                          Operation::matrix_assign_part_scalar,
                                          Operation::matrix_subassign,
                                          Operation::matrix_subassign_scalar};
  return all.count(operation) != 0;
}

}  // namespace

int waits_before(const Step& s) {
  // unfinished_sort: 7.4 sorts without the entries that are not yet in their places.
  const Operation operation = s.configuration.operation;
  if (operation == Operation::vector_sort || operation == Operation::matrix_sort) return s.first;
  // remove_pending: 7.4 ends the process in removeElement of a matrix that has pending entries.
  if (operation == Operation::matrix_remove_element || operation == Operation::vector_remove_element)
    return s.out;
  // resize_removed: 10.5 gives back the entries of a hypersparse matrix that were removed before it is
  // resized.
  if (operation == Operation::matrix_resize || operation == Operation::vector_resize) return s.out;
  // pending_assignment: an assignment to an object with pending entries, or one after the other through lists
  // that name an index twice, leaves more entries than SuiteSparse counts.
  return assigns(operation) ? s.out : -1;
}

bool waits_after(const Step& s) {
  const auto repeats = [](const List& list) {
    return list.kind == List::Kind::indices &&
           std::set<GrB_Index>(list.values.begin(), list.values.end()).size() < list.values.size();
  };
  return assigns(s.configuration.operation) && (repeats(s.rows) || repeats(s.columns));
}

namespace {

/// Several entries, all alike: the library may hold one value for all of them. Whether it does depends on
/// what was pending when they were made, and the oracle, which leaves nothing pending, need not do as the
/// other run.
bool may_have_one_value(const Snapshot& object) {
  const std::vector<Entry>& entries = object.entries;
  return entries.size() > 1 && std::all_of(entries.begin(), entries.end(), [&](const Entry& entry) {
           return entry.bits == entries.front().bits;
         });
}

/// u op v of full operands, without mask and accumulator, into a w that is full and has one value: 7.4 writes
/// all values of the result into the room of one (GB_dense_ewise3_noaccum).
bool writes_into_one_value(const Step& s, const std::vector<Snapshot>& before) {
  static const std::set<Operation> pairs = {Operation::ewise_add,         Operation::ewise_mult,
                                            Operation::ewise_add_monoid,  Operation::ewise_mult_semiring,
                                            Operation::ewise_union,       Operation::matrix_ewise_add,
                                            Operation::matrix_ewise_mult, Operation::matrix_ewise_union};
  if (pairs.count(s.configuration.operation) == 0 || s.out < 0) return false;
  const auto is_full = [&](int k) {
    const Snapshot& object = before[size_t(k)];
    return object.entries.size() == object.rows * object.columns;
  };
  return may_have_one_value(before[size_t(s.out)]) && is_full(s.out) && is_full(s.first) && is_full(s.second);
}

}  // namespace

std::string fault_with(const Step& s, const Executor& oracle, const std::vector<Snapshot>& before) {
  const Configuration& c = s.configuration;
  // order_of_sums: sums of reals are exact in any order while their terms are small integers.
  if (sums_reals(c)) {
    const std::string operators = c.op + " " + c.add + " " + c.multiply + " " + c.accumulate;
    const bool single =
        operators.find("_FP32") != std::string::npos || operators.find("_FC32") != std::string::npos;
    for (const int k : {s.out, s.first, s.second}) {
      if (k < 0) continue;
      for (const Entry& entry : before[size_t(k)].entries) {
        const double imaginary = is_complex(oracle.type(k)) ? imaginary_value(entry) : 0;
        if (!is_small(real_value(oracle.type(k), entry), single) || !is_small(imaginary, single))
          return "order_of_sums";
      }
    }
  }
  // one_value: values of a full result are lost.
  if (writes_into_one_value(s, before)) return "one_value";
  // one_under_itself: the one entry of a full u of length 1, which is its own valued mask, does not arrive in
  // an empty bitmap.
  if (assigns(c.operation) && s.mask >= 0 && s.mask == s.first && c.mask == MaskKind::valued &&
      before[size_t(s.first)].rows * before[size_t(s.first)].columns == 1)
    return "one_under_itself";
  const auto inner_is_empty = [&] {
    const Snapshot& a = before[size_t(s.first)];
    const bool transposed = transposes_first(c);
    return (c.operation == Operation::vxm ? a.rows : transposed ? a.rows : a.columns) == 0;
  };
  switch (c.operation) {
    case Operation::mxm:
    case Operation::mxv:
    case Operation::vxm:
      // empty_inner_dimension: dot products return a result that they never made.
      if (inner_is_empty()) return "empty_inner_dimension";
      break;
    case Operation::ewise_mult:
    case Operation::ewise_mult_semiring:
    case Operation::matrix_ewise_mult:
      // exchanged_operands: 7.4 computes op(v, u) of an iso bitmap or full u and an iso sparse v, by an
      // operator that has no twin for exchanged operands. A semiring has such an operator, too.
      if ((c.op == "triple_times" || c.op == "triple_plus_times") && selects_cast_values() &&
          before[size_t(s.first)].iso && before[size_t(s.second)].iso)
        return "exchanged_operands";
      break;
    case Operation::ewise_union:
    case Operation::matrix_ewise_union:
      // union_with_itself: C<A> = A SECOND A of a sparse A, all three one object, keeps values of the
      // operator's type as if they were of A's.
      if (s.first == s.second && s.first == s.mask && c.op.find("SECOND_") != std::string::npos)
        return "union_with_itself";
      break;
    case Operation::reduce:
    case Operation::matrix_reduce:
    case Operation::matrix_reduce_rows:
      // empty_iso: an empty iso bitmap object is the sum of the value that it has nowhere.
      if (before[size_t(s.first)].entries.empty()) return "empty_iso";
      break;
    default:
      break;
  }
  return "";
}

std::string fault_in(const Outcome& outcome, const Step& s, const Snapshot& after, const std::string& type) {
  // failed_build: SuiteSparse leaves an object that is none.
  const bool builds = s.configuration.operation == Operation::matrix_build ||
                      s.configuration.operation == Operation::vector_build;
  if (builds && outcome.info != GrB_SUCCESS) return "failed_build";
  if (outcome.info == GrB_OUT_OF_MEMORY || outcome.info == GrB_PANIC) return "out_of_memory";
  // twice_in_one_place: w<M> accum= T with a sparse mask puts a position twice, or one beyond the end.
  for (size_t k = 0; k < after.entries.size(); ++k) {
    const Entry& entry = after.entries[k];
    if (entry.i >= after.rows || entry.j >= after.columns) return "twice_in_one_place";
    if (k > 0 && entry.i == after.entries[k - 1].i && entry.j == after.entries[k - 1].j)
      return "twice_in_one_place";
  }
  // rounded: a real that is no integer rounds in its next use, by the order of operations.
  const auto rounded = [](double x) { return !std::isnan(x) && !std::isinf(x) && x != std::floor(x); };
  for (const Entry& entry : after.entries) {
    if (is_real(type) && rounded(real_value(type, entry))) return "rounded";
    if (is_complex(type) && (rounded(real_value(type, entry)) || rounded(imaginary_value(entry))))
      return "rounded";
  }
  return "";
}

}  // namespace differential::programs
