// Random differential test against SuiteSparse: every case runs once through the exported functions (cuGrB in
// front) and once through the real library on objects of its own; results, codes and error texts must agree.
//
//   differential --cases N [--first K] [--configurations C] [--repeat R] [--catalogue] [--products] [--seed
//   S] [--verbose] [--iso]
//
// Case k uses configuration (k / R mod C) (C = 0: each R cases have their own) and data drawn from k: so a
// failing case is repeated alone by --first k --cases 1 and the same other options. The R cases that follow
// each other with one configuration have other data, every other one of them other forms and aliasing, and
// share two sets of kernels (whose compilation is most of what a case of its own takes). --products: mxv, vxm
// and mxm only (for CUGRB_FORCE). --iso: the cases whose result is iso in one of the two libraries only
// (docs/decisions.md: which results are iso).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>

#include "tests/differential/objects.h"
#include "tests/differential/program.h"

namespace differential {
namespace {

GrB_Descriptor descriptor(const Configuration& c) {
  const bool first = c.operation == Operation::mxv;
  const std::string transposed =
      !c.transpose || (c.operation != Operation::mxv && c.operation != Operation::vxm) ? ""
      : first                                                                          ? "T0"
                                                                                       : "T1";
  std::string name = std::string(c.replace ? "R" : "") + (c.mask == MaskKind::structural ? "S" : "") +
                     (c.complement ? "C" : "") + transposed;
  return name.empty() ? nullptr : static_cast<GrB_Descriptor>(predefined("GrB_DESC_" + name));
}

GrB_Semiring semiring(const Api& f, const Configuration& c, bool& mine) {
  mine = c.op.empty();
  if (!mine) return static_cast<GrB_Semiring>(predefined(c.op));
  GrB_Semiring made = nullptr;
  require(f.GrB_Semiring_new(&made, static_cast<GrB_Monoid>(predefined(c.add)),
                             static_cast<GrB_BinaryOp>(predefined(c.multiply))),
          "Semiring_new");
  return made;
}

template <class Handle>
Handle op(const Configuration& c) {
  return static_cast<Handle>(predefined(c.op));
}

GrB_Info run_product(const Api& f, const Configuration& c, Objects& o, GrB_Vector mask, GrB_BinaryOp accum,
                     GrB_Descriptor d) {
  bool mine = false;
  GrB_Semiring s = semiring(f, c, mine);
  GrB_Info info = c.operation == Operation::mxv ? f.GrB_mxv(o.w, mask, accum, s, o.a, o.u, d)
                  : c.operation == Operation::vxm
                      ? f.GrB_vxm(o.w, mask, accum, s, o.u, o.a, d)
                      : f.GrB_Vector_eWiseMult_Semiring(o.w, mask, accum, s, o.u, o.v, d);
  if (mine) f.GrB_Semiring_free(&s);
  return info;
}

GrB_Info run_elements(const Api& f, Objects& o) {
  const GrB_Index i = GrB_Index(o.small_integer) % o.n_w;
  require(f.GrB_Vector_setElement_INT64(o.w, 1, i), "setElement");
  double value = 0;
  require(f.GrB_Vector_extractElement_FP64(&value, o.w, i), "extractElement");
  if (value != 1) throw std::runtime_error("extractElement does not give what setElement put");
  require(f.GrB_Vector_removeElement(o.w, o.n_w - 1), "removeElement");
  return o.small_integer == 0 ? f.GrB_Vector_clear(o.w) : GrB_SUCCESS;
}

/// The scalar results of reduce, as reals.
GrB_Info run_reduce(const Api& f, const Configuration& c, Objects& o, double& result) {
  GrB_Monoid monoid = op<GrB_Monoid>(c);
  if (c.op.find("BOOL") != std::string::npos) {
    bool value = c.replace;
    GrB_Info info = f.GrB_Vector_reduce_BOOL(&value, nullptr, monoid, o.u, nullptr);
    result = value;
    return info;
  }
  if (c.typed_scalar) {
    int64_t value = 3;
    GrB_Info info =
        f.GrB_Vector_reduce_INT64(&value, c.replace ? GrB_PLUS_INT64 : nullptr, monoid, o.u, nullptr);
    result = double(value);
    return info;
  }
  result = 3;
  return f.GrB_Vector_reduce_FP64(&result, c.replace ? GrB_PLUS_FP64 : nullptr, monoid, o.u, nullptr);
}

GrB_Info run(const Api& f, const Configuration& c, Objects& o, double& scalar) {
  GrB_Vector mask = c.mask == MaskKind::none ? nullptr : o.mask;
  GrB_BinaryOp accum = c.accumulate.empty() ? nullptr : static_cast<GrB_BinaryOp>(predefined(c.accumulate));
  GrB_Descriptor d = descriptor(c);
  const GrB_Index* list = c.all_indices ? GrB_ALL : o.list.data();
  const GrB_Index count = c.all_indices ? o.n_w : o.list.size();
  const int64_t k = o.small_integer;
  auto binary = [&] { return op<GrB_BinaryOp>(c); };
  auto indexed = [&] { return op<GrB_IndexUnaryOp>(c); };
  switch (c.operation) {
    case Operation::mxv:
    case Operation::vxm:
    case Operation::ewise_mult_semiring:
      return run_product(f, c, o, mask, accum, d);
    case Operation::ewise_add:
      return f.GrB_Vector_eWiseAdd_BinaryOp(o.w, mask, accum, binary(), o.u, o.v, d);
    case Operation::ewise_mult:
      return f.GrB_Vector_eWiseMult_BinaryOp(o.w, mask, accum, binary(), o.u, o.v, d);
    case Operation::ewise_add_monoid:
      return f.GrB_Vector_eWiseAdd_Monoid(o.w, mask, accum, op<GrB_Monoid>(c), o.u, o.v, d);
    case Operation::ewise_union:
      return f.GxB_Vector_eWiseUnion(o.w, mask, accum, binary(), o.u, o.scalar, o.v, o.beta, d);
    case Operation::apply:
      return f.GrB_Vector_apply(o.w, mask, accum, op<GrB_UnaryOp>(c), o.u, d);
    case Operation::apply_first:
      return c.typed_scalar
                 ? f.GrB_Vector_apply_BinaryOp1st_FP64(o.w, mask, accum, binary(), double(k), o.u, d)
                 : f.GrB_Vector_apply_BinaryOp1st_Scalar(o.w, mask, accum, binary(), o.scalar, o.u, d);
    case Operation::apply_second:
      return c.typed_scalar
                 ? f.GrB_Vector_apply_BinaryOp2nd_INT64(o.w, mask, accum, binary(), o.u, k, d)
                 : f.GrB_Vector_apply_BinaryOp2nd_Scalar(o.w, mask, accum, binary(), o.u, o.scalar, d);
    case Operation::apply_index:
      return f.GrB_Vector_apply_IndexOp_Scalar(o.w, mask, accum, indexed(), o.u, o.scalar, d);
    case Operation::select:
      return c.typed_scalar && c.iso_matrix
                 ? f.GrB_Vector_select_FP64(o.w, mask, accum, indexed(), o.u, o.thunk.real, d)
             : c.typed_scalar
                 ? f.GrB_Vector_select_INT64(o.w, mask, accum, indexed(), o.u, o.thunk.integer, d)
                 : f.GrB_Vector_select_Scalar(o.w, mask, accum, indexed(), o.u, o.scalar, d);
    case Operation::assign:
      return f.GrB_Vector_assign(o.w, mask, accum, o.u, list, count, d);
    case Operation::assign_scalar:
      return !c.typed_scalar ? f.GrB_Vector_assign_Scalar(o.w, mask, accum, o.scalar, list, count, d)
             : c.iso_matrix  ? f.GrB_Vector_assign_INT64(o.w, mask, accum, k, list, count, d)
                             : f.GrB_Vector_assign_FP64(o.w, mask, accum, double(k), list, count, d);
    case Operation::extract:
      return f.GrB_Vector_extract(o.w, mask, accum, o.u, list, count, d);
    case Operation::subassign:
      return c.typed_scalar ? f.GxB_Vector_subassign_Scalar(o.w, mask, accum, o.scalar, list, count, d)
                            : f.GxB_Vector_subassign(o.w, mask, accum, o.u, list, count, d);
    case Operation::reduce:
      return run_reduce(f, c, o, scalar);
    case Operation::elements:
      return run_elements(f, o);
    default:
      break;  // matrices.cpp
  }
  return GrB_PANIC;
}

/// run() on SuiteSparse's own objects; false when SuiteSparse crashes.
bool run_oracle(const Configuration& c, Objects& o, double& scalar, GrB_Info& info) {
  return oracle_survives([&] { info = run(real(), c, o, scalar); });
}

bool one_of(const std::string& op, std::initializer_list<const char*> stems) {
  const std::string stem = op.substr(0, op.find('_'));
  return std::find(stems.begin(), stems.end(), stem) != stems.end();
}

/// eWiseMult of a bitmap or full u with a sparse v: SuiteSparse 7.4 visits v and exchanges the operands, and
/// where the operator has no exchanged twin (as MINUS has RMINUS) it says so to its kernels, but not to the
/// shortcut for two iso operands: iso -2 to the power of iso 3 is pow(3, -2) there, and -8 as soon as one of
/// the two is not iso or both are sparse. So the oracle holds u as sparse; what it computes stays the same.
void avoid_exchange(const Configuration& c, Objects& oracle) {
  if (c.operation != Operation::ewise_mult && c.operation != Operation::ewise_mult_semiring) return;
  const std::string& op =
      c.op.empty() ? c.multiply : c.op.substr(c.operation == Operation::ewise_mult ? 0 : c.op.find('_') + 1);
  if (!one_of(op,
              {"POW", "ATAN2", "FMOD", "REMAINDER", "COPYSIGN", "LDEXP", "BGET", "BSET", "BCLR", "BSHIFT"}))
    return;
  require(real().GxB_Vector_Option_set(oracle.u, GxB_SPARSITY_CONTROL, GxB_SPARSE), "Option_set");
}

bool reads_signs(const Configuration& c) {
  return one_of(c.op, {"COPYSIGN"}) || one_of(c.multiply, {"COPYSIGN"}) || one_of(c.accumulate, {"COPYSIGN"});
}

/// Whether a sum by MIN or MAX gives zeros, whose sign no rule gives, to an operator that divides by them
/// when they are fed back.
bool divides_by_signless_zeros(const Configuration& c) {
  const auto divides = [](const std::string& op) { return one_of(op, {"DIV", "RDIV", "ATAN2", "POW"}); };
  return one_of(c.add, {"MIN", "MAX"}) && (divides(c.multiply) || divides(c.accumulate));
}

/// The positions at which w accum= T sees a sign that no rule gives: where T has a NaN, or a zero that MIN or
/// MAX took. (docs/decisions.md: signs that are nobody's.) T comes from SuiteSparse, on objects of its own.
std::vector<GrB_Index> unsigned_positions(const Configuration& drawn, uint64_t seed) {
  if (!one_of(drawn.accumulate, {"COPYSIGN"}) || drawn.operation == Operation::reduce) return {};
  Configuration c = drawn;
  c.accumulate.clear();
  c.mask = MaskKind::none;
  c.complement = c.replace = false;
  Objects objects(real(), drawn, seed);
  avoid_exchange(c, objects);
  const GrB_Vector w = objects.w;
  require(real().GrB_Vector_new(&objects.w, GrB_FP64, objects.n_w), "Vector_new");
  double scalar = 0;
  GrB_Info info = GrB_PANIC;
  const bool lived = run_oracle(c, objects, scalar, info) && info == GrB_SUCCESS;
  const Entries t = lived ? entries_of(real(), objects.w, "FP64") : Entries();
  real().GrB_Vector_free(&objects.w);
  objects.w = w;
  const std::string operators = c.op + " " + c.add;
  const bool zeros =
      operators.find("MIN_") != std::string::npos || operators.find("MAX_") != std::string::npos;
  std::vector<GrB_Index> found;
  for (size_t k = 0; k < t.positions.size(); ++k) {
    if (std::isnan(t.reals[k]) || (zeros && t.reals[k] == 0)) found.push_back(t.positions[k]);
  }
  return found;
}

/// SuiteSparse 7.4 has been seen to put a position twice, or one beyond the end, into its own result
/// (docs/decisions.md).
bool is_vector(const Entries& e, GrB_Index length) {
  return std::is_sorted(e.positions.begin(), e.positions.end(), std::less_equal<>()) &&
         (e.positions.empty() || e.positions.back() < length);
}

/// Runs a case through both; empty when they agree.
std::string run_case(const Configuration& drawn, uint64_t seed) {
  Configuration c = drawn;
  c.inexact = c.inexact || (c.op + c.add).find("TIMES") != std::string::npos;
  Objects ours(exported(), c, seed);
  auto oracle = std::make_unique<Objects>(real(), c, seed);
  avoid_exchange(c, *oracle);
  const std::string& type_u = c.aliasing == Aliasing::output_is_u ? c.type_w : c.type_u;
  // ANY may give either of its operands: SuiteSparse itself gives one or the other by kernel, so only
  // patterns are equal.
  const std::string operators = c.op + " " + c.add + " " + c.multiply + " " + c.accumulate;
  const bool any = operators.find("ANY_") != std::string::npos, pattern_only = any;
  // A second round feeds the first one's result back in: inputs that live on the device.
  // SuiteSparse 7.4's w<w, replace> accum= T with a valued mask keeps entries at which w is zero (checked by
  // hand against the specification on one such case): not asked twice, when w has got zeros.
  const bool own_mask = c.aliasing == Aliasing::mask_is_output && c.mask == MaskKind::valued && c.replace;
  // A NaN of the first round has a sign that is nobody's: not handed on to an operator that reads signs.
  // An integer made from an inexact real may fall on either side (objects.cpp), and what is made of it
  // differs by more.
  const bool rounded =
      c.inexact && c.text().find("FP") != std::string::npos && c.type_w.find("FP") == std::string::npos;
  const bool twice = !pattern_only && !own_mask && !rounded && !reads_signs(c) &&
                     !divides_by_signless_zeros(c) && c.aliasing != Aliasing::none &&
                     c.operation != Operation::reduce;
  const int rounds = twice ? 2 : 1;
  for (int round = 0; round < rounds; ++round) {
    double scalar = 0, oracle_scalar = 0;
    GrB_Info expected = GrB_PANIC;
    if (!run_oracle(c, *oracle, oracle_scalar, expected)) {
      ++oracle_crashes;
      static_cast<void>(oracle.release());  // SuiteSparse left it half written
      return "";
    }
    const GrB_Info info = run(exported(), c, ours, scalar);
    if (info != expected) return "code " + std::to_string(info) + ", SuiteSparse " + std::to_string(expected);
    const char *text = nullptr, *expected_text = nullptr;
    require(exported().GrB_Vector_error(&text, ours.w), "error");
    require(real().GrB_Vector_error(&expected_text, oracle->w), "error");
    if (std::strcmp(text, expected_text) != 0)
      return std::string("error text '") + text + "', SuiteSparse '" + expected_text + "'";
    const bool same =
        scalar == oracle_scalar || (scalar != scalar && oracle_scalar != oracle_scalar) || any ||
        (c.inexact && std::abs(scalar - oracle_scalar) <= 1e-4 * std::max(1.0, std::abs(oracle_scalar)));
    if (!same) return "scalar " + std::to_string(scalar) + ", SuiteSparse " + std::to_string(oracle_scalar);
  }
  const Entries expected_w = entries_of(real(), oracle->w, c.type_w);
  if (!is_vector(expected_w, ours.n_w)) {
    ++oracle_crashes;
    return "";
  }
  std::string d = difference(entries_of(exported(), ours.w, c.type_w), expected_w, c, c.type_w, pattern_only,
                             unsigned_positions(c, seed));
  bool iso = false, expected_iso = false;
  require(exported().GxB_Vector_iso(&iso, ours.w), "iso");
  require(real().GxB_Vector_iso(&expected_iso, oracle->w), "iso");
  note_iso(c, iso, expected_iso, expected_w.positions.size());
  if (d.empty() && ours.u != ours.w) {
    d = difference(entries_of(exported(), ours.u, type_u), entries_of(real(), oracle->u, type_u), c, type_u,
                   false);
    if (!d.empty()) d = "input u changed: " + d;
  }
  return d;
}

}  // namespace
}  // namespace differential

int main(int argc, char** argv) {
  return differential::run_program(argc, argv, differential::all_operations(), differential::run_case);
}
