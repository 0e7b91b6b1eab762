// Residency: which handle has a device copy, and who holds the truth.
//
//   host     no device copy; the SuiteSparse object is the truth
//   both     the device copy equals the SuiteSparse object
//   device   the device copy is the truth; the SuiteSparse object is a hollow shell of the right type and size
//
// The interposer (src/capi) calls `to_host` and `host_changed` around every forwarded call, and `read` / `write` for
// offloaded ones. A handle is looked up by its pointer's value; an unknown one is never dereferenced here.
#pragma once
#include <GraphBLAS.h>

#include <memory>
#include <string>

#include "src/formats/matrix.h"
#include "src/formats/vector.h"

namespace cugrb::mirror {

enum class State : uint8_t { host, both, device };

struct VectorEntry;  // src/mirror/registry.h
struct MatrixEntry;

// ---- around forwarded calls -------------------------------------------------------------------------------------

/// Makes the SuiteSparse object hold the truth (writes back when the state is `device`; afterwards `both`). Restores the
/// object's sparsity control, hyper and bitmap switches and orientation. GrB_OUT_OF_MEMORY when host memory for the
/// write-back is not to be had: then nothing is lost, the device copy stays the truth and a later try may succeed.
/// GrB_SUCCESS at once for null and unknown handles. Cost for those: one hash look-up, under 30 ns.
GrB_Info to_host(GrB_Vector vector);
GrB_Info to_host(GrB_Matrix matrix);
/// The SuiteSparse object has been (or may have been) changed by a call: the device copy, if any, is stale.
void host_changed(GrB_Vector vector);
void host_changed(GrB_Matrix matrix);
/// The object is about to be freed: the entry goes first (rule 6).
void forget(GrB_Vector vector);
void forget(GrB_Matrix matrix);
/// GrB_finalize: writes nothing back, empties the table.
void finalize();

// ---- metadata without moving anything ----------------------------------------------------------------------------

State state(GrB_Vector vector);
State state(GrB_Matrix matrix);
/// True, with the count, when the device copy is the truth: then nvals is answered from it.
bool device_nvals(GrB_Vector vector, GrB_Index* nvals);
/// Bytes an upload would move now (0 when the device copy is valid): what the selector's placement needs.
uint64_t upload_bytes(GrB_Vector vector);
uint64_t upload_bytes(GrB_Matrix matrix);

// ---- for offloaded calls -----------------------------------------------------------------------------------------

/// A use of a vector's device copy: while it lives the entry is locked against eviction. Reading uploads first
/// when needed (wait, iterator attach, zero-copy; never unpack). Throws Declined, runtime::OutOfMemory.
class VectorUse {
 public:
  VectorUse() = default;
  ~VectorUse();
  VectorUse(VectorUse&&) noexcept;
  VectorUse& operator=(VectorUse&&) noexcept;
  formats::DeviceVector& operator*() const;
  formats::DeviceVector* operator->() const { return &**this; }
  /// After a successful device operation that changed the vector: its state becomes `device`, the SuiteSparse object a
  /// hollow shell (its content is cleared lazily: host memory is given back when it is cheap to do so), its GrB_error
  /// text cleared as SuiteSparse would clear it.
  void commit();

 private:
  friend VectorUse read(GrB_Vector);
  friend VectorUse write(GrB_Vector, bool);
  std::shared_ptr<VectorEntry> entry_;
};
VectorUse read(GrB_Vector vector);
/// For an output. `keep` = false when the call overwrites the whole vector: then nothing is uploaded and the device copy
/// starts empty (in a scratch object: the old content stays the truth until commit()).
VectorUse write(GrB_Vector vector, bool keep = true);

class MatrixUse {
 public:
  MatrixUse() = default;
  ~MatrixUse();
  MatrixUse(MatrixUse&&) noexcept;
  MatrixUse& operator=(MatrixUse&&) noexcept;
  const formats::DeviceMatrix& operator*() const;
  const formats::DeviceMatrix* operator->() const { return &**this; }

 private:
  friend MatrixUse read(GrB_Matrix);
  std::shared_ptr<MatrixEntry> entry_;
};
MatrixUse read(GrB_Matrix matrix);

/// dup: the new handle (just made by the real GrB_Vector_new) shares the old one's device copy. False when the old one's
/// truth is on the host.
bool share(GrB_Vector original, GrB_Vector copy);

// ---- pressure, stress, statistics --------------------------------------------------------------------------------

/// Frees device memory: cached formats first, then copies whose truth is also on the host, then (writing back) the least
/// recently used others. Entries in use are skipped. Returns bytes freed. Called when an allocation throws OutOfMemory.
size_t evict(size_t bytes_wanted);
/// CUGRB_STRESS: called by the interposer after each outermost call (evict-outputs: with the call's outputs; evict-all:
/// with every handle argument): moves the content out of SuiteSparse into the mirror so that the next use must restore it.
/// Works without a device too: the content is then kept in host memory.
void stress_evict(GrB_Vector vector);
void stress_evict(GrB_Matrix matrix);

struct Statistics {
  uint64_t uploads = 0, upload_bytes = 0, downloads = 0, download_bytes = 0, hits = 0, evictions = 0, resident = 0,
           resident_bytes = 0;
};
Statistics statistics();

/// Hysteresis (rule 11): a vector used element by element on the host (setElement, extractElement between offloaded
/// calls) is kept there for a while. True: offloading with this vector as an output is not worth it now.
bool prefers_host(GrB_Vector vector);
void note_element_access(GrB_Vector vector);

}  // namespace cugrb::mirror
