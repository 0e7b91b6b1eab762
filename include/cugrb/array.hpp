// A plain array of values: std::vector<bool> packs its bits and could not be handed to GraphBLAS.
#pragma once
#include <cstddef>
#include <memory>

namespace cugrb {

/// n values of T, contiguous; not initialised when made by Array(n).
template <class T>
class Array {
 public:
  Array() = default;
  explicit Array(size_t n) : data_(new T[n]), size_(n) {}
  size_t size() const { return size_; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

 private:
  std::unique_ptr<T[]> data_;
  size_t size_ = 0;
};

}  // namespace cugrb
