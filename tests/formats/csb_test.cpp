// Compressed sparse blocks hold what the CSR holds, whatever the matrix looks like, and no step asks for a
// slot twice.
#include "src/formats/csb.h"

#include <algorithm>

#include "src/formats/csb_pieces.h"
#include "tests/catch.h"
#include "tests/formats/format_cases.h"

using namespace cugrb;
using formats::Csb;
using formats::CsbParameters;
using formats::Csr;

namespace {

CsbParameters parameters(uint32_t most_slots, uint32_t threads, uint32_t blocks, uint32_t cluster = 0,
                         uint32_t sum_bytes = 8) {
  CsbParameters p;
  p.sum_bytes = sum_bytes;
  p.cluster = cluster;
  p.most_slots = most_slots;
  p.threads = threads;
  p.blocks = blocks;
  return p;
}

Value one_of(const Type& type) {
  const int32_t one = 1;
  return {type, std::string(reinterpret_cast<const char*>(&one), sizeof(one))};
}

/// Every entry is there once, at its place.
void same(const Csr& csr, const Csb& csb) {
  CHECK(check(csb) == "");
  CHECK(test::same(test::from_device(to_csr(csb)), test::from_device(csr)));
}

}  // namespace

TEST_CASE(
    "every shape and size of values, iso or not, by narrow and wide indices, comes back from its bands") {
  int made = 0, asked = 0;
  test::for_every_matrix(21, [&](const test::RefMatrix& matrix, const Csr& csr, const std::string& text) {
    INFO(text);
    for (const CsbParameters& p : {parameters(200, 32, 3), parameters(32768, 64, 1),
                                   parameters(200, 32, 6, 3, 4), parameters(300, 64, 2, 1, 1)}) {
      if (matrix.entries.empty()) continue;  // such products are not computed
      const Csb csb = make_csb(csr, p);
      ++asked;
      if (!csb.failure.empty()) continue;
      ++made;
      same(csr, csb);
    }
  });
  CHECK(made > asked * 9 / 10);
}

TEST_CASE("a block's steps are of one band where that ends earlier than equal stretches do") {
  // Three bands of 50 steps: 4 blocks each have 13 steps at most and one piece, 18 with its sums; equal
  // stretches of 12 blocks have (150 + 14 * 5) / 12 = 18.3.
  const formats::CsbPieces whole = formats::share_csb_steps({0, 50, 100, 150}, 12);
  CHECK(whole.first_pieces == std::vector<uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  CHECK(whole.band_pieces == std::vector<uint32_t>{0, 4, 8, 12});
  CHECK(whole.longest_steps() == 13);
  // 10 blocks: 17 steps and 5, or (150 + 12 * 5) / 10 = 21; one of them has parts of two bands.
  const formats::CsbPieces stretches = formats::share_csb_steps({0, 50, 100, 150}, 10);
  CHECK(stretches.pieces.size() == 11);
  // Bands without steps have no piece, and blocks without work neither.
  const formats::CsbPieces few = formats::share_csb_steps({0, 0, 1, 1, 3}, 4);
  CHECK(few.first_pieces == std::vector<uint32_t>{0, 1, 2, 3, 3});
  CHECK(few.band_pieces == std::vector<uint32_t>{0, 0, 1, 1, 3});
  CHECK(formats::share_csb_steps({0, 0}, 3).first_pieces == std::vector<uint32_t>{0, 0, 0, 0});
}

TEST_CASE("whole bands go to clusters, the longest first, where that ends before equal stretches do") {
  // Four bands of 20, 30, 10 and 16 steps: a cluster takes the second and the third, the other one the rest.
  const auto shares = formats::share_csb_bands({0, 20, 50, 60, 76}, 2, 2);
  REQUIRE(shares);
  CHECK(shares->first_pieces == std::vector<uint32_t>{0, 2, 4, 6, 8});
  const auto is = [&](size_t p, uint32_t band, uint32_t first, uint32_t last) {
    INFO(p);
    const CsbPiece& piece = shares->pieces.at(p);
    CHECK(piece.band == band);
    CHECK(piece.first_step == first);
    CHECK(piece.last_step == last);
  };
  is(0, 1, 20, 35), is(1, 2, 50, 55), is(2, 1, 35, 50), is(3, 2, 55, 60);
  is(4, 0, 0, 10), is(5, 3, 60, 68), is(6, 0, 10, 20), is(7, 3, 68, 76);
  CHECK(shares->longest_steps() == 20);
  // A band of one step: one of its cluster's blocks has none. Bands without a step belong to nobody.
  const auto few = formats::share_csb_bands({0, 0, 1}, 2, 2);
  REQUIRE(few);
  CHECK(few->first_pieces == std::vector<uint32_t>{0, 1, 2, 2, 2});
  CHECK(few->pieces[0].last_step == few->pieces[0].first_step);
  CHECK(few->pieces[1].last_step == few->pieces[1].first_step + 1);
  // One band with nearly all steps: blocks of other clusters would wait.
  CHECK_FALSE(formats::share_csb_bands({0, 100, 101, 102}, 3, 2));
}

TEST_CASE("every step is in one piece of its band, and blocks have about the same work") {
  test::Random random(28);
  for (int n = 0; n < 300; ++n) {
    std::vector<uint32_t> first_steps = {0};
    const uint64_t bands = 1 + random() % 40, longest = 1 + random() % 300;
    for (uint64_t b = 0; b < bands; ++b)
      first_steps.push_back(first_steps.back() + uint32_t(random() % longest));
    const uint32_t blocks = uint32_t(1 + random() % 50), steps = first_steps.back();
    INFO(bands << " bands, " << steps << " steps, " << blocks << " blocks");
    const formats::CsbPieces shares = formats::share_csb_steps(first_steps, blocks);
    REQUIRE(shares.first_pieces.size() == blocks + 1);
    REQUIRE(shares.band_pieces.size() == bands + 1);
    REQUIRE(shares.first_pieces.back() == shares.pieces.size());
    REQUIRE(shares.band_pieces.back() == shares.pieces.size());
    uint32_t next = 0;
    for (uint32_t p = 0; p < shares.pieces.size(); ++p) {
      const CsbPiece& piece = shares.pieces[p];
      CHECK(piece.first_step == next);
      CHECK(piece.first_step < piece.last_step);
      CHECK(first_steps[piece.band] <= piece.first_step);
      CHECK(piece.last_step <= first_steps[piece.band + 1]);
      CHECK((shares.band_pieces[piece.band] <= p && p < shares.band_pieces[piece.band + 1]));
      next = piece.last_step;
    }
    CHECK(next == steps);
    for (uint32_t block = 0; block < blocks; ++block) {
      const uint32_t first = shares.first_pieces[block], last = shares.first_pieces[block + 1];
      REQUIRE(first <= last);
      const uint64_t work =
          first < last ? shares.pieces[last - 1].last_step - shares.pieces[first].first_step : 0;
      // Equal stretches of steps and of five for every band, and what a stretch cuts off of these five.
      CHECK(work <= (steps + 5 * (blocks + bands)) / blocks + 6);
    }
  }
}

TEST_CASE("what is wrong with places, bases or pieces is found") {
  test::Random random(26);
  const auto matrix =
      test::random_matrix(random, Type::of(TypeCode::Fp32), 300, 200, test::Spread::uniform, 8, false);
  const Csb csb = make_csb(test::csr_to_device(matrix, false, false), parameters(200, 32, 3));
  REQUIRE(check(csb) == "");
  const uint32_t first = csb.places.read<uint32_t>(0);
  Csb wrong = csb;
  wrong.places = test::with_word(csb.places, 0, csb.places.read<uint32_t>(4));  // the second entry's slot
  CHECK(check(wrong) == "a step that asks for a slot twice");
  wrong.places = test::with_word(csb.places, 0, 0x7fffu << 16 | (first & 0xffffu));
  CHECK(check(wrong) == "a slot that no row has");
  wrong.places = test::with_word(csb.places, 0, no_csb_slot << 16);
  CHECK(check(wrong) == "a gap in a chunk");
  wrong = csb;
  wrong.longest_steps += 1;
  CHECK(check(wrong) == "another block has most steps");
  wrong = csb;
  wrong.piece_list = test::with_word(csb.piece_list, 1, 1);  // the first piece's first step
  CHECK(check(wrong) == "a step of no piece, or of two");
  const Csb whole = make_csb(test::csr_to_device(matrix, false, false), parameters(700, 32, 4, 2));
  REQUIRE(whole.parameters.cluster == 2);
  REQUIRE(check(whole) == "");
  wrong = whole;
  const uint32_t last = whole.piece_list.read<uint32_t>(2);  // the first piece's last step
  wrong.piece_list = test::with_word(whole.piece_list, 2, last - 1);
  CHECK(check(wrong) == "a step of no piece, or of two");
  wrong = whole;
  wrong.first_pieces = test::with_word(whole.first_pieces, 1, 0);
  CHECK(check(wrong) == "a cluster whose blocks have not as many pieces");
}

TEST_CASE("rows of many entries get slots of their own, rows without any none") {
  test::Random random(23);
  std::vector<uint64_t> lengths(500, 3);
  lengths[7] = 4000;
  lengths[8] = lengths[499] = 0;
  const Csr csr = test::csr_to_device(
      test::matrix_of_lengths(random, Type::of(TypeCode::Fp64), lengths, 4096), false, false);
  const Csb csb = make_csb(csr, parameters(1000, 32, 4));
  REQUIRE(csb.failure == "");
  CHECK(csb.bands == 1);
  // A step has 128 of 5491 entries: 93 of the long row's, for which it has 1 + 192 * 4000 / 5491 slots.
  CHECK(csb.slots == 497 + 140);
  CHECK(csb.steps() <= 5491 / 128 + 4);
  same(csr, csb);
}

TEST_CASE("rows without entries take no room of a band: bands have the more rows") {
  test::Random random(29);
  std::vector<uint64_t> lengths(3000, 0);
  for (size_t i = 0; i < lengths.size(); i += 10) lengths[i] = 1;
  const Csr csr = test::csr_to_device(
      test::matrix_of_lengths(random, Type::of(TypeCode::Int8), lengths, 9000), true, false);
  const Csb csb = make_csb(csr, parameters(160, 32, 2));
  REQUIRE(csb.failure == "");
  CHECK(csb.bands == 2);
  CHECK(csb.slots == 150);
  same(csr, csb);
}

TEST_CASE("bands are cut smaller where one of them has more slots than the mean") {
  test::Random random(24);
  std::vector<uint64_t> lengths(600, 1);
  for (size_t i = 0; i < 100; ++i) lengths[i] = 40;
  const Csr csr = test::csr_to_device(test::matrix_of_lengths(random, Type::of(TypeCode::Int8), lengths, 900),
                                      true, false);
  const Csb csb = make_csb(csr, parameters(200, 32, 2));
  REQUIRE(csb.failure == "");
  CHECK(csb.slots <= 200);
  CHECK(csb.bands > 3);
  same(csr, csb);
}

TEST_CASE("a matrix whose rows have their entries side by side has no such form") {
  test::RefMatrix band{Type::of(TypeCode::Int32), 2000, 2000, {}};
  for (uint64_t i = 0; i < 2000; ++i) {
    for (uint64_t j = i; j < std::min<uint64_t>(2000, i + 20); ++j) {
      band.entries[{i, j}] = one_of(band.type);
    }
  }
  const Csb csb = make_csb(test::csr_to_device(band, false, false), parameters(2000, 64, 2));
  CHECK(csb.failure == "its bands' entries do not fill steps");
  CHECK(csb.bytes() == 0);
}

TEST_CASE("a matrix with one entry more than its steps have places for has no such form") {
  // The last columns are of three rows, which have fewer slots than they ask for there.
  test::Random random(27);
  test::RefMatrix matrix =
      test::random_matrix(random, Type::of(TypeCode::Int32), 100, 2000, test::Spread::uniform, 20, false);
  matrix.columns = 3000;
  for (uint64_t more = 0; more < 300; ++more) {
    matrix.entries[{more % 3, 2000 + more / 3}] = one_of(matrix.type);
    if (more < 30) continue;
    const Csr csr = test::csr_to_device(matrix, false, false);
    const Csb csb = make_csb(csr, parameters(300, 32, 1));
    if (!csb.failure.empty()) {
      CHECK(csb.failure == "its bands' entries do not fill steps");
      return;
    }
    same(csr, csb);
  }
  FAIL("every matrix had the form");
}

TEST_CASE("a chunk ends where 16 bits do not count on") {
  test::RefMatrix far{Type::of(TypeCode::Int32), 8, 3000000, {}};
  for (uint64_t i = 0; i < 8; ++i) {
    far.entries[{i, i * 20000}] = far.entries[{i, i * 20000 + 1}] = one_of(far.type);
  }
  const Csr csr = test::csr_to_device(far, false, false);
  const Csb csb = make_csb(csr, parameters(256, 128, 2));
  REQUIRE(csb.failure == "");
  CHECK(csb.steps() == 1);  // what is too far for one chunk begins another
  same(csr, csb);
}

TEST_CASE("columns count from a chunk's first entry, whichever of a warp's calls took it") {
  test::RefMatrix far{Type::of(TypeCode::Int32), 300, 200000, {}};
  for (uint64_t i = 0; i < 300; ++i) far.entries[{i, i * 600}] = one_of(far.type);  // 110 of them to 16 bits
  const Csr csr = test::csr_to_device(far, false, false);
  const Csb csb = make_csb(csr, parameters(300, 128, 2));
  REQUIRE(csb.failure == "");
  CHECK(csb.steps() == 1);
  same(csr, csb);
}

TEST_CASE("the same matrix is laid out the same way every time") {
  test::Random random(25);
  const auto matrix =
      test::random_matrix(random, Type::of(TypeCode::Int64), 700, 400, test::Spread::power_law, 12, false);
  const Csr csr = test::csr_to_device(matrix, false, false);
  const Csb first = make_csb(csr, parameters(512, 64, 3)), second = make_csb(csr, parameters(512, 64, 3));
  REQUIRE(first.failure == "");
  const uint64_t places = first.steps() * first.parameters.step_places();
  REQUIRE(first.first_steps == second.first_steps);
  CHECK(first.places.to_host<uint32_t>(places) == second.places.to_host<uint32_t>(places));
  CHECK(first.bases.to_host<uint32_t>(places / csb_chunk) ==
        second.bases.to_host<uint32_t>(places / csb_chunk));
}

namespace {

struct Dealt {
  double most_of_bank = 0;  ///< of the 32 sums that a warp adds to together, in the mean
  double span = 0;          ///< of their columns
};

/// Of what warps gather and add together, the last step of each run aside.
Dealt dealt(const Csb& csb, uint32_t sum_bytes) {
  const std::vector<uint32_t> places =
      csb.places.to_host<uint32_t>(csb.steps() * csb.parameters.step_places());
  const std::vector<uint32_t> bases = csb.bases.to_host<uint32_t>(places.size() / csb_chunk);
  Dealt dealt;
  uint64_t groups = 0;
  for (uint64_t first = 0; first < places.size(); first += 32) {
    std::vector<int> of_bank(32);
    uint32_t least = ~0u, most = 0, entries = 0;
    for (uint64_t order = first; order < first + 32; ++order) {
      const uint64_t place = csb_place(order);
      const uint32_t slot = places[place] >> 16,
                     column = bases[place / csb_chunk] + (places[place] & 0xffffu);
      if (slot == no_csb_slot) continue;
      ++of_bank[slot * sum_bytes / 4 % 32];
      least = std::min(least, column);
      most = std::max(most, column);
      ++entries;
    }
    if (entries < 32) continue;
    ++groups;
    dealt.most_of_bank += *std::max_element(of_bank.begin(), of_bank.end());
    dealt.span += most - least;
  }
  dealt.most_of_bank /= double(groups);
  dealt.span /= double(groups);
  return dealt;
}

}  // namespace

TEST_CASE("a warp's sums are spread over the banks of shared memory, and its columns stay neighbours") {
  test::Random random(29);
  const Type& type = Type::of(TypeCode::Bool);
  for (const auto spread : {test::Spread::uniform, test::Spread::power_law}) {
    const test::RefMatrix matrix = test::random_matrix(random, type, 3000, 9000, spread, 12, true);
    const Csr csr = test::csr_to_device(matrix, true, false);
    for (const uint32_t sum_bytes : {4u, 1u}) {
      const Csb plain = make_csb(csr, parameters(4000, 256, 1, 1)),
                spread_out = make_csb(csr, parameters(4000, 256, 1, 1, sum_bytes));
      REQUIRE(plain.failure.empty());
      same(csr, spread_out);
      const Dealt before = dealt(plain, sum_bytes), after = dealt(spread_out, sum_bytes);
      CHECK(before.most_of_bank > 3);
      CHECK(after.most_of_bank < 2.2);
      CHECK(after.span < 3 * before.span);
    }
  }
}
