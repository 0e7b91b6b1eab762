// cugrb generate KIND ... -o FILE: a generated graph as a Matrix Market file.
#include <fmt/core.h>

#include <memory>

#include "tools/cugrb/command.h"
#include "tools/graph_files/generate.h"

namespace cugrb::command {

namespace {

using graph_files::Csr;
using graph_files::EdgeDirection;

struct Options {
  std::string output;
  uint64_t scale = 16, edge_factor = 16, vertices = 1 << 16, degree = 16, seed = 1;
  uint64_t nx = 100, ny = 0, nz = 0, rows = 1000, half_width = 1;
  int points = 0;
  bool directed = false;
};

template <class Make>
void add_kind(CLI::App& parent, const std::string& name, const char* help,
              const std::shared_ptr<Options>& options, int& exit_code,
              const std::function<void(CLI::App&)>& add_options, const Make& make) {
  CLI::App* sub = parent.add_subcommand(name, help);
  add_options(*sub);
  sub->add_option("-o,--output", options->output, "file to write: .mtx or .mtx.gz")->required();
  sub->callback([options, name, make, &exit_code] {
    const Csr csr = make(*options);
    graph_files::write_matrix_market(options->output, csr, "made by cugrb generate " + name);
    fmt::print("{}: {} x {}, {} entries\n", options->output, csr.nrows, csr.ncols, csr.entries());
    exit_code = 0;
  });
}

void add_edges(CLI::App& sub, Options& o) {
  sub.add_option("--seed", o.seed, "another graph for another seed")->capture_default_str();
  sub.add_flag("--directed", o.directed, "edges in one direction");
}

EdgeDirection direction(const Options& o) {
  return o.directed ? EdgeDirection::directed : EdgeDirection::undirected;
}

void add_graphs(CLI::App* sub, const std::shared_ptr<Options>& o, int& exit_code) {
  add_kind(
      *sub, "rmat", "Power-law graph (R-MAT with Graph500's parameters)", o, exit_code,
      [o](CLI::App& s) {
        s.add_option("SCALE", o->scale, "2^SCALE vertices")->required()->check(CLI::Range(0, 31));
        s.add_option("EDGE_FACTOR", o->edge_factor, "edges a vertex")->capture_default_str();
        add_edges(s, *o);
      },
      [](const Options& p) {
        return graph_files::generate_rmat(
            {static_cast<unsigned>(p.scale), p.edge_factor, p.seed, direction(p)});
      });
  add_kind(
      *sub, "uniform", "Graph with uniformly drawn edges", o, exit_code,
      [o](CLI::App& s) {
        s.add_option("VERTICES", o->vertices)->required();
        s.add_option("DEGREE", o->degree, "edges a vertex")->capture_default_str();
        add_edges(s, *o);
      },
      [](const Options& p) {
        return graph_files::generate_uniform({p.vertices, p.degree, p.seed, direction(p)});
      });
}

void add_matrices(CLI::App* sub, const std::shared_ptr<Options>& o, int& exit_code) {
  add_kind(
      *sub, "poisson2d", "Laplacian of a 2D grid", o, exit_code,
      [o](CLI::App& s) {
        s.add_option("NX", o->nx)->required();
        s.add_option("NY", o->ny, "default: NX");
        s.add_option("--points", o->points, "5 or 9")->check(CLI::IsMember({5, 9}));
      },
      [](const Options& p) {
        return graph_files::generate_poisson2d(p.nx, p.ny > 0 ? p.ny : p.nx, p.points > 0 ? p.points : 5);
      });
  add_kind(
      *sub, "poisson3d", "Laplacian of a 3D grid", o, exit_code,
      [o](CLI::App& s) {
        s.add_option("NX", o->nx)->required();
        s.add_option("NY", o->ny, "default: NX");
        s.add_option("NZ", o->nz, "default: NX");
        s.add_option("--points", o->points, "7 or 27")->check(CLI::IsMember({7, 27}));
      },
      [](const Options& p) {
        return graph_files::generate_poisson3d(p.nx, p.ny > 0 ? p.ny : p.nx, p.nz > 0 ? p.nz : p.nx,
                                               p.points > 0 ? p.points : 7);
      });
  add_kind(
      *sub, "banded", "Matrix with a full band around the diagonal", o, exit_code,
      [o](CLI::App& s) {
        s.add_option("N", o->rows)->required();
        s.add_option("HALF_WIDTH", o->half_width)->required();
      },
      [](const Options& p) { return graph_files::generate_banded(p.rows, p.half_width); });
}

}  // namespace

void add_generate(CLI::App& app, int& exit_code) {
  CLI::App* sub = app.add_subcommand("generate", "Write a generated graph or matrix");
  sub->require_subcommand(1);
  auto options = std::make_shared<Options>();
  add_graphs(sub, options, exit_code);
  add_matrices(sub, options, exit_code);
}

}  // namespace cugrb::command
