// The obvious counterpart of an output of the C++ API: entries in a map, and the write-back rule word by word
// from the GraphBLAS specification (section 4.3: Z = accum(C, T), C<M, replace> = Z).
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <random>

#include "cugrb/graphblas.hpp"

namespace reference {

using Entries = std::map<uint64_t, int64_t>;
using Operator = std::function<int64_t(int64_t, int64_t)>;

inline Entries entries(const cugrb::Vector<int64_t>& v) {
  Entries result;
  const auto all = v.entries();
  for (size_t k = 0; k < all.indices.size(); ++k) result[all.indices[k]] = all.values[k];
  return result;
}

/// Position (i, j) of a matrix with `columns` columns becomes key i * columns + j.
inline Entries entries(const cugrb::Matrix<int64_t>& a) {
  Entries result;
  const auto all = a.entries();
  for (size_t k = 0; k < all.rows.size(); ++k)
    result[all.rows[k] * a.ncols() + all.columns[k]] = all.values[k];
  return result;
}

struct Options {
  const Entries* mask = nullptr;
  bool structural = false, complement = false, replace = false;
  Operator accumulate;  // empty: none
};

/// C after C<M, replace> = accum(C, T), for an output of n positions.
inline Entries write_back(const Entries& c, const Entries& t, uint64_t n, const Options& o) {
  Entries result;
  for (uint64_t i = 0; i < n; ++i) {
    bool allowed = true;
    if (o.mask != nullptr) {
      const auto m = o.mask->find(i);
      allowed = m != o.mask->end() && (o.structural || m->second != 0);
      if (o.complement) allowed = !allowed;
    }
    const auto old = c.find(i), made = t.find(i);
    if (!allowed) {
      if (!o.replace && old != c.end()) result[i] = old->second;
    } else if (old != c.end() && made != t.end() && o.accumulate) {
      result[i] = o.accumulate(old->second, made->second);
    } else if (made != t.end()) {
      result[i] = made->second;
    } else if (old != c.end() && o.accumulate) {
      result[i] = old->second;
    }
  }
  return result;
}

/// A vector of n positions, each with an entry with the given chance; values from -2 to 2, so that masks hold
/// zeros.
inline cugrb::Vector<int64_t> random_vector(std::mt19937& random, uint64_t n, double density) {
  cugrb::Vector<int64_t> v(n);
  for (uint64_t i = 0; i < n; ++i) {
    if (random() < density * 4294967296.0) v.set(i, static_cast<int64_t>(random() % 5) - 2);
  }
  return v;
}

inline cugrb::Matrix<int64_t> random_matrix(std::mt19937& random, uint64_t rows, uint64_t columns,
                                            double density) {
  cugrb::Matrix<int64_t> a(rows, columns);
  for (uint64_t i = 0; i < rows; ++i) {
    for (uint64_t j = 0; j < columns; ++j) {
      if (random() < density * 4294967296.0) a.set(i, j, static_cast<int64_t>(random() % 5) - 2);
    }
  }
  return a;
}

}  // namespace reference
