#include "tools/distributed/load.h"

#include <algorithm>
#include <future>
#include <numeric>

#include "tools/graph_files/edges.h"
#include "tools/graph_files/parallel.h"
#include "tools/graph_files/random_weight.h"

namespace cugrb::tools {
namespace {

using graph_files::Coordinates;
using graph_files::Csr;
using graph_files::PartialGraph;
using graph_files::edges::Edge;

/// Rows of A hold the edges that leave, rows of Aᵀ those that arrive.
enum class Side { leaving, arriving };

constexpr uint64_t sampled_edges = uint64_t{1} << 26;

/// An entry on its way to the owner of its row: the row's number there, the column's position.
struct WeightedEdge {
  uint32_t row, column;
  double weight;
};

/// Long work of this process alone, with word to the other ranks meanwhile.
template <class Work>
void work_apart(Distributed& ranks, const Work& work) {
  std::future<void> done = std::async(std::launch::async, work);
  while (done.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready) ranks.check_in();
  done.get();
}

class Loader {
 public:
  Loader(Distributed& ranks, const PartialGraph& graph, const std::string& name)
      : ranks_(ranks), graph_(graph), name_(name), n_(graph.vertices) {}

  /// Step 1.
  void find_vertices() {
    if (n_ > 0 || graph_.units == 0) return;
    each_part(1, [&](const Coordinates& c) { n_ = std::max<Index>(n_, c.nrows); });
    n_ = ranks_.all_reduce(
        n_, [](Index a, Index b) { return std::max(a, b); }, "the number of vertices");
  }
  /// Step 2.
  void deal(const LoadOptions& options) {
    const bool both = options.leaving && !graph_.symmetric;
    std::vector<uint64_t> entries(Deal::blocks_of(n_), 0);
    const Index rows = Deal::rows_of_block(n_);
    const uint64_t every =
        graph_.drawn ? std::max<uint64_t>(1, graph_.units / std::max<uint64_t>(1, sampled_edges)) : 1;
    lines_ = 0;
    each_part(every, [&](const Coordinates& c) {
      for (const uint32_t column : c.columns) ++entries[column / rows];
      if (!both) return;
      for (const uint32_t row : c.rows) ++entries[row / rows];
    });
    check_lines();
    ranks_.all_reduce(entries, std::plus<>(), "entries of blocks");
    deal_ = std::make_shared<const Deal>(n_, ranks_.size(), entries, options.dealing);
    if (deal_->positions() > UINT32_MAX) {
      throw graph_files::FileError(name_, 0, "has more than 2^32 - 1 vertices, which parts cannot have");
    }
    exchange_ = std::make_shared<Exchange>(ranks_, deal_);
  }
  const std::shared_ptr<Exchange>& exchange() const { return exchange_; }

  /// Step 3: this rank's rows of A or Aᵀ as a pattern.
  Csr pattern(Side side, LoadedParts& times) {
    const graph_files::edges::Shape shape{exchange_->size(), deal_->positions(), false, true};
    const graph_files::edges::Binning binning(shape.rows,
                                              graph_.entries / static_cast<uint64_t>(ranks_.size()));
    graph_files::edges::AllBins all(binning.buckets);
    const auto start = detail::Clock::now();
    if (graph_.drawn) {
      work_apart(ranks_, [&] { draw(side, binning, all); });
    } else {
      receive(side, binning, all);
    }
    times.exchange_seconds += detail::seconds_since(start);
    const auto middle = detail::Clock::now();
    Csr csr;
    work_apart(ranks_, [&] { csr = graph_files::edges::from_bins(shape, binning, all); });
    times.build_seconds += detail::seconds_since(middle);
    return csr;
  }
  /// The same with the file's weights.
  Csr weighted(Side side, LoadedParts& times) {
    std::vector<WeightedEdge> edges;
    const auto start = detail::Clock::now();
    each_exchange<WeightedEdge>(
        side,
        [](const Coordinates& c, size_t k, uint32_t row, uint32_t column) {
          return WeightedEdge{row, column, c.reals.empty() ? static_cast<double>(c.integers[k]) : c.reals[k]};
        },
        [&](const std::vector<WeightedEdge>& arrived) {
          edges.insert(edges.end(), arrived.begin(), arrived.end());
        });
    times.exchange_seconds += detail::seconds_since(start);
    const auto middle = detail::Clock::now();
    Csr csr;
    work_apart(ranks_, [&] { csr = sorted(std::move(edges)); });
    times.build_seconds += detail::seconds_since(middle);
    return csr;
  }

 private:
  /// Edges of a drawn graph are functions of their numbers. So each rank draws all of them and keeps what is
  /// in its rows, which is sooner than sending them.
  void draw(Side side, const graph_files::edges::Binning& binning, graph_files::edges::AllBins& all) const {
    const bool by_source = graph_.symmetric || side == Side::leaving;
    const bool by_target = graph_.symmetric || side == Side::arriving;
    graph_files::parallel_for(graph_.drawn->count, 1 << 18, [&](uint64_t begin, uint64_t end) {
      auto bins = all.take();
      const auto keep = [&](uint32_t row, uint32_t column) {
        if (deal_->owner(row) != ranks_.rank()) return;
        const auto number = static_cast<uint32_t>(deal_->number(row));
        bins->add(number >> binning.shift, number, static_cast<uint32_t>(deal_->position(column)));
      };
      for (uint64_t k = begin; k < end; ++k) {
        const Edge e = graph_.drawn->edge(k);
        if (e.from == e.to && !graph_.drawn->keeps_loops) continue;
        if (by_source) keep(e.from, e.to);
        if (by_target) keep(e.to, e.from);
      }
      all.give(std::move(bins));
    });
  }
  /// The entries of a file's parts.
  void receive(Side side, const graph_files::edges::Binning& binning, graph_files::edges::AllBins& all) {
    each_exchange<Edge>(
        side,
        [](const Coordinates&, size_t, uint32_t row, uint32_t column) {
          return Edge{row, column};
        },
        [&](const std::vector<Edge>& arrived) {
          graph_files::parallel_for(arrived.size(), 1 << 18, [&](uint64_t begin, uint64_t end) {
            auto bins = all.take();
            for (uint64_t k = begin; k < end; ++k)
              bins->add(arrived[k].from >> binning.shift, arrived[k].from, arrived[k].to);
            all.give(std::move(bins));
          });
        });
  }
  /// use(part) for every `every`-th part, the ranks by turns; they stay in step.
  template <class Use>
  void each_part(uint64_t every, const Use& use) {
    const uint64_t parts = (graph_.units + at_once() - 1) / at_once();
    const uint64_t size = static_cast<uint64_t>(ranks_.size()), rank = static_cast<uint64_t>(ranks_.rank());
    for (uint64_t first = 0; first < parts; first += size * every) {
      const uint64_t part = first + rank * every;
      if (part < parts) use(read(part));
      ranks_.check_in();
    }
    ranks_.barrier("reading the graph");
  }
  /// use() of all parts, whose entries go to the owners of their rows.
  template <class Record, class Make, class Take>
  void each_exchange(Side side, const Make& make, const Take& take) {
    const uint64_t parts = (graph_.units + at_once() - 1) / at_once();
    const uint64_t size = static_cast<uint64_t>(ranks_.size()), rank = static_cast<uint64_t>(ranks_.rank());
    for (uint64_t first = 0; first < parts; first += size) {
      Coordinates c;
      if (first + rank < parts) c = read(first + rank);
      if (side == Side::arriving) c.rows.swap(c.columns);
      take(ranks_.all_to_all(routed<Record>(c, make), "exchanging entries"));
    }
  }
  /// Small graphs in small parts, so that every rank has some.
  uint64_t at_once() const {
    const uint64_t share = graph_.units / static_cast<uint64_t>(ranks_.size()) + 1;
    return std::max<uint64_t>(1, std::min(graph_.units_at_once, share));
  }
  Coordinates read(uint64_t part) {
    return graph_.read(part * at_once(), std::min(graph_.units, (part + 1) * at_once()), lines_);
  }
  void check_lines() {
    const uint64_t found = ranks_.all_reduce(lines_, std::plus<>(), "the number of lines");
    if (graph_.promised_lines == 0 || found == graph_.promised_lines) return;
    throw graph_files::FileError(
        name_, 0,
        "promises " + std::to_string(graph_.promised_lines) + " entries and holds " + std::to_string(found));
  }

  /// Entries by the owners of their rows. Chunks are counted, then written to their places.
  template <class Record, class Make>
  std::vector<std::vector<Record>> routed(const Coordinates& c, const Make& make) const {
    const size_t count = c.rows.size(), size = static_cast<size_t>(ranks_.size());
    constexpr size_t chunk = size_t{1} << 16;
    const size_t chunks = (count + chunk - 1) / chunk;
    std::vector<uint64_t> places(chunks * size, 0);
    graph_files::parallel_for(count, chunk, [&](uint64_t begin, uint64_t end) {
      uint64_t* const own = &places[begin / chunk * size];
      for (uint64_t k = begin; k < end; ++k) ++own[deal_->owner(c.rows[k])];
    });
    std::vector<std::vector<Record>> outgoing(size);
    for (size_t r = 0; r < size; ++r) {
      uint64_t sum = 0;
      for (size_t b = 0; b < chunks; ++b) sum += std::exchange(places[b * size + r], sum);
      outgoing[r].resize(sum);
    }
    graph_files::parallel_for(count, chunk, [&](uint64_t begin, uint64_t end) {
      uint64_t* const next = &places[begin / chunk * size];
      for (uint64_t k = begin; k < end; ++k) {
        const size_t r = static_cast<size_t>(deal_->owner(c.rows[k]));
        outgoing[r][next[r]++] = make(c, k, static_cast<uint32_t>(deal_->number(c.rows[k])),
                                      static_cast<uint32_t>(deal_->position(c.columns[k])));
      }
    });
    return outgoing;
  }

  Csr sorted(std::vector<WeightedEdge> edges) const {
    std::sort(edges.begin(), edges.end(), [](const WeightedEdge& a, const WeightedEdge& b) {
      return std::tie(a.row, a.column, a.weight) < std::tie(b.row, b.column, b.weight);
    });
    size_t kept = 0;
    for (const WeightedEdge& e : edges) {
      if (kept > 0 && edges[kept - 1].row == e.row && edges[kept - 1].column == e.column) {
        edges[kept - 1].weight += e.weight;
      } else {
        edges[kept++] = e;
      }
    }
    Csr csr;
    csr.nrows = exchange_->size();
    csr.ncols = deal_->positions();
    csr.values = graph_files::ValueKind::real;
    csr.offsets = graph_files::Buffer<uint64_t>(csr.nrows + 1);
    csr.columns = graph_files::Buffer<uint64_t>(kept);
    csr.reals = graph_files::Buffer<double>(kept);
    std::fill_n(csr.offsets.data(), csr.nrows + 1, 0);
    for (size_t k = 0; k < kept; ++k) {
      ++csr.offsets[edges[k].row + 1];
      csr.columns[k] = edges[k].column;
      csr.reals[k] = edges[k].weight;
    }
    std::partial_sum(csr.offsets.data(), csr.offsets.data() + csr.nrows + 1, csr.offsets.data());
    return csr;
  }

  Distributed& ranks_;
  const PartialGraph& graph_;
  std::string name_;
  Index n_;
  uint64_t lines_ = 0;
  std::shared_ptr<const Deal> deal_;
  std::shared_ptr<Exchange> exchange_;
};

template <class T>
graph_files::Buffer<T> copied(const graph_files::Buffer<T>& from) {
  graph_files::Buffer<T> to(from.size());
  std::copy_n(from.data(), from.size(), to.data());
  return to;
}

/// The arrays go over without a copy.
template <class T>
Matrix<T> adopted(Csr&& csr, graph_files::Buffer<T> values, bool iso) {
  Matrix<T> matrix =
      Matrix<T>::adopt_csr(csr.nrows, csr.ncols, csr.offsets.data(), csr.columns.data(), values.data(), iso);
  csr.offsets.release();
  csr.columns.release();
  values.release();
  return matrix;
}
Matrix<bool> pattern_of(Csr&& csr) {
  graph_files::Buffer<bool> value(1);
  value[0] = true;
  return adopted(std::move(csr), std::move(value), true);
}

/// The file's weights, or random ones by the vertices' own numbers.
Matrix<double> weights_of(const Csr& csr, Side side, const Exchange& exchange, int rank, unsigned most) {
  Csr copy;
  copy.nrows = csr.nrows;
  copy.ncols = csr.ncols;
  copy.offsets = copied(csr.offsets);
  copy.columns = copied(csr.columns);
  if (most == 0) return adopted(std::move(copy), copied(csr.reals), false);
  const Deal& deal = exchange.deal();
  graph_files::Buffer<double> values(csr.columns.size());
  for (Index row = 0; row < csr.nrows; ++row) {
    const Index own = deal.vertex(rank, row);
    for (Index p = csr.offsets[row]; p < csr.offsets[row + 1]; ++p) {
      const Index other = deal.vertex_at(csr.columns[p]);
      values[p] = side == Side::leaving ? graph_files::random_weight(own, other, most)
                                        : graph_files::random_weight(other, own, most);
    }
  }
  return adopted(std::move(copy), std::move(values), false);
}

/// The vector of `counts` where they are not 0.
Vector<int64_t> degrees_of(const int64_t* counts, Index n) {
  std::vector<Index> indices;
  std::vector<int64_t> values;
  for (Index k = 0; k < n; ++k) {
    if (counts[k] == 0) continue;
    indices.push_back(k);
    values.push_back(counts[k]);
  }
  Vector<int64_t> degrees(n);
  degrees.build(indices.data(), values.data(), indices.size(), op::any<int64_t>);
  return degrees;
}

Vector<int64_t> row_lengths(const Csr& csr) {
  std::vector<int64_t> counts(csr.nrows);
  for (Index i = 0; i < csr.nrows; ++i) counts[i] = static_cast<int64_t>(csr.offsets[i + 1] - csr.offsets[i]);
  return degrees_of(counts.data(), csr.nrows);
}
/// Of a directed graph's vertices, from the columns of the edges that arrive anywhere.
Vector<int64_t> column_counts(const Csr& csr, Exchange& exchange) {
  const Index positions = exchange.deal().positions();
  auto counts = detail::host_array<int64_t>(positions);
  std::fill_n(counts.get(), positions, 0);
  for (Index p = 0; p < csr.columns.size(); ++p) ++counts[csr.columns[p]];
  const Vector<int64_t> own =
      exchange.reduce_scatter(detail::adopt_values(std::move(counts), positions), Reduction::plus);
  Vector<int64_t> degrees = cugrb::select(own, op::value_gt<int64_t>, 0);
  return degrees;
}

}  // namespace

LoadedParts load_parts(Distributed& ranks, const std::string& name, const LoadOptions& options) {
  LoadedParts loaded;
  const auto start = detail::Clock::now();
  const auto graph = graph_files::open_partial(
      name, options.directed ? graph_files::EdgeDirection::directed : graph_files::EdgeDirection::undirected);
  Loader loader(ranks, *graph, name);
  loader.find_vertices();
  loader.deal(options);
  loaded.deal_seconds = detail::seconds_since(start);

  const bool from_file = graph->values != graph_files::ValueKind::pattern && options.random_weights == 0;
  const bool weights = options.weights && (from_file || options.random_weights > 0);
  const auto rows_of = [&](Side side) {
    return weights && from_file ? loader.weighted(side, loaded) : loader.pattern(side, loaded);
  };
  const auto& exchange = loader.exchange();
  const auto weighted = [&](const Csr& csr, Side side) {
    return DistributedMatrix<double>(
        exchange, weights_of(csr, side, *exchange, ranks.rank(), options.random_weights), options.overlap);
  };
  std::optional<DistributedMatrix<bool>> leaving;
  std::optional<DistributedMatrix<double>> weighted_leaving;
  std::optional<Vector<int64_t>> degrees;
  if (options.leaving && !graph->symmetric) {
    Csr csr = rows_of(Side::leaving);
    degrees = row_lengths(csr);
    if (weights) weighted_leaving.emplace(weighted(csr, Side::leaving));
    leaving.emplace(exchange, pattern_of(std::move(csr)), options.overlap);
  }
  Csr csr = rows_of(Side::arriving);
  loaded.own_entries = csr.columns.size();
  loaded.entries = ranks.all_reduce(loaded.own_entries, std::plus<>(), "the number of entries");
  if (!degrees) degrees = graph->symmetric ? row_lengths(csr) : column_counts(csr, *exchange);
  if (weights) {
    loaded.weighted.emplace(weighted(csr, Side::arriving), std::move(weighted_leaving), *degrees,
                            graph->symmetric);
  }
  loaded.graph.emplace(DistributedMatrix<bool>(exchange, pattern_of(std::move(csr)), options.overlap),
                       std::move(leaving), std::move(*degrees), graph->symmetric);
  return loaded;
}

}  // namespace cugrb::tools
