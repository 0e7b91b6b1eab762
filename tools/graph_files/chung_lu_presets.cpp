// Degree statistics of the graphs in the papers' tables.
//
// PVLDB: X. Yang, S. Parthasarathy, P. Sadayappan, PVLDB 4 (2011), Table 2: vertices and entries. Of Flickr,
// LiveJournal, Wikipedia and Webbase, deviation and longest row are those of crawls of the same networks in
// DCSR's table.
// AMD: T. Wu and others, "Efficient PageRank and SpMV computation on AMD GPUs" (2010), Table I: vertices and
// entries. Exponent and longest row are such that, as its Figure 3 shows, over half of the rows have fewer
// than 2 entries and over 95 % fewer than 64. DCSR: "Efficient SpMM using Dynamic-CSR on GPUs", Table 1:
// rows, entries, standard deviation and maximum of row lengths. (Amazon's maximum, 10 at a mean of 7, is
// exceeded: lengths here are Poisson numbers.) Where a table is silent, above all on columns, DegreeLaw's
// default stands: that is an assumption.
#include <algorithm>
#include <cmath>

#include "tools/graph_files/generate.h"

namespace cugrb::graph_files {
namespace {

constexpr EdgeDirection directed = EdgeDirection::directed, undirected = EdgeDirection::undirected;

ChungLu square(uint64_t n, uint64_t entries, DegreeLaw rows, EdgeDirection direction) {
  return {n, n, entries, rows, {}, 1, direction};
}
/// Of DCSR's table: deviation and longest row.
DegreeLaw spread(double deviation, uint64_t longest) { return {0, deviation, longest}; }
/// Shrinks longest and deviation to what n lengths of a sum `entries`, each at most `across`, can have: the
/// longest alone must not give more than the deviation, nor may longest ones alone give less.
void fit(DegreeLaw& law, uint64_t n, uint64_t across, uint64_t entries) {
  if (law.longest == 0) return;
  const double mean = static_cast<double>(entries) / static_cast<double>(n);
  double longest = std::min(static_cast<double>(law.longest), static_cast<double>(across) / 8);
  if (law.deviation > 0) longest = std::min(longest, 0.8 * law.deviation * std::sqrt(static_cast<double>(n)));
  longest = std::max(longest, std::ceil(mean));
  if (longest >= static_cast<double>(law.longest)) return;
  law.longest = static_cast<uint64_t>(longest);
  law.deviation = std::min(law.deviation, 0.4 * std::sqrt(mean * longest));
}
/// Of AMD's Figure 3.
DegreeLaw links(uint64_t n) { return {1.9, 0, n / 20}; }

}  // namespace

const std::vector<ChungLuPreset>& chung_lu_presets() {
  static const std::vector<ChungLuPreset> presets = {
      {"flickr", "PVLDB", square(1700000, 22600000, spread(87, 10000), directed)},
      {"livejournal", "PVLDB", square(5200000, 77000000, spread(35, 20000), directed)},
      {"wikipedia", "PVLDB", square(1900000, 40000000, spread(31, 4970), directed)},
      {"youtube", "PVLDB", square(1100000, 4900000, {}, directed)},
      {"webbase", "PVLDB", square(1000000, 3000000, spread(25, 4700), directed)},
      {"su", "AMD", square(281903, 2312497, links(281903), directed)},
      {"su-ucb", "AMD", square(683446, 7583376, links(683446), directed)},
      {"wikipedia-20051105", "AMD", square(1634989, 19753078, links(1634989), directed)},
      {"wikipedia-20070206", "AMD", square(3566907, 45030389, links(3566907), directed)},
      {"edu-2001", "AMD", square(9845725, 57156537, {}, directed)},
      {"amazon-2008", "DCSR", square(735000, 5000000, {2.1, 0, 10}, directed)},
      {"cnr-2000", "DCSR", square(325000, 3000000, spread(21, 2716), directed)},
      {"dblp-2010", "DCSR", square(326000, 807000, spread(4, 154), undirected)},
      {"enron", "DCSR", square(69000, 276000, spread(28, 1392), directed)},
      {"eu-2005", "DCSR", square(862000, 19000000, spread(29, 6985), directed)},
      {"flickr-820k", "DCSR", square(820000, 9000000, spread(87, 10000), directed)},
      {"hollywood-2009", "DCSR", square(1139000, 57000000, spread(160, 6689), undirected)},
      {"in-2004", "DCSR", square(1382000, 16000000, spread(37, 7753), directed)},
      {"indochina-2004", "DCSR", square(7414000, 194000000, spread(216, 6985), directed)},
      {"internet", "DCSR", square(124000, 207000, spread(4, 138), directed)},
      {"kron-18", "DCSR", square(262000, 10000000, spread(261, 29000), undirected)},
      {"ljjournal-2008", "DCSR", square(5363000, 79000000, spread(37, 2469), directed)},
      {"rail4284", "DCSR", {4284, 1000000, 11000000, spread(4000, 56000), {}, 1, directed}},
      {"soc-livejournal1", "DCSR", square(4847000, 68000000, spread(35, 20000), directed)},
      {"webbase-1m", "DCSR", square(1000000, 3000000, spread(25, 4700), directed)},
      {"wikipedia-2005", "DCSR", square(1634000, 19000000, spread(31, 4970), directed)},
  };
  return presets;
}

const ChungLuPreset* find_chung_lu_preset(const std::string& name) {
  for (const ChungLuPreset& preset : chung_lu_presets()) {
    if (name == preset.name) return &preset;
  }
  return nullptr;
}

ChungLu scaled(const ChungLu& p, double scale) {
  const auto of = [scale](uint64_t count) {
    return std::max<uint64_t>(1, static_cast<uint64_t>(std::llround(static_cast<double>(count) * scale)));
  };
  ChungLu result = p;
  result.rows = of(p.rows);
  result.columns = of(p.columns);
  result.entries = of(p.entries);
  fit(result.row_lengths, result.rows, result.columns, result.entries);
  fit(result.column_lengths, result.columns, result.rows, result.entries);
  return result;
}

ChungLu made_undirected(const ChungLu& p) {
  ChungLu result = p;
  if (p.direction == EdgeDirection::undirected || p.rows != p.columns) return result;
  result.direction = EdgeDirection::undirected;
  result.entries *= 2;
  return result;
}

}  // namespace cugrb::graph_files
