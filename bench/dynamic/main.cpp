// bench_dynamic [--scale N] [--largest K] [--repeat N] [--json FILE]: bench/dynamic/README.md.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "src/formats/dcsr_update.h"
#include "src/operations/build.h"
#include "tools/graph_files/edges.h"

using namespace cugrb;
using formats::Csr;
using formats::Dcsr;
using formats::EntryUpdates;
using operations::Tuples;
using runtime::Buffer;

namespace {

constexpr uint64_t edge_factor = 16;

struct Options {
  unsigned scale = 20, largest = 20;
  int repeat = 10;
  std::string json;
};

Options parse(int count, char** arguments) {
  Options options;
  for (int n = 1; n < count; n += 2) {
    const std::string word = arguments[n];
    if (n + 1 == count) throw std::invalid_argument(word + " needs a value");
    const std::string value = arguments[n + 1];
    if (word == "--scale") {
      options.scale = unsigned(std::stoul(value));
    } else if (word == "--largest") {
      options.largest = unsigned(std::stoul(value));
    } else if (word == "--repeat") {
      options.repeat = std::stoi(value);
    } else if (word == "--json") {
      options.json = value;
    } else {
      throw std::invalid_argument("unknown option " + word);
    }
  }
  if (options.scale > 30 || options.largest > 30 || options.repeat < 1)
    throw std::invalid_argument("scale and largest are at most 30, repeat is at least 1");
  return options;
}

/// Edge n of the stream of an RMAT graph with probabilities 0.57, 0.19, 0.19, 0.05.
std::pair<uint32_t, uint32_t> rmat_edge(uint64_t n, unsigned scale) {
  uint32_t row = 0, column = 0;
  for (unsigned level = 0; level < scale; ++level) {
    const uint64_t draw = graph_files::edges::mixed(n * 64 + level) >> 32;
    const double u = double(draw) / 4294967296.0;
    row = 2 * row + (u >= 0.76 ? 1 : 0);
    column = 2 * column + ((u >= 0.57 && u < 0.76) || u >= 0.95 ? 1 : 0);
  }
  return {row, column};
}

/// Edges first to first + count of the stream.
Tuples edges(uint64_t first, uint64_t count, unsigned scale) {
  std::vector<uint32_t> rows(count), columns(count);
  std::vector<float> values(count);
  graph_files::parallel_for(count, 1 << 16, [&](uint64_t begin, uint64_t end) {
    for (uint64_t n = begin; n < end; ++n) {
      std::tie(rows[n], columns[n]) = rmat_edge(first + n, scale);
      values[n] = float(1 + n % 4);
    }
  });
  Tuples tuples;
  tuples.count = count;
  tuples.rows = Buffer::from_host(rows.data(), count * 4);
  tuples.columns = Buffer::from_host(columns.data(), count * 4);
  tuples.values = formats::DeviceVector::empty(Type::of(TypeCode::Fp32), count);
  tuples.values.form = Form::full;
  tuples.values.values = Buffer::from_host(values.data(), count * 4);
  tuples.values.set_nvals(count);
  return tuples;
}

Buffer joined(const Buffer& a, const Buffer& b) {
  Buffer both(a.bytes() + b.bytes());
  runtime::device().copy_on_device(both.data(), a.data(), a.bytes());
  runtime::device().copy_on_device(both.as<char>() + a.bytes(), b.data(), b.bytes());
  return both;
}

/// The entries of both.
Tuples joined(const Csr& matrix, const Tuples& batch) {
  const formats::Coo entries = formats::make_coo(matrix);
  Tuples all = batch;
  all.count = matrix.entries + batch.count;
  all.rows = joined(entries.row_indices, batch.rows);
  all.columns = joined(entries.column_indices, batch.columns);
  all.values.length = all.count;
  all.values.values = joined(entries.values, batch.values.values);
  all.values.set_nvals(all.count);
  return all;
}

class Bench {
 public:
  explicit Bench(const Options& options)
      : options_(options), n_(uint64_t(1) << options.scale), plus_(*catalogue::binary_op("PLUS_FP32")) {
    base_ = to_csr(operations::built(edges(0, edge_factor * n_, options.scale), n_, n_, plus_));
    shape_ = {4, 1, base_.entries / n_};
    std::printf("%s, 2^%u vertices, %lu entries\n", runtime::device().properties().name.c_str(),
                options.scale, (unsigned long)base_.entries);
    result_ = {{"benchmark", "dynamic"},   {"device", runtime::device().properties().name},
               {"scale", options.scale},   {"entries", base_.entries},
               {"segments", shape_.slots}, {"slack", shape_.slack},
               {"repeat", options.repeat}, {"batches", nlohmann::json::array()}};
  }

  /// Twice, and the second time counts: in the first one kernels are compiled.
  void measure(unsigned k) {
    insert_batches(k);
    nlohmann::json record = insert_batches(k);
    std::printf("2^%-2u", k);
    for (const char* way : {"sort", "merge", "dcsr", "rebuild"}) {
      std::printf(" | %s %.4g ms, %.4g M/s", way, record[way]["seconds"].get<double>() * 1e3,
                  record[way]["edges_per_second"].get<double>() / 1e6);
    }
    const bool same = record["same"].get<bool>();
    std::printf(" | %s\n", same ? "the same" : "results differ");
    std::fflush(stdout);
    result_["batches"].push_back(record);
    all_same_ = all_same_ && same;
  }
  const nlohmann::json& result() const { return result_; }
  bool all_same() const { return all_same_; }

 private:
  EntryUpdates updates_of(const Tuples& batch) const { return {operations::built(batch, n_, n_, plus_), {}}; }

  nlohmann::json insert_batches(unsigned k) const {
    Csr merged = base_, rebuilt = base_;
    Dcsr dynamic = make_dcsr(base_, shape_);
    nlohmann::json record = {{"edges", uint64_t(1) << k}};
    time(record, "sort", k, [&](const Tuples& batch) { updates_of(batch); });
    time(record, "merge", k, [&](const Tuples& batch) { formats::update(merged, updates_of(batch), plus_); });
    time(record, "dcsr", k, [&](const Tuples& batch) { formats::update(dynamic, updates_of(batch), plus_); });
    time(record, "rebuild", k, [&](const Tuples& batch) {
      rebuilt = to_csr(operations::built(joined(rebuilt, batch), n_, n_, plus_));
    });
    record["same"] = same_matrix(merged, rebuilt) && same_matrix(merged, to_csr(dynamic));
    record["dcsr_bytes"] = dynamic.bytes();
    record["csr_bytes"] = merged.bytes();
    return record;
  }

  /// insert(batch) for the batches of this size.
  template <class Insert>
  void time(nlohmann::json& record, const char* way, unsigned k, const Insert& insert) const {
    const uint64_t count = uint64_t(1) << k;
    double seconds = 0, longest = 0;
    for (int r = 0; r < options_.repeat; ++r) {
      const Tuples batch = edges(edge_factor * n_ + uint64_t(r) * count, count, options_.scale);
      runtime::device().synchronize();
      const auto begin = std::chrono::steady_clock::now();
      insert(batch);
      runtime::device().synchronize();
      const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      seconds += s;
      longest = std::max(longest, s);
    }
    const double each = seconds / options_.repeat;
    record[way] = {
        {"seconds", each}, {"longest_seconds", longest}, {"edges_per_second", double(count) / each}};
  }

  static bool same_bytes(const Buffer& a, const Buffer& b, size_t bytes) {
    return a.to_host<char>(bytes) == b.to_host<char>(bytes);
  }
  static bool same_matrix(const Csr& a, const Csr& b) {
    return a.entries == b.entries && same_bytes(a.offsets, b.offsets, (a.rows + 1) * 4) &&
           same_bytes(a.column_indices, b.column_indices, a.entries * 4) &&
           same_bytes(a.values, b.values, a.entries * 4);
  }

  Options options_;
  uint64_t n_;
  BinaryOp plus_;
  formats::DcsrShape shape_;
  Csr base_;
  nlohmann::json result_;
  bool all_same_ = true;
};

}  // namespace

int main(int count, char** arguments) {
  try {
    const Options options = parse(count, arguments);
    Bench bench(options);
    for (unsigned k = 0; k <= options.largest; k += 2) {
      bench.measure(k);
      if (!options.json.empty()) std::ofstream(options.json) << bench.result().dump(2) << "\n";
    }
    return bench.all_same() ? 0 : 1;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "bench_dynamic: %s\n", failure.what());
    return 1;
  }
}
