// bench_stream GRAPH [--largest K] [--repeat N] [--json FILE]: bench/dynamic/README.md. The same program runs
// on plain SuiteSparse and, with libcugrb.so preloaded, on the GPU.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/lagraph/load.h"
#include "tools/graph_files/edges.h"

namespace {

using cugrb::graph_files::edges::below;
using cugrb::graph_files::edges::mixed;

struct Options {
  std::string graph, json;
  unsigned largest = 16;
  int repeat = 10;
};

Options parse(int count, char** arguments) {
  if (count < 2 || count % 2 != 0) throw std::invalid_argument("bench_stream GRAPH [--option VALUE ...]");
  Options options;
  options.graph = arguments[1];
  for (int n = 2; n < count; n += 2) {
    const std::string word = arguments[n], value = arguments[n + 1];
    if (word == "--largest") {
      options.largest = unsigned(std::stoul(value));
    } else if (word == "--repeat") {
      options.repeat = std::stoi(value);
    } else if (word == "--json") {
      options.json = value;
    } else {
      throw std::invalid_argument("unknown option " + word);
    }
  }
  return options;
}

void check(GrB_Info info, const char* what) {
  if (info != GrB_SUCCESS) throw std::runtime_error(std::string(what) + " gave " + std::to_string(info));
}
#define CHECKED(call) check(call, #call)

template <class Work>
double seconds_of(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Uniform edges: the same in every run.
struct Edges {
  std::vector<GrB_Index> rows, columns;
  std::vector<float> values;
  Edges(GrB_Index n, uint64_t seed, uint64_t count) : rows(count), columns(count), values(count, 1) {
    for (uint64_t e = 0; e < count; ++e) {
      rows[e] = below(mixed((seed << 33) + 2 * e), n);
      columns[e] = below(mixed((seed << 33) + 2 * e + 1), n);
    }
  }
};

class Stream {
 public:
  explicit Stream(const Options& options) : options_(options) {
    GrB_Matrix pattern = cugrb_bench::load_pattern(options.graph);
    CHECKED(GrB_Matrix_nrows(&n_, pattern));
    CHECKED(GrB_Matrix_new(&base_, GrB_FP32, n_, n_));
    CHECKED(GrB_Matrix_apply_BinaryOp1st_FP32(base_, nullptr, nullptr, GrB_FIRST_FP32, 1, pattern, nullptr));
    CHECKED(GrB_Matrix_free(&pattern));
    CHECKED(GrB_Vector_new(&u_, GrB_FP32, n_));
    CHECKED(GrB_Vector_assign_FP32(u_, nullptr, nullptr, 1, GrB_ALL, n_, nullptr));
    CHECKED(GrB_Vector_new(&w_, GrB_FP32, n_));
    CHECKED(GrB_Matrix_nvals(&entries_, base_));
    result_ = {{"benchmark", "stream"}, {"graph", options.graph}, {"entries", entries_}};
  }

  /// Single elements, then the use of the matrix that takes them.
  void set_elements() {
    for (unsigned k = 0; k <= options_.largest; k += 2) {
      nlohmann::json record = {{"edges", uint64_t(1) << k}};
      for (int twice = 0; twice < 2; ++twice) {
        GrB_Matrix a = copy();
        double setting = 0, taking = 0;
        for (int r = 0; r <= options_.repeat; ++r) {
          const Edges edges(n_, (uint64_t(k) << 8) + uint64_t(r), uint64_t(1) << k);
          GrB_Index nvals = 0;
          const double set = seconds_of([&] {
            for (size_t e = 0; e < edges.rows.size(); ++e)
              CHECKED(GrB_Matrix_setElement_FP32(a, edges.values[e], edges.rows[e], edges.columns[e]));
          });
          const double taken = seconds_of([&] { CHECKED(GrB_Matrix_nvals(&nvals, a)); });
          if (r > 0) setting += set, taking += taken;  // the first one begins the stream
          record["nvals"] = nvals;
        }
        record["setting"] = setting / options_.repeat;
        record["taking"] = taking / options_.repeat;
        CHECKED(GrB_Matrix_free(&a));
      }
      std::printf("set: %s\n", record.dump().c_str());
      std::fflush(stdout);
      result_["set_elements"].push_back(record);
    }
  }

  /// The paper's iterative test: A += B of 0.2 % random entries, then five products, fifty times.
  void iterate() {
    nlohmann::json record;
    for (const int rounds : {5, 50}) {
      GrB_Matrix a = copy();
      double updating = 0, multiplying = 0;
      for (int r = 0; r < rounds; ++r) {
        const Edges edges(n_, uint64_t(r), entries_ / 500);
        GrB_Matrix b = nullptr;
        updating += seconds_of([&] {
          CHECKED(GrB_Matrix_new(&b, GrB_FP32, n_, n_));
          CHECKED(GrB_Matrix_build_FP32(b, edges.rows.data(), edges.columns.data(), edges.values.data(),
                                        edges.rows.size(), GrB_PLUS_FP32));
          CHECKED(GrB_Matrix_eWiseAdd_BinaryOp(a, nullptr, nullptr, GrB_PLUS_FP32, a, b, nullptr));
          CHECKED(GrB_Matrix_wait(a, GrB_MATERIALIZE));
        });
        multiplying += seconds_of([&] {
          for (int product = 0; product < 5; ++product)
            CHECKED(GrB_mxv(w_, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP32, a, u_, nullptr));
          record["sum"] = sum();
        });
        CHECKED(GrB_Matrix_free(&b));
      }
      record["seconds"] = updating + multiplying;
      record["updating"] = updating;
      record["multiplying"] = multiplying;
      CHECKED(GrB_Matrix_free(&a));
    }
    std::printf("iterative: %s\n", record.dump().c_str());
    result_["iterative"] = record;
  }

  void write() const {
    if (!options_.json.empty()) std::ofstream(options_.json) << result_.dump(2) << "\n";
  }

 private:
  double sum() const {
    double total = 0;
    CHECKED(GrB_Vector_reduce_FP64(&total, nullptr, GrB_PLUS_MONOID_FP64, w_, nullptr));
    return total;
  }
  /// Where the program's products are.
  GrB_Matrix copy() const {
    GrB_Matrix a = nullptr;
    CHECKED(GrB_Matrix_dup(&a, base_));
    for (int product = 0; product < 8; ++product)
      CHECKED(GrB_mxv(w_, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP32, a, u_, nullptr));
    sum();
    return a;
  }

  Options options_;
  GrB_Index n_ = 0, entries_ = 0;
  GrB_Matrix base_ = nullptr;
  GrB_Vector u_ = nullptr, w_ = nullptr;
  nlohmann::json result_;
};

}  // namespace

int main(int count, char** arguments) {
  try {
    const Options options = parse(count, arguments);
    CHECKED(GrB_init(GrB_NONBLOCKING));
    {
      Stream stream(options);
      stream.iterate();
      stream.write();
      stream.set_elements();
      stream.write();
    }
    CHECKED(GrB_finalize());
    return 0;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "bench_stream: %s\n", failure.what());
    return 1;
  }
}
