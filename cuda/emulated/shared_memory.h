// A block's shared memory: an arena with redzones, filled with poison, so that overflows and reads of what
// was never written show. Under ASan the redzones are forbidden to touch; without it they are compared at the
// block's end.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace cugrb::simt {

constexpr unsigned char poison_byte = 0xCB;

class SharedMemory {
 public:
  /// Makes ready for a block with `dynamic_bytes` of dynamic shared memory, of `limit_bytes` in all.
  void reset(size_t dynamic_bytes, size_t limit_bytes);

  void* dynamic() const { return dynamic_; }
  /// The array of the declaration `site`; nullptr when it does not fit (see static_bytes).
  void* array(const void* site, size_t bytes, size_t alignment, const char* file, int line);
  size_t static_bytes() const { return static_bytes_; }

  struct Damage {
    std::string text;  ///< empty: the redzones are whole
    const char* file = "";
    int line = 0;
  };
  Damage damage() const;

 private:
  struct Array {
    const void* site;
    unsigned char* begin;
    size_t bytes;
    const char* file;
    int line;
  };
  void add_redzone();

  unsigned char* arena_ = nullptr;
  size_t arena_bytes_ = 0;
  size_t used_ = 0;
  size_t limit_bytes_ = 0;
  size_t dynamic_bytes_ = 0;
  size_t static_bytes_ = 0;
  unsigned char* dynamic_ = nullptr;
  std::vector<Array> arrays_;
};

}  // namespace cugrb::simt
