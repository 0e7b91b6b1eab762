// A product whose result does not fit the device: rows of T in slices, each through the one write-back, then
// to the host.
#include <future>

#include "src/operations/matrix_write_back.h"
#include "src/operations/mxm_rows.h"
#include "src/selector/decision.h"
#include "src/support/settings.h"
#include "src/support/trace.h"

namespace cugrb::operations {

using formats::Csr;

namespace {

/// Rows [first, last) of a matrix by rows, or of its transpose.
DeviceMatrix range_of(const DeviceMatrix& matrix, bool transposed, uint64_t first, uint64_t last) {
  DeviceMatrix range;
  range.type = matrix.type;
  range.by_column = transposed;
  range.rows = transposed ? matrix.rows : last - first;
  range.columns = transposed ? last - first : matrix.columns;
  range.stored = formats::rows_of(matrix.by_rows(transposed), first, last);
  return range;
}

/// Calls work(first, last) for rows [first, last), in halves where memory does not suffice. Throws
/// runtime::OutOfMemory when it does not suffice for one row.
template <class Work>
void in_halves(uint64_t first, uint64_t last, const Work& work) {
  try {
    work(first, last);
    return;
  } catch (const runtime::OutOfMemory&) {
    if (last - first == 1) throw;
  }
  const uint64_t middle = first + (last - first) / 2;
  in_halves(first, middle, work);
  in_halves(middle, last, work);
}

class SlicedProduct {
 public:
  SlicedProduct(const MatrixOutput& c, const PreparedMatrixMask& mask, const MatrixMatrix& call)
      : c_(c),
        mask_(mask),
        call_(call),
        run_{call, mask, c.matrix.by_column},  // C is the largest: it is not to be turned
        by_sort_(!rows_refusal(run_).empty() || settings().force == "mxm_sort"),
        profile_(profile_rows(run_)) {}

  void into(formats::RowSink& sink) {
    uint64_t entries = c_.matrix.nvals();
    in_halves(0, run_.rows(), [&](uint64_t first, uint64_t last) { entries += count(first, last); });
    formats::SparseShape whole;
    whole.type = c_.matrix.type;
    whole.rows = run_.rows();
    whole.columns = run_.columns();
    whole.entries = entries;
    sink.begin(whole, run_.flipped);
    const std::vector<uint64_t> ends = slice_ends();
    uint64_t slices = 0, begin = 0;
    std::future<uint64_t> delivery;  // of the last slice, while the next one is made: bytes copied
    const auto delivered = [&] {
      if (delivery.valid()) trace::current().bytes_down += delivery.get();
    };
    const auto deliver = [&](uint64_t first, uint64_t last) {
      Csr rows = make(first, last);
      delivered();
      delivery = std::async(std::launch::async, [&sink, own = std::move(rows)] {
        sink.append(own);
        return trace::current().bytes_down;  // of a new thread
      });
      ++slices;
    };
    for (const uint64_t end : ends) {
      in_halves(begin, end, deliver);
      begin = end;
    }
    delivered();
    record(slices);
  }

 private:
  /// A range of the product's rows as a product of its own.
  struct Range {
    DeviceMatrix left, mask;
    MatrixMatrix call;
    PreparedMatrixMask prepared;
    MatrixMatrixRun run;
    RowProfile profile;

    Range(const SlicedProduct& whole, uint64_t first, uint64_t last)
        : left(range_of(whole.run_.left_matrix(), whole.run_.left_transposed(), first, last)),
          call(whole.run_.flipped ? MatrixMatrix{whole.call_.semiring, whole.call_.a, left,
                                                 whole.call_.transpose_a, whole.call_.transpose_b}
                                  : MatrixMatrix{whole.call_.semiring, left, whole.call_.b,
                                                 whole.call_.transpose_a, whole.call_.transpose_b}),
          prepared(whole.mask_),
          run{call, prepared, whole.run_.flipped} {
      if (prepared.matrix != nullptr) {
        mask = range_of(*prepared.matrix, run.flipped, first, last);
        prepared.matrix = &mask;
      }
      profile.products = formats::elements_of(whole.profile_.products, first, last, sizeof(uint64_t));
    }
    Range(const Range&) = delete;
  };

  uint64_t count(uint64_t first, uint64_t last) const {
    const Range range(*this, first, last);
    return count_rows(range.run, range.profile, by_sort_);
  }

  /// Rows [first, last) of C.
  Csr make(uint64_t first, uint64_t last) const {
    const Range range(*this, first, last);
    DeviceMatrix c = range_of(c_.matrix, run_.flipped, first, last);
    write_back({c, c_.mask, c_.accumulate, c_.replace}, range.prepared,
               multiply_rows(range.run, range.profile, by_sort_), run_.flipped, /*masked=*/true);
    return c.by_rows(run_.flipped);
  }

  /// Where slices end whose entries, were no two products of one, fill a third of what is free: one is made
  /// while another is delivered.
  std::vector<uint64_t> slice_ends() const {
    const uint64_t rows = run_.rows();
    const bool joins = c_.matrix.nvals() > 0 || !mask_.allows_all;
    size_t entry_bytes = formats::bytes_of(formats::index_width(run_.columns())) + run_.type().size;
    if (joins || by_sort_) entry_bytes = entry_bytes * 3 + 2 * sizeof(uint64_t);
    const uint64_t most = std::max<uint64_t>(usable_bytes() / 3 / entry_bytes, 1);
    const std::vector<uint64_t> products = profile_.products.to_host<uint64_t>(rows);
    std::vector<uint64_t> ends;
    uint64_t total = 0;
    for (uint64_t r = 0; r < rows; ++r) {
      const uint64_t entries = std::min(products[r], run_.columns());
      if (total + entries > most && total > 0) {
        ends.push_back(r);
        total = 0;
      }
      total += entries;
    }
    ends.push_back(rows);
    return ends;
  }

  void record(uint64_t slices) const {
    selector::Decision decision;
    decision.operation = "mxm " + call_.semiring.name;
    decision.chosen.kernel = by_sort_ ? "mxm_sort" : "mxm_rows";
    decision.chosen.format = "csr";
    decision.chosen.reason = "the result does not fit the device: it went to the host in " +
                             std::to_string(slices) + (slices == 1 ? " slice" : " slices");
    decision.candidates = {decision.chosen};
    selector::record(decision);
  }

  const MatrixOutput& c_;
  const PreparedMatrixMask& mask_;
  const MatrixMatrix& call_;
  MatrixMatrixRun run_;
  bool by_sort_;
  RowProfile profile_;
};

}  // namespace

void mxm_in_slices(const MatrixOutput& c, const MatrixMatrix& call, formats::RowSink& sink) {
  check_types(c, call.semiring.add.type());
  check_factors(call);
  const PreparedMatrixMask mask = prepare_mask(c.mask);
  SlicedProduct(c, mask, call).into(sink);
}

}  // namespace cugrb::operations
