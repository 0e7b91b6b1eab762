// One matrix-matrix product in all its parts, run on the device and compared with the slow, obvious one.
#pragma once
#include <string>

#include "cuda/runtime/device.h"
#include "src/operations/matrix_operations.h"
#include "src/support/settings.h"
#include "tests/operations/mxv_cases.h"

namespace cugrb::test {

/// What fixes the specialisation.
struct MxmConfiguration {
  std::string semiring;  ///< a built-in name
  std::string a_type = "FP64", b_type = "FP64";
  MaskKind mask = MaskKind::none;
  std::string kernel = {};  ///< CUGRB_FORCE
  bool iso_a = false, iso_b = false, wide = false;
  std::string accumulate = {};   ///< a binary operator's name, or none
  std::string output_type = {};  ///< default: the monoid's
  std::string mask_type = "BOOL";
  std::string text() const;
  /// What in a kernel this configuration needs (breadth.h).
  std::vector<std::string> structures() const;
};

/// C is rows by columns, the sum runs over `inner`.
struct MxmShape {
  uint64_t rows, inner, columns;
  Spread a_spread, b_spread;
  double degree;
  double mask_density, output_density;
  bool transpose_a, transpose_b, a_by_column, b_by_column, mask_by_column, c_by_column, replace;
};
const std::vector<MxmShape>& mxm_shapes();

/// The terms of each T(i,j), in ascending k, by (i, j).
using MatrixTerms = std::map<std::pair<uint64_t, uint64_t>, std::vector<Value>>;
MatrixTerms terms_of(const RefMatrix& a, const RefMatrix& b, const Term& multiply);

/// Row i, column j as position i * columns + j: matrices are compared as vectors.
RefVector flattened(const RefMatrix& matrix);
/// C by rows on the host, wherever it is, with the invariants of its CSR checked (std::runtime_error).
RefMatrix read_back(const formats::DeviceMatrix& matrix);

/// Sums of the terms. With ANY every term is right: the one that `found` holds is taken.
RefVector sums_of(const MeantSemiring& s, const MatrixTerms& terms, uint64_t rows, uint64_t columns,
                  const RefVector& found);

/// The operands of a call.
struct MxmData {
  RefMatrix a, b, mask, c;
  std::optional<BinaryOp> accumulate;
};
MxmData draw_mxm(const MxmConfiguration& configuration, const MeantSemiring& semiring, const MxmShape& shape,
                 Random& random);
/// What a mask of this kind means; `mask` flattened.
RefMask ref_mask(MaskKind kind, const RefVector& mask);
/// C after the call, flattened, by the reference; `found` decides what ANY picks.
RefVector expected_mxm(const MxmConfiguration& configuration, const MeantSemiring& semiring,
                       const MxmShape& shape, const MxmData& data, const RefVector& found);

/// Runs the product: empty when the device agrees with the reference, else what differs. Built-in types only.
std::string run_mxm(const MxmConfiguration& configuration, const MeantSemiring& semiring,
                    const MxmShape& shape, Random& random);
/// Two factors whose rows of T are made by merging: `rows` rows, the last few of which have up to `longest`
/// entries.
std::pair<RefMatrix, RefMatrix> merged_factors(Random& random, const Type& type, uint64_t rows,
                                               uint64_t longest);
/// With a long right row that no left entry meets, so that the longest rows bound no row of T.
std::pair<RefMatrix, RefMatrix> unbounded(RefMatrix left, RefMatrix right);
/// Two factors whose rows of T are made by ranks: right rows of about `met` entries in so many columns.
std::pair<RefMatrix, RefMatrix> ranked_factors(Random& random, const Type& type, uint64_t met,
                                               uint64_t columns);
/// Two factors of about as many products as rows have windows for, or more: most rows of T have their
/// products in some thousand columns, which begin at `first_column` and move on by 30 a row; right rows have
/// `met` entries. Some have none, some a product far away, some have 200 and one 1500 left entries.
std::pair<RefMatrix, RefMatrix> windowed_factors(Random& random, const Type& type, uint64_t met,
                                                 uint64_t first_column);
/// Two factors whose rows of T have up to 8192 products, of which `met` meet in each entry: together more
/// than are made at once.
std::pair<RefMatrix, RefMatrix> counted_factors(Random& random, const Type& type, uint64_t met,
                                                uint64_t columns);

/// While it lives products may use so many bytes.
class Limited {
 public:
  explicit Limited(uint64_t bytes) : before_(settings()) {
    runtime::device();  // made with the memory that the environment gives it
    Settings changed = before_;
    changed.memory_limit_bytes = bytes;
    override_settings(changed);
  }
  ~Limited() { override_settings(before_); }

 private:
  Settings before_;
};

/// C = A * B (or C<mask> = A * B', structural, where there is a mask) from given operands of any type, into
/// an empty C.
std::string run_plain_mxm(const MeantSemiring& semiring, const RefMatrix& a, const RefMatrix& b,
                          const RefMatrix* mask, const std::string& kernel);

}  // namespace cugrb::test
