#include "tools/graph_files/format.h"

#include <algorithm>

namespace cugrb::graph_files {
namespace {

struct Ending {
  const char* ending;
  NameEnding meaning;
};
constexpr Ending endings[] = {{".mtx", NameEnding::matrix_market}, {".mm", NameEnding::matrix_market},
                              {".el", NameEnding::edge_list},      {".wel", NameEnding::edge_list},
                              {".edges", NameEnding::edge_list},   {".edgelist", NameEnding::edge_list},
                              {".snap", NameEnding::edge_list},    {".txt", NameEnding::edge_list},
                              {".tsv", NameEnding::edge_list},     {".csv", NameEnding::edge_list},
                              {".graph", NameEnding::other},       {".metis", NameEnding::other},
                              {".gr", NameEnding::other},          {".net", NameEnding::other},
                              {".gml", NameEnding::other},         {".graphml", NameEnding::other},
                              {".rb", NameEnding::other},          {".rua", NameEnding::other},
                              {".rsa", NameEnding::other}};

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// The ending in lower case, without .gz and .xz: ".mtx"; empty when there is none.
std::string ending_of(const std::string& path) {
  std::string name = lower(std::string_view(path).substr(path.find_last_of('/') + 1));
  for (const char* packed : {".gz", ".xz"}) {
    if (ends_with(name, packed)) name.resize(name.size() - 3);
  }
  const size_t dot = name.find_last_of('.');
  return dot == std::string::npos ? "" : name.substr(dot);
}

constexpr const char* banner_example = "'%%MatrixMarket matrix coordinate real general'";

/// Reads up to the banner or the first line of numbers, which is read again afterwards; whether it is a
/// banner.
bool skip_head(LineReader& lines) {
  std::string_view line;
  while (lines.next(line)) {
    if (trimmed(line).find('\r') != std::string_view::npos) {
      lines.fail("the lines end with carriage returns alone; expected line feeds");
    }
    const bool banner = is_banner(line);
    if (!banner && is_comment(line)) continue;
    lines.unread();
    return banner;
  }
  if (lines.line_number() == 0) lines.fail("the file is empty; expected a graph");
  lines.fail(
      "the file holds no edges, only comments and blank lines; expected two vertex numbers a line, or a "
      "line such as " +
      std::string(banner_example));
}

/// FileError at the line that the reader stands before.
[[noreturn]] void fail_at_next(LineReader& lines, const std::string& message) {
  lines.fail_at(lines.line_number() + 1, message);
}

}  // namespace

NameEnding name_ending(const std::string& path) {
  const std::string ending = ending_of(path);
  for (const Ending& known : endings) {
    if (ending == known.ending) return known.meaning;
  }
  return NameEnding::unknown;
}

bool is_comment(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.empty() || text.front() == '%' || text.front() == '#';
}

bool is_banner(std::string_view line) {
  constexpr std::string_view word = "matrixmarket";
  const std::string_view text = trimmed(line);
  const size_t signs = std::min(text.find_first_not_of('%'), text.size());
  const std::string_view rest = trimmed(text.substr(signs));
  if (signs == 0 || lower(rest.substr(0, word.size())) != word) return false;
  if (text.size() == signs + rest.size()) return true;
  Fields fields(rest);
  return lower(fields.next()) == word && lower(fields.next()) == "matrix";
}

Format find_format(LineReader& lines) {
  const bool banner = skip_head(lines);
  if (banner) return Format::matrix_market;
  const NameEnding name = name_ending(lines.path());
  if (name == NameEnding::matrix_market) {
    fail_at_next(lines,
                 std::string("expected ") + banner_example +
                     " or the like before the numbers of a file of this name; write that line, or name "
                     "the file .el when every line of it is an edge");
  }
  if (name == NameEnding::other) {
    fail_at_next(lines,
                 "files named " + ending_of(lines.path()) +
                     " are not read; expected Matrix Market (.mtx), or .el when every line is an edge");
  }
  return Format::edge_list;
}

void require_format(LineReader& lines, Format format) {
  const bool banner = skip_head(lines);
  if (format == Format::matrix_market && !banner) {
    std::string_view line;
    lines.next(line);
    expected(lines, std::string("%%MatrixMarket at the beginning, as in ") + banner_example, line);
  }
  if (format == Format::edge_list && banner) {
    fail_at_next(lines, "expected an edge list, found Matrix Market's first line");
  }
}

}  // namespace cugrb::graph_files
