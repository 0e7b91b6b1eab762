// Compressed sparse blocks back to CSR, entry by entry on the host.
#include <algorithm>
#include <utility>

#include "src/formats/csb.h"
#include "src/formats/csb_pieces.h"
#include "src/formats/host_entries.h"

namespace cugrb::formats {

namespace {

struct HostCsb {
  std::vector<uint32_t> places, bases;
  std::vector<uint16_t> row_slots;
  std::vector<char> values;
};

HostCsb to_host(const Csb& m) {
  HostCsb host;
  const uint64_t places = m.steps() * m.parameters.step_places();
  host.places = m.places.to_host<uint32_t>(places);
  host.bases = m.bases.to_host<uint32_t>(places / csb_chunk);
  host.row_slots = m.row_slots.to_host<uint16_t>(m.bands * (uint64_t(m.band_rows) + 1));
  if (!m.iso) host.values = m.values.to_host<char>(places * m.type.size);
  return host;
}

/// The row of a band that has the slot; past its rows when none has.
uint64_t row_of_slot(const Csb& m, const HostCsb& host, uint64_t band, uint32_t slot) {
  const auto first = host.row_slots.begin() + int64_t(band * (uint64_t(m.band_rows) + 1));
  const auto next = std::upper_bound(first, first + m.band_rows + 1, uint16_t(slot));
  return next == first + m.band_rows + 1 ? m.rows : band * m.band_rows + uint64_t(next - first) - 1;
}

/// Calls visit(band, step, order, place) for every place that an entry takes.
template <class Visit>
void visit_entries(const Csb& m, const HostCsb& host, const Visit& visit) {
  for (uint64_t band = 0; band < m.bands; ++band) {
    for (uint64_t step = m.first_steps[band]; step < m.first_steps[band + 1]; ++step) {
      for (uint64_t n = 0; n < m.parameters.step_places(); ++n) {
        const uint64_t order = step * m.parameters.step_places() + n, place = csb_place(order);
        if (host.places[place] >> 16 != no_csb_slot) visit(band, step, order, place);
      }
    }
  }
}

uint64_t column_at(const HostCsb& host, uint64_t place) {
  return uint64_t(host.bases[place / csb_chunk]) + (host.places[place] & 0xffffu);
}

}  // namespace

Csr to_csr(const Csb& matrix) {
  const HostCsb host = to_host(matrix);
  const size_t bytes = matrix.iso ? 0 : matrix.type.size;
  std::vector<HostEntry> entries;
  visit_entries(matrix, host, [&](uint64_t band, uint64_t, uint64_t, uint64_t place) {
    entries.push_back({row_of_slot(matrix, host, band, host.places[place] >> 16), column_at(host, place),
                       std::string(host.values.data() + place * bytes, bytes)});
  });
  return csr_of_entries(matrix, std::move(entries), matrix.values);
}

namespace {

/// Pieces that are stored are listed in order, and their bands know them.
std::string check_stored(const Csb& m, const std::vector<CsbPiece>& pieces) {
  const std::vector<uint32_t> of_bands = m.band_pieces.to_host<uint32_t>(m.bands + 1);
  for (size_t p = 0; p < pieces.size(); ++p) {
    const CsbPiece& piece = pieces[p];
    if (piece.last_step == piece.first_step) return "a piece without a step";
    if (p > 0 && piece.first_step < pieces[p - 1].last_step) return "pieces out of order";
    if (p < of_bands[piece.band] || p >= of_bands[piece.band + 1])
      return "a piece that its band does not know";
  }
  return {};
}

/// The blocks of a cluster have as many pieces, of the same bands.
std::string check_clusters(const Csb& m, const std::vector<CsbPiece>& pieces,
                           const std::vector<uint32_t>& of_blocks) {
  for (uint32_t block = 0; block < m.parameters.blocks; ++block) {
    const uint32_t first = of_blocks[block], count = of_blocks[block + 1] - first;
    const uint32_t head = block / m.parameters.cluster * m.parameters.cluster;
    if (of_blocks[head + 1] - of_blocks[head] != count)
      return "a cluster whose blocks have not as many pieces";
    for (uint32_t p = 0; p < count; ++p) {
      if (pieces[first + p].band != pieces[of_blocks[head] + p].band)
        return "a cluster whose blocks have pieces of different bands";
    }
  }
  return {};
}

/// Every step belongs to one piece, of its band, and every piece to a block.
std::string check_pieces(const Csb& m) {
  const std::vector<CsbPiece> pieces = m.piece_list.to_host<CsbPiece>(m.pieces);
  std::vector<uint32_t> sums(m.steps());  // how many make a step
  for (const CsbPiece& piece : pieces) {
    if (piece.first_step > piece.last_step || piece.first_step < m.first_steps[piece.band] ||
        piece.last_step > m.first_steps[piece.band + 1])
      return "a piece reaches beyond its band";
    for (uint32_t step = piece.first_step; step < piece.last_step; ++step) ++sums[step];
  }
  if (std::any_of(sums.begin(), sums.end(), [](uint32_t n) { return n != 1; }))
    return "a step of no piece, or of two";
  const std::vector<uint32_t> of_blocks = m.first_pieces.to_host<uint32_t>(m.parameters.blocks + 1);
  if (!std::is_sorted(of_blocks.begin(), of_blocks.end()) || of_blocks.back() != m.pieces)
    return "pieces that no block has";
  std::string wrong =
      m.parameters.cluster == 0 ? check_stored(m, pieces) : check_clusters(m, pieces, of_blocks);
  if (wrong.empty() && CsbPieces{pieces, of_blocks, {}}.longest_steps() != m.longest_steps)
    return "another block has most steps";
  return wrong;
}

/// Rows of several slots are listed, by band.
std::string check_shared_rows(const Csb& m, const HostCsb& host) {
  const std::vector<uint32_t> bounds = m.band_shared.to_host<uint32_t>(m.bands + 1);
  const std::vector<uint32_t> listed = m.shared_rows.to_host<uint32_t>(bounds.back());
  for (uint64_t band = 0; band < m.bands; ++band) {
    uint32_t next = bounds[band];
    const uint16_t* slots = &host.row_slots[band * (uint64_t(m.band_rows) + 1)];
    for (uint32_t row = 0; row < m.band_rows; ++row) {
      if (slots[row + 1] - slots[row] < 2) continue;
      if (next == bounds[band + 1] || listed[next++] != (uint32_t(slots[row + 1]) << 16 | slots[row]))
        return "a row of several slots that is not listed";
    }
    if (next != bounds[band + 1]) return "a row of one slot among those of several";
  }
  return {};
}

}  // namespace

std::string check(const Csb& matrix) {
  if (!matrix.failure.empty()) return matrix.failure;
  if (std::string wrong = check_pieces(matrix); !wrong.empty()) return wrong;
  const HostCsb host = to_host(matrix);
  std::string wrong = check_shared_rows(matrix, host);
  if (!wrong.empty()) return wrong;
  std::vector<uint64_t> step_of_slot(matrix.slots, ~uint64_t(0));
  uint64_t entries = 0;
  visit_entries(matrix, host, [&](uint64_t band, uint64_t step, uint64_t order, uint64_t place) {
    ++entries;
    const uint32_t slot = host.places[place] >> 16;
    if (slot >= matrix.slots || row_of_slot(matrix, host, band, slot) >= matrix.rows) {
      wrong = "a slot that no row has";
    } else if (step_of_slot[slot] == step) {
      wrong = "a step that asks for a slot twice";
    } else {
      step_of_slot[slot] = step;
    }
    // A chunk's entries come without gaps.
    if (order % csb_chunk == 0) return;
    const uint64_t before = csb_place(order - 1);
    if (host.places[before] >> 16 == no_csb_slot)
      wrong = "a gap in a chunk";
    else if (matrix.parameters.sum_bytes > 4 && column_at(host, before) > column_at(host, place))
      wrong = "a chunk that goes back to an earlier column";
  });
  if (!wrong.empty()) return wrong;
  if (entries != matrix.entries) return "entries that are not there, or there twice";
  return check(to_csr(matrix));  // ascending and in range
}

}  // namespace cugrb::formats
