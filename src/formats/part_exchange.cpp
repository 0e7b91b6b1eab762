#include "src/formats/part_exchange.h"

#include <algorithm>

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
      const bool own = split_.parts[p].device == part.device;
      const Needed needed = needed_of(columns, p, /*picks=*/!own);
      made.sent.push_back(needed.sent);
      made.own_places.push_back(own ? own_places(needed, p, *part.device) : ExchangePlan::Places());
      if (own) continue;
      made.coming += needed.sent.count;
      from_elsewhere.push_back(needed.columns);
    }
    made.places.list = there(joined(from_elsewhere, made.coming * width), *part.device);
    made.run = run_of(made);
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

  /// What is sent of a part, the columns of that, and whether each entry has one.
  struct Needed {
    ExchangePlan::Sent sent;
    Buffer columns;
    bool all = true;
  };

  Needed needed_of(const Buffer& columns, size_t sending, bool picks) const {
    const Split::Part& sender = split_.parts[sending];
    const size_t width = bytes_of(matrix_.column_width);
    const Buffer places(sender.count * width), placed(sender.count);
    gather(sender.positions, split_.width, sender.count, columns, places);
    RowPartPlacedArguments flags{places.data(), sender.count, placed.as<uint8_t>()};
    launch_per_element(exchange_header, "row_part_is_placed<" + column_ + ">", sender.count, flags);
    const auto [list, count] = positions_of(placed.as<uint8_t>(), sender.count, matrix_.column_width);
    if (count == 0) return {};
    const Range sent = {index_at(list, matrix_.column_width, 0),
                        index_at(list, matrix_.column_width, count - 1) + 1};
    const bool few = 2 * count < sent.length();
    if (picks && few) {
      const Buffer of_picked(count * width);
      gather(list, matrix_.column_width, count, places, of_picked);
      return {{sent, there(list, *sender.device), count}, of_picked, true};
    }
    const Buffer of_sent(sent.length() * width);
    of_sent.copy_bytes(0, places, sent.first * width, of_sent.bytes());
    return {{sent, {}, sent.length()}, of_sent, count == sent.length()};
  }

  /// to[n] = from[list[n]], of column numbers.
  void gather(const Buffer& list, Width list_width, uint64_t count, const Buffer& from,
              const Buffer& to) const {
    RowPartGatherArguments arguments;
    arguments.list = list.data();
    arguments.count = count;
    arguments.values = from.data();
    arguments.out_values = to.data();
    launch_per_element(exchange_header, "row_part_gather<" + element_ + ", " + index_type(list_width) + ">",
                       count, arguments);
  }

  /// Rows that ascend have columns that do. So these follow each other if there are as many as from the first
  /// to the last.
  ExchangePlan::Places own_places(const Needed& needed, size_t sender, Device& receiver) const {
    const uint64_t count = needed.sent.count;
    const bool ascend =
        !matrix_.in_order_of_split && needed.sent.entries.last <= matrix_.parts[sender].with_entries;
    if (count > 0 && needed.all && ascend) {
      const uint64_t first = index_at(needed.columns, matrix_.column_width, 0),
                     last = index_at(needed.columns, matrix_.column_width, count - 1);
      if (last - first + 1 == count) return {{}, first};
    }
    return {there(needed.columns, receiver), 0};
  }

  /// At most an eighth as many others: all vectors of the split get that room.
  std::optional<ExchangePlan::Receiver::Run> run_of(const ExchangePlan::Receiver& made) const {
    constexpr uint64_t few = 8;
    std::optional<ExchangePlan::Receiver::Run> run;
    for (size_t p = 0; p < split_.parts.size(); ++p) {
      const ExchangePlan::Sent& sent = made.sent[p];
      if (split_.parts[p].device != made.device || sent.count == 0) continue;
      const bool is_whole = sent.count == split_.parts[p].count && !made.own_places[p].list;
      if (run || !is_whole) return std::nullopt;
      const uint64_t before = made.own_places[p].first, behind = made.columns - before - sent.count;
      if ((before + behind) * few > sent.count) return std::nullopt;
      run = {p, {before, behind}};
    }
    return run;
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
    for (const ExchangePlan::Sent& sent : receiver.sent) sum += sent.picked.bytes();
  }
  return sum;
}

uint64_t PartExchange::entries_between() const {
  uint64_t sum = 0;
  for (size_t q = 0; q < plan->to.size(); ++q) {
    for (size_t p = 0; p < plan->to.size(); ++p) sum += q == p ? 0 : plan->to[q].sent[p].count;
  }
  return sum;
}

bool PartExchange::is_around_own() const {
  return std::all_of(plan->to.begin(), plan->to.end(), [](const auto& to) { return to.run.has_value(); });
}

PartExchange make_exchange(const RowParts& matrix) {
  const Maker maker(matrix);
  auto plan = std::make_shared<ExchangePlan>();
  plan->column_width = matrix.column_width;
  for (const RowPart& part : matrix.parts) plan->to.push_back(maker.receiver(part));
  for (const ExchangePlan::Receiver& to : plan->to) {
    if (to.run) matrix.split->note_around(to.run->sender, to.run->others);
  }
  return {std::move(plan)};
}

namespace {

const runtime::Kernel& exchange_kernel(const std::string& stem, const Type& type, Width index_width,
                                       size_t argument_bytes) {
  jit::Request request{
      exchange_header, stem + "<" + element_of_bytes(type.size) + ", " + index_type(index_width) + ">", {}};
  request.argument_bytes = argument_bytes;
  return jit::kernel(request);
}

}  // namespace

/// What is written from elsewhere is allocated first. A device waits for those that send to it.
StartedExchange::StartedExchange(const DeviceVector& u, std::shared_ptr<const ExchangePlan> plan, bool ahead)
    : plan_(std::move(plan)),
      type_(u.type),
      form_(u.form),
      ahead_(ahead),
      arrive_(exchange_kernel("row_part_arrive", type_, plan_->column_width, sizeof(RowPartArriveArguments))),
      pick_(picking_kernel()),
      sent_(u.parts->of) {
  const size_t parts = sent_.size();
  for (size_t q = 0; q < parts; ++q) make_room(q);
  is_under_way_ = true;
  try {
    if (pick_ != nullptr) pick_all();
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
  fetch_all(q);
  place(q, landed_[q], {0, plan_->to[q].coming}, plan_->to[q].places);
  if (ahead_) place_own(q);  // a long copy after short ones, which wait for the other device
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

/// The receiver's columns where its own entries lie already, of a full vector that has been written with
/// room. Kernels read vectors from addresses that 16 bytes divide.
std::optional<Buffer> StartedExchange::around_own(size_t q) const {
  constexpr size_t alignment = 16;
  const auto& run = plan_->to[q].run;
  if (!run || form_ != Form::full) return std::nullopt;
  const runtime::Room room = {run->others.before * type_.size, run->others.behind * type_.size};
  if (room.before % alignment != 0) return std::nullopt;
  return sent_[run->sender].values.around(room);
}

void StartedExchange::place_own(size_t q) const {
  if (is_in_place_[q]) return;
  const ExchangePlan::Receiver& to = plan_->to[q];
  for (size_t p = 0; p < sent_.size(); ++p) {
    if (&device(p) == to.device) place(q, sent_[p], to.sent[p].entries, to.own_places[p]);
  }
}

const runtime::Kernel* StartedExchange::picking_kernel() const {
  for (const ExchangePlan::Receiver& receiver : plan_->to) {
    for (const ExchangePlan::Sent& sent : receiver.sent) {
      if (sent.picked)
        return &exchange_kernel("row_part_gather", type_, plan_->column_width,
                                sizeof(RowPartGatherArguments));
    }
  }
  return nullptr;
}

void StartedExchange::pick_all() {
  const size_t parts = sent_.size();
  picked_.assign(parts, std::vector<DeviceVector>(parts));
  for (size_t q = 0; q < parts; ++q) {
    for (size_t p = 0; p < parts; ++p) pick(q, p);
  }
}

/// Few entries go to memory of their own, on the sender's device.
void StartedExchange::pick(size_t q, size_t p) {
  const ExchangePlan::Sent& sent = plan_->to[q].sent[p];
  if (!sent.picked) return;
  const OnDevice there(device(p));
  DeviceVector few = DeviceVector::empty(type_, sent.count);
  few.values = Buffer(sent.count * type_.size);
  RowPartGatherArguments arguments;
  arguments.list = sent.picked.data();
  arguments.count = sent.count;
  arguments.values = sent_[p].values.data();
  arguments.out_values = few.values.data();
  if (form_ == Form::bitmap) {
    few.present = Buffer(sent.count);
    arguments.present = sent_[p].present.as<uint8_t>();
    arguments.out_present = few.present.as<uint8_t>();
  }
  picked_[q][p] = few;
  launch_blocks(*pick_, blocks_for(sent.count), arguments);
}

void StartedExchange::make_room(size_t q) {
  const OnDevice there(device(q));
  const ExchangePlan::Receiver& to = plan_->to[q];
  DeviceVector own = DeviceVector::empty(type_, to.columns);
  own.form = form_;
  const std::optional<Buffer> around = around_own(q);
  is_in_place_.push_back(around.has_value());
  own.values = around ? *around : Buffer(own.length * type_.size);
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
    const ExchangePlan::Sent& sent = plan_->to[q].sent[p];
    const DeviceVector& from = sent.picked ? picked_[q][p] : sent_[p];
    const uint64_t first = sent.picked ? 0 : sent.entries.first;
    device(q).copy_from_peer(to.values.as<char>() + at * type_.size, device(p),
                             from.values.as<char>() + first * type_.size, sent.count * type_.size);
    if (to.present)
      device(q).copy_from_peer(to.present.as<char>() + at, device(p), from.present.as<char>() + first,
                               sent.count);
    at += sent.count;
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
