// R-MAT and uniform graphs.
#include <stdexcept>

#include "tools/graph_files/edges.h"
#include "tools/graph_files/generate.h"

namespace cugrb::graph_files {
namespace {

using edges::Edge;
using edges::mixed;

/// Draws edge number k by descending `scale` levels of quadrants, 32 random bits a level.
class RmatEdges {
 public:
  explicit RmatEdges(const Rmat& p) : scale_(p.scale), key_(mixed(p.seed)), scramble_(p.scale, key_) {}
  Edge operator()(uint64_t k) const {
    // 2^32 times a, a + b, a + b + c.
    constexpr uint32_t a = 2448131359u, ab = 3264175145u, abc = 4080218931u;
    const uint64_t base = mixed(key_ ^ mixed(k));
    uint64_t from = 0, to = 0, random = 0;
    for (unsigned level = 0; level < scale_; ++level) {
      random = level % 2 == 0 ? mixed(base + level) : random >> 32;
      const uint32_t r = static_cast<uint32_t>(random);
      from = from << 1 | (r >= ab);
      to = to << 1 |
           (uint64_t{r >= a} ^ uint64_t{r >= ab} ^ uint64_t{r >= abc});  // no branch: it would be a guess
    }
    return {scrambled(from), scrambled(to)};
  }

 private:
  uint32_t scrambled(uint64_t v) const { return static_cast<uint32_t>(scramble_(v)); }
  unsigned scale_;
  uint64_t key_;
  edges::Scrambler scramble_;
};

class UniformEdges {
 public:
  explicit UniformEdges(const Uniform& p) : vertices_(p.vertices), key_(mixed(p.seed)) {}
  Edge operator()(uint64_t k) const {
    const uint64_t base = mixed(key_ ^ mixed(k));
    return {below(mixed(base)), below(mixed(base + 1))};
  }

 private:
  uint32_t below(uint64_t random) const { return static_cast<uint32_t>(edges::below(random, vertices_)); }
  uint64_t vertices_, key_;
};

void check(const Rmat& p) {
  if (p.scale > 31) throw std::invalid_argument("rmat: the scale is at most 31");
  if (p.edge_factor > (uint64_t{1} << 31))
    throw std::invalid_argument("rmat: the edge factor is at most 2^31");
}
void check(const Uniform& p) {
  if (p.vertices > UINT32_MAX) throw std::invalid_argument("uniform: at most 2^32 - 1 vertices");
  if (p.degree > (uint64_t{1} << 31)) throw std::invalid_argument("uniform: the degree is at most 2^31");
}

edges::Shape graph_of(uint64_t vertices, EdgeDirection direction) {
  return {vertices, vertices, direction == EdgeDirection::undirected, false};
}

}  // namespace

Csr generate_rmat(const Rmat& p) {
  check(p);
  const uint64_t n = uint64_t{1} << p.scale;
  return edges::to_csr(graph_of(n, p.direction), n * p.edge_factor, RmatEdges(p));
}
DrawnEdges drawn_edges(const Rmat& p) {
  check(p);
  const uint64_t n = uint64_t{1} << p.scale;
  return {n, n * p.edge_factor, p.direction, RmatEdges(p)};
}

Csr generate_uniform(const Uniform& p) {
  check(p);
  return edges::to_csr(graph_of(p.vertices, p.direction), p.vertices * p.degree, UniformEdges(p));
}
DrawnEdges drawn_edges(const Uniform& p) {
  check(p);
  return {p.vertices, p.vertices * p.degree, p.direction, UniformEdges(p)};
}

}  // namespace cugrb::graph_files
