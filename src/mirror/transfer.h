// Between SuiteSparse's arrays on the host and formats on the device: 64-bit indices become 32-bit where they
// fit (half the bytes over the bus and half the bandwidth in every kernel), and back.
#pragma once
#include <exception>

#include "src/formats/matrix.h"
#include "src/formats/vector.h"
#include "src/mirror/host_content.h"

namespace cugrb::mirror {

/// A vector's content on the device, in the form it has on the host. O(content) copies. Throws
/// runtime::OutOfMemory.
formats::DeviceVector upload_vector(const HostView& view, const Type& type);

/// Throws Declined for a matrix that the device has no form for: hypersparse with far more vectors than
/// entries, or iso and full with more positions than it has room to name.
void require_storable(HostForm form, bool iso, uint64_t vectors, uint64_t vector_length, uint64_t entries);

/// A matrix's content on the device: CSR of the matrix, or of its transpose when it is held by column.
/// Hypersparse offsets are written out; bitmap and full become CSR. Throws Declined for
/// 2^31 vectors or more and as require_storable, runtime::OutOfMemory.
formats::DeviceMatrix upload_matrix(const HostView& view, const Type& type);

/// Bytes of device memory that the two functions above would fill (they move as much, but for the pattern of
/// a full matrix, which is made there).
uint64_t upload_bytes_of(HostForm form, bool iso, size_t value_bytes, uint64_t vectors,
                         uint64_t vector_length, uint64_t entries, bool is_matrix);

/// Has the device arrange content that is about to come home. False where it cannot: content comes home as it
/// lies then, also where there is no memory, and where no kernel can be compiled or launched.
template <class Work>
bool arranges(const Work& work) {
  try {
    work();
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

/// A vector's content in host memory, ready to be given to SuiteSparse. All host memory is reserved before
/// anything is copied. Throws std::bad_alloc when it is not to be had, runtime::DeviceFailure.
HostContent download(const formats::DeviceVector& vector);

/// A matrix's content in host memory, as sparse vectors or, if that is allowed and every position has an
/// entry, as a full matrix; SuiteSparse then chooses its form. In the orientation that is asked for, if the
/// device has it or the memory to make it; else in the one that is there. Throws as above.
HostContent download(const formats::DeviceMatrix& matrix, bool by_column, bool full_allowed);

/// A matrix without entries. Throws Declined for 2^31 vectors or more, runtime::OutOfMemory.
formats::DeviceMatrix empty_matrix(const Type& type, uint64_t rows, uint64_t columns, bool by_column);

}  // namespace cugrb::mirror
