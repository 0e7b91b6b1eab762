// bench_dynamic [--graph KIND] [--scale N] [--smallest K] [--largest K] [--repeat N] [--parts A,B] [--json
// FILE]: bench/dynamic/README.md.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "bench/dynamic/edge_stream.h"
#include "bench/dynamic/paper.h"
#include "bench/dynamic/timing.h"
#include "semirings/table.h"
#include "src/formats/dcsr_update.h"
#include "src/formats/host_copy.h"
#include "src/jit/jit.h"
#include "src/operations/fragment_select.h"
#include "src/operations/matrix_elementwise.h"
#include "src/operations/matrix_update.h"
#include "src/support/settings.h"
#include "src/support/trace.h"
#include "tools/graph_files/edges.h"

using namespace cugrb;
using bench::EdgeStream;
using bench::median;
using bench::median_seconds;
using bench::seconds_of;
using formats::Csr;
using formats::Dcsr;
using formats::DeviceMatrix;
using formats::DeviceVector;
using formats::EntryUpdates;
using operations::Tuples;
using runtime::Buffer;

namespace {

struct Options {
  std::string graph = "rmat";
  unsigned scale = 20, smallest = 0, largest = 20;
  int repeat = 10;
  std::string parts = "batches,mixed,memory,form,paper,growth,select,iterative", json;
  bool has(const std::string& part) const { return ("," + parts + ",").find("," + part + ",") != parts.npos; }
};

Options parse(int count, char** arguments) {
  Options options;
  for (int n = 1; n < count; n += 2) {
    const std::string word = arguments[n];
    if (n + 1 == count) throw std::invalid_argument(word + " needs a value");
    const std::string value = arguments[n + 1];
    if (word == "--graph") {
      options.graph = value;
    } else if (word == "--scale") {
      options.scale = unsigned(std::stoul(value));
    } else if (word == "--smallest") {
      options.smallest = unsigned(std::stoul(value));
    } else if (word == "--largest") {
      options.largest = unsigned(std::stoul(value));
    } else if (word == "--repeat") {
      options.repeat = std::stoi(value);
    } else if (word == "--parts") {
      options.parts = value;
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

/// While it lives, CUGRB_FORCE; the empty name leaves the choice free.
struct Forced {
  explicit Forced(const std::string& kernel) { force_kernel(kernel); }
  ~Forced() { force_kernel(""); }
};

/// A CSR of FP32 with narrow indices, to be compared with another one.
struct HostRows {
  HostRows() = default;
  explicit HostRows(const Csr& csr)
      : entries(csr.entries),
        offsets(csr.offsets.to_host<uint32_t>(csr.rows + 1)),
        columns(csr.column_indices.to_host<uint32_t>(csr.entries)),
        values(csr.values.to_host<float>(csr.entries)) {}
  bool operator==(const HostRows&) const = default;
  uint64_t entries = 0;
  std::vector<uint32_t> offsets, columns;
  std::vector<float> values;
};

/// The choice, and what it chooses from.
struct Way {
  const char *name, *forced;
};
constexpr Way ways[] = {
    {"chosen", ""}, {"insert", "update_insert"}, {"merge", "update_merge"}, {"rebuild", "update_rebuild"}};

class Bench {
 public:
  explicit Bench(const Options& options)
      : options_(options), stream_(options.graph, options.scale), plus_(*catalogue::binary_op("PLUS_FP32")) {
    base_ = to_csr(operations::built(stream_.matrix(), stream_.rows(), stream_.columns(), plus_));
    std::printf("%s, %s, %lu by %lu, %lu entries\n", runtime::device().properties().name.c_str(),
                options.graph.c_str(), (unsigned long)base_.rows, (unsigned long)base_.columns,
                (unsigned long)base_.entries);
    result_ = {{"benchmark", "dynamic"},   {"device", runtime::device().properties().name},
               {"graph", options.graph},   {"rows", base_.rows},
               {"entries", base_.entries}, {"repeat", options.repeat}};
  }

  /// Twice, and the second time counts: in the first one kernels are compiled.
  void measure_batches() {
    for (unsigned k = options_.smallest; k <= options_.largest; k += 2) {
      const int repeat = k > 20 ? std::min(options_.repeat, 3) : options_.repeat;
      insert_batches(k, repeat, /*compares=*/false);
      nlohmann::json record = insert_batches(k, repeat, k <= largest_compared);
      print_batches(k, record);
      result_["batches"].push_back(record);
      all_same_ = all_same_ && record["same"].get<bool>();
      write();
    }
  }

  /// Half of the edges of a batch are new, half were there; half of all are removed.
  void measure_mixed() {
    for (const unsigned k : {10u, 16u, 20u}) {
      if (k > options_.largest) continue;
      nlohmann::json record = {{"edges", uint64_t(1) << k}};
      for (int twice = 0; twice < 2; ++twice) {
        for (const Way& way : ways) {
          if (std::string(way.name) != "rebuild") record[way.name] = mixed_batches(way, k);
        }
      }
      std::printf("mixed: %s\n", record.dump().c_str());
      result_["mixed"].push_back(record);
    }
    write();
  }

  /// Bytes of the matrix after each of a hundred batches.
  void measure_memory() {
    const unsigned k = std::min(options_.largest, 16u);
    nlohmann::json record = {{"edges", uint64_t(1) << k}};
    DeviceMatrix matrix = in_a_stream(k);
    for (uint64_t r = 1; r <= 100; ++r) {
      operations::update(matrix, updates_of(batch(k, r)), plus_);
      record["bytes"].push_back(matrix.content_bytes());
      record["entries"].push_back(matrix.nvals());
      record["fragmented"].push_back(matrix.fragments != nullptr);
    }
    std::printf("memory: %lu bytes for %lu entries after 100 batches of 2^%u, base %lu bytes\n",
                (unsigned long)matrix.content_bytes(), (unsigned long)matrix.nvals(), k,
                (unsigned long)base_.bytes());
    result_["memory"] = record;
    write();
  }

  /// What being fragmented costs: products before and after defragmentation, and the ways between the forms.
  void measure_form() {
    DeviceMatrix matrix = formats::matrix_by(base_, false);
    // As of a stream with products between its batches.
    matrix.history.batches_before = 100;
    matrix.history.products_before = 5;
    {
      const Forced forced("update_insert");
      for (uint64_t r = 0; r < 4; ++r) {
        operations::update(matrix, updates_of(batch(14, r)), plus_);
        matrix.history.products = 5;
      }
    }
    DeviceMatrix defragmented = matrix;
    Dcsr in_one_segment = *matrix.fragments;
    formats::defragment(in_one_segment);
    defragmented.next_version();
    defragmented.fragments = std::make_shared<Dcsr>(std::move(in_one_segment));
    nlohmann::json form;
    form["bins"] = matrix.fragments->bins != nullptr;
    for (const char* kernel : {"mxv_dcsr", "mxv_adcsr", ""}) {
      const Forced forced(kernel);
      const char* name = *kernel == 0 ? "chosen" : kernel;
      DeviceMatrix kept = matrix;
      form["product_on_fragments"][name] = product_seconds(kept, /*settles=*/false);
      form["product_on_one_segment"][name] = product_seconds(defragmented, /*settles=*/false);
    }
    measure_conversions(matrix, form);
    matrix.read_rows();
    for (const char* kernel : {"mxv_dcsr", "mxv_adcsr", ""}) {
      const Forced forced(kernel);
      form["product_after"][*kernel == 0 ? "chosen" : kernel] = product_seconds(matrix, /*settles=*/true);
    }
    std::printf("form: %s\n", form.dump().c_str());
    result_["form"] = form;
    write();
  }

  /// The paper's Tables 2 and 3, and how fast a matrix is built by insertion.
  void measure_paper() {
    result_["paper"] = bench::measure_as_paper(base_, stream_, options_.repeat);
    std::printf("paper: %s\n", result_["paper"].dump().c_str());
    all_same_ = all_same_ && result_["paper"]["same"].get<bool>();
    write();
  }

  /// An array of the matrix's columns that gets a quarter more: at its place, by memory that is new to the
  /// process and by memory that it has had, and by a copy.
  void measure_growth() {
    const size_t bytes = base_.column_indices.bytes(), more = bytes + bytes / 4;
    nlohmann::json record = {{"bytes", bytes}};
    for (int r = 0; r < 3 + options_.repeat; ++r) {
      const auto time = [&](const std::string& name, const auto& work) {
        const double seconds = seconds_of(work);
        if (r >= 3) record["seconds"][name].push_back(seconds);
      };
      for (const bool is_new : {true, false}) {
        if (is_new) runtime::device().trim();
        const std::string kind = is_new ? ", new memory" : "";
        Buffer array;
        time("allocation" + kind, [&] { array = Buffer::growable(bytes, runtime::device()); });
        bool grown = false;
        time("growth" + kind, [&] { grown = array.grow(more); });
        record["grows"] = grown;
        array = {};
        const Buffer plain = base_.column_indices.clone();
        time("copy" + kind, [&] {
          const Buffer copy(more);
          copy.copy_bytes(0, plain, 0, bytes);
        });
      }
    }
    for (auto& [name, seconds] : record["seconds"].items()) record[name] = median(seconds);
    record.erase("seconds");
    std::printf("growth: %s\n", record.dump().c_str());
    result_["growth"] = record;
    write();
  }

  /// select of a hundredth, half, and all but a hundredth of the entries of a fragmented matrix: from its
  /// segments, of the CSR, and of a CSR that is made for it.
  void measure_select() {
    DeviceMatrix fragmented = formats::matrix_by(base_, false);
    {
      const Forced forced("update_insert");
      for (uint64_t r = 0; r < 4; ++r) operations::update(fragmented, updates_of(batch(16, r)), plus_);
    }
    DeviceMatrix rows = fragmented;
    rows.read_rows();
    const IndexUnaryOp columns_up_to = *catalogue::index_unary_op("COLLE");
    nlohmann::json record;
    for (const double share : {0.01, 0.5, 0.99}) {
      const auto most = table::value_of(Type::of(TypeCode::Int64), int64_t(share * double(base_.columns)));
      nlohmann::json line = {{"share_of_columns", share}};
      const auto select_by = [&](const auto& way, const DeviceMatrix& of) {
        DeviceMatrix result = formats::matrix_by(formats::empty_csr(of.type, of.rows, of.columns), false);
        way(operations::MatrixOutput{result, {}, std::nullopt, false}, columns_up_to,
            operations::MatrixInput{of, false}, most);
        return result.nvals();
      };
      const auto select = [&](const DeviceMatrix& of) {
        return select_by([](const auto&... operands) { operations::select(operands...); }, of);
      };
      const auto time = [&](const char* name, const auto& work) {
        line[name] = median_seconds(options_.repeat, work);
      };
      line["entries"] = select(rows);
      all_same_ = all_same_ && line["entries"] == select(fragmented);
      time("as_chosen", [&] { select(fragmented); });
      time("from_segments", [&] { select_by(operations::select_of_segments, fragmented); });
      time("from_csr", [&] { select(rows); });
      time("from_csr_that_is_made", [&] {
        DeviceMatrix other = fragmented;
        other.read_rows();
        select(other);
      });
      record.push_back(line);
    }
    std::printf("select: %s\n", record.dump().c_str());
    result_["select"] = record;
    write();
  }

  /// The paper's iterative test: 0.2 % random entries, then five products, fifty times. At last once more as
  /// chosen, with what was done in each round and why.
  void measure_iterations() {
    nlohmann::json record;
    for (int twice = 0; twice < 2; ++twice) {
      for (const Way& way : ways) record[way.name] = iterate(way, twice == 0 ? 3 : 50);
    }
    record["rebuild_over_chosen"] =
        record["rebuild"]["seconds"].get<double>() / record["chosen"]["seconds"].get<double>();
    trace::keep_records(true);
    record["why"] = iterate(ways[0], 50)["why"];
    trace::keep_records(false);
    std::printf("iterative: %s\n", record.dump().c_str());
    result_["iterative"] = record;
    write();
  }

  bool all_same() const { return all_same_; }

 private:
  /// Batch r of 2^k edges after the matrix.
  Tuples batch(unsigned k, uint64_t r) const { return stream_.batch(r << k, uint64_t(1) << k); }
  EntryUpdates updates_of(const Tuples& batch) const {
    return {operations::built(batch, base_.rows, base_.columns, plus_), {}};
  }

  void write() const {
    if (!options_.json.empty()) std::ofstream(options_.json) << result_.dump(2) << "\n";
  }

  /// In a stream of such batches that has been going on, of which it has the first.
  DeviceMatrix in_a_stream(unsigned k) const {
    DeviceMatrix matrix = formats::matrix_by(base_, false);
    matrix.history.batches_before = 100;
    operations::update(matrix, updates_of(batch(k, 0)), plus_);
    return matrix;
  }

  /// The matrices of larger batches are not compared: that takes longer than the batches do.
  static constexpr unsigned largest_compared = 20;

  nlohmann::json insert_batches(unsigned k, int repeat, bool compares) const {
    nlohmann::json record = {{"edges", uint64_t(1) << k}};
    time(record["sort"], k, repeat, [&](const Tuples& batch) { updates_of(batch); });
    HostRows first;
    bool same = true;
    for (const Way& way : ways) {
      const Forced forced(way.forced);
      DeviceMatrix matrix = in_a_stream(k);
      std::string last;
      time(record[way.name], k, repeat,
           [&](const Tuples& batch) { last = operations::update(matrix, updates_of(batch), plus_); });
      record[way.name]["how"] = last;
      record[way.name]["bytes"] = matrix.content_bytes();
      if (!compares) continue;
      matrix.read_rows();
      const HostRows rows(matrix.stored);
      same = same && (first.entries == 0 || first == rows);
      if (first.entries == 0) first = rows;
    }
    double best = record["insert"]["seconds"];
    for (const char* way : {"merge", "rebuild"}) best = std::min(best, record[way]["seconds"].get<double>());
    record["chosen_over_best"] = record["chosen"]["seconds"].get<double>() / best;
    record["same"] = same;
    return record;
  }

  /// A line of the map.
  static void print_batches(unsigned k, const nlohmann::json& record) {
    std::printf("2^%-2u", k);
    for (const char* way : {"sort", "insert", "merge", "rebuild", "chosen"})
      std::printf(" | %s %.4g ms", way, record[way]["seconds"].get<double>() * 1e3);
    std::printf(" | %.4g M/s, %.3f of the best: %s | %s\n",
                record["chosen"]["edges_per_second"].get<double>() / 1e6,
                record["chosen_over_best"].get<double>(), record["chosen"]["how"].get<std::string>().c_str(),
                record["same"].get<bool>() ? "the same" : "results differ");
    std::fflush(stdout);
  }

  /// insert(batch) for `repeat` batches of this size.
  template <class Insert>
  void time(nlohmann::json& record, unsigned k, int repeat, const Insert& insert) const {
    const uint64_t count = uint64_t(1) << k;
    double seconds = 0, longest = 0;
    for (int r = 1; r <= repeat; ++r) {
      const Tuples next = batch(k, uint64_t(r));
      const double s = seconds_of([&] { insert(next); });
      seconds += s;
      longest = std::max(longest, s);
    }
    const double each = seconds / repeat;
    record["seconds"] = each;
    record["longest_seconds"] = longest;
    record["edges_per_second"] = double(count) / each;
  }

  /// Seconds a batch, without its sort.
  double mixed_batches(const Way& way, unsigned k) const {
    const Forced forced(way.forced);
    DeviceMatrix matrix = in_a_stream(k);
    const uint64_t half = uint64_t(1) << k >> 1;
    double seconds = 0;
    for (int r = 1; r <= options_.repeat; ++r) {
      Tuples some = stream_.around_its_end(uint64_t(r) * half, 2 * half);
      EntryUpdates updates = updates_of(some);
      std::vector<uint8_t> removes(updates.entries.entries);
      for (size_t n = 0; n < removes.size(); ++n) removes[n] = graph_files::edges::mixed(n) & 1;
      updates.removes = Buffer::from_host(removes.data(), removes.size());
      seconds += seconds_of([&] { operations::update(matrix, updates, plus_); });
    }
    return seconds / options_.repeat;
  }

  void measure_conversions(const DeviceMatrix& matrix, nlohmann::json& form) const {
    const auto time = [&](const char* name, const auto& work) {
      form[name] = median_seconds(options_.repeat, work);
    };
    time("to_csr", [&] {
      DeviceMatrix fragmented = matrix;
      fragmented.read_rows();
    });
    time("defragment", [&] {
      Dcsr dcsr = *matrix.fragments;
      formats::defragment(dcsr);
    });
    Dcsr defragmented = *matrix.fragments;
    formats::defragment(defragmented);
    time("defragmented_to_csr", [&] { formats::to_csr(defragmented); });
    time("to_dcsr_with_slack", [&] { formats::make_dcsr(base_, {4, 1, base_.entries / base_.rows}); });
    time("to_dcsr_that_takes_the_arrays", [&] { formats::make_dcsr(base_, {4}); });
    // As in the paper's Table 4, which times them against a product.
    std::vector<Tuples> thousands;
    for (int r = 0; r < 3 + options_.repeat; ++r)
      thousands.push_back(stream_.batch(uint64_t(r) * 1000, 1000));
    DeviceMatrix updated = matrix;
    const Forced forced("update_insert");
    auto next = thousands.begin();
    time("thousand_updates", [&] { operations::update(updated, updates_of(*next++), plus_); });
  }

  nlohmann::json iterate(const Way& way, int rounds) const {
    const Forced forced(way.forced);
    DeviceMatrix matrix = formats::matrix_by(base_, false);
    const DeviceVector u = ones();
    const uint64_t count = base_.entries / 500;
    double updating = 0, multiplying = 0;
    nlohmann::json record = {{"ways", nlohmann::json::object()}};
    for (int round = 0; round < rounds; ++round) {
      const Tuples batch = stream_.batch(uint64_t(round) * count, count);
      const uint64_t compiled = jit::statistics().compiled;
      std::string how;
      const double update = seconds_of([&] { how = operations::update(matrix, updates_of(batch), plus_); });
      const std::string way_taken = how.substr(0, how.find(" ("));
      record["ways"][way_taken] = record["ways"].value(way_taken, 0) + 1;
      const double products = seconds_of([&] {
        for (int product = 0; product < 5; ++product) {
          const trace::Scope scope("product");
          multiply(matrix, u, true);
        }
      });
      updating += update;
      multiplying += products;
      record["rounds"].push_back({update, products});
      record["compiled"].push_back(jit::statistics().compiled - compiled);
      if (trace::enabled()) record["why"].push_back({how, trace::last_text()});
    }
    record["seconds"] = updating + multiplying;
    record["updating"] = updating;
    record["multiplying"] = multiplying;
    record["bytes"] = matrix.content_bytes();
    record["products_at_the_end"] = products_at_the_end(matrix);
    return record;
  }

  /// A product with what the rounds have left, by each kernel that reads it.
  nlohmann::json products_at_the_end(DeviceMatrix& matrix) const {
    nlohmann::json record = {{"bins", matrix.fragments != nullptr && matrix.fragments->bins != nullptr}};
    for (const char* kernel : {"mxv_dcsr", "mxv_adcsr", ""}) {
      if (matrix.fragments == nullptr && *kernel != 0) continue;
      const Forced forced(kernel);
      record[*kernel == 0 ? "chosen" : kernel] = product_seconds(matrix, /*settles=*/false);
    }
    return record;
  }

  double product_seconds(DeviceMatrix& of, bool settles) const {
    constexpr int count = 20;
    const DeviceVector u = ones();
    for (int r = 0; r < 4 * count; ++r) multiply(of, u, settles);
    return seconds_of([&] {
             for (int r = 0; r < count; ++r) multiply(of, u, settles);
           }) /
           count;
  }

  /// A product as a program makes it, without its vectors' passes. `settles`: the form may change.
  void multiply(DeviceMatrix& matrix, const DeviceVector& u, bool settles) const {
    if (settles) operations::settle_form(matrix, semiring_, /*transpose=*/false);
    DeviceVector w = DeviceVector::empty(semiring_.add.type(), base_.rows);
    operations::mxv({w, {}, std::nullopt, false}, {semiring_, matrix, u});
  }
  DeviceVector ones() const {
    const float one = 1;
    DeviceVector u =
        DeviceVector::full_of(Type::of(TypeCode::Fp32), base_.columns, Buffer::from_host(&one, 4));
    return formats::expand_iso(u);
  }

  Options options_;
  EdgeStream stream_;
  BinaryOp plus_;
  Semiring semiring_ = *catalogue::semiring("PLUS_TIMES_FP32");
  Csr base_;
  nlohmann::json result_;
  bool all_same_ = true;
};

}  // namespace

int main(int count, char** arguments) {
  try {
    const Options options = parse(count, arguments);
    Bench bench(options);
    if (options.has("batches")) bench.measure_batches();
    if (options.has("form")) bench.measure_form();
    if (options.has("paper")) bench.measure_paper();
    if (options.has("growth")) bench.measure_growth();
    if (options.has("select")) bench.measure_select();
    if (options.has("iterative")) bench.measure_iterations();
    if (options.has("mixed")) bench.measure_mixed();
    if (options.has("memory")) bench.measure_memory();
    return bench.all_same() ? 0 : 1;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "bench_dynamic: %s\n", failure.what());
    return 1;
  }
}
