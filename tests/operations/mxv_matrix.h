// Random matrices, their way to the device, and the slow, obvious matrix-vector product.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "src/formats/matrix.h"
#include "tests/operations/device_data.h"

namespace cugrb::test {

struct RefMatrix {
  Type type;
  uint64_t rows = 0, columns = 0;
  std::map<std::pair<uint64_t, uint64_t>, Value> entries;  ///< by (row, column): in CSR order
};

/// How a matrix is spread.
enum class Spread : uint8_t {
  uniform,       ///< about `degree` entries a row
  empty_rows,    ///< three of four rows are empty
  one_huge_row,  ///< one row is full, the others hold an entry at most
  power_law,     ///< row i holds about columns / (i + 1) entries
  no_empty_row,  ///< about `degree` entries a row, at least one
  band,          ///< most of the columns that are at most `degree` away from the row's place
  nothing        ///< no entries at all
};
RefMatrix random_matrix(Random& random, const Type& type, uint64_t rows, uint64_t columns, Spread spread,
                        double degree, bool iso);

/// Row i holds entries in its first lengths[i] columns.
RefMatrix matrix_of_lengths(Random& random, const Type& type, const std::vector<uint64_t>& lengths,
                            uint64_t columns);

/// CSR on the device; `wide`: 64-bit offsets and columns although 32 would do.
formats::Csr csr_to_device(const RefMatrix& matrix, bool iso, bool wide);
formats::DeviceMatrix to_device(const RefMatrix& matrix, bool by_column, bool iso, bool wide = false);
RefMatrix transposed(const RefMatrix& matrix);
RefMatrix from_device(const formats::Csr& matrix);

/// The terms of T(i), in ascending k: multiply(A(i,k), u(k)) at mxm's indices (i, k, 0); with `vector_first`
/// multiply(u(k), A(i,k)) at (0, k, i). `multiply` computes one term from uncast operands.
using Term = std::function<Value(const Value& x, const Value& y, uint64_t i, uint64_t k, uint64_t j)>;
std::map<uint64_t, std::vector<Value>> terms_of(const RefMatrix& matrix, const RefVector& vector,
                                                bool vector_first, const Term& multiply);
/// A built-in operator's term: typecasts, then reference::apply or apply_positional.
Term built_in_term(const BinaryOp& multiply);

}  // namespace cugrb::test
