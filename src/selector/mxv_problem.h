// One matrix-vector product as numbers, from which its kernels' times are predicted.
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "src/formats/column_popularity.h"
#include "src/formats/gather_sample.h"
#include "src/selector/decision.h"
#include "src/selector/hardware.h"
#include "src/selector/tile_forecast.h"
#include "src/selector/trials.h"

namespace cugrb::selector {

/// From call to call of a loop: the host makes a call while the device is at the one before. The slower of
/// the two counts, softly, since neither is even.
double slower_of(double call_seconds, double device_seconds);

/// One product T = M u, M being the matrix or its transpose, as numbers: the choice is a pure function of
/// this. "Pull" reads M by rows; "push" reads the transpose of M by rows, those that u selects.
struct MxvProblem {
  std::string operation;                        ///< for the decision's text: "mxv PLUS_SECOND_FP32"
  uint64_t rows = 0, columns = 0, entries = 0;  ///< of M
  size_t offset_bytes = 4, column_bytes = 4;
  size_t matrix_value_bytes = 0;  ///< read per entry; 0 when the values are iso or not read
  size_t vector_value_bytes = 0;  ///< read per entry; 0 when iso or not read
  size_t result_bytes = 4;        ///< the monoid's type

  uint64_t vector_entries = 0;
  Form vector_form = Form::full;
  double allowed_share = 1;  ///< of T's positions, by the mask (an estimate)

  bool stops_early = false;    ///< the monoid has a terminal value, or is ANY
  bool stops_at_once = false;  ///< and a few terms reach it
  bool has_identity = true;    ///< ANY has none
  bool swaps_to_add = true;    ///< a push adds to T by compare-and-swap: no single instruction does it

  bool pull_ready = true, push_ready = true;  ///< that CSR exists already
  uint64_t pull_uses = 0, push_uses = 0;      ///< how often each has been used
  formats::RowLengths pull_lengths;           ///< when pull_ready, or much of the matrix may be pushed
  formats::RowLengths push_lengths;           ///< the same for push_ready

  const formats::LengthDistribution* pull_distribution = nullptr;  ///< of M's rows; null: not known
  uint64_t memory_bytes = 0;                                       ///< of the device; 0: not known
  double host_call_seconds = 0;                                    ///< runtime::Device::host_call_seconds
  double slice_columns = 0;         ///< sum of the widths of the slices of 32 rows; 0: not known
  uint64_t hyb_threshold = 0;       ///< entries of a row in a HYB matrix's slices; 0: not chosen
  double hyb_slice_columns = 0;     ///< of slices of rows cut there; 0: not known
  formats::GatherLocality gathers;  ///< of M's entries; all ones: not known

  std::set<const Kernel*> ready_formats;  ///< kernels whose format has been made from M's CSR
  bool may_make_formats = true;           ///< the others are candidates, too; false for the first products
  std::string push_refusal, merge_refusal, tile_refusal;  ///< why the kernel cannot run this call, or empty
  std::string cusparse_refusal = "not asked for";         ///< the same
  bool deterministic = false;                             ///< sums must have a fixed order
  bool cusparse_open = true;                              ///< the library has been loaded

  unsigned devices = 1;              ///< that a product can be shared out to
  std::vector<double> device_paces;  ///< of each, the first one's being 1; empty: all are alike
  std::vector<double> part_shares;   ///< of the parts that there are; empty: there are none yet
  std::string parts_text;            ///< the parts that there are
  uint64_t part_columns = 0;         ///< that all other devices need together; 0: not known
  /// Entries outside of the blocks of rows, near the diagonal, that parts would be; nothing: they would not
  /// be, as far as anybody has looked.
  std::optional<double> entries_outside_of_blocks;
  std::optional<uint64_t> sent_between_parts;  ///< entries of u in parts that another device needs, of all
  bool own_in_place = false;                   ///< a device's own entries of u are read where they lie
  bool vector_in_parts = false;                ///< u lies in these parts already
  bool result_stays = false;  ///< T is left in parts: then u of the products that follow is in parts
  std::string parts_refusal = "there is one device (CUGRB_DEVICES)";  ///< why it cannot; empty when it can
  std::string push_parts_refusal = "there is one device (CUGRB_DEVICES)";  ///< the same of a push
  bool push_vector_in_parts = false;  ///< u lies in the parts of the columns

  std::string csb_failure;   ///< why the matrix has no such form, where that was tried
  uint32_t csb_steps = 0;    ///< of its block that has most, where it has been made; 0: it has not
  uint32_t csb_cluster = 0;  ///< as it has been made

  uint32_t tile_columns = 0;  ///< of operands of this product's type, for blocked and tile_composite
  /// For tile_composite; null as long as nobody has sampled the columns.
  const formats::ColumnPopularity* popularity = nullptr;
  const TileForecast* tile_forecast = nullptr;  ///< of tile_columns; null: not made yet
  int tiles_made = 0;                           ///< tiles of the format that is there already; 0: none is

  std::vector<Trial> trials;  ///< of such products with this matrix
};

}  // namespace cugrb::selector
