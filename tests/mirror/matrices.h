// Matrices of the residency tests: what is in a device copy, and every shape that one can have on the host.
#pragma once
#include "src/mirror/mirror.h"
#include "src/support/settings.h"
#include "tests/catch.h"
#include "tests/mirror/objects.h"
#include "tests/mirror/release.h"

namespace cugrb::test {

template <class T>
std::vector<uint64_t> widened(const runtime::Buffer& buffer, uint64_t count) {
  const auto narrow = buffer.to_host<T>(count);
  return {narrow.begin(), narrow.end()};
}

inline std::vector<uint64_t> integers(const runtime::Buffer& buffer, uint64_t count,
                                      primitives::Width width) {
  return width == primitives::Width::bits32 ? widened<uint32_t>(buffer, count)
                                            : widened<uint64_t>(buffer, count);
}

inline Entries entries_of(const formats::DeviceMatrix& m) {
  const formats::Csr& csr = m.stored;
  const auto offsets = integers(csr.offsets, csr.rows + 1, csr.offset_width);
  const auto columns = integers(csr.column_indices, csr.entries, csr.column_width);
  const auto values = csr.values.to_host<char>(csr.values.bytes());
  REQUIRE(offsets[0] == 0);
  REQUIRE(offsets[csr.rows] == csr.entries);
  Entries entries;
  for (uint64_t row = 0; row < csr.rows; ++row) {
    REQUIRE(offsets[row] <= offsets[row + 1]);
    for (uint64_t k = offsets[row]; k < offsets[row + 1]; ++k) {
      if (k > offsets[row]) REQUIRE(columns[k - 1] < columns[k]);
      const std::string value(values.data() + (csr.iso ? 0 : k) * m.type.size, m.type.size);
      entries[m.by_column ? Position{columns[k], row} : Position{row, columns[k]}] = value;
    }
  }
  return entries;
}

/// Calls test(shape) for every form, orientation, iso-ness and kind of pending work.
template <class Test>
void for_all_shapes(uint64_t rows, uint64_t columns, const Test& test) {
  for (const int form : {GxB_HYPERSPARSE, GxB_SPARSE, GxB_BITMAP, GxB_FULL}) {
    for (const bool by_column : {false, true}) {
      for (const bool iso : {false, true}) {
        for (const auto work :
             {Shape::Work::none, Shape::Work::pending, Shape::Work::zombies, Shape::Work::jumbled}) {
          Shape s;
          s.rows = rows;
          s.columns = columns;
          s.form = form;
          s.by_column = by_column;
          s.iso = iso;
          s.entries = rows * columns / 4;
          s.work = work;
          test(s);
        }
      }
    }
  }
}

/// From now on, as CUGRB_OFFLOAD would.
inline void set_offload(Offload offload) {
  Settings changed = settings();
  changed.offload = offload;
  override_settings(changed);
}

}  // namespace cugrb::test
