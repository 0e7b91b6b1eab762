// Graphs by name: a file, or a generator with its parameters.
#include <algorithm>
#include <charconv>
#include <new>
#include <stdexcept>

#include "tools/graph_files/generate.h"

namespace cugrb::graph_files {
namespace {

struct Syntax {
  const char* kind;
  size_t least, most;  // parameters
  const char* text;
};
constexpr Syntax syntaxes[] = {
    {"rmat", 1, 3, "rmat:SCALE[:EDGE_FACTOR[:SEED]][:directed]"},
    {"uniform", 1, 3, "uniform:VERTICES[:DEGREE[:SEED]][:directed]"},
    {"poisson2d", 1, 3, "poisson2d:NX[:NY[:5|9]]"},
    {"poisson3d", 1, 4, "poisson3d:NX[:NY:NZ[:7|27]]"},
    {"banded", 2, 2, "banded:N:HALF_WIDTH"},
    {"chung_lu", 1, 5,
     "chung_lu:PRESET[:SCALE[:SEED]][:undirected] or "
     "chung_lu:VERTICES:ENTRIES[:EXPONENT[:LONGEST[:SEED]]][:undirected]"},
};

const Syntax* syntax_of(const std::string& name) {
  for (const Syntax& syntax : syntaxes) {
    if (name.rfind(std::string(syntax.kind) + ":", 0) == 0) return &syntax;
  }
  return nullptr;
}

/// What stands after the kind, between colons.
std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words;
  for (size_t begin = name.find(':'); begin != std::string::npos;) {
    const size_t end = name.find(':', begin + 1);
    words.push_back(name.substr(begin + 1, end == std::string::npos ? end : end - begin - 1));
    begin = end;
  }
  return words;
}

/// The numbers after the kind; a last word "directed" is taken off.
std::vector<uint64_t> parameters(const std::string& name, const Syntax& syntax, EdgeDirection& direction) {
  const auto fail = [&]() -> FileError { return FileError(name, 0, std::string("expected ") + syntax.text); };
  const bool has_direction = std::string(syntax.kind) == "rmat" || std::string(syntax.kind) == "uniform";
  std::vector<uint64_t> numbers;
  const std::vector<std::string> words = words_of(name);
  for (const std::string& word : words) {
    if (has_direction && &word == &words.back() && (word == "directed" || word == "undirected")) {
      direction = word == "directed" ? EdgeDirection::directed : EdgeDirection::undirected;
      break;
    }
    uint64_t value = 0;
    const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || rest != word.data() + word.size()) throw fail();
    numbers.push_back(value);
  }
  if (numbers.size() < syntax.least || numbers.size() > syntax.most) throw fail();
  return numbers;
}

uint64_t or_else(const std::vector<uint64_t>& p, size_t k, uint64_t value) {
  return k < p.size() ? p[k] : value;
}
Rmat rmat_of(const std::vector<uint64_t>& p, EdgeDirection direction) {
  return {static_cast<unsigned>(std::min<uint64_t>(p[0], 1000)), or_else(p, 1, 16), or_else(p, 2, 1),
          direction};
}
Uniform uniform_of(const std::vector<uint64_t>& p, EdgeDirection direction) {
  return {p[0], or_else(p, 1, 16), or_else(p, 2, 1), direction};
}

struct Grid {
  uint64_t nx, ny, nz;
  int points;
};
Grid grid_of(const std::vector<uint64_t>& p, bool in_plane) {
  const auto points = [&](size_t k, uint64_t usual) {
    return static_cast<int>(std::min<uint64_t>(or_else(p, k, usual), 1000));
  };
  if (in_plane) return {p[0], or_else(p, 1, p[0]), 1, points(2, 5)};
  return {p[0], or_else(p, 1, p[0]), or_else(p, 2, p[0]), points(3, 7)};
}

Csr generate(const std::string& kind, const std::vector<uint64_t>& p, EdgeDirection direction) {
  if (kind == "rmat") return generate_rmat(rmat_of(p, direction));
  if (kind == "uniform") return generate_uniform(uniform_of(p, direction));
  if (kind == "banded") return generate_banded(p[0], p[1]);
  const bool in_plane = kind == "poisson2d";
  const Grid g = grid_of(p, in_plane);
  return in_plane ? generate_poisson2d(g.nx, g.ny, g.points) : generate_poisson3d(g.nx, g.ny, g.nz, g.points);
}

DrawnEdges drawn(const std::string& kind, const std::vector<uint64_t>& p, EdgeDirection direction) {
  if (kind == "rmat") return drawn_edges(rmat_of(p, direction));
  if (kind == "uniform") return drawn_edges(uniform_of(p, direction));
  if (kind == "banded") return drawn_banded(p[0], p[1]);
  const bool in_plane = kind == "poisson2d";
  const Grid g = grid_of(p, in_plane);
  return in_plane ? drawn_poisson2d(g.nx, g.ny, g.points) : drawn_poisson3d(g.nx, g.ny, g.nz, g.points);
}

/// Word k as a number, `missing` when there are fewer words; FileError when it is something else.
template <class Number>
Number number(const std::string& name, const Syntax& syntax, const std::vector<std::string>& words, size_t k,
              Number missing) {
  if (k >= words.size()) return missing;
  Number value{};
  const char* end = words[k].data() + words[k].size();
  const auto [rest, error] = std::from_chars(words[k].data(), end, value);
  if (error != std::errc() || rest != end) throw FileError(name, 0, std::string("expected ") + syntax.text);
  return value;
}

ChungLu chung_lu_by_name(const std::string& name, const Syntax& syntax) {
  const auto fail = [&](const std::string& text) { return FileError(name, 0, text); };
  std::vector<std::string> words = words_of(name);
  const bool undirected = words.back() == "undirected";
  if (undirected || words.back() == "directed") words.pop_back();
  if (words.empty()) throw fail(std::string("expected ") + syntax.text);
  const ChungLuPreset* preset = find_chung_lu_preset(words[0]);
  if (preset != nullptr) {
    const double scale = number(name, syntax, words, 1, 1.0);
    if (words.size() > 3 || !(scale > 0 && scale <= 100)) throw fail(std::string("expected ") + syntax.text);
    ChungLu p = scaled(preset->parameters, scale);
    p.seed = number(name, syntax, words, 2, uint64_t{1});
    return undirected ? made_undirected(p) : p;
  }
  if (words[0].empty() || words[0][0] < '0' || words[0][0] > '9') {
    std::string known;
    for (const ChungLuPreset& p : chung_lu_presets())
      known += std::string(known.empty() ? "" : ", ") + p.name;
    throw fail("expected a number of vertices or one of " + known);
  }
  ChungLu p;
  if (undirected) p.direction = EdgeDirection::undirected;
  if (words.size() < 2 || words.size() > 5) throw fail(std::string("expected ") + syntax.text);
  p.rows = p.columns = number(name, syntax, words, 0, uint64_t{0});
  p.entries = number(name, syntax, words, 1, uint64_t{0});
  p.row_lengths.exponent = number(name, syntax, words, 2, p.row_lengths.exponent);
  p.row_lengths.longest = number(name, syntax, words, 3, uint64_t{0});
  p.column_lengths = p.row_lengths;
  p.seed = number(name, syntax, words, 4, uint64_t{1});
  return p;
}

}  // namespace

bool is_generated(const std::string& name) { return syntax_of(name) != nullptr; }

Csr generate_by_name(const std::string& name) {
  const Syntax* syntax = syntax_of(name);
  if (syntax == nullptr) {
    throw FileError(name, 0,
                    "expected a generated graph: rmat:, uniform:, chung_lu:, poisson2d:, poisson3d: or "
                    "banded: with numbers");
  }
  EdgeDirection direction = EdgeDirection::undirected;
  try {
    if (std::string(syntax->kind) == "chung_lu") return generate_chung_lu(chung_lu_by_name(name, *syntax));
    const std::vector<uint64_t> numbers = parameters(name, *syntax, direction);
    return generate(syntax->kind, numbers, direction);
  } catch (const std::invalid_argument& error) {
    throw FileError(name, 0, error.what());
  } catch (const std::bad_alloc&) {
    throw FileError(name, 0, "the graph does not fit into memory");
  }
}

std::optional<DrawnEdges> drawn_edges_by_name(const std::string& name) {
  const Syntax* syntax = syntax_of(name);
  const std::string kind = syntax == nullptr ? "" : syntax->kind;
  if (kind.empty() || kind == "chung_lu") return std::nullopt;
  EdgeDirection direction = EdgeDirection::undirected;
  const std::vector<uint64_t> numbers = parameters(name, *syntax, direction);
  try {
    return drawn(kind, numbers, direction);
  } catch (const std::invalid_argument& error) {
    throw FileError(name, 0, error.what());
  }
}

Csr load_graph(const std::string& name_or_path, EdgeDirection direction, Progress progress) {
  if (is_generated(name_or_path)) return generate_by_name(name_or_path);
  return read_graph(name_or_path, direction, std::move(progress));
}

}  // namespace cugrb::graph_files
