// HostSource: parts of a matrix in SuiteSparse's arrays, for products whose operands do not fit the device.
#pragma once
#include "src/formats/host_stream.h"
#include "src/mirror/host_content.h"

namespace cugrb::mirror {

/// Reads the arrays of a view in place; they outlive it.
class HostSource final : public formats::MatrixSource {
 public:
  HostSource(const HostView& view, const Type& type);
  std::vector<uint64_t> row_weights(bool transposed, const std::vector<uint64_t>* weights) const override;

 private:
  formats::Csr part(formats::Range vectors, formats::Range positions) const override;

  /// Where a vector's entries with these positions lie in the arrays; those of a bitmap may be absent.
  formats::Range places(uint64_t vector, formats::Range positions) const;
  formats::Range places_of_listed(uint64_t number, formats::Range positions) const;
  bool all_present() const { return view_.form != HostForm::bitmap; }
  bool present(uint64_t place) const { return all_present() || view_.present[place] != 0; }
  uint64_t position(uint64_t place) const {
    return view_.indices ? view_.indices[place] : place % view_.vector_length;
  }
  /// Where each vector's entries begin in the part, and at last where they end.
  std::vector<uint64_t> entry_starts(formats::Range vectors, formats::Range positions) const;
  /// Calls put(place) for the entries [begin, end) of a part, in order.
  template <class Put>
  void for_entries(const std::vector<uint64_t>& starts, formats::Range vectors, formats::Range positions,
                   uint64_t begin, uint64_t end, const Put& put) const;

  HostView view_;
};

}  // namespace cugrb::mirror
