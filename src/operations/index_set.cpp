#include "src/operations/index_set.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>

#include "src/formats/launch.h"
#include "src/memory/policy.h"
#include "src/operations/build.h"
#include "src/support/declined.h"

namespace cugrb::operations {

namespace {

/// Questions from which on a launch is worth it that makes each of them cheaper.
constexpr uint64_t launch_pays = uint64_t(1) << 16;

}  // namespace

bool ascends(const Indices& given) {
  if (given.is_range()) return true;
  const uint64_t* const end = given.list + given.count;
  return std::adjacent_find(given.list, end, std::greater_equal<>()) == end;
}

std::optional<Indices> as_range(const Indices& given) {
  if (given.all || given.is_range()) return given;
  if (given.count == 0) return Indices{false, 0, nullptr};
  const uint64_t begin = given.list[0], last = given.list[given.count - 1];
  if (last - begin != given.count - 1 || !on_device(given).ascends) return std::nullopt;
  return Indices{false, given.count, nullptr, begin};
}

AscendingIndices::AscendingIndices(const Indices& given, uint64_t length)
    : indices_(given), places_{true, given.count, nullptr} {
  if (given.all || ascends(given)) return;
  if (length / 4 <= given.count) {
    tabulate(given, length);
  } else {
    sort(given);
  }
  indices_ = {false, sorted_.size(), sorted_.data()};
  places_ = {false, from_.size(), from_.data()};
}

void AscendingIndices::tabulate(const Indices& given, uint64_t length) {
  const uint64_t none = given.count;
  std::vector<uint64_t> last(length, none);
  for (uint64_t k = 0; k < given.count; ++k) last[given.list[k]] = k;
  for (uint64_t i = 0; i < length; ++i) {
    if (last[i] == none) continue;
    sorted_.push_back(i);
    from_.push_back(last[i]);
  }
}

void AscendingIndices::sort(const Indices& given) {
  std::vector<uint64_t> order(given.count);
  std::iota(order.begin(), order.end(), uint64_t(0));
  std::sort(order.begin(), order.end(), [&](uint64_t k, uint64_t l) {
    return std::pair(given.list[k], k) < std::pair(given.list[l], l);
  });
  for (uint64_t n = 0; n < order.size(); ++n) {
    const uint64_t i = given.list[order[n]];
    if (n + 1 < order.size() && given.list[order[n + 1]] == i) continue;
    sorted_.push_back(i);
    from_.push_back(order[n]);
  }
}

IndexSet::IndexSet(const Indices& range) : begin_(range.begin), count_(range.count) {}

IndexList on_device(const Indices& list) {
  if (list.all) return {true, list.count, {}};
  if (list.is_range()) return {false, list.count, formats::counted(list.begin, list.count), true};
  const runtime::Buffer there = runtime::Buffer::from_host(list.list, list.count * sizeof(uint64_t));
  // A long list is copied up in less time than one thread reads it in.
  const bool ascending =
      list.count <= launch_pays ? ascends(list) : ascend(there, formats::Width::bits64, list.count);
  return {false, list.count, there, ascending};
}

runtime::Buffer listed(const Indices& list) {
  constexpr uint64_t copied_at_once = 1024;  // in no more time than a launch takes
  if (!list.is_range() && list.count > copied_at_once) {
    const uint64_t begin = list.list[0], last = list.list[list.count - 1];
    if (last - begin == list.count - 1 && ascends(list)) return listed({false, list.count, nullptr, begin});
  }
  if (!list.is_range()) return runtime::Buffer::from_host(list.list, list.count * sizeof(uint64_t));
  // With a quarter of the memory it is too long for a device that has its operands, too.
  if (list.count >= runtime::device().properties().memory_bytes / 4 / sizeof(uint64_t))
    throw Declined("a range of " + std::to_string(list.count) + " indices, too long to be written out");
  return formats::counted(list.begin, list.count);
}

IndexSet::IndexSet(const IndexList& ascending) : count_(ascending.count) {
  if (ascending.all || ascending.count == 0) return;
  begin_ = ascending.list.read<uint64_t>(0);
  if (ascending.list.read<uint64_t>(count_ - 1) - begin_ == count_ - 1) return;
  list_ = ascending.list;
}

void IndexSet::tabulate(uint64_t length, uint64_t questions) {
  // A question of the list costs some twenty loads, an index of the table a word that is cleared.
  constexpr uint64_t loads_of_a_list = 16, most_indices = (uint64_t(1) << 32) - 1;
  const bool worth_it = questions > launch_pays && questions > length / loads_of_a_list;
  if (!list_ || table_ || !worth_it || count_ >= most_indices) return;
  if (memory::shortage([&] { table_ = runtime::Buffer::zeroed(length * sizeof(uint32_t)); })) return;
  formats::launch_blocks("index_set.h", "index_table_fill<0>", formats::blocks_for(count_), view());
}

namespace {

/// The numbers below n, as the values of a full vector of n positions.
DeviceVector counted(uint64_t n) {
  const bool flag = true;
  DeviceVector numbers = DeviceVector::empty(
      Type::of(formats::index_width(n) == formats::Width::bits32 ? TypeCode::UInt32 : TypeCode::UInt64), n);
  numbers.form = Form::full;
  numbers.set_nvals(n);
  numbers.values = formats::to_sparse(DeviceVector::full_of(Type::of(TypeCode::Bool), n, &flag)).indices;
  return numbers;
}

}  // namespace

/// w(given[k]) = k, of which the last k stays: w has the indices in order, and where they were.
ListedSet::Sorted ListedSet::sorted(const Indices& given, uint64_t length) {
  if (const auto range = as_range(given)) return {IndexSet(*range), {true, given.count, {}}};
  const IndexList listed = on_device(given);
  if (listed.ascends) return {IndexSet(listed), {true, given.count, {}}};
  using formats::Width;
  const Width width = formats::index_width(length), place_width = formats::index_width(given.count);
  Tuples tuples;
  tuples.count = given.count;
  tuples.column_width = width;
  tuples.columns = formats::shifted(listed.list, Width::bits64, width, given.count, 0);
  tuples.values = counted(given.count);
  DeviceVector w = DeviceVector::empty(tuples.values.type, length);
  build(w, tuples, catalogue::second(w.type));
  w = formats::to_sparse(w);
  const uint64_t count = w.nvals();
  return {IndexSet(IndexList{false, count, formats::shifted(w.indices, width, Width::bits64, count, 0)}),
          {false, count, formats::shifted(w.values, place_width, Width::bits64, count, 0)}};
}

}  // namespace cugrb::operations
