#include "src/operations/matrix_compact.h"

#include <algorithm>

#include "cuda/views/matrix_elementwise.h"
#include "src/formats/element_kernels.h"
#include "src/operations/matrix_merge.h"

namespace cugrb::operations {

using formats::Csr;
using runtime::Buffer;

namespace {

/// Entries from which on a launch that compares them is small beside a merge.
constexpr uint64_t compared_entries = uint64_t(1) << 16;

/// Arrays are compared by words of 16 bytes.
bool begins_with_word(const Buffer& array) { return reinterpret_cast<uintptr_t>(array.data()) % 16 == 0; }

void compare(const Buffer& a, const Buffer& b, uint64_t bytes, const Buffer& differ) {
  WordsDifferArguments arguments;
  arguments.a = a.as<uint32_t>();
  arguments.b = b.as<uint32_t>();
  arguments.count = bytes / sizeof(uint32_t);
  arguments.differ = differ.as<uint32_t>();
  formats::launch_blocks("matrix_elementwise.h", "words_differ<0>",
                         std::min(formats::move_tiles(arguments.count), formats::resident_blocks()),
                         arguments);
}

}  // namespace

bool have_same_pattern(const Csr& a, const Csr& b) {
  if (have_same_places(a, b)) return true;
  if (a.entries != b.entries || a.rows != b.rows || a.entries < compared_entries) return false;
  if (a.offset_width != b.offset_width || a.column_width != b.column_width) return false;
  for (const Buffer& array : {a.offsets, b.offsets, a.column_indices, b.column_indices})
    if (!begins_with_word(array)) return false;
  const Buffer differ = Buffer::zeroed(sizeof(uint32_t));
  // Columns first: they differ sooner than offsets, which are not read then.
  compare(a.column_indices, b.column_indices, a.entries * formats::bytes_of(a.column_width), differ);
  compare(a.offsets, b.offsets, (a.rows + 1) * formats::bytes_of(a.offset_width), differ);
  return differ.read<uint32_t>() == 0;
}

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
