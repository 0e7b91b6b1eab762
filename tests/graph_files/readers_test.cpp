// Readers and writer: every form that is accepted, every fault that is reported with file, line and
// expectation.
#include <zlib.h>

#include <cmath>
#include <cstdio>
#include <fstream>

#include "tests/catch.h"
#include "tests/graph_files/helpers.h"

using namespace cugrb::graph_files;
using Catch::Matchers::ContainsSubstring;
using helpers::compressed_xz;
using helpers::file_with;
using helpers::message_of;
using helpers::text_of;
using helpers::triples;

namespace {

std::string read_error(const std::string& text, const char* name = "bad.mtx") {
  const std::string path = file_with(name, text);
  return message_of([&] { read_matrix_market(path); });
}

std::string compressed_gzip(const std::string& text) {
  const std::string path = file_with("packed.gz", "");
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  return text_of(path);
}

const std::string sample =
    "%%MatrixMarket matrix coordinate real general\n% comment\n\n3 4 3\n1 4 1.5\n3 1 -2e3\n2 2 +0.25\n";
const helpers::Triples sample_triples = {{0, 3, 1.5}, {1, 1, 0.25}, {2, 0, -2000}};

}  // namespace

TEST_CASE("Matrix Market files of every accepted kind are read") {
  CHECK(triples(read_matrix_market(file_with("a.mtx", sample))) == sample_triples);
  const Csr pattern = read_matrix_market(
      file_with("b.mtx", "%%MatrixMarket MATRIX Coordinate PATTERN general\r\n2 2 1\r\n 2\t1 \r\n"));
  CHECK(pattern.values == ValueKind::pattern);
  CHECK(triples(pattern) == helpers::Triples{{1, 0, 1}});
  const Csr integers = read_matrix_market(file_with(
      "c.mtx", "%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 1 -9223372036854775808\n2 2 +7"));
  CHECK(integers.integers[0] == INT64_MIN);
  CHECK(integers.integers[1] == 7);
  const Csr symmetric = read_matrix_market(
      file_with("d.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 5\n2 1 6\n3 2 7\n"));
  CHECK(symmetric.symmetric);
  CHECK(triples(symmetric) == helpers::Triples{{0, 0, 5}, {0, 1, 6}, {1, 0, 6}, {1, 2, 7}, {2, 1, 7}});
  const Csr skew = read_matrix_market(
      file_with("e.mtx", "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 6\n"));
  CHECK(triples(skew) == helpers::Triples{{0, 1, -6}, {1, 0, 6}});
  CHECK_FALSE(skew.symmetric);
  const Csr array =
      read_matrix_market(file_with("f.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n0\n4\n"));
  CHECK(triples(array) == helpers::Triples{{0, 0, 1}, {0, 1, 0}, {1, 0, 2}, {1, 1, 4}});
  const Csr lower =
      read_matrix_market(file_with("g.mtx", "%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n"));
  CHECK(triples(lower) == helpers::Triples{{0, 0, 1}, {0, 1, 2}, {1, 0, 2}, {1, 1, 3}});
  const Csr empty =
      read_matrix_market(file_with("h.mtx", "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n"));
  CHECK(empty.entries() == 0);
}

TEST_CASE("entries at the same place are added up") {
  const Csr sums = read_matrix_market(file_with(
      "sum.mtx", "%%MatrixMarket matrix coordinate integer general\n2 2 4\n2 1 5\n1 1 1\n2 1 6\n2 1 7\n"));
  CHECK(triples(sums) == helpers::Triples{{0, 0, 1}, {1, 0, 18}});
  const Csr once = read_matrix_market(
      file_with("once.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 3\n2 1\n2 1\n1 2\n"));
  CHECK(once.entries() == 2);
}

TEST_CASE("numbers are read to the last digit and beyond the range") {
  const Csr m = read_matrix_market(file_with("n.mtx",
                                             "%%MatrixMarket matrix coordinate real general\n1 5 5\n1 1 "
                                             "0.1\n1 2 1e-320\n1 3 1e999\n1 4 -inf\n1 5 nan\n"));
  CHECK(m.reals[0] == 0.1);
  CHECK(m.reals[1] == 1e-320);
  CHECK(std::isinf(m.reals[2]));
  CHECK(std::isinf(m.reals[3]));
  CHECK(std::isnan(m.reals[4]));
}

TEST_CASE("compressed files are told apart by their content, whatever their name") {
  CHECK(triples(read_matrix_market(file_with("z.mtx", compressed_gzip(sample)))) == sample_triples);
  CHECK(triples(read_matrix_market(file_with("x.mtx", compressed_xz(sample)))) == sample_triples);
  const size_t half = sample.size() / 2;  // several members, one after the other
  CHECK(triples(read_matrix_market(file_with(
            "m.gz", compressed_gzip(sample.substr(0, half)) + compressed_gzip(sample.substr(half))))) ==
        sample_triples);
  CHECK(triples(read_matrix_market(
            file_with("m.xz", compressed_xz(sample.substr(0, half)) + compressed_xz(sample.substr(half))))) ==
        sample_triples);
}

TEST_CASE("damaged and truncated compression is reported") {
  const std::string gz = compressed_gzip(sample), xz = compressed_xz(sample);
  CHECK_THAT(read_error(gz.substr(0, gz.size() / 2)), ContainsSubstring("gzip data is truncated"));
  CHECK_THAT(read_error(xz.substr(0, xz.size() / 2)), ContainsSubstring("xz data is truncated"));
  std::string damaged = xz;
  damaged[damaged.size() / 2] ^= 0x55;
  CHECK_THAT(read_error(damaged), ContainsSubstring("xz data is damaged"));
  damaged = gz;
  damaged[gz.size() - 6] ^= 0x55;  // the checksum
  CHECK_THAT(read_error(damaged), ContainsSubstring("gzip data is damaged"));
}

TEST_CASE("a header that is not Matrix Market names what was expected") {
  CHECK_THAT(read_error(""), ContainsSubstring("bad.mtx: the file is empty"));
  CHECK_THAT(read_error("hello\n"), ContainsSubstring("bad.mtx:1: expected %%MatrixMarket"));
  CHECK_THAT(read_error("%%MatrixMarket tensor coordinate real general\n"),
             ContainsSubstring("expected 'matrix'") && ContainsSubstring("'tensor'"));
  CHECK_THAT(read_error("%%MatrixMarket matrix list real general\n"),
             ContainsSubstring("'coordinate' or 'array'"));
  CHECK_THAT(read_error("%%MatrixMarket matrix coordinate complex general\n"),
             ContainsSubstring("complex values are not supported"));
  CHECK_THAT(read_error("%%MatrixMarket matrix coordinate float general\n"),
             ContainsSubstring("'real', 'integer' or 'pattern'"));
  CHECK_THAT(read_error("%%MatrixMarket matrix coordinate real hermitian\n"),
             ContainsSubstring("'skew-symmetric', found 'hermitian'"));
  CHECK_THAT(read_error("%%MatrixMarket matrix coordinate real\n"),
             ContainsSubstring("found the end of the line"));
  CHECK_THAT(read_error("%%MatrixMarket matrix array pattern general\n2 2\n"),
             ContainsSubstring("a pattern matrix is in coordinate format"));
}

TEST_CASE("a size line that cannot be is reported with its line number") {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n%\n%\n";
  CHECK_THAT(read_error(head), ContainsSubstring("the file ends before its size"));
  CHECK_THAT(read_error(head + "3 3\n"),
             ContainsSubstring("bad.mtx:4: expected the number of entries, found the end of the line"));
  CHECK_THAT(read_error(head + "3 x 1\n"),
             ContainsSubstring("bad.mtx:4: expected the number of columns, found 'x'"));
  CHECK_THAT(read_error(head + "3 3 1 1\n"),
             ContainsSubstring("bad.mtx:4: expected the end of the line, found '1'"));
  CHECK_THAT(read_error(head + "-3 3 1\n"), ContainsSubstring("expected the number of rows, found '-3'"));
  CHECK_THAT(read_error(head + "99999999999999999999 3 1\n"),
             ContainsSubstring("the number of rows is too large"));
  CHECK_THAT(read_error(head + "4294967296 3 1\n"), ContainsSubstring("the matrix is too large"));
  CHECK_THAT(read_error(head + "0 3 1\n1 1 1\n"), ContainsSubstring("has no entries"));
  CHECK_THAT(read_error("%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n"),
             ContainsSubstring("is square, not 2 x 3"));
}

TEST_CASE("a lying number of entries is reported, and does not cost memory") {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  CHECK_THAT(read_error(head + "3 3 3\n1 1 1\n2 2 2\n"),
             ContainsSubstring("bad.mtx:4: the file ends after 2 of the 3 entries that line 2 promises"));
  CHECK_THAT(
      read_error(head + "3 3 1\n1 1 1\n2 2 2\n"),
      ContainsSubstring(
          "bad.mtx:4: expected the end of the file after the 1 entries that line 2 promises, found '2 2 2'"));
  CHECK_THAT(read_error(head + "4000000000 4000000000 9000000000000000000\n1 1 1\n"),
             ContainsSubstring("the file ends after 1 of the"));
  CHECK_THAT(read_error("%%MatrixMarket matrix array real general\n4000000000 4000000000\n1\n"),
             ContainsSubstring("the file ends after 1 of"));
  CHECK_THAT(read_error("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n5\n"),
             ContainsSubstring("bad.mtx:7: expected the end of the file"));
}

TEST_CASE("a wrong entry is reported with line, expectation and what was found") {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n3 4 1\n";
  CHECK_THAT(read_error(head + "4 1 1.0\n"),
             ContainsSubstring("bad.mtx:3: expected a row between 1 and 3, found '4'"));
  CHECK_THAT(read_error(head + "0 1 1.0\n"), ContainsSubstring("expected a row between 1 and 3, found '0'"));
  CHECK_THAT(read_error(head + "1 5 1.0\n"),
             ContainsSubstring("expected a column between 1 and 4, found '5'"));
  CHECK_THAT(read_error(head + "1 2\n"),
             ContainsSubstring("expected a real value, found the end of the line"));
  CHECK_THAT(read_error(head + "1 2 1.0.0\n"), ContainsSubstring("expected a real value, found '1.0.0'"));
  CHECK_THAT(read_error(head + "1 2 1.0 7\n"), ContainsSubstring("expected the end of the line, found '7'"));
  CHECK_THAT(read_error(head + "1.5 2 1.0\n"),
             ContainsSubstring("expected a row between 1 and 3, found '1.5'"));
  const std::string integer = "%%MatrixMarket matrix coordinate integer general\n3 3 1\n";
  CHECK_THAT(read_error(integer + "1 1 1.5\n"), ContainsSubstring("expected an integer value, found '1.5'"));
  CHECK_THAT(read_error(integer + "1 1 9223372036854775808\n"), ContainsSubstring("does not fit 64 bits"));
  CHECK_THAT(read_error("%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 1 1\n"),
             ContainsSubstring("expected the end of the line"));
  CHECK_THAT(read_error("%%MatrixMarket matrix coordinate real symmetric\n3 3 1\n1 2 1\n"),
             ContainsSubstring("above the diagonal"));
  CHECK_THAT(read_error("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 2 1\n"),
             ContainsSubstring("on the diagonal"));
  CHECK_THAT(read_error(head + std::string("\x01\x02\xff", 3) + " 1 1\n"), ContainsSubstring("found '?"
                                                                                             "?"
                                                                                             "?'"));
}

TEST_CASE("edge lists of SNAP are read in both directions or one") {
  const std::string path =
      file_with("edges.txt", "# Directed graph\n# FromNodeId\tToNodeId\n0\t3\n3\t0\n1 1\n0\t3\n");
  const Csr both = read_edge_list(path, EdgeDirection::undirected);
  CHECK(both.symmetric);
  CHECK(triples(both) == helpers::Triples{{0, 3, 1}, {1, 1, 1}, {3, 0, 1}});
  CHECK(both.nrows == 4);
  const Csr one = read_edge_list(file_with("w.txt", "% weights\n0 2 0.5\n2 1 4\n"), EdgeDirection::directed);
  CHECK(triples(one) == helpers::Triples{{0, 2, 0.5}, {2, 1, 4}});
  CHECK_FALSE(one.symmetric);
}

TEST_CASE("wrong edge lists are reported with their line") {
  const auto error = [](const std::string& text) {
    const std::string path = file_with("bad.txt", text);
    return message_of([&] { read_edge_list(path, EdgeDirection::directed); });
  };
  CHECK_THAT(error("# nothing\n"), ContainsSubstring("the file holds no edges"));
  CHECK_THAT(error("0 1\n2\n"),
             ContainsSubstring("bad.txt:2: expected a vertex number, found the end of the line"));
  CHECK_THAT(error("0 1\na b\n"), ContainsSubstring("bad.txt:2: expected a vertex number, found 'a'"));
  CHECK_THAT(error("0 1\n1 2 3.0\n"),
             ContainsSubstring("expected two columns, as in the lines before, found '3.0'"));
  CHECK_THAT(error("0 1 2.0\n1 2\n"), ContainsSubstring("expected a value in the third column"));
  CHECK_THAT(error("0 1 2.0 4\n"), ContainsSubstring("two or three columns"));
  CHECK_THAT(error("0 4294967295\n"), ContainsSubstring("the vertex number is too large"));
  CHECK_THAT(error("0 -1\n"), ContainsSubstring("found '-1'"));
}

TEST_CASE("files that cannot be read are reported by name") {
  CHECK_THAT(message_of([] { read_matrix_market("/nonexistent/graph.mtx"); }),
             ContainsSubstring("/nonexistent/graph.mtx: cannot be opened: No such file"));
  CHECK_THAT(message_of([] { read_matrix_market("/"); }), ContainsSubstring("is a directory"));
  CHECK_THAT(message_of([] { read_graph(file_with("empty", ""), EdgeDirection::directed); }),
             ContainsSubstring("the file is empty"));
}

TEST_CASE("names come one a line, exactly as many as there are vertices") {
  const std::string path = file_with("names", "libc6\n\nlast without newline");
  CHECK(read_names(path, 3) == std::vector<std::string>{"libc6", "", "last without newline"});
  CHECK_THAT(message_of([&] { read_names(path, 2); }),
             ContainsSubstring("names:3: more names than the graph's 2 vertices"));
  CHECK_THAT(message_of([&] { read_names(path, 4); }), ContainsSubstring("the file ends after 3 names"));
}

TEST_CASE("what is written is read back as it was") {
  const std::string plain = file_with("out.mtx", ""), packed = file_with("out.mtx.gz", "");
  for (const std::string& path : {plain, packed}) {
    for (const char* name : {"rmat:6:4", "rmat:6:4:2:directed", "poisson2d:5:4:9", "banded:9:3"}) {
      const Csr a = generate_by_name(name);
      write_matrix_market(path, a, "a comment");
      const Csr b = read_matrix_market(path);
      CHECK(triples(a) == triples(b));
      CHECK(a.symmetric == b.symmetric);
      CHECK(a.values == b.values);
    }
  }
  CHECK(static_cast<unsigned char>(text_of(packed)[0]) == 0x1f);
  CHECK_THAT(message_of([] { write_matrix_market("/nonexistent/x.mtx", generate_by_name("banded:3:1")); }),
             ContainsSubstring("/nonexistent/x.mtx: cannot be written"));
}

TEST_CASE("progress comes up to the size of the file") {
  std::string text = "%%MatrixMarket matrix coordinate pattern general\n1000 1000 500000\n";
  for (int k = 0; k < 500000; ++k)
    text += std::to_string(k % 1000 + 1) + " " + std::to_string(k / 500 + 1) + "\n";
  const std::string path = file_with("long.mtx", text);
  uint64_t last = 0, calls = 0, all = 0;
  read_matrix_market(path, [&](uint64_t done, uint64_t size) {
    CHECK(done >= last);
    last = done;
    all = size;
    ++calls;
  });
  CHECK(all == text.size());
  CHECK(last == all);
  CHECK(calls >= 4);
}
