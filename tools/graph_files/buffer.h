// An array from malloc, which GraphBLAS can take over without a copy.
#pragma once
#include <cstdlib>
#include <memory>
#include <new>

namespace cugrb::graph_files {

template <class T>
class Buffer {
 public:
  Buffer() = default;
  /// n values, not initialised. Throws std::bad_alloc.
  explicit Buffer(size_t n) : data_(static_cast<T*>(std::malloc((n > 0 ? n : 1) * sizeof(T)))), size_(n) {
    if (data_ == nullptr) throw std::bad_alloc();
  }
  size_t size() const { return size_; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T& operator[](size_t i) { return data_.get()[i]; }
  const T& operator[](size_t i) const { return data_.get()[i]; }
  /// The array is the caller's now, to be freed with free().
  T* release() {
    size_ = 0;
    return data_.release();
  }

 private:
  struct Free {
    void operator()(T* p) const { std::free(p); }
  };
  std::unique_ptr<T, Free> data_;
  size_t size_ = 0;
};

}  // namespace cugrb::graph_files
