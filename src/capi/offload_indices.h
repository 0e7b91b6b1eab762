// Index lists of assign and extract as the C API gives them: GrB_ALL, a list, or GxB_RANGE / STRIDE /
// BACKWARDS.
#pragma once
#include <vector>

#include "src/capi/decode.h"
#include "src/operations/operations.h"

namespace cugrb::capi::offload {

/// The real library's GrB_ALL: never read, only compared.
const GrB_Index* all_indices();

/// Whether SuiteSparse takes the list as {0}: GrB_ALL with a count of 1, where the length is another.
bool is_all_of_one(const GrB_Index* list, GrB_Index count, uint64_t length);
/// Throws Declined for such a list.
void decline_all_of_one(const GrB_Index* list, GrB_Index count, uint64_t length);

/// A list, or a range of step 1, which is kept as such; other steps are written out. `view` points into
/// `storage` or at the caller's array.
class IndexList {
 public:
  /// `limit`: the length of what is indexed. Throws Invalid when the list is null or leaves it, Declined for
  /// one that would be written out to more than a quarter of the device's memory.
  IndexList(const GrB_Index* I, GrB_Index ni, uint64_t limit);
  IndexList(const IndexList&) = delete;
  IndexList& operator=(const IndexList&) = delete;

  const operations::Indices& view() const { return view_; }
  uint64_t length() const { return view_.count; }

 private:
  void write_out(uint64_t begin, uint64_t end, uint64_t step, bool backwards);

  std::vector<uint64_t> storage_;
  operations::Indices view_;
};

}  // namespace cugrb::capi::offload
