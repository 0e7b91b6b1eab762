#include "src/formats/csb.h"

#include <algorithm>

#include "src/formats/csb_pieces.h"
#include "src/formats/element_kernels.h"
#include "src/support/declined.h"

namespace cugrb::formats {

using runtime::Buffer;

namespace {

constexpr char csb_header[] = "csb_build.h";

/// Steps over those that the entries fill: where more would be needed, their places are not worth it. A run's
/// last ones are nearly empty, while a row's entries wait for each other.
constexpr uint64_t most_steps_share[2] = {5, 4}, last_steps_of_run = 2, most_last_steps = 10;

unsigned bits_below(uint64_t count) {
  unsigned bits = 1;
  while (bits < 64 && (uint64_t(1) << bits) < count) ++bits;
  return bits;
}

/// Builds a Csb: the stages of build(), in that order.
class CsbBuilder {
 public:
  CsbBuilder(const Csr& matrix, const CsbParameters& parameters)
      : matrix_(matrix), made_(matrix, parameters) {
    rows_.matrix = matrix.view();
  }

  Csb build() {
    if (!cut_into_bands()) return failed("a row has too many entries for a band's slots");
    sort_entries();
    cut_into_runs();
    choose_steps();
    if (!count_steps()) return failed("its bands' entries do not fill steps");
    fill();
    share_out();
    runtime::device().synchronize();  // mxv_csb reads it without waiting for earlier kernels
    return std::move(made_);
  }

 private:
  Csb failed(const char* why) const {
    Csb nothing(matrix_, made_.parameters);
    nothing.failure = why;
    return nothing;
  }

  void launch_rows(const std::string& stem, const std::string& arguments, uint64_t threads) const {
    launch_blocks(csb_header, stem + "<" + arguments + ">", blocks_for(threads), rows_);
  }

  /// Bands of as many rows as there are slots for in each of them, as many for every cluster.
  bool cut_into_bands() {
    constexpr int most_attempts = 16;
    slot_counts_ = Buffer((matrix_.rows + 1) * sizeof(uint32_t));
    rows_.slot_counts = slot_counts_.as<uint32_t>();
    count_slots(uint32_t(matrix_.rows), 0);
    filled_rows_ = made_.slots;
    uint64_t band_rows = std::min<uint64_t>(matrix_.rows, rows_of_slots(made_.parameters.most_slots));
    for (int attempt = 0; attempt < most_attempts && band_rows > 0; ++attempt) {
      const uint64_t clusters = made_.parameters.clusters();
      const uint64_t bands = blocks_for(blocks_for(matrix_.rows, band_rows), clusters) * clusters;
      band_rows = blocks_for(matrix_.rows, bands);
      count_slots(uint32_t(band_rows), made_.parameters.step_places() * 3 / 2);
      if (made_.slots <= made_.parameters.most_slots) {
        list_slots();
        return true;
      }
      // Further slots are fewer than a step's places and a half, however large the band is.
      const uint64_t excess = made_.slots - made_.parameters.most_slots;
      band_rows -= std::min(rows_of_slots(excess), (band_rows + 2) / 3);
    }
    return false;
  }
  /// Rows that have so many slots, one each where they have entries.
  uint64_t rows_of_slots(uint64_t slots) const {
    return std::max<uint64_t>(
        1, uint64_t(double(slots) * double(matrix_.rows) / double(std::max<uint64_t>(1, filled_rows_))));
  }

  /// Slots of bands of so many rows: one for a row with entries, and more for its share of `expected`.
  void count_slots(uint32_t band_rows, uint32_t expected) {
    made_.band_rows = rows_.band_rows = band_rows;
    made_.bands = rows_.bands = blocks_for(matrix_.rows, band_rows);
    rows_.expected_entries = expected;
    launch_rows("csb_count_slots", index_type(matrix_.offset_width), matrix_.rows);
    primitives::exclusive_sum(Width::bits32, slot_counts_.data(), slot_counts_.data(), matrix_.rows);
    band_slots_ = Buffer((made_.bands + 1) * sizeof(uint64_t));
    band_entries_ = Buffer((made_.bands + 1) * sizeof(uint64_t));
    rows_.band_slots = band_slots_.as<uint64_t>();
    rows_.band_entries = band_entries_.as<uint64_t>();
    launch_rows("csb_band_starts", index_type(matrix_.offset_width), made_.bands + 1);
    const std::vector<uint64_t> before = band_slots_.to_host<uint64_t>(made_.bands + 1);
    made_.slots = 0;
    for (uint64_t b = 0; b < made_.bands; ++b) {
      made_.slots = std::max(made_.slots, uint32_t(before[b + 1] - before[b]));
    }
  }

  void list_slots() {
    const uint64_t count = made_.bands * (uint64_t(made_.band_rows) + 1);
    made_.row_slots = Buffer(count * sizeof(uint16_t));
    rows_.row_slots = made_.row_slots.as<uint16_t>();
    launch_rows("csb_row_slots", "0", count);
    list_shared_rows();
  }

  void list_shared_rows() {
    const Buffer flags(matrix_.rows), positions(matrix_.rows * sizeof(uint64_t)), count(sizeof(uint64_t));
    rows_.flags = flags.as<uint8_t>();
    rows_.positions = positions.as<uint64_t>();
    launch_rows("csb_shared_flags", "0", matrix_.rows);
    primitives::positions_of_flags(Width::bits64, flags.as<uint8_t>(), matrix_.rows, positions.data(),
                                   count.as<uint64_t>());
    rows_.shared_count = count.read<uint64_t>();
    made_.shared_rows = Buffer(rows_.shared_count * sizeof(uint32_t));
    made_.band_shared = Buffer((made_.bands + 1) * sizeof(uint32_t));
    rows_.shared_rows = made_.shared_rows.as<uint32_t>();
    rows_.band_shared = made_.band_shared.as<uint32_t>();
    launch_rows("csb_shared_rows", "0", std::max(rows_.shared_count, made_.bands + 1));
  }

  void sort_entries() {
    const unsigned column_bits = bits_below(matrix_.columns),
                   key_bits = column_bits + bits_below(made_.bands);
    key_width_ = key_bits <= 32 ? Width::bits32 : Width::bits64;
    const size_t key_bytes = matrix_.entries * bytes_of(key_width_);
    const Buffer keys(key_bytes), payload(matrix_.entries * sizeof(uint64_t));
    keys_ = Buffer(key_bytes);
    payload_ = Buffer(payload.bytes());
    rows_.column_bits = column_bits;
    rows_.keys = keys.data();
    rows_.payload = payload.as<uint64_t>();
    launch_blocks(csb_header,
                  std::string("csb_keys<") + index_type(matrix_.offset_width) + ", " +
                      index_type(matrix_.column_width) + ", " + index_type(key_width_) + ">",
                  entry_tiles(matrix_.entries), rows_);
    primitives::sort_pairs(key_width_, keys.data(), keys_.data(), payload.as<uint64_t>(),
                           payload_.as<uint64_t>(), matrix_.entries, key_bits);
  }

  void cut_into_runs() {
    const std::vector<uint64_t> before = band_entries_.to_host<uint64_t>(made_.bands + 1);
    const uint64_t usual = uint64_t(csb_steps_of_run) * made_.parameters.step_places();
    for (uint64_t b = 0; b < made_.bands; ++b) {
      const uint64_t entries = before[b + 1] - before[b], count = std::max<uint64_t>(1, entries / usual);
      for (uint64_t n = 0; n < count; ++n) {
        const uint64_t first = entries * n / count, last = entries * (n + 1) / count;
        runs_.push_back({before[b] + first, uint32_t(last - first), uint32_t(b)});
      }
    }
    run_list_ = on_device(runs_);
  }

  void choose_steps() {
    const uint32_t step_places = made_.parameters.step_places();
    std::vector<uint32_t> most = {0};
    for (const CsbRun& run : runs_) {
      const uint64_t needed = blocks_for(run.entries, step_places);
      most.push_back(most.back() + uint32_t(steps_worth(needed) + most_last_steps));
    }
    most_steps_ = on_device(most);
    steps_ = Buffer(runs_.size() * sizeof(uint32_t));
    chosen_ = Buffer(uint64_t(most.back()) * step_places * sizeof(uint32_t));
    slots_ = Buffer::filled(uint64_t(most.back()) * step_places * sizeof(uint16_t), 0xff);
    CsbStepsArguments a;
    a.keys = keys_.data();
    a.payload = payload_.as<uint64_t>();
    a.runs = run_list_.as<CsbRun>();
    a.row_slots = made_.row_slots.as<uint16_t>();
    a.band_rows = made_.band_rows;
    a.most_slots = made_.slots;
    a.column_bits = rows_.column_bits;
    a.step_places = step_places;
    a.most_steps = most_steps_.as<uint32_t>();
    a.steps = steps_.as<uint32_t>();
    a.chosen = chosen_.as<uint32_t>();
    a.slots = slots_.as<uint16_t>();
    launch_sharing_blocks(csb_header, std::string("csb_steps<") + index_type(key_width_) + ">", runs_.size(),
                          size_t(step_places) * 16 + size_t(made_.slots) * 2 * sizeof(uint16_t), a);
  }

  static uint64_t steps_worth(uint64_t needed) { return needed * most_steps_share[0] / most_steps_share[1]; }

  /// Whether all runs could be cut into few enough.
  bool count_steps() {
    run_steps_ = {0};
    made_.first_steps.assign(made_.bands + 1, 0);
    const std::vector<uint32_t> steps = steps_.to_host<uint32_t>(runs_.size());
    for (size_t r = 0; r < runs_.size(); ++r) {
      if (steps[r] == no_csb_steps) return false;
      run_steps_.push_back(run_steps_.back() + steps[r]);
      made_.first_steps[runs_[r].band + 1] = run_steps_.back();
    }
    const uint64_t needed = blocks_for(matrix_.entries, made_.parameters.step_places());
    return made_.steps() <= steps_worth(needed) + last_steps_of_run * runs_.size();
  }

  void fill() {
    const uint64_t places = made_.steps() * made_.parameters.step_places();
    made_.places = Buffer(places * sizeof(uint32_t));
    made_.bases = Buffer(places / csb_chunk * sizeof(uint32_t));
    made_.values = matrix_.iso ? matrix_.values : Buffer::zeroed(places * matrix_.type.size);
    const Buffer first_steps = on_device(run_steps_);
    CsbFillArguments a;
    a.matrix = matrix_.view();
    a.keys = keys_.data();
    a.payload = payload_.as<uint64_t>();
    a.runs = run_list_.as<CsbRun>();
    a.run_count = runs_.size();
    a.column_bits = rows_.column_bits;
    a.step_places = made_.parameters.step_places();
    a.most_steps = most_steps_.as<uint32_t>();
    a.first_steps = first_steps.as<uint32_t>();
    a.chosen = chosen_.as<uint32_t>();
    a.slots = slots_.as<uint16_t>();
    a.entries = made_.places.as<uint32_t>();
    a.bases = made_.bases.as<uint32_t>();
    a.values = made_.values.data();
    const std::string element = matrix_.iso ? "void" : element_of_bytes(matrix_.type.size);
    const uint32_t sum_bytes = made_.parameters.sum_bytes;
    a.bank_shift = sum_bytes == 4 ? 0 : sum_bytes == 2 ? 1 : sum_bytes == 1 ? 2 : 3;
    launch_sharing_blocks(csb_header,
                          std::string("csb_fill<") + index_type(key_width_) + ", " + element + ">",
                          made_.steps(), (2 * size_t(a.step_places) + 128) * sizeof(uint16_t), a);
  }

  void share_out() {
    CsbParameters& p = made_.parameters;
    std::optional<CsbPieces> whole;
    if (p.cluster > 0) whole = share_csb_bands(made_.first_steps, p.clusters(), p.cluster);
    if (!whole) {
      p.cluster = 0;
      p.blocks = std::max(p.blocks, p.storing_blocks);
    }
    const CsbPieces shares = whole ? std::move(*whole) : share_csb_steps(made_.first_steps, p.blocks);
    made_.pieces = shares.pieces.size();
    made_.longest_steps = shares.longest_steps();
    made_.piece_list = on_device(shares.pieces);
    made_.first_pieces = on_device(shares.first_pieces);
    made_.band_pieces = on_device(shares.band_pieces);
  }
  template <class T>
  static Buffer on_device(const std::vector<T>& list) {
    return Buffer::from_host(list.data(), list.size() * sizeof(T));
  }

  const Csr& matrix_;
  Csb made_;
  CsbRowsArguments rows_;
  uint64_t filled_rows_ = 0;  ///< those with entries
  Width key_width_ = Width::bits32;
  Buffer slot_counts_, band_slots_, band_entries_, keys_, payload_;
  std::vector<CsbRun> runs_;
  std::vector<uint32_t> run_steps_;  ///< runs + 1: steps before each
  Buffer run_list_, most_steps_, steps_, chosen_, slots_;
};

}  // namespace

CsbView Csb::view() const {
  CsbView view;
  view.entries = places.as<uint32_t>();
  view.bases = bases.as<uint32_t>();
  view.values = values.data();
  view.row_slots = row_slots.as<uint16_t>();
  view.shared_rows = shared_rows.as<uint32_t>();
  view.band_shared = band_shared.as<uint32_t>();
  view.band_rows = band_rows;
  view.rows = rows;
  return view;
}

size_t Csb::bytes() const {
  size_t bytes = 0;
  for (const Buffer* buffer :
       {&places, &bases, &row_slots, &shared_rows, &band_shared, &piece_list, &first_pieces, &band_pieces}) {
    bytes += buffer->bytes();
  }
  return iso ? bytes : bytes + values.bytes();  // an iso value is the CSR's
}

Csb make_csb(const Csr& matrix, const CsbParameters& parameters) {
  constexpr uint64_t most = uint64_t(1) << 32;
  if (matrix.rows >= most || matrix.columns >= most || matrix.entries >= uint64_t(1) << csb_position_bits) {
    throw Declined("csb: rows and columns need 32-bit numbers");
  }
  return CsbBuilder(matrix, parameters).build();
}

}  // namespace cugrb::formats
