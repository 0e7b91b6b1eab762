#include "src/formats/vector_parts.h"

#include <algorithm>
#include <mutex>
#include <optional>

#include "cuda/views/row_parts.h"
#include "src/formats/constants.h"
#include "src/formats/element_kernels.h"
#include "src/formats/host_copy.h"
#include "src/support/trace.h"

namespace cugrb::formats {

using runtime::Buffer;
using runtime::Device;
using runtime::OnDevice;

namespace {

std::string moving(const char* stem, const Type& type, bool moves_values, const Split& split) {
  return stem + ("<" + (moves_values ? element_of_bytes(type.size) : "void")) + ", " +
         index_type(split.width) + ">";
}

/// The part's entries of a whole vector that is a bitmap, full, iso or without entries, at home.
DeviceVector gathered(const DeviceVector& whole, const Split& split, const Split::Part& part) {
  if (whole.form == Form::sparse) return DeviceVector::empty(whole.type, part.count);
  DeviceVector own = whole;
  own.length = part.count;
  RowPartGatherArguments arguments;
  arguments.list = part.positions.data();
  arguments.count = part.count;
  if (!whole.iso) {
    own.values = Buffer(part.count * whole.type.size);
    arguments.values = whole.values.data();
    arguments.out_values = own.values.data();
  }
  if (whole.form == Form::bitmap) {
    own.present = Buffer(part.count);
    own.forget_nvals();
    arguments.present = whole.present.as<uint8_t>();
    arguments.out_present = own.present.as<uint8_t>();
  }
  if (!whole.iso || whole.form == Form::bitmap)
    launch_per_element("row_parts.h", moving("row_part_gather", whole.type, !whole.iso, split), part.count,
                       arguments);
  return own;
}

/// The part made on its device, where that takes nothing of home's: it has no entries, or one value that the
/// host knows. Devices that wait for each other at each such operand would work one after the other.
std::optional<DeviceVector> made_there(const DeviceVector& part, Device& target) {
  if (part.values.bytes() + part.present.bytes() + part.indices.bytes() == 0) return part;
  if (!part.iso || part.form != Form::full) return std::nullopt;
  const auto bytes = constant_bytes(part.values, part.type.size);
  if (!bytes) return std::nullopt;
  const OnDevice there(target);
  return DeviceVector::full_of(part.type, part.length, bytes->data());
}

/// Queued on the part's device, and waited for by home, whose memory it reads.
DeviceVector sent(const DeviceVector& part, Device& target, Device& home) {
  target.follow(home);
  const OnDevice there(target);
  DeviceVector arrived = vector_on(target, home, part);
  home.follow(target);
  return arrived;
}

/// T(positions(n)) = from(n), at home.
void put_in_place(const DeviceVector& from, const Split& split, const Split::Part& part,
                  const DeviceVector& whole) {
  RowPartScatterArguments arguments;
  arguments.list = part.positions.data();
  arguments.count = part.count;
  arguments.values = from.values.data();
  arguments.present = from.present.as<uint8_t>();
  arguments.out_values = whole.values.data();
  arguments.out_present = whole.present.as<uint8_t>();
  launch_per_element("row_parts.h", moving("row_part_scatter", whole.type, true, split), part.count,
                     arguments);
}

/// Room at home for what another device has.
DeviceVector arrival_of(const DeviceVector& part) {
  DeviceVector own = part;
  own.values = Buffer(part.values.bytes());
  own.present = Buffer(part.present.bytes());
  return own;
}

/// Queued on the part's device.
void send_home(const DeviceVector& part, Device& device, Device& home, const DeviceVector& to) {
  device.follow(home);
  device.copy_to_peer(home, to.values.data(), part.values.data(), part.values.bytes());
  device.copy_to_peer(home, to.present.data(), part.present.data(), part.present.bytes());
}

}  // namespace

size_t Split::bytes() const {
  size_t sum = 0;
  for (const Part& part : parts) sum += part.positions.bytes();
  return sum;
}

void Split::note_around(size_t part, const EntriesAround& around) const {
  const std::lock_guard lock(around_mutex_);
  around_.resize(parts.size());
  around_[part] = {std::max(around_[part].before, around.before),
                   std::max(around_[part].behind, around.behind)};
}

runtime::Room Split::room_of(size_t part, size_t value_bytes) const {
  const std::lock_guard lock(around_mutex_);
  if (around_.empty()) return {};
  return {around_[part].before * value_bytes, around_[part].behind * value_bytes};
}

namespace {

/// Splits in which results were left, the latest last. Thread-safe.
class BusySplits {
 public:
  static BusySplits& all() {
    static auto* const instance = new BusySplits;
    return *instance;
  }
  void add(const std::shared_ptr<const Split>& split) {
    constexpr size_t most = 8;
    const std::lock_guard lock(mutex_);
    std::erase_if(splits_, [](const auto& known) { return known.expired(); });
    if (splits_.size() == most) splits_.erase(splits_.begin());
    splits_.push_back(split);
    are_some_ = true;
  }
  std::shared_ptr<const Split> find(uint64_t length) {
    if (!are_some_) return nullptr;
    const std::lock_guard lock(mutex_);
    for (auto known = splits_.rbegin(); known != splits_.rend(); ++known) {
      auto split = known->lock();
      if (split != nullptr && split->length == length && split->is_busy()) return split;
    }
    return nullptr;
  }

 private:
  std::atomic<bool> are_some_{false};  ///< programs on one device ask for nothing
  std::mutex mutex_;
  std::vector<std::weak_ptr<const Split>> splits_;
};

}  // namespace

void note_left(const std::shared_ptr<const Split>& split) {
  split->note_left();
  if (split->results_left() == 1) BusySplits::all().add(split);
}

std::shared_ptr<const Split> busy_split(uint64_t length) { return BusySplits::all().find(length); }

size_t VectorParts::bytes() const {
  size_t sum = 0;
  for (const DeviceVector& part : of) sum += part.bytes();
  return sum;
}

bool VectorParts::counted() const {
  return std::all_of(of.begin(), of.end(), [](const DeviceVector& part) { return part.nvals_known(); });
}

uint64_t VectorParts::nvals() const {
  uint64_t sum = 0;
  for (size_t p = 0; p < of.size(); ++p) {
    const OnDevice there(*split->parts[p].device);
    sum += of[p].nvals();
  }
  return sum;
}

DeviceVector from_parts(const Type& type, VectorParts parts) {
  const Split& split = *parts.split;
  const bool full = std::all_of(parts.of.begin(), parts.of.end(), [](const DeviceVector& part) {
    return part.form == Form::full || part.length == 0;
  });
  for (size_t p = 0; p < parts.of.size(); ++p) {
    DeviceVector& part = parts.of[p];
    const OnDevice there(*split.parts[p].device);
    if (part.length == 0) {
      part.form = Form::full;
      part.iso = false;
    }
    if (!full) part = to_bitmap(part);
    part = expand_iso(part);
  }
  DeviceVector whole = DeviceVector::empty(type, split.length);
  whole.form = full ? Form::full : Form::bitmap;
  whole.parts = std::make_shared<const VectorParts>(std::move(parts));
  whole.forget_nvals();
  return whole;
}

VectorParts parts_by(const DeviceVector& vector, const std::shared_ptr<const Split>& split) {
  if (vector.parts != nullptr && vector.parts->split == split) return *vector.parts;
  Device& home = *split->home;
  const OnDevice at_home(home);
  DeviceVector whole = collected(vector);
  if (whole.form == Form::sparse && !whole.known_empty()) whole = to_bitmap(whole);
  VectorParts made{split, {}};
  for (const Split::Part& part : split->parts) made.of.push_back(gathered(whole, *split, part));
  for (size_t p = 0; p < made.of.size(); ++p) {
    Device& device = *split->parts[p].device;
    if (&device == &home) continue;
    const std::optional<DeviceVector> alone = made_there(made.of[p], device);
    made.of[p] = alone ? *alone : sent(made.of[p], device, home);
  }
  return made;
}

DeviceVector in_parts(const DeviceVector& vector, const std::shared_ptr<const Split>& split) {
  if (vector.parts != nullptr && vector.parts->split == split) return vector;
  return from_parts(vector.type, parts_by(vector, split));
}

DeviceVector collected(const DeviceVector& vector) {
  if (vector.parts == nullptr) return vector;
  const Split& split = *vector.parts->split;
  Device& home = *split.home;
  const OnDevice at_home(home);
  DeviceVector whole = vector;
  whole.parts = nullptr;
  whole.values = Buffer(vector.length * vector.type.size);
  if (vector.form == Form::bitmap) whole.present = Buffer(vector.length);
  // What others write is allocated before they follow home.
  std::vector<DeviceVector> arrived = vector.parts->of;
  for (size_t p = 0; p < arrived.size(); ++p) {
    if (split.parts[p].device != &home) arrived[p] = arrival_of(arrived[p]);
  }
  for (size_t p = 0; p < arrived.size(); ++p) {
    Device& device = *split.parts[p].device;
    if (&device != &home) send_home(vector.parts->of[p], device, home, arrived[p]);
  }
  for (size_t p = 0; p < arrived.size(); ++p) {
    home.follow(*split.parts[p].device);  // nothing, for home
    put_in_place(arrived[p], split, split.parts[p], whole);
  }
  if (vector.nvals_known()) whole.set_nvals(vector.nvals());
  split.note_collected();
  if (trace::enabled())
    trace::add_reason("a vector of " + std::to_string(vector.length) + " positions was collected from " +
                      std::to_string(arrived.size()) + " devices");
  return whole;
}

DeviceVector vector_on(Device& target, Device& source, DeviceVector vector) {
  if (&target == &source) return vector;
  for (Buffer* const buffer : {&vector.values, &vector.present, &vector.indices}) {
    if (buffer->bytes() == 0) continue;
    const Buffer there(buffer->bytes(), target);
    target.copy_from_peer(there.data(), source, buffer->data(), buffer->bytes());
    *buffer = there;
  }
  return vector;
}

std::string check(const Split& split) {
  std::vector<uint8_t> seen(split.length);
  uint64_t positions = 0;
  for (const Split::Part& part : split.parts) {
    for (const uint64_t i : widened(part.positions, split.width, part.count)) {
      if (i >= split.length || seen[i]++ > 0) return "position " + std::to_string(i) + " is wrong or taken";
    }
    positions += part.count;
  }
  return positions == split.length ? ""
                                   : std::to_string(split.length - positions) + " positions are in no part";
}

}  // namespace cugrb::formats
