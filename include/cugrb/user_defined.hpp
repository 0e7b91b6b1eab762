// Types and operators of your own, with their definition as text, so that they run on the GPU too.
//
//   CUGRB_TYPE(point, double x; double y;)
//   CUGRB_BINARY_OP(nearer, point, point, point, z = x.x * x.x + x.y * x.y <= y.x * y.x + y.y * y.y ? x : y)
//   CUGRB_UNARY_OP(square, float, float, z = x * x)
//   CUGRB_INDEX_UNARY_OP(in_band, bool, float, int64_t, z = (i > j ? i - j : j - i) <= (uint64_t) thunk && x
//   != 0)
//
// Each macro writes its function once and gives GraphBLAS both: the compiled function, which the CPU calls,
// and its text (GxB_*Op_new with name and definition), which the JIT compiles for the device. Without the
// text, as with a plain function pointer, an operator runs on the CPU only.
//
// Rules: use the macros at global scope, CUGRB_TYPE before the operators on it. The statements are C and C++
// at once; they read x, y, i, j, thunk (whichever there are) and set z; they may use the <math.h> functions,
// but nothing else of your program. Types are spelt as in C: float, int32_t, bool, or a CUGRB_TYPE. The names
// are then constants like op::plus<float>:
//
//   w = cugrb::apply(u, square);
//   auto nearest = cugrb::make_monoid(nearer, point{1e30, 1e30});
#pragma once
#include "cugrb/mask.hpp"

namespace cugrb::detail {

/// Makes the GrB_Type of T at first use; freed at the end of the Context.
template <class T>
class MadeType : private Owned {
 public:
  MadeType(const char* name, const char* definition) : name_(name), definition_(definition) {}
  GrB_Type handle() {
    auto& list = owned_list();
    std::lock_guard<std::mutex> lock(list.mutex);
    if (handle_ == nullptr) {
      check(GxB_Type_new(&handle_, sizeof(T), name_, definition_), "GxB_Type_new");
      list.objects.push_back(this);
    }
    return handle_;
  }

 private:
  void release() override {
    GrB_Type_free(&handle_);
    handle_ = nullptr;
  }
  const char* name_;
  const char* definition_;
  GrB_Type handle_ = nullptr;
};

inline GrB_Info new_op(GrB_UnaryOp* op, GxB_unary_function f, const char* name, const char* text, GrB_Type z,
                       GrB_Type x) {
  return GxB_UnaryOp_new(op, f, z, x, name, text);
}
inline GrB_Info new_op(GrB_BinaryOp* op, GxB_binary_function f, const char* name, const char* text,
                       GrB_Type z, GrB_Type x, GrB_Type y) {
  return GxB_BinaryOp_new(op, f, z, x, y, name, text);
}
inline GrB_Info new_op(GrB_IndexUnaryOp* op, GxB_index_unary_function f, const char* name, const char* text,
                       GrB_Type z, GrB_Type x, GrB_Type thunk) {
  return GxB_IndexUnaryOp_new(op, f, z, x, thunk, name, text);
}

/// A user-defined operator: made at first use, freed at the end of the Context.
template <class Function, class Handle, class Z, class... In>
class UserDefined : public Made<Handle, Z, In...> {
 public:
  UserDefined(const char* name, Function function, const char* definition)
      : name_(name), function_(function), definition_(definition) {}
  ~UserDefined() { this->abandon(); }

 private:
  Handle make() const override {
    Handle made = nullptr;
    check(
        new_op(&made, function_, name_, definition_, type_traits<Z>::handle(), type_traits<In>::handle()...),
        name_);
    return made;
  }
  const char* name_;
  Function function_;
  const char* definition_;
};

}  // namespace cugrb::detail

#define CUGRB_TEXT(...) CUGRB_TEXT_OF(__VA_ARGS__)
#define CUGRB_TEXT_OF(...) #__VA_ARGS__

#define CUGRB_TYPE(Name, ...)                                                                         \
  typedef struct {                                                                                    \
    __VA_ARGS__                                                                                       \
  } Name;                                                                                             \
  template <>                                                                                         \
  struct cugrb::type_traits<Name> {                                                                   \
    static constexpr bool is_known = true;                                                            \
    static constexpr bool is_builtin = false;                                                         \
    static GrB_Type handle() {                                                                        \
      static auto* const made =                                                                       \
          new ::cugrb::detail::MadeType<Name>(#Name, CUGRB_TEXT(typedef struct {__VA_ARGS__} Name;)); \
      return made->handle();                                                                          \
    }                                                                                                 \
    static constexpr const char* name() { return #Name; }                                             \
  };

#define CUGRB_UNARY_FUNCTION(Name, Z, X, ...)     \
  void Name(void* cugrb_z, const void* cugrb_x) { \
    const X x = *(const X*)cugrb_x;               \
    Z z;                                          \
    (void)x;                                      \
    __VA_ARGS__;                                  \
    *(Z*)cugrb_z = z;                             \
  }
#define CUGRB_BINARY_FUNCTION(Name, Z, X, Y, ...)                      \
  void Name(void* cugrb_z, const void* cugrb_x, const void* cugrb_y) { \
    const X x = *(const X*)cugrb_x;                                    \
    const Y y = *(const Y*)cugrb_y;                                    \
    Z z;                                                               \
    (void)x;                                                           \
    (void)y;                                                           \
    __VA_ARGS__;                                                       \
    *(Z*)cugrb_z = z;                                                  \
  }
#define CUGRB_INDEX_UNARY_FUNCTION(Name, Z, X, Thunk, ...)                                           \
  void Name(void* cugrb_z, const void* cugrb_x, GrB_Index i, GrB_Index j, const void* cugrb_thunk) { \
    const X x = *(const X*)cugrb_x;                                                                  \
    const Thunk thunk = *(const Thunk*)cugrb_thunk;                                                  \
    Z z;                                                                                             \
    (void)x;                                                                                         \
    (void)i;                                                                                         \
    (void)j;                                                                                         \
    (void)thunk;                                                                                     \
    __VA_ARGS__;                                                                                     \
    *(Z*)cugrb_z = z;                                                                                \
  }

/// z = f(x). See the top of this file.
#define CUGRB_UNARY_OP(Name, Z, X, ...)                                                \
  namespace cugrb_function {                                                           \
  inline CUGRB_UNARY_FUNCTION(Name, Z, X, __VA_ARGS__)                                 \
  }                                                                                    \
  inline const cugrb::detail::UserDefined<GxB_unary_function, GrB_UnaryOp, Z, X> Name{ \
      #Name, cugrb_function::Name, CUGRB_TEXT(CUGRB_UNARY_FUNCTION(Name, Z, X, __VA_ARGS__))};

/// z = f(x, y).
#define CUGRB_BINARY_OP(Name, Z, X, Y, ...)                                                 \
  namespace cugrb_function {                                                                \
  inline CUGRB_BINARY_FUNCTION(Name, Z, X, Y, __VA_ARGS__)                                  \
  }                                                                                         \
  inline const cugrb::detail::UserDefined<GxB_binary_function, GrB_BinaryOp, Z, X, Y> Name{ \
      #Name, cugrb_function::Name, CUGRB_TEXT(CUGRB_BINARY_FUNCTION(Name, Z, X, Y, __VA_ARGS__))};

/// z = f(x, i, j, thunk); i is the row (or position), j the column (0 for vectors).
#define CUGRB_INDEX_UNARY_OP(Name, Z, X, Thunk, ...)                                                     \
  namespace cugrb_function {                                                                             \
  inline CUGRB_INDEX_UNARY_FUNCTION(Name, Z, X, Thunk, __VA_ARGS__)                                      \
  }                                                                                                      \
  inline const cugrb::detail::UserDefined<GxB_index_unary_function, GrB_IndexUnaryOp, Z, X, Thunk> Name{ \
      #Name, cugrb_function::Name, CUGRB_TEXT(CUGRB_INDEX_UNARY_FUNCTION(Name, Z, X, Thunk, __VA_ARGS__))};
