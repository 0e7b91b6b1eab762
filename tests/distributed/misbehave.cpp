// Ranks that fail in several ways, for failures_test.py:
//
//     misbehave throw N     rank N throws in the middle of its work
//     misbehave leave N     rank N leaves by an exception that it tells nobody of
//     misbehave slow N      rank N works on without a word
//     misbehave busy N      rank N works for longer than the deadline, and says so
//     misbehave apart N     rank N waits in another operation than the others
//     misbehave kill N      rank N is killed
//     misbehave stop N      rank N is stopped
//
// Every rank prints "rank R: DONE" or its error, and how long that took.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "cugrb/distributed.hpp"

namespace {

/// What rank N does instead of adding up.
void misbehave(cugrb::Distributed& ranks, const std::string& how) {
  const auto start = cugrb::detail::Clock::now();
  if (how == "throw") ranks.together([] { throw std::bad_alloc(); });
  if (how == "leave") throw std::runtime_error("gone without a word");
  if (how == "slow") {
    while (cugrb::detail::seconds_since(start) < 4 * ranks.deadline()) usleep(1000);
  }
  if (how == "busy") {
    while (cugrb::detail::seconds_since(start) < 2 * ranks.deadline()) {
      usleep(1000);
      ranks.check_in();
    }
  }
  if (how == "apart") {
    // A message that nobody sends: the others are in a sum, this rank waits for it.
    char nothing;
    MPI_Request request;
    ranks.begin("a message that nobody sends");
    MPI_Irecv(&nothing, 1, MPI_BYTE, 0, 77, ranks.communicator(), &request);
    ranks.wait(&request, 1);
  }
  if (how == "kill") kill(getpid(), SIGKILL);
  if (how == "stop") kill(getpid(), SIGSTOP);
}

int run(cugrb::Distributed& ranks, const std::string& how, int who) {
  for (int round = 0; round < 50; ++round) {
    if (round == 25 && ranks.rank() == who) misbehave(ranks, how);
    const int sum = ranks.all_reduce(1, std::plus<>(), "a sum over the ranks");
    if (sum != ranks.size()) throw std::runtime_error("a wrong sum");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const char* const deadline = std::getenv("MISBEHAVE_DEADLINE");
  cugrb::Distributed ranks({deadline == nullptr ? 2.0 : std::atof(deadline)});
  const auto start = cugrb::detail::Clock::now();
  const auto tell = [&](const std::string& text) {
    std::printf("rank %d: after %.2f s: %s\n", ranks.rank(), cugrb::detail::seconds_since(start),
                text.c_str());
    std::fflush(stdout);
  };
  try {
    run(ranks, argv[1], std::atoi(argv[2]));
    tell("DONE");
    return 0;
  } catch (const std::exception& error) {
    tell(error.what());
    if (!ranks.has_failed()) ranks.announce(error.what());
  }
  usleep(1500000);  // the other ranks tell theirs
  ranks.abort(3);
}
