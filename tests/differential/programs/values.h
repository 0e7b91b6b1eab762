// Values of entries, as bits to compare and as C to print.
#pragma once
#include <complex>
#include <string>
#include <vector>

#include "tests/differential/programs/executor.h"

namespace differential::programs {

std::string real_text(double x);
std::string integer_text(int64_t n);
Triple triple_value(int64_t n);
std::string triple_text(int64_t n);
/// A complex number of small integers.
GxB_FC64_t complex_value(int64_t n);
std::string complex_text(GxB_FC64_t z);

Entry entry_of(GrB_Index i, GrB_Index j, uint64_t value);
/// All NaN are one, and so are the zeros of both signs (docs/decisions.md: signs that are nobody's).
Entry entry_of(GrB_Index i, GrB_Index j, double value);
Entry entry_of(GrB_Index i, GrB_Index j, GxB_FC64_t value);
Entry entry_of(GrB_Index i, GrB_Index j, const Triple& value);

/// The arguments of build.
struct TupleArrays {
  explicit TupleArrays(const std::vector<Tuple>& tuples);
  std::vector<GrB_Index> rows, columns;
  std::vector<int64_t> integers;
  std::vector<double> reals;
  std::vector<GxB_FC64_t> complexes;
  std::vector<Triple> triples;
  std::string integers_text() const, reals_text() const, complexes_text() const, triples_text() const;
};

bool takes_thunk(Operation operation);
bool takes_scalar(const Step& step);
/// Some scalars that are assigned have no entry.
bool has_empty_scalar(const Step& step);

}  // namespace differential::programs
