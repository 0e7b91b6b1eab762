// What a case is, and how cases are drawn. A case has a configuration (operation, operators, types, mask
// kind, descriptor, forms: everything that selects kernel specialisations) drawn from its own seed, and data
// drawn from the case's number; so many cases can be run over a bounded set of specialisations.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tests/differential/api.h"

namespace differential {

/// A small, fast generator with the same numbers on every platform (splitmix64).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull + 0x1234567) {}
  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  uint64_t below(uint64_t n) { return n == 0 ? 0 : next() % n; }
  bool chance(int percent) { return below(100) < uint64_t(percent); }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[below(from.size())];
  }

 private:
  uint64_t state_;
};

enum class Operation {
  mxv,
  vxm,
  ewise_add,
  ewise_mult,
  ewise_add_monoid,
  ewise_mult_semiring,
  ewise_union,
  apply,
  apply_first,
  apply_second,
  apply_index,
  select,
  assign,
  assign_scalar,
  extract,
  subassign,
  reduce,
  elements,
  mxm,
  matrix_reduce,
  matrix_reduce_rows,
  matrix_ewise_add,
  matrix_ewise_mult,
  matrix_apply,
  matrix_apply_first,
  matrix_apply_second,
  matrix_apply_index,
  matrix_select,
  matrix_assign,
  matrix_assign_scalar,
  matrix_extract,
  transpose,
  kronecker,
  matrix_ewise_union,
  matrix_diag,
  vector_diag,
  matrix_build,
  vector_build,
  row_assign,
  column_assign,
  concat,
  matrix_resize,
  vector_resize,
  matrix_assign_part,
  matrix_assign_part_scalar,
  matrix_subassign,
  matrix_subassign_scalar,
  row_subassign,
  column_subassign,
  matrix_sort,
  vector_sort,
  matrix_reshape,
  // Of chained programs only (programs/), as are those that follow.
  column_extract,
  split,
  matrix_dup,
  vector_dup,
  matrix_clear,
  vector_clear,
  matrix_set_element,
  vector_set_element,
  matrix_remove_element,
  vector_remove_element,
  matrix_element,
  vector_element,
  matrix_read,
  vector_read,
  matrix_nvals,
  vector_nvals,
  matrix_wait,
  vector_wait
};
constexpr int operations =
    18;  ///< the first so many have vectors as outputs (main.cpp), the others are matrices' (matrices.cpp)
const char* name_of(Operation operation);
/// Those of vectors, in order: what cases are drawn from when nothing else is asked for.
const std::vector<Operation>& all_operations();

enum class MaskKind { none, valued, structural };
enum class Aliasing { none, output_is_u, output_is_v, mask_is_output, mask_is_u };

struct Configuration {
  Operation operation = Operation::mxv;
  std::string op;             ///< operator, monoid or semiring, as found by predefined()
  std::string add, multiply;  ///< a semiring composed from parts (then `op` is empty)
  std::string accumulate;     ///< empty: none
  std::string type_w, type_u, type_v, type_mask, type_matrix;  ///< "FP32"
  MaskKind mask = MaskKind::none;
  bool complement = false, replace = false, transpose = false;
  int form_w = 0, form_u = 0, form_v = 0, form_mask = 0;  ///< GxB_SPARSITY_CONTROL bits, 0: automatic
  bool iso_u = false, iso_matrix = false, by_column = false;
  bool typed_scalar = false;  ///< the typed entry point in place of the GrB_Scalar one
  bool all_indices = true;
  Aliasing aliasing = Aliasing::none;
  bool inexact = false;  ///< floating-point results that need not be bit-equal
  std::string text() const;
};

/// Whether the operation transposes its second matrix, which `typed_scalar` says of those that have one.
bool transposes_b(const Configuration& c);

/// small: types and operators that algorithms use, few of each; otherwise the whole catalogue. `types`: of
/// these types only; none: of all that `small` has.
Configuration draw_configuration(Random& random, bool small,
                                 const std::vector<Operation>& from = all_operations(),
                                 const std::vector<std::string>& types = {});

/// Whether select by a VALUE operator of another type than the values gives what the specification says
/// (draw.cpp).
bool selects_cast_values();

/// Draws again what decides on data rather than on kernels: the forms of the vectors, the orientation of the
/// matrix, and which operands are one (only where that leaves all types as they are).
void redraw_circumstances(Random& random, Configuration& configuration);

inline bool is_real(const std::string& type) { return type == "FP32" || type == "FP64"; }
inline bool is_complex(const std::string& type) { return type == "FC32" || type == "FC64"; }
/// An operator that compares values, of this type: complex numbers are equal or not.
std::string compared_as(const std::string& op, const std::string& type);
/// A small integer that the type has: what values are made of.
int64_t draw_integer(const std::string& type, Random& random);

/// A thunk as each kind of function takes it: small, or at an end of int64 and, as a real, beyond it.
struct Thunk {
  int64_t integer = 0;
  double real = 0;
};
/// TRIL and TRIU get such ends only where SuiteSparse has them `exact`, and INT64_MIN never
/// (docs/decisions.md).
Thunk draw_thunk(const std::string& op, bool exact, Random random);

}  // namespace differential
