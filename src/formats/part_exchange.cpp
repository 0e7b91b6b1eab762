#include "src/formats/part_exchange.h"

#include "cuda/views/row_parts.h"
#include "src/formats/element_kernels.h"
#include "src/formats/host_copy.h"

namespace cugrb::formats {

using runtime::Buffer;
using runtime::Device;
using runtime::OnDevice;

namespace {

constexpr char header[] = "row_parts.h";

/// Making the exchange of one matrix: everything lies at home until it goes to its device.
class Maker {
 public:
  explicit Maker(const RowParts& matrix)
      : matrix_(matrix),
        split_(*matrix.split),
        column_(index_type(matrix.column_width)),
        element_(element_of_bytes(bytes_of(matrix.column_width))) {}

  std::vector<ExchangePlan::Arrival> arrivals(const RowPart& receiver) const {
    const OnDevice at_home(*split_.home);
    const Buffer columns = columns_of(receiver);
    std::vector<ExchangePlan::Arrival> made;
    for (const Split::Part& sender : split_.parts) made.push_back(arrival(columns, sender, *receiver.device));
    return made;
  }

 private:
  /// Of each position of the whole: the receiver's column, or all ones.
  Buffer columns_of(const RowPart& receiver) const {
    const Buffer columns = Buffer::filled(split_.length * bytes_of(matrix_.column_width), 0xFF);
    if (receiver.with_entries == 0) return columns;
    if (receiver.columns) {
      RowPartColumnsArguments arguments;
      arguments.list = receiver.columns.data();
      arguments.count = receiver.matrix.columns;
      arguments.places = columns.data();
      launch_per_element(header, "row_part_places<" + column_ + ">", arguments.count, arguments);
    } else if (receiver.device == split_.home) {
      own_columns(receiver.matrix.stored, columns);
    } else {
      RowPartGatherArguments arguments;
      arguments.count = split_.length;
      arguments.out_values = columns.data();
      launch_per_element(header, "row_part_positions<" + column_ + ", " + column_ + ", false>", split_.length,
                         arguments);
    }
    return columns;
  }

  /// Those in which a part at home has entries, by their numbers in the whole.
  void own_columns(const Csr& part, const Buffer& columns) const {
    const Buffer used = Buffer::zeroed(split_.length);
    RowPartColumnsArguments mark;
    mark.columns = part.column_indices.data();
    mark.entries = part.entries;
    mark.used = used.as<uint8_t>();
    launch_per_element(header, "row_part_used<" + column_ + ">", part.entries, mark);
    const auto [list, count] = positions_of(used.as<uint8_t>(), split_.length, matrix_.column_width);
    RowPartScatterArguments arguments;
    arguments.list = arguments.values = list.data();
    arguments.count = count;
    arguments.out_values = columns.data();
    launch_per_element(header, "row_part_scatter<" + element_ + ", " + column_ + ">", count, arguments);
  }

  ExchangePlan::Arrival arrival(const Buffer& columns, const Split::Part& sender, Device& receiver) const {
    const size_t width = bytes_of(matrix_.column_width);
    const Buffer places(sender.count * width), placed(sender.count);
    RowPartGatherArguments arguments;
    arguments.list = sender.positions.data();
    arguments.count = sender.count;
    arguments.values = columns.data();
    arguments.out_values = places.data();
    launch_per_element(header, "row_part_gather<" + element_ + ", " + index_type(split_.width) + ">",
                       sender.count, arguments);
    RowPartPlacedArguments flags{places.data(), sender.count, placed.as<uint8_t>()};
    launch_per_element(header, "row_part_is_placed<" + column_ + ">", sender.count, flags);
    const auto [list, count] = positions_of(placed.as<uint8_t>(), sender.count, Width::bits64);
    ExchangePlan::Arrival made;
    made.reach = count == 0 ? 0 : index_at(list, Width::bits64, count - 1) + 1;
    made.places = places.first_bytes(made.reach * width);
    if (&receiver != split_.home) made.places = made.places.copy_on(receiver);
    return made;
  }

  const RowParts& matrix_;
  const Split& split_;
  const std::string column_, element_;
};

}  // namespace

size_t PartExchange::bytes() const {
  size_t sum = 0;
  for (const std::vector<ExchangePlan::Arrival>& arrivals : plan->to) {
    for (const ExchangePlan::Arrival& arrival : arrivals) sum += arrival.places.bytes();
  }
  return sum;
}

uint64_t PartExchange::entries_between() const {
  uint64_t sum = 0;
  for (size_t q = 0; q < plan->to.size(); ++q) {
    for (size_t p = 0; p < plan->to.size(); ++p) sum += q == p ? 0 : plan->to[q][p].reach;
  }
  return sum;
}

PartExchange make_exchange(const RowParts& matrix) {
  const Maker maker(matrix);
  auto plan = std::make_shared<ExchangePlan>();
  plan->column_width = matrix.column_width;
  for (const RowPart& receiver : matrix.parts) {
    plan->devices.push_back(receiver.device);
    plan->columns.push_back(receiver.matrix.columns);
    plan->to.push_back(maker.arrivals(receiver));
  }
  return {std::move(plan)};
}

/// What is written from elsewhere is allocated first. A device waits for those that send to it.
StartedExchange::StartedExchange(const DeviceVector& u, std::shared_ptr<const ExchangePlan> plan)
    : plan_(std::move(plan)), type_(u.type), form_(u.form), sent_(u.parts->of), landed_(sent_.size()) {
  const size_t parts = sent_.size();
  for (size_t q = 0; q < parts; ++q) make_room(q);
  is_under_way_ = true;
  for (size_t q = 0; q < parts; ++q) {
    for (size_t p = 0; p < parts; ++p) {
      if (comes(q, p)) device(q).follow(device(p));
    }
  }
  for (size_t q = 0; q < parts; ++q) {
    for (size_t p = 0; p < parts; ++p) {
      if (comes(q, p)) fetch(q, p);
    }
  }
}

StartedExchange::~StartedExchange() {
  if (runtime::is_forked()) return;  // the copies are the parent's
  try {
    land();
  } catch (const runtime::DeviceFailure&) {
    // The device is lost, and its memory with it.
  }
}

/// Own entries are put in place while the others' are on their way.
std::vector<DeviceVector> StartedExchange::finish() {
  const auto place_those = [&](bool from_elsewhere) {
    for (size_t q = 0; q < sent_.size(); ++q) {
      const OnDevice there(device(q));
      for (size_t p = 0; p < sent_.size(); ++p) {
        if (comes(q, p) == from_elsewhere) place(q, p);
      }
    }
  };
  place_those(false);
  land();
  place_those(true);
  return std::move(own_);
}

bool StartedExchange::comes(size_t q, size_t p) const {
  return &device(q) != &device(p) && plan_->to[q][p].reach > 0;
}

void StartedExchange::make_room(size_t q) {
  const OnDevice there(device(q));
  DeviceVector own = DeviceVector::empty(type_, plan_->columns[q]);
  own.form = form_;
  own.values = Buffer(own.length * type_.size);
  if (form_ == Form::bitmap) own.present = Buffer::zeroed(own.length);
  own.forget_nvals();
  own_.push_back(own);
  for (size_t p = 0; p < sent_.size(); ++p) {
    const uint64_t reach = plan_->to[q][p].reach;
    DeviceVector landed = DeviceVector::empty(type_, reach);
    if (comes(q, p)) landed.values = Buffer(reach * type_.size);
    if (comes(q, p) && form_ == Form::bitmap) landed.present = Buffer(reach);
    landed_[q].push_back(landed);
  }
}

void StartedExchange::fetch(size_t q, size_t p) const {
  const DeviceVector &from = sent_[p], &to = landed_[q][p];
  device(q).start_copy_from_peer(to.values.data(), device(p), from.values.data(), to.values.bytes());
  if (to.present)
    device(q).start_copy_from_peer(to.present.data(), device(p), from.present.data(), to.present.bytes());
}

/// Each waits for what comes to it, and for those that read what it has: so all devices meet here.
void StartedExchange::land() {
  if (!std::exchange(is_under_way_, false)) return;
  for (Device* const receiver : plan_->devices) receiver->land();
  for (size_t q = 0; q < sent_.size(); ++q) {
    for (size_t p = 0; p < sent_.size(); ++p) {
      if (comes(q, p)) device(p).follow(device(q));
    }
  }
}

void StartedExchange::place(size_t q, size_t p) const {
  const DeviceVector& from = comes(q, p) ? landed_[q][p] : sent_[p];
  RowPartArriveArguments arguments;
  arguments.places = plan_->to[q][p].places.data();
  arguments.count = plan_->to[q][p].reach;
  arguments.values = from.values.data();
  arguments.present = from.present.as<uint8_t>();
  arguments.out_values = own_[q].values.data();
  arguments.out_present = own_[q].present.as<uint8_t>();
  launch_per_element(
      header,
      "row_part_arrive<" + element_of_bytes(type_.size) + ", " + index_type(plan_->column_width) + ">",
      arguments.count, arguments);
}

std::unique_ptr<StartedExchange> EarlyExchange::take(const std::shared_ptr<const ExchangePlan>& plan) {
  const std::lock_guard lock(mutex_);
  return started_ != nullptr && started_->plan() == plan ? std::move(started_) : nullptr;
}

DeviceVector written_in_parts(const Type& type, VectorParts parts) {
  parts.written = parts.split->rhythm().note_write();
  return from_parts(type, std::move(parts));
}

void start_early(DeviceVector& written) {
  const auto plan = written.parts->split->rhythm().expected(written.parts->written);
  if (plan == nullptr) return;
  VectorParts with_early = *written.parts;
  with_early.early = std::make_shared<EarlyExchange>(std::make_unique<StartedExchange>(written, plan));
  written.parts = std::make_shared<const VectorParts>(std::move(with_early));
}

std::vector<DeviceVector> exchanged(const DeviceVector& u, const PartExchange& exchange) {
  const VectorParts& parts = *u.parts;
  parts.split->rhythm().note_exchange(parts.written, exchange.plan);
  std::unique_ptr<StartedExchange> started;
  if (parts.early != nullptr) started = parts.early->take(exchange.plan);
  if (started == nullptr) started = std::make_unique<StartedExchange>(u, exchange.plan);
  return started->finish();
}

}  // namespace cugrb::formats
