// What `cugrb explain` prints.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "tools/cugrb/explain.h"
#include "tools/cugrb/explain_scale.h"
#include "tools/cugrb/explain_table.h"
#include "tools/cugrb/output.h"
#include "tools/cugrb/units.h"

namespace cugrb::command {

namespace {

using nlohmann::json;

std::string optional_seconds(const json& object, const char* key) {
  return object.contains(key) ? seconds_text(object[key].get<double>()) : "-";
}

std::string optional_bytes(const json& object, const char* key) {
  return object.contains(key) ? bytes_text(object[key].get<double>()) : "-";
}

/// Lengths [first, last] and how many rows have one of them.
struct Octave {
  uint64_t first, last, rows = 0, entries = 0;
};

/// 0, 1, 2-3, 4-7, ...
std::vector<Octave> octaves(const json& lengths) {
  std::vector<Octave> list = {{0, 0}};
  for (uint64_t first = 1; first <= lengths["longest"].get<uint64_t>(); first *= 2)
    list.push_back({first, 2 * first - 1});
  for (const json& bin : lengths["histogram"]) {
    const uint64_t length = bin[0].get<uint64_t>(), rows = bin[1].get<uint64_t>();
    for (Octave& octave : list) {
      if (length < octave.first || length > octave.last) continue;
      octave.rows += rows;
      octave.entries += rows * length;
    }
  }
  return list;
}

/// A bar whose length is the logarithm of the number of rows.
void print_histogram(const json& lengths) {
  constexpr double widest = 40;
  const std::vector<Octave> list = octaves(lengths);
  uint64_t most = 1;
  for (const Octave& octave : list) most = std::max(most, octave.rows);
  const double rows = std::max(1.0, lengths["rows"].get<double>());
  const double entries = std::max(1.0, lengths["entries"].get<double>());
  fmt::print("    {:>17} {:>12} {:>9} {:>12}\n", "length", "number", "P(X<=K)", "NNZ(X>K)");
  uint64_t rows_up_to = 0, entries_up_to = 0;
  for (const Octave& octave : list) {
    rows_up_to += octave.rows;
    entries_up_to += octave.entries;
    const std::string range = octave.first == octave.last
                                  ? std::to_string(octave.first)
                                  : std::to_string(octave.first) + "-" + std::to_string(octave.last);
    const double share = std::log1p(double(octave.rows)) / std::log1p(double(most));
    fmt::print("    {:>17} {:>12} {:>8.2f}% {:>11.2f}%  {}\n", range, octave.rows,
               100 * double(rows_up_to) / rows, 100 * (1 - double(entries_up_to) / entries),
               std::string(size_t(std::lround(widest * share)), '#'));
  }
}

void print_lengths(const char* what, const json& lengths) {
  fmt::print("\n{}: {} of them, {} empty, longest {}, {} different lengths\n", what,
             lengths["rows"].get<uint64_t>(), lengths["empty"].get<uint64_t>(),
             lengths["longest"].get<uint64_t>(), lengths["distinct"].get<uint64_t>());
  fmt::print("  E(X) {:.3f}, sigma {:.3f}, skewness {:.2f}, E(Q) of 32-fractiles {:.2f}\n",
             lengths["mean"].get<double>(), lengths["deviation"].get<double>(),
             lengths["skewness"].get<double>(), lengths["warp_fractile_mean"].get<double>());
  const json& fractiles = lengths["fractiles"];
  fmt::print("  fractiles");
  for (const char* percent : {"25", "50", "75", "90", "99", "99.9"})
    fmt::print("  {} %: {}", percent, fractiles[percent].get<uint64_t>());
  fmt::print("\n");
  print_histogram(lengths);
}

void print_estimate(const json& f, const char* name) {
  const auto text = [&](const char* key) { return seconds_text(f[key].get<double>()); };
  const uint64_t threshold = f["threshold"].get<uint64_t>();
  fmt::print("  {:<8} {:>10} {:>11} {:>11} {:>11} {:>11} {:>11} {:>11}{}\n", name,
             bytes_text(f["storage_bytes"].get<double>()), text("transfer_seconds"), text("memory_seconds"),
             text("multiply_seconds"), text("add_seconds"), text("compute_seconds"), text("total_seconds"),
             threshold > 0 ? fmt::format("   K = {}", threshold) : "");
}

void print_analytic(const json& analytic) {
  fmt::print(
      "\nanalytic model (Li, Yang, Li 2015), its choice of COO, CSR and ELL: {}, on resident data {}\n",
      analytic["choice"].get<std::string>(), analytic["resident_choice"].get<std::string>());
  const json& p = analytic["parameters"];
  fmt::print(
      "  B {:.3g} GB/s (profile: {}), F {:.3g} (values) and {:.3g} (indices) Gop/s, BW {} bytes, CR {:.3g} "
      "GHz, "
      "C {:.0f}, W {}, BS {}\n",
      p["transfer_rate"].get<double>() * 1e-9, p["transfer_rate_source"].get<std::string>(),
      p["value_rate"].get<double>() * 1e-9, p["integer_rate"].get<double>() * 1e-9,
      p["bus_bytes"].get<uint64_t>(), p["memory_clock"].get<double>() * 1e-9, p["processors"].get<double>(),
      p["warp_threads"].get<uint64_t>(), p["block_threads"].get<uint64_t>());
  fmt::print("  {:<8} {:>10} {:>11} {:>11} {:>11} {:>11} {:>11} {:>11}\n", "format", "storage", "transfer",
             "memory", "multiply", "add", "compute", "total");
  for (const json& f : analytic["formats"]) print_estimate(f, f["format"].get<std::string>().c_str());
  print_estimate(analytic["resident_hyb"], "HYB*");
  print_estimate(analytic["bell_garland_hyb"], "HYB BG");
  if (analytic.contains("kernel_hyb")) print_estimate(analytic["kernel_hyb"], "HYB mxv");
  const json& break_points = analytic["break_points"];
  print_estimate(break_points["formats"][1], "CSR Q'");
  print_estimate(break_points["formats"][2], "ELL Q'");
  fmt::print(
      "  HYB: the threshold of least total time; HYB*: of least computing time; BG: Bell and Garland's; mxv: "
      "mxv_hyb's\n"
      "  Q': E(Q) {:.2f} of the W-1 break points, not {:.2f} of W fractiles with the longest row; its "
      "choice: {}, "
      "on resident data {}\n",
      break_points["mean"].get<double>(), analytic["fractile_mean"].get<double>(),
      break_points["choice"].get<std::string>(), break_points["resident_choice"].get<std::string>());
}

std::string why_not(const json& candidate) {
  if (candidate.contains("failure")) return "failed: " + candidate["failure"].get<std::string>();
  return candidate.value("reason", "");
}

void print_candidates(const json& product) {
  const bool measured = product.contains("best"), of_matrices = product.contains("estimate");
  fmt::print("    {:<22} {:<20} {:>10} {:>10}{} {:>11} {:>10}", "kernel", "format", "predicted",
             of_matrices ? "workspace" : "analytic", of_matrices ? "" : "    optimum", "conversion",
             "pays after");
  if (measured) fmt::print(" {:>11} {:>11} {:>9}", "measured", "conversion", "pred/meas");
  if (measured && of_matrices) fmt::print(" {:>10}", "workspace");
  fmt::print("\n");
  for (const json& c : product["candidates"]) {
    const bool chosen = c["kernel"] == product["chosen"]["kernel"];
    fmt::print(
        "  {} {:<22} {:<20} {:>10} {:>10}{} {:>11} {:>10}", chosen ? '*' : ' ',
        c["kernel"].get<std::string>(), c["format"].get<std::string>(),
        optional_seconds(c, "predicted_seconds"),
        of_matrices ? optional_bytes(c, "workspace_bytes") : optional_seconds(c, "analytic_seconds"),
        of_matrices ? "" : fmt::format(" {:>10}", optional_seconds(c, "analytic_optimum_seconds")),
        c.value("conversion_seconds", 0.0) > 0 ? optional_seconds(c, "conversion_seconds") : "-",
        c.contains("break_even_uses") ? fmt::format("{:.0f}", c["break_even_uses"].get<double>()) : "-");
    if (measured && c.contains("measured_seconds")) {
      fmt::print(" {:>11} {:>11} {:>9.2f}", optional_seconds(c, "measured_seconds"),
                 optional_seconds(c, "measured_conversion_seconds"),
                 c["predicted_seconds"].get<double>() / c["measured_seconds"].get<double>());
      if (of_matrices) fmt::print(" {:>10}", optional_bytes(c, "measured_workspace_bytes"));
    }
    const std::string reason = why_not(c);
    fmt::print("{}\n", reason.empty() ? "" : "  " + reason);
  }
}

void print_measurement(const json& product) {
  if (product.contains("regret")) {
    fmt::print("  fastest: {}; regret of the choice {:.1f} %; deciding takes {}\n",
               product["best"].get<std::string>(), 100 * product["regret"].get<double>(),
               optional_seconds(product, "decision_seconds"));
  }
  const Tally tally = tally_of(product);
  fmt::print("  {}\n", tally.text());
  const json& measurement = product["measurement"];
  fmt::print("  measured: {}\n", measurement["what"].get<std::string>());
  if (measurement["host_call_seconds"].get<double>() > 0)
    fmt::print("  a launch took the host {:.2f} us meanwhile{}\n",
               1e6 * measurement["host_call_seconds"].get<double>(),
               product.contains("estimate") ? "" : ": predictions are for that");
}

void print_product(const json& product) {
  const json& chosen = product["chosen"];
  std::string alike;
  for (const json& kernel : chosen.value("predicted_alike", json::array()))
    alike += (alike.empty() ? ", predicted alike: " : ", ") + kernel.get<std::string>();
  fmt::print("\n{}, {} uses: {} ({}){}{}{}\n", product["operation"].get<std::string>(),
             product["uses"].get<uint64_t>(), chosen["kernel"].get<std::string>(),
             chosen["format"].get<std::string>(), product["forced"].get<bool>() ? ", forced" : "",
             chosen.contains("reason") ? ", " + chosen["reason"].get<std::string>() : "", alike);
  print_candidates(product);
  const json tiles = product.value("tile_composite", json());
  if (!tiles.is_null()) {
    fmt::print("  mxv_tile_composite as planned: {} tile{}, workloads of at most {} entries\n",
               tiles["tiles"].get<int>(), tiles["tiles"] == 1 ? "" : "s",
               tiles["longest_workload"].get<int>());
  }
  if (product.contains("measurement")) print_measurement(product);
}

}  // namespace

std::string short_name(const json& report) {
  const std::string name = report["graph"]["name"].get<std::string>();
  return printable(std::filesystem::path(name).filename().string());
}

namespace {

void print_graph(const json& graph, const char* role) {
  fmt::print("{}{}: {} x {}, {} entries{}\n", role, printable(graph["name"].get<std::string>()),
             graph["rows"].get<uint64_t>(), graph["columns"].get<uint64_t>(),
             graph["entries"].get<uint64_t>(), graph["symmetric"].get<bool>() ? ", symmetric" : "");
}

void print_device(const json& device) {
  fmt::print("predictions for {}{}\n", device["name"].get<std::string>(),
             device["assumed"].get<bool>() ? " (no GPU here: the default profile)"
                                           : ", profile: " + device["profile"].get<std::string>());
}

void print_product_estimate(const json& product) {
  const json& e = product["estimate"];
  fmt::print("\n{:.0f} products ({}), T: {}; by the mean row alone {:.4g}\n", e["products"].get<double>(),
             e["counted"].get<bool>() ? "counted" : "estimated: counting takes a transposition first",
             e["basis"].get<std::string>(), e["by_mean_row"].get<double>());
  if (e["uncounted_share"].get<double>() > 0)
    fmt::print("  {:.1f} % of the products are in rows too heavy to count\n",
               100 * e["uncounted_share"].get<double>());
  if (!product.contains("result_entries")) return;
  const double made = product["result_entries"].get<double>();
  fmt::print("  it has {:.0f}; estimated over true: {:.3f}\n", made,
             made > 0 ? e["kept"].get<double>() / made : 1.0);
}

}  // namespace

void print_mxm(const json& report) {
  print_graph(report["graph"], "A = ");
  if (report.contains("second")) print_graph(report["second"], "B = ");
  if (report.contains("mask"))
    print_graph(report["mask"], report["complement"].get<bool>() ? "without " : "mask ");
  const json& transposed = report["transposed"];
  fmt::print("C{} = A{} {}{}\n", report.contains("mask") ? "<mask>" : "",
             transposed[0].get<bool>() ? "'" : "", report.contains("second") ? "B" : "A",
             transposed[1].get<bool>() ? "'" : "");
  print_device(report["device"]);
  print_lengths("row lengths of the first factor", report["lengths"]["rows"]);
  if (report["lengths"]["columns"]["histogram"] == report["lengths"]["rows"]["histogram"]) {
    fmt::print("row lengths of the second factor: distributed as the first one's\n");
  } else {
    print_lengths("row lengths of the second factor", report["lengths"]["columns"]);
  }
  for (const json& product : report["products"]) {
    if (product.contains("nothing")) {
      fmt::print("\n{}: {}\n", product["operation"].get<std::string>(),
                 product["nothing"].get<std::string>());
      continue;
    }
    print_product_estimate(product);
    print_product(product);
  }
}

void print_explanation(const json& report) {
  print_graph(report["graph"], "");
  print_device(report["device"]);
  const json& lengths = report["lengths"];
  print_lengths("row lengths", lengths["rows"]);
  if (lengths["columns"]["histogram"] == lengths["rows"]["histogram"]) {
    fmt::print("column lengths: distributed as the rows'\n");
  } else {
    print_lengths("column lengths", lengths["columns"]);
  }
  if (lengths.contains("counting_seconds")) {
    const json& counting = lengths["counting_seconds"];
    fmt::print("counted in {} (rows) and {} (columns)\n", optional_seconds(counting, "rows"),
               optional_seconds(counting, "columns"));
  }
  for (const json& product : report["products"]) {
    print_analytic(product["analytic"]);
    print_product(product);
    if (product.contains("scale")) print_scale(product["scale"]);
  }
}

}  // namespace cugrb::command
