// What a loop multiplies and sums up each round is known when it is written.
#include "src/formats/loop_rhythm.h"

#include "src/formats/part_exchange.h"
#include "tests/catch.h"

using namespace cugrb;
using formats::ExchangePlan;
using formats::LoopRhythm;
using formats::WrittenTurn;

namespace {

using Plan = std::shared_ptr<const ExchangePlan>;

/// A round writes `before` vectors and gathers the last of them, then writes three, the second of which is
/// summed up. The letter says what was known: of the exchange 'e', of the sum 's', 'b' of both, '-' of none.
struct Loop {
  LoopRhythm rhythm;
  Monoid plus = *catalogue::monoid("PLUS_FP32");

  char round(const Plan& plan, int before = 1, const char* sum = "PLUS_FP32") {
    WrittenTurn last;
    bool exchange = false, summed = false;
    for (int n = 0; n < before; ++n) {
      last = rhythm.note_write(7);
      exchange = rhythm.expected(last) == plan;
      rhythm.expected_sum(last);
    }
    rhythm.note_exchange(last, plan);
    for (int n = 0; n < 3; ++n) {
      const WrittenTurn turn = rhythm.note_write(uint64_t(n));
      rhythm.expected(turn);
      const auto monoid = rhythm.expected_sum(turn);
      if (n != 1) continue;
      const Monoid asked = *catalogue::monoid(sum);
      summed = monoid != nullptr && formats::is_same(*monoid, asked);
      rhythm.note_sum(turn, asked);
    }
    return exchange ? (summed ? 'b' : 'e') : summed ? 's' : '-';
  }
  std::string rounds(const Plan& plan, int count, int before = 1) {
    std::string known;
    for (int n = 0; n < count; ++n) known += round(plan, before);
    return known;
  }
};

}  // namespace

TEST_CASE("three rounds that agree tell what the fourth will do, and another one begins anew") {
  Loop loop;
  const Plan plan = std::make_shared<ExchangePlan>(), other = std::make_shared<ExchangePlan>();
  // The first round's write comes before three others do in the later ones.
  CHECK(loop.rounds(plan, 6) == "---sbb");
  CHECK(loop.round(plan, 2) == 's');  // one write more before the product
  CHECK(loop.rounds(plan, 4) == "sssb");
  CHECK(loop.rounds(other, 4) == "sssb");
  CHECK(loop.round(other, 1, "MAX_FP32") == 'e');
  CHECK(loop.rounds(other, 4) == "eeeb");
}

TEST_CASE("what was right often stays known when the loop begins again, until it is wrong as often") {
  Loop loop;
  const Plan plan = std::make_shared<ExchangePlan>();
  loop.rounds(plan, 40);
  // Between two loops: a product of something that was written long ago.
  loop.rhythm.note_exchange({}, plan);
  CHECK(loop.rounds(plan, 3) == "sbb");
  // Another loop: what the first one would have gathered is begun in vain, some times.
  unsigned in_vain = 0;
  for (int n = 0; n < 40; ++n) {
    const WrittenTurn first = loop.rhythm.note_write(7);
    in_vain += loop.rhythm.expected(first) != nullptr;
    for (int k = 0; k < 3; ++k) in_vain += loop.rhythm.expected(loop.rhythm.note_write(7)) != nullptr;
    loop.rhythm.note_exchange({}, plan);
  }
  CHECK(in_vain > 0);
  CHECK(in_vain < 12);
}

TEST_CASE("a plan that has gone is not begun") {
  Loop loop;
  auto plan = std::make_shared<const ExchangePlan>();
  CHECK(loop.rounds(plan, 5).back() == 'b');
  const std::weak_ptr<const ExchangePlan> gone = plan;
  plan = nullptr;
  CHECK(gone.expired());
  CHECK(loop.rhythm.expected(loop.rhythm.note_write(7)) == nullptr);
}

TEST_CASE("another operation's result is not what a loop gathers") {
  Loop loop;
  const Plan plan = std::make_shared<ExchangePlan>();
  CHECK(loop.rounds(plan, 30).back() == 'b');
  CHECK(loop.rhythm.expected(loop.rhythm.note_write(8)) == nullptr);
  CHECK(loop.rhythm.expected(loop.rhythm.note_write(7)) == nullptr);  // one write later
}

TEST_CASE("two products in turn, each with its plan, are known after a while") {
  Loop loop;
  const Plan hubs = std::make_shared<ExchangePlan>(), authorities = std::make_shared<ExchangePlan>();
  std::string known;
  for (int n = 0; n < 30; ++n) {
    known += loop.round(hubs, 1);
    known += loop.round(authorities, 2);
  }
  CHECK(known.substr(50) == std::string(10, 'b'));
}

TEST_CASE("a sum may be asked for behind the product that follows it") {
  LoopRhythm rhythm;
  const Monoid plus = *catalogue::monoid("PLUS_FP32");
  const Plan plan = std::make_shared<ExchangePlan>();
  std::string known;
  WrittenTurn summed;
  for (int round = 0; round < 8; ++round) {
    const WrittenTurn sent = rhythm.note_write(1), next = rhythm.note_write(2);
    known += rhythm.expected_sum(next) != nullptr ? 's' : '-';
    rhythm.note_exchange(sent, plan);
    rhythm.note_sum(round == 5 ? summed : next, plus);  // once that of two rounds before, which is too late
    summed = next;
  }
  CHECK(known == "----ss--");
}
