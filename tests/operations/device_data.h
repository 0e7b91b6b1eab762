// Random vectors, and their way to the device and back, in every form.
#pragma once
#include <random>

#include "src/formats/vector.h"
#include "tests/operations/reference.h"

namespace cugrb::test {

using Random = std::mt19937_64;

inline uint64_t below(Random& random, uint64_t bound) { return random() % bound; }
inline bool chance(Random& random, double probability) {
  return double(random() >> 11) / double(uint64_t(1) << 53) < probability;
}

Value make_value(const Type& type, double x);
/// Small whole numbers (sums and products of a few are exact in every type), now and then a limit of the
/// type.
Value random_value(Random& random, const Type& type, bool edges = false);
/// Entries with this probability; density >= 1: everywhere. iso: one value for all.
RefVector random_vector(Random& random, const Type& type, uint64_t length, double density, bool iso,
                        bool edges = false);

/// `form` full needs an entry at every position, iso equal values.
formats::DeviceVector to_device(const RefVector& vector, Form form, bool iso);
/// A full vector of these elements, whose type is T.
template <class T>
formats::DeviceVector full_vector(const Type& type, const std::vector<T>& values) {
  formats::DeviceVector vector;
  vector.type = type;
  vector.length = values.size();
  vector.form = Form::full;
  vector.values = runtime::Buffer::from_host(values.data(), values.size() * sizeof(T));
  return vector;
}
/// Reads everything back and checks the invariants of the form (sorted indices in range, flags 0 or 1,
/// counts). Throws std::runtime_error with what is wrong.
RefVector from_device(const formats::DeviceVector& vector);

}  // namespace cugrb::test
