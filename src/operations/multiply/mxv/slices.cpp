#include "src/operations/multiply/mxv/slices.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <mutex>

#include "cuda/views/row_parts.h"
#include "src/formats/element_kernels.h"
#include "src/memory/policy.h"
#include "src/operations/in_parts.h"
#include "src/operations/multiply/mxm/rows/rows.h"
#include "src/operations/multiply/mxv/parts/parts.h"
#include "src/support/declined.h"
#include "src/support/number_text.h"
#include "src/support/stopwatch.h"
#include "src/support/trace.h"

namespace cugrb::operations {

using formats::Csr;
using formats::MatrixSource;
using formats::Range;
using runtime::Buffer;
using runtime::Device;

namespace {

/// What a slice may take of its device's free memory: it, the next one on its way, and what a product makes.
constexpr uint64_t shares_of_free = 8;

bool asks_for_row(const HostMatrixVector& call) {
  const Positional by = call.semiring.multiply.positional;
  return by == Positional::FirstI || by == Positional::FirstI1 || by == Positional::SecondJ ||
         by == Positional::SecondJ1;
}

/// Rows that nobody has taken yet.
class RowsLeft {
 public:
  RowsLeft(std::vector<uint64_t> lengths, size_t entry_bytes)
      : lengths_(std::move(lengths)), entry_bytes_(entry_bytes) {}

  /// The next ones that take so many bytes, one at least; no rows: all are taken, or it was stopped.
  Range take(size_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    Range range{next_, next_};
    size_t taken = 0;
    while (next_ < lengths_.size()) {
      const size_t row = lengths_[next_] * entry_bytes_ + sizeof(uint64_t);
      if (taken > 0 && taken + row > bytes) break;
      taken += row;
      range.last = ++next_;
    }
    if (range.length() > 0) ++slices_;
    return range;
  }
  void stop() {
    const std::lock_guard<std::mutex> lock(mutex_);
    next_ = lengths_.size();
  }
  uint64_t slices() const { return slices_; }
  uint64_t rows() const { return lengths_.size(); }

 private:
  const std::vector<uint64_t> lengths_;
  const size_t entry_bytes_;
  std::mutex mutex_;
  uint64_t next_ = 0, slices_ = 0;
};

/// T, of which every device fills in its slices: a bitmap at home, empty at first.
DeviceVector empty_bitmap(const Type& type, uint64_t length) {
  formats::require_room(length, type.size);
  DeviceVector t;
  t.type = type;
  t.length = length;
  t.form = Form::bitmap;
  t.values = Buffer((length * type.size + 3) / 4 * 4);
  t.present = Buffer::zeroed(length);
  t.forget_nvals();
  return t;
}

/// Whether T may have an entry, for all of its rows.
DeviceVector allowed_rows(const PreparedMask& mask, uint64_t rows) {
  DeviceVector allowed;
  allowed.type = Type::of(TypeCode::Bool);
  allowed.length = rows;
  allowed.form = Form::full;
  allowed.values = Buffer(rows);
  RowPartGatherArguments arguments;
  arguments.count = rows;
  arguments.mask = mask.view;
  arguments.out_present = allowed.values.as<uint8_t>();
  formats::launch_per_element("row_parts.h", "row_part_allowed<" + mask.name() + ", uint32_t, false>", rows,
                              arguments);
  return allowed;
}

class SlicedProduct {
 public:
  SlicedProduct(const HostMatrixVector& call, const PreparedMask& mask)
      : call_(call),
        home_(runtime::device()),
        left_(call.matrix.row_weights(call.transpose_matrix, nullptr),
              formats::entry_bytes(call.matrix, call.transpose_matrix)),
        t_(empty_bitmap(call.semiring.add.type(), left_.rows())) {
    if (!mask.allows_all) allowed_ = allowed_rows(mask, left_.rows());
    for (Device* const device : call.devices) device->follow(home_);
  }
  ~SlicedProduct() {
    try {
      for (Device* const device : call_.devices) home_.follow(*device);
    } catch (const runtime::DeviceFailure&) {
      // The device is lost, and its memory with it.
    }
  }
  SlicedProduct(const SlicedProduct&) = delete;
  SlicedProduct& operator=(const SlicedProduct&) = delete;

  DeviceVector compute() {
    std::vector<std::future<void>> workers;
    for (Device* const device : call_.devices.subspan(1))
      workers.push_back(std::async(std::launch::async, [this, device] {
        work_or_stop(*device);
        elsewhere_ += trace::current().bytes_up;
      }));
    work_or_stop(home_);
    for (std::future<void>& worker : workers) worker.get();
    for (Device* const device : call_.devices) home_.follow(*device);
    trace::current().bytes_up += elsewhere_;
    return t_;
  }
  uint64_t slices() const { return left_.slices(); }
  uint64_t bytes() const { return bytes_; }

 private:
  /// The others need not begin what cannot be completed.
  void work_or_stop(Device& device) try {
    const runtime::OnDevice there(device);
    const DeviceVector u = formats::vector_on(device, home_, call_.vector);
    Range rows = left_.take(budget());
    std::future<Csr> ahead;
    while (rows.length() > 0) {
      Csr slice;
      const auto missing = memory::shortage([&] { slice = ahead.valid() ? ahead.get() : load(rows); });
      const Range next = left_.take(budget());
      if (next.length() > 0)
        ahead = std::async(std::launch::async, [this, next, &device] {
          const runtime::OnDevice same(device);
          Csr loaded = load(next);
          elsewhere_ += trace::current().bytes_up;  // of a new thread
          return loaded;
        });
      if (missing || memory::shortage([&] { multiply(rows, slice, u); })) {
        slice = Csr();
        ahead = {};  // once more, without the next one beside it
        memory::in_halves(
            rows, [&](const Range& part) { multiply(part, load(part), u); }, [] { return false; });
      }
      rows = next;
    }
    device.synchronize();  // what it wrote of T is there when its memory goes
  } catch (...) {
    left_.stop();
    throw;
  }

  static size_t budget() { return usable_bytes() / shares_of_free; }

  Csr load(const Range& rows) {
    const Range all{0, call_.vector.length};
    Csr slice = call_.matrix.by_rows(call_.transpose_matrix, rows, all);
    bytes_ += slice.bytes();
    return slice;
  }

  /// Those of the whole that belong to these rows, on the device.
  std::optional<DeviceVector> allowed_in(const Range& rows) const {
    if (!allowed_) return std::nullopt;
    DeviceVector own = *allowed_;
    own.length = rows.length();
    own.values = Buffer(own.length);
    copy_between(runtime::device(), own.values.data(), home_, allowed_->values.as<char>() + rows.first,
                 own.length);
    return own;
  }

  /// Queued on the device that the thread works on, one of the two.
  static void copy_between(Device& to_device, void* to, Device& from_device, const void* from, size_t bytes) {
    if (&to_device == &from_device) return to_device.copy_on_device(to, from, bytes);
    if (&to_device == &runtime::device()) return to_device.copy_from_peer(to, from_device, from, bytes);
    from_device.copy_to_peer(to_device, to, from, bytes);
  }

  void multiply(const Range& rows, const Csr& slice, const DeviceVector& u) {
    if (slice.entries == 0) return;
    const DeviceMatrix matrix = matrix_by(slice, /*by_column=*/false);
    const auto allowed = allowed_in(rows);
    const VectorMask mask{allowed ? &*allowed : nullptr, false, false};
    const DeviceVector t = formats::to_bitmap(
        product_of_part({call_.semiring, matrix, u, false, call_.vector_first}, mask, call_.vector.nvals()));
    Device& here = runtime::device();
    const size_t size = t.type.size;
    copy_between(home_, t_.values.as<char>() + rows.first * size, here, t.values.data(), t.length * size);
    copy_between(home_, t_.present.as<char>() + rows.first, here, t.present.data(), t.length);
  }

  const HostMatrixVector& call_;
  Device& home_;
  RowsLeft left_;
  const DeviceVector t_;
  std::optional<DeviceVector> allowed_;
  std::atomic<uint64_t> bytes_ = 0;      ///< of slices
  std::atomic<uint64_t> elsewhere_ = 0;  ///< copied up by other threads
};

}  // namespace

void mxv_in_slices(const VectorOutput& w, const HostMatrixVector& call) {
  if (asks_for_row(call)) throw Declined("the operator asks for the row, and the matrix comes in slices");
  if (w.mask.object != nullptr && w.mask.object->parts != nullptr)
    return with_whole_mask(w, [&](const VectorOutput& masked) { mxv_in_slices(masked, call); });
  const PreparedMask mask = prepare_mask(w.mask);
  DeviceVector t = DeviceVector::empty(call.semiring.add.type(), w.object.length);
  if (!mask.allows_none && call.matrix.entries() > 0 && call.vector.nvals() > 0) {
    const Stopwatch watch;
    SlicedProduct product(call, mask);
    t = product.compute();
    const double seconds = watch.seconds();
    trace::add_lasting_reason("the matrix does not fit the device: " + std::to_string(product.slices()) +
                              " slices of it came from the host to " + std::to_string(call.devices.size()) +
                              " devices, " + general_text(double(product.bytes()) / 1e9, 3) + " GB at " +
                              general_text(double(product.bytes()) / 1e9 / seconds, 3) + " GB/s");
  }
  write_back(w, std::move(t), /*masked=*/true);
}

}  // namespace cugrb::operations
