// Random programs: chains of up to 30 GraphBLAS calls on shared objects, each program once through the
// exported functions (cuGrB in front) and once through SuiteSparse alone. Codes, error texts, answers and, at
// the end, all objects agree exactly. Where they do not, the program is made smaller and printed as C.
//
//   differential_programs [--programs N] [--first K] [--seed S] [--calls C] [--palettes P] [--palette-size Z]
//                         [--seconds T] [--memory GB] [--catalogue] [--updates] [--loops] [--print]
//                         [--blocking]
//                         [--verbose]
//
// Program k draws its calls from palette k mod P (P = 0: one for each 200 programs) of Z calls. Each palette
// has kernels of its own. --updates: programs that change a few entries of matrices and read them in between.
// --print shows the programs and runs nothing. A failing program alone: --first k
// --programs 1 and the same other options.
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "tests/device_took_part.h"
#include "tests/differential/programs/both.h"
#include "tests/differential/programs/generator.h"

namespace differential::programs {
namespace {

struct Options {
  uint64_t programs = 1000, first = 0, seed = 1, calls = 30, palettes = 2, palette_size = 40, seconds = 0,
           memory = 6;
  bool catalogue = false, updates = false, loops = false, print = false, blocking = false, verbose = false;
};

Options parse(int argc, char** argv) {
  Options o;
  const std::map<std::string, uint64_t*> numbers = {
      {"--programs", &o.programs}, {"--first", &o.first},       {"--seed", &o.seed},
      {"--calls", &o.calls},       {"--palettes", &o.palettes}, {"--palette-size", &o.palette_size},
      {"--seconds", &o.seconds},   {"--memory", &o.memory}};
  const std::map<std::string, bool*> flags = {{"--catalogue", &o.catalogue}, {"--updates", &o.updates},
                                              {"--loops", &o.loops},         {"--print", &o.print},
                                              {"--blocking", &o.blocking},   {"--verbose", &o.verbose}};
  for (int k = 1; k < argc; ++k) {
    if (const auto number = numbers.find(argv[k]); number != numbers.end() && k + 1 < argc)
      *number->second = std::strtoull(argv[++k], nullptr, 10);
    else if (const auto flag = flags.find(argv[k]); flag != flags.end())
      *flag->second = true;
    else
      throw std::runtime_error(std::string("unknown option or missing number: ") + argv[k]);
  }
  if (o.calls == 0) throw std::runtime_error("--calls 0: a program has one call at least");
  return o;
}

/// What a crash of cuGrB shows: the program that ran. The text is made before, as a handler may not.
std::string running;
void show_running(int signal) {
  std::fputs(running.c_str(), stdout);
  std::fflush(stdout);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// What SuiteSparse makes of an object of 2^31 places is sometimes a bitmap: then it is told that there is no
/// memory, and the call is left out. 0: no limit, for sanitizers, which limit allocations themselves
/// (docs/random_programs.md).
void limit_memory(uint64_t gigabytes) {
  if (gigabytes == 0) return;
  const rlim_t limit = rlim_t(gigabytes) << 30;
  const rlimit both = {limit, limit};
  if (setrlimit(RLIMIT_DATA, &both) != 0) throw std::runtime_error("the memory cannot be limited");
}

/// From 8.0 on SuiteSparse compiles kernels of its own for user-defined operators, a second for each, and
/// fails where its package came without the sources.
void turn_jit_off() {
  constexpr int jit_control = 7029, off = 0;
  if (!selects_cast_values())
    require(GxB_Global_Option_set(static_cast<GxB_Option_Field>(jit_control), off), "Global_Option_set");
}

class Run {
 public:
  explicit Run(const Options& options) : options_(options) {}

  int all() {
    for (const int signal : {SIGSEGV, SIGABRT, SIGFPE}) std::signal(signal, show_running);
    for (uint64_t k = options_.first; k < options_.first + options_.programs && !is_late(); ++k) {
      ++begun_;
      Program program = draw(k);
      if (options_.print)
        std::printf("// program %lu\n%s\n", static_cast<unsigned long>(k), c_text(program).c_str());
      else
        one(k, program);
    }
    if (options_.print) return 0;
    return summary();
  }

 private:
  bool is_late() const {
    const auto limit = std::chrono::seconds(options_.seconds);
    return options_.seconds > 0 && std::chrono::steady_clock::now() - start_ > limit;
  }

  Program draw(uint64_t k) {
    const uint64_t number = options_.palettes == 0 ? k / 200 : k % options_.palettes;
    if (palettes_.count(number) == 0) {
      if (options_.palettes == 0) palettes_.clear();
      const uint64_t seed = number + options_.seed * 1000003;
      palettes_[number] = options_.updates
                              ? draw_updates(seed, options_.palette_size)
                              : draw_palette(seed, options_.palette_size, options_.catalogue, options_.loops);
    }
    return draw_program(palettes_[number], k + options_.seed * 15485863, options_.calls);
  }

  void one(uint64_t k, Program& program) {
    const std::string name = "program " + std::to_string(k);
    if (options_.verbose)
      std::printf("%s: %zu calls\n", name.c_str(), program.steps.size()), std::fflush(stdout);
    std::string problem;
    try {
      const Expected expected = ask_oracle(program, left_out_);
      for (const Step& step : program.steps) ++calls_[name_of(step.configuration.operation)];
      running = "// " + name + " crashed\n";
      problem = compare(program, expected);
    } catch (const std::exception& e) {
      problem = e.what();
    }
    if (problem.empty()) return;
    if (++failed_ > 10) return;
    std::printf("%s differs: %s\n", name.c_str(), problem.c_str());
    std::fflush(stdout);
    std::printf("%s\n", c_text(reduced(program)).c_str());
    std::fflush(stdout);
  }

  int summary() {
    uint64_t calls = 0;
    for (const auto& [name, count] : calls_) {
      std::printf("%-28s %8lu\n", name.c_str(), static_cast<unsigned long>(count));
      calls += count;
    }
    for (const auto& [name, count] : left_out_)
      std::printf("left out, %-18s %8lu\n", name.c_str(), static_cast<unsigned long>(count));
    const std::string missing = cugrb::test::device_left_out(calls / 3);
    if (!missing.empty()) std::printf("%s\n", missing.c_str()), ++failed_;
    std::printf("%lu programs of %lu calls, %lu differ\n", static_cast<unsigned long>(begun_),
                static_cast<unsigned long>(calls), static_cast<unsigned long>(failed_));
    return failed_ == 0 ? 0 : 1;
  }

  Options options_;
  std::map<uint64_t, Palette> palettes_;
  std::map<std::string, uint64_t> calls_;
  LeftOut left_out_;
  uint64_t begun_ = 0, failed_ = 0;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace
}  // namespace differential::programs

int main(int argc, char** argv) {
  using namespace differential;
  using namespace differential::programs;
  try {
    const Options options = parse(argc, argv);
    real();  // without it no program means anything
    require(GrB_init(options.blocking ? GrB_BLOCKING : GrB_NONBLOCKING), "GrB_init");
    turn_jit_off();
    make_user_symbols();
    limit_memory(options.memory);
    const int code = Run(options).all();
    GrB_finalize();
    return code;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
}
