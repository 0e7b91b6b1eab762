#include "src/mirror/host_source.h"

#include <atomic>
#include <cstring>

#include "src/mirror/integer_copies.h"
#include "src/support/parallel.h"

namespace cugrb::mirror {

using formats::Csr;
using formats::Range;
using runtime::Buffer;

namespace {

constexpr uint64_t grain = uint64_t(1) << 12;  // vectors a thread takes at least

}  // namespace

HostSource::HostSource(const HostView& view, const Type& type)
    : MatrixSource(type, view.by_column ? view.vector_length : view.vectors,
                   view.by_column ? view.vectors : view.vector_length, view.entries, view.by_column,
                   view.iso),
      view_(view) {}

Range HostSource::places_of_listed(uint64_t number, Range positions) const {
  if (!view_.indices) {
    const uint64_t begin = number * view_.vector_length;
    return {begin + positions.first, begin + positions.last};
  }
  const uint64_t begin = view_.offsets[number], end = view_.offsets[number + 1];
  const auto place = [&](uint64_t bound) {
    if (bound == 0) return begin;
    return bound >= view_.vector_length ? end : view_.indices.lower_bound(begin, end, bound);
  };
  return {place(positions.first), place(positions.last)};
}

Range HostSource::places(uint64_t vector, Range positions) const {
  if (view_.form != HostForm::hypersparse) return places_of_listed(vector, positions);
  const uint64_t listed = view_.names.lower_bound(0, view_.listed_vectors, vector);
  if (listed == view_.listed_vectors || view_.names[listed] != vector) return {};
  return places_of_listed(listed, positions);
}

std::vector<uint64_t> HostSource::entry_starts(Range vectors, Range positions) const {
  std::vector<uint64_t> starts(vectors.length() + 1, 0);
  if (view_.entries == 0) return starts;
  parallel_ranges(vectors.length(), grain, [&](uint64_t begin, uint64_t end) {
    for (uint64_t v = begin; v < end; ++v) {
      const Range own = places(vectors.first + v, positions);
      starts[v + 1] = own.length();
      if (all_present()) continue;
      const int8_t* const flags = view_.present;
      starts[v + 1] =
          uint64_t(std::count_if(flags + own.first, flags + own.last, [](int8_t f) { return f; }));
    }
  });
  for (uint64_t v = 0; v < vectors.length(); ++v) starts[v + 1] += starts[v];
  return starts;
}

template <class Put>
void HostSource::for_entries(const std::vector<uint64_t>& starts, Range vectors, Range positions,
                             uint64_t begin, uint64_t end, const Put& put) const {
  auto v = uint64_t(std::upper_bound(starts.begin(), starts.end(), begin) - starts.begin()) - 1;
  for (uint64_t n = begin; n < end; ++v) {
    uint64_t place = places(vectors.first + v, positions).first;
    uint64_t before = n - starts[v];  // entries of this vector that are not wanted
    if (all_present()) place += before;
    for (const uint64_t stop = std::min(end, starts[v + 1]); n < stop; ++place) {
      if (!present(place)) continue;
      if (!all_present() && before > 0) {
        --before;
        continue;
      }
      put(place);
      ++n;
    }
  }
}

Csr HostSource::part(Range vectors, Range positions) const {
  formats::SparseShape shape;
  shape.type = type();
  shape.rows = vectors.length();
  shape.columns = positions.length();
  shape.column_width = formats::index_width(view_.vector_length);
  const std::vector<uint64_t> starts = entry_starts(vectors, positions);
  shape.entries = starts.back();
  shape.iso = view_.iso && shape.entries > 0;
  Csr csr(shape, Csr::offset_width_for(view_.entries));
  csr.offsets = Buffer(starts.size() * formats::bytes_of(csr.offset_width));
  csr.column_indices = Buffer(shape.entries * formats::bytes_of(csr.column_width));
  const size_t size = view_.value_bytes;
  csr.values = Buffer((shape.iso ? 1 : shape.entries) * size);
  copy_integers_to_device(csr.offsets.data(), starts.data(), starts.size(), csr.offset_width);
  if (shape.entries == 0) return csr;
  const bool whole_vectors = positions.length() == view_.vector_length && all_present();
  uint64_t place = 0;  // of the first entry
  for_entries(starts, vectors, positions, 0, 1, [&](uint64_t first) { place = first; });
  if (whole_vectors && view_.indices) {
    copy_integers_to_device(csr.column_indices.data(), view_.indices.from(place), shape.entries,
                            csr.column_width);
  } else {
    fill_on_device(csr.column_indices.data(), shape.entries, csr.column_width,
                   [&](auto* out, uint64_t begin, uint64_t end) {
                     using Index = std::remove_reference_t<decltype(*out)>;
                     for_entries(starts, vectors, positions, begin, end,
                                 [&](uint64_t p) { *out++ = Index(position(p) - positions.first); });
                   });
  }
  const char* const values = static_cast<const char*>(view_.values);
  if (shape.iso || whole_vectors) {
    const char* const first = shape.iso ? values : values + place * size;
    runtime::device().copy_to_device(csr.values.data(), first, csr.values.bytes());
    return csr;
  }
  runtime::device().fill_on_device(csr.values.data(), shape.entries, size,
                                   [&](char* out, uint64_t begin, uint64_t end) {
                                     for_entries(starts, vectors, positions, begin, end, [&](uint64_t p) {
                                       std::memcpy(out, values + p * size, size);
                                       out += size;
                                     });
                                   });
  return csr;
}

std::vector<uint64_t> HostSource::row_weights(bool transposed, const std::vector<uint64_t>* weights) const {
  const bool along = transposed == by_column();
  std::vector<uint64_t> sums(along ? view_.vectors : view_.vector_length, 0);
  if (view_.entries == 0) return sums;
  const uint64_t listed = view_.form == HostForm::hypersparse ? view_.listed_vectors : view_.vectors;
  parallel_ranges(listed, grain, [&](uint64_t begin, uint64_t end) {
    for (uint64_t n = begin; n < end; ++n) {
      const uint64_t vector = view_.form == HostForm::hypersparse ? view_.names[n] : n;
      const Range own = places_of_listed(n, {0, view_.vector_length});
      if (along && weights == nullptr && all_present()) {
        sums[vector] = own.length();
        continue;
      }
      for (uint64_t place = own.first; place < own.last; ++place) {
        if (!present(place)) continue;
        if (along) {
          sums[vector] += weights != nullptr ? (*weights)[position(place)] : 1;
        } else {  // other threads' vectors have entries of this row, too
          std::atomic_ref<uint64_t>(sums[position(place)])
              .fetch_add(weights != nullptr ? (*weights)[vector] : 1, std::memory_order_relaxed);
        }
      }
    }
  });
  return sums;
}

}  // namespace cugrb::mirror
