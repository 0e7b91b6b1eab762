// A view with its integers in 32 bits, as SuiteSparse 10 keeps those of objects that are not large. The
// library that this test is linked to has 64.
#pragma once
#include <vector>

#include "src/mirror/host_content.h"

namespace cugrb::test {

class NarrowIntegers {
 public:
  explicit NarrowIntegers(const mirror::HostView& wide) : view_(wide) {
    const bool hypersparse = wide.form == mirror::HostForm::hypersparse;
    narrow(view_.offsets, offsets_, (hypersparse ? wide.listed_vectors : wide.vectors) + 1);
    narrow(view_.names, names_, wide.listed_vectors);
    narrow(view_.indices, indices_, wide.entries);
  }
  NarrowIntegers(const NarrowIntegers&) = delete;
  NarrowIntegers& operator=(const NarrowIntegers&) = delete;
  const mirror::HostView& view() const { return view_; }

 private:
  static void narrow(real::Integers& integers, std::vector<uint32_t>& copy, uint64_t count) {
    if (!integers) return;
    for (uint64_t k = 0; k < count; ++k) copy.push_back(static_cast<uint32_t>(integers[k]));
    integers = copy.data();
  }

  mirror::HostView view_;
  std::vector<uint32_t> offsets_, names_, indices_;
};

}  // namespace cugrb::test
