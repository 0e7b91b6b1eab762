// Whether a matrix in host memory is the one that a device copy was made of: without moving either.
#pragma once
#include "src/formats/matrix.h"
#include "src/mirror/host_content.h"

namespace cugrb::mirror {

/// The matrices have one shape, and are of kinds whose arrays correspond: sparse or full on the host, and not
/// fragmented on the device. O(1).
bool may_be_same(const HostView& view, const Type& type, const formats::DeviceMatrix& matrix);

/// Bytes that a comparison reads on the host.
uint64_t compared_bytes(const HostView& view);

/// Compares fingerprints of all arrays (cuda/primitives/fingerprint.h), under a random key of this process:
/// on the host by the threads of parallel_ranges, which stop at the first chunk that differs. Contents that
/// differ are taken for the same with a probability of at most 2^-127. `view` and `matrix` may be the same.
/// O(bytes). Throws runtime::OutOfMemory for 8 KB and 32 bytes a chunk, std::bad_alloc,
/// runtime::DeviceFailure.
bool is_same(const HostView& view, const formats::DeviceMatrix& matrix);

}  // namespace cugrb::mirror
