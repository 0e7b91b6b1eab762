// Every kernel that the tests of mxv and vxm run on the emulated device (one specialisation a structure,
// tests/operations/breadth.h) also compiles with NVRTC, without a GPU, for the oldest and the newest
// architecture and those between, and spills no register.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "src/jit/compiler.h"
#include "src/jit/digest.h"
#include "src/jit/process.h"
#include "src/jit/resources.h"
#include "tests/catch.h"

using namespace cugrb;
namespace fs = std::filesystem;

namespace {

const std::vector<std::string> architectures = {"sm_75", "sm_80", "sm_90", "sm_100", "sm_120"};

/// The requests of one test program beside this one, each once; empty when the program is not built.
std::vector<jit::Request> requests_of(const std::string& program, const std::string& directory) {
  const fs::path path = fs::canonical("/proc/self/exe").parent_path() / program;
  if (!fs::exists(path)) {
    WARN("skipped, not built: " << path.string());
    return {};
  }
  const std::string log = directory + "/" + program + ".jsonl";
  setenv("CUGRB_REQUESTS", log.c_str(), 1);
  setenv("CUGRB_DEVICE", "emulated", 1);
  setenv("CUGRB_TEST_STRUCTURES", "races", 1);  // the same kernels as with "1", over fewer shapes
  // Its verdict is its own test's business; what counts here are the kernels that it compiled.
  jit::run_program({path.string()}, directory + "/" + program + ".out");
  unsetenv("CUGRB_REQUESTS");
  std::vector<jit::Request> result;
  std::ifstream file(log);
  for (std::string line; std::getline(file, line);) {
    const auto fields = nlohmann::json::parse(line);
    result.push_back({fields.at("header"), fields.at("name"), fields.at("preamble")});
  }
  const auto key = [](const jit::Request& r) { return std::tie(r.header, r.name, r.preamble); };
  std::sort(result.begin(), result.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  result.erase(std::unique(result.begin(), result.end(),
                           [&](const auto& a, const auto& b) { return key(a) == key(b); }),
               result.end());
  return result;
}

struct Task {
  jit::Request request;
  std::string architecture;
};

/// What is wrong with one compilation; empty when nothing is.
std::string verdict(const Task& task) try {
  const jit::Compiled compiled = jit::compile(task.request, task.architecture);
  const auto resources = jit::resources_of(compiled.log);
  if (!resources) return "no report of registers:\n" + compiled.log;
  // A user's type may be as large as it likes; built-in ones must live in registers.
  const bool built_in = task.request.preamble.empty();
  if (built_in && (resources->spill_store_bytes > 0 || resources->spill_load_bytes > 0)) {
    return "spills registers:\n" + compiled.log;
  }
  return "";
} catch (const jit::CompilationFailure& failure) {
  return failure.what();
}

std::vector<std::string> verdicts(const std::vector<Task>& tasks) {
  std::vector<std::string> wrong;
  std::atomic<size_t> next{0};
  std::mutex mutex;
  const auto work = [&] {
    for (size_t i = next++; i < tasks.size(); i = next++) {
      const std::string text = verdict(tasks[i]);
      if (text.empty()) continue;
      std::lock_guard<std::mutex> lock(mutex);
      wrong.push_back(tasks[i].architecture + ", " + tasks[i].request.name + ": " + text);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < std::min(8u, std::thread::hardware_concurrency()); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return wrong;
}

}  // namespace

TEST_CASE("kernels that run on the emulated device compile for GPUs from sm_75 to sm_120 and spill nothing") {
  try {
    jit::compiler_for("sm_90");
  } catch (const jit::CompilationFailure& failure) {
    WARN("skipped: " << failure.what());
    return;
  }
  const jit::TemporaryDirectory directory;
  std::vector<Task> tasks;
  const std::vector<jit::Request> requests = requests_of("test_mxv", directory.path());
  REQUIRE(requests.size() > 50);
  // Every other one for one architecture, every sixteenth for all: an architecture rarely refuses what
  // another takes. Which one goes by the kernel's own name, so that another kernel more or less moves nobody.
  for (const jit::Request& request : requests) {
    const uint64_t drawn = jit::Digest().add(request.name).low();
    for (size_t a = 0; a < architectures.size(); ++a) {
      if (drawn % (2 * architectures.size()) == a || drawn / architectures.size() % 16 == 0) {
        tasks.push_back({request, architectures[a]});
      }
    }
  }
  const std::vector<std::string> wrong = verdicts(tasks);
  for (const std::string& text : wrong) FAIL_CHECK(text);
  INFO(tasks.size() << " compilations");
  CHECK(wrong.empty());
}
