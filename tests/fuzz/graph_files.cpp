// Readers of graph files. The input's first byte chooses a name and a reader; the rest is the file. What is
// read must be a sound matrix, and must come back the same when it is written and read again.
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <string>

#include "tests/fuzz/require.h"
#include "tools/graph_files/file_error.h"
#include "tools/graph_files/read.h"

namespace {

namespace fs = std::filesystem;
using namespace cugrb::graph_files;
using fuzz::require;

constexpr const char* names[] = {"graph.mtx", "graph.el", "graph.csv", "graph.gr", "graph"};

/// A folder with links of all names to one file in memory.
class Input {
 public:
  Input() : file_(memfd_create("graph", 0)) {
    std::string pattern = (fs::temp_directory_path() / "cugrb-fuzz-XXXXXX").string();
    require(file_ >= 0 && mkdtemp(pattern.data()) != nullptr, "there is a place for the input");
    folder_ = pattern;
    for (const char* name : names)
      fs::create_symlink("/proc/self/fd/" + std::to_string(file_), folder_ / name);
  }
  ~Input() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    close(file_);
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  void hold(const uint8_t* data, size_t size) const {
    const bool held = ftruncate(file_, 0) == 0 && pwrite(file_, data, size, 0) == static_cast<ssize_t>(size);
    require(held, "the input can be written");
  }
  std::string path(size_t k) const { return folder_ / names[k % std::size(names)]; }
  std::string path_of_copy() const { return folder_ / "copy.mtx"; }

 private:
  int file_;
  fs::path folder_;
};

void check(const Csr& a) {
  require(a.offsets.size() == a.nrows + 1 && a.offsets[0] == 0, "offsets begin at 0, one a row and one more");
  require(a.columns.size() == a.entries(), "one column an entry");
  require(a.integers.size() == (a.values == ValueKind::integer ? a.entries() : 0),
          "integers where they belong");
  require(a.reals.size() == (a.values == ValueKind::real ? a.entries() : 0), "reals where they belong");
  require(!a.symmetric || a.nrows == a.ncols, "what is symmetric is square");
  for (uint64_t i = 0; i < a.nrows; ++i) {
    require(a.offsets[i] <= a.offsets[i + 1], "offsets ascend");
    for (uint64_t p = a.offsets[i]; p < a.offsets[i + 1]; ++p) {
      require(a.columns[p] < a.ncols, "columns are inside");
      require(p == a.offsets[i] || a.columns[p - 1] < a.columns[p], "columns of a row ascend");
    }
  }
}

bool same_value(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b));
}

void check_same(const Csr& a, const Csr& b) {
  require(a.nrows == b.nrows && a.ncols == b.ncols && a.entries() == b.entries(),
          "the copy has the same size");
  require(a.values == b.values && a.symmetric == b.symmetric, "the copy is of the same kind");
  for (uint64_t i = 0; i <= a.nrows; ++i) require(a.offsets[i] == b.offsets[i], "the copy has the same rows");
  for (uint64_t p = 0; p < a.entries(); ++p) {
    require(a.columns[p] == b.columns[p], "the copy has the same columns");
    if (a.values == ValueKind::integer)
      require(a.integers[p] == b.integers[p], "the copy has the same integers");
    if (a.values == ValueKind::real)
      require(same_value(a.reals[p], b.reals[p]), "the copy has the same reals");
  }
}

void read_as_graph(const Input& input, unsigned choice) {
  const EdgeDirection direction = choice & 8 ? EdgeDirection::directed : EdgeDirection::undirected;
  Csr matrix;
  try {
    matrix = read_graph(input.path(choice), direction);
  } catch (const FileError&) {
    return;
  }
  check(matrix);
  if (matrix.nrows > 10'000 || matrix.entries() > 10'000) return;
  write_matrix_market(input.path_of_copy(), matrix);
  check_same(matrix, read_matrix_market(input.path_of_copy()));
}

void read_as_names(const Input& input, unsigned count) {
  try {
    require(read_names(input.path(4), count).size() == count, "as many names as were asked for");
  } catch (const FileError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Input input;
  if (size == 0) return 0;
  input.hold(data + 1, size - 1);
  const unsigned choice = data[0];
  if (choice & 64) {
    read_as_names(input, choice & 63);
  } else {
    read_as_graph(input, choice);
  }
  return 0;
}
