// SuiteSparse objects of every form for the residency tests, and what is in them. The test program is linked
// to the real library directly: what it does to an object by itself happens behind the mirror's back.
#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "src/graphblas/real.h"

namespace cugrb::test {

/// GraphBLAS, initialised once, non-blocking, with an allocator that can be made to fail.
void start_graphblas();
/// The n-th allocation from now on (and, if `forever`, all later ones) gives null; 0: none fails.
void fail_allocation(uint64_t n, bool forever = false);
/// Allocations since the last fail_allocation().
uint64_t allocation_count();
/// Allocations that are not freed yet.
int64_t live_allocations();

/// A value type of the tests: its handle and how a small number becomes a value of it.
struct TestType {
  const char* name;
  GrB_Type handle;
  size_t size;
  std::string (*bytes_of)(int number);
};
/// The 11 built-in types and a user-defined struct of 12 bytes.
const std::vector<TestType>& all_types();
const TestType& type_named(const std::string& name);

using Position = std::pair<uint64_t, uint64_t>;
/// Entries by position, values as bytes, read through extractTuples (not through the code under test).
using Entries = std::map<Position, std::string>;
Entries entries_of(GrB_Matrix object, const TestType& type);
inline Entries entries_of(GrB_Vector v, const TestType& type) {
  return entries_of(reinterpret_cast<GrB_Matrix>(v), type);
}

/// What a user can set, and the form in which the object is.
struct Options {
  int32_t sparsity_control = 0, status = 0, format = 0;
  double hyper_switch = 0, bitmap_switch = 0;
  bool iso = false;
  friend bool operator==(const Options&, const Options&) = default;
};
Options options_of(GrB_Matrix object);

/// How the object is to be, in SuiteSparse's words.
struct Shape {
  uint64_t rows = 1, columns = 1;
  int form = GxB_SPARSE;  ///< GxB_HYPERSPARSE, GxB_SPARSE, GxB_BITMAP or GxB_FULL
  bool by_column = false;
  bool iso = false;
  uint64_t entries = 0;  ///< drawn positions (duplicates merge); all when full
  /// Left undone: nothing, tuples not assembled, entries not yet deleted, unsorted vectors.
  enum class Work { none, pending, zombies, jumbled } work = Work::none;
};
std::string describe(const Shape& shape, const TestType& type);
GrB_Matrix make_matrix(const Shape& shape, const TestType& type, unsigned seed);
GrB_Vector make_vector(uint64_t length, const Shape& shape, const TestType& type, unsigned seed);

/// Adds one entry by setElement (a pending tuple or an update in place).
void set_entry(GrB_Matrix object, uint64_t row, uint64_t column, const TestType& type, int number);

/// The text of the exception that the action throws; empty when it throws none.
template <class Action>
std::string reason_of(const Action& action) {
  try {
    action();
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace cugrb::test
