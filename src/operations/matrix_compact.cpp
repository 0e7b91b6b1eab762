#include "src/operations/matrix_compact.h"

#include "src/formats/element_kernels.h"
#include "src/operations/matrix_merge.h"

namespace cugrb::operations {

using formats::Csr;
using runtime::Buffer;

Csr kept_entries(const Csr& pattern, const Type& type, const Buffer& values, bool iso, const Buffer& has) {
  Merge merge;
  merge.header = "matrix_elementwise.h";
  merge.type =
      template_id("matrix_flagged", {csr_id(pattern, false), formats::element_of_bytes(iso ? 1 : type.size)});
  merge.values = type;
  merge.has_values = !iso;
  merge.wide = pattern.column_width == formats::Width::bits64;
  merge.most = pattern.entries;
  merge.arguments.first = pattern.view();
  merge.arguments.first.values = values.data();
  merge.arguments.found.values = has.data();
  Csr t = merged(std::move(merge), {&pattern});
  t.iso = iso && t.entries > 0;
  if (t.iso) t.values = values;
  return t;
}

}  // namespace cugrb::operations
