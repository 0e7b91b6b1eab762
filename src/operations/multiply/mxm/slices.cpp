// A product whose operands or result do not fit the device: slices of T's rows, each a sum of products of
// blocks, each through the one write-back, then to the host.
#include <algorithm>
#include <future>
#include <memory>

#include "src/memory/policy.h"
#include "src/operations/factor_feed.h"
#include "src/operations/iso_product.h"
#include "src/operations/matrix_compact.h"
#include "src/operations/matrix_write_back.h"
#include "src/operations/multiply/mxm/plan.h"
#include "src/operations/multiply/mxm/rows/rows.h"
#include "src/operations/multiply/registry.h"
#include "src/selector/decision.h"
#include "src/support/declined.h"
#include "src/support/trace.h"

namespace cugrb::operations {

using formats::Csr;
using formats::entry_bytes;
using formats::MatrixSource;
using formats::Range;

namespace {

constexpr uint64_t rows_limit = uint64_t(1) << 31;  // as for matrices on the device
/// What of a matrix needs no arrays.
DeviceMatrix shell_of(const MatrixSource& source) {
  DeviceMatrix shell;
  shell.type = source.type();
  shell.rows = source.rows();
  shell.columns = source.columns();
  shell.stored.entries = source.entries();
  return shell;
}

class SlicedProduct {
 public:
  SlicedProduct(const HostOutput& c, const HostMatrixMatrix& call)
      : c_(c),
        call_(call),
        a_(shell_of(call.a)),
        b_(shell_of(call.b)),
        mask_shell_(c.mask.object != nullptr ? shell_of(*c.mask.object) : DeviceMatrix()),
        shapes_{call.semiring, a_, b_, call.transpose_a, call.transpose_b},
        mask_(prepare_mask(
            {c.mask.object != nullptr ? &mask_shell_ : nullptr, c.mask.structural, c.mask.complement})),
        run_{shapes_, mask_, c.object.by_column},  // C is the largest: it is not to be turned
        left_(run_.flipped ? call.b : call.a),
        right_(run_.flipped ? call.a : call.b),
        by_sort_(!rows_refusal(run_).empty() || forced_kernel() == &mxm_sort),
        inner_(run_.left_transposed() ? left_.rows() : left_.columns()),
        feed_(left_, run_.left_transposed(), right_, run_.right_transposed(), run_.columns()) {
    if (run_.rows() >= rows_limit || inner_ >= rows_limit)
      throw Declined("a product of 2^31 rows or more in slices");
  }

  void into(formats::RowSink& sink) {
    plan_ = plan();
    formats::SparseShape whole;
    whole.type = c_.object.type;
    whole.rows = run_.rows();
    whole.columns = run_.columns();
    whole.entries = plan_.entries + (c_.object.old != nullptr ? c_.object.old->entries() : 0);
    sink.begin(whole, run_.flipped);
    uint64_t slices = 0, begin = 0;
    for (const uint64_t end : plan_.row_ends) {
      in_halves({begin, end}, [&](Range rows) {
        Csr made = make(rows);
        delivered();
        delivery_ = std::async(std::launch::async, [&sink, own = std::move(made)] {
          sink.append(own);
          return trace::current().bytes_down;  // of a new thread
        });
        ++slices;
      });
      begin = end;
    }
    delivered();
    trace::current().bytes_up += feed_.bytes_ahead();
    record(slices);
  }

 private:
  bool has_terms() const { return !mask_.allows_none && call_.a.entries() > 0 && call_.b.entries() > 0; }

  ProductPlan plan() const {
    const bool left_transposed = run_.left_transposed(), right_transposed = run_.right_transposed();
    ProductSizes sizes;
    sizes.right_lengths = right_.row_weights(right_transposed, nullptr);
    sizes.left_lengths = left_.row_weights(left_transposed, nullptr);
    sizes.products = has_terms() ? left_.row_weights(left_transposed, &sizes.right_lengths)
                                 : std::vector<uint64_t>(run_.rows(), 0);
    sizes.columns = run_.columns();
    sizes.left_bytes = 2 * entry_bytes(left_, left_transposed);  // the next slice's part, too
    sizes.right_bytes = entry_bytes(right_, right_transposed);
    const size_t column_bytes = formats::bytes_of(formats::index_width(sizes.columns));
    sizes.result_bytes = column_bytes + std::max(run_.type().size, c_.object.type.size);
    sizes.joins = c_.object.old != nullptr && c_.object.old->entries() > 0;
    if (by_sort_) sizes.result_bytes *= 3;  // pieces beside T
    if (mask_.matrix != nullptr) {
      sizes.mask_bytes = entry_bytes(*c_.mask.object, run_.flipped);
      std::vector<uint64_t>& lengths = mask_.complement ? sizes.other_lengths : sizes.mask_lengths;
      lengths = c_.mask.object->row_weights(run_.flipped, nullptr);
      if (mask_.complement) sizes.other_bytes = sizes.mask_bytes;
    }
    if (sizes.joins) {
      const std::vector<uint64_t> old = c_.object.old->row_weights(run_.flipped, nullptr);
      sizes.other_lengths.resize(old.size(), 0);
      for (uint64_t r = 0; r < old.size(); ++r) sizes.other_lengths[r] += old[r];
      // Of C's entries those that stay are once more in the result.
      sizes.other_bytes += entry_bytes(*c_.object.old, run_.flipped) + sizes.result_bytes + sizeof(uint64_t);
    }
    return plan_product(sizes, usable_bytes());
  }

  /// Calls work(range), in halves where memory does not suffice.
  template <class Work>
  void in_halves(Range range, const Work& work) {
    memory::in_halves(range, work, [this] { return relieve(); });
  }
  /// Gives back what is only held for speed.
  bool relieve() {
    const bool waiting = delivery_.valid(), ahead = feed_.stop();
    delivered();
    return waiting || ahead;
  }
  /// A slice that cannot be delivered is lost: no smaller one would do in its place.
  void delivered() {
    if (!delivery_.valid()) return;
    const auto missing = memory::shortage([&] { trace::current().bytes_down += delivery_.get(); });
    if (missing) throw runtime::DeviceFailure(*missing);
  }

  /// These rows of C.
  Csr make(Range rows) {
    const Range columns{0, run_.columns()};
    DeviceMatrix mask_rows;
    PreparedMatrixMask mask = mask_;
    bool allows_none = mask.allows_none;
    if (mask.matrix != nullptr) {
      mask_rows = matrix_by(c_.mask.object->by_rows(run_.flipped, rows, columns), run_.flipped);
      mask.matrix = &mask_rows;
      allows_none = !mask.complement && mask_rows.nvals() == 0;
    }
    DeviceMatrix c =
        matrix_by(c_.object.old != nullptr ? c_.object.old->by_rows(run_.flipped, rows, columns)
                                           : empty_csr(c_.object.type, rows.length(), columns.last),
                  run_.flipped);
    Csr t = has_terms() && !allows_none ? product(rows, mask)
                                        : empty_csr(run_.type(), rows.length(), columns.last);
    write_back({c, {}, c_.accumulate, c_.replace}, mask, std::move(t), run_.flipped, /*masked=*/true);
    return c.by_rows(run_.flipped);
  }

  /// These rows of T: the sum over the blocks.
  Csr product(Range rows, const PreparedMatrixMask& mask) {
    DeviceMatrix sum = matrix_by(empty_csr(run_.type(), rows.length(), run_.columns()), run_.flipped);
    uint64_t begin = 0;
    for (const uint64_t end : plan_.inner_ends) {
      in_halves({begin, end}, [&](Range inner) { add_product(sum, {rows, inner}, mask); });
      begin = end;
    }
    return sum.stored;
  }

  void add_product(DeviceMatrix& sum, const FactorParts& parts, const PreparedMatrixMask& mask) {
    Factors factors = feed_.take(parts);
    if (factors.left.entries == 0) return;
    if (const auto next = following(parts)) feed_.bring_ahead(*next);
    const DeviceMatrix left = matrix_by(std::move(factors.left), run_.left_transposed());
    const DeviceMatrix right = matrix_by(std::move(factors.right), run_.right_transposed());
    const DeviceMatrix &a = run_.flipped ? right : left, &b = run_.flipped ? left : right;
    const auto value = one_product(call_.semiring, factor_of(a), factor_of(b), parts.inner.length());
    const MatrixMatrix call{value ? pattern_semiring() : call_.semiring, a, b, call_.transpose_a,
                            call_.transpose_b};
    const MatrixMatrixRun run{call, mask, run_.flipped};
    // In ascending order: the monoid need be no more than associative.
    RowProfile profile = profile_rows(run);
    Csr terms = multiply_rows(run, profile, by_sort_);
    if (value) terms = with_values(terms, run_.type(), *value, /*iso=*/true);
    add_up(sum, call_.semiring.add.op, std::move(terms));
  }

  /// What the plan has after these parts, if they are its own.
  std::optional<FactorParts> following(const FactorParts& parts) const {
    const auto part_after = [](const std::vector<uint64_t>& ends, uint64_t begin) -> std::optional<Range> {
      const auto end = std::upper_bound(ends.begin(), ends.end(), begin);
      if (end == ends.end()) return std::nullopt;
      return Range{begin, *end};
    };
    if (const auto inner = part_after(plan_.inner_ends, parts.inner.last)) return {{parts.rows, *inner}};
    const auto rows = part_after(plan_.row_ends, parts.rows.last);
    if (!rows) return std::nullopt;
    return {{*rows, {0, plan_.inner_ends.front()}}};
  }

  void record(uint64_t slices) const {
    const auto counted = [](uint64_t count, const char* what) {
      return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
    };
    selector::Decision decision;
    decision.operation = "mxm " + call_.semiring.name;
    decision.chosen.kernel = by_sort_ ? &mxm_sort : &mxm_rows;
    decision.chosen.format = "csr";
    decision.chosen.reason = "the product does not fit the device: it went to the host in " +
                             counted(slices, "slice") + ", the right factor came in " +
                             counted(plan_.inner_ends.size(), "block");
    decision.candidates = {decision.chosen};
    selector::record(decision);
  }

  const HostOutput& c_;
  const HostMatrixMatrix& call_;
  const DeviceMatrix a_, b_, mask_shell_;  // shapes
  const MatrixMatrix shapes_;
  const PreparedMatrixMask mask_;
  const MatrixMatrixRun run_;  // of the whole product: names and orientation
  const MatrixSource &left_, &right_;
  const bool by_sort_;
  const uint64_t inner_;
  ProductPlan plan_;
  FactorFeed feed_;
  std::future<uint64_t> delivery_;  // of the last slice, while the next one is made: bytes copied
};

}  // namespace

void mxm_in_slices(const HostOutput& c, const HostMatrixMatrix& call, formats::RowSink& sink) {
  check_types(c.object.type, c.accumulate, call.semiring.add.type());
  const DeviceMatrix a = shell_of(call.a), b = shell_of(call.b);
  check_factors({call.semiring, a, b, call.transpose_a, call.transpose_b});
  SlicedProduct(c, call).into(sink);
}

}  // namespace cugrb::operations
