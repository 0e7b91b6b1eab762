#include "bench/lagraph/trials.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace cugrb_bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

Options::Options(int argc, char** argv, const std::string& default_algorithms)
    : algorithms(default_algorithms) {
  for (int k = 1; k < argc; ++k) {
    const std::string option = argv[k];
    if (option.rfind("--", 0) != 0) {
      graph = option;
      continue;
    }
    if (k + 1 == argc) throw std::runtime_error(option + " needs a value");
    const char* const value = argv[++k];
    if (option == "--algorithms") {
      algorithms = value;
    } else if (option == "--repeat") {
      trials.most = std::atoi(value);
    } else if (option == "--seconds") {
      trials.seconds = std::atof(value);
    } else if (option == "--sources") {
      sources = std::atoi(value);
    } else if (option == "--json") {
      json_file = value;
    } else if (option == "--export") {
      export_folder = value;
    } else {
      throw std::runtime_error("unknown option " + option);
    }
  }
  if (graph.empty()) throw std::runtime_error("which graph? A name such as rmat:20:16, or a file");
}

bool Options::has(const std::string& algorithm) const {
  return ("," + algorithms + ",").find("," + algorithm + ",") != std::string::npos;
}

nlohmann::json to_json(const Timing& timing) {
  return {{"cold_seconds", timing.cold_seconds},
          {"median_seconds", median(timing.warm_seconds)},
          {"warm_seconds", timing.warm_seconds},
          {"checksums", timing.checksums}};
}

Timing measure(const Trials& trials, const std::function<void(int)>& algorithm,
               const std::function<double(int)>& checksum) {
  Timing timing;
  const auto begin = Clock::now();
  for (int trial = 0; trial <= trials.most && (trial < 2 || seconds_since(begin) < trials.seconds); ++trial) {
    const auto start = Clock::now();
    algorithm(trial);
    const double seconds = seconds_since(start);
    if (trial == 0)
      timing.cold_seconds = seconds;
    else
      timing.warm_seconds.push_back(seconds);
    timing.checksums.push_back(checksum(trial));
  }
  return timing;
}

std::vector<GrB_Index> batch_of(int trial, const std::vector<GrB_Index>& sources) {
  std::vector<GrB_Index> batch;
  for (int k = 0; k < 4; ++k) batch.push_back(source_of(trial * 4 + k, sources));
  return batch;
}

std::vector<GrB_Index> pick_sources(GrB_Matrix a, int count) {
  GrB_Index n = 0;
  GrB_Matrix_nrows(&n, a);
  std::vector<GrB_Index> sources;
  GrB_Vector row = nullptr;
  GrB_Vector_new(&row, GrB_BOOL, n);
  for (GrB_Index k = 0, v = 12345 % n; int(sources.size()) < count && k < 1000;
       ++k, v = (v * 1103515245u + 12345u) % n) {
    GrB_Index degree = 0;
    GrB_Col_extract(row, nullptr, nullptr, a, GrB_ALL, n, v, GrB_DESC_T0);
    GrB_Vector_nvals(&degree, row);
    if (degree > 0) sources.push_back(v);
  }
  GrB_Vector_free(&row);
  if (sources.empty()) throw std::runtime_error("no vertex has an edge");
  return sources;
}

double norm_of(GrB_Vector vector) {
  double sum = 0;
  GrB_Vector squares = nullptr;
  GrB_Index n = 0;
  GrB_Vector_size(&n, vector);
  GrB_Vector_new(&squares, GrB_FP64, n);
  GrB_Vector_eWiseMult_BinaryOp(squares, nullptr, nullptr, GrB_TIMES_FP64, vector, vector, nullptr);
  GrB_Vector_reduce_FP64(&sum, nullptr, GrB_PLUS_MONOID_FP64, squares, nullptr);
  GrB_Vector_free(&squares);
  return std::sqrt(sum);
}

double reached_by(GrB_Vector parents_or_levels, bool levels) {
  GrB_Index reached = 0;
  int64_t sum = 0;
  GrB_Vector_nvals(&reached, parents_or_levels);
  if (levels) GrB_Vector_reduce_INT64(&sum, nullptr, GrB_PLUS_MONOID_INT64, parents_or_levels, nullptr);
  return double(reached) + double(sum);
}

void write(const nlohmann::json& result, const Options& options) {
  const std::string text = result.dump(1);
  std::puts(text.c_str());
  if (options.json_file.empty()) return;
  FILE* file = std::fopen(options.json_file.c_str(), "w");
  if (file == nullptr) throw std::runtime_error("cannot write " + options.json_file);
  std::fputs(text.c_str(), file);
  std::fclose(file);
}

int run_program(const char* name, const std::function<void()>& run) {
  try {
    run();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name, error.what());
    return 1;
  }
}

}  // namespace cugrb_bench
