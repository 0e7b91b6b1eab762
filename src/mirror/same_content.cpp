#include "src/mirror/same_content.h"

#include <sys/random.h>

#include <atomic>
#include <memory>
#include <random>
#include <vector>

#include "cuda/primitives/primitives.h"
#include "src/formats/csr.h"
#include "src/support/parallel.h"

namespace cugrb::mirror {
namespace {

using primitives::Fingerprint;
using primitives::FingerprintKey;
using primitives::Width;
using runtime::Buffer;

/// Drawn once: a program cannot know it, so that no content is made to fit another one's fingerprints.
const FingerprintKey& process_key() {
  static const std::unique_ptr<const FingerprintKey> key = [] {
    auto drawn = std::make_unique<FingerprintKey>();
    auto* const bytes = reinterpret_cast<char*>(drawn.get());
    for (size_t done = 0; done < sizeof(FingerprintKey);) {
      const ssize_t more = getrandom(bytes + done, sizeof(FingerprintKey) - done, 0);
      if (more <= 0) break;
      done += static_cast<size_t>(more);
      if (done == sizeof(FingerprintKey)) return drawn;
    }
    std::random_device source;  // a system without getrandom
    for (size_t n = 0; n < sizeof(FingerprintKey); ++n) bytes[n] = static_cast<char>(source());
    return drawn;
  }();
  return *key;
}

/// An array on both sides, of which each has words of its own width.
struct Pair {
  const void* host;
  uint64_t host_bytes;
  Width host_width;
  const Buffer* device;
  Width device_width;

  uint64_t chunks() const {
    return primitives::fingerprint_chunks(host_bytes, formats::bytes_of(host_width));
  }
};

Pair integers(const real::Integers& host, uint64_t count, const Buffer& device, Width width) {
  const Width host_width = host.narrow ? Width::bits32 : Width::bits64;
  return {host.data, count * formats::bytes_of(host_width), host_width, &device, width};
}

/// Values are bytes to both.
std::vector<Pair> pairs_of(const HostView& view, const formats::Csr& csr) {
  std::vector<Pair> pairs;
  if (view.form == HostForm::sparse) {
    pairs.push_back(integers(view.indices, view.entries, csr.column_indices, csr.column_width));
    pairs.push_back(integers(view.offsets, view.vectors + 1, csr.offsets, csr.offset_width));
  }
  pairs.push_back(
      {view.values, view.value_count() * view.value_bytes, Width::bits64, &csr.values, Width::bits64});
  return pairs;
}

uint64_t device_bytes_of(const Pair& pair) {
  if (pair.host_width == pair.device_width) return pair.host_bytes;
  return pair.host_bytes / formats::bytes_of(pair.host_width) * formats::bytes_of(pair.device_width);
}

/// The device's, of all arrays one after the other.
std::vector<Fingerprint> device_fingerprints(const std::vector<Pair>& pairs) {
  uint64_t chunks = 0;
  for (const Pair& pair : pairs) chunks += pair.chunks();
  const Buffer key = Buffer::from_host(&process_key(), sizeof(FingerprintKey));
  const Buffer results(chunks * sizeof(Fingerprint));
  auto* next = results.as<Fingerprint>();
  for (const Pair& pair : pairs) {
    primitives::fingerprints(pair.device_width, key.as<FingerprintKey>(), pair.device->data(),
                             device_bytes_of(pair), next);
    next += pair.chunks();
  }
  return results.to_host<Fingerprint>(chunks);
}

Fingerprint host_fingerprint(const Pair& pair, uint64_t chunk) {
  const FingerprintKey& key = process_key();
  return pair.host_width == Width::bits32
             ? primitives::fingerprint_of_chunk<uint32_t>(key, pair.host, pair.host_bytes, chunk)
             : primitives::fingerprint_of_chunk<uint64_t>(key, pair.host, pair.host_bytes, chunk);
}

bool has_fingerprints(const Pair& pair, const Fingerprint* expected) {
  std::atomic<bool> differs{false};
  parallel_ranges(pair.chunks(), 1, [&](uint64_t begin, uint64_t end) {
    for (uint64_t chunk = begin; chunk < end && !differs.load(std::memory_order_relaxed); ++chunk) {
      if (!(host_fingerprint(pair, chunk) == expected[chunk])) differs = true;
    }
  });
  return !differs;
}

}  // namespace

bool may_be_same(const HostView& view, const Type& type, const formats::DeviceMatrix& matrix) {
  const formats::Csr& csr = matrix.stored;
  const bool corresponds = view.form == HostForm::sparse || view.form == HostForm::full;
  return corresponds && matrix.fragments == nullptr && matrix.parts == nullptr && view.entries > 0 &&
         view.entries == csr.entries && view.vectors == csr.rows && view.vector_length == csr.columns &&
         view.iso == csr.iso && view.by_column == matrix.by_column && view.value_bytes == csr.type.size &&
         type == matrix.type;
}

uint64_t compared_bytes(const HostView& view) {
  uint64_t bytes = view.value_count() * view.value_bytes;
  if (view.form != HostForm::sparse) return bytes;
  bytes += view.entries * (view.indices.narrow ? sizeof(uint32_t) : sizeof(uint64_t));
  return bytes + (view.vectors + 1) * (view.offsets.narrow ? sizeof(uint32_t) : sizeof(uint64_t));
}

bool is_same(const HostView& view, const formats::DeviceMatrix& matrix) {
  const std::vector<Pair> pairs = pairs_of(view, matrix.stored);
  const std::vector<Fingerprint> fingerprints = device_fingerprints(pairs);
  const Fingerprint* next = fingerprints.data();
  for (const Pair& pair : pairs) {
    if (!has_fingerprints(pair, next)) return false;
    next += pair.chunks();
  }
  return true;
}

}  // namespace cugrb::mirror
