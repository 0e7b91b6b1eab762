#include "tests/differential/program.h"

#include <cstdio>
#include <cstdlib>
#include <map>

#include "tests/device_took_part.h"

namespace differential {

uint64_t oracle_crashes = 0;

namespace {

struct IsoTally {
  uint64_t both = 0, neither = 0, only_ours = 0, only_oracle = 0;
};
std::map<std::string, IsoTally> iso_tallies;
bool shows_iso = false;

/// Prints the tallies; the results that are iso in SuiteSparse only.
uint64_t print_iso() {
  uint64_t missed = 0;
  for (const auto& [name, t] : iso_tallies) {
    missed += t.only_oracle;
    std::printf("iso: %-20s %8lu both, %lu in SuiteSparse only, %lu here only, %lu neither\n", name.c_str(),
                static_cast<unsigned long>(t.both), static_cast<unsigned long>(t.only_oracle),
                static_cast<unsigned long>(t.only_ours), static_cast<unsigned long>(t.neither));
  }
  return missed;
}

struct Options {
  uint64_t cases = 1000, first = 0, configurations = 200, repeat = 1, seed = 1;
  bool small = true, verbose = false;
  std::vector<Operation> operations;
};

bool is_product(Operation op) { return op == Operation::mxv || op == Operation::vxm || op == Operation::mxm; }

Options parse(int argc, char** argv, const std::vector<Operation>& from) {
  Options o;
  o.operations = from;
  for (int k = 1; k < argc; ++k) {
    const std::string name = argv[k];
    auto number = [&] { return ++k < argc ? std::strtoull(argv[k], nullptr, 10) : 0; };
    if (name == "--cases")
      o.cases = number();
    else if (name == "--first")
      o.first = number();
    else if (name == "--configurations")
      o.configurations = number();
    else if (name == "--repeat")
      o.repeat = number();
    else if (name == "--seed")
      o.seed = number();
    else if (name == "--catalogue")
      o.small = false;
    else if (name == "--products")
      std::erase_if(o.operations, [](Operation op) { return !is_product(op); });
    else if (name == "--iso")
      shows_iso = true;
    else if (name == "--verbose")
      o.verbose = true;
    else
      throw std::runtime_error("unknown option " + name);
  }
  if (o.repeat == 0) throw std::runtime_error("--repeat 0: every configuration is run at least once");
  return o;
}

/// The configuration of case k. Of those that share one (--repeat) every other one has other forms and
/// aliasing, the same ones in all: other ways for the data, and a second set of kernels at most.
Configuration configuration_of(const Options& options, uint64_t k) {
  const uint64_t group = k / options.repeat;
  const uint64_t number = options.configurations == 0 ? group : group % options.configurations;
  Random random(number * 1000003 + options.seed);
  Configuration c = draw_configuration(random, options.small, options.operations);
  if (k % options.repeat % 2 == 1) {
    Random circumstances(number * 7368787 + options.seed);
    redraw_circumstances(circumstances, c);
  }
  return c;
}

int run_all(const Options& options, RunCase run_case) {
  std::map<std::string, uint64_t> by_operation;
  uint64_t failed = 0;
  for (uint64_t k = options.first; k < options.first + options.cases; ++k) {
    const Configuration c = configuration_of(options, k);
    if (options.verbose)
      std::printf("case %lu: %s\n", static_cast<unsigned long>(k), c.text().c_str()), std::fflush(stdout);
    std::string problem;
    try {
      problem = run_case(c, k * 2654435761u + options.seed);
    } catch (const std::exception& e) {
      problem = e.what();
    }
    ++by_operation[name_of(c.operation)];
    if (problem.empty()) continue;
    if (++failed <= 20)
      std::printf("case %lu differs: %s\n  %s\n", static_cast<unsigned long>(k), c.text().c_str(),
                  problem.c_str());
  }
  for (const auto& [name, count] : by_operation)
    std::printf("%-20s %8lu\n", name.c_str(), static_cast<unsigned long>(count));
  if (print_iso() > 3 + options.cases / 100)
    std::printf("too many of SuiteSparse's are not iso here\n"), ++failed;
  if (oracle_crashes > 0) {
    std::printf("%lu cases have no oracle: SuiteSparse itself crashes or errs\n",
                static_cast<unsigned long>(oracle_crashes));
    if (oracle_crashes > 3 + options.cases / 1000) std::printf("these are too many\n"), ++failed;
  }
  const std::string left_out = cugrb::test::device_left_out(options.cases);
  if (!left_out.empty()) std::printf("%s\n", left_out.c_str()), ++failed;
  std::printf("%lu cases, %lu differ\n", static_cast<unsigned long>(options.cases),
              static_cast<unsigned long>(failed));
  return failed == 0 ? 0 : 1;
}

}  // namespace

void note_iso(const Configuration& configuration, bool ours, bool oracle, size_t entries) {
  if (entries < 2) return;
  IsoTally& tally = iso_tallies[name_of(configuration.operation)];
  ++(ours && oracle ? tally.both : ours ? tally.only_ours : oracle ? tally.only_oracle : tally.neither);
  if (!shows_iso || ours == oracle) return;
  std::printf("iso %s: %s\n", ours ? "here only" : "in SuiteSparse only", configuration.text().c_str());
}

int run_program(int argc, char** argv, const std::vector<Operation>& from, RunCase run_case) {
  try {
    const Options options = parse(argc, argv, from);
    real();  // without it no case means anything
    require(GrB_init(GrB_NONBLOCKING), "GrB_init");
    const int code = run_all(options, run_case);
    GrB_finalize();
    return code;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
}

}  // namespace differential
