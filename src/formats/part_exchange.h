// PartExchange: what each part of a matrix needs of a vector that lies in the same parts.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "src/formats/host_stream.h"
#include "src/formats/row_parts.h"

namespace cugrb::formats {

/// What each part gets of the others. For a square matrix whose rows are all dealt. The vector u of a product
/// lies on the devices as the rows do; part q multiplies with u at its columns. So it gets of each part p
/// those of p's entries between the first and the last at which q has a column, or only those at which it has
/// one where these are less than half. It puts each at its place among its own columns. Rows with entries
/// come first in a part: of a symmetric pattern nothing is sent that nobody reads. Of a band whose parts are
/// one block each hardly anything is sent.
struct ExchangePlan {
  /// The receiver's columns of entries that are sent.
  struct Places {
    runtime::Buffer list;  ///< all ones: it has no such column; null: they follow each other
    uint64_t first = 0;    ///< of these
  };
  /// What one part gives another.
  struct Sent {
    Range entries;           ///< of the sender
    runtime::Buffer picked;  ///< numbers of those of the sender's entries, on its device; null: all of them
    uint64_t count = 0;
  };
  struct Receiver {
    runtime::Device* device = nullptr;
    uint64_t columns = 0;            ///< of its matrix
    std::vector<Sent> sent;          ///< by sender
    Places places;                   ///< of all that comes from other devices, sender by sender
    std::vector<Places> own_places;  ///< by sender, of parts on the same device
    uint64_t coming = 0;             ///< entries that come from other devices
    /// The one sender on the same device, where all that it has is a run of the receiver's columns, with so
    /// many others before and behind; null: several, or the columns lie apart.
    struct Run {
      size_t sender = 0;
      EntriesAround others;
    };
    std::optional<Run> run;
  };
  std::vector<Receiver> to;
  Width column_width = Width::bits32;

  /// Something goes from the device of part p to that of part q.
  bool comes(size_t q, size_t p) const { return to[q].device != to[p].device && to[q].sent[p].count > 0; }
};

/// bytes(): 4 or 8 bytes for each entry that a device gets, and as many for those that are picked.
class PartExchange {
 public:
  /// The same orientation of the matrix as its RowParts::Key{true}.
  struct Key {
    using Made = PartExchange;
    bool operator==(const Key&) const = default;
  };
  std::shared_ptr<const ExchangePlan> plan;

  size_t bytes() const;
  uint64_t entries_between() const;  ///< that go from one device to another in a product
  bool is_around_own() const;        ///< each receiver has a run of own entries
};

/// A few launches for each pair of parts. Waits for the device. Throws runtime::OutOfMemory.
PartExchange make_exchange(const RowParts& matrix);

/// One vector's exchange. It begins when it is made, beside what the devices do next, and ends with finish(),
/// or with the object. Until then it keeps the vector's content.
class StartedExchange {
 public:
  /// `ahead`: other calls come before the product. Then all of it is done beside them; else each device puts
  /// its own entries in place while it waits for the others'. Throws runtime::OutOfMemory and
  /// jit::NotCompiled.
  StartedExchange(const DeviceVector& u, std::shared_ptr<const ExchangePlan> plan, bool ahead);
  ~StartedExchange();
  StartedExchange(const StartedExchange&) = delete;
  StartedExchange& operator=(const StartedExchange&) = delete;

  const std::shared_ptr<const ExchangePlan>& plan() const { return plan_; }
  /// u at each part's columns, on its device: the vector's own parts and what others send. All devices have
  /// sent and got when what is queued on them next begins.
  std::vector<DeviceVector> finish();

 private:
  runtime::Device& device(size_t p) const { return *plan_->to[p].device; }
  const runtime::Kernel* picking_kernel() const;
  void make_room(size_t q);
  void pick_all();
  void pick(size_t q, size_t p);
  void meet() const;
  void begin(size_t q) const;
  void fetch_all(size_t q) const;
  void land();
  void abandon() noexcept;
  void place(size_t q, const DeviceVector& from, const Range& entries,
             const ExchangePlan::Places& places) const;
  void place_own(size_t q) const;
  std::optional<runtime::Buffer> around_own(size_t q) const;

  const std::shared_ptr<const ExchangePlan> plan_;
  const Type type_;
  const Form form_;
  const bool ahead_;
  const runtime::Kernel& arrive_;
  const runtime::Kernel* const pick_;              // null: nothing is picked
  const std::vector<DeviceVector> sent_;           // by sender
  std::vector<std::vector<DeviceVector>> picked_;  // by receiver and sender; none where nothing is picked
  std::vector<DeviceVector> own_;                  // by receiver
  std::vector<bool> is_in_place_;                  // by receiver: around the sender's entries
  std::vector<DeviceVector> landed_;               // by receiver: what comes from other devices
  bool is_under_way_ = false;
};

/// An exchange that nobody has asked for yet. Whoever asks first gets it. Thread-safe.
class EarlyExchange {
 public:
  explicit EarlyExchange(std::unique_ptr<StartedExchange> started) : started_(std::move(started)) {}
  /// Null where it has another plan, or is gone.
  std::unique_ptr<StartedExchange> take(const std::shared_ptr<const ExchangePlan>& plan);

 private:
  std::mutex mutex_;
  std::unique_ptr<StartedExchange> started_;
};

/// from_parts() of what a call has written, with its turn in the split's rhythm. `what` it is: LoopRhythm.
DeviceVector written_in_parts(const Type& type, VectorParts parts, uint64_t what);
/// Begins the exchange of what a call has written, where the rhythm tells that a product will gather it.
/// Throws runtime::OutOfMemory and jit::NotCompiled, and the vector is as it was.
void start_early(DeviceVector& written);

/// What StartedExchange::finish() gives, of an exchange that began early or begins now.
std::vector<DeviceVector> exchanged(const DeviceVector& u, const PartExchange& exchange);

}  // namespace cugrb::formats
