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
#include "src/operations/matrix_update.h"
#include "src/support/settings.h"
#include "tools/graph_files/edges.h"

using namespace cugrb;
using formats::Csr;
using formats::Dcsr;
using formats::DeviceMatrix;
using formats::DeviceVector;
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
    for (const char* way : {"sort", "merge", "dcsr", "rebuild", "chosen"}) {
      std::printf(" | %s %.4g ms, %.4g M/s", way, record[way]["seconds"].get<double>() * 1e3,
                  record[way]["edges_per_second"].get<double>() / 1e6);
    }
    const bool same = record["same"].get<bool>();
    std::printf(" | %s\n", same ? "the same" : "results differ");
    std::fflush(stdout);
    result_["batches"].push_back(record);
    all_same_ = all_same_ && same;
  }

  /// What being fragmented costs: products before and after defragmentation, and the ways between the forms.
  void measure_form() {
    DeviceMatrix matrix = formats::matrix_by(base_, false);
    const DeviceVector u = ones();
    {
      const Forced forced("update_insert");
      for (uint64_t r = 0; r < 4; ++r)
        operations::update(matrix, updates_of(edges(edge_factor * n_ + (r << 14), 1 << 14, options_.scale)),
                           plus_);
    }
    const auto products = [&](DeviceMatrix& of) {
      constexpr int count = 20;
      for (int r = 0; r < count; ++r) multiply(of, u);
      return seconds_of([&] {
               for (int r = 0; r < count; ++r) multiply(of, u);
             }) /
             count;
    };
    nlohmann::json form;
    DeviceMatrix kept = matrix;
    for (const char* kernel : {"mxv_dcsr", "mxv_adcsr"}) {
      const Forced forced(kernel);
      form["product_on_fragments"][kernel] = products(kept);
    }
    form["still_fragmented"] = kept.fragments != nullptr;
    for (int twice = 0; twice < 2; ++twice) {
      DeviceMatrix fragmented = matrix;
      form["to_csr"] = seconds_of([&] { fragmented.read_rows(); });
      Dcsr dcsr = *matrix.fragments;
      form["defragment"] = seconds_of([&] { formats::defragment(dcsr); });
      form["to_dcsr"] = seconds_of([&] { formats::make_dcsr(base_, shape_); });
      form["copy"] = seconds_of([&] { copied(base_); });
    }
    matrix.read_rows();
    {
      const Forced forced("mxv_adcsr");
      form["product_after_by_mxv_adcsr"] = products(matrix);
    }
    form["product_after"] = products(matrix);
    std::printf("form: %s\n", form.dump().c_str());
    result_["form"] = form;
  }

  /// The paper's iterative test: 0.2 % random entries, then five products, fifty times.
  void measure_iterations() {
    nlohmann::json record;
    for (int twice = 0; twice < 2; ++twice) {
      for (const char* way : {"", "update_insert", "update_merge", "update_rebuild"})
        record[*way == 0 ? "chosen" : way] = iterate(way, twice == 0 ? 3 : 50);
    }
    std::printf("iterative: %s\n", record.dump().c_str());
    result_["iterative_seconds"] = record;
  }
  const nlohmann::json& result() const { return result_; }
  bool all_same() const { return all_same_; }

 private:
  /// While it lives, CUGRB_FORCE.
  struct Forced {
    explicit Forced(const std::string& kernel) { force_kernel(kernel); }
    ~Forced() { force_kernel(""); }
  };

  static Csr copied(const Csr& csr) {
    Csr copy = csr;
    copy.offsets = csr.offsets.clone();
    copy.column_indices = csr.column_indices.clone();
    copy.values = csr.values.clone();
    return copy;
  }

  double iterate(const char* way, int rounds) const {
    const Forced forced(way);
    DeviceMatrix matrix = formats::matrix_by(base_, false);
    const DeviceVector u = ones();
    const uint64_t count = base_.entries / 500;
    double seconds = 0;
    for (int round = 0; round < rounds; ++round) {
      const Tuples batch = edges(edge_factor * n_ + uint64_t(round) * count, count, options_.scale);
      seconds += seconds_of([&] {
        operations::update(matrix, updates_of(batch), plus_);
        for (int product = 0; product < 5; ++product) multiply(matrix, u);
      });
    }
    return seconds;
  }

  EntryUpdates updates_of(const Tuples& batch) const { return {operations::built(batch, n_, n_, plus_), {}}; }

  nlohmann::json insert_batches(unsigned k) const {
    DeviceMatrix chosen = in_a_stream();
    std::string last;
    Csr merged = base_, rebuilt = base_;
    Dcsr dynamic = make_dcsr(base_, shape_);
    nlohmann::json record = {{"edges", uint64_t(1) << k}};
    time(record, "sort", k, [&](const Tuples& batch) { updates_of(batch); });
    time(record, "merge", k, [&](const Tuples& batch) { formats::update(merged, updates_of(batch), plus_); });
    time(record, "dcsr", k, [&](const Tuples& batch) { formats::update(dynamic, updates_of(batch), plus_); });
    time(record, "rebuild", k, [&](const Tuples& batch) {
      rebuilt = to_csr(operations::built(joined(rebuilt, batch), n_, n_, plus_));
    });
    time(record, "chosen", k,
         [&](const Tuples& batch) { last = operations::update(chosen, updates_of(batch), plus_); });
    record["choice"] = last;
    chosen.read_rows();
    // The stream has had one edge more.
    formats::update(merged, updates_of(edges(0, 1, options_.scale)), plus_);
    formats::update(rebuilt, updates_of(edges(0, 1, options_.scale)), plus_);
    formats::update(dynamic, updates_of(edges(0, 1, options_.scale)), plus_);
    record["same"] = same_matrix(merged, rebuilt) && same_matrix(merged, to_csr(dynamic)) &&
                     same_matrix(merged, chosen.stored);
    record["dcsr_bytes"] = dynamic.bytes();
    record["csr_bytes"] = merged.bytes();
    return record;
  }

  /// insert(batch) for the batches of this size.
  template <class Insert>
  void time(nlohmann::json& record, const char* way, unsigned k, const Insert& insert) const {
    const uint64_t count = uint64_t(1) << k;
    double seconds = 0, longest = 0;
    const int repeat = k > 20 ? std::min(options_.repeat, 3) : options_.repeat;
    for (int r = 0; r < repeat; ++r) {
      const Tuples batch = edges(edge_factor * n_ + uint64_t(r) * count, count, options_.scale);
      runtime::device().synchronize();
      const auto begin = std::chrono::steady_clock::now();
      insert(batch);
      runtime::device().synchronize();
      const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      seconds += s;
      longest = std::max(longest, s);
    }
    const double each = seconds / repeat;
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

  /// Seconds that `work` takes, with all that the device does of it.
  template <class Work>
  static double seconds_of(const Work& work) {
    runtime::device().synchronize();
    const auto begin = std::chrono::steady_clock::now();
    work();
    runtime::device().synchronize();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  /// A product as a program makes it, without its vectors' passes.
  void multiply(DeviceMatrix& matrix, const DeviceVector& u) const {
    operations::settle_form(matrix, semiring_, /*transpose=*/false);
    DeviceVector w = DeviceVector::empty(semiring_.add.type(), n_);
    operations::mxv({w, {}, std::nullopt, false}, {semiring_, matrix, u});
  }
  DeviceVector ones() const {
    const float one = 1;
    DeviceVector u = DeviceVector::full_of(Type::of(TypeCode::Fp32), n_, Buffer::from_host(&one, 4));
    return formats::expand_iso(u);
  }

  /// A stream that has been going on.
  DeviceMatrix in_a_stream() const {
    DeviceMatrix matrix = formats::matrix_by(base_, false);
    matrix.history.batches_before = 100;
    operations::update(matrix, updates_of(edges(0, 1, options_.scale)), plus_);
    return matrix;
  }

  Options options_;
  uint64_t n_;
  BinaryOp plus_;
  Semiring semiring_ = *catalogue::semiring("PLUS_TIMES_FP32");
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
    bench.measure_form();
    bench.measure_iterations();
    if (!options.json.empty()) std::ofstream(options.json) << bench.result().dump(2) << "\n";
    return bench.all_same() ? 0 : 1;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "bench_dynamic: %s\n", failure.what());
    return 1;
  }
}
