#include "src/formats/csb_pieces.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

#include "src/formats/launch.h"

namespace cugrb::formats {

namespace {

class Sharing {
 public:
  Sharing(const std::vector<uint32_t>& first_steps, uint32_t blocks)
      : first_steps_(first_steps), bands_(first_steps.size() - 1), blocks_(blocks) {
    shares_.band_pieces.resize(first_steps.size());
  }

  CsbPieces share() {
    const uint64_t longest = least_longest_piece();
    if (longest > 0 && (longest + steps_of_csb_piece) * blocks_ <= work_of_stretches()) {
      give_blocks_to_bands(longest);
    } else {
      cut_into_stretches();
    }
    std::vector<uint32_t>& bounds = shares_.band_pieces;  // pieces of each band, so far
    std::partial_sum(bounds.begin(), bounds.end(), bounds.begin());
    return std::move(shares_);
  }

 private:
  uint64_t steps_of(uint64_t band) const { return first_steps_[band + 1] - first_steps_[band]; }
  uint64_t blocks_for_pieces_of(uint64_t most_steps) const {
    uint64_t needed = 0;
    for (uint64_t band = 0; band < bands_; ++band) {
      needed += blocks_for(steps_of(band), most_steps);
    }
    return needed;
  }
  /// The fewest steps that the longest piece has when every block has one piece; 0 when bands are more.
  uint64_t least_longest_piece() const {
    uint64_t low = 1, high = first_steps_.back();
    if (high == 0 || blocks_for_pieces_of(high) > blocks_) return 0;
    while (low < high) {
      const uint64_t middle = low + (high - low) / 2;
      if (blocks_for_pieces_of(middle) <= blocks_) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
  /// Of all blocks together, when they have equal stretches.
  uint64_t work_of_stretches() const {
    return first_steps_.back() + steps_of_csb_piece * (blocks_ + bands_ - 1);
  }

  void add(uint64_t band, uint64_t first, uint64_t last) {
    shares_.pieces.push_back({uint32_t(band), uint32_t(first), uint32_t(last)});
    ++shares_.band_pieces[band + 1];
  }
  void end_of_block() { shares_.first_pieces.push_back(uint32_t(shares_.pieces.size())); }

  void give_blocks_to_bands(uint64_t longest) {
    for (uint64_t band = 0; band < bands_; ++band) {
      const uint64_t steps = steps_of(band), count = blocks_for(steps, longest);
      for (uint64_t n = 0; n < count; ++n) {
        add(band, first_steps_[band] + steps * n / count, first_steps_[band] + steps * (n + 1) / count);
        end_of_block();
      }
    }
    while (shares_.first_pieces.size() <= blocks_) end_of_block();
  }

  void cut_into_stretches() {
    std::vector<uint64_t> work = {0};  // before each band
    for (uint64_t band = 0; band < bands_; ++band) {
      work.push_back(work.back() + (steps_of(band) > 0 ? steps_of_csb_piece + steps_of(band) : 0));
    }
    uint64_t first_band = 0;
    for (uint64_t n = 0; n < blocks_; ++n) {
      const uint64_t from = work.back() * n / blocks_, until = work.back() * (n + 1) / blocks_;
      while (first_band + 1 < bands_ && work[first_band + 1] <= from) ++first_band;
      for (uint64_t band = first_band; band < bands_ && work[band] < until; ++band) {
        const uint64_t first = step_at(work, band, from), last = step_at(work, band, until);
        if (first < last) add(band, first, last);
      }
      end_of_block();
    }
  }
  /// Where a band is cut when so much work comes before.
  uint64_t step_at(const std::vector<uint64_t>& work, uint64_t band, uint64_t before) const {
    const uint64_t begin = work[band] + steps_of_csb_piece;
    return before <= begin
               ? first_steps_[band]
               : std::min<uint64_t>(first_steps_[band + 1], first_steps_[band] + (before - begin));
  }

  const std::vector<uint32_t>& first_steps_;
  const uint64_t bands_, blocks_;
  CsbPieces shares_;
};

}  // namespace

CsbPieces share_csb_steps(const std::vector<uint32_t>& first_steps, uint32_t blocks) {
  return Sharing(first_steps, blocks).share();
}

uint32_t CsbPieces::longest_steps() const {
  uint32_t longest = 0;
  for (size_t block = 0; block + 1 < first_pieces.size(); ++block) {
    uint32_t steps = 0;
    for (uint32_t p = first_pieces[block]; p < first_pieces[block + 1]; ++p)
      steps += pieces[p].last_step - pieces[p].first_step;
    longest = std::max(longest, steps);
  }
  return longest;
}

std::optional<CsbPieces> share_csb_bands(const std::vector<uint32_t>& first_steps, uint32_t clusters,
                                         uint32_t cluster) {
  const auto steps_of = [&](uint32_t band) { return first_steps[band + 1] - first_steps[band]; };
  std::vector<uint32_t> longest_first(first_steps.size() - 1);
  std::iota(longest_first.begin(), longest_first.end(), 0u);
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [&](uint32_t a, uint32_t b) { return steps_of(a) > steps_of(b); });
  using Load = std::pair<uint64_t, uint32_t>;  // steps of its blocks so far, and which cluster
  std::priority_queue<Load, std::vector<Load>, std::greater<Load>> loads;
  for (uint32_t c = 0; c < clusters; ++c) loads.push({0, c});
  std::vector<std::vector<uint32_t>> bands(clusters);
  uint64_t longest = 0, filled = 0;
  for (const uint32_t band : longest_first) {
    if (steps_of(band) == 0) break;
    const auto [before, which] = loads.top();
    loads.pop();
    bands[which].push_back(band);
    const uint64_t after = before + steps_of_csb_piece + blocks_for(steps_of(band), cluster);
    loads.push({after, which});
    longest = std::max(longest, after);
    ++filled;
  }
  const uint64_t blocks = uint64_t(clusters) * cluster;
  const uint64_t stretch = (first_steps.back() + steps_of_csb_piece * (blocks + filled)) / blocks;
  if (longest > stretch + steps_of_csb_launch) return std::nullopt;
  CsbPieces shares;
  for (const std::vector<uint32_t>& of_cluster : bands) {
    for (uint32_t b = 0; b < cluster; ++b) {
      for (const uint32_t band : of_cluster) {
        const uint64_t steps = steps_of(band);
        shares.pieces.push_back({band, first_steps[band] + uint32_t(steps * b / cluster),
                                 first_steps[band] + uint32_t(steps * (b + 1) / cluster)});
      }
      shares.first_pieces.push_back(uint32_t(shares.pieces.size()));
    }
  }
  return shares;
}

}  // namespace cugrb::formats
