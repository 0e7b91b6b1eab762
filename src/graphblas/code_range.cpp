#include "src/graphblas/code_range.h"

#include <link.h>

namespace cugrb::real {
namespace {

struct Search {
  const void* address;
  CodeRange found;
};

int look_into(dl_phdr_info* object, size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  for (int n = 0; n < object->dlpi_phnum; ++n) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[n];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    const CodeRange range{object->dlpi_addr + segment.p_vaddr, segment.p_memsz};
    if (!range.holds(search.address)) continue;
    search.found = range;
    return 1;
  }
  return 0;
}

}  // namespace

CodeRange code_around(const void* address) {
  Search search{address, {}};
  dl_iterate_phdr(look_into, &search);
  return search.found;
}

}  // namespace cugrb::real
