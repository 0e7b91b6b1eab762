// Which format a graph file is in: what its name says, and what its head says.
#pragma once
#include <string>
#include <string_view>

#include "tools/graph_files/line_reader.h"

namespace cugrb::graph_files {

enum class Format { matrix_market, edge_list };

/// What a name's ending says, whatever follows of .gz or .xz.
enum class NameEnding {
  matrix_market,  ///< .mtx, .mm
  edge_list,      ///< .el, .wel, .edges, .edgelist, .snap, .txt, .tsv, .csv
  other,          ///< .graph, .metis, .gr, ...: a graph in a format that is not read
  unknown,        ///< nothing: the content alone decides
};
NameEnding name_ending(const std::string& path);

/// Whether a line is Matrix Market's first one: behind blanks and percent signs (the standard has two, some
/// collections one) stands MatrixMarket, in any case. A comment that only mentions the word is none: with a
/// blank in front of the word, 'matrix' has to follow it.
bool is_banner(std::string_view line);

/// A blank line, or one that begins with % or #.
bool is_comment(std::string_view line);

/// Reads the head, which is blank lines and comments, and decides: Matrix Market when a banner is among them,
/// an edge list otherwise, unless the name says something else. The reader stands before the banner, or
/// before the first line of numbers. Throws FileError when there is nothing but a head, or name and content
/// do not agree.
Format find_format(LineReader& lines);

/// The same where the caller knows the format, whatever the name says; FileError when the head does not have
/// it.
void require_format(LineReader& lines, Format format);

}  // namespace cugrb::graph_files
