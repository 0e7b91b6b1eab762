// Which format a file is in: decided by its head and its name, never guessed; and how its text may be encoded
// and packed.
#include <zlib.h>

#include <sys/stat.h>

#include <thread>

#include "tests/catch.h"
#include "tests/graph_files/helpers.h"
#include "tools/graph_files/format.h"
#include "tools/graph_files/memory.h"

using namespace cugrb::graph_files;
using Catch::Matchers::ContainsSubstring;
using helpers::compressed_xz;
using helpers::file_with;
using helpers::message_of;
using helpers::Triples;
using helpers::triples;

namespace {

const std::string numbers = "4 4 3\n1 2 1.5\n2 3 0.5\n3 1 2\n";
const std::string head = "%%MatrixMarket matrix coordinate real general\n";
const Triples matrix = {{0, 1, 1.5}, {1, 2, 0.5}, {2, 0, 2}};

Csr read(const std::string& name, const std::string& text,
         EdgeDirection direction = EdgeDirection::directed) {
  return read_graph(file_with(name, text), direction);
}
std::string error(const std::string& name, const std::string& text) {
  const std::string path = file_with(name, text);
  return message_of([&] { read_graph(path, EdgeDirection::directed); });
}

std::string gzip(const std::string& text) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(text.size() + 1024, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace

TEST_CASE(
    "a Matrix Market line in the head makes a Matrix Market file, wherever it stands and however written") {
  std::string thirty_comments;
  for (int k = 0; k < 30; ++k) thirty_comments += "% comment " + std::to_string(k) + "\n";
  const std::string heads[] = {head,
                               "%MatrixMarket matrix coordinate real general\n",
                               "% comment of a tool\n" + head,
                               "# comment of a tool\n" + head,
                               "\n \t\n" + head,
                               thirty_comments + head,
                               "  \t%%MatrixMarket matrix coordinate real general\n",
                               "%%%MatrixMarket matrix coordinate real general\n",
                               "%% MatrixMarket matrix coordinate real general\n",
                               "%%matrixmarket MATRIX\tCoordinate\tREAL  General  \n",
                               "%%MATRIXMARKET MATRIX COORDINATE REAL GENERAL\n",
                               "\xef\xbb\xbf" + head,
                               "\xef\xbb\xbf\n" + head};
  for (const std::string& beginning : heads) {
    for (const char* name : {"a.mtx", "a.MTX", "a.mm", "a.txt", "a.edges", "a.el", "a", "a.mtx.gz"}) {
      CAPTURE(beginning, name);
      CHECK(triples(read(name, beginning + numbers)) == matrix);
      CHECK(triples(read_matrix_market(file_with(name, beginning + numbers))) == matrix);
    }
  }
  std::string windows = "% comment\n" + head + numbers;
  for (size_t k = 0; (k = windows.find('\n', k)) != std::string::npos; k += 2) windows.insert(k, "\r");
  CHECK(triples(read("a.mtx", windows)) == matrix);
  const Csr symmetric =
      read("a.mtx", "%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n2 1\n3 2\n4 3\n");
  CHECK(symmetric.symmetric);
  CHECK(symmetric.nrows == 4);
  CHECK(triples(symmetric) == Triples{{0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 1, 1}, {2, 3, 1}, {3, 2, 1}});
}

TEST_CASE("a Matrix Market line with wrong words is an error at that line, not a comment") {
  for (const char* name : {"a.mtx", "a.txt", "a.edges", "a"}) {
    CAPTURE(name);
    CHECK_THAT(error(name, "% c\n%MatrixMarket graph coordinate real general\n" + numbers),
               ContainsSubstring(":2: expected 'matrix' after %%MatrixMarket, found 'graph'"));
    CHECK_THAT(error(name, "%%MatrixMarket\n" + numbers), ContainsSubstring(":1: expected 'matrix'"));
    CHECK_THAT(error(name, "%%MatrixMarket,matrix,coordinate\n" + numbers),
               ContainsSubstring(":1: expected %%MatrixMarket at the beginning"));
    CHECK_THAT(
        error(name, head + "1 2 1.5\n"),
        ContainsSubstring(":2: expected the number of entries, found '1.5'; this line is the size line"));
  }
}

TEST_CASE("a file named .mtx without its first line is refused, and the message says what to write") {
  for (const std::string& text : {numbers, "% comment\n" + numbers, std::string("0 1\n1 2\n"),
                                  "# converted from MatrixMarket\n" + numbers, "% Matrix Market\n" + numbers,
                                  "% from a MatrixMarket file\n" + numbers}) {
    for (const char* name : {"a.mtx", "a.mm", "a.MTX.gz", "a.mtx.xz"}) {
      CAPTURE(text, name);
      const uint64_t line = text[0] == '%' || text[0] == '#' ? 2 : 1;
      CHECK_THAT(error(name, text),
                 ContainsSubstring("/" + std::string(name) + ":" + std::to_string(line) +
                                   ": expected '%%MatrixMarket matrix coordinate real general'") &&
                     ContainsSubstring("name the file .el when every line of it is an edge"));
    }
  }
  const std::string path = file_with("b.el", "0 1\n");
  CHECK_THAT(message_of([&] { read_matrix_market(path); }),
             ContainsSubstring("b.el:1: expected %%MatrixMarket at the beginning"));
  const std::string market = file_with("c.txt", "% c\n" + head + numbers);
  CHECK_THAT(message_of([&] { read_edge_list(market, EdgeDirection::directed); }),
             ContainsSubstring("c.txt:2: expected an edge list, found Matrix Market's first line"));
}

TEST_CASE("comments of edge lists do not make them Matrix Market, even when they mention it") {
  const Triples edges = {{0, 1, 1}, {1, 2, 1}};
  for (const char* comment :
       {"", "% sym unweighted\n% 2 3 3\n", "# Undirected graph: web-Google.txt\n#\tNodes: 3\n",
        "\xef\xbb\xbf", "\xef\xbb\xbf# c\n", "# converted from MatrixMarket\n",
        "% converted from %%MatrixMarket matrix coordinate\n", "% MatrixMarket is where this is from\n",
        "# %%MatrixMarket matrix coordinate pattern general\n", "\n\n"}) {
    for (const char* name : {"a.txt", "a.edges", "a.el", "a.tsv", "a.snap", "out.ego", "a", "a.txt.gz"}) {
      CAPTURE(comment, name);
      CHECK(triples(read(name, comment + std::string("0 1\n1 2\n"))) == edges);
    }
  }
}

TEST_CASE(
    "a size line is no edge: Matrix Market files that lost their head are refused whatever their name") {
  for (const char* name : {"a.txt", "a.edges", "a"}) {
    CAPTURE(name);
    CHECK_THAT(error(name, "% c\n" + numbers),
               ContainsSubstring(":2: expected an edge, found what reads as the size line") &&
                   ContainsSubstring("'%%MatrixMarket matrix coordinate real general'"));
    CHECK_THAT(error(name, "4 4 3\n2 1\n3 2\n4 3\n"),
               ContainsSubstring(":2: expected a value in the third column") &&
                   ContainsSubstring("Matrix Market's first line"));
    CHECK_THAT(error(name, "0 1\n" + head), ContainsSubstring(":2: expected an edge, found Matrix Market's"));
  }
  // Edges that do not keep to a size are edges; another order says so, too.
  CHECK(triples(read("a.txt", "4 4 3\n1 2 1\n2 5 1\n3 1 1\n")).size() == 4);
  CHECK(triples(read("a.txt", "1 2 1.5\n4 4 3\n2 3 0.5\n3 1 2\n")) ==
        Triples{{1, 2, 1.5}, {2, 3, 0.5}, {3, 1, 2}, {4, 4, 3}});
  CHECK(triples(read("a.txt", "0 1 2\n1 2 2\n2 0 2\n")) == Triples{{0, 1, 2}, {1, 2, 2}, {2, 0, 2}});
}

TEST_CASE("commas separate the fields of edges when the first edge has one") {
  CHECK(triples(read("a.csv", "0,1\n1, 2\n")) == Triples{{0, 1, 1}, {1, 2, 1}});
  CHECK(triples(read("a.edges", "# from,to,weight\r\n0,1,0.5\r\n1 , 2 , 4\r\n")) ==
        Triples{{0, 1, 0.5}, {1, 2, 4}});
  CHECK_THAT(error("a.csv", "source,target\n0,1\n"),
             ContainsSubstring("a.csv:1: expected a vertex number, found 'source'; a line of column names"));
  CHECK_THAT(error("a.csv", "0,1\n1 2\n"),
             ContainsSubstring("a.csv:2: expected a vertex number, found '1 2'"));
  CHECK_THAT(error("a.csv", "0 1\n1,2\n"),
             ContainsSubstring("a.csv:2: expected a vertex number, found '1,2'"));
  CHECK_THAT(error("a.csv", "0,,1\n"), ContainsSubstring("a.csv:1: expected a vertex number"));
  CHECK_THAT(error("a.csv", "0,1,\n"), ContainsSubstring("a.csv:1: expected a real value"));
  CHECK_THAT(error("a.csv", "0,1,2,3\n"), ContainsSubstring("a.csv:1: expected two or three columns"));
  CHECK_THAT(error("a.csv", "0,1,,3\n"), ContainsSubstring("a.csv:1: expected two or three columns"));
}

TEST_CASE("files that hold no graph say so") {
  for (const char* name : {"a.mtx", "a.txt", "a"}) {
    CAPTURE(name);
    CHECK_THAT(error(name, ""), ContainsSubstring("the file is empty; expected a graph"));
    CHECK_THAT(error(name, "\xef\xbb\xbf"), ContainsSubstring("the file is empty"));
    CHECK_THAT(error(name, "% c\n\n# d\n"), ContainsSubstring(":3: the file holds no edges, only comments"));
    CHECK_THAT(error(name, head), ContainsSubstring(":1: the file ends before its size"));
  }
}

TEST_CASE("encodings and containers that are not read are refused by name") {
  using namespace std::string_literals;
  CHECK_THAT(error("a.mtx", "\xff\xfe%\0%\0"s),
             ContainsSubstring("a.mtx:1: the text is in UTF-16; expected text"));
  CHECK_THAT(error("a.txt",
                   "\xfe\xff\0"
                   "0"s),
             ContainsSubstring("UTF-16"));
  CHECK_THAT(error("a.txt",
                   "\xff\xfe\0\0"
                   "0\0\0\0"s),
             ContainsSubstring("UTF-32"));
  CHECK_THAT(error("a.txt", "0\0 \0001\0\n\0"s),
             ContainsSubstring("a.txt: is a binary file: it holds zero bytes"));
  CHECK_THAT(error("a.mtx.bz2", "BZh91AY&SY"),
             ContainsSubstring("is packed with bzip2; expected plain text"));
  CHECK_THAT(error("a.mtx.zst", "\x28\xb5\x2f\xfd\x24"), ContainsSubstring("is packed with zstd"));
  CHECK_THAT(error("a.zip", "PK\3\4\x14"), ContainsSubstring("is packed with zip"));
  std::string tar(1024, '\0');
  tar.replace(0, 5, "a.mtx").replace(257, 5, "ustar");
  CHECK_THAT(error("a.tar.gz", gzip(tar)),
             ContainsSubstring("a.tar.gz: is a tar archive; expected the graph file in it"));
  CHECK_THAT(error("a.graph", "4 4\n2 4\n1 3\n2 4\n1 3\n"),
             ContainsSubstring("a.graph:1: files named .graph are not read"));
  CHECK_THAT(error("a.txt", "# c\r0 1\r1 2\r"),
             ContainsSubstring("a.txt:1: the lines end with carriage returns alone"));
  CHECK(read_names(file_with("names",
                             "\xef\xbb\xbf"
                             "a\nb\n"),
                   2) == std::vector<std::string>{"a", "b"});
}

TEST_CASE("zeros behind compressed data are padding, anything else is refused with its length") {
  using namespace std::string_literals;
  const std::string text = head + numbers, zipped = gzip(text), packed = compressed_xz(text);
  for (const size_t zeros : {1, 3, 4, 512, 1000000})
    CHECK(triples(read("a.mtx.gz", zipped + std::string(zeros, '\0'))) == matrix);
  for (const size_t zeros : {4, 512, 1000000})
    CHECK(triples(read("a.mtx.xz", packed + std::string(zeros, '\0'))) == matrix);
  CHECK(triples(read("a.mtx.xz", compressed_xz(head) + std::string(8, '\0') + compressed_xz(numbers))) ==
        matrix);
  CHECK(triples(read("a.mtx.gz", gzip(head) + gzip(numbers))) == matrix);
  CHECK(triples(read("a.mtx.gz", gzip("") + zipped + gzip(""))) == matrix);

  const char* gzip_text = "after the end of the gzip data that are no gzip member; expected zeros or nothing";
  CHECK_THAT(error("a.mtx.gz", zipped + "junk"), ContainsSubstring("a.mtx.gz: 4 bytes "s + gzip_text));
  CHECK_THAT(error("a.txt.gz", gzip("0 1\n") + "\0\0x"s),
             ContainsSubstring("a.txt.gz: 3 bytes "s + gzip_text));
  CHECK_THAT(error("a.mtx.gz", zipped + "\x1f"),
             ContainsSubstring("1 byte after the end of the gzip data that is no gzip member"));
  CHECK_THAT(error("a.mtx.gz", zipped + std::string(300000, 'x')),
             ContainsSubstring("300000 bytes "s + gzip_text));
  CHECK_THAT(error("a.mtx.gz", zipped + zipped.substr(0, zipped.size() - 4)),
             ContainsSubstring("is truncated"));
  const char* xz_text =
      "after the end of the xz data that are no xz stream; expected a multiple of 4 zeros or nothing";
  CHECK_THAT(error("a.mtx.xz", packed + "junk"), ContainsSubstring("a.mtx.xz: 4 bytes "s + xz_text));
  CHECK_THAT(error("a.mtx.xz", packed + std::string(3, '\0')), ContainsSubstring("3 bytes "s + xz_text));
  CHECK_THAT(error("a.mtx.xz", packed + std::string(4, '\0') + "x"),
             ContainsSubstring("5 bytes "s + xz_text));
}

TEST_CASE("a pipe is read like a file") {
  const std::string path = file_with("pipe", "");
  std::filesystem::remove(path);
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  for (const std::string& text :
       {"% c\n" + head + numbers, gzip(head + numbers), compressed_xz(head + numbers)}) {
    std::thread writer([&] { std::ofstream(path, std::ios::binary) << text; });
    const Csr read = read_graph(path, EdgeDirection::directed);
    writer.join();
    CHECK(triples(read) == matrix);
  }
}

TEST_CASE("a matrix that does not fit into memory is refused with file, line, rows and bytes") {
  // The rows alone take 2^35 bytes twice over.
  const std::string text =
      "% c\n%%MatrixMarket matrix coordinate pattern general\n4294967295 4294967295 1\n1 1\n";
  if (available_memory() > 34359738400) {
    WARN("not tested: this machine has the memory");
    return;
  }
  CHECK_THAT(error("a.mtx", text),
             ContainsSubstring(
                 "a.mtx:3: the matrix does not fit into memory: 4294967295 rows, 4294967295 columns and 1 "
                 "entries take 34359738384 bytes"));
  CHECK_THAT(error("a.txt", "0 1\n0 4294967294\n1 2\n"),
             ContainsSubstring("a.txt:2: the matrix does not fit into memory: 4294967295 rows"));
}

TEST_CASE("names of files are shown without what a terminal would obey") {
  CHECK_THAT(error("a\x1b[31m\xff.txt", "x\n"), ContainsSubstring("/a\\e[31m\\xff.txt:1: expected"));
}
