// HostResult: a matrix result that does not fit the device goes into host memory as it is made.
#pragma once
#include "src/formats/host_stream.h"
#include "src/mirror/host_content.h"

namespace cugrb::mirror {

/// The new content of a matrix, from ranges of its rows (or columns), for give_result().
class HostResult final : public formats::RowSink {
 public:
  /// Makes room for the entries that are announced, or as many as the host has room for.
  void begin(const formats::SparseShape& whole, bool by_column) override;
  void append(const formats::Csr& rows) override;
  /// When all rows are there.
  HostContent take();

 private:
  void make_room(uint64_t entries);

  HostContent content_;
  uint64_t rows_ = 0, entries_ = 0;  ///< so far
  uint64_t capacity_ = 0;            ///< entries that there is room for
  bool iso_ = true;                  ///< all of them so far are iso, with the first one's value
};

}  // namespace cugrb::mirror
