#include "src/formats/matrix.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <utility>

#include "cuda/views/mxv.h"
#include "src/formats/launch.h"

namespace cugrb::formats {

using runtime::Buffer;

/// All that can be made again from `stored`. Index 0: of the matrix by rows; 1: of its transpose by rows.
struct DeviceMatrix::Caches {
  std::recursive_mutex mutex;  ///< what makes one derived format may ask for another
  std::optional<Csr> other;    ///< whichever of the two is not stored
  std::shared_ptr<const LengthDistribution> lengths[2];
  std::map<std::string, std::unique_ptr<const Derived>> derived[2];
  struct UnderWay {
    std::unique_ptr<BegunDerived> begun;
    uint64_t awaited_from;  ///< uses
    /// To be taken, waited for or not.
    bool is_due(uint64_t uses_so_far) const { return uses_so_far >= awaited_from || begun->arrived(); }
  };
  std::map<std::string, UnderWay> under_way[2];
  std::vector<std::unique_ptr<const Derived>> retired;
  uint64_t pins = 0;
  std::atomic<uint64_t> uses[2] = {0, 0}, changes = 0, count_under_way = 0;

  const Derived& keep(bool transposed, const std::string& key, std::unique_ptr<const Derived> made) {
    ++changes;
    return *derived[transposed].emplace(key, std::move(made)).first->second;
  }
  /// Waits where it has not arrived. What fails is forgotten, and may be begun again.
  const Derived& take(bool transposed, std::map<std::string, UnderWay>::iterator at) {
    const auto taken = under_way[transposed].extract(at);
    --count_under_way;
    return keep(transposed, taken.key(), taken.mapped().begun->take());
  }
};

namespace {

constexpr char profile_header[] = "mxv_profile.h";

std::string profile_kernel(const char* name, const Csr& rows) {
  return std::string(name) + "<" + index_type(rows.offset_width) + ">";
}

MxvProfileArguments profile_arguments(const Csr& rows) {
  MxvProfileArguments arguments;
  arguments.offsets = rows.offsets.data();
  arguments.rows = rows.rows;
  arguments.entries = rows.entries;
  return arguments;
}

/// `count` of them, as the distribution knows: nothing is waited for.
LongRows find_long_rows(const Csr& rows, uint64_t count) {
  LongRows found;
  if (count == 0) return found;
  found.count = count;
  found.rows = Buffer((count + 1) * sizeof(uint64_t));
  MxvProfileArguments arguments = profile_arguments(rows);
  arguments.long_rows = found.rows.as<uint64_t>();
  arguments.listed = arguments.long_rows + count;
  arguments.longest_short = longest_short_row;
  runtime::device().fill_bytes(arguments.listed, 0, sizeof(uint64_t));
  launch_blocks(profile_header, profile_kernel("list_long_rows", rows), blocks_for(rows.rows), arguments);
  return found;
}

MergePlan cut_merge_path(const Csr& rows) {
  MergePlan plan;
  plan.tiles = blocks_for(rows.rows + rows.entries, merge_tile_steps);
  plan.tile_rows = Buffer((plan.tiles + 1) * sizeof(uint64_t));
  MxvProfileArguments arguments = profile_arguments(rows);
  arguments.tile_rows = plan.tile_rows.as<uint64_t>();
  arguments.tiles = plan.tiles;
  launch_blocks(profile_header, profile_kernel("merge_tile_rows", rows), blocks_for(plan.tiles + 1),
                arguments);
  return plan;
}

}  // namespace

DeviceMatrix::Caches& DeviceMatrix::LazyCaches::get() {
  if (Caches* made = made_.load(std::memory_order_acquire)) return *made;
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  if (owner_ == nullptr) {
    owner_ = std::make_shared<Caches>();
    made_.store(owner_.get(), std::memory_order_release);
  }
  return *owner_;
}

void DeviceMatrix::LazyCaches::share(const LazyCaches& other) {
  Caches* const made = other.made_.load(std::memory_order_acquire);
  owner_ = made != nullptr ? other.owner_ : nullptr;
  made_.store(made, std::memory_order_release);
}

bool DeviceMatrix::has_rows(bool transposed) const {
  if (transposed == by_column) return true;
  Caches& cached = caches();
  const std::lock_guard<std::recursive_mutex> lock(cached.mutex);
  return cached.other.has_value();
}

const Csr& DeviceMatrix::rows_uncounted(bool transposed) const {
  if (transposed == by_column) return stored;
  Caches& cached = caches();
  const std::lock_guard<std::recursive_mutex> lock(cached.mutex);
  if (!cached.other) {
    cached.other = transpose(stored);
    ++cached.changes;
  }
  return *cached.other;
}

const Csr& DeviceMatrix::by_rows(bool transposed) const {
  const Csr& rows = rows_uncounted(transposed);
  ++caches().uses[transposed];
  return rows;
}

uint64_t DeviceMatrix::uses(bool transposed) const { return caches().uses[transposed]; }

uint64_t DeviceMatrix::changes() const { return caches().changes; }

const LengthDistribution& DeviceMatrix::row_distribution(bool transposed,
                                                         const std::function<void()>& meanwhile) const {
  Caches& cached = caches();
  const std::lock_guard<std::recursive_mutex> lock(cached.mutex);
  std::shared_ptr<const LengthDistribution>& lengths = cached.lengths[transposed];
  if (lengths != nullptr) return *lengths;
  const Csr* rows = transposed == by_column ? &stored : cached.other ? &*cached.other : nullptr;
  lengths = std::make_shared<const LengthDistribution>(
      rows != nullptr ? formats::row_distribution(*rows, meanwhile) : column_distribution(stored));
  return *lengths;
}

KnownLengths DeviceMatrix::known_lengths() const {
  Caches& cached = caches();
  const std::lock_guard<std::recursive_mutex> lock(cached.mutex);
  KnownLengths known;
  for (const bool transposed : {false, true}) {
    known.lengths[transposed] = cached.lengths[transposed];
    const Csr* rows = transposed == by_column ? &stored : cached.other ? &*cached.other : nullptr;
    if (rows == nullptr) continue;
    known.offsets[transposed] = rows->offsets;
    known.column_indices[transposed] = rows->column_indices;
  }
  return known;
}

void DeviceMatrix::keep_lengths(const KnownLengths& known) const {
  Caches& cached = caches();
  const std::lock_guard<std::recursive_mutex> lock(cached.mutex);
  const auto keep = [&](bool here, bool there) {
    if (cached.lengths[here] == nullptr) cached.lengths[here] = known.lengths[there];
  };
  for (const bool transposed : {false, true}) {
    if (stored.offsets.data() == nullptr || known.offsets[transposed].data() != stored.offsets.data())
      continue;
    keep(by_column, transposed);
    const void* columns = stored.column_indices.data();
    if (columns != nullptr && known.column_indices[transposed].data() == columns)
      keep(!by_column, !transposed);
  }
}

const Derived& DeviceMatrix::derived_by(bool transposed, const std::string& key,
                                        const MakeDerived& make) const {
  const Csr& rows = rows_uncounted(transposed);
  Caches& cached = caches();
  const std::lock_guard<std::recursive_mutex> lock(cached.mutex);
  const auto known = cached.derived[transposed].find(key);
  if (known != cached.derived[transposed].end()) return *known->second;
  const auto begun = cached.under_way[transposed].find(key);
  if (begun != cached.under_way[transposed].end()) return cached.take(transposed, begun);
  return cached.keep(transposed, key, make(rows));
}

const Derived* DeviceMatrix::derived_later_by(bool transposed, const std::string& key, uint64_t patience,
                                              const BeginDerived& begin) const {
  const Csr& rows = rows_uncounted(transposed);
  Caches& cached = caches();
  const std::lock_guard<std::recursive_mutex> lock(cached.mutex);
  const auto known = cached.derived[transposed].find(key);
  if (known != cached.derived[transposed].end()) return known->second.get();
  auto& under_way = cached.under_way[transposed];
  auto at = under_way.find(key);
  if (at == under_way.end()) {
    at = under_way.emplace(key, Caches::UnderWay{begin(rows), cached.uses[transposed] + patience}).first;
    ++cached.count_under_way;
  }
  const bool due = patience == 0 || at->second.is_due(cached.uses[transposed]);
  return due ? &cached.take(transposed, at) : nullptr;
}

void DeviceMatrix::collect_arrivals() const {
  Caches& cached = caches();
  if (cached.count_under_way == 0) return;
  const std::lock_guard<std::recursive_mutex> lock(cached.mutex);
  for (const bool transposed : {false, true}) {
    auto& under_way = cached.under_way[transposed];
    for (auto at = under_way.begin(); at != under_way.end();) {
      const auto here = at++;
      if (here->second.is_due(cached.uses[transposed])) cached.take(transposed, here);
    }
  }
}

const Derived* DeviceMatrix::find_derived_by(bool transposed, const std::string& key) const {
  Caches& cached = caches();
  const std::lock_guard<std::recursive_mutex> lock(cached.mutex);
  const auto known = cached.derived[transposed].find(key);
  return known == cached.derived[transposed].end() ? nullptr : known->second.get();
}

bool DeviceMatrix::has_derived(bool transposed, const std::string& key) const {
  return find_derived_by(transposed, key) != nullptr;
}

const LongRows& DeviceMatrix::long_rows(bool transposed) const {
  const uint64_t count = row_distribution(transposed).rows_above(longest_short_row);
  return derived<LongRows>(transposed, "long_rows",
                           [&](const Csr& rows) { return find_long_rows(rows, count); });
}

const MergePlan& DeviceMatrix::merge_plan(bool transposed) const {
  return derived<MergePlan>(transposed, "merge_plan", [](const Csr& rows) { return cut_merge_path(rows); });
}

DeviceMatrix::Pin::Pin(const DeviceMatrix& matrix) : caches_(matrix.caches()) {
  const std::lock_guard<std::recursive_mutex> lock(caches_.mutex);
  ++caches_.pins;
}

DeviceMatrix::Pin::~Pin() {
  std::vector<std::unique_ptr<const Derived>> retired;
  const std::lock_guard<std::recursive_mutex> lock(caches_.mutex);
  if (--caches_.pins == 0) retired.swap(caches_.retired);
}

void DeviceMatrix::retire(bool transposed, const std::vector<std::string>& stems) const {
  Caches& cached = caches();
  const Pin until_the_end(*this);
  const std::lock_guard<std::recursive_mutex> lock(cached.mutex);
  auto& formats = cached.derived[transposed];
  for (auto at = formats.begin(); at != formats.end();) {
    const auto here = at++;
    const std::string_view stem = std::string_view(here->first).substr(0, here->first.find(' '));
    if (std::find(stems.begin(), stems.end(), stem) == stems.end()) continue;
    cached.retired.push_back(std::move(here->second));
    formats.erase(here);
    ++cached.changes;
  }
}

size_t DeviceMatrix::bytes() const {
  Caches& cached = caches();
  const std::lock_guard<std::recursive_mutex> lock(cached.mutex);
  size_t bytes = stored.bytes() + (cached.other ? cached.other->bytes() : 0);
  for (const auto& formats : cached.derived) {
    for (const auto& [key, format] : formats) bytes += format->bytes();
  }
  for (const auto& format : cached.retired) bytes += format->bytes();
  return bytes;
}

size_t DeviceMatrix::drop_caches() const {
  Caches& cached = caches();
  const std::lock_guard<std::recursive_mutex> lock(cached.mutex);
  size_t freed = cached.other ? cached.other->bytes() : 0;
  // An iso transpose shares its one value with `stored`: that stays.
  if (cached.other && cached.other->iso) freed -= cached.other->values.bytes();
  for (auto& formats : cached.derived) {
    for (const auto& [key, format] : formats) freed += format->bytes();
    formats.clear();
  }
  for (auto& begun : cached.under_way) begun.clear();
  cached.count_under_way = 0;
  cached.other.reset();
  ++cached.changes;
  return freed;
}

DeviceMatrix matrix_by(Csr rows, bool by_column) {
  DeviceMatrix matrix;
  matrix.type = rows.type;
  matrix.by_column = by_column;
  matrix.rows = by_column ? rows.columns : rows.rows;
  matrix.columns = by_column ? rows.rows : rows.columns;
  matrix.stored = std::move(rows);
  return matrix;
}

}  // namespace cugrb::formats
