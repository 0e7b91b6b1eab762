// The objects of a case, built identically through either Api, and the comparison of results.
#pragma once
#include <optional>
#include <string>

#include "tests/differential/api.h"
#include "tests/differential/draw.h"

namespace differential {

/// The vectors, matrix and scalar of one case. Owned; freed through the Api that made them.
class Objects {
 public:
  /// The data depend on `seed` alone, the forms and types on the configuration.
  Objects(const Api& api, const Configuration& configuration, uint64_t seed);
  ~Objects();
  Objects(const Objects&) = delete;
  Objects& operator=(const Objects&) = delete;

  const Api& api;
  GrB_Vector w = nullptr, u = nullptr, v = nullptr, mask = nullptr;
  GrB_Matrix a = nullptr;
  GrB_Scalar scalar = nullptr, beta = nullptr;
  std::vector<GrB_Index> list;  ///< index list of assign and extract
  GrB_Index n_w = 0, n_u = 0;
  int64_t small_integer = 0;  ///< the scalar's value, but for operators with a thunk
  Thunk thunk;                ///< of those, and then the scalar's value

 private:
  GrB_Vector new_vector(const std::string& type, GrB_Index n, int form, bool iso, Random& random);
  void new_matrix(const Configuration& configuration, Random& random);
  void set(GrB_Vector vector, const std::string& type, GrB_Index i, Random& random,
           std::optional<int64_t> fixed);
};

/// Entries of a vector in the widest type of its kind, sorted by position.
struct Entries {
  std::vector<GrB_Index> positions;
  std::vector<double> reals;      ///< FP32, FP64
  std::vector<int64_t> integers;  ///< BOOL, INT*, and UINT* as bits
};
Entries entries_of(const Api& api, GrB_Vector vector, const std::string& type);

/// Empty when equal under the configuration's rule (exact, or a tolerance for inexact floating point; pattern
/// only when `pattern_only`), else the first difference in words. At the positions of `any_sign` (ascending)
/// only magnitudes count.
std::string difference(const Entries& ours, const Entries& real, const Configuration& configuration,
                       const std::string& type, bool pattern_only,
                       const std::vector<GrB_Index>& any_sign = {});

}  // namespace differential
