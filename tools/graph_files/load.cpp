// Graphs by name: a file, or a generator with its parameters.
#include <algorithm>
#include <charconv>
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
};

const Syntax* syntax_of(const std::string& name) {
  for (const Syntax& syntax : syntaxes) {
    if (name.rfind(std::string(syntax.kind) + ":", 0) == 0) return &syntax;
  }
  return nullptr;
}

/// The numbers after the kind; a last word "directed" is taken off.
std::vector<uint64_t> parameters(const std::string& name, const Syntax& syntax, EdgeDirection& direction) {
  const auto fail = [&]() -> FileError { return FileError(name, 0, std::string("expected ") + syntax.text); };
  const bool has_direction = std::string(syntax.kind) == "rmat" || std::string(syntax.kind) == "uniform";
  std::vector<uint64_t> numbers;
  for (size_t begin = name.find(':'); begin != std::string::npos;) {
    const size_t end = name.find(':', begin + 1);
    const std::string word = name.substr(begin + 1, end == std::string::npos ? end : end - begin - 1);
    begin = end;
    if (has_direction && end == std::string::npos && (word == "directed" || word == "undirected")) {
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

Csr generate(const std::string& kind, const std::vector<uint64_t>& p, EdgeDirection direction) {
  const auto or_else = [&](size_t k, uint64_t value) { return k < p.size() ? p[k] : value; };
  const auto small = [&](size_t k, uint64_t value) {
    return static_cast<int>(std::min<uint64_t>(or_else(k, value), 1000));
  };
  if (kind == "rmat") {
    return generate_rmat(
        {static_cast<unsigned>(std::min<uint64_t>(p[0], 1000)), or_else(1, 16), or_else(2, 1), direction});
  }
  if (kind == "uniform") return generate_uniform({p[0], or_else(1, 16), or_else(2, 1), direction});
  if (kind == "poisson2d") return generate_poisson2d(p[0], or_else(1, p[0]), small(2, 5));
  if (kind == "poisson3d") return generate_poisson3d(p[0], or_else(1, p[0]), or_else(2, p[0]), small(3, 7));
  return generate_banded(p[0], p[1]);
}

}  // namespace

bool is_generated(const std::string& name) { return syntax_of(name) != nullptr; }

Csr generate_by_name(const std::string& name) {
  const Syntax* syntax = syntax_of(name);
  if (syntax == nullptr) {
    throw FileError(
        name, 0,
        "expected a generated graph: rmat:, uniform:, poisson2d:, poisson3d: or banded: with numbers");
  }
  EdgeDirection direction = EdgeDirection::undirected;
  const std::vector<uint64_t> numbers = parameters(name, *syntax, direction);
  try {
    return generate(syntax->kind, numbers, direction);
  } catch (const std::invalid_argument& error) {
    throw FileError(name, 0, error.what());
  }
}

Csr load_graph(const std::string& name_or_path, EdgeDirection direction, Progress progress) {
  if (is_generated(name_or_path)) return generate_by_name(name_or_path);
  return read_graph(name_or_path, direction, std::move(progress));
}

}  // namespace cugrb::graph_files
