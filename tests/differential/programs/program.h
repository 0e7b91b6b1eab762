// A random program as data: objects with their entries, and the calls that follow each other on them. The
// same program runs through cuGrB and through SuiteSparse, is made smaller when they differ, and is printed
// as C.
#pragma once
#include <string>
#include <vector>

#include "tests/differential/draw.h"

namespace differential::programs {

struct Tuple {
  GrB_Index i = 0, j = 0;
  int64_t value = 0;  ///< a small integer that every type has; of a user-defined type its three members
};

/// How an object comes into being.
enum class Making { build, pending_elements, elements };

struct Object {
  bool is_matrix = false;
  std::string type;  ///< "FP32", or "triple"
  GrB_Index rows = 0, columns = 1;
  int form = 0;  ///< GxB_SPARSITY_CONTROL bits, 0: automatic
  bool by_column = false;
  bool iso = false;  ///< all entries get one value by an assignment through the object's own structure
  Making making = Making::build;
  std::vector<Tuple> entries;
};

/// An argument I, ni of the C API.
struct List {
  enum class Kind { all, indices, range, stride, backwards };
  Kind kind = Kind::all;
  std::vector<GrB_Index> values;  ///< the indices, or begin, end and increment
  GrB_Index length = 0;           ///< how many indices it stands for
};

/// One call. `configuration` has the operation, its operators, mask kind and descriptor; the other members
/// are places in the program's list of objects, and what else the call is given.
struct Step {
  Configuration configuration;
  int out = -1, first = -1, second = -1, mask = -1;
  List rows, columns;
  GrB_Index line = 0;  ///< a row, a column, a position
  GrB_Index new_rows = 0, new_columns = 0;
  int64_t number = 0;  ///< bound operands, assigned scalars, diagonals
  Thunk thunk;
  std::vector<Tuple> tuples;  ///< of build
};

struct Program {
  std::vector<Object> objects;
  std::vector<Step> steps;
};

inline bool is_user(const std::string& type) { return type == "triple"; }
/// What the mask's shape, the second descriptor field and the first one refer to.
bool transposes_second(const Configuration& c);
bool transposes_first(const Configuration& c);
bool takes_vectors(Operation operation);  ///< whether the output is a vector, or what is read is one

}  // namespace differential::programs
