// cugrb calibrate: a device's profile, fitted to measured products.
#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "src/jit/private_files.h"
#include "src/operations/multiply/choose.h"
#include "src/operations/multiply/registry.h"
#include "src/selector/profile.h"
#include "tools/calibration/accuracy.h"
#include "tools/calibration/fit.h"
#include "tools/calibration/workloads.h"
#include "tools/cugrb/calibrate_measure.h"
#include "tools/cugrb/command.h"
#include "tools/cugrb/numbers.h"
#include "tools/cugrb/output.h"

namespace cugrb::command {

namespace {

using calibration::Accuracy;
using nlohmann::json;
using selector::Hardware;

struct CalibrateOptions {
  std::vector<std::string> results, numbers, graphs;
  std::string output, save, pairs;
  double seconds = 40;
  bool devices = false;
};

void print(const std::map<std::string, Accuracy>& accuracy) {
  fmt::print("{:<24} {:>6} {:>12} {:>10} {:>8} {:>12} {:>8}\n", "", "pairs", "within 20 %", "pred/meas",
             "choices", "within 5 %", "loss");
  for (const auto& [name, a] : accuracy) {
    fmt::print("{:<24} {:>6} {:>10.1f} % {:>10.2f}", name, a.pairs, 100 * a.share_of_pairs(), a.mean_error());
    if (a.choices > 0)
      fmt::print(" {:>8} {:>10.1f} % {:>8.3f}", a.choices, 100 * a.share_of_choices(), a.mean_loss());
    fmt::print("\n");
  }
}

json read_results(const std::string& name) {
  std::ifstream file(name);
  if (!file) throw Failure(printable(name) + " cannot be read");
  try {
    return json::parse(file);
  } catch (const json::exception& error) {
    throw Failure(printable(name) + ": " + error.what());
  }
}

/// What was measured with this profile so far, and the profile fitted to it. Matrix files are for testing:
/// nothing is fitted to them.
void fit_and_print(Hardware& hardware, const calibration::Measurements& measurements,
                   const std::vector<std::string>& numbers) {
  std::vector<calibration::MeasuredProduct> generated;
  for (const calibration::MeasuredProduct& product : measurements.products) {
    if (product.family != "file") generated.push_back(product);
  }
  fmt::print("Before:\n");
  print(accuracy_of(hardware, measurements.products));
  if (hardware.emulated) {
    fmt::print("The emulated device has no profile: nothing to fit.\n");
    return;
  }
  calibration::fit(hardware, generated, {numbers.begin(), numbers.end()});
  fmt::print("\nFitted to the generated matrices:\n");
  print(accuracy_of(hardware, measurements.products));
}

/// The folder that a file is in is made with the first one, for this user alone: it may be the kernel
/// cache's.
void make_folder_of(const std::string& path) {
  jit::make_private_folders(
      std::filesystem::path(path).parent_path());  // where it cannot, the file will say so
}

/// A file of this name, made before the work begins; nothing when there is no name. Where every process looks
/// for it, a profile is taken only when nobody else could have written it.
OptionalOutput output_of(const std::string& path, mode_t withheld = 0) {
  make_folder_of(path);
  return OptionalOutput(path, withheld);
}
constexpr mode_t by_others = S_IWGRP | S_IWOTH;

void print(const selector::WorkloadRates& rates) {
  using selector::WorkloadRates;
  fmt::print("Workloads of tile-composite (width x rows), 10^9 entries a second:\n{:<10}", "");
  for (const char* kind : WorkloadRates::kind_names) fmt::print(" {:>9}", kind);
  fmt::print("\n");
  for (int c = 0; c < tile_classes; ++c) {
    for (size_t n = 0; n < WorkloadRates::lengths; ++n) {
      fmt::print("{:<10}", WorkloadRates::shape_of(c, n).name());
      for (const auto& kind : rates.entries_per_second) fmt::print(" {:>9.1f}", kind[size_t(c)][n] * 1e-9);
      fmt::print("\n");
    }
  }
}

/// The look-up table of workloads, into `hardware`.
void measure_table(Hardware& hardware) {
  const calibration::Stopwatch watch;
  hardware.workloads = calibration::measure_workloads(hardware, calibration::WorkloadEffort::of_device());
  print(hardware.workloads);
  fmt::print("measured in {:.1f} s\n", watch.seconds());
}

/// matrix, semiring, kernel, predicted and measured microseconds: a line each.
std::string pairs_text(const Hardware& hardware, const calibration::Measurements& measurements) {
  std::string text = "matrix,semiring,kernel,predicted_us,measured_us\n";
  for (const calibration::MeasuredProduct& product : measurements.products) {
    for (const calibration::MeasuredKernel& kernel : product.kernels) {
      const double predicted = operations::predicted_seconds(product.problem, hardware,
                                                             *operations::find_mxv_kernel(kernel.kernel));
      text += fmt::format("{},{},{},{:.3f},{:.3f}\n", printable(product.matrix), product.semiring,
                          kernel.kernel, predicted * 1e6, kernel.seconds * 1e6);
    }
  }
  return text;
}

/// "none": print what predictions are worth as they are.
void check_numbers(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const auto& known = selector::profile_numbers();
    if (name != "none" &&
        std::none_of(known.begin(), known.end(),
                     [&](const selector::ProfileNumber& number) { return number.name == name; }))
      throw Failure("--number " + printable(name) + ": the profile has no such number (or: none)", usage);
  }
}

void check_device() {
  const std::string obstacle = runtime::unavailable_reason();
  if (!obstacle.empty()) throw Failure("no device: " + obstacle);
}

void measure_and_print_links(Hardware& hardware) {
  measure_links(hardware);
  fmt::print("between devices: copies {:.1f} GB/s, a small one {:.1f} us\n",
             hardware.peer_bytes_per_second * 1e-9, hardware.peer_seconds * 1e6);
}

/// --devices: the profile in force with the rates between this process's devices.
int calibrate_links(const CalibrateOptions& options) {
  check_device();
  if (runtime::devices().size() < 2)
    throw Failure("--devices measures what lies between several: CUGRB_DEVICES names them (all, or 0,1)");
  const std::string& device = runtime::device().properties().name;
  Hardware hardware = selector::Profile::of_device()->hardware;
  const std::string path =
      options.output.empty() && !hardware.emulated ? selector::profile_path(device) : options.output;
  OptionalOutput profile = output_of(path, by_others);
  fmt::print("{} x {}, ", runtime::devices().size(), device);
  measure_and_print_links(hardware);
  profile.write(selector::profile_text(hardware, device));
  if (!path.empty()) fmt::print("The profile is in {}\n", printable(path));
  return 0;
}

int run(const CalibrateOptions& options) {
  if (options.devices) return calibrate_links(options);
  check_numbers(options.numbers);
  std::vector<std::string> inputs = options.results;
  inputs.insert(inputs.end(), options.graphs.begin(), options.graphs.end());
  check_outputs({{"--save", options.save}, {"--pairs", options.pairs}, {"--output", options.output}}, inputs);
  OptionalOutput saved = output_of(options.save), pairs = output_of(options.pairs),
                 profile = output_of(options.output, by_others);
  calibration::Measurements measurements;
  Hardware hardware;
  std::string device = "NVIDIA H200", path = options.output;
  if (!options.results.empty()) {
    for (const std::string& name : options.results) measurements.add(read_results(name));
    if (measurements.products.empty()) throw Failure("these files hold no measured products", usage);
  } else {
    check_device();
    const runtime::Properties& properties = runtime::device().properties();
    device = properties.name;
    hardware = Hardware::from_properties(properties);
    if (path.empty() && !hardware.emulated) {
      path = selector::profile_path(device);
      profile = output_of(path, by_others);
    }
    measure_rates(hardware);
    fmt::print(
        "{}: copies {:.2f} TB/s, from the host {:.1f} GB/s, a launch among others {:.2f} us, sorting {:.2f} "
        "G "
        "keys/s\n",
        device, hardware.copy_bytes_per_second * 1e-12, hardware.bus_bytes_per_second * 1e-9,
        hardware.launch_seconds * 1e6, hardware.sort_keys_per_second * 1e-9);
    if (runtime::devices().size() > 1) measure_and_print_links(hardware);
    measure_table(hardware);
    const json measured = measure_products(options.graphs.empty() ? calibration_graphs() : options.graphs,
                                           hardware, calibration::Deadline(options.seconds));
    saved.write(json_text(measured, -1) + "\n");
    measurements.add(measured);
  }
  fit_and_print(hardware, measurements, options.numbers);
  if (!options.pairs.empty()) pairs.write(pairs_text(hardware, measurements));
  const std::string text = selector::profile_text(hardware, device);
  if (path.empty()) {
    fmt::print("\n{}", text);
  } else {
    profile.write(text);
    fmt::print("\nThe profile is in {}\n", printable(path));
  }
  return 0;
}

}  // namespace

void add_calibrate(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CalibrateOptions>();
  CLI::App* sub =
      app.add_subcommand("calibrate", "Measures the device and fits the selector's predictions to it");
  CLI::Option* results =
      sub->add_option("--results", options->results,
                      "files of bench_spmv to fit the shipped H200 profile to; nothing is measured");
  sub->add_option("--graph", options->graphs, "measure these matrices, not the usual ones")
      ->excludes(results);
  sub->add_option("--number", options->numbers, "fit only these numbers of the profile, or none");
  sub->add_option("--seconds", options->seconds, "no new matrix after so many")
      ->check(real({0, std::numeric_limits<double>::infinity(), false}));
  sub->add_option("--save", options->save, "what was measured goes into this file")->excludes(results);
  sub->add_option("--pairs", options->pairs,
                  "every prediction beside its measurement goes into this file (CSV)");
  sub->add_flag("--devices", options->devices,
                "measure only what lies between the devices of CUGRB_DEVICES, beside the profile in force")
      ->excludes(results);
  sub->add_option("--output", options->output,
                  "the profile goes into this file, not where every process on this machine finds it");
  sub->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace cugrb::command
