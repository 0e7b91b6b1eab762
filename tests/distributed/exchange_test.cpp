// The deal, and the collective operations of host memory and of vectors.
#include <dlfcn.h>

#include <map>
#include <numeric>
#include <random>

#include "cugrb/cugrb.h"
#include "cugrb/graphblas.hpp"
#include "tests/catch.h"
#include "tests/distributed/ranks.h"

using namespace cugrb;
using distributed_tests::ranks;

namespace {

std::vector<uint64_t> drawn_weights(Index n, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<uint64_t> weights(Deal::blocks_of(n));
  for (uint64_t& weight : weights) weight = random() % 1000 * (random() % 50 == 0 ? 20 : 1);
  return weights;
}

std::shared_ptr<const Deal> deal_of(Index n, Dealing dealing = Dealing::bitonic) {
  return std::make_shared<const Deal>(n, ranks().size(), drawn_weights(n, 7), dealing);
}

/// Another value for every vertex.
template <class T>
T value_of(Index vertex) {
  return static_cast<T>(vertex * 7 % 101);
}

template <class T>
Vector<T> own_values(const Deal& deal) {
  Vector<T> block(deal.size_of(ranks().rank()));
  for (Index k = 0; k < block.size(); ++k) block.set(k, value_of<T>(deal.vertex(ranks().rank(), k)));
  return block;
}

template <class T>
void check_gathered(Index n, Dealing dealing) {
  INFO(n << " vertices of " << type_traits<T>::name());
  Exchange exchange(ranks(), deal_of(n, dealing));
  const Deal& deal = exchange.deal();
  const Vector<T> all = exchange.all_gather(own_values<T>(deal));
  REQUIRE(all.size() == deal.positions());
  for (Index v = 0; v < n; ++v) REQUIRE(all.get(deal.position(v)) == value_of<T>(v));
}

}  // namespace

TEST_CASE("a rank takes the GPU of its number where nobody has chosen one") {
  using detail::chooses_by_rank;
  for (const char* any : {static_cast<const char*>(nullptr), "", "auto", "gpu"}) {
    CHECK(chooses_by_rank(any, nullptr, nullptr));
    CHECK(chooses_by_rank(any, nullptr, "0,1"));
    CHECK_FALSE(chooses_by_rank(any, nullptr, "3"));
    CHECK_FALSE(chooses_by_rank(any, "0,1", nullptr));
  }
  for (const char* named : {"gpu:0", "emulated", "none"})
    CHECK_FALSE(chooses_by_rank(named, nullptr, nullptr));
}

TEST_CASE("a deal numbers every vertex once, and rows and entries are even") {
  const Index n = GENERATE(0, 1, 2, 3, 5, 64, 1000, 65536, 65537, 200000);
  const int parts = GENERATE(1, 2, 3, 4, 7);
  const Dealing dealing = GENERATE(Dealing::bitonic, Dealing::contiguous);
  const std::vector<uint64_t> weights = drawn_weights(n, static_cast<uint32_t>(n));
  const Deal deal(n, parts, weights, dealing);
  CHECK(deal.size() == n);
  Index rows = 0;
  std::vector<uint64_t> entries(static_cast<size_t>(parts), 0);
  for (int r = 0; r < parts; ++r) {
    REQUIRE(deal.size_of(r) <= deal.stride());
    rows += deal.size_of(r);
    for (Index k = 0; k < deal.size_of(r); ++k) {
      const Index v = deal.vertex(r, k);
      REQUIRE((v < n && deal.owner(v) == r && deal.number(v) == k));
      REQUIRE((deal.position(v) == static_cast<Index>(r) * deal.stride() + k &&
               deal.vertex_at(deal.position(v)) == v));
      if (v % deal.rows_of_block() == 0) entries[static_cast<size_t>(r)] += weights[v / deal.rows_of_block()];
    }
    std::vector<uint64_t> vertices(deal.size_of(r));
    deal.write_vertices(r, vertices.data());
    for (Index k = 0; k < vertices.size(); ++k) REQUIRE(vertices[k] == deal.vertex(r, k));
  }
  CHECK(rows == n);
  if (n == 0) return;
  const auto [least, most] = std::minmax_element(entries.begin(), entries.end());
  // No rank gets more than a block more of rows, and the heaviest block is as far as entries come apart.
  CHECK(deal.stride() <= (n / static_cast<Index>(parts) / deal.rows_of_block() + 1) * deal.rows_of_block());
  if (dealing == Dealing::bitonic) {
    CHECK(*most - *least <= *std::max_element(weights.begin(), weights.end()));
  }
}

TEST_CASE("the bitonic scheme turns the order of ranks in each round") {
  const Deal deal(6, 2, {60, 50, 40, 30, 20, 10});
  const std::vector<int> expected = {0, 1, 1, 0, 0, 1};
  for (Index v = 0; v < 6; ++v) CHECK(deal.owner(v) == expected[v]);
}

TEST_CASE("values are reduced in the order of ranks") {
  const std::string text(1, static_cast<char>('a' + ranks().rank()));
  struct Word {
    char text[16] = "";
  } word;
  detail::copy_text(text, word.text, sizeof word.text);
  const Word all = ranks().all_reduce(word, [](Word a, const Word& b) {
    std::strcat(a.text, b.text);
    return a;
  });
  CHECK(std::string(all.text) == std::string("abcdefgh").substr(0, static_cast<size_t>(ranks().size())));
  std::vector<int> list = {ranks().rank(), 1, -ranks().rank()};
  ranks().all_reduce(list, std::plus<>());
  const int sum = ranks().size() * (ranks().size() - 1) / 2;
  CHECK(list == std::vector<int>{sum, ranks().size(), -sum});
}

TEST_CASE("lists of any length arrive in the order of ranks") {
  const size_t size = static_cast<size_t>(ranks().size());
  std::vector<std::vector<uint64_t>> outgoing(size);
  const auto length = [&](size_t from, size_t to) { return (from * 3 + to) % 4 * 50000; };
  const size_t own = static_cast<size_t>(ranks().rank());
  for (size_t r = 0; r < size; ++r) {
    for (size_t k = 0; k < length(own, r); ++k) outgoing[r].push_back(own << 32 | r << 24 | k);
  }
  std::vector<uint64_t> expected;
  for (size_t from = 0; from < size; ++from) {
    for (size_t k = 0; k < length(from, own); ++k) expected.push_back(from << 32 | own << 24 | k);
  }
  CHECK(ranks().all_to_all(outgoing) == expected);
  std::vector<char> bytes(3000000, static_cast<char>(ranks().rank()));
  ranks().broadcast(bytes.data(), bytes.size(), ranks().size() - 1);
  CHECK(bytes == std::vector<char>(bytes.size(), static_cast<char>(ranks().size() - 1)));
}

TEST_CASE("a gathered vector has every vertex at its position") {
  const Index n = GENERATE(1, 2, 5, 64, 700);
  const Dealing dealing = GENERATE(Dealing::bitonic, Dealing::contiguous);
  check_gathered<double>(n, dealing);
  check_gathered<float>(n, dealing);
  check_gathered<uint64_t>(n, dealing);
  check_gathered<int8_t>(n, dealing);
}

TEST_CASE("vectors of one value, in any form, are gathered") {
  Exchange exchange(ranks(), deal_of(100));
  Vector<float> block(exchange.size(), 2.5f);
  block.prefer(GENERATE(Storage::automatic, Storage::sparse, Storage::bitmap));
  const Vector<float> all = exchange.all_gather(block);
  for (Index v = 0; v < 100; ++v) CHECK(all.get(exchange.deal().position(v)) == 2.5f);
  CHECK(block.nvals() == block.size());
}

TEST_CASE("a vector is changed while it is gathered") {
  Exchange exchange(ranks(), deal_of(300));
  Vector<float> block = own_values<float>(exchange.deal());
  auto gathering = exchange.start_all_gather(block);
  block = 1.0f;
  block += block;
  const Vector<float> all = gathering.finish();
  for (Index v = 0; v < 300; ++v) REQUIRE(all.get(exchange.deal().position(v)) == value_of<float>(v));
}

TEST_CASE("entries are gathered, whoever has some") {
  // Short lists and long ones go different ways.
  const Index n = GENERATE(500, 9000), step = GENERATE(1, 2, 3, 40, 499, 10000);
  Exchange exchange(ranks(), deal_of(n));
  const Deal& deal = exchange.deal();
  Vector<int32_t> block(exchange.size());
  for (Index k = 0; k < exchange.size(); ++k) {
    const Index v = deal.vertex(ranks().rank(), k);
    if (v % step == 1 % step) block.set(k, static_cast<int32_t>(v));
  }
  const EntriesOfRanks entries = exchange.entries_of_ranks(block);
  const Vector<int32_t> all = exchange.all_gather_entries(block, entries);
  REQUIRE(all.size() == deal.positions());
  std::map<Index, int32_t> expected, found;
  for (Index v = 1 % step; v < n; v += step) expected[deal.position(v)] = static_cast<int32_t>(v);
  const auto list = all.entries();
  for (size_t k = 0; k < list.indices.size(); ++k) found[list.indices[k]] = list.values[k];
  CHECK(found == expected);
  CHECK(all.nvals() == expected.size());
  CHECK(entries == expected.size());
}

TEST_CASE("contributions of all ranks are added up, or the least is found, at their owner") {
  const Index n = GENERATE(1, 3, 200);
  Exchange exchange(ranks(), deal_of(n));
  const Deal& deal = exchange.deal();
  const int rank = ranks().rank(), size = ranks().size();
  Vector<int64_t> part(deal.positions(), 0);
  for (Index v = 0; v < n; ++v)
    part.set(deal.position(v), static_cast<int64_t>(v) + 1000 * ((static_cast<int>(v) + rank) % size));
  const Vector<int64_t> sum = exchange.reduce_scatter(part, Reduction::plus);
  const Vector<int64_t> least = exchange.reduce_scatter(part, Reduction::min);
  REQUIRE(sum.size() == exchange.size());
  for (Index k = 0; k < exchange.size(); ++k) {
    const auto v = static_cast<int64_t>(deal.vertex(rank, k));
    REQUIRE(sum.get(k) == size * v + 1000 * (size * (size - 1) / 2));
    REQUIRE(least.get(k) == v);
  }
}

TEST_CASE("what moves the vectors is what was asked for") {
  Exchange exchange(ranks(), deal_of(10));
  const char* const expected = std::getenv("CUGRB_TEST_VECTORS_BY");
  REQUIRE(expected != nullptr);
  CHECK(exchange.means().substr(0, std::strlen(expected)) == expected);
}

TEST_CASE("while ranks wait for each other, what the device has stays there, however slow it seems") {
  if (std::getenv("CUGRB_LOOPS") == nullptr) return;  // without it the emulated device is not weighed
  Exchange exchange(ranks(), deal_of(3000));
  const Vector<double> all = exchange.all_gather(own_values<double>(exchange.deal()));
  const auto count =
      reinterpret_cast<decltype(&cugrb_get_statistics)>(dlsym(RTLD_DEFAULT, "cugrb_get_statistics"));
  cugrb_statistics before, after;
  count(&before);
  for (int n = 0; n < 100; ++n) const Vector<double> more = apply(all, op::times<double>, 1.5);
  count(&after);
  CHECK(after.calls_gpu - before.calls_gpu >= 100);
  CHECK(after.downloads == before.downloads);
}

TEST_CASE("a product is the same with and without overlap") {
  const Index n = 60;
  auto exchange = std::make_shared<Exchange>(ranks(), deal_of(n));
  const Deal& deal = exchange->deal();
  Matrix<int32_t> block(exchange->size(), deal.positions());
  std::vector<int64_t> expected(n, 100);
  for (Index i = 0; i < n; ++i) {
    for (Index j = i % 4; j < n; j += 3 + i % 5) {
      const auto entry = static_cast<int32_t>(i + 2 * j);
      expected[i] += entry * value_of<int64_t>(j);
      if (deal.owner(i) == ranks().rank()) block.set(deal.number(i), deal.position(j), entry);
    }
  }
  const Overlap overlap = GENERATE(Overlap::off, Overlap::on);
  const DistributedMatrix<int32_t> matrix(exchange, std::move(block), overlap);
  Vector<int64_t> w(exchange->size(), 100);
  matrix.add_product(w, own_values<int64_t>(deal), plus_times<int64_t>);
  for (Index k = 0; k < exchange->size(); ++k) CHECK(w.get(k) == expected[deal.vertex(ranks().rank(), k)]);
}

TEST_CASE("of a band on contiguous ranks only edges are sent, and the product is the same") {
  const Index n = GENERATE(3, 64, 400);
  const Dealing dealing = GENERATE(Dealing::bitonic, Dealing::contiguous);
  auto exchange = std::make_shared<Exchange>(
      ranks(),
      std::make_shared<const Deal>(n, ranks().size(), std::vector<uint64_t>(Deal::blocks_of(n), 1), dealing));
  const Deal& deal = exchange->deal();
  Matrix<int32_t> block(exchange->size(), deal.positions());
  std::vector<int64_t> expected(n, 7);
  for (Index i = 0; i < n; ++i) {
    for (Index j = i > 2 ? i - 2 : 0; j < std::min(n, i + 3); ++j) {
      const auto entry = static_cast<int32_t>(i + 2 * j);
      expected[i] += entry * value_of<int64_t>(j);
      if (deal.owner(i) == ranks().rank()) block.set(deal.number(i), deal.position(j), entry);
    }
  }
  const DistributedMatrix<int32_t> matrix(exchange, std::move(block), Overlap::on);
  Vector<int64_t> w(exchange->size(), 7), again(exchange->size(), 7);
  matrix.add_product(w, own_values<int64_t>(deal), plus_times<int64_t>);
  auto arriving = matrix.start(own_values<int64_t>(deal));
  matrix.add_product(again, std::move(arriving), plus_times<int64_t>);
  for (Index k = 0; k < exchange->size(); ++k) {
    CHECK(w.get(k) == expected[deal.vertex(ranks().rank(), k)]);
    CHECK(again.get(k) == w.get(k));
  }
  // Two values to each neighbour, where that is less than an eighth of a rank's.
  const int size = ranks().size(), rank = ranks().rank();
  const Index most = size == 1 ? 1 : size == 2 ? 2 : 4;
  const bool in_blocks = size == 1 || dealing == Dealing::contiguous;
  if (in_blocks && deal.stride() >= 8 * most) {
    CHECK(matrix.sent_values() == Index(size == 1 ? 0 : rank > 0 && rank < size - 1 ? 4 : 2));
  } else {
    CHECK(matrix.sent_values() == exchange->size());
  }
}

TEST_CASE("columns that are cut out stay by rows, as what is left does") {
  const Index rows = 20, columns = 30;
  Matrix<int32_t> a(rows, columns);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = i % 3; j < columns; j += 1 + i % 4) a.set(i, j, static_cast<int32_t>(100 * i + j));
  }
  const Index begin = GENERATE(0, 7, 29), width = GENERATE(1, 5, 30);
  const Index end = std::min(begin + width, columns);
  const detail::CutColumns<int32_t> cut = detail::cut_columns(a, begin, end);
  REQUIRE((cut.group.nrows() == rows && cut.group.ncols() == end - begin));
  REQUIRE((cut.others.nrows() == rows && cut.others.ncols() == columns));
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      const bool inside = j >= begin && j < end;
      if (inside) CHECK(cut.group.get(i, j - begin) == a.get(i, j));
      CHECK(cut.others.get(i, j) == (inside ? std::nullopt : a.get(i, j)));
    }
  }
  for (const Matrix<int32_t>* part : {&cut.group, &cut.others}) {
    int format = -1;
    REQUIRE(GxB_Matrix_Option_get(part->handle(), GxB_FORMAT, &format) == GrB_SUCCESS);
    CHECK(format == GxB_BY_ROW);
  }
}

TEST_CASE("what is gathered is not there before it is finished, and what is sent is read until then") {
  // The emulated device's second stream is late, and the stand-in for NCCL scrambles what arrives.
  Exchange exchange(ranks(), deal_of(400));
  for (int round = 0; round < 5; ++round) {
    Vector<int32_t> block = own_values<int32_t>(exchange.deal());
    auto gathering = exchange.start_all_gather(block);
    block = -1;
    Vector<int32_t> other(400, round);  // memory that is new, or was the block's
    other += other;
    const Vector<int32_t> all = gathering.finish();
    for (Index v = 0; v < 400; ++v) REQUIRE(all.get(exchange.deal().position(v)) == value_of<int32_t>(v));
    CHECK(other.get(399) == 2 * round);
  }
}
