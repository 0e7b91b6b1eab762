#include "src/formats/csb.h"

#include <algorithm>

#include "src/formats/element_kernels.h"
#include "src/formats/filled.h"
#include "src/support/declined.h"

namespace cugrb::formats {

using runtime::Buffer;

namespace {

constexpr char csb_header[] = "csb_build.h";

/// Of the steps that a band's entries fill: where more would be needed, its places are not worth it.
constexpr uint64_t most_steps_share[2] = {5, 4};

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

  /// Bands of as many rows as there are slots for in each of them.
  bool cut_into_bands() {
    constexpr int most_attempts = 16;
    slot_counts_ = Buffer((matrix_.rows + 1) * sizeof(uint32_t));
    rows_.slot_counts = slot_counts_.as<uint32_t>();
    uint64_t band_rows = std::min<uint64_t>(matrix_.rows, made_.parameters.most_slots);
    for (int attempt = 0; attempt < most_attempts && band_rows > 0; ++attempt) {
      band_rows = blocks_for(matrix_.rows, evenly_shared(blocks_for(matrix_.rows, band_rows)));
      count_slots(uint32_t(band_rows));
      if (made_.slots <= made_.parameters.most_slots) {
        list_slots();
        return true;
      }
      // Further slots are fewer than a step's places and a half, however large the band is.
      const uint64_t excess = made_.slots - made_.parameters.most_slots;
      band_rows -= std::min(excess, (band_rows + 2) / 3);
    }
    return false;
  }

  /// So many bands, or a few more with which no block has parts of two.
  uint64_t evenly_shared(uint64_t bands) const {
    const uint64_t blocks = made_.parameters.blocks, most = std::min(blocks, bands + bands / 5);
    for (uint64_t more = bands; more <= most; ++more) {
      if (blocks % more == 0) return more;
    }
    return bands;
  }

  void count_slots(uint32_t band_rows) {
    made_.band_rows = rows_.band_rows = band_rows;
    made_.bands = rows_.bands = blocks_for(matrix_.rows, band_rows);
    rows_.expected_entries = made_.parameters.step_places() * 3 / 2;
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
                  blocks_for(matrix_.entries, 1024), rows_);
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
    run_list_ = Buffer::from_host(runs_.data(), runs_.size() * sizeof(CsbRun));
  }

  void choose_steps() {
    const uint32_t step_places = made_.parameters.step_places();
    std::vector<uint32_t> most = {0};
    for (const CsbRun& run : runs_) {
      const uint64_t needed = blocks_for(run.entries, step_places);
      most.push_back(most.back() + uint32_t(needed * most_steps_share[0] / most_steps_share[1] + 2));
    }
    most_steps_ = Buffer::from_host(most.data(), most.size() * sizeof(uint32_t));
    steps_ = Buffer(runs_.size() * sizeof(uint32_t));
    chosen_ = Buffer(uint64_t(most.back()) * step_places * sizeof(uint32_t));
    slots_ = filled(uint64_t(most.back()) * step_places * sizeof(uint16_t), 0xff);
    CsbStepsArguments a;
    a.keys = keys_.data();
    a.payload = payload_.as<uint64_t>();
    a.runs = run_list_.as<CsbRun>();
    a.row_slots = made_.row_slots.as<uint16_t>();
    a.band_rows = made_.band_rows;
    a.column_bits = rows_.column_bits;
    a.step_places = step_places;
    a.most_steps = most_steps_.as<uint32_t>();
    a.steps = steps_.as<uint32_t>();
    a.chosen = chosen_.as<uint32_t>();
    a.slots = slots_.as<uint16_t>();
    runtime::LaunchShape shape;
    shape.blocks = runs_.size();
    shape.threads = block_threads;
    shape.shared_bytes = uint64_t(step_places) * 16 + (uint64_t(made_.band_rows) * 2 + 1) * sizeof(uint16_t);
    const runtime::Kernel& kernel =
        jit::kernel({csb_header, std::string("csb_steps<") + index_type(key_width_) + ">", {}});
    runtime::launch(runtime::device(), kernel, shape, a);
  }

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
    return true;
  }

  void fill() {
    const uint64_t places = made_.steps() * made_.parameters.step_places();
    made_.places = Buffer(places * sizeof(uint32_t));
    made_.bases = Buffer(places / csb_chunk * sizeof(uint32_t));
    made_.values = matrix_.iso ? matrix_.values : Buffer::zeroed(places * matrix_.type.size);
    const Buffer first_steps = Buffer::from_host(run_steps_.data(), run_steps_.size() * sizeof(uint32_t));
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
    launch_blocks(csb_header, std::string("csb_fill<") + index_type(key_width_) + ", " + element + ">",
                  made_.steps(), a);
  }

  /// Steps that take as long as a piece's sums take to be cleared and stored.
  static constexpr uint64_t steps_of_piece = 2;

  /// Where block n's work begins, in all bands' work: equal stretches, but bands that are about as long as
  /// each other are cut by themselves.
  uint64_t cut_at(const std::vector<uint64_t>& work, uint64_t n) const {
    const uint64_t blocks = made_.parameters.blocks, each = blocks / made_.bands;
    if (!even_) return work.back() * n / blocks;
    const uint64_t b = n / each, length = n == blocks ? 0 : work[b + 1] - work[b] - steps_of_piece;
    return n == blocks ? work.back()
                       : work[b] + (n % each == 0 ? 0 : steps_of_piece + length * (n % each) / each);
  }

  /// Blocks get stretches of the bands' work, one band after the other.
  void share_out() {
    std::vector<uint64_t> work = {0};  // before each band
    uint64_t longest = 0;
    for (uint64_t b = 0; b < made_.bands; ++b) {
      const uint64_t steps = made_.first_steps[b + 1] - made_.first_steps[b];
      longest = std::max(longest, steps);
      work.push_back(work.back() + (steps > 0 ? steps_of_piece + steps : 0));
    }
    const uint64_t blocks = made_.parameters.blocks;
    even_ = blocks % made_.bands == 0 && longest * made_.bands * 10 <= made_.steps() * 11;
    std::vector<CsbPiece> pieces;
    std::vector<uint32_t> first_pieces = {0}, band_pieces(made_.bands + 1);
    uint64_t band = 0;
    for (uint64_t n = 0; n < blocks; ++n) {
      const uint64_t from = cut_at(work, n), until = cut_at(work, n + 1);
      while (band + 1 < made_.bands && work[band + 1] <= from) ++band;
      for (uint64_t b = band; b < made_.bands && work[b] < until; ++b) {
        const CsbPiece piece{uint32_t(b), step_at(work, b, from), step_at(work, b, until)};
        if (piece.first_step == piece.last_step) continue;
        pieces.push_back(piece);
        ++band_pieces[b + 1];
      }
      first_pieces.push_back(uint32_t(pieces.size()));
    }
    for (uint64_t b = 0; b < made_.bands; ++b) band_pieces[b + 1] += band_pieces[b];
    made_.pieces = pieces.size();
    made_.piece_list = Buffer::from_host(pieces.data(), pieces.size() * sizeof(CsbPiece));
    made_.first_pieces = Buffer::from_host(first_pieces.data(), first_pieces.size() * sizeof(uint32_t));
    made_.band_pieces = Buffer::from_host(band_pieces.data(), band_pieces.size() * sizeof(uint32_t));
  }

  /// Where band b is cut when so much work comes before.
  uint32_t step_at(const std::vector<uint64_t>& work, uint64_t b, uint64_t before) const {
    const uint64_t first = made_.first_steps[b], last = made_.first_steps[b + 1];
    const uint64_t begin = work[b] + steps_of_piece;
    return uint32_t(before <= begin ? first : std::min(last, first + (before - begin)));
  }

  const Csr& matrix_;
  Csb made_;
  CsbRowsArguments rows_;
  Width key_width_ = Width::bits32;
  bool even_ = false;  ///< every band is cut by itself
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

std::string csb_key(size_t result_bytes) { return "csb " + std::to_string(result_bytes); }

}  // namespace cugrb::formats
