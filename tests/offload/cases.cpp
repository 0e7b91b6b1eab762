// A plain GraphBLAS program: small calls of every function that can run on the device, each result printed.
// Run once with CUGRB_OFFLOAD=never and once with always, it must print the same text (offload_test.cpp).
// Values are small integers, so that floating-point sums are exact in any order.
#include <cstdlib>

#include "tests/offload/cases.h"

namespace {

using namespace cases;

/// The masks, accumulators and descriptors that every operation is tried with.
struct Exit {
  const char* name;
  bool mask;
  bool accum;
  GrB_Descriptor desc;
  bool basic = false;
};
std::vector<Exit> exits() {
  return {{"plain", false, false, nullptr, true},
          {"accum", false, true, nullptr},
          {"valued mask", true, false, nullptr},
          {"structural, accum", true, true, GrB_DESC_S},
          {"complement", true, false, GrB_DESC_C},
          {"structural complement, replace", true, false, GrB_DESC_RSC, true},
          {"replace", true, true, GrB_DESC_R},
          {"no mask, complement, replace", false, false, GrB_DESC_RC}};
}

/// Calls f(w, mask, accum, desc) for every way out (of `all`, else for two of them), with fresh output of
/// this type, sparse and full by turns. Every combination of forms is a kernel to compile: the random
/// differential test draws them all.
template <class F>
void each_exit(const std::string& name, GrB_Type type, GrB_BinaryOp accum, bool all, F f) {
  static size_t turn = 0;
  ++turn;  // of two exits, too, each meets both
  for (const Exit& e : exits()) {
    if (!all && !e.basic) continue;
    const int filling = turn++ % 2 == 0 ? 0 : 2;
    Vector w(type, size), mask(GrB_BOOL, size);
    fill(w, filling, 3);
    fill(mask, 1, 5);
    const GrB_Info info = f(w.handle, e.mask ? mask.handle : nullptr, e.accum ? accum : nullptr, e.desc);
    print(name + " / " + e.name + " / w" + std::to_string(filling), info, w.handle);
  }
}

void products() {
  const Matrix a(GrB_FP64, size, size, 7);
  for (const int filling : {0, 1, 2}) {
    Vector u(GrB_FP64, size);
    fill(u, filling, 2);
    const std::string form = " u" + std::to_string(filling);
    each_exit("mxv plus_times" + form, GrB_FP64, GrB_PLUS_FP64, filling == 1,
              [&](auto w, auto m, auto acc, auto d) {
                return GrB_mxv(w, m, acc, GrB_PLUS_TIMES_SEMIRING_FP64, a.handle, u.handle, d);
              });
    each_exit("vxm min_plus" + form, GrB_INT32, GrB_MIN_INT32, filling == 0,
              [&](auto w, auto m, auto acc, auto d) {
                return GrB_vxm(w, m, acc, GrB_MIN_PLUS_SEMIRING_INT32, u.handle, a.handle, d);
              });
    Vector w(GrB_INT64, size);
    print("mxv transposed",
          GrB_mxv(w.handle, nullptr, nullptr, GxB_PLUS_PAIR_INT64, a.handle, u.handle, GrB_DESC_T0),
          w.handle);
    print("vxm transposed",
          GrB_vxm(w.handle, nullptr, nullptr, GxB_MAX_FIRSTI_INT64, u.handle, a.handle, GrB_DESC_T1),
          w.handle);
    for (const GrB_Semiring s :
         {GxB_MIN_FIRSTI_INT64, GxB_MIN_FIRSTJ_INT64, GxB_MIN_SECONDI_INT64, GxB_MAX_SECONDJ1_INT64}) {
      print("mxv positional", GrB_mxv(w.handle, nullptr, nullptr, s, a.handle, u.handle, nullptr), w.handle);
      print("vxm positional", GrB_vxm(w.handle, nullptr, nullptr, s, u.handle, a.handle, nullptr), w.handle);
    }
    print("mxv aliased",
          GrB_mxv(u.handle, u.handle, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, a.handle, u.handle, GrB_DESC_RS),
          u.handle);
  }
}

void elementwise() {
  for (const int left : {1, 2}) {
    for (const int right : {0, 2}) {
      Vector u(GrB_FP32, size), v(GrB_INT16, size);
      fill(u, left, 2);
      fill(v, right, 3);
      const std::string form = std::string(" ") + std::to_string(left) + std::to_string(right);
      each_exit("eWiseAdd" + form, GrB_FP32, GrB_PLUS_FP32, left == 1 && right == 2,
                [&](auto w, auto m, auto acc, auto d) {
                  return GrB_Vector_eWiseAdd_BinaryOp(w, m, acc, GrB_MINUS_FP32, u.handle, v.handle, d);
                });
      each_exit("eWiseMult" + form, GrB_INT64, GrB_MAX_INT64, left == 1 && right == 2,
                [&](auto w, auto m, auto acc, auto d) {
                  return GrB_Vector_eWiseMult_BinaryOp(w, m, acc, GrB_TIMES_FP32, u.handle, v.handle, d);
                });
      Vector w(GrB_INT32, size);
      const auto show = [&](const char* name, GrB_Info info) { print(name + form, info, w.handle); };
      show("add monoid", GrB_Vector_eWiseAdd_Monoid(w.handle, nullptr, nullptr, GrB_MIN_MONOID_INT32,
                                                    u.handle, v.handle, nullptr));
      show("add semiring",
           GrB_Vector_eWiseAdd_Semiring(w.handle, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_INT32, u.handle,
                                        v.handle, nullptr));
      show("mult monoid", GrB_Vector_eWiseMult_Monoid(w.handle, nullptr, nullptr, GrB_MAX_MONOID_INT32,
                                                      u.handle, v.handle, nullptr));
      show("mult semiring",
           GrB_Vector_eWiseMult_Semiring(w.handle, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_INT32, u.handle,
                                         v.handle, nullptr));
      Scalar alpha(GrB_INT32), beta(GrB_FP64);
      GrB_Scalar_setElement_INT32(alpha.handle, 100);
      GrB_Scalar_setElement_FP64(beta.handle, -7);
      show("union", GxB_Vector_eWiseUnion(w.handle, nullptr, nullptr, GrB_MINUS_INT32, u.handle, alpha.handle,
                                          v.handle, beta.handle, nullptr));
      for (const GrB_BinaryOp op :
           {GxB_FIRSTI_INT32, GxB_FIRSTJ1_INT32, GxB_SECONDI1_INT32, GxB_SECONDJ_INT32}) {
        show("add positional",
             GrB_Vector_eWiseAdd_BinaryOp(w.handle, nullptr, nullptr, op, u.handle, v.handle, nullptr));
        show("mult positional",
             GrB_Vector_eWiseMult_BinaryOp(w.handle, nullptr, nullptr, op, u.handle, v.handle, nullptr));
      }
    }
  }
}

void apply() {
  for (const int filling : {0, 1, 2}) {
    Vector u(GrB_FP64, size);
    fill(u, filling, 2);
    const std::string form = " u" + std::to_string(filling);
    each_exit("apply abs" + form, GrB_FP64, GrB_PLUS_FP64, filling == 1,
              [&](auto w, auto m, auto acc, auto d) {
                return GrB_Vector_apply(w, m, acc, GrB_ABS_FP64, u.handle, d);
              });
    each_exit("apply rowindex" + form, GrB_INT64, GrB_MIN_INT64, false,
              [&](auto w, auto m, auto acc, auto d) {
                return GrB_Vector_apply_IndexOp_INT64(w, m, acc, GrB_ROWINDEX_INT64, u.handle, 5, d);
              });
    Vector w(GrB_INT32, size);
    const auto show = [&](const std::string& name, GrB_Info info) { print(name + form, info, w.handle); };
    for (const GrB_UnaryOp op :
         {GxB_POSITIONI_INT32, GxB_POSITIONI1_INT64, GxB_POSITIONJ_INT32, GxB_POSITIONJ1_INT64}) {
      show("apply positional", GrB_Vector_apply(w.handle, nullptr, nullptr, op, u.handle, nullptr));
    }
    Scalar x(GrB_INT8);
    GrB_Scalar_setElement_INT8(x.handle, 4);
    for (const GrB_BinaryOp op :
         {GrB_MINUS_INT32, GrB_DIV_FP32, GrB_SECOND_INT32, GxB_FIRSTI1_INT64, GxB_SECONDJ_INT32}) {
      show("bind first scalar",
           GrB_Vector_apply_BinaryOp1st_Scalar(w.handle, nullptr, nullptr, op, x.handle, u.handle, nullptr));
      show("bind second scalar",
           GrB_Vector_apply_BinaryOp2nd_Scalar(w.handle, nullptr, nullptr, op, u.handle, x.handle, nullptr));
      show("older first",
           GxB_Vector_apply_BinaryOp1st(w.handle, nullptr, nullptr, op, x.handle, u.handle, nullptr));
      show("older second",
           GxB_Vector_apply_BinaryOp2nd(w.handle, nullptr, nullptr, op, u.handle, x.handle, nullptr));
    }
    show("index scalar", GrB_Vector_apply_IndexOp_Scalar(w.handle, nullptr, nullptr, GrB_VALUEGT_FP32,
                                                         u.handle, x.handle, nullptr));
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code)                                                          \
  show("bind first " #SUFFIX,                                                                            \
       PREFIX##_Vector_apply_BinaryOp1st_##SUFFIX(w.handle, nullptr, nullptr, GrB_MINUS_INT32, ctype(1), \
                                                  u.handle, nullptr));                                   \
  show("bind second " #SUFFIX,                                                                           \
       PREFIX##_Vector_apply_BinaryOp2nd_##SUFFIX(w.handle, nullptr, nullptr, GrB_MINUS_INT32, u.handle, \
                                                  ctype(1), nullptr));                                   \
  show("index " #SUFFIX, PREFIX##_Vector_apply_IndexOp_##SUFFIX(                                         \
                             w.handle, nullptr, nullptr, GrB_ROWINDEX_INT32, u.handle, ctype(1), nullptr));
#include "semirings/types.def"
#undef CUGRB_TYPE
  }
}

void select() {
  for (const int filling : {0, 1, 2}) {
    Vector u(GrB_FP64, size), b(GrB_BOOL, size);
    fill(u, filling, 2);
    fill(b, filling, 2);
    const std::string form = " u" + std::to_string(filling);
    each_exit("select gt" + form, GrB_FP64, GrB_PLUS_FP64, filling == 1,
              [&](auto w, auto m, auto acc, auto d) {
                return GrB_Vector_select_FP64(w, m, acc, GrB_VALUEGT_FP64, u.handle, 1, d);
              });
    Vector w(GrB_FP32, size);
    const auto show = [&](const std::string& name, GrB_Info info) { print(name + form, info, w.handle); };
    Scalar x(GrB_FP32), none(GrB_FP32);
    GrB_Scalar_setElement_FP32(x.handle, 2);
    for (const GrB_IndexUnaryOp op : {GrB_ROWLE, GrB_ROWGT, GrB_COLLE, GrB_TRIL, GrB_DIAG, GrB_OFFDIAG,
                                      GrB_ROWINDEX_INT32, GrB_DIAGINDEX_INT64}) {
      show("select place",
           GrB_Vector_select_Scalar(w.handle, nullptr, nullptr, op, u.handle, x.handle, nullptr));
    }
    show("select empty scalar",
         GrB_Vector_select_Scalar(w.handle, nullptr, nullptr, GrB_ROWLE, u.handle, none.handle, nullptr));
    for (const GxB_SelectOp op : {GxB_NONZERO, GxB_EQ_ZERO, GxB_GT_ZERO, GxB_LE_ZERO, GxB_NE_THUNK,
                                  GxB_GE_THUNK, GxB_LT_THUNK, GxB_TRIL, GxB_OFFDIAG}) {
      show("GxB select", GxB_Vector_select(w.handle, nullptr, nullptr, op, u.handle, x.handle, nullptr));
      show("GxB select bool", GxB_Vector_select(w.handle, nullptr, nullptr, op, b.handle, x.handle, nullptr));
    }
    show("GxB select, no thunk",
         GxB_Vector_select(w.handle, nullptr, nullptr, GxB_TRIL, u.handle, nullptr, nullptr));
    // int32 operator on booleans: the typecast that delta-stepping relies on.
    show("select bool by int32",
         GrB_Vector_select_INT32(w.handle, nullptr, nullptr, GrB_VALUENE_INT32, b.handle, 0, nullptr));
    show("select bool, thunk 0.5",
         GrB_Vector_select_FP64(w.handle, nullptr, nullptr, GrB_VALUEEQ_BOOL, b.handle, 0.5, nullptr));
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code)                                                         \
  show("select " #SUFFIX,                                                                               \
       PREFIX##_Vector_select_##SUFFIX(w.handle, nullptr, nullptr, PREFIX##_VALUENE_##SUFFIX, u.handle, \
                                       ctype(1), nullptr));
#include "semirings/types.def"
#undef CUGRB_TYPE
  }
}

void assign() {
  const GrB_Index list[] = {17, 3, 8, 30, 11, 0};
  const GrB_Index range[] = {4, 12, 0}, stride[] = {1, 30, 3}, backwards[] = {20, 5, 2};
  struct Indices {
    const char* name;
    const GrB_Index* I;
    GrB_Index ni, length;
  };
  const Indices lists[] = {{"all", GrB_ALL, size, size},
                           {"list", list, 6, 6},
                           {"range", range, GxB_RANGE, 9},
                           {"stride", stride, GxB_STRIDE, 10},
                           {"backwards", backwards, GxB_BACKWARDS, 8},
                           {"empty", list, 0, 0}};
  for (const Indices& i : lists) {
    for (const int filling : {0, 1, 2}) {
      if (i.length == 0) continue;
      Vector u(GrB_INT32, i.length);
      fill(u, filling, 2);
      const std::string form = std::string(" ") + i.name + " u" + std::to_string(filling);
      each_exit("assign" + form, GrB_FP32, GrB_PLUS_FP32, i.I == GrB_ALL && filling == 1,
                [&](auto w, auto m, auto acc, auto d) {
                  return GrB_Vector_assign(w, m, acc, u.handle, i.I, i.ni, d);
                });
    }
    each_exit(
        std::string("assign scalar ") + i.name, GrB_INT64, GrB_PLUS_INT64, i.I == GrB_ALL || i.I == list,
        [&](auto w, auto m, auto acc, auto d) { return GrB_Vector_assign_FP64(w, m, acc, 9, i.I, i.ni, d); });
    Scalar none(GrB_INT64);
    each_exit(std::string("assign empty scalar ") + i.name, GrB_INT64, GrB_PLUS_INT64, i.I == list,
              [&](auto w, auto m, auto acc, auto d) {
                return GrB_Vector_assign_Scalar(w, m, acc, none.handle, i.I, i.ni, d);
              });
    Vector u(GrB_INT32, size);
    fill(u, 1, 2);
    Vector w(GrB_FP64, i.length == 0 ? 1 : i.length);
    if (i.length == 0) continue;
    print(std::string("extract ") + i.name,
          GrB_Vector_extract(w.handle, nullptr, nullptr, u.handle, i.I, i.ni, nullptr), w.handle);
    print(std::string("extract accum ") + i.name,
          GrB_Vector_extract(w.handle, nullptr, GrB_PLUS_FP64, u.handle, i.I, i.ni, nullptr), w.handle);
  }
  Vector w(GrB_FP64, size), mask(GrB_BOOL, size);
  fill(mask, 0, 2);
  print("assign, mask is the source",
        GrB_Vector_assign(w.handle, mask.handle, nullptr, mask.handle, GrB_ALL, size, GrB_DESC_S), w.handle);
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code)                                                        \
  print("assign " #SUFFIX,                                                                             \
        PREFIX##_Vector_assign_##SUFFIX(w.handle, mask.handle, GrB_PLUS_FP64, ctype(1), GrB_ALL, size, \
                                        nullptr),                                                      \
        w.handle);
#include "semirings/types.def"
#undef CUGRB_TYPE
}

void reduce() {
  for (const int filling : {0, 1, 2, 3}) {
    Vector u(GrB_FP64, size);
    fill(u, filling, 2);
    const std::string form = " u" + std::to_string(filling);
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code)                                                             \
  {                                                                                                         \
    ctype c = ctype(1);                                                                                     \
    GrB_Info info = PREFIX##_Vector_reduce_##SUFFIX(&c, nullptr, GrB_PLUS_MONOID_INT32, u.handle, nullptr); \
    print_value("reduce plus " #SUFFIX + form, info, &c);                                                   \
    info = PREFIX##_Vector_reduce_##SUFFIX(&c, GrB_PLUS_INT64, GrB_MAX_MONOID_FP64, u.handle, nullptr);     \
    print_value("reduce max, accum " #SUFFIX + form, info, &c);                                             \
    info = PREFIX##_Vector_reduce_##SUFFIX(&c, nullptr, GrB_LOR_MONOID_BOOL, u.handle, nullptr);            \
    print_value("reduce lor " #SUFFIX + form, info, &c);                                                    \
  }
#include "semirings/types.def"
#undef CUGRB_TYPE
    for (const GrB_BinaryOp accum : {GrB_BinaryOp(nullptr), GrB_PLUS_FP64}) {
      for (const bool full : {false, true}) {
        Scalar c(GrB_FP32);
        if (full) GrB_Scalar_setElement_FP32(c.handle, 10);
        const GrB_Info info =
            GrB_Vector_reduce_Monoid_Scalar(c.handle, accum, GrB_PLUS_MONOID_FP64, u.handle, nullptr);
        float x = -1;
        const GrB_Info got = GrB_Scalar_extractElement_FP32(&x, c.handle);
        print_value("reduce to scalar" + form, info, &x);
        print_value("has a value", got, &x);
      }
    }
    double c = 77;
    print_value("reduce any of nothing",
                GrB_Vector_reduce_FP64(&c, nullptr, GxB_ANY_FP64_MONOID, u.handle, nullptr),
                filling == 3 ? &c : nullptr);
  }
}

/// A result of few entries comes back in the form that SuiteSparse gives it, though kernels make a bitmap.
void few_entries() {
  Vector u(GrB_FP64, 4000), w(GrB_FP64, 2000);
  for (GrB_Index i = 0; i < 4000; i += 100) GrB_Vector_setElement_FP64(u.handle, 1.0 + i, i);
  const GrB_Index range[] = {0, 1999};
  const GrB_Info info = GrB_Vector_extract(w.handle, nullptr, nullptr, u.handle, range, GxB_RANGE, nullptr);
  int32_t status = -1;
  GxB_Vector_Option_get(w.handle, GxB_SPARSITY_STATUS, &status);
  print_value("form of few entries", info, &status);
}

/// Elements of a vector that the device holds: it was just computed there.
void elements() {
  for (const int filling : {0, 1, 2}) {
    Vector u(GrB_INT32, size), w(GrB_INT32, size);
    fill(u, filling, 2);
    GrB_Vector_apply(w.handle, nullptr, nullptr, GrB_AINV_INT32, u.handle, nullptr);
    GrB_Index nvals = 0;
    print_value("nvals", GrB_Vector_nvals(&nvals, w.handle), &nvals);
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code)                                              \
  {                                                                                          \
    ctype x = ctype(1);                                                                      \
    GrB_Vector_apply(w.handle, nullptr, nullptr, GrB_AINV_INT32, w.handle, nullptr);         \
    const GrB_Info got = PREFIX##_Vector_extractElement_##SUFFIX(&x, w.handle, 4);           \
    print_value("extractElement " #SUFFIX, got, &x);                                         \
    print("setElement " #SUFFIX, PREFIX##_Vector_setElement_##SUFFIX(w.handle, ctype(1), 6), \
          GrB_Vector(nullptr));                                                              \
  }
#include "semirings/types.def"
#undef CUGRB_TYPE
    print("elements", GrB_SUCCESS, w.handle);
    GrB_Vector_apply(w.handle, nullptr, nullptr, GrB_AINV_INT32, w.handle, nullptr);
    int32_t x = 0;
    print_value("out of range", GrB_Vector_extractElement_INT32(&x, w.handle, size), &x);
    print_value("set out of range", GrB_Vector_setElement_INT32(w.handle, 3, size), &x);
    print("remove", GrB_Vector_removeElement(w.handle, 6), w.handle);
    GrB_Vector_apply(w.handle, nullptr, nullptr, GrB_AINV_INT32, w.handle, nullptr);
    print("remove again", GrB_Vector_removeElement(w.handle, 6), w.handle);
    Scalar s(GrB_FP64);
    GrB_Vector_apply(w.handle, nullptr, nullptr, GrB_AINV_INT32, w.handle, nullptr);
    print("set empty scalar", GrB_Vector_setElement_Scalar(w.handle, s.handle, 9), w.handle);
    GrB_Scalar_setElement_FP64(s.handle, 2.75);
    GrB_Vector_apply(w.handle, nullptr, nullptr, GrB_AINV_INT32, w.handle, nullptr);
    print("set scalar", GrB_Vector_setElement_Scalar(w.handle, s.handle, 9), w.handle);
    GrB_Vector_apply(w.handle, nullptr, nullptr, GrB_AINV_INT32, w.handle, nullptr);
    GrB_Vector copy = nullptr;
    print("dup", GrB_Vector_dup(&copy, w.handle), copy);
    GrB_Vector_apply(w.handle, nullptr, nullptr, GrB_AINV_INT32, w.handle, nullptr);
    print("dup is a copy", GrB_SUCCESS, copy);
    GrB_Vector_free(&copy);
    print("hint", GxB_Vector_Option_set(w.handle, GxB_SPARSITY_CONTROL, GxB_BITMAP), w.handle);
    int32_t control = 0;
    print_value("control", GxB_Vector_Option_get(w.handle, GxB_SPARSITY_CONTROL, &control), &control);
    GrB_Vector_apply(w.handle, nullptr, nullptr, GrB_AINV_INT32, w.handle, nullptr);
    print("clear", GrB_Vector_clear(w.handle), w.handle);
  }
}

/// Calls that SuiteSparse refuses: the code must be its own, and the output untouched.
void refused() {
  Vector w(GrB_FP64, size), shorter(GrB_FP64, size - 1), mask(GrB_BOOL, size - 1);
  const Matrix a(GrB_FP64, size, size, 7);
  fill(w, 1, 2);
  fill(shorter, 1, 2);
  const GrB_Index outside[] = {1, size};
  const auto show = [&](const char* name, GrB_Info info) { print(name, info, w.handle); };
  show("null", GrB_mxv(w.handle, nullptr, nullptr, nullptr, a.handle, w.handle, nullptr));
  show("dimension",
       GrB_mxv(w.handle, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, a.handle, shorter.handle, nullptr));
  show("mask dimension", GrB_Vector_apply(w.handle, mask.handle, nullptr, GrB_ABS_FP64, w.handle, nullptr));
  show("operand dimension", GrB_Vector_eWiseAdd_BinaryOp(w.handle, nullptr, nullptr, GrB_PLUS_FP64, w.handle,
                                                         shorter.handle, nullptr));
  show("assign dimension",
       GrB_Vector_assign(w.handle, nullptr, nullptr, shorter.handle, GrB_ALL, size, nullptr));
  show("assign index", GrB_Vector_assign_FP64(w.handle, nullptr, nullptr, 1, outside, 2, nullptr));
  show("extract index", GrB_Vector_extract(w.handle, nullptr, nullptr, w.handle, outside, 2, nullptr));
  show("positional accumulator",
       GrB_Vector_apply(w.handle, nullptr, GxB_FIRSTI_INT64, GrB_ABS_FP64, w.handle, nullptr));
  const char* text = nullptr;
  GrB_Vector_assign(w.handle, nullptr, nullptr, shorter.handle, GrB_ALL, size, nullptr);
  GrB_Vector_error(&text, w.handle);
  std::printf("error text: %s\n", text);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string mode = count > 1 ? arguments[1] : "";
  if (GrB_init(mode == "blocking" ? GrB_BLOCKING : GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  if (mode == "lying") {
    lying_definition();
  } else if (mode == "huge iso") {
    huge_iso();
  } else if (mode == "unpacked") {
    unpacked();
  } else if (mode == "first entries") {
    first_entries();
  } else if (mode == "hub") {
    hub();
  } else if (mode == "sparsity") {
    sparsity(true);
  } else if (mode == "places") {
    places();
  } else if (mode == "updates") {
    updates(count > 2 ? unsigned(std::atoi(arguments[2])) : 0,
            count > 3 ? unsigned(std::atoi(arguments[3])) : 1);
  } else if (mode == "complex") {
    complex();
  } else if (mode == "decided") {
    decided();
  } else if (mode == "loops") {
    loops(false);
  } else if (mode == "loops of new kernels") {
    loops(true);
  } else {
    products();
    elementwise();
    apply();
    select();
    assign();
    reduce();
    few_entries();
    elements();
    refused();
    matrices();
    matrix_elementwise();
    matrix_elements();
    assembly();
    parts_of_matrices();
    complex();
    order();
    user_defined();
    ends();
    iso();
    sparsity(false);
  }
  GrB_finalize();
  return 0;
}
