#include "src/formats/part_exchange.h"

#include "cuda/views/row_parts.h"
#include "src/formats/element_kernels.h"
#include "src/formats/host_copy.h"

namespace cugrb::formats {

using runtime::Buffer;
using runtime::Device;
using runtime::OnDevice;

namespace {

constexpr char exchange_header[] = "row_parts.h";

/// Making the exchange of one matrix: everything lies at home until it goes to its device.
class Maker {
 public:
  explicit Maker(const RowParts& matrix)
      : matrix_(matrix),
        split_(*matrix.split),
        column_(index_type(matrix.column_width)),
        element_(element_of_bytes(bytes_of(matrix.column_width))) {}

  ExchangePlan::Receiver receiver(const RowPart& part) const {
    const OnDevice at_home(*split_.home);
    const size_t width = bytes_of(matrix_.column_width);
    const Buffer columns = columns_of(part);
    ExchangePlan::Receiver made;
    made.device = part.device;
    made.columns = part.matrix.columns;
    std::vector<Buffer> from_elsewhere;
    for (size_t p = 0; p < split_.parts.size(); ++p) {
      const Needed needed = needed_of(columns, p);
      const bool own = split_.parts[p].device == part.device;
      made.sent.push_back(needed.entries);
      made.own_places.push_back(own ? own_places(needed, p, *part.device) : ExchangePlan::Places());
      if (own) continue;
      made.coming += needed.entries.length();
      from_elsewhere.push_back(needed.columns);
    }
    made.places.list = there(joined(from_elsewhere, made.coming * width), *part.device);
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
      launch_per_element(exchange_header, "row_part_places<" + column_ + ">", arguments.count, arguments);
    } else if (receiver.device == split_.home) {
      own_columns(receiver.matrix.stored, columns);
    } else {
      RowPartGatherArguments arguments;
      arguments.count = split_.length;
      arguments.out_values = columns.data();
      launch_per_element(exchange_header, "row_part_positions<" + column_ + ", " + column_ + ", false>",
                         split_.length, arguments);
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
    launch_per_element(exchange_header, "row_part_used<" + column_ + ">", part.entries, mark);
    const auto [list, count] = positions_of(used.as<uint8_t>(), split_.length, matrix_.column_width);
    RowPartScatterArguments arguments;
    arguments.list = arguments.values = list.data();
    arguments.count = count;
    arguments.out_values = columns.data();
    launch_per_element(exchange_header, "row_part_scatter<" + element_ + ", " + column_ + ">", count,
                       arguments);
  }

  /// Those of a part's entries that are sent, their columns, and whether each of them has one.
  struct Needed {
    Range entries;
    Buffer columns;
    bool all = true;
  };

  Needed needed_of(const Buffer& columns, size_t sending) const {
    const Split::Part& sender = split_.parts[sending];
    const size_t width = bytes_of(matrix_.column_width);
    const Buffer places(sender.count * width), placed(sender.count);
    RowPartGatherArguments arguments;
    arguments.list = sender.positions.data();
    arguments.count = sender.count;
    arguments.values = columns.data();
    arguments.out_values = places.data();
    launch_per_element(exchange_header, "row_part_gather<" + element_ + ", " + index_type(split_.width) + ">",
                       sender.count, arguments);
    RowPartPlacedArguments flags{places.data(), sender.count, placed.as<uint8_t>()};
    launch_per_element(exchange_header, "row_part_is_placed<" + column_ + ">", sender.count, flags);
    const auto [list, count] = positions_of(placed.as<uint8_t>(), sender.count, Width::bits64);
    if (count == 0) return {};
    const Range sent = {index_at(list, Width::bits64, 0), index_at(list, Width::bits64, count - 1) + 1};
    Buffer of_sent(sent.length() * width);
    of_sent.copy_bytes(0, places, sent.first * width, of_sent.bytes());
    return {sent, of_sent, count == sent.length()};
  }

  /// Rows that ascend have columns that do. So these follow each other if there are as many as from the first
  /// to the last.
  ExchangePlan::Places own_places(const Needed& needed, size_t sender, Device& receiver) const {
    const uint64_t count = needed.entries.length();
    const bool ascend =
        !matrix_.in_order_of_split && needed.entries.last <= matrix_.parts[sender].with_entries;
    if (count > 0 && needed.all && ascend) {
      const uint64_t first = index_at(needed.columns, matrix_.column_width, 0),
                     last = index_at(needed.columns, matrix_.column_width, count - 1);
      if (last - first + 1 == count) return {{}, first};
    }
    return {there(needed.columns, receiver), 0};
  }

  Buffer there(const Buffer& places, Device& receiver) const {
    return &receiver == split_.home ? places : places.copy_on(receiver);
  }
  static Buffer joined(const std::vector<Buffer>& pieces, size_t bytes) {
    Buffer all(bytes);
    size_t at = 0;
    for (const Buffer& piece : pieces) {
      all.copy_bytes(at, piece, 0, piece.bytes());
      at += piece.bytes();
    }
    return all;
  }

  const RowParts& matrix_;
  const Split& split_;
  const std::string column_, element_;
};

}  // namespace

size_t PartExchange::bytes() const {
  size_t sum = 0;
  for (const ExchangePlan::Receiver& receiver : plan->to) {
    sum += receiver.places.list.bytes();
    for (const ExchangePlan::Places& places : receiver.own_places) sum += places.list.bytes();
  }
  return sum;
}

uint64_t PartExchange::entries_between() const {
  uint64_t sum = 0;
  for (size_t q = 0; q < plan->to.size(); ++q) {
    for (size_t p = 0; p < plan->to.size(); ++p) sum += q == p ? 0 : plan->to[q].sent[p].length();
  }
  return sum;
}

PartExchange make_exchange(const RowParts& matrix) {
  const Maker maker(matrix);
  auto plan = std::make_shared<ExchangePlan>();
  plan->column_width = matrix.column_width;
  for (const RowPart& part : matrix.parts) plan->to.push_back(maker.receiver(part));
  return {std::move(plan)};
}

namespace {

const runtime::Kernel& arrival_kernel(const Type& type, Width column_width) {
  jit::Request request{
      exchange_header,
      "row_part_arrive<" + element_of_bytes(type.size) + ", " + index_type(column_width) + ">",
      {}};
  request.argument_bytes = sizeof(RowPartArriveArguments);
  return jit::kernel(request);
}

}  // namespace

/// What is written from elsewhere is allocated first. A device waits for those that send to it.
StartedExchange::StartedExchange(const DeviceVector& u, std::shared_ptr<const ExchangePlan> plan, bool ahead)
    : plan_(std::move(plan)),
      type_(u.type),
      form_(u.form),
      ahead_(ahead),
      arrive_(arrival_kernel(type_, plan_->column_width)),
      sent_(u.parts->of) {
  const size_t parts = sent_.size();
  for (size_t q = 0; q < parts; ++q) make_room(q);
  is_under_way_ = true;
  try {
    meet();
    for (size_t q = 0; q < parts; ++q) {
      const OnDevice there(device(q));
      device(q).beside([&] { begin(q); });
    }
  } catch (...) {
    abandon();  // what has begun uses memory that goes now
    throw;
  }
}

/// What is queued next on a device begins when all that is queued so far on those that send to it, or that it
/// sends to, is done. Of more than two all wait for all, by the first.
void StartedExchange::meet() const {
  const size_t parts = sent_.size();
  if (parts > 2) {
    for (size_t p = 1; p < parts; ++p) device(0).follow(device(p));
    for (size_t p = 1; p < parts; ++p) device(p).follow(device(0));
    return;
  }
  for (size_t q = 0; q < parts; ++q) {
    const size_t p = parts - 1 - q;
    if (plan_->comes(q, p) || plan_->comes(p, q)) device(q).follow(device(p));
  }
}

void StartedExchange::begin(size_t q) const {
  if (ahead_) place_own(q);
  fetch_all(q);
  place(q, landed_[q], {0, plan_->to[q].coming}, plan_->to[q].places);
}

StartedExchange::~StartedExchange() { abandon(); }

void StartedExchange::abandon() noexcept {
  if (runtime::is_forked()) return;  // the copies are the parent's
  try {
    land();
  } catch (const std::exception&) {
    // The device is lost, and its memory with it.
  }
}

std::vector<DeviceVector> StartedExchange::finish() {
  for (size_t q = 0; q < sent_.size() && !ahead_; ++q) {
    const OnDevice there(device(q));
    place_own(q);
  }
  land();
  return std::move(own_);
}

void StartedExchange::place_own(size_t q) const {
  const ExchangePlan::Receiver& to = plan_->to[q];
  for (size_t p = 0; p < sent_.size(); ++p) {
    if (&device(p) == to.device) place(q, sent_[p], to.sent[p], to.own_places[p]);
  }
}

void StartedExchange::make_room(size_t q) {
  const OnDevice there(device(q));
  const ExchangePlan::Receiver& to = plan_->to[q];
  DeviceVector own = DeviceVector::empty(type_, to.columns);
  own.form = form_;
  own.values = Buffer(own.length * type_.size);
  if (form_ == Form::bitmap) own.present = Buffer::zeroed(own.length);
  own.forget_nvals();
  own_.push_back(own);
  DeviceVector landed = DeviceVector::empty(type_, to.coming);
  landed.values = Buffer(to.coming * type_.size);
  if (form_ == Form::bitmap) landed.present = Buffer(to.coming);
  landed_.push_back(landed);
}

/// One sender's entries behind the other's.
void StartedExchange::fetch_all(size_t q) const {
  const DeviceVector& to = landed_[q];
  uint64_t at = 0;
  for (size_t p = 0; p < sent_.size(); ++p) {
    if (!plan_->comes(q, p)) continue;
    const Range& sent = plan_->to[q].sent[p];
    device(q).copy_from_peer(to.values.as<char>() + at * type_.size, device(p),
                             sent_[p].values.as<char>() + sent.first * type_.size,
                             sent.length() * type_.size);
    if (to.present)
      device(q).copy_from_peer(to.present.as<char>() + at, device(p),
                               sent_[p].present.as<char>() + sent.first, sent.length());
    at += sent.length();
  }
}

/// Each waits for what comes to it, and for those that read what it has: so all devices meet here.
void StartedExchange::land() {
  if (!std::exchange(is_under_way_, false)) return;
  for (const ExchangePlan::Receiver& receiver : plan_->to) receiver.device->land();
  meet();
}

void StartedExchange::place(size_t q, const DeviceVector& from, const Range& entries,
                            const ExchangePlan::Places& places) const {
  RowPartArriveArguments arguments;
  arguments.places = places.list.data();
  arguments.first = places.first;
  arguments.count = entries.length();
  arguments.values = from.values.as<char>() + entries.first * type_.size;
  arguments.present = from.present ? from.present.as<uint8_t>() + entries.first : nullptr;
  arguments.out_values = own_[q].values.data();
  arguments.out_present = own_[q].present.as<uint8_t>();
  launch_blocks(arrive_, blocks_for(arguments.count), arguments);
}

std::unique_ptr<StartedExchange> EarlyExchange::take(const std::shared_ptr<const ExchangePlan>& plan) {
  const std::lock_guard lock(mutex_);
  return started_ != nullptr && started_->plan() == plan ? std::move(started_) : nullptr;
}

DeviceVector written_in_parts(const Type& type, VectorParts parts, uint64_t what) {
  parts.written = parts.split->rhythm().note_write(what);
  return from_parts(type, std::move(parts));
}

void start_early(DeviceVector& written) {
  const auto plan = written.parts->split->rhythm().expected(written.parts->written);
  if (plan == nullptr) return;
  VectorParts with_early = *written.parts;
  with_early.early =
      std::make_shared<EarlyExchange>(std::make_unique<StartedExchange>(written, plan, /*ahead=*/true));
  written.parts = std::make_shared<const VectorParts>(std::move(with_early));
}

std::vector<DeviceVector> exchanged(const DeviceVector& u, const PartExchange& exchange) {
  const VectorParts& parts = *u.parts;
  parts.split->rhythm().note_exchange(parts.written, exchange.plan);
  std::unique_ptr<StartedExchange> started;
  if (parts.early != nullptr) started = parts.early->take(exchange.plan);
  if (started == nullptr) started = std::make_unique<StartedExchange>(u, exchange.plan, /*ahead=*/false);
  return started->finish();
}

}  // namespace cugrb::formats
