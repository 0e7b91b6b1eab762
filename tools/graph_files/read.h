// Readers and writer of graph files.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "tools/graph_files/csr.h"
#include "tools/graph_files/file_error.h"
#include "tools/graph_files/line_reader.h"

namespace cugrb::graph_files {

// Every reader takes plain text (ASCII or UTF-8, with or without a byte order mark), gzip or xz, told apart
// by the content, and tells what is wrong by file, line and expectation (FileError).

/// Matrix Market: coordinate or array; pattern, integer or real; general, symmetric or skew-symmetric.
/// Blank lines and comments may stand before the %%MatrixMarket line, and one % is enough. Symmetric files
/// hold the lower triangle; the other one is added. Entries at the same place are added up. Memory while
/// reading: 8 bytes an entry (16 with values) twice over. Throws FileError: bad header, complex values, an
/// index outside the matrix, fewer or more entries than the size line promises, text that is no number, a
/// number too large, a matrix that does not fit into memory. Source: R. Boisvert, R. Pozo, K. Remington, "The
/// Matrix Market exchange formats", NISTIR 5935, 1996.
Csr read_matrix_market(const std::string& path, Progress progress = {});
Csr read_matrix_market(LineReader& lines);

enum class EdgeDirection { directed, undirected };

/// An edge list as SNAP, KONECT and others publish them: two vertex numbers a line (from 0), and perhaps a
/// third column, the value; between them blanks, or commas when the first line has one. Lines that begin with
/// # or % are comments. An undirected list gets every edge in both directions. The graph has as many vertices
/// as the largest number says, plus one. Equal edges are one (with values: added up). Throws FileError as
/// above, and when the first line is the size line of a Matrix Market file that has lost its head.
Csr read_edge_list(const std::string& path, EdgeDirection direction, Progress progress = {});
Csr read_edge_list(LineReader& lines, EdgeDirection direction);

/// By content and name (format.h): Matrix Market when its first line is there, an edge list otherwise; a file
/// named .mtx without that line is refused. The file is read once, so that it may be a pipe.
Csr read_graph(const std::string& path, EdgeDirection direction, Progress progress = {});

/// Names of vertices, one a line, exactly `count` of them. Throws FileError.
std::vector<std::string> read_names(const std::string& path, uint64_t count);

class TextOutput;

/// A Matrix Market file to write (coordinate, general; symmetric ones as their lower triangle), compressed
/// when the path ends in .gz. It is opened before there is a matrix, as OutputFile does it. Throws FileError.
class MatrixMarketFile {
 public:
  explicit MatrixMarketFile(const std::string& path);
  ~MatrixMarketFile();
  MatrixMarketFile(const MatrixMarketFile&) = delete;
  MatrixMarketFile& operator=(const MatrixMarketFile&) = delete;
  /// The whole file; once.
  void write(const Csr& matrix, const std::string& comment = "");

 private:
  std::unique_ptr<TextOutput> out_;
};

/// The same at once.
void write_matrix_market(const std::string& path, const Csr& matrix, const std::string& comment = "");

}  // namespace cugrb::graph_files
