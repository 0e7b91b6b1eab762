#include "tests/differential/programs/both.h"

#include <unistd.h>

#include <csignal>
#include <memory>

#include "tests/differential/programs/faults.h"
#include "tests/differential/programs/values.h"

namespace differential::programs {
namespace {

/// The objects that a call changes.
std::vector<int> changed(const Step& step) {
  std::vector<int> all;
  if (step.out >= 0) all.push_back(step.out);
  if (step.configuration.operation == Operation::split) all.push_back(step.second);
  return all;
}

/// Some of SuiteSparse's loops visit each of 2^59 rows: after some seconds the call counts as a crash.
class TimeLimit {
 public:
  TimeLimit() {
    std::signal(SIGALRM, [](int) { std::raise(SIGABRT); });
    alarm(5);
  }
  ~TimeLimit() { alarm(0); }
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;
};

/// The call, and the objects that it changes as they are then; false where SuiteSparse leaves one of them
/// invalid, or of fewer entries than it says.
bool oracle_performs(Executor& oracle, const Step& step, Outcome& outcome, Expected& expected) {
  try {
    outcome = oracle.perform(step);
    for (const int k : changed(step)) {
      oracle.wait(k);
      expected.objects[size_t(k)] = oracle.snapshot(k);
    }
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

/// One attempt: the number of the first call that has to go, with the reason; else -1.
int attempt(const Program& program, Expected& expected, std::string& reason) {
  expected = {};
  auto oracle = std::make_unique<Executor>(real(), program);
  for (size_t k = 0; k < program.objects.size(); ++k) {
    oracle->wait(int(k));  // faults of SuiteSparse with entries that are pending are not met then
    expected.objects.push_back(oracle->snapshot(int(k)));
  }
  for (size_t n = 0; n < program.steps.size(); ++n) {
    const Step& step = program.steps[n];
    reason = fault_of(step);
    if (reason.empty()) reason = fault_with(step, *oracle, expected.objects);
    if (!reason.empty()) return int(n);
    Outcome outcome;
    bool valid = false;
    bool lived = false;
    {
      const TimeLimit limit;
      lived = oracle_survives([&] { valid = oracle_performs(*oracle, step, outcome, expected); });
    }
    if (!lived || !valid) {
      static_cast<void>(oracle.release());  // SuiteSparse left it half written
      reason = std::string(lived ? "invalid after " : "crash in ") + name_of(step.configuration.operation);
      return int(n);
    }
    for (const int k : changed(step)) {
      reason = fault_in(outcome, step, expected.objects[size_t(k)], oracle->type(k));
      if (!reason.empty()) return int(n);
    }
    expected.outcomes.push_back(outcome);
  }
  return -1;
}

bool writes(Executor& executor, const Step& step) {
  try {
    executor.perform(step);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

std::string call_text(const Program& program, size_t n) {
  return "call " + std::to_string(n) + ", " + program.steps[n].configuration.text();
}

std::string difference(const Snapshot& ours, const Snapshot& theirs, const std::string& type) {
  if (ours.rows != theirs.rows || ours.columns != theirs.columns) return "sizes differ";
  if (ours.entries.size() != theirs.entries.size()) {
    return std::to_string(ours.entries.size()) + " entries, SuiteSparse " +
           std::to_string(theirs.entries.size());
  }
  for (size_t k = 0; k < ours.entries.size(); ++k) {
    const Entry &a = ours.entries[k], &b = theirs.entries[k];
    if (a == b) continue;
    const auto text = [&](const Entry& e) {
      return text_of(type, e) + " at (" + std::to_string(e.i) + ", " + std::to_string(e.j) + ")";
    };
    return text(a) + ", SuiteSparse " + text(b);
  }
  return "";
}

}  // namespace

Expected ask_oracle(Program& program, LeftOut& left_out) {
  Expected expected;
  while (true) {
    std::string reason;
    const int bad = attempt(program, expected, reason);
    if (bad < 0) return expected;
    ++left_out[reason];
    program.steps.erase(program.steps.begin() + bad);
  }
}

namespace {

std::string first_difference(const Program& program, const Expected& expected) {
  Executor ours(exported(), program);
  for (size_t n = 0; n < program.steps.size(); ++n) {
    const Outcome outcome = ours.perform(program.steps[n]);
    const Outcome& right = expected.outcomes[n];
    if (outcome == right) continue;
    return call_text(program, n) + "\n  code " + std::to_string(outcome.info) + ", SuiteSparse " +
           std::to_string(right.info) + "; answer '" + outcome.answer + "', SuiteSparse '" + right.answer +
           "'; error text '" + outcome.error + "', SuiteSparse '" + right.error + "'";
  }
  for (size_t k = 0; k < program.objects.size(); ++k) {
    const std::string found = difference(ours.snapshot(int(k)), expected.objects[k], ours.type(int(k)));
    if (!found.empty()) {
      const Snapshot& right = expected.objects[k];
      return std::string(program.objects[k].is_matrix ? "A" : "v") + std::to_string(k) + " (" +
             ours.type(int(k)) + ", " + std::to_string(right.rows) + " by " + std::to_string(right.columns) +
             "): " + found;
    }
  }
  return "";
}

}  // namespace

std::string compare(const Program& program, const Expected& expected) {
  try {
    return first_difference(program, expected);
  } catch (const std::exception& e) {
    return e.what();
  }
}

std::string c_text(const Program& program) {
  std::string calls;
  {
    Executor executor(real(), program, &calls);
    for (const Step& step : program.steps) {
      bool valid = false;
      if (oracle_survives([&] { valid = writes(executor, step); }) && valid) continue;
      executor.abandon();
      break;
    }
    calls += "  // At the end:\n";
    for (size_t k = 0; k < program.objects.size(); ++k) {
      calls += "  SHOW(" + std::string(program.objects[k].is_matrix ? "A" : "v") + std::to_string(k) + ");\n";
    }
  }
  const bool user = calls.find("triple") != std::string::npos;
  return "#include <GraphBLAS.h>\n#include <math.h>\n#include <stdio.h>\n"
         "#define TRY(...) do { GrB_Info info = __VA_ARGS__; if (info) printf(\"%s: %d\\n\", #__VA_ARGS__, "
         "(int)info); } while (0)\n"
         "#define SHOW(x) GxB_print(x, GxB_COMPLETE)\n" +
         (user ? user_definitions() : "") + "int main(void) {\n  GrB_init(GrB_NONBLOCKING);\n" +
         (user ? user_calls() : "") +
         "  GrB_Scalar alpha = NULL, beta = NULL; GrB_Semiring semiring; (void)alpha; (void)beta; "
         "(void)semiring;\n"
         "  GrB_Index count; int64_t integer = 3; double real = 3; GxB_FC64_t complex_number = 3; "
         "(void)count; (void)integer; (void)real; (void)complex_number;\n" +
         (user ? "  triple user; (void)user;\n" : "") + calls + "  GrB_finalize();\n}\n";
}

}  // namespace differential::programs
