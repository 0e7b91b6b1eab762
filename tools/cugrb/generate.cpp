// cugrb generate KIND ... -o FILE: a generated graph as a Matrix Market file.
#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <limits>
#include <memory>
#include <optional>

#include "tools/cugrb/command.h"
#include "tools/cugrb/numbers.h"
#include "tools/cugrb/output.h"
#include "tools/graph_files/generate.h"

namespace cugrb::command {

namespace {

using graph_files::Csr;
using graph_files::EdgeDirection;

struct GenerateOptions {
  std::string output;
  uint64_t scale = 16, edge_factor = 16, vertices = 1 << 16, degree = 16, seed = 1;
  uint64_t nx = 100, ny = 0, nz = 0, rows = 1000, half_width = 1;
  int points = 0;
  bool directed = false, undirected = false;
  // chung_lu
  std::string preset;
  double factor = 1;
  std::optional<uint64_t> size, entries, longest;
  std::optional<double> exponent, deviation;
};

constexpr uint64_t most_vertices = UINT32_MAX, most_edges_a_vertex = uint64_t{1} << 31;
constexpr double infinite = std::numeric_limits<double>::infinity();

template <class Make>
void add_kind(CLI::App& parent, const std::string& name, const char* help,
              const std::shared_ptr<GenerateOptions>& options, int& exit_code,
              const std::function<void(CLI::App&)>& add_options, const Make& make) {
  CLI::App* sub = parent.add_subcommand(name, help);
  add_options(*sub);
  sub->add_option("-o,--output", options->output, "file to write: .mtx or .mtx.gz")->required();
  sub->callback([options, name, make, &exit_code] {
    graph_files::MatrixMarketFile file(options->output);
    const Csr csr = [&] {
      try {
        return make(*options);
      } catch (const std::invalid_argument& error) {
        throw Failure(error.what(), usage);
      }
    }();
    file.write(csr, "made by cugrb generate " + name);
    // Where the graph itself went to standard output, this is no part of it.
    std::FILE* const to = graph_files::is_standard_output(options->output) ? stderr : stdout;
    fmt::print(to, "{}: {} x {}, {} entries\n", printable(options->output), csr.nrows, csr.ncols,
               csr.entries());
    exit_code = 0;
  });
}

void add_edges(CLI::App& sub, GenerateOptions& o) {
  sub.add_option("--seed", o.seed, "another graph for another seed")
      ->transform(whole(0))
      ->capture_default_str();
  sub.add_flag("--directed", o.directed, "edges in one direction");
}

EdgeDirection direction(const GenerateOptions& o) {
  return o.directed ? EdgeDirection::directed : EdgeDirection::undirected;
}

void add_graphs(CLI::App* sub, const std::shared_ptr<GenerateOptions>& o, int& exit_code) {
  add_kind(
      *sub, "rmat", "Power-law graph (R-MAT with Graph500's parameters)", o, exit_code,
      [o](CLI::App& s) {
        s.add_option("SCALE", o->scale, "2^SCALE vertices")->required()->transform(whole(0, 31));
        s.add_option("EDGE_FACTOR", o->edge_factor, "edges a vertex")
            ->transform(whole(0, most_edges_a_vertex))
            ->capture_default_str();
        add_edges(s, *o);
      },
      [](const GenerateOptions& p) {
        return graph_files::generate_rmat(
            {static_cast<unsigned>(p.scale), p.edge_factor, p.seed, direction(p)});
      });
  add_kind(
      *sub, "uniform", "Graph with uniformly drawn edges", o, exit_code,
      [o](CLI::App& s) {
        s.add_option("VERTICES", o->vertices)->required()->transform(whole(0, most_vertices));
        s.add_option("DEGREE", o->degree, "edges a vertex")
            ->transform(whole(0, most_edges_a_vertex))
            ->capture_default_str();
        add_edges(s, *o);
      },
      [](const GenerateOptions& p) {
        return graph_files::generate_uniform({p.vertices, p.degree, p.seed, direction(p)});
      });
}

/// Preset or numbers; numbers given beside a preset take the place of its own.
graph_files::ChungLu chung_lu(const GenerateOptions& o) {
  graph_files::ChungLu p;
  if (!o.preset.empty()) {
    p = graph_files::scaled(graph_files::find_chung_lu_preset(o.preset)->parameters, o.factor);
    if (o.undirected) p = graph_files::made_undirected(p);
  } else if (!o.size || !o.entries) {
    throw Failure("generate chung_lu needs a preset, or --vertices and --entries", usage);
  }
  if (o.size) p.rows = p.columns = *o.size;
  p.entries = o.entries.value_or(p.entries);
  if (o.exponent) p.row_lengths = {*o.exponent, 0, p.row_lengths.longest};
  p.row_lengths.deviation = o.deviation.value_or(p.row_lengths.deviation);
  p.row_lengths.longest = o.longest.value_or(p.row_lengths.longest);
  if (o.preset.empty()) p.column_lengths = p.row_lengths;
  if (o.undirected) p.direction = EdgeDirection::undirected;
  p.seed = o.seed;
  return p;
}

void add_chung_lu(CLI::App* parent, const std::shared_ptr<GenerateOptions>& o, int& exit_code) {
  std::vector<std::string> names;
  for (const auto& preset : graph_files::chung_lu_presets()) names.push_back(preset.name);
  add_kind(
      *parent, "chung_lu", "Power-law graph with given degree statistics (Chung-Lu)", o, exit_code,
      [o, names](CLI::App& s) {
        CLI::Option* preset = s.add_option("PRESET", o->preset, "a graph of the papers' tables");
        preset->check(CLI::IsMember(names));
        s.add_option("--scale", o->factor, "vertices and entries of the preset times this")
            ->check(real({1e-9, 100}))
            ->needs(preset)
            ->capture_default_str();
        s.add_option("--vertices", o->size, "rows and columns")->transform(whole(1, most_vertices));
        s.add_option("--entries", o->entries, "expected entries")->transform(whole(0));
        s.add_option("--exponent", o->exponent, "of the power law of row lengths (default: 2.1)")
            ->check(real({1.05, infinite, false}));
        s.add_option("--deviation", o->deviation, "standard deviation of row lengths, instead of --exponent")
            ->check(real({0, infinite}));
        s.add_option("--longest", o->longest, "expected length of the longest row (default: 1/64 of a row)")
            ->transform(whole(0));
        s.add_option("--seed", o->seed, "another graph for another seed")
            ->transform(whole(0))
            ->capture_default_str();
        s.add_flag("--undirected", o->undirected, "edges in both directions");
      },
      [](const GenerateOptions& p) { return graph_files::generate_chung_lu(chung_lu(p)); });
}

void add_matrices(CLI::App* sub, const std::shared_ptr<GenerateOptions>& o, int& exit_code) {
  add_kind(
      *sub, "poisson2d", "Laplacian of a 2D grid", o, exit_code,
      [o](CLI::App& s) {
        s.add_option("NX", o->nx)->required()->transform(whole(1, most_vertices));
        s.add_option("NY", o->ny, "default: NX")->transform(whole(1, most_vertices));
        s.add_option("--points", o->points, "5 or 9")->check(CLI::IsMember({5, 9}));
      },
      [](const GenerateOptions& p) {
        return graph_files::generate_poisson2d(p.nx, p.ny > 0 ? p.ny : p.nx, p.points > 0 ? p.points : 5);
      });
  add_kind(
      *sub, "poisson3d", "Laplacian of a 3D grid", o, exit_code,
      [o](CLI::App& s) {
        s.add_option("NX", o->nx)->required()->transform(whole(1, most_vertices));
        s.add_option("NY", o->ny, "default: NX")->transform(whole(1, most_vertices));
        s.add_option("NZ", o->nz, "default: NX")->transform(whole(1, most_vertices));
        s.add_option("--points", o->points, "7 or 27")->check(CLI::IsMember({7, 27}));
      },
      [](const GenerateOptions& p) {
        return graph_files::generate_poisson3d(p.nx, p.ny > 0 ? p.ny : p.nx, p.nz > 0 ? p.nz : p.nx,
                                               p.points > 0 ? p.points : 7);
      });
  add_kind(
      *sub, "banded", "Matrix with a full band around the diagonal", o, exit_code,
      [o](CLI::App& s) {
        s.add_option("N", o->rows)->required()->transform(whole(1, most_vertices));
        s.add_option("HALF_WIDTH", o->half_width)->required()->transform(whole(0, most_vertices));
      },
      [](const GenerateOptions& p) { return graph_files::generate_banded(p.rows, p.half_width); });
}

}  // namespace

void add_generate(CLI::App& app, int& exit_code) {
  CLI::App* sub = app.add_subcommand("generate", "Write a generated graph or matrix");
  sub->require_subcommand(1);
  auto options = std::make_shared<GenerateOptions>();
  add_graphs(sub, options, exit_code);
  add_chung_lu(sub, options, exit_code);
  add_matrices(sub, options, exit_code);
}

}  // namespace cugrb::command
