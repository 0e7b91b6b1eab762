// Residency: which handle has a device copy, and who holds the truth.
//
//   host     no device copy; the SuiteSparse object is the truth
//   both     the device copy equals the SuiteSparse object
//   device   the device copy is the truth; the SuiteSparse object is a hollow shell of the right type and
//   size. Of a matrix, changes of elements may wait that the copy takes at its next use.
//
// The interposer (src/capi) calls `to_host` and `host_changed` around every forwarded call, and `read` /
// `write` for offloaded ones. A handle is looked up by its pointer's value; an unknown one is never
// dereferenced here.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "src/formats/host_stream.h"
#include "src/formats/matrix.h"
#include "src/formats/vector.h"
#include "src/mirror/host_content.h"

namespace cugrb::mirror {

enum class State : uint8_t { host, both, device };

template <class Content>
struct EntryOf;  // src/mirror/registry.h

// ---- around forwarded calls -----------------------------------------------------------------------------

/// Makes the SuiteSparse object hold the truth (writes back when the state is `device`; afterwards `both`).
/// Restores the object's sparsity control, hyper and bitmap switches and orientation, and sets a sparsity
/// control that waits. GrB_OUT_OF_MEMORY when host memory for the write-back is not to be had: then nothing
/// is lost, the device copy stays the truth and a later try may succeed. GrB_SUCCESS at once for null and
/// unknown handles. Cost for those: one hash look-up, under 30 ns.
GrB_Info to_host(GrB_Vector vector);
GrB_Info to_host(GrB_Matrix matrix);
/// The SuiteSparse object has been (or may have been) changed by a call: the device copy, if any, is stale.
void host_changed(GrB_Vector vector);
void host_changed(GrB_Matrix matrix);
/// The same of a call that has handed the matrix's arrays to the program (unpack). The device copy is set
/// aside: where the program packs arrays of the same content again, which the next use proves by fingerprints
/// (src/mirror/same_content.h), it is the copy again, with all that was derived from it.
void host_unpacked(GrB_Matrix matrix);
/// The object is about to be freed: the entry goes first (rule 6). No other call may be using it (as in
/// GraphBLAS).
void forget(GrB_Vector vector);
void forget(GrB_Matrix matrix);
/// GrB_finalize: writes nothing back, empties the table.
/// (Fork needs no call: handlers are registered with the first entry. In the child no device copy can be
/// used, rule 14: what was `both` is on the host there; restoring what was only on the device gives
/// GrB_PANIC.)
void finalize();

/// While it lives, no other thread moves the object's content (a write-back, a use of its device copy). The
/// interposer holds one around forwarded queries of metadata that call no to_host (size, type, options), so
/// that they never read a header while another thread's write-back changes it. Free for objects whose content
/// has never been elsewhere.
class MetadataGuard {
 public:
  explicit MetadataGuard(const void* handle);
  ~MetadataGuard();
  MetadataGuard(const MetadataGuard&) = delete;
  MetadataGuard& operator=(const MetadataGuard&) = delete;

 private:
  bool locked_ = false;
};

// ---- types ----------------------------------------------------------------------------------------------

/// A user-defined type was made (GxB_Type_new, GrB_Type_new): vectors and matrices of it can be on the device
/// when it has a definition. forget_type before it is freed.
void record_type(GrB_Type type, const std::string& name, const std::string& definition, size_t size);
void forget_type(GrB_Type type);

// ---- metadata without moving anything -------------------------------------------------------------------

/// The object has no copy outside SuiteSparse, and no sparsity control that waits. A few nanoseconds; never
/// wrongly true.
bool is_on_host_alone(const void* handle);
/// SuiteSparse has the content, and nothing waits for the object; the device may have a copy. Likewise.
bool is_on_host(const void* handle);
State state(GrB_Vector vector);
State state(GrB_Matrix matrix);
/// True, with the count, when the device copy is the truth: then nvals is answered from it. True also when a
/// sparsity control waits, which another thread may set at any time: then it is counted in the form that
/// there is. Throws where it cannot be counted (OutOfMemory, DeviceFailure, Declined): SuiteSparse's own
/// count is then that of a hollow object, until the object has come to the host.
bool unsettled_nvals(GrB_Vector vector, GrB_Index* nvals);
bool unsettled_nvals(GrB_Matrix matrix, GrB_Index* nvals);
/// Whether the number of entries can be told without waiting for the device.
bool knows_nvals(GrB_Vector vector);

// ---- sparsity controls that wait (src/mirror/sparsity_control.cpp) --------------------------------------

/// GxB_SPARSITY_CONTROL is remembered, and set by to_host() or with the device's result, in two cases: the
/// truth is on the device; or SuiteSparse would now make a large bitmap with few entries in it, which an
/// upload does not need. False in every other case: the control is to be set on the object.
bool defer_sparsity_control(GrB_Vector vector, int32_t control);
bool defer_sparsity_control(GrB_Matrix matrix, int32_t control);
/// True, with the value, when one is remembered.
bool deferred_sparsity_control(GrB_Vector vector, int32_t* control);
bool deferred_sparsity_control(GrB_Matrix matrix, int32_t* control);
/// The object, which has its content on the host, is to get one more element there: true when its control
/// waits and can go on waiting, so that to_host() is not needed. Asking counts: after many elements it is
/// false.
bool control_waits_for_element(const void* handle);
/// A control waits, and SuiteSparse makes a bitmap of the object at the next call that is the host's.
bool bitmap_waits(const void* handle);
/// For calls that replace the whole content: sets the control that waits, and moves nothing else.
GrB_Info control_to_host(const void* handle);

// ---- what an upload would cost --------------------------------------------------------------------------

/// Bytes an upload would move now (0 when the device copy is valid): what the selector's placement needs. Of
/// a matrix whose copy is set aside two thirds of them: so much less does it take to compare. It comes with
/// each time that the matrix is packed, so that the uses in between pay for it.
/// Throws Declined for a matrix that the device would not take.
uint64_t upload_bytes(GrB_Vector vector);
uint64_t upload_bytes(GrB_Matrix matrix);

/// All entries have one value, which is stored once.
bool is_iso(GrB_Vector vector);
bool is_iso(GrB_Matrix matrix);
/// Bytes of the vector in the form in which the device holds it, or would: one value, where it is iso.
uint64_t held_bytes(GrB_Vector vector);
/// The entries of an iso object that the device does not hold, one a position of an iso full vector: for
/// calls that read no pattern. Only the value moves. Nothing for other objects, and for those without
/// entries. Throws Declined, std::bad_alloc.
std::optional<formats::DeviceVector> iso_entries(GrB_Vector vector);
std::optional<formats::DeviceVector> iso_entries(GrB_Matrix matrix);

/// A call asks for the object: how often its present content can be expected to be asked for in all, this
/// call counted; at least 1. What was asked for u times is expected to be asked for u times more; if the
/// contents before it were asked for more often until the program changed them, as often as they. So a matrix
/// that is packed, used once and unpacked again in a loop is never expected to be there a second time. Throws
/// Declined, std::bad_alloc.
double expected_uses(GrB_Vector vector);
double expected_uses(GrB_Matrix matrix);

/// Length of the row (transposed: of the column) that an entry drawn at random is in: E(X^2) / E(X) for X,
/// the length of a row. 0 where the device has not counted them.
double row_length_of_entry(GrB_Matrix matrix, bool transposed);

/// How many entries of the matrix lie in the vectors, as it is held, that the entries of `vector` name: what
/// a push reads. Known where SuiteSparse and the device both have the matrix, in lists, and SuiteSparse has
/// the vector as a list. O(entries of the vector).
std::optional<uint64_t> entries_met(GrB_Matrix matrix, GrB_Vector vector);

/// The mean length, over the entries of `naming`, of the vector of `held` whose number is the entry's index:
/// what an entry of a product's factor meets where both are held the same way round. Of `most_looked_at`
/// entries at most, evenly spread, of which 50 take a microsecond. Known where SuiteSparse has both in lists.
/// Finishes pending work in them.
std::optional<double> length_named(GrB_Matrix naming, GrB_Matrix held, uint64_t most_looked_at);

/// SuiteSparse holds the matrix with all of its positions (as bitmap or full), or will once it has it, since
/// the program's sparsity control asks for that: what its calls cost follows from them, not from the entries.
bool dense_on_host(GrB_Matrix matrix);

// ---- for offloaded calls --------------------------------------------------------------------------------

/// A use of an object's device copy. While any use lives in this thread, other threads' uses, write-backs and
/// evictions wait (one lock for all: the device runs one stream, and no order of handles can deadlock); the
/// entry itself is not evicted. To be destroyed by the thread that made it. Throws Declined,
/// runtime::OutOfMemory, runtime::DeviceFailure.
template <class Content>
class Use {
 public:
  Use() = default;
  /// By read() and write(). `scratch` (may be null) is what is written until commit().
  Use(std::shared_ptr<EntryOf<Content>> entry, bool writes, std::unique_ptr<Content> scratch = nullptr);
  ~Use();
  Use(Use&&) noexcept;
  Use& operator=(Use&&) noexcept;
  Content& operator*() const;
  Content* operator->() const { return &**this; }
  /// After a successful device operation that changed the object: its state becomes `device`, the SuiteSparse
  /// object a hollow shell. Its content is freed lazily, when the object stays on the device, and its
  /// GrB_error text is cleared as SuiteSparse would clear it. Under 1 µs. Afterwards `**this` is the
  /// committed content. `cleared`: by GrB_clear, which leaves other widths of integers than an empty result.
  void commit(bool cleared = false);

 private:
  std::shared_ptr<EntryOf<Content>> entry_;
  std::unique_ptr<Content> scratch_;  // write(keep = false) until commit()
  bool writes_ = false;               // not committed yet
};
extern template class Use<formats::DeviceVector>;
extern template class Use<formats::DeviceMatrix>;
using VectorUse = Use<formats::DeviceVector>;
using MatrixUse = Use<formats::DeviceMatrix>;

/// What a use reads: a matrix's CSR and a whole vector; a matrix that may be fragmented
/// (DeviceMatrix::fragments), one that may be in parts (DeviceMatrix::parts), one that may be either. All but
/// `rows` take a vector in parts.
enum class Reads : uint8_t { rows, any_form, any_place, as_it_is };

/// For an input: uploads first when the device copy is missing (wait, iterator attach, zero-copy; never
/// unpack). A matrix's device copy is not to be changed in place: what was derived from it is shared.
VectorUse read(GrB_Vector vector, Reads reads = Reads::rows);
MatrixUse read(GrB_Matrix matrix, Reads reads = Reads::rows);
/// For an output, also one that is an input too. `keep` = false when the call overwrites the whole object:
/// then nothing is uploaded and the use starts with no entries, a matrix in its own orientation. It is a
/// scratch object: the old content stays the truth until commit(), and a read() of the same handle sees it.
/// Without commit() nothing has happened. A matrix may be committed in either orientation.
VectorUse write(GrB_Vector vector, bool keep = true, Reads reads = Reads::rows);
MatrixUse write(GrB_Matrix matrix, bool keep = true, Reads reads = Reads::rows);

/// A use of a matrix's content in host memory, wherever its truth is: parts of it can be brought to the
/// device (src/mirror/host_source.h). While it lives no other thread moves a content, as for Use. Throws
/// Declined, std::bad_alloc, runtime::DeviceFailure.
class HostUse {
 public:
  explicit HostUse(GrB_Matrix matrix);
  const formats::MatrixSource& operator*() const { return *source_; }

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  std::unique_ptr<const formats::MatrixSource> source_;
};
/// A call's result that came to host memory (src/mirror/host_result.h) is the matrix's content from now on:
/// its state becomes `device`, with the content in host memory of the mirror, from where the next use takes
/// it (SuiteSparse in O(1)). Device copies of the old content go, and the object's GrB_error text.
void give_result(GrB_Matrix matrix, HostContent&& result);

/// dup: the new handle (just made by the real GrB_Vector_new or GrB_Matrix_new, of the same type and size)
/// shares the old one's device copy. It takes the settings that GraphBLAS's dup takes (sparsity control and
/// hyper switch, not the bitmap switch), a matrix its orientation too. O(1). False, with nothing done, when
/// the old one has no device copy.
bool share(GrB_Vector original, GrB_Vector copy);
bool share(GrB_Matrix original, GrB_Matrix copy);

/// The new matrix (just made by the real GrB_Matrix_new) takes the settings that GraphBLAS's dup and split
/// take: sparsity control, hyper switch, orientation.
void take_settings(GrB_Matrix original, GrB_Matrix made);

/// The hollow object's own size, for a content of another size that is committed next: to be called while a
/// use of it is held. Throws Declined when SuiteSparse cannot change it; the content is what it was then.
void resize_shell(GrB_Vector vector, uint64_t length, uint64_t columns);  ///< columns is 1
void resize_shell(GrB_Matrix matrix, uint64_t rows, uint64_t columns);

/// The object's own orientation, for a content that is committed next: to be called while a use of it is
/// held. What SuiteSparse holds of the object goes, where it must be turned.
void turn_shell(GrB_Matrix matrix, bool by_column);

// ---- single elements of matrices (src/mirror/elements.cpp) ----------------------------------------------

/// C(row, column) = value, a value of the matrix's type; null: the entry goes. True when the change has been
/// queued: the device has a copy, which takes all that wait in one batch at the next use of the content, with
/// no download (src/formats/csr_update.h). Where the copy has gone by then, or cannot take them, SuiteSparse
/// gets them when the content comes to the host. False, with nothing done, when the device has no copy or
/// one without entries, or the program reads many elements of one that the host has, too. O(1). Throws
/// std::bad_alloc.
bool queue_element(GrB_Matrix matrix, uint64_t row, uint64_t column, const Value* value);
/// C(row, column): from the changes that wait, else from the device's copy, without settling the first or
/// moving the second.
struct Element {
  bool served = false;  ///< false: SuiteSparse is to be asked, which has it or is to have it
  std::optional<Value> value;
};
Element element_of(GrB_Matrix matrix, uint64_t row, uint64_t column);

// ---- pressure, stress, statistics -----------------------------------------------------------------------

/// Frees device memory: cached formats first, then copies whose truth is also on the host, then (writing
/// back) the least recently used others. Entries in use are skipped. Returns bytes freed. Called when an
/// allocation throws OutOfMemory.
size_t evict(size_t bytes_wanted);
/// CUGRB_STRESS: called by the interposer after each outermost call (evict-outputs: with the call's outputs;
/// evict-all: with every handle argument) that succeeded: moves the content out of SuiteSparse into the
/// mirror so that the next use must restore it. Works without a device too: the content is then kept in host
/// memory. Not for objects that another thread may be using (GraphBLAS allows shared inputs; moving one out
/// under a running call would be a race).
/// Large objects are left alone for some calls after each move (a move finishes pending work).
void stress_evict(GrB_Vector vector);
void stress_evict(GrB_Matrix matrix);

struct Statistics {
  uint64_t uploads = 0, upload_bytes = 0, downloads = 0, download_bytes = 0, hits = 0, evictions = 0,
           resident = 0, resident_bytes = 0;
};
Statistics statistics();

/// Hysteresis (rule 11): an object used element by element on the host (setElement, extractElement between
/// offloaded calls) is kept there for a while. True: offloading with this object as an output is not worth it
/// now. Asking counts; ask once a call. Always false with CUGRB_OFFLOAD=always.
bool prefers_host(GrB_Vector vector);
bool prefers_host(GrB_Matrix matrix);
/// The program accesses an element. Costs one hash look-up when the object was never on the device. (Of a
/// matrix: one that the host serves.)
void note_element_access(GrB_Vector vector);
void note_element_access(GrB_Matrix matrix);
/// True after many element accesses in a row: bring the vector to the host instead of serving the next one on
/// the device. Also with CUGRB_OFFLOAD=always: each element would be a wait for the device, and a program
/// that reads a whole vector so would take minutes for what one copy does.
bool prefers_host_elements(GrB_Vector vector);

}  // namespace cugrb::mirror
