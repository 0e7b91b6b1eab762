#include "src/operations/build.h"

#include "cuda/views/build.h"
#include "cuda/views/convert.h"
#include "src/formats/element_kernels.h"
#include "src/operations/expression.h"
#include "src/operations/matrix_compact.h"
#include "src/operations/matrix_write_back.h"
#include "src/operations/operations.h"
#include "src/support/declined.h"

namespace cugrb::operations {

using formats::bits_of;
using formats::Width;
using runtime::Buffer;

namespace {

constexpr char build_header[] = "build.h";

void launch(const std::string& name, uint64_t count, const BuildArguments& arguments,
            const std::string& preamble = {}) {
  formats::launch_per_element(build_header, name, count, arguments, preamble);
}

/// Runs of equal keys: `starts` of so many, or none when each key is there once.
struct Runs {
  uint64_t count = 0;
  Buffer starts;
  Width width = Width::bits32;
  bool any_long = false;  ///< longer than build_copies
  std::string position() const { return starts ? formats::index_type(width) : "void"; }
};

/// Whether tuples descend somewhere, or, where they do not, repeat. `row`: the type of rows; void for keys
/// alone, which are the columns. Waits for the device.
BuildState order_of(const std::string& row, Width column_width, const BuildArguments& tuples) {
  const Buffer state = Buffer::zeroed(sizeof(BuildState));
  BuildArguments arguments = tuples;
  arguments.state = state.as<BuildState>();
  formats::launch_blocks(build_header, template_id("build_order", {row, formats::index_type(column_width)}),
                         formats::move_tiles(arguments.count), arguments);
  return state.read<BuildState>();
}

/// Tuples by key.
class Keys {
 public:
  /// `repeats`: one may be there more than once.
  Keys(Buffer keys, Width width, uint64_t count, bool repeats)
      : keys_(std::move(keys)), width_(width), count_(count), repeats_(repeats) {}

  /// By their lowest `bits`. Values of 4 and 8 bytes travel with them, so that none is fetched from afar
  /// afterwards.
  void sort(unsigned bits, const DeviceVector& values) {
    const size_t size = values.type.size;
    const bool travel =
        !values.iso && (size == formats::bytes_of(Width::bits32) || size == formats::bytes_of(Width::bits64));
    const Width payload_width =
        travel && size == formats::bytes_of(Width::bits32) ? Width::bits32 : Width::bits64;
    const Buffer payload = travel ? values.values : formats::counted(0, count_);
    const Buffer sorted(keys_.bytes()), sorted_payload(count_ * formats::bytes_of(payload_width));
    primitives::sort_pairs(width_, keys_.data(), sorted.data(), payload_width, payload.data(),
                           sorted_payload.data(), count_, bits);
    keys_ = sorted;
    (travel ? values_ : order_) = sorted_payload;
    repeats_ = true;
  }
  /// Looks whether one is there more than once.
  void look_for_repeats() {
    BuildArguments arguments = this->arguments();
    arguments.columns = keys_.data();
    repeats_ = order_of("void", width_, arguments).repeats != 0;
  }

  Runs runs() const {
    Runs runs;
    runs.count = count_;
    if (repeats_) find_runs(runs);
    return runs;
  }
  /// The pieces of build_copies at most into which those runs are cut.
  Runs pieces(const Runs& runs) const {
    BuildArguments arguments = this->arguments(runs);
    const Buffer heads(count_), state = Buffer::zeroed(sizeof(BuildState));
    arguments.heads = heads.as<uint8_t>();
    launch(template_id("build_pieces", {runs.position()}), count_, arguments);
    Runs pieces;
    take_starts(pieces, heads, state);
    return pieces;
  }
  /// The sorted keys of those pieces.
  Keys keys_of(const Runs& pieces) const {
    Keys keys(*this);
    keys.keys_ = Buffer(pieces.count * formats::bytes_of(width_));
    keys.count_ = pieces.count;
    keys.order_ = keys.values_ = {};
    keys.repeats_ = true;
    BuildArguments arguments = this->arguments(pieces);
    arguments.out = keys.keys_.data();
    launch(template_id("build_piece_keys", {type(), pieces.position()}), pieces.count, arguments);
    return keys;
  }

  BuildArguments arguments(const Runs& runs = {}) const {
    BuildArguments arguments;
    arguments.count = count_;
    arguments.keys = keys_.data();
    arguments.order = order_.as<uint64_t>();
    arguments.starts = runs.starts.data();
    arguments.runs = runs.count;
    return arguments;
  }
  std::string type() const { return formats::index_type(width_); }
  /// Where the values of sorted keys are among those given; none: in place, or in values().
  const Buffer& order() const { return order_; }
  /// Those that were sorted with the keys.
  const Buffer& values() const { return values_; }
  const Buffer& buffer() const { return keys_; }
  Width width() const { return width_; }

 private:
  void find_runs(Runs& runs) const {
    const Buffer heads(count_), state = Buffer::zeroed(sizeof(BuildState));
    BuildArguments arguments = this->arguments();
    arguments.heads = heads.as<uint8_t>();
    arguments.state = state.as<BuildState>();
    launch(template_id("build_heads", {type()}), count_, arguments);
    take_starts(runs, heads, state);
    if (runs.count == count_) runs.starts = {};
  }
  void take_starts(Runs& runs, const Buffer& heads, const Buffer& state) const {
    runs.width = formats::Csr::offset_width_for(count_);
    runs.starts = Buffer(count_ * formats::bytes_of(runs.width));
    primitives::positions_of_flags(runs.width, heads.as<uint8_t>(), count_, runs.starts.data(),
                                   state.as<uint64_t>());
    const auto found = state.read<BuildState>();
    runs.count = found.runs;
    runs.any_long = found.long_runs != 0;
  }

  Buffer keys_, order_, values_;
  Width width_;
  uint64_t count_;
  bool repeats_;
};

/// One value a run, in op's type.
Buffer combined(const Keys& keys, const Runs& runs, const BinaryOp& op, const Type& type,
                const Buffer& values) {
  const Runs parts = runs.any_long ? keys.pieces(runs) : runs;
  const Buffer sums(parts.count * op.z.size);
  BuildArguments arguments = keys.arguments(parts);
  arguments.in = values.data();
  arguments.out = sums.data();
  launch(template_id("build_values", {op.source, type.name, parts.position()}), parts.count, arguments,
         catalogue::type_preamble(type) + op.preamble);
  if (!runs.any_long) return sums;
  const Keys pieces = keys.keys_of(parts);
  return combined(pieces, pieces.runs(), op, op.z, sums);
}

/// The values of T, in the type in which they are combined.
DeviceVector values_of_runs(const Keys& keys, const Runs& runs, const Tuples& tuples,
                            const std::optional<BinaryOp>& duplicates) {
  // Of an iso object, and copies of the value combine to it: all are one, as in SuiteSparse.
  const bool one_remains = runs.starts && one_sum(*duplicates, tuples.values, tuples.values).has_value();
  const bool sums = runs.starts && !one_remains;
  DeviceVector given = sums ? formats::expand_iso(tuples.values) : tuples.values;
  if (keys.values()) given.values = keys.values();
  if (given.iso || (!runs.starts && !keys.order())) {
    DeviceVector values = duplicates ? formats::cast(given, duplicates->z) : given;
    values.length = runs.count;
    return values;
  }
  DeviceVector values = given;
  values.length = runs.count;
  if (runs.starts) {
    values.type = duplicates->z;
    values.values = combined(keys, runs, *duplicates, given.type, given.values);
    return values;
  }
  values.values = Buffer(runs.count * given.type.size);
  ConvertArguments arguments;
  arguments.in = given.values.data();
  arguments.indices = keys.order().data();
  arguments.out = values.values.data();
  arguments.count = runs.count;
  formats::launch_per_element(
      "convert.h", template_id("gather_elements", {formats::element_of_bytes(given.type.size), "uint64_t"}),
      runs.count, arguments);
  return duplicates ? formats::cast(values, duplicates->z) : values;
}

Runs allowed_runs(const Keys& keys, uint64_t tuples, const std::optional<BinaryOp>& duplicates) {
  Runs runs = keys.runs();
  if (runs.count != tuples && !duplicates) throw Declined("tuples at one place, and no operator for them");
  return runs;
}

/// Rows for columns.
Tuples flipped(const Tuples& tuples) {
  Tuples t = tuples;
  std::swap(t.rows, t.columns);
  std::swap(t.row_width, t.column_width);
  return t;
}

void check_types_of(const Type& c, const Tuples& tuples, const std::optional<BinaryOp>& duplicates) {
  const Type& combined_in = duplicates ? duplicates->z : tuples.values.type;
  formats::check_cast(tuples.values.type, combined_in);
  check_types(c, std::nullopt, combined_in);
}

/// Entries with room for all tuples, and where kernels write them.
struct Room {
  Room(const Tuples& t, uint64_t rows, uint64_t columns, const BinaryOp& duplicates)
      : entries(formats::sparse_shape(duplicates.z, rows, columns, t.count)), state(sizeof(BuildState)) {
    entries.row_width = formats::index_width(rows);
    entries.row_indices = Buffer(t.count * formats::bytes_of(entries.row_width));
    entries.column_indices = Buffer(t.count * formats::bytes_of(entries.column_width));
    entries.values = Buffer(t.count * duplicates.z.size);
    arguments.count = t.count;
    arguments.column_bits = bits_of(columns);
    arguments.rows = t.rows.data();
    arguments.columns = t.columns.data();
    arguments.in = t.values.values.data();
    arguments.state = state.as<BuildState>();
    arguments.out_rows = entries.row_indices.data();
    arguments.out_columns = entries.column_indices.data();
    arguments.out = entries.values.data();
  }
  formats::Coo entries;
  Buffer state;
  BuildArguments arguments;
};

std::string row_type(const Tuples& t) { return formats::index_type(t.row_width); }
std::string column_type(const Tuples& t) { return formats::index_type(t.column_width); }

/// Launches a kernel that writes entries: after `types` it takes those of their places, the operator, and the
/// type of the values given.
void launch_to_entries(const Room& room, const char* kernel, const std::string& types, const Tuples& t,
                       const BinaryOp& duplicates, const runtime::LaunchShape& shape) {
  const std::string name = template_id(
      kernel, {types, formats::index_type(room.entries.row_width),
               formats::index_type(room.entries.column_width), duplicates.source, t.values.type.name});
  formats::launch_kernel({build_header, name, catalogue::type_preamble(t.values.type) + duplicates.preamble},
                         shape, room.arguments);
}

/// By one launch, for which nothing is prepared and of which one number is read back.
formats::Coo built_of_few(const Tuples& t, uint64_t rows, uint64_t columns, const BinaryOp& duplicates) {
  Room room(t, rows, columns, duplicates);
  launch_to_entries(room, "build_few", row_type(t) + ", " + column_type(t), t, duplicates,
                    formats::overlapping(1, BuildFew::threads));
  room.entries.entries = room.state.read<BuildState>().runs;
  return room.entries;
}

/// By three launches, of which one number is read back. None where more than build_copies are at one place.
std::optional<formats::Coo> built_of_tiles(const Tuples& t, uint64_t rows, uint64_t columns,
                                           const BinaryOp& duplicates, Width key_width) {
  Room room(t, rows, columns, duplicates);
  const std::string key = formats::index_type(key_width);
  const Buffer keys(t.count * formats::bytes_of(key_width)), sorted_keys(keys.bytes());
  const Buffer places(t.count * sizeof(uint32_t)), sorted_places(places.bytes());
  const uint64_t head_tiles = formats::blocks_for(t.count, BuildTiles::heads);
  const Buffer heads(head_tiles * sizeof(uint32_t));
  BuildArguments& arguments = room.arguments;
  arguments.keys = keys.data();
  arguments.places = places.as<uint32_t>();
  arguments.sorted_keys = sorted_keys.data();
  arguments.sorted_places = sorted_places.as<uint32_t>();
  arguments.tile_heads = heads.as<uint32_t>();
  formats::launch_kernel(
      {build_header, template_id("build_tiles", {row_type(t), column_type(t), key}), {}},
      formats::overlapping(formats::blocks_for(t.count, BuildTiles::tuples), BuildTiles::threads), arguments);
  formats::launch_kernel({build_header, template_id("build_ranks", {key}), {}},
                         formats::overlapping(formats::blocks_for(t.count)), arguments);
  launch_to_entries(room, "build_entries", key, t, duplicates,
                    formats::overlapping(head_tiles, BuildTiles::heads));
  const auto found = room.state.read<BuildState>();
  if (found.long_runs != 0) return std::nullopt;
  room.entries.entries = found.runs;
  return room.entries;
}

/// Tuples that ascend, each place once, are the entries.
formats::Coo built_of_entries(const Tuples& t, uint64_t rows, uint64_t columns,
                              const std::optional<BinaryOp>& duplicates) {
  const DeviceVector values = duplicates ? formats::cast(t.values, duplicates->z) : t.values;
  formats::Coo entries(formats::sparse_shape(values.type, rows, columns, t.count, values.iso));
  entries.row_width = formats::index_width(rows);
  entries.row_indices = formats::shifted(t.rows, t.row_width, entries.row_width, t.count, 0);
  entries.column_indices = formats::shifted(t.columns, t.column_width, entries.column_width, t.count, 0);
  entries.values = values.values;
  return entries;
}

/// Row and column of each tuple side by side.
Keys keys_of(const Tuples& t, const BuildArguments& tuples, Width width) {
  const Buffer keys(t.count * formats::bytes_of(width));
  BuildArguments arguments = tuples;
  arguments.keys = keys.data();
  launch(template_id("build_keys", {formats::index_type(t.row_width), formats::index_type(t.column_width),
                                    formats::index_type(width)}),
         t.count, arguments);
  return {keys, width, t.count, /*repeats=*/true};
}

/// One entry a run.
formats::Coo entries_of(const Keys& keys, const Runs& runs, const DeviceVector& values, uint64_t rows,
                        uint64_t columns) {
  formats::Coo entries(formats::sparse_shape(values.type, rows, columns, runs.count, values.iso));
  entries.row_width = formats::index_width(rows);
  entries.row_indices = Buffer(runs.count * formats::bytes_of(entries.row_width));
  entries.column_indices = Buffer(runs.count * formats::bytes_of(entries.column_width));
  entries.values = values.values;
  BuildArguments arguments = keys.arguments(runs);
  arguments.column_bits = bits_of(columns);
  arguments.out_rows = entries.row_indices.data();
  arguments.out_columns = entries.column_indices.data();
  launch(template_id("build_places", {keys.type(), formats::index_type(entries.row_width),
                                      formats::index_type(entries.column_width), runs.position()}),
         runs.count, arguments);
  return entries;
}

/// Columns and offsets of a matrix by rows.
struct Places {
  Buffer columns, offsets;
  bool repeats = false;  ///< a key does, which was to be a run
};
Places places_of(const Keys& keys, const Runs& runs, uint64_t rows, uint64_t columns) {
  const Width column = formats::index_width(columns), offset = formats::Csr::offset_width_for(runs.count);
  const Buffer state = Buffer::zeroed(sizeof(BuildState));
  Places places{Buffer(runs.count * formats::bytes_of(column)),
                Buffer((rows + 1) * formats::bytes_of(offset))};
  BuildArguments arguments = keys.arguments(runs);
  arguments.column_bits = bits_of(columns);
  arguments.row_count = rows;
  arguments.state = state.as<BuildState>();
  arguments.offsets = places.offsets.data();
  arguments.out_columns = places.columns.data();
  launch(template_id("build_rows", {keys.type(), formats::index_type(offset), formats::index_type(column),
                                    runs.position()}),
         runs.count + 1, arguments);
  if (!runs.starts) places.repeats = state.read<BuildState>().repeats != 0;
  return places;
}

/// Tuples with what is known of them before a sort.
struct Given {
  const Tuples& tuples;
  BuildArguments arguments;
  unsigned bits;  ///< of a key
  BuildState order;

  Given(const Tuples& t, uint64_t rows, uint64_t columns)
      : tuples(t), bits(bits_of(rows) + bits_of(columns)) {
    if (bits > 64) throw Declined("places of more than 64 bits");
    arguments.count = t.count;
    arguments.column_bits = bits_of(columns);
    arguments.rows = t.rows.data();
    arguments.columns = t.columns.data();
  }
  /// Looks at them. Whether they are the entries as they are.
  bool are_entries() {
    order = order_of(formats::index_type(tuples.row_width), tuples.column_width, arguments);
    return order.descends == 0 && order.repeats == 0;
  }
  Width key_width() const { return bits <= 32 ? Width::bits32 : Width::bits64; }
  Keys keys() const {
    Keys keys = keys_of(tuples, arguments, key_width());
    if (order.descends != 0) keys.sort(bits, tuples.values);
    return keys;
  }
};

/// By few launches, where there are few tuples.
std::optional<formats::Coo> built_at_once(const Tuples& t, uint64_t rows, uint64_t columns,
                                          const std::optional<BinaryOp>& duplicates, Width key_width) {
  if (!duplicates || t.values.iso || t.count == 0 || t.count > BuildTiles::most) return std::nullopt;
  if (t.count <= BuildFew::tuples) return built_of_few(t, rows, columns, *duplicates);
  return built_of_tiles(t, rows, columns, *duplicates, key_width);
}

formats::Csr built_by_rows(const Tuples& t, uint64_t rows, uint64_t columns,
                           const std::optional<BinaryOp>& duplicates) {
  Given given(t, rows, columns);
  if (const auto entries = built_at_once(t, rows, columns, duplicates, given.key_width()))
    return to_csr(*entries);
  if (given.are_entries()) return to_csr(built_of_entries(t, rows, columns, duplicates));
  const Keys keys = given.keys();
  Runs runs;
  runs.count = t.count;
  Places places;
  bool repeats = given.order.descends == 0;
  if (!repeats) {  // as far as is known: it is looked for on the way
    places = places_of(keys, runs, rows, columns);
    repeats = places.repeats;
  }
  if (repeats) {
    runs = allowed_runs(keys, t.count, duplicates);
    places = places_of(keys, runs, rows, columns);
  }
  const DeviceVector values = values_of_runs(keys, runs, t, duplicates);
  formats::Csr csr(formats::sparse_shape(values.type, rows, columns, runs.count, values.iso));
  csr.offsets = places.offsets;
  csr.column_indices = places.columns;
  csr.values = values.values;
  return csr;
}

}  // namespace

formats::Coo built(const Tuples& t, uint64_t rows, uint64_t columns,
                   const std::optional<BinaryOp>& duplicates) {
  Given given(t, rows, columns);
  if (auto entries = built_at_once(t, rows, columns, duplicates, given.key_width()))
    return *std::move(entries);
  if (given.are_entries()) return built_of_entries(t, rows, columns, duplicates);
  Keys keys = given.keys();
  keys.look_for_repeats();
  const Runs runs = allowed_runs(keys, t.count, duplicates);
  return entries_of(keys, runs, values_of_runs(keys, runs, t, duplicates), rows, columns);
}

void build(DeviceMatrix& c, const Tuples& tuples, const std::optional<BinaryOp>& duplicates) {
  check_types_of(c.type, tuples, duplicates);
  if (tuples.count == 0) return;
  const bool by_column = c.by_column;
  const uint64_t rows = by_column ? c.columns : c.rows, columns = by_column ? c.rows : c.columns;
  formats::require_entries_for_rows(rows, tuples.count);
  write_back({c, {}, std::nullopt, false}, PreparedMatrixMask{},
             built_by_rows(by_column ? flipped(tuples) : tuples, rows, columns, duplicates), by_column,
             /*masked=*/false);
}

bool ascend(const Buffer& indices, Width width, uint64_t count) {
  BuildArguments places;
  places.count = count;
  places.columns = indices.data();
  const BuildState order = order_of("void", width, places);
  return order.descends == 0 && order.repeats == 0;
}

void build(DeviceVector& w, const Tuples& tuples, const std::optional<BinaryOp>& duplicates) {
  check_types_of(w.type, tuples, duplicates);
  if (tuples.count == 0) return;
  BuildArguments places;
  places.count = tuples.count;
  places.columns = tuples.columns.data();
  const BuildState order = order_of("void", tuples.column_width, places);
  Keys keys(tuples.columns, tuples.column_width, tuples.count, order.repeats != 0);
  if (order.descends != 0) {
    keys.sort(bits_of(w.length), tuples.values);
    keys.look_for_repeats();
  }
  const Runs runs = allowed_runs(keys, tuples.count, duplicates);
  DeviceVector t = values_of_runs(keys, runs, tuples, duplicates);
  t.length = w.length;
  t.form = Form::sparse;
  t.set_nvals(runs.count);
  const Width width = formats::index_width(w.length);
  if (!runs.starts && keys.width() == width) {
    t.indices = keys.buffer();
  } else {
    t.indices = Buffer(runs.count * formats::bytes_of(width));
    BuildArguments arguments = keys.arguments(runs);
    arguments.out_columns = t.indices.data();
    launch(template_id("build_places", {keys.type(), "void", formats::index_type(width), runs.position()}),
           runs.count, arguments);
  }
  write_back(VectorOutput{w, {}, std::nullopt, false}, std::move(t), /*masked=*/false);
}

}  // namespace cugrb::operations
