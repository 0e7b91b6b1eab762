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

  std::vector<PartExchange::Arrival> arrivals(const RowPart& receiver) const {
    const OnDevice at_home(*split_.home);
    const Buffer columns = columns_of(receiver);
    std::vector<PartExchange::Arrival> made;
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

  PartExchange::Arrival arrival(const Buffer& columns, const Split::Part& sender, Device& receiver) const {
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
    PartExchange::Arrival made;
    made.reach = count == 0 ? 0 : index_at(list, Width::bits64, count - 1) + 1;
    made.places = places.first_bytes(made.reach * width);
    if (&receiver != split_.home) made.places = made.places.copy_on(receiver);
    return made;
  }

  const RowParts& matrix_;
  const Split& split_;
  const std::string column_, element_;
};

/// One product's exchange.
class Exchanging {
 public:
  Exchanging(const DeviceVector& u, const RowParts& matrix, const PartExchange& exchange)
      : u_(u), matrix_(matrix), exchange_(exchange), parts_(matrix.parts.size()), landed_(parts_) {}

  /// What is written from elsewhere is allocated first. A device waits for those that send to it, and for
  /// those that read what it has: so all devices meet here.
  std::vector<DeviceVector> made() {
    for (size_t q = 0; q < parts_; ++q) make_room(q);
    for (size_t q = 0; q < parts_; ++q) {
      for (size_t p = 0; p < parts_; ++p) {
        if (comes(q, p)) device(q).follow(device(p));
      }
    }
    for (size_t q = 0; q < parts_; ++q) {
      for (size_t p = 0; p < parts_; ++p) {
        if (comes(q, p)) fetch(q, p);
      }
    }
    for (size_t q = 0; q < parts_; ++q) {
      for (size_t p = 0; p < parts_; ++p) {
        if (comes(q, p)) device(p).follow(device(q));
      }
    }
    for (size_t q = 0; q < parts_; ++q) {
      const OnDevice there(device(q));
      for (size_t p = 0; p < parts_; ++p) place(q, p);
    }
    return std::move(own_);
  }

 private:
  Device& device(size_t p) const { return *matrix_.parts[p].device; }
  uint64_t reach(size_t q, size_t p) const { return exchange_.to[q][p].reach; }
  bool comes(size_t q, size_t p) const { return &device(q) != &device(p) && reach(q, p) > 0; }
  const DeviceVector& sent(size_t p) const { return u_.parts->of[p]; }

  void make_room(size_t q) {
    const OnDevice there(device(q));
    DeviceVector own = DeviceVector::empty(u_.type, matrix_.parts[q].matrix.columns);
    own.form = u_.form;
    own.values = Buffer(own.length * u_.type.size);
    if (u_.form == Form::bitmap) own.present = Buffer::zeroed(own.length);
    own.forget_nvals();
    own_.push_back(own);
    for (size_t p = 0; p < parts_; ++p) {
      DeviceVector landed = DeviceVector::empty(u_.type, reach(q, p));
      if (comes(q, p)) landed.values = Buffer(reach(q, p) * u_.type.size);
      if (comes(q, p) && u_.form == Form::bitmap) landed.present = Buffer(reach(q, p));
      landed_[q].push_back(landed);
    }
  }

  void fetch(size_t q, size_t p) {
    const DeviceVector &from = sent(p), &to = landed_[q][p];
    device(q).copy_from_peer(to.values.data(), device(p), from.values.data(), to.values.bytes());
    if (to.present)
      device(q).copy_from_peer(to.present.data(), device(p), from.present.data(), to.present.bytes());
  }

  void place(size_t q, size_t p) {
    const DeviceVector& from = comes(q, p) ? landed_[q][p] : sent(p);
    RowPartArriveArguments arguments;
    arguments.places = exchange_.to[q][p].places.data();
    arguments.count = reach(q, p);
    arguments.values = from.values.data();
    arguments.present = from.present.as<uint8_t>();
    arguments.out_values = own_[q].values.data();
    arguments.out_present = own_[q].present.as<uint8_t>();
    launch_per_element(
        header,
        "row_part_arrive<" + element_of_bytes(u_.type.size) + ", " + index_type(matrix_.column_width) + ">",
        arguments.count, arguments);
  }

  const DeviceVector& u_;
  const RowParts& matrix_;
  const PartExchange& exchange_;
  const size_t parts_;
  std::vector<DeviceVector> own_;                  // by receiver
  std::vector<std::vector<DeviceVector>> landed_;  // by receiver, then by sender
};

}  // namespace

size_t PartExchange::bytes() const {
  size_t sum = 0;
  for (const std::vector<Arrival>& arrivals : to) {
    for (const Arrival& arrival : arrivals) sum += arrival.places.bytes();
  }
  return sum;
}

uint64_t PartExchange::entries_between() const {
  uint64_t sum = 0;
  for (size_t q = 0; q < to.size(); ++q) {
    for (size_t p = 0; p < to.size(); ++p) sum += q == p ? 0 : to[q][p].reach;
  }
  return sum;
}

PartExchange make_exchange(const RowParts& matrix) {
  const Maker maker(matrix);
  PartExchange made;
  for (const RowPart& receiver : matrix.parts) made.to.push_back(maker.arrivals(receiver));
  return made;
}

std::vector<DeviceVector> exchanged(const DeviceVector& u, const RowParts& matrix,
                                    const PartExchange& exchange) {
  return Exchanging(u, matrix, exchange).made();
}

}  // namespace cugrb::formats
