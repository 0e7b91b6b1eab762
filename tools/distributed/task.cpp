#include "tools/distributed/task.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>

#include "tools/graph_files/edges.h"
#include "tools/graph_files/file_error.h"

namespace cugrb::tools {
namespace {

using nlohmann::json;

struct Ranked {
  double value;
  Index vertex;
  bool operator<(const Ranked& other) const {
    return value != other.value ? value > other.value : vertex < other.vertex;
  }
};

/// A file of one double a vertex, of which every rank has the vertices that are its own: runs of them at
/// once.
class ValuesFile {
 public:
  ValuesFile(const std::string& path, int flags) : path_(path), descriptor_(open(path.c_str(), flags, 0666)) {
    if (descriptor_ < 0) fail("cannot be opened");
  }
  ~ValuesFile() { close(descriptor_); }
  ValuesFile(const ValuesFile&) = delete;
  ValuesFile& operator=(const ValuesFile&) = delete;

  void write(Index vertex, const double* values, size_t count) {
    const size_t bytes = count * sizeof(double);
    if (pwrite(descriptor_, values, bytes, place(vertex)) != static_cast<ssize_t>(bytes))
      fail("cannot be written");
  }
  void read(Index vertex, double* values, size_t count) {
    const size_t bytes = count * sizeof(double);
    if (pread(descriptor_, values, bytes, place(vertex)) != static_cast<ssize_t>(bytes))
      fail("holds too few values");
  }

 private:
  static off_t place(Index vertex) { return static_cast<off_t>(vertex * sizeof(double)); }
  [[noreturn]] void fail(const std::string& what) const {
    throw graph_files::FileError(path_, 0,
                                 what + (errno != 0 ? std::string(": ") + std::strerror(errno) : ""));
  }
  std::string path_;
  int descriptor_;
};

/// use(vertex, number, count) for the runs of consecutive vertices of a rank.
template <class Use>
void each_run(const Deal& deal, int rank, const Use& use) {
  const Index size = deal.size_of(rank), rows = deal.rows_of_block();
  for (Index first = 0; first < size; first += rows)
    use(deal.vertex(rank, first), first, std::min(rows, size - first));
}

double largest(double a, double b) { return a > b ? a : b; }

}  // namespace

Index Task::source() {
  if (options.source >= 0) return static_cast<Index>(options.source);
  // The largest degree; of several the lowest vertex.
  Ranked best{-1, 0};
  const auto degrees = loaded.graph->out_degree().entries();
  for (size_t k = 0; k < degrees.indices.size(); ++k) {
    const Ranked next{static_cast<double>(degrees.values[k]),
                      deal().vertex(ranks.rank(), degrees.indices[k])};
    best = std::min(best, next);
  }
  return ranks
      .all_reduce(
          best, [](const Ranked& a, const Ranked& b) { return std::min(a, b); }, "the vertex with most edges")
      .vertex;
}

void Task::tell(const std::vector<double>& values) {
  tell_top(values);
  double sum = 0;
  for (Index k = 0; k < values.size(); ++k) {
    const uint64_t hash = graph_files::edges::mixed(deal().vertex(ranks.rank(), k));
    sum += values[k] * std::ldexp(static_cast<double>(hash >> 11), -53);
  }
  report["checksum"] = ranks.all_reduce(sum, std::plus<>(), "the checksum");
  if (!options.values_file.empty()) write_values(values);
  if (!options.compare_file.empty()) compare_values(values);
}

void Task::tell_top(const std::vector<double>& values) {
  std::vector<Ranked> own;
  for (Index k = 0; k < values.size(); ++k) own.push_back({values[k], deal().vertex(ranks.rank(), k)});
  const auto keep = [&](std::vector<Ranked>& list) {
    const auto kept = static_cast<std::ptrdiff_t>(std::min<size_t>(options.top, list.size()));
    std::partial_sort(list.begin(), list.begin() + kept, list.end());
    list.resize(static_cast<size_t>(kept));
  };
  keep(own);
  std::vector<std::vector<Ranked>> outgoing(static_cast<size_t>(ranks.size()));
  outgoing[0] = std::move(own);
  std::vector<Ranked> all = ranks.all_to_all(outgoing, "the largest values");
  keep(all);
  report["top"] = json::array();
  for (const Ranked& entry : all) report["top"].push_back({{"vertex", entry.vertex}, {"value", entry.value}});
}

void Task::write_values(const std::vector<double>& values) {
  ValuesFile file(options.values_file, O_WRONLY | O_CREAT);
  each_run(deal(), ranks.rank(),
           [&](Index vertex, Index number, Index count) { file.write(vertex, &values[number], count); });
  ranks.barrier("writing --values");
}

void Task::compare_values(const std::vector<double>& values) {
  ValuesFile file(options.compare_file, O_RDONLY);
  std::vector<double> other(deal().rows_of_block());
  double scale = 0, apart = 0, relative = 0;
  each_run(deal(), ranks.rank(), [&](Index vertex, Index number, Index count) {
    file.read(vertex, other.data(), count);
    for (Index k = 0; k < count; ++k) {
      const double x = values[number + k], y = other[k];
      if (x == y) continue;
      scale = std::max(scale, std::max(std::abs(x), std::abs(y)));
      apart = std::max(apart, std::abs(x - y));
      relative = std::max(relative, std::abs(x - y) / std::max(std::abs(x), std::abs(y)));
    }
  });
  report["compared"] = {{"file", options.compare_file},
                        {"largest_difference", ranks.all_reduce(apart, largest, "comparing")},
                        {"largest_relative_difference", ranks.all_reduce(relative, largest, "comparing")},
                        {"largest_value_that_differs", ranks.all_reduce(scale, largest, "comparing")}};
}

}  // namespace cugrb::tools
