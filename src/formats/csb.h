// Compressed sparse blocks: bands of rows whose sums fit shared memory, their entries by column.
#pragma once
#include <string>
#include <vector>

#include "cuda/views/csb.h"
#include "src/formats/matrix.h"

namespace cugrb::formats {

struct CsbParameters {
  uint32_t most_slots = 0;  ///< sums of a band; up to most_csb_slots
  uint32_t threads = 1024;  ///< of a block; a step has four places a thread. Whole warps
  uint32_t blocks = 1;      ///< that share the steps: as many as are resident at once, whole clusters
  /// Blocks that sum a band together and make its rows of T; 0: the sums of pieces are stored, and a second
  /// launch adds them up. A matrix whose bands are too uneven gets 0 (share_csb_bands).
  uint32_t cluster = 0;
  /// What shares the steps then, where it is more than `blocks`: clusters may leave multiprocessors idle.
  uint32_t storing_blocks = 0;

  /// Of a sum. Where it is 4 or less, each 32 entries that a warp adds together have few sums in one bank of
  /// shared memory (cuda/kernels/csb_banks.h).
  uint32_t sum_bytes = 8;

  uint32_t clusters() const { return cluster == 0 ? 1 : blocks / cluster; }

  uint32_t step_places() const { return 4 * threads; }
};
/// 16-bit slots, twice in shared memory while steps are made.
constexpr uint32_t most_csb_slots = 40960;
/// Steps of a run: so many that the last ones, which are not full, do not matter.
constexpr uint32_t csb_steps_of_run = 64;

/// Band b is the rows from b * band_rows on. A row with entries has a slot, and as many more as a
/// step is expected to have entries of it, and a half. A band's entries are in the order of their columns,
/// cut into steps of which none asks for a slot twice. An entry whose row has no slot left waits for the next
/// step, and a chunk ends where 16 bits do not count on. Places of a step that no entry takes have no slot.
/// An entry is 16 bits of slot and 16 of column, counted from its chunk's base. bytes = places * (4 + value +
/// 4 / csb_chunk) + 2 * (rows + bands) + 4 * rows of several slots.
class Csb final : public SparseShape {
 public:
  /// Bands suit the sums' size.
  struct Key {
    using Made = Csb;
    size_t sum_bytes;
    bool operator==(const Key&) const = default;
  };
  Csb(const SparseShape& shape, const CsbParameters& layout) : SparseShape(shape), parameters(layout) {}
  CsbParameters parameters;
  /// Why the matrix has no such form (entries of a row stand together in the order of columns, so that steps
  /// would stay empty); empty when it has. Nothing but its shape is there then.
  std::string failure;
  uint32_t band_rows = 0;
  uint64_t bands = 0;
  uint32_t slots = 0;                 ///< of the largest band
  std::vector<uint32_t> first_steps;  ///< bands + 1: steps before each
  runtime::Buffer places, bases, values, row_slots, shared_rows, band_shared;  ///< CsbView
  uint64_t pieces = 0;
  uint32_t longest_steps = 0;                             ///< of the block that has most
  runtime::Buffer piece_list, first_pieces, band_pieces;  ///< MxvCsbArguments

  uint64_t steps() const { return first_steps.empty() ? 0 : first_steps.back(); }
  CsbView view() const;
  size_t bytes() const;
};

/// Ten launches, two scans, a compaction, a sort of all entries and six waits; O(entries), bands side by
/// side, a run of a band's entries one warp's round after the other. Throws Declined when rows or columns do
/// not fit 32 bits.
Csb make_csb(const Csr& matrix, const CsbParameters& parameters);

/// The same matrix by rows again (through the host; for tests and checks).
Csr to_csr(const Csb& matrix);
/// What is wrong with it; empty when nothing is (copies to the host).
std::string check(const Csb& matrix);

}  // namespace cugrb::formats
