// Readers and writer of graph files.
#pragma once
#include <string>
#include <vector>

#include "tools/graph_files/csr.h"
#include "tools/graph_files/file_error.h"
#include "tools/graph_files/line_reader.h"

namespace cugrb::graph_files {

/// Matrix Market: coordinate or array; pattern, integer or real; general, symmetric or skew-symmetric. The
/// file may be compressed with gzip or xz. Symmetric files hold the lower triangle; the other one is added.
/// Entries at the same place are added up. Memory while reading: 8 bytes an entry (16 with values) twice
/// over. Throws FileError with file, line and expectation: bad header, complex values, an index outside the
/// matrix, fewer or more entries than the size line promises, text that is no number, a number too large.
/// Source: R. Boisvert, R. Pozo, K. Remington, "The Matrix Market exchange formats", NISTIR 5935, 1996.
Csr read_matrix_market(const std::string& path, Progress progress = {});
Csr read_matrix_market(LineReader& lines);

enum class EdgeDirection { directed, undirected };

/// An edge list as SNAP publishes them: two vertex numbers a line (from 0), and perhaps a third column, the
/// value; lines that begin with # or % are comments. An undirected list gets every edge in both directions.
/// The graph has as many vertices as the largest number says, plus one. Equal edges are one (with values:
/// added up). Throws FileError as above.
Csr read_edge_list(const std::string& path, EdgeDirection direction, Progress progress = {});
Csr read_edge_list(LineReader& lines, EdgeDirection direction);

/// By the file's first line: Matrix Market when it begins with %%MatrixMarket, an edge list otherwise. The
/// file is read once, so that it may be a pipe.
Csr read_graph(const std::string& path, EdgeDirection direction, Progress progress = {});

/// Names of vertices, one a line, exactly `count` of them. Throws FileError.
std::vector<std::string> read_names(const std::string& path, uint64_t count);

/// Writes Matrix Market (coordinate, general; symmetric ones as their lower triangle), compressed when the
/// path ends in .gz. The file appears under its name when it is complete. Throws FileError.
void write_matrix_market(const std::string& path, const Csr& matrix, const std::string& comment = "");

}  // namespace cugrb::graph_files
