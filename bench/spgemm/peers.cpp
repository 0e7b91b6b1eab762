// External programs beside ours: each gets a Matrix Market file and prints its time.
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <sstream>

#include "bench/spgemm/bench.h"
#include "tools/graph_files/read.h"

namespace cugrb::bench {

namespace {

/// A matrix file that is gone at the end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const Factor& factor)
      : path_((std::filesystem::temp_directory_path() / ("bench_spgemm_" + std::to_string(getpid()) + ".mtx"))
                  .string()) {
    graph_files::Csr csr;
    csr.nrows = factor.rows();
    csr.ncols = factor.columns();
    csr.values = graph_files::ValueKind::integer;
    csr.offsets = graph_files::Buffer<uint64_t>(csr.nrows + 1);
    std::copy_n(factor.pattern.offsets.data(), csr.nrows + 1, csr.offsets.data());
    csr.columns = graph_files::Buffer<uint64_t>(factor.entries());
    std::copy_n(factor.pattern.columns.data(), factor.entries(), csr.columns.data());
    csr.integers = graph_files::Buffer<int64_t>(factor.entries());
    std::copy_n(factor.numbers.data(), factor.entries(), csr.integers.data());
    graph_files::write_matrix_market(path_, csr);
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// What the command prints; throws when it fails.
std::string output_of(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot be started: " + command);
  std::string output;
  std::array<char, 4096> piece;
  while (const size_t count = std::fread(piece.data(), 1, piece.size(), pipe))
    output.append(piece.data(), count);
  const int status = pclose(pipe);
  if (status != 0) throw std::runtime_error("ended with status " + std::to_string(status) + ": " + command);
  return output;
}

/// The last line that is a number of seconds, or an object with `median_seconds`.
nlohmann::json measurement_in(const std::string& output) {
  nlohmann::json found;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    nlohmann::json value = nlohmann::json::parse(line, nullptr, false);
    if (value.is_number()) value = {{"median_seconds", value}};
    if (value.is_object() && value.contains("median_seconds")) found = value;
  }
  if (found.is_null()) throw std::runtime_error("printed no number and no JSON object with median_seconds");
  return found;
}

}  // namespace

nlohmann::json bench_peers(Product& product, const Options& options) {
  nlohmann::json rows = nlohmann::json::array();
  if (options.peers.empty() || product.problem.what != "A*A" || product.semiring.name != "PLUS_TIMES_FP32")
    return rows;
  runtime::device().synchronize();
  runtime::device().trim();  // leaves them the memory
  const TemporaryFile file(*product.problem.a);
  for (const Peer& peer : options.peers) {
    nlohmann::json row{{"semiring", product.semiring.name}, {"library", "peer"}, {"kernel", peer.name}};
    attempt(row, [&] {
      row.update(measurement_in(output_of(peer.command + " '" + file.path() + "'")));
      if (row.contains("entries")) row["same_result"] = row["entries"] == product.expected.entries;
    });
    rows.push_back(row);
  }
  product.account.charge("peers");
  return rows;
}

}  // namespace cugrb::bench
