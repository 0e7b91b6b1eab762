// One matrix-vector product in all its parts, run on the device and compared with the reference.
#pragma once
#include <functional>
#include <string>

#include "src/operations/operations.h"
#include "tests/operations/mxv_matrix.h"

namespace cugrb::test {

enum class MaskKind : uint8_t { none, structural, structural_complement, valued, valued_complement };

/// What fixes the specialisation.
struct MxvConfiguration {
  std::string semiring;              ///< a built-in name; `custom` when it is set
  std::string matrix_type = "FP64";  ///< GraphBLAS suffixes
  std::string vector_type = "FP64";
  Form form = Form::full;
  MaskKind mask = MaskKind::none;
  std::string kernel = {};  ///< CUGRB_FORCE
  bool vector_first = false;
  bool iso_matrix = false, iso_vector = false, wide = false;
  std::string accumulate = {};   ///< a binary operator's name, or none
  std::string output_type = {};  ///< default: the monoid's
  std::string text() const;
  /// What in a kernel this configuration needs (breadth.h).
  std::vector<std::string> structures() const;
};

/// A semiring with its meaning on the host: built-in, or a user's.
struct MeantSemiring {
  Semiring semiring;
  Term multiply;
  std::function<Value(const Value&, const Value&)> add;
};
MeantSemiring built_in_semiring(const std::string& name);

/// What varies without changing the specialisation (much).
struct MxvShape {
  uint64_t rows, columns;
  Spread spread;
  double degree, vector_density;
  bool transpose, by_column, replace;
};
const std::vector<MxvShape>& mxv_shapes();

const Type& type_of(const std::string& suffix);

/// Runs the product: empty when the device agrees with the reference, else what differs. Built-in types only.
std::string run_mxv(const MxvConfiguration& configuration, const MeantSemiring& semiring,
                    const MxvShape& shape, Random& random);
/// The same by another way to make w<mask> accum= T of the matrix and the vector.
using MultiplyBy =
    std::function<void(const operations::VectorOutput&, const RefMatrix&, const formats::DeviceVector&)>;
std::string run_mxv_by(const MxvConfiguration& configuration, const MeantSemiring& semiring,
                       const MxvShape& shape, Random& random, const MultiplyBy& multiply);
/// The same from given operands (any type), without mask or accumulator, into an empty vector.
std::string run_plain_mxv(const MeantSemiring& semiring, const RefMatrix& matrix, const RefVector& vector,
                          Form form, bool vector_first, const std::string& kernel);
/// The same with `device`, which holds `matrix` and may have been used before, and the kernel that settings()
/// say.
std::string run_plain_mxv(const MeantSemiring& semiring, const RefMatrix& matrix,
                          const formats::DeviceMatrix& device, const RefVector& vector, Form form,
                          bool vector_first);

/// While it lives settings().force is `kernel`.
class Forced {
 public:
  explicit Forced(const std::string& kernel);
  ~Forced();
};

}  // namespace cugrb::test
